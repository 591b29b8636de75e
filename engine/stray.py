"""How far a hand is from complete groups, at a glance: cards that lie in no group at all."""

from __future__ import annotations

from typing import Final

from engine import cards
from engine.cards import ONES, SIZE_MASK, UNIT

MOST_STRAY: Final = (2, 4)
"""The most stray cards with which a hand can wait for a card, without and with a quad: two that
make a group with the winning card, and two that are 将. (Where the winning card makes the first
quad, it goes with none of them.)"""

_RUN_STARTS: Final = sum(UNIT[c] for c in range(cards.KINDS) if c % 10 < 8)
_TWO_SEVEN_TEN: Final = tuple(sum(UNIT[first + r] for r in (1, 6, 9)) for first in (0, 10))


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


def _swap(packed: int) -> int:
    """The same ranks in the other size."""
    return packed >> 40 | (packed & SIZE_MASK) << 40
