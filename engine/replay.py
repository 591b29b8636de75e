"""Strict replay of a record (notation.md, Strict replay): what it is worth, or where it fails."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from engine import files
from engine.claim_check import check_claim
from engine.diagnose import column_of, deal_faults, deck_faults, turned_faults, with_hint
from engine.errors import ZipaiError
from engine.events import Event
from engine.faults import Fault
from engine.notation import Claim, Line
from engine.play import Hand
from engine.reading import Reading
from engine.record import Pairs, Record, export
from engine.result import Result

VALID: Final = "valid"
UNFINISHED: Final = "unfinished"
INVALID: Final = "invalid"


@dataclass(frozen=True)
class Replay:
    """What replay found out about one hand of a file.

    `hand` counts from 1 in the file. `status` is `valid` (ended and legal), `unfinished` (legal so
    far) or `invalid`; `rules` the preset's id; `events` how many were replayed; `result` is there
    once the hand is over. `error` is the fault at which it stopped, `more` those found in the rest.
    """

    hand: int
    status: str
    rules: str | None
    events: int
    result: Result | None = None
    error: Fault | None = None
    more: tuple[Fault, ...] = ()

    def as_json(self, file: str) -> dict[str, object]:
        """The object that `replay --json` prints for the hand (cli.md)."""
        answer: dict[str, object] = {"file": file, "hand": self.hand, "status": self.status}
        if self.result is not None:
            answer |= {"rules": self.rules, **self.result.as_json()}
        elif self.error is None:
            answer |= {"rules": self.rules, "events": self.events}
        if self.error is not None:
            answer["error"] = self.error.as_json()
            answer["more"] = [fault.as_json() for fault in self.more]
        return answer


def replay_all(data: bytes | str) -> Iterator[Replay]:
    """Replays every hand of a file in either form.

    Raises `ZipaiError` for bytes that are no text, and nothing else whatever the bytes.
    """
    return map(replay, files.read(data))


def replay_record(record: Record) -> Replay:
    """Replays a record; lines and columns are those of its export form."""
    return next(replay_all(export(record)))


def record_of(
    hand: Hand, rules_id: str, headers: Pairs = (), players: tuple[str | None, ...] = ()
) -> Record:
    """The record of a hand as it was played so far, with the claim that its result makes.

    `rules_id` is the preset that the hand's rules are written as differences from.
    """
    claim = None if hand.result is None else Line(claim_of(hand.result))
    lines = tuple([Line(event) for event in hand.events])
    deal, wall = hand.deal, hand.wall
    return Record(rules_id, hand.rules, hand.dealer, deal, wall, lines, claim, headers, players)


def claim_of(result: Result) -> Claim:
    """What the `=` line says of this result."""
    drawn = result.source is None
    deltas = () if drawn else tuple(enumerate(result.deltas))
    hu, total = (None, None) if drawn else (result.hu, result.total)
    return Claim(tuple(sorted(result.winners)), drawn, hu, total, deltas)


def replay(reading: Reading) -> Replay:
    """Replays one hand strictly: never repairs, never guesses.

    Stops at the first fault; `more` holds the faults of reading and the `deck` faults after it.
    """
    record = reading.record
    if record is None:
        return _before(reading, deck_faults(reading))
    if reading.stop < reading.first_event():
        return _before(reading, deck_faults(reading))
    try:
        hand = Hand(record.rules, record.dealer, dict(enumerate(record.deal)), record.wall)
    except ZipaiError:
        return _before(reading, [*deal_faults(reading, record), *deck_faults(reading)])
    return _play(reading, record, hand)


def _before(reading: Reading, found: list[Fault]) -> Replay:
    """The answer where a fault stands before the first event."""
    late = turned_faults(reading, 0)
    return _invalid(reading, sorted([*reading.faults, *found, *late], key=_place))


def _play(reading: Reading, record: Record, hand: Hand) -> Replay:
    stop, do = reading.stop, hand.do
    readable = bisect_left(reading.numbers, stop)
    for i, (event, _) in enumerate(record.lines[:readable]):
        if isinstance(event, Event):
            try:
                do(event)
            except ZipaiError as error:
                number = reading.numbers[i]
                fault = _illegal(reading, hand, event, number, error)
                return _stopped(reading, hand, [fault, *reading.faults], number)
    if reading.faults:
        faults = [
            replace(fault, legal=tuple(hand.legal()))
            if fault.line == stop and fault.event is not None
            else fault
            for fault in reading.faults
        ]
        return _stopped(reading, hand, faults, stop)
    return _finish(reading, record, hand)


def _finish(reading: Reading, record: Record, hand: Hand) -> Replay:
    """The answer for a hand of legal events."""
    count = len(hand.events)
    result = hand.result
    if result is None or not hand.over:
        return Replay(reading.hand, UNFINISHED, record.rules_id, count)
    wrong = check_claim(record.claimed, result, reading) if record.claimed else None
    if wrong is None:
        return Replay(reading.hand, VALID, record.rules_id, count, result)
    (fault,) = reading.located([wrong])
    return Replay(reading.hand, INVALID, record.rules_id, count, result, fault)


def _illegal(reading: Reading, hand: Hand, event: Event, number: int, error: ZipaiError) -> Fault:
    raw = reading.raw(number)
    error = with_hint(error, hand, event)
    column = column_of(error.code, raw, event, hand)
    fault = Fault.of(error, number, column, len(hand.events) + 1, raw)
    return replace(fault, legal=tuple(hand.legal()))


def _stopped(reading: Reading, hand: Hand, faults: list[Fault], line: int) -> Replay:
    """The answer where events were applied up to a line."""
    found = sorted([*faults, *turned_faults(reading, line)], key=_place)
    return _invalid(reading, found, len(hand.events))


def _invalid(reading: Reading, faults: list[Fault], events: int = 0) -> Replay:
    error, *more = reading.located(faults)
    record = reading.record
    rules = record.rules_id if record else None
    return Replay(reading.hand, INVALID, rules, events, None, error, tuple(more))


def _place(fault: Fault) -> tuple[int, int]:
    return fault.line, fault.column
