"""A hand under other rules: what it would be worth there, or why it could not have been.

A record is replayed event by event. A slip's cards are counted again. A result line keeps its 胡
and 醒, since nothing tells how they came about. Totals say nothing about the hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

from engine import cards
from engine.errors import ZipaiError
from engine.evaluate import best
from engine.events import Special, Verb
from engine.melds import SOURCE_NAMES, Source
from engine.record import Record
from engine.result import meld_json
from engine.rules import PRESETS, Rules
from engine.settle import count_xing
from engine.slip import count_special
from engine.slip_json import read_meld
from scoring.counted import Counted, EntryError, Terms
from scoring.evidence import count
from scoring.replayed import Replayed, Stop

_SPECIALS: Final = (Special.SANLONG, Special.WUKAN)


@dataclass(frozen=True)
class Otherwise:
    """What a hand is under some rules.

    `computed` is the engine's result as JSON, None where the hand cannot be; then `stop` says
    why, with the event's number where a record stopped. `turn_more`: a further 醒 is due that
    nobody wrote down, and is not in the sum. `spare` are turned cards that do not count there.
    """

    rules: Rules
    preset: str
    computed: Mapping[str, Any] | None = None
    stop: Stop | None = None
    error: EntryError | None = None
    turn_more: bool = False
    spare: tuple[int, ...] = ()

    @property
    def sentence(self) -> ZipaiError | None:
        """Why it cannot be."""
        return self.stop.error if self.stop is not None else self.error


class Named(NamedTuple):
    """Rules with the preset they come from; `preset` is empty where options were changed."""

    preset: str
    rules: Rules


def presets(seats: int) -> list[Named]:
    """The presets for a table of so many seats."""
    return [Named(name, rules.with_options({"seats": seats})) for name, rules in PRESETS.items()]


def beside(rules: Rules) -> list[Named]:
    """The presets with these rules' seats; before them the rules themselves if they are none."""
    found = presets(rules.seats)
    if any(one.rules == rules for one in found):
        return found
    return [Named("", rules), *found]


def record_under(record: Record, named: Named) -> Otherwise:
    """The record's deal and events under other rules, to the first that is not allowed there.

    醒 follow the other rules: cards that would not be turned are `spare`, and one that would is
    taken from the wall where the record knows it.
    """
    found = partial(Otherwise, named.rules, named.preset)
    if sum(1 for dealt in record.deal if dealt) != _playing(named.rules):
        return found(stop=Stop(0, None, _other_seats(record.rules.seats, named.rules.seats)))
    replayed = Replayed(record, named.rules)
    stop = replayed.stop
    spare: tuple[int, ...] = ()
    if stop is not None and stop.event is not None and stop.event.verb is Verb.XING:
        rest = record.events[stop.number - 1 :]
        spare = tuple(event.card for event in rest if event.card is not None)
        stop = None
    hand = replayed.last
    if stop is not None or hand is None:
        return found(stop=stop)
    while not hand.over and hand.result is not None:
        turns = [event for event in hand.legal() if event.verb is Verb.XING]
        if len(turns) != 1:
            break
        hand.do(turns[0])
    if hand.result is None:
        return found(stop=Stop(len(replayed) + 1, None, _unfinished()))
    return found(computed=hand.result.as_json(), turn_more=not hand.over, spare=spare)


def entry_under(
    evidence: str, payload: Mapping[str, object], dealer: int, named: Named
) -> Otherwise:
    """A slip or a result line (payload of `scoring.evidence`) under other rules.

    For a slip the turned cards are taken as far as those rules turn them; where the unit is 胡
    there is no 醒 (R8.5).
    """
    terms = Terms(named.rules, dealer)
    found = partial(Otherwise, named.rules, named.preset)
    written = {key: value for key, value in payload.items() if key != "claim"}
    if evidence == "result" and named.rules.unit == "hu":
        written["xing_count"] = 0
    try:
        return found(computed=count(evidence, written, terms).computed)
    except EntryError as error:
        if evidence != "slip" or error.field != "xing":
            return found(error=error)
        code = error.code
        refused = error
    turned = _parsed(written, "xing")
    if code == "out-of-turn":
        for kept in range(len(turned) - 1, -1, -1):
            shorter = {**written, "xing": cards.text(turned[:kept])}
            try:
                counted = count("slip", shorter, terms)
            except EntryError as error:
                refused = error
                continue
            return found(computed=counted.computed, spare=tuple(turned[kept:]))
    if code == "must-act":
        return found(computed=_without_more(written, turned, terms), turn_more=True)
    return found(error=refused)


def _without_more(
    payload: Mapping[str, object], turned: Sequence[int], terms: Terms
) -> dict[str, Any]:
    """The result of a slip that wins but lacks a turned card, with the 醒 known so far."""
    rules = terms.rules
    source = Source(SOURCE_NAMES.index(str(payload["source"])))
    melds = payload.get("table") or []
    table = tuple(read_meld(one, rules) for one in melds) if isinstance(melds, list) else ()
    hand = cards.pack(_parsed(payload, "hand"))
    card = next(iter(_parsed(payload, "card")), None)
    special = payload.get("special")
    if special in _SPECIALS:
        hu, grouped = count_special(hand, Special(str(special)))
    else:
        grouping = best(hand, table, card, source, rules)
        assert grouping is not None
        hu, grouped = grouping
    held = hand + cards.pack(c for meld in table for c in meld.cards)
    held += 0 if card is None else cards.UNIT[card]
    line = {key: payload.get(key) for key in ("source", "winner", "payer", "special", "dealer")}
    counted: Counted = count(
        "result", {**line, "hu": hu, "xing_count": count_xing(turned, held, rules)}, terms
    )
    assert counted.computed is not None
    return {
        **counted.computed,
        "card": None if card is None else cards.NAMES[card],
        "melds": [meld_json(meld) for meld in grouped],
        "xing_cards": cards.text(turned),
    }


def _parsed(payload: Mapping[str, object], field: str) -> list[int]:
    return cards.parse_many(str(payload.get(field) or ""))


def _playing(rules: Rules) -> int:
    return min(rules.seats, 3)


def _other_seats(had: int, want: int) -> ZipaiError:
    return ZipaiError(
        "deal-count",
        "R2.2",
        f"这副牌发给 {had} 人桌，{want} 人桌发法不同，不能照搬",
        f"this was dealt at a table of {had}; a table of {want} is dealt differently",
    )


def _unfinished() -> ZipaiError:
    return ZipaiError(
        "must-act",
        "R4.6",
        "牌谱到这里为止，还没有胡也没有荒",
        "the record ends here with neither 胡 nor 荒",
    )
