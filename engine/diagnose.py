"""Where exactly in a record a fault of the game lies, and what may have been meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from engine import cards
from engine.deal import check_count
from engine.errors import ZipaiError
from engine.events import SEATS, Event, Verb
from engine.faults import Fault, ReadError
from engine.melds import CHI
from engine.notation import event_tokens
from engine.play import Hand
from engine.reading import Reading
from engine.record import HEAD, Record
from engine.settle import playing_seats
from engine.tokens import Token, dissect, read_cards

_ON_VERB: Final = frozenset(("no-win", "hu-too-low", "wall-empty", "wall-left", "no-discard-left"))
_ON_CARD: Final = frozenset(
    (
        "wall-mismatch",
        "deck",
        "stale",
        "bi-missing",
        "not-in-hand",
        "locked",
        "not-a-meld",
        "syntax",
    )
)
_TURNS: Final = (Verb.FLIP, Verb.XING)


def column_of(code: str, raw: str, event: Event, hand: Hand) -> int:
    """The column (from 1) of the word or card of an event's line that a fault is about."""
    tokens = event_tokens(raw)
    verb = 0 if event.seat is None else 1
    if code in _ON_VERB:
        return tokens[verb].column
    if code not in _ON_CARD or len(tokens) <= verb + 1:
        return tokens[0].column
    if event.verb is Verb.CHI:
        return _chi_column(code, tokens[2:], event, hand)
    return tokens[verb + 1].column


def _chi_column(code: str, tokens: list[Token], event: Event, hand: Hand) -> int:
    taken, *groups = tokens
    assert event.seat is not None
    if code == "not-in-hand":
        return _first_missing(groups, hand.hands[event.seat])
    if code == "locked":
        return _first_missing(groups, hand.free[event.seat])
    if code == "not-a-meld":
        return next(g.column for i, g in enumerate(groups) if not _is_chi(g, i == 0, event.card))
    return taken.column


def _first_missing(groups: list[Token], held: int) -> int:
    """The column of the first card of the groups that the packed cards do not hold."""
    found = [pair for group in groups for pair in read_cards(group)]
    used = [card for card, _ in found]
    return next(
        column
        for i, (card, column) in enumerate(found)
        if used[: i + 1].count(card) > cards.count(held, card)
    )


def _is_chi(group: Token, is_pair: bool, eaten: int | None) -> bool:
    """Whether the pair with the eaten card, or a 比, is a meld that holds that card."""
    assert eaten is not None
    found = [card for card, _ in read_cards(group)]
    shape = tuple(sorted([*found, eaten] if is_pair else found))
    return shape in CHI and eaten in shape


def with_hint(error: ZipaiError, hand: Hand, event: Event) -> ZipaiError:
    """The error, saying so where the event would be legal with one card in the other size."""
    for other in _other_sizes(event):
        if hand.can(other):
            zh = f"{error.zh}；是不是大小弄错了？“{other}”是合法的"
            en = f"{error.en}; the wrong size? “{other}” would be legal"
            return ZipaiError(error.code, error.rule, zh, en)
    return error


def _other_sizes(event: Event) -> Iterator[Event]:
    """The event with one of its cards in the other size, each in turn."""
    if event.card is not None:
        yield event._replace(card=cards.other_size(event.card))
    for pair in _each_other(event.pair):
        yield event._replace(pair=pair)
    for i, group in enumerate(event.bi):
        for other in _each_other(group):
            bi = (*event.bi[:i], other, *event.bi[i + 1 :])
            yield event._replace(bi=tuple(sorted(bi)))


def _each_other(group: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for i, card in enumerate(group):
        yield tuple(sorted((*group[:i], cards.other_size(card), *group[i + 1 :])))


def deal_faults(reading: Reading, record: Record) -> list[Fault]:
    """A `deal-count` fault for every seat that has too many or too few cards, or none."""
    found = []
    playing = playing_seats(record.rules.seats, record.dealer)
    for seat, hand in enumerate(record.deal):
        if seat not in playing and not hand:
            continue
        try:
            check_count(record.rules, seat, seat == record.dealer, seat in playing, hand)
        except ZipaiError as error:
            line = reading.places.get(f"发 {SEATS[seat]}")
            at = line or reading.places[HEAD]
            raw = reading.raw(at)
            column = dissect(raw).tokens[2].column if line else 1
            found.append(Fault.of(error, at, column, None, raw))
    return found


def deck_faults(reading: Reading) -> list[Fault]:
    """A `deck` fault at the fifth copy of every card that 发 and 墩 have too many of."""
    seen = _dealt(reading)
    if max(seen.values(), default=0) <= cards.COPIES:
        return []
    found = []
    seen.clear()
    labels = [*(f"发 {seat}" for seat in SEATS), "墩"]
    lines = sorted(reading.places[label] for label in labels if label in reading.places)
    for line in lines:
        raw = reading.raw(line)
        tokens = dissect(raw).tokens
        groups = tokens[1:] if tokens[0].text in ("墩", "wall") else tokens[2:]
        for card, column in [pair for token in groups for pair in read_cards(token)]:
            seen[card] += 1
            if seen[card] == cards.COPIES + 1:
                found.append(Fault.of(_fifth(card, column), line, column, None, raw))
    return found


def turned_faults(reading: Reading, after: int) -> list[Fault]:
    """A `deck` fault at every event beyond the line `after` that turns the fifth of a card.

    Of the known wall and the cards turned, the larger number of copies counts: a card turned
    stood in the wall, as far as the wall is known.
    """
    dealt, wall = Counter(_dealt(reading)), Counter(reading.wall)
    dealt.subtract(wall)
    found = []
    turned: Counter[int] = Counter()
    before = 0
    for line, number in zip(reading.lines, reading.numbers, strict=True):
        event = line.what
        if not isinstance(event, Event):
            continue
        before += 1
        card = event.card
        if event.verb not in _TURNS or card is None:
            continue
        turned[card] += 1
        fifth = turned[card] > wall[card] and dealt[card] + turned[card] == cards.COPIES + 1
        if fifth and number > after:
            raw = reading.raw(number)
            column = event_tokens(raw)[-1].column
            event_number = reading.event_number(number, before - 1)
            fault = Fault.of(_fifth(card, column), number, column, event_number, raw)
            found.append(fault)
    return found


def _dealt(reading: Reading) -> Counter[int]:
    """How many copies of each card 发 and 墩 hold."""
    seen = Counter(reading.wall)
    for hand in reading.deal.values():
        seen.update(hand)
    return seen


def _fifth(card: int, column: int) -> ReadError:
    name = cards.NAMES[card]
    zh, en = (
        f"这是第五张{name}，一副牌里只有四张 (R1)",
        f"this is a fifth {name}; the deck has four (R1)",
    )
    return ReadError("deck", "R1", zh, en, column)
