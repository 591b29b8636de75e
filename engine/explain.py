"""Every way to group a hand, and how far a hand is from a win (for slips and appeals)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine import cards
from engine.cards import UNIT
from engine.evaluate import Grouping, best, opening, split
from engine.melds import GROUPED, JIANG, PENG, QUADS, SAO, Kind, Meld, Source
from engine.rules import Rules

_SHAPES: tuple[tuple[tuple[int, Meld], ...], ...] = tuple(
    tuple((cards.pack(of), meld) for of, meld in GROUPED.items() if of[0] == c)
    for c in range(cards.KINDS)
)
"""By card: the groups of which it is the lowest card, packed, with their meld."""


class Placed(NamedTuple):
    """One way to use the winning card: the fixed melds and the packed free cards left."""

    fixed: tuple[Meld, ...]
    free: int


class Nearest(NamedTuple):
    """The grouping of a hand that leaves the fewest cards over, and of these the most 胡.

    `left` are the cards that fit nowhere, ascending; none are left where only the number of
    门子 or the minimum is missing.
    """

    hu: int
    melds: tuple[Meld, ...]
    left: tuple[int, ...]


def placements(
    hand: int, table: tuple[Meld, ...], card: int | None, source: Source, rules: Rules
) -> list[Placed]:
    """Every way R7.3 leaves to the winning card; one way where it is forced or there is none."""
    fixed, _, free, _ = split(hand, table)
    if card is None:
        return [Placed(fixed, free)]
    ways = []
    held = cards.count(hand, card)
    if held == 2:
        meld = SAO[card] if source is Source.OWN_FLIP else PENG[rules.peng_points][card]
        ways.append(Placed((*fixed, meld), free - 2 * UNIT[card]))
    change = opening(held, table, card, source, rules)
    if change is not None:
        before, after = change
        ways.append(Placed(tuple(after if m == before else m for m in fixed), free))
    forced = source is Source.OWN_FLIP and (
        held == 2 or (change is not None and change[1].kind is Kind.SAOCHUAN)
    )
    return ways if forced else [*ways, Placed(fixed, free + UNIT[card])]


def groupings(
    hand: int, table: tuple[Meld, ...], card: int | None, source: Source, rules: Rules
) -> list[Grouping]:
    """All complete groupings (R7.1–R7.3), the one that counts first, then by 胡 downwards.

    Arguments as for `evaluate.best`. Groupings that differ only in order count once.
    """
    counts = best(hand, table, card, source, rules)
    if counts is None:
        return []
    found = {tuple(sorted(counts.melds)): counts}
    for fixed, free in placements(hand, table, card, source, rules):
        quad = any(meld.kind in QUADS for meld in fixed)
        for melds in _fill(free, quad):
            way = (*fixed, *melds)
            found.setdefault(tuple(sorted(way)), Grouping(sum(meld.hu for meld in way), way))
    first, *others = found.values()
    return [first, *sorted(others, key=lambda way: -way.hu)]


def _fill(free: int, pair: bool) -> Iterator[tuple[Meld, ...]]:
    """Every way to group all the `free` cards, with one 将 where `pair`."""
    if not free:
        if not pair:
            yield ()
        return
    card = _lowest(free)
    for packed, meld in _SHAPES[card]:
        if _contains(free, packed):
            for rest in _fill(free - packed, pair):
                yield (meld, *rest)
    if pair and cards.count(free, card) >= 2:
        for rest in _fill(free - 2 * UNIT[card], False):
            yield (JIANG[card], *rest)


def nearest(
    hand: int, table: tuple[Meld, ...], card: int | None, source: Source, rules: Rules
) -> Nearest:
    """The grouping that comes closest to a win; arguments as for `evaluate.best`."""
    found: list[Nearest] = []
    for fixed, free in placements(hand, table, card, source, rules):
        quad = any(meld.kind in QUADS for meld in fixed)
        _, hu, melds = _most(free, quad, {})
        left = free - cards.pack(c for meld in melds for c in meld.cards)
        found.append(
            Nearest(
                hu + sum(meld.hu for meld in fixed), (*fixed, *melds), tuple(cards.unpack(left))
            )
        )
    return min(found, key=lambda way: (len(way.left), -way.hu))


_Most = tuple[int, int, tuple[Meld, ...]]


def _most(free: int, pair: bool, memo: dict[tuple[int, bool], _Most]) -> _Most:
    """Cards left over, 胡 and melds of the grouping that leaves the fewest over."""
    if not free:
        return 0, 0, ()
    known = memo.get((free, pair))
    if known is not None:
        return known
    card = _lowest(free)
    left, hu, melds = _most(free - UNIT[card], pair, memo)
    found = [(left + 1, hu, melds)]
    for packed, meld in _SHAPES[card]:
        if _contains(free, packed):
            left, hu, melds = _most(free - packed, pair, memo)
            found.append((left, hu + meld.hu, (meld, *melds)))
    if pair and cards.count(free, card) >= 2:
        left, hu, melds = _most(free - 2 * UNIT[card], False, memo)
        found.append((left, hu, (JIANG[card], *melds)))
    memo[free, pair] = least = min(found, key=lambda way: (way[0], -way[1]))
    return least


def _lowest(free: int) -> int:
    return ((free & -free).bit_length() - 1) // 4


def _contains(free: int, packed: int) -> bool:
    """Whether `free` has every card of `packed`: no four-bit count may run short."""
    return not ((free | cards.ONES * 8) - packed ^ cards.ONES * 8) & cards.ONES * 8
