"""Statistics of play over many hands: how they were won, what the dealer has of it, how much 胡.

Pure: groups of hands in, whole numbers and fractions out; no floats.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from engine.result import DRAW_KIND
from engine.settle import playing_seats

MOST_BARS = 16


class Group(NamedTuple):
    """Hands of one number of seats, won in one way: how many, the 胡 and 醒 of all, how many the
    dealer won; the dealers' points in 舵 and of how many hands these are."""

    seats: int
    source: str
    special: str
    hands: int
    hu: int
    xing: int
    dealer_won: int
    dealer_net: int
    dealer_hands: int


@dataclass(frozen=True)
class Play:
    """How the hands went. `sources` and `specials` count hands by the engine's names.

    `mean_hu` in 胡 and `mean_xing` are of the `won` hands. `dealer_won` of them the dealer has
    won, `dealer_expected` is his share if all who play were alike; `dealer_mean` is what he has
    of a hand in 舵, of those counted in 舵 (None where there are none).
    """

    hands: int
    won: int
    drawn: int
    sources: Mapping[str, int]
    specials: Mapping[str, int]
    mean_hu: Fraction | None
    mean_xing: Fraction | None
    dealer_won: int
    dealer_expected: Fraction
    dealer_mean: Fraction | None


def play_of(groups: Iterable[Group]) -> Play:
    """All of it from the hands by how they were won."""
    sources: dict[str, int] = {}
    specials: dict[str, int] = {}
    hands = won = hu = xing = dealer_won = net = net_hands = 0
    expected = Fraction(0)
    for one in groups:
        hands += one.hands
        net += one.dealer_net
        net_hands += one.dealer_hands
        sources[one.source] = sources.get(one.source, 0) + one.hands
        if one.source == DRAW_KIND:
            continue
        won += one.hands
        hu += one.hu
        xing += one.xing
        dealer_won += one.dealer_won
        expected += Fraction(one.hands, len(playing_seats(one.seats, 0)))
        if one.special:
            specials[one.special] = specials.get(one.special, 0) + one.hands
    return Play(
        hands=hands,
        won=won,
        drawn=sources.get(DRAW_KIND, 0),
        sources=sources,
        specials=specials,
        mean_hu=Fraction(hu, won) if won else None,
        mean_xing=Fraction(xing, won) if won else None,
        dealer_won=dealer_won,
        dealer_expected=expected / won if won else Fraction(0),
        dealer_mean=Fraction(net, net_hands) if net_hands else None,
    )


def spread(counts: Mapping[int, int]) -> list[tuple[int, int, int]]:
    """`(from, to, hands)` in equal steps of 胡, `MOST_BARS` at most, none left out between."""
    if not counts:
        return []
    low, high = min(counts), max(counts)
    step = -(-(high - low + 1) // MOST_BARS)
    return [
        (start, start + step - 1, sum(counts.get(hu, 0) for hu in range(start, start + step)))
        for start in range(low, high + 1, step)
    ]
