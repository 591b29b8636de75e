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
from engine.cards import ONES, UNIT
from engine.claims import the_way
from engine.events import Event, Verb
from engine.melds import PENG, Meld
from engine.state import State
from engine.stray import MOST_STRAY, stray
from engine.waits import waits

Player: TypeAlias = Callable[[State, Sequence[Event], random.Random], Event]

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
    """The best claim of the first seat, in the order of R6, that it leaves better off."""
    claims = [e for e in events if e.verb in (Verb.PENG, Verb.CHI)]
    for seat in dict.fromkeys(e.seat for e in claims):
        assert seat is not None
        now = _score(hand, seat, hand.hands[seat], hand.tables[seat])
        own = [(_after(hand, seat, e), e) for e in claims if e.seat == seat]
        most, claim = max(own, key=lambda pair: pair[0])
        if most > now:
            return claim
    return next(e for e in events if e.verb in (Verb.FLIP, Verb.DRAW))


def _after(hand: State, seat: int, event: Event) -> Score:
    """How good the seat's cards are after a 碰 or 吃 and the best discard."""
    card = event.card
    assert card is not None
    taken, laid = _take(hand, event, seat, card)
    table = hand.tables[seat] + laid
    free = hand.free[seat] - taken
    return max(
        _score(hand, seat, hand.hands[seat] - taken - UNIT[c], table)
        for c in range(cards.KINDS)
        if cards.count(free, c)
    )


def _take(hand: State, event: Event, seat: int, card: int) -> tuple[int, tuple[Meld, ...]]:
    """What a 碰 or 吃 takes from the hand, packed, and the melds it lays."""
    if event.verb is Verb.PENG:
        return 2 * UNIT[card], (PENG[hand.rules.peng_points][card],)
    way = the_way(hand.free[seat], event)
    assert way is not None
    return way.taken, way.melds


def _score(hand: State, seat: int, held: int, table: tuple[Meld, ...]) -> Score:
    """How good these cards are for the seat; `held` is packed."""
    locked = (held >> 2 | held & held >> 1) & ONES
    free = held & ~(locked * 15)
    loose = stray(free)
    live = 0
    if loose <= MOST_STRAY[1]:
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


def links(free: int) -> int:
    """How many half-made groups the packed unlocked cards have: pairs, neighbours, both sizes."""
    has = (free | free >> 1) & ONES
    return (
        2 * (free >> 1 & ONES).bit_count()
        + (has & has >> 4 & _NEIGHBOUR).bit_count()
        + (has & has >> 40).bit_count()
    )
