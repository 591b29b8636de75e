"""The demo's hands: simulated or from records, and as what a referee would enter for them.

A hand played to its end becomes a payload of `scoring.evidence` at any level (C6.1).
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

from engine import cards
from engine.events import SEATS, Event, Verb
from engine.files import read
from engine.melds import SOURCE_NAMES, Meld, Source
from engine.notation import Claim, Line, Ruling
from engine.play import Hand
from engine.record import Record, export
from engine.replay import VALID, record_of, replay
from engine.result import DRAW_KIND, Result
from engine.rules import Rules
from engine.settle import playing_seats
from engine.simulate import play_hand
from scoring.enums import Evidence

LAID_BY_FLIP = (Verb.SAO, Verb.GUOSAO, Verb.SAOCHUAN)
"""What a player lays with the card that he has flipped himself (R5)."""


class Hands:
    """The next hand for a table: one of the records while there are any, then a simulated one."""

    def __init__(self, preset: str, rng: random.Random, records: Iterable[Record] = ()) -> None:
        self.preset = preset
        self.rng = rng
        self._records = iter(records)

    def deal(self, rules: Rules, dealer: int) -> Hand:
        """A hand under `rules` that `dealer` (0 = 甲) deals, played to its end."""
        for record in self._records:
            if record.rules == rules:
                return played(turned(record, dealer - record.dealer))
        return play_hand(rules, self.rng, dealer=dealer)

    def deal_won(self, rules: Rules, dealer: int) -> Hand:
        """As `deal`, but one that a single player has won with more than one 舵."""
        while True:
            hand = self.deal(rules, dealer)
            result = result_of(hand)
            if len(result.winners) == 1 and result.total > 1:
                return hand


def read_records(folder: Path) -> list[Record]:
    """The valid hands of a folder's `*.zpr` files, in the order of their names.

    Hands that do not replay as valid are left out. Raises `OSError` where the folder cannot be
    read, `ZipaiError` for a file that is no text.
    """
    readings = [
        reading
        for path in sorted(folder.iterdir())
        if path.suffix == ".zpr"
        for reading in read(path.read_bytes())
    ]
    return [r.record for r in readings if r.record is not None and replay(r).status == VALID]


def turned(record: Record, by: int) -> Record:
    """The same hand with everybody moved on by `by` seats; needs a table without 坐醒."""
    count = record.rules.seats

    def move(seat: int) -> int:
        return (seat + by) % count

    def line(old: Line) -> Line:
        what: Event | Ruling | Claim = old.what
        if isinstance(what, Claim):
            what = what._replace(
                winners=tuple(sorted(map(move, what.winners))),
                deltas=tuple(sorted((move(seat), points) for seat, points in what.deltas)),
            )
        elif what.seat is not None:
            what = what._replace(seat=move(what.seat))
        return Line(what, old.note)

    back = [(seat - by) % count for seat in range(count)]
    return Record(
        rules_id=record.rules_id,
        rules=record.rules,
        dealer=move(record.dealer),
        deal=tuple(record.deal[seat] for seat in back),
        wall=record.wall,
        lines=tuple(map(line, record.lines)),
        claim=line(record.claim) if record.claim else None,
        headers=record.headers,
        players=tuple(record.players[seat] for seat in back),
    )


def played(record: Record) -> Hand:
    """The hand of a valid record after its last event. Raises `ZipaiError` for one that is not."""
    hand = _dealt(record.rules, record.dealer, record.deal, record.wall)
    for event in record.events:
        hand.do(event)
    return hand


def result_of(hand: Hand) -> Result:
    """The result of a hand that is over."""
    assert hand.result is not None
    return hand.result


def payload(hand: Hand, evidence: Evidence, preset: str) -> dict[str, object]:
    """What is entered for a finished hand at this level of evidence."""
    match evidence:
        case Evidence.TOTALS:
            return {"deltas": list(result_of(hand).deltas), "hands": 1}
        case Evidence.RESULT:
            return result_line(hand)
        case Evidence.SLIP:
            return slip(hand)
        case _:
            return {"text": export(record_of(hand, preset))}


def result_line(hand: Hand) -> dict[str, object]:
    """The 胡 and 醒 that the table says, without cards. One winner at most."""
    result = result_of(hand)
    if result.source is None:
        return {"dealer": SEATS[hand.dealer], "source": DRAW_KIND}
    return _who(hand, result, result.source) | {"hu": result.hu, "xing_count": result.xing}


def slip(hand: Hand) -> dict[str, object]:
    """The winner's cards as they lay before the winning card. One winner at most."""
    result = result_of(hand)
    if result.source is None:
        return result_line(hand)
    (winner,) = result.winners
    before = _before_win(hand, winner)
    return _who(hand, result, result.source) | {
        "hand": cards.text(cards.unpack(before.hands[winner])),
        "table": [_written(meld) for meld in before.tables[winner]],
        "card": None if result.source is Source.DEAL else cards.NAMES[result.card or 0],
        "xing": cards.text(result.xing_cards),
    }


def _who(hand: Hand, result: Result, source: Source) -> dict[str, object]:
    (winner,) = result.winners
    return {
        "dealer": SEATS[hand.dealer],
        "source": SOURCE_NAMES[source],
        "winner": SEATS[winner],
        "payer": None if result.payer is None else SEATS[result.payer],
        "special": None if result.special is None else str(result.special),
        "last_card": not hand.wall_left and not hand.turned and hand.rules.unit == "duo",
    }


def _before_win(hand: Hand, winner: int) -> Hand:
    """The hand just before the winning card went to the winner's cards."""
    index = next(
        i for i, event in enumerate(hand.events) if event.verb is Verb.HU and event.seat == winner
    )
    last = hand.events[index - 1] if index else None
    if last is not None and last.verb in LAID_BY_FLIP and last.seat == winner:
        index -= 1
    before = _dealt(hand.rules, hand.dealer, hand.deal, hand.wall)
    for event in hand.events[:index]:
        before.do(event)
    return before


def _dealt(
    rules: Rules, dealer: int, deal: tuple[tuple[int, ...], ...], wall: tuple[int, ...]
) -> Hand:
    seats = playing_seats(rules.seats, dealer)
    return Hand(rules, dealer, {seat: deal[seat] for seat in seats}, wall)


def _written(meld: Meld) -> str:
    same = len(set(meld.cards)) == 1
    return f"{meld.kind} {cards.NAMES[meld.cards[0]] if same else cards.text(meld.cards)}"
