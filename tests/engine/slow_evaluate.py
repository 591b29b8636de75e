"""The oracle of evaluation: every grouping of a hand by plain recursion, from rules.md alone.

Slow and short on purpose, and without `engine.evaluate`. A hand is a list of cards 0…19, a
table a list of `(kind, cards)` such as `("碰", (7, 7, 7))`, a source one of `own-flip`, `flip`,
`discard`, `deal`. A grouping is the sorted tuple of its groups, each again `(kind, cards)`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from engine.rules import Rules

Group = tuple[str, tuple[int, ...]]
Free = tuple[int, ...]

QUADS = ("龙", "扫穿", "开舵")
RED_RANKS = (2, 7, 10)
RUNS = [(r, r + 1, r + 2) for r in range(1, 9)] + [(2, 7, 10)]
WORTHY_RUNS = ((1, 2, 3), (2, 7, 10))
RULES_BY_PENG = {points: Rules(peng_points=points) for points in ("colour", "plain")}


def group_hu(group: Group, rules: Rules) -> int:
    """R3: what a group is worth, 0…12 胡."""
    kind, cards = group
    big = cards[0] >= 10
    ranks = tuple(card % 10 + 1 for card in cards)
    if kind in ("坎", "扫", "过扫"):
        return 6 if big else 3
    if kind in ("龙", "扫穿"):
        return 12 if big else 9
    if kind == "开舵":
        return 9 if big else 6
    if kind == "碰":
        if rules.peng_points == "colour" and ranks[0] in RED_RANKS:
            return 6 if big else 3
        return 3 if big else 1
    one_size = big == (cards[-1] >= 10)
    if kind in ("吃", "顺") and one_size and ranks in WORTHY_RUNS:
        return 6 if big else 3
    return 0


def total_hu(grouping: tuple[Group, ...], rules: Rules) -> int:
    """The 胡 of all the groups."""
    return sum(group_hu(group, rules) for group in grouping)


def slow_groupings(
    hand_cards: list[int],
    table: list[Group],
    card: int | None,
    source: str,
    rules: Rules,
) -> set[tuple[Group, ...]]:
    """R7.1–R7.3: all complete groupings of hand, table and winning card (None: as it stands).

    `card` is not in `hand_cards`. An own flip that forces 扫 or 扫穿 is counted as taken so.
    """
    found = set()
    for fixed, free, triple in _placements(hand_cards, table, card, source, rules):
        pairs = 1 if any(kind in QUADS for kind, _ in fixed) else 0
        for rest in _ways(free, pairs, triple):
            if len(fixed) + len(rest) == 7:
                found.add(tuple(sorted([*fixed, *rest])))
    return found


def slow_best(
    hand_cards: list[int],
    table: list[Group],
    card: int | None,
    source: str,
    rules: Rules,
) -> int | None:
    """R7.4: the most 胡 of all complete groupings, None where there is none (`min_hu` unasked).

    The maximum over `slow_groupings`, without listing them.
    """
    best = None
    for fixed, free, triple in _placements(hand_cards, table, card, source, rules):
        pairs = 1 if any(kind in QUADS for kind, _ in fixed) else 0
        cards_left = 3 * (7 - len(fixed)) - pairs
        if sum(free) != cards_left:
            continue
        most = _most(free, pairs, triple, rules.peng_points)
        if most is not None:
            hu = total_hu(tuple(fixed), rules) + most
            best = hu if best is None else max(best, hu)
    return best


def slow_listening(hand_cards: list[int], table: list[Group], rules: Rules) -> bool:
    """R7.7 听牌: a card of which he holds fewer than four completes the hand with `min_hu`."""
    held = Counter(hand_cards)
    for _, cards in table:
        held.update(cards)
    for card in range(20):
        if held[card] < 4:
            for source in ("own-flip", "flip", "discard"):
                hu = slow_best(hand_cards, table, card, source, rules)
                if hu is not None and hu >= rules.min_hu:
                    return True
    return False


def _placements(
    hand_cards: list[int],
    table: list[Group],
    card: int | None,
    source: str,
    rules: Rules,
) -> Iterator[tuple[list[Group], Free, int | None]]:
    """R2.3, R7.3: what is fixed, what is free, and which card may stand as a 碰 of three.

    One for each place the winning card can take as a fourth card, and one with the card free.
    """
    counts = Counter(hand_cards)
    fixed = [(kind, tuple(cards)) for kind, cards in table]
    free = Counter[int]()
    for held, copies in counts.items():
        if copies == 3:
            fixed.append(("坎", (held,) * 3))
        elif copies == 4:
            fixed.append(("龙", (held,) * 4))
        else:
            free[held] = copies
    if card is None:
        yield fixed, _tuple(free), None
        return

    three = (card,) * 3
    own_three = [(kind, three) for kind in ("坎", "扫", "过扫") if (kind, three) in fixed]
    own_peng = [("碰", three)] if ("碰", three) in fixed else []
    if source == "own-flip":
        if counts[card] == 2:
            free[card] = 0
            yield [*fixed, ("扫", three)], _tuple(free), None
            return
        if own_three:
            yield _replaced(fixed, own_three[0], ("扫穿", (card,) * 4)), _tuple(free), None
            return

    opened = []
    on_discards = rules.sao_opens_on == "flip-or-discard"
    if source == "flip" or on_discards or ("坎", three) in own_three:
        opened += own_three
    if source == "own-flip" or (source == "flip" and rules.peng_opens_on == "any-flip"):
        opened += own_peng
    for group in opened:
        yield _replaced(fixed, group, ("开舵", (card,) * 4)), _tuple(free), None

    free[card] += 1
    yield fixed, _tuple(free), card


def _replaced(groups: list[Group], old: Group, new: Group) -> list[Group]:
    return [new if group == old else group for group in groups]


def _tuple(counts: Counter[int]) -> Free:
    return tuple([counts.get(card, 0) for card in range(20)])


def _first_groups(free: Free, pairs: int, triple: int | None) -> Iterator[tuple[Group, Free]]:
    """Every group that the lowest free card can belong to, with what is left.

    `pairs` 1: a 将 is still to be made. `triple`: the winning card, three of which are a 碰.
    """
    first = next(card for card in range(20) if free[card])
    rank = first % 10 + 1
    candidates: list[Group] = [
        ("顺", tuple(first - rank + r for r in run)) for run in RUNS if run[0] == rank
    ]
    if pairs:
        candidates.append(("将", (first, first)))
    if first == triple:
        candidates.append(("碰", (first, first, first)))
    if first < 10:
        candidates.append(("搭", (first, first, first + 10)))
        candidates.append(("搭", (first, first + 10, first + 10)))
    for kind, cards in candidates:
        need = Counter(cards)
        if all(free[card] >= copies for card, copies in need.items()):
            yield (kind, cards), tuple([n - need.get(card, 0) for card, n in enumerate(free)])


@lru_cache(maxsize=1 << 14)
def _ways(free: Free, pairs: int, triple: int | None) -> frozenset[tuple[Group, ...]]:
    """All ways to group the free cards with exactly `pairs` 将."""
    if not any(free):
        return frozenset() if pairs else frozenset({()})
    found = set()
    for group, left in _first_groups(free, pairs, triple):
        for rest in _ways(left, pairs - (group[0] == "将"), triple):
            found.add(tuple(sorted([group, *rest])))
    return frozenset(found)


@lru_cache(maxsize=1 << 18)
def _most(free: Free, pairs: int, triple: int | None, peng_points: str) -> int | None:
    """The most 胡 of all ways to group the free cards with exactly `pairs` 将."""
    if not any(free):
        return None if pairs else 0
    best = None
    rules = RULES_BY_PENG[peng_points]
    for group, left in _first_groups(free, pairs, triple):
        most = _most(left, pairs - (group[0] == "将"), triple, peng_points)
        if most is not None:
            hu = group_hu(group, rules) + most
            best = hu if best is None else max(best, hu)
    return best
