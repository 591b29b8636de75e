"""Whole hands played by machines, for tests, benchmarks and examples.

All chance comes from the `random.Random` passed in, so the same seed gives the same hands on
every machine.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from engine import cards
from engine.deal import DEALT, TWO_LONG, longs
from engine.play import Hand
from engine.players import Player, sensible_player
from engine.rules import Rules
from engine.settle import playing_seats


def shuffled_deal(
    rules: Rules, dealer: int, rng: random.Random
) -> tuple[dict[int, list[int]], list[int]]:
    """A deal as `Hand` takes it (cards sorted, the dealer's 亮张 last) and the whole wall (R2)."""
    deck = [card for card in range(cards.KINDS) for _ in range(cards.COPIES)]
    rng.shuffle(deck)
    playing = playing_seats(rules.seats, dealer)
    start = playing.index(dealer)
    deal = {}
    for seat in playing[start:] + playing[:start]:
        deal[seat] = sorted(deck[:DEALT])
        del deck[:DEALT]
    shown = [deck.pop(0)]
    for seat in deal:
        last = shown if seat == dealer else []
        if rules.two_long == "extra-card" and longs(cards.pack(deal[seat] + last)) == TWO_LONG:
            deal[seat] = sorted([*deal[seat], deck.pop(0)])
    deal[dealer] += shown
    return deal, deck


def play_hand(
    rules: Rules, rng: random.Random, player: Player = sensible_player, dealer: int = 0
) -> Hand:
    """A hand dealt and played to its end. Its `deal`, `wall` and `events` make the record."""
    hand = Hand(rules, dealer, *shuffled_deal(rules, dealer, rng))
    while hand.result is None or not hand.over:
        hand.do(player(hand, hand.legal(), rng))
    return hand


def play_hands(
    rules: Rules, count: int, rng: random.Random, player: Player = sensible_player
) -> Iterator[Hand]:
    """`count` hands one after the other, the first dealt by 甲, then as R9.5 says."""
    dealer = 0
    for _ in range(count):
        hand = play_hand(rules, rng, player, dealer)
        assert hand.result is not None
        dealer = hand.result.next_dealer
        yield hand
