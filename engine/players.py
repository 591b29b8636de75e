"""Players: one who does anything legal, and one who plays with some sense.

A player is a function of the hand, its legal events and a seeded `random.Random`; it returns one
of the events. It speaks for whichever seat is to act. The sensible one looks at nothing that the
acting seat could not know.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from engine import cards
from engine.cards import ONES, SIZE_MASK, UNIT
from engine.claims import chi_ways
from engine.events import Event, Verb
from engine.melds import CHI, PENG, Meld
from engine.state import State
from engine.waits import waits

Player: TypeAlias = Callable[[State, Sequence[Event], random.Random], Event]

NEARLY: Final = 4
"""With more stray cards than this a hand waits for nothing: two may go with the winning card, two
be 将."""

_RUN_STARTS: Final = sum(UNIT[c] for c in range(cards.KINDS) if c % 10 < 8)
_TWO_SEVEN_TEN: Final = tuple(sum(UNIT[first + r] for r in (1, 6, 9)) for first in (0, 10))
_NEIGHBOUR: Final = sum(UNIT[c] for c in range(cards.KINDS) if c % 10 < 9)

Score: TypeAlias = tuple[int, int, int]
"""How good a hand is: copies that may still come and win, stray cards (negative), 胡 and
half-made groups."""


def random_player(hand: State, events: Sequence[Event], rng: random.Random) -> Event:
    """Any legal event, all equally likely."""
    return rng.choice(events)


def sensible_player(hand: State, events: Sequence[Event], rng: random.Random) -> Event:
    """Wins where it can, opens, keeps a discard where allowed, claims what helps the hand, and
    discards so that most winning cards may still come, or else the fewest cards are stray."""
    first = events[0]
    if first.verb in (Verb.HU, Verb.KAIDUO) or len(events) == 1:
        return first
    if first.verb is Verb.PLAY:
        return _discard(hand, events, rng)
    if first.verb in (Verb.PENG, Verb.CHI):
        return _claim(hand, events)
    return rng.choice(events)


def _discard(hand: State, events: Sequence[Event], rng: random.Random) -> Event:
    seat = hand.turn
    if events[-1].verb is Verb.KEEP:
        return events[-1]
    held, table = hand.hands[seat], hand.tables[seat]
    scores = [_score(hand, seat, held - UNIT[e.card or 0], table) for e in events]
    most = max(scores)
    return rng.choice([e for e, score in zip(events, scores, strict=True) if score == most])


def _claim(hand: State, events: Sequence[Event]) -> Event:
    """The first claim, in the order of R6, that leaves its seat better off than before."""
    decline = next(e for e in events if e.verb in (Verb.FLIP, Verb.DRAW))
    best, best_score = decline, None
    for event in events:
        seat, card = event.seat, event.card
        if event.verb not in (Verb.PENG, Verb.CHI) or seat is None or card is None:
            break
        if best_score is None:
            now, best_score = seat, _score(hand, seat, hand.hands[seat], hand.tables[seat])
        elif seat != now:
            if best is not decline:
                break
            now, best_score = seat, _score(hand, seat, hand.hands[seat], hand.tables[seat])
        taken, laid = _take(hand, event, seat, card)
        held = hand.hands[seat] - taken
        table = hand.tables[seat] + laid
        score = max(
            _score(hand, seat, held - UNIT[c], table)
            for c in range(cards.KINDS)
            if hand.free[seat] - taken >> 4 * c & 15
        )
        if score > best_score:
            best, best_score = event, score
    return best


def _take(hand: State, event: Event, seat: int, card: int) -> tuple[int, tuple[Meld, ...]]:
    """What a 碰 or 吃 takes from the hand, packed, and the melds it lays."""
    if event.verb is Verb.PENG:
        return 2 * UNIT[card], (PENG[hand.rules.peng_points][card],)
    way = next(
        way
        for way in chi_ways(hand.free[seat], card)
        if way.pair == event.pair and way.bi == event.bi
    )
    shapes = (tuple(sorted((card, *way.pair))), *way.bi)
    return way.taken, tuple(CHI[shape] for shape in shapes)


def _score(hand: State, seat: int, held: int, table: tuple[Meld, ...]) -> Score:
    """How good these cards are for the seat; `held` is packed."""
    locked = (held >> 2 | held & held >> 1) & ONES
    free = held & ~(locked * 15)
    loose = stray(free)
    live = 0
    if loose <= NEARLY:
        least = hand.rules.min_hu
        for card, points in waits(held, table, hand.rules).items():
            if max(points) >= least:
                live += cards.COPIES - _seen(hand, held, card)
    return live, -loose, sum(meld.hu for meld in table) + links(free)


def _seen(hand: State, held: int, card: int) -> int:
    """Copies of the card that the seat holding `held` can see."""
    tables = [meld.cards for table in hand.tables for meld in table]
    piles = sum(pile.count(card) for pile in hand.piles)
    return cards.count(held, card) + piles + sum(of.count(card) for of in tables)


def stray(free: int) -> int:
    """How many of the packed unlocked cards lie in no complete group within the hand."""
    has = (free | free >> 1) & ONES
    twice = free >> 1 & ONES
    runs = has & has >> 4 & has >> 8 & _RUN_STARTS
    grouped = runs | runs << 4 | runs << 8
    for three in _TWO_SEVEN_TEN:
        if has & three == three:
            grouped |= three
    grouped |= twice & _swap(has) | has & _swap(twice)
    alone = has & ~grouped
    return alone.bit_count() + (alone & twice).bit_count()


def links(free: int) -> int:
    """How many half-made groups the packed unlocked cards have: pairs, neighbours, both sizes."""
    has = (free | free >> 1) & ONES
    return (
        2 * (free >> 1 & ONES).bit_count()
        + (has & has >> 4 & _NEIGHBOUR).bit_count()
        + (has & has >> 40).bit_count()
    )


def _swap(packed: int) -> int:
    """The same ranks in the other size."""
    return packed >> 40 | (packed & SIZE_MASK) << 40
