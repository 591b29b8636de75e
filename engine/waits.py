"""What a hand waits for (R7.3, R7.7): every card that completes it, with its 胡 by source.

Instead of trying twenty cards, the search looks for what is one card short: after each choice
of 搭, one size must be complete and the other one card short of it, or one card of each
be short of a 搭, or a single short of 将.
"""

from __future__ import annotations

from typing import Final

from engine import cards
from engine.cards import ONES, SIZE_MASK, UNIT
from engine.evaluate import GROUPS, Choice, da_choices, opening, solve, split
from engine.melds import PENG, SAO, SOURCE_NAMES, Kind, Meld, Source
from engine.patterns import (
    BIG_RUNS,
    SIZE_EIGHTS,
    SIZE_FIVES,
    SIZE_ONES,
    SIZE_TWOS,
    SMALL_RUNS,
    Runs,
)
from engine.rules import Rules

Waits = dict[int, tuple[int, int, int]]
"""Card → 胡 of the best grouping by `Source` OWN_FLIP, FLIP, DISCARD; -1 where incomplete."""


def _one_short(table: dict[int, Runs], first: int) -> dict[int, tuple[tuple[int, int], ...]]:
    """Packed counts of one size → the (card, 胡) that complete them into a pattern of `table`."""
    short: dict[int, list[tuple[int, int]]] = {}
    for key, (hu, _) in table.items():
        for r in range(10):
            if key >> 4 * r & 15:
                short.setdefault(key - cards.UNIT[r], []).append((first + r, hu))
    return {key: tuple(ways) for key, ways in short.items()}


SMALL_SHORT: Final = _one_short(SMALL_RUNS, 0)
BIG_SHORT: Final = _one_short(BIG_RUNS, 10)
RANK: Final = {UNIT[r]: r for r in range(10)}
PAIR_RANK: Final = {UNIT[r] * 2: r for r in range(10)}


def waits(hand: int, table: tuple[Meld, ...], rules: Rules) -> Waits:
    """Every card, not all held already, that would complete the hand (R7.1–R7.3).

    `hand` is packed, without a winning card. The minimum is not looked at. The cards are
    ascending.
    """
    fixed, hu, free, quad = split(hand, table)
    lacking = GROUPS - len(fixed)
    free_cards = (free & ONES).bit_count() + 2 * (free >> 1 & ONES).bit_count()
    loose: dict[int, int] = {}
    triples: dict[int, int] = {}
    fourths: list[Meld] = []
    opened = None
    if free_cards == 3 * lacking - 1:
        fourths = [meld for meld in fixed if len(meld[1]) == 3 and meld[1][0] == meld[1][2]]
        if fourths:
            opened = solve(free, True)
        if not quad:
            for s, b, _ in _choices(free):
                _short(s, b, loose, triples)
    elif quad and free_cards == 3 * lacking - 2:
        for s, b, _ in _choices(free):
            _short_with_pair(s, b, loose, triples)
    candidates = loose.keys() | triples.keys()
    if opened is not None:
        candidates |= {meld[1][0] for meld in fourths}
    found: Waits = {}
    for card in sorted(candidates):
        held = hand >> 4 * card & 15
        lying = [meld for meld in table if card in meld[1]]
        if held + sum([meld[1].count(card) for meld in lying]) == cards.COPIES:
            continue
        alone = hu + loose[card] if card in loose else -1
        if held == 2:
            found[card] = _with_triple(card, hu, alone, triples.get(card, -1), rules)
        elif held == 3 or (held == 0 and lying):
            worth = None if opened is None else opened[0]
            found[card] = _with_fourth(held, table, card, hu, alone, worth, rules)
        else:
            found[card] = alone, alone, alone
    return found


def _choices(free: int) -> list[Choice]:
    small, big = free & SIZE_MASK, free >> 40
    return da_choices(small, big, small + big + SIZE_FIVES & SIZE_EIGHTS)


def listening(hand: int, table: tuple[Meld, ...], rules: Rules) -> bool:
    """听牌 (R7.7): some card would complete the hand with `min_hu`, from any source."""
    return any(max(points) >= rules.min_hu for points in waits(hand, table, rules).values())


def _with_triple(card: int, hu: int, alone: int, triple: int, rules: Rules) -> tuple[int, int, int]:
    """A card of which two are in hand: 扫 by one's own flip, 碰 or loose by another's card."""
    if triple < 0:
        return -1, alone, alone
    others = max(alone, hu + triple + PENG[rules.peng_points][card].hu)
    return hu + triple + SAO[card].hu, others, others


def _with_fourth(
    held: int,
    table: tuple[Meld, ...],
    card: int,
    hu: int,
    alone: int,
    worth: int | None,
    rules: Rules,
) -> tuple[int, int, int]:
    """A card that may come as the fourth; `worth` is the rest's 胡 when it makes the quad."""
    points = []
    for source in (Source.OWN_FLIP, Source.FLIP, Source.DISCARD):
        change = opening(held, table, card, source, rules)
        if change is None:
            points.append(alone)
            continue
        before, after = change
        quad = -1 if worth is None else hu - before.hu + after.hu + worth
        points.append(quad if after.kind is Kind.SAOCHUAN else max(quad, alone))
    return points[0], points[1], points[2]


def _short(s: int, b: int, loose: dict[int, int], triples: dict[int, int]) -> None:
    """Notes what completes `s` and `b`, packed small and big cards that lack one card.

    `loose` takes cards that go into a run or 搭, `triples` cards of a pair that become three;
    both with the most 胡 of the other groups.
    """
    short = s % 3
    if short == 2:
        if more := BIG_RUNS.get(b):
            _short_size(s, more[0], 0, loose, triples)
    elif short == 0:
        if more := SMALL_RUNS.get(s):
            _short_size(b, more[0], 10, loose, triples)
    else:
        both = (s | s >> 1) & (b | b >> 1) & SIZE_ONES
        while both:
            unit = both & -both
            both ^= unit
            if (runs := SMALL_RUNS.get(s - unit)) and (more := BIG_RUNS.get(b - unit)):
                hu = runs[0] + more[0]
                card = RANK[unit]
                for c in (card, card + 10):
                    if hu > loose.get(c, -1):
                        loose[c] = hu


def _short_size(
    key: int, hu: int, first: int, loose: dict[int, int], triples: dict[int, int]
) -> None:
    """The same for one size, `key`, whose first card is `first`; `hu` is the rest's."""
    runs, short = (BIG_RUNS, BIG_SHORT) if first else (SMALL_RUNS, SMALL_SHORT)
    for card, points in short.get(key, ()):
        if hu + points > loose.get(card, -1):
            loose[card] = hu + points
    pairs = key & SIZE_TWOS
    while pairs:
        pair = pairs & -pairs
        pairs ^= pair
        if more := runs.get(key - pair):
            card = PAIR_RANK[pair] + first
            points = hu + more[0]
            if points > triples.get(card, -1):
                triples[card] = points
            other = card + 10 - 2 * first
            if points > loose.get(other, -1):
                loose[other] = points


def _short_with_pair(s: int, b: int, loose: dict[int, int], triples: dict[int, int]) -> None:
    """The same where one pair is 将: it is there already, or it is what lacks a card."""
    _single(s, b, loose)
    pairs = s & SIZE_TWOS
    while pairs:
        pair = pairs & -pairs
        pairs ^= pair
        _short(s - pair, b, loose, triples)
    pairs = b & SIZE_TWOS
    while pairs:
        pair = pairs & -pairs
        pairs ^= pair
        _short(s, b - pair, loose, triples)


def _single(s: int, b: int, loose: dict[int, int]) -> None:
    """Notes the single cards that become 将, all else being complete."""
    short = s % 3
    if short == 1 and (more := BIG_RUNS.get(b)):
        key, runs, first, rest = s, SMALL_RUNS, 0, more[0]
    elif short == 0 and (more := SMALL_RUNS.get(s)):
        key, runs, first, rest = b, BIG_RUNS, 10, more[0]
    else:
        return
    singles = (key | key >> 1) & SIZE_ONES
    while singles:
        unit = singles & -singles
        singles ^= unit
        if left := runs.get(key - unit):
            card = RANK[unit] + first
            if rest + left[0] > loose.get(card, -1):
                loose[card] = rest + left[0]


Named = dict[str, dict[str, int | None]]
"""The waits by the names of cards and sources; None where a card does not complete the hand."""


def by_minimum(found: Waits, least: int) -> tuple[Named, Named]:
    """The cards that reach the minimum of `least` 胡, and those that complete the hand below it."""
    reached: Named = {}
    short: Named = {}
    for card, points in found.items():
        part = reached if max(points) >= least else short
        part[cards.NAMES[card]] = {
            name: hu if hu >= 0 else None for name, hu in zip(SOURCE_NAMES, points, strict=False)
        }
    return reached, short


def waits_json(found: Waits, least: int) -> dict[str, object]:
    """What `waits --json` answers (cli.md): `by_minimum` as `waits` and `short`."""
    reached, short = by_minimum(found, least)
    return {
        "status": "waits",
        "listening": bool(reached),
        "min_hu": least,
        "waits": reached,
        "short": short,
    }
