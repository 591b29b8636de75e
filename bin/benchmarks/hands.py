"""Random hands for the benchmarks: winning hands with quads, table melds and every source."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from engine import cards
from engine.melds import CHI, GUOSAO, KAIDUO, PENG, SAO, SAOCHUAN, Meld, Source

GROUPS = tuple(CHI)
QUADS_DEALT = (0, 0, 0, 0, 0, 0, 1, 1, 1, 2)
ON_TABLE = (*PENG["colour"], *SAO, *GUOSAO)
QUADS_ON_TABLE = (*SAOCHUAN, *KAIDUO)


class Hand(NamedTuple):
    """A hand to count: packed cards, table melds, the winning card and where it comes from."""

    hand: int
    table: tuple[Meld, ...]
    card: int
    source: Source


def winning(rng: random.Random) -> Iterator[Hand]:
    """Endless complete hands under preset `competition`, whatever their 胡."""
    while True:
        hand = _winning(rng)
        if hand is not None:
            yield hand


def _winning(rng: random.Random) -> Hand | None:
    """One try: seven groups at random, None where the deck or R2.3 forbids them."""
    quads = rng.choice(QUADS_DEALT)
    threes = rng.choice((0, 0, 1, 1, 2, 3))
    table: list[Meld] = []
    locked: list[int] = []
    for _ in range(quads):
        if rng.random() < 0.5:
            table.append(rng.choice(QUADS_ON_TABLE))
        else:
            locked += [rng.randrange(cards.KINDS)] * 4
    for _ in range(threes):
        if rng.random() < 0.6:
            table.append(rng.choice(ON_TABLE))
        else:
            locked += [rng.randrange(cards.KINDS)] * 3
    free: list[int] = []
    pairs = 1 if quads else 0
    for _ in range(7 - quads - threes - pairs):
        group = rng.choice(GROUPS)
        if rng.random() < 0.25:
            table.append(CHI[group])
        else:
            free += group
    free += [rng.randrange(cards.KINDS)] * 2 * pairs
    if not free:
        return None
    card = free.pop(rng.randrange(len(free)))
    loose = Counter(free)
    all_cards = Counter([*free, *locked, card])
    for meld in table:
        all_cards.update(meld.cards)
    kept = Counter(locked)
    if max(all_cards.values()) > cards.COPIES or any(n > 2 or kept[c] for c, n in loose.items()):
        return None
    lying = any(meld.cards[0] == card == meld.cards[-1] for meld in table)
    forced = loose[card] == 2 or kept[card] or lying
    source = Source.DISCARD if forced else Source(rng.randrange(3))
    return Hand(cards.pack([*free, *locked]), tuple(table), card, source)


def waiting(rng: random.Random) -> Iterator[int]:
    """Endless packed hands of 20 cards, in turn one short of a win and dealt at random."""
    deck = [c for c in range(cards.KINDS) for _ in range(cards.COPIES)]
    for found in winning(rng):
        if not found.table and cards.size(found.hand) == 20:
            yield found.hand
            yield cards.pack(rng.sample(deck, 20))
