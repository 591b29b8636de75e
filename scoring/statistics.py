"""The records of an event and a player's numbers, from the hands of confirmed tables.

Pure: plain values, fractions and no floats. Seats are positions from 0 = 甲. Hands that are void
and 加赛 are not among the facts (C8.2). A hand that was ruled on has its points from the ruling
(C6.6); its 胡, 醒 and 舵 are nobody's record.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from engine.events import Event
from engine.files import parse
from scoring.sums import HandLine


@dataclass(frozen=True, slots=True)
class Fact:
    """A hand as it counts. `out` is the seat that sat out (坐醒), `record` its ZPR or "".

    `hu` in 胡, `xing` a count, `total` in 舵, as computed; None where they are not known.
    """

    table: int
    line: HandLine
    source: str = ""
    hu: int | None = None
    xing: int | None = None
    total: int | None = None
    out: int | None = None
    record: str = ""

    @property
    def is_won(self) -> bool:
        """Whether somebody has won it and no ruling says otherwise."""
        return bool(self.line.winners) and self.line.ruled is None


@dataclass(frozen=True, slots=True)
class Sitting:
    """An entrant at a confirmed table. `net` is his net 舵 there with penalties and rulings, from
    the hand numbered `left` on a filler played for him (C9.3)."""

    entrant: int
    table: int
    position: int
    net: int
    place: int | None
    left: int | None = None

    def plays(self, line: HandLine) -> bool:
        """Whether he himself played the hand."""
        return self.left is None or line.number < self.left


class Kind(StrEnum):
    """What there are records of, in the order shown."""

    HU = "hu"
    XING = "xing"
    TOTAL = "total"
    EVENTS = "events"
    WON = "won"
    NET = "net"
    COMEBACK = "comeback"


@dataclass(frozen=True, slots=True)
class Best:
    """Who holds a record: at which table, by which hand (None: by the whole table). `entrants` is
    empty where nobody won the hand, or a filler did."""

    value: int
    table: int
    hand: int | None
    entrants: tuple[int, ...]


def records(facts: Sequence[Fact], sittings: Sequence[Sitting]) -> dict[Kind, tuple[Best, ...]]:
    """The records of an event, level ones beside each other in the order of `facts`.

    `facts` come by table and number. A kind that nobody has anything of is left out.
    """
    seats = {(one.table, one.position): one for one in sittings}
    by_table: dict[int, list[Fact]] = defaultdict(list)
    for fact in facts:
        by_table[fact.table].append(fact)
    found = {
        Kind.HU: _highest(_of_hands(facts, seats, [fact.hu for fact in facts])),
        Kind.XING: _highest(_of_hands(facts, seats, [fact.xing for fact in facts])),
        Kind.TOTAL: _highest(_of_hands(facts, seats, [fact.total for fact in facts])),
        Kind.EVENTS: _longest(facts, seats),
        Kind.WON: _highest(_most_won(by_table, sittings)),
        Kind.NET: _highest(
            Best(one.net, one.table, None, (one.entrant,)) for one in sittings if one.left is None
        ),
        Kind.COMEBACK: _highest(_comebacks(by_table, sittings)),
    }
    return {kind: held for kind, held in found.items() if held}


def _highest(candidates: Iterable[Best]) -> tuple[Best, ...]:
    """Those with the highest value, which is more than nothing."""
    held: list[Best] = []
    for one in candidates:
        if one.value > (held[0].value if held else 0):
            held = [one]
        elif held and one.value == held[0].value:
            held.append(one)
    return tuple(held)


def _winners(fact: Fact, seats: Mapping[tuple[int, int], Sitting]) -> tuple[int, ...]:
    sitting = (seats.get((fact.table, seat)) for seat in fact.line.winners or ())
    return tuple(one.entrant for one in sitting if one and one.plays(fact.line))


def _of_hands(
    facts: Iterable[Fact],
    seats: Mapping[tuple[int, int], Sitting],
    values: Iterable[int | None],
) -> Iterable[Best]:
    """The hands that an entrant has won, with what is known of them."""
    for fact, value in zip(facts, values, strict=True):
        if value is not None and fact.is_won:
            winners = _winners(fact, seats)
            if winners:
                yield Best(value, fact.table, fact.line.number, winners)


def _longest(facts: Iterable[Fact], seats: Mapping[tuple[int, int], Sitting]) -> tuple[Best, ...]:
    """The records with most events. No text has more events than `_at_most` says, so that only
    those which could be the longest are read."""
    recorded = [fact for fact in facts if fact.record and fact.line.ruled is None]
    order = {id(fact): number for number, fact in enumerate(recorded)}
    held: list[tuple[int, Fact]] = []
    for fact in sorted(recorded, key=_at_most, reverse=True):
        if held and _at_most(fact) < held[0][0]:
            break
        length = events_of(fact.record)
        if not held or length >= held[0][0]:
            held = [one for one in held if one[0] == length] + [(length, fact)]
    held.sort(key=lambda one: order[id(one[1])])
    return _highest(
        Best(length, fact.table, fact.line.number, _winners(fact, seats)) for length, fact in held
    )


def _at_most(fact: Fact) -> int:
    text = fact.record
    return len(text) if text.lstrip()[:1] in ("{", "[") else text.count("\n") + 1


def events_of(record: str) -> int:
    """How many events a ZPR has, rulings and claim left out."""
    return sum(isinstance(line.what, Event) for line in parse(record).lines)


def _most_won(
    by_table: Mapping[int, Sequence[Fact]], sittings: Iterable[Sitting]
) -> Iterable[Best]:
    """Hands won at one table; tables of which only points are known are left out (C8.1)."""
    for one in sittings:
        lines = [fact.line for fact in by_table.get(one.table, ())]
        if all(line.winners_counted is not None for line in lines):
            won = sum(one.position in (ln.winners_counted or ()) for ln in lines if one.plays(ln))
            yield Best(won, one.table, None, (one.entrant,))


def _comebacks(
    by_table: Mapping[int, Sequence[Fact]], sittings: Iterable[Sitting]
) -> Iterable[Best]:
    """How far who came first at a table was once behind the leader there, and after which hand."""
    for one in sittings:
        if one.place != 1 or one.left is not None:
            continue
        totals: list[int] = []
        furthest = Best(0, one.table, None, (one.entrant,))
        for fact in by_table.get(one.table, ()):
            totals = _added(totals, fact.line.points)
            behind = max(totals) - totals[one.position]
            if behind > furthest.value:
                furthest = Best(behind, one.table, fact.line.number, (one.entrant,))
        yield furthest


def _added(totals: Sequence[int], points: Sequence[int]) -> list[int]:
    return [a + b for a, b in zip(totals or [0] * len(points), points, strict=True)]


@dataclass(frozen=True, slots=True)
class Numbers:
    """A player's numbers. `hands` are those he played himself, of which `unknown` are known by
    points only; `won`, `own_flips` (自摸) and `discards` (点炮) are counted among the others.

    `mean_hu` and `mean_xing` are of the hands he won; `best` is the one with most 舵. `running` is
    his net 舵 after each line of his sheets, hand by hand and table after table, penalties left
    out; `ends` says how many lines there are up to the end of each table.
    """

    hands: int
    unknown: int
    won: int
    own_flips: int
    discards: int
    mean_hu: Fraction | None
    mean_xing: Fraction | None
    best: Best | None
    running: tuple[int, ...]
    ends: tuple[int, ...]

    @property
    def known(self) -> int:
        """The hands of which it is known who won."""
        return self.hands - self.unknown


def numbers(facts: Sequence[Fact], sittings: Sequence[Sitting]) -> Numbers:
    """The numbers of the entrant whose sittings these are, in the order played."""
    by_table: dict[int, list[Fact]] = defaultdict(list)
    for fact in facts:
        by_table[fact.table].append(fact)
    mine = [[fact for fact in by_table[one.table] if _has_played(one, fact)] for one in sittings]
    pairs = [(one.position, fact) for one, own in zip(sittings, mine, strict=True) for fact in own]
    hands = sum(fact.line.hands for _seat, fact in pairs)
    known = [(seat, fact) for seat, fact in pairs if fact.line.winners_counted is not None]
    won = [(seat, fact) for seat, fact in known if seat in (fact.line.winners_counted or ())]
    counted = [fact for seat, fact in won if fact.is_won and seat in (fact.line.winners or ())]
    seats = {(one.table, one.position): one for one in sittings}
    best = _highest(_of_hands(counted, seats, [fact.total for fact in counted]))
    running, ends = _running([(one, own) for one, own in zip(sittings, mine, strict=True) if own])
    return Numbers(
        hands=hands,
        unknown=hands - sum(fact.line.hands for _seat, fact in known),
        won=len(won),
        own_flips=sum(
            fact.source == "own-flip" and seat in (fact.line.winners or ()) for seat, fact in won
        ),
        discards=sum(fact.line.payer_counted == seat for seat, fact in known),
        mean_hu=_mean([fact.hu for fact in counted]),
        mean_xing=_mean([fact.xing for fact in counted]),
        best=best[0] if best else None,
        running=running,
        ends=ends,
    )


def _has_played(one: Sitting, fact: Fact) -> bool:
    return one.plays(fact.line) and fact.out != one.position


def _running(
    played: Sequence[tuple[Sitting, Sequence[Fact]]],
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    net, running, ends = 0, [], []
    for one, own in played:
        for fact in own:
            net += fact.line.points[one.position]
            running.append(net)
        ends.append(len(running))
    return tuple(running), tuple(ends)


def _mean(values: Sequence[int | None]) -> Fraction | None:
    known = [value for value in values if value is not None]
    return Fraction(sum(known), len(known)) if known else None


def tenths(value: Fraction) -> str:
    """A fraction from 0 up with one place, halves up: 47/3 → `15.7`."""
    number = (value * 20 + 1) // 2
    return f"{number // 10}.{number % 10}"
