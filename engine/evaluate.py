"""Counting a hand (R7): the best grouping, and what a hand waits for.

Hands are packed (`cards.py`). 坎 and 龙 leave the search first (R2.3); of what is left the
搭子 are chosen, and what remains of each size is looked up among the complete run patterns
(`patterns.py`). The mod-3 count of a size rejects most choices before the look-up.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engine import cards
from engine.cards import SIZE_MASK, UNIT
from engine.melds import KAIDUO, KAN, LONG, PENG, SAO, SAOCHUAN, Kind, Meld, Source
from engine.patterns import (
    BIG_PAIR,
    BIG_RUNS,
    DA_BY_BIT,
    EIGHTS,
    FIVES,
    SIZE_EIGHTS,
    SIZE_FIVES,
    SIZE_TWOS,
    SMALL_PAIR,
    SMALL_RUNS,
)
from engine.rules import Rules

GROUPS: Final = 7
"""门子 of a complete hand (R7.1)."""

Choice = tuple[int, int, tuple[Meld, ...]]
"""Small and big cards left, packed by size, and the 搭 taken from them."""

_LOCKED: Final = {UNIT[c] * 8: (KAN[c], LONG[c]) for c in range(cards.KINDS)}
_OWN_FLIP, _FLIP, _DISCARD = Source.OWN_FLIP, Source.FLIP, Source.DISCARD
_tuple: Final = tuple.__new__


class Grouping(NamedTuple):
    """A complete grouping: its 胡 and its seven melds.

    First the table as it lies, then 坎 and 龙 of the hand, then what the winning card took, then
    搭, 顺 and 将.
    """

    hu: int
    melds: tuple[Meld, ...]

    def completed_by(self, card: int, table: tuple[Meld, ...]) -> int:
        """Index of the meld that the winning `card` completed, `table` as before it."""
        for i, meld in enumerate(self.melds):
            if card in meld.cards and meld not in table and meld.kind not in (Kind.KAN, Kind.LONG):
                return i
        raise ValueError("the card completes none of these melds")


def best(
    hand: int, table: tuple[Meld, ...], card: int | None, source: Source, rules: Rules
) -> Grouping | None:
    """The complete grouping with the most 胡 (R7.4), or None where there is none.

    `hand` is packed and without the winning `card`; None stands for a hand complete as it is
    (天胡, and after 扫, 过扫 or 扫穿: R7.5). An own flip that is forced into 扫 or 扫穿 counts as
    taken so (R7.3). Equal groupings: an opened quad or a 碰 goes first, then the one with fewer
    搭. The minimum is not looked at: compare `hu` with `rules.min_hu`.
    """
    fixed, hu, free, quad = split(hand, table)
    if card is None:
        return finish(fixed, hu, free, quad)
    unit = UNIT[card]
    held = hand // unit & 15
    if held == 1:
        return finish(fixed, hu, free + unit, quad)
    taken = None
    if held == 2:
        own = source is _OWN_FLIP
        meld = SAO[card] if own else PENG[rules.peng_points][card]
        taken = finish((*fixed, meld), hu + meld.hu, free - 2 * unit, quad)
        if own:
            return taken
    elif held or table:
        change = opening(held, table, card, source, rules)
        if change is not None:
            before, after = change
            opened = tuple([after if m == before else m for m in fixed])
            taken = finish(opened, hu + after.hu - before.hu, free, True)
            if after.kind is Kind.SAOCHUAN:
                return taken
    loose = finish(fixed, hu, free + unit, quad)
    if taken is None or (loose is not None and loose.hu > taken.hu):
        return loose
    return taken


def opening(
    held: int, table: tuple[Meld, ...], card: int, source: Source, rules: Rules
) -> tuple[Meld, Meld] | None:
    """The meld to which `card` comes as the fourth, before and after (R5.5, R5.6), or None.

    `held` is the number of copies in hand. Before: 坎 in hand, or 扫, 过扫, 碰 on the table;
    after: 扫穿 or 开舵.
    """
    if held == 3:
        return KAN[card], (SAOCHUAN if source is _OWN_FLIP else KAIDUO)[card]
    for meld in table:
        kind, of, _ = meld
        if of[0] == card == of[2] and len(of) == 3:
            if kind is Kind.PENG:
                opens = source is _OWN_FLIP or (
                    source is _FLIP and rules.peng_opens_on == "any-flip"
                )
                return (meld, KAIDUO[card]) if opens else None
            if source is _OWN_FLIP:
                return meld, SAOCHUAN[card]
            opens = source is _FLIP or rules.sao_opens_on == "flip-or-discard"
            return (meld, KAIDUO[card]) if opens else None
    return None


def split(hand: int, table: tuple[Meld, ...]) -> tuple[tuple[Meld, ...], int, int, bool]:
    """The fixed melds, their 胡, the free cards, packed, and whether a quad is among the melds.

    Fixed are the melds on the table and the hand's 坎 and 龙, in this order (R2.3).
    """
    hu = 0
    quad = False
    for _, of, points in table:
        hu += points
        if len(of) == 4:
            quad = True
    locked = hand + FIVES & EIGHTS
    if not locked:
        return table, hu, hand, quad
    kept = []
    while locked:
        bit = locked & -locked
        locked ^= bit
        kan, long = _LOCKED[bit]
        if hand & bit >> 1:
            kept.append(long)
            hu += long[2]
            hand -= bit >> 1
            quad = True
        else:
            kept.append(kan)
            hu += kan[2]
            hand -= 3 * (bit >> 3)
    return (*table, *kept), hu, hand, quad


def finish(fixed: tuple[Meld, ...], hu: int, free: int, quad: bool) -> Grouping | None:
    """The best grouping of the `fixed` melds, worth `hu`, and the packed `free` cards, or None."""
    solved = solve(free, quad)
    if solved is None:
        return None
    melds = fixed + solved[1]
    if len(melds) != GROUPS:
        return None
    return _tuple(Grouping, (hu + solved[0], melds))


def solve(free: int, quad: bool) -> tuple[int, tuple[Meld, ...]] | None:
    """The packed `free` cards as 搭, runs and, with a quad, one pair: the most 胡 and the melds."""
    small, big = free & SIZE_MASK, free >> 40
    ranks = small + big + SIZE_FIVES & SIZE_EIGHTS
    if quad:
        return _with_pair(da_choices(small, big, ranks))
    if not ranks:
        if small % 3 or not (runs := SMALL_RUNS.get(small)) or not (more := BIG_RUNS.get(big)):
            return None
        return runs[0] + more[0], runs[1] + more[1]
    best_hu, best_melds = -1, None
    for s, b, da in da_choices(small, big, ranks):
        if s % 3 == 0 and (runs := SMALL_RUNS.get(s)) and (more := BIG_RUNS.get(b)):
            hu = runs[0] + more[0]
            if hu > best_hu:
                best_hu, best_melds = hu, da + runs[1] + more[1]
    return None if best_melds is None else (best_hu, best_melds)


def _with_pair(choices: list[Choice]) -> tuple[int, tuple[Meld, ...]] | None:
    best_hu, best_melds = -1, None
    for s, b, da in choices:
        short = s % 3
        if short == 2 and (more := BIG_RUNS.get(b)):
            pairs = s & SIZE_TWOS
            while pairs:
                pair = pairs & -pairs
                pairs ^= pair
                if (runs := SMALL_RUNS.get(s - pair)) and runs[0] + more[0] > best_hu:
                    best_hu = runs[0] + more[0]
                    best_melds = da + runs[1] + more[1] + SMALL_PAIR[pair]
        elif short == 0 and (runs := SMALL_RUNS.get(s)):
            pairs = b & SIZE_TWOS
            while pairs:
                pair = pairs & -pairs
                pairs ^= pair
                if (more := BIG_RUNS.get(b - pair)) and runs[0] + more[0] > best_hu:
                    best_hu = runs[0] + more[0]
                    best_melds = da + runs[1] + more[1] + BIG_PAIR[pair]
    return None if best_melds is None else (best_hu, best_melds)


def da_choices(small: int, big: int, ranks: int) -> list[Choice]:
    """Every choice of 搭: what is left of both sizes, and the 搭 chosen.

    `ranks` marks the ranks of which both sizes together hold three or more.
    """
    choices: list[Choice] = [(small, big, ())]
    while ranks:
        bit = ranks & -ranks
        ranks ^= bit
        unit, two, three, small_da, big_da = DA_BY_BIT[bit]
        if small & three and big & three:
            more = choices
            if small & two:
                more = more + [(s - two, b - unit, da + small_da) for s, b, da in choices]
            if big & two:
                more = more + [(s - unit, b - two, da + big_da) for s, b, da in choices]
            choices = more
    return choices
