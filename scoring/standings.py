"""The standings of a whole knock-out (C8.5), and the best second places (C8.4).

Points per hand are compared as fractions, never as floats.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from fractions import Fraction
from itertools import groupby

SHARED_AFTER = 3
"""Places up to this one are never shared; below, equals are 并列 (C8.5)."""


@dataclass(frozen=True, slots=True)
class Prize:
    """A prize for the places `first` … `last`."""

    first: int
    last: int
    zh: str
    en: str


PRIZES = (
    Prize(1, 1, "一等奖", "first prize"),
    Prize(2, 2, "二等奖", "second prize"),
    Prize(3, 3, "三等奖", "third prize"),
    Prize(4, 9, "优秀奖", "prize of merit"),
)
"""The prizes where the organizer sets no others (C8.5)."""


def prizes_to(last: int) -> tuple[Prize, ...]:
    """The prizes for the places 1 … `last`: first, second and third, then of merit."""
    merit = PRIZES[SHARED_AFTER]
    singles = PRIZES[: min(last, SHARED_AFTER)]
    return (*singles, replace(merit, last=last)) if last >= merit.first else singles


@dataclass(frozen=True, slots=True)
class Finish:
    """How far an entrant came.

    `key` identifies him; `round` is the round (from 1) of his last table, `place` his place
    there, None while he is still in. `net` is his net 舵 there and `hands` how many hands the
    table played. `lot` is his public lot (1 is best) or None. `is_third` says that it was the
    table for third place: `place` is then 3 or 4.
    """

    key: int
    round: int
    place: int | None
    net: int = 0
    hands: int = 0
    lot: int | None = None
    is_third: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of the standings: `place` is None while the entrant is still in, `shared` is 并列."""

    key: int
    place: int | None
    shared: bool
    prize: Prize | None


def knockout_standings(
    finishes: Sequence[Finish], prizes: Sequence[Prize] = PRIZES
) -> list[Standing]:
    """Standings by round reached, place at that table, net 舵 per hand there (C8.5), best first.

    Who is still in comes first, without a place; who still plays for third place, after the final
    that is done. Equals share a place below the third; a third
    place or better is settled by lot. A table without hands counts as worse than any with hands.
    """
    still_in = sorted((f for f in finishes if f.place is None), key=lambda f: (-f.round, f.key))
    beside = [f for f in still_in if f.is_third]
    done = sorted((f for f in finishes if f.place is not None), key=_standing_key)
    first = [f for f in done if beside and f.round == beside[0].round and not f.is_third]
    parts = ([f for f in still_in if not f.is_third], first, beside, done[len(first) :])
    standings: list[Standing] = []
    for part in parts:
        standings += _placed(part, len(standings) + 1, prizes)
    return standings


def _placed(part: Sequence[Finish], place: int, prizes: Sequence[Prize]) -> list[Standing]:
    """The standings of one part from `place` on; who is still in has none."""
    standings: list[Standing] = []
    for _, group in groupby(part, key=_standing_key):
        level = list(group)
        if level[0].place is None:
            standings += [Standing(f.key, None, False, None) for f in level]
            continue
        for tied in _tied(level, place):
            prize = next((p for p in prizes if p.first <= place <= p.last), None)
            standings += [Standing(f.key, place, len(tied) > 1, prize) for f in tied]
            place += len(tied)
    return standings


def _standing_key(finish: Finish) -> tuple[int, int, bool, Fraction]:
    per_hand = Fraction(-finish.net, finish.hands or 1)
    return -finish.round, finish.place or 0, finish.hands == 0, per_hand


def _tied(level: list[Finish], place: int) -> list[list[Finish]]:
    """Equals from `place` on, one by one in the order of their lots while a place may not be
    shared.
    """
    if any(finish.lot is None for finish in level):
        return [level]
    single = max(0, SHARED_AFTER - place + 1)
    by_lot = sorted(level, key=lambda finish: finish.lot or 0)
    tied = [[finish] for finish in by_lot[:single]]
    return [*tied, by_lot[single:]] if by_lot[single:] else tied


@dataclass(frozen=True, slots=True)
class TablePlace:
    """An entrant's result at his table, to compare tables that played different numbers of hands.

    `hands` is at least 1; `hands_won` and `discards` (点炮) are None where the evidence lacks them.
    """

    key: int
    net: int
    hands: int
    hands_won: int | None = None
    discards: int | None = None
    lot: int | None = None


def rank_across_tables(results: Sequence[TablePlace]) -> list[TablePlace]:
    """Orders results of different tables by C8.4, best first: per hand net 舵, hands won, fewer
    点炮; lot.

    A criterion that somebody tied lacks is skipped for all of them. Who is level to the end stays
    in the order given.
    """
    return _order(list(results), 0)


class Across(IntEnum):
    """What put one before another across tables, in the order in which it is asked (C8.4)."""

    NET = 0
    HANDS_WON = 1
    DISCARDS = 2
    LOT = 3


def across_steps(ranked: Sequence[TablePlace]) -> list[Across | None]:
    """For each two neighbours of `rank_across_tables`' order what parted them, None if nothing."""
    return _steps(list(ranked), 0)


_CRITERIA: tuple[Callable[[TablePlace], Fraction | None], ...] = (
    lambda result: Fraction(-result.net, result.hands),
    lambda result: None if result.hands_won is None else Fraction(-result.hands_won, result.hands),
    lambda result: None if result.discards is None else Fraction(result.discards, result.hands),
    lambda result: None if result.lot is None else Fraction(result.lot),
)


def _order(tied: list[TablePlace], asked: int) -> list[TablePlace]:
    if len(tied) == 1 or asked == len(_CRITERIA):
        return tied
    known = [(value, result) for result in tied if (value := _CRITERIA[asked](result)) is not None]
    if len(known) < len(tied):
        return _order(tied, asked + 1)
    known.sort(key=lambda pair: pair[0])
    return [
        result
        for _, part in groupby(known, key=lambda pair: pair[0])
        for result in _order([result for _, result in part], asked + 1)
    ]


def _steps(tied: list[TablePlace], asked: int) -> list[Across | None]:
    if len(tied) < 2:
        return []
    if asked == len(_CRITERIA):
        return [None] * (len(tied) - 1)
    values = [_CRITERIA[asked](result) for result in tied]
    if None in values:
        return _steps(tied, asked + 1)
    found: list[Across | None] = []
    parts = groupby(zip(values, tied, strict=True), key=lambda pair: pair[0])
    for index, (_, part) in enumerate(parts):
        if index:
            found.append(Across(asked))
        found += _steps([result for _, result in part], asked + 1)
    return found
