"""All ways in which the cards of one size fall into complete runs, built once.

Keys are packed counts of one size (`cards.py`), at most three of one rank and two of the
others, since free cards are at most pairs and the winning card adds one.
"""

from __future__ import annotations

from typing import Final

from engine import cards
from engine.melds import GROUPED, JIANG, RUN_RANKS, Meld

FIVES: Final = cards.ONES * 5
EIGHTS: Final = cards.ONES * 8
"""`(hand + FIVES) & EIGHTS` marks every card held three or four times."""
SIZE_ONES: Final = cards.ONES & cards.SIZE_MASK
SIZE_TWOS: Final = SIZE_ONES * 2
SIZE_FIVES: Final = FIVES & cards.SIZE_MASK
SIZE_EIGHTS: Final = EIGHTS & cards.SIZE_MASK

Runs = tuple[int, tuple[Meld, ...]]


def _runs(first: int) -> dict[int, Runs]:
    """Packed counts → 胡 and melds, the most 胡; of equal ones the first found.

    `first` is the size's first card, 0 or 10.
    """
    table: dict[int, Runs] = {0: (0, ())}
    for ranks in RUN_RANKS:
        meld = GROUPED[tuple(first + r for r in ranks)]
        unit = cards.pack(ranks)
        for key, (hu, melds) in list(table.items()):
            for _ in range(cards.COPIES - 1):
                key, hu, melds = key + unit, hu + meld.hu, (*melds, meld)
                if _free(key) and (key not in table or table[key][0] < hu):
                    table[key] = hu, melds
    return table


def _free(key: int) -> bool:
    """Whether no rank is held four times and at most one three times."""
    triples = key + SIZE_FIVES & SIZE_EIGHTS
    fours = key + SIZE_ONES * 4 & SIZE_EIGHTS
    return not fours and not triples & triples - 1


SMALL_RUNS: Final = _runs(0)
BIG_RUNS: Final = _runs(10)

DA_BY_BIT: Final = {
    cards.UNIT[r] * 8: (
        cards.UNIT[r],
        cards.UNIT[r] * 2,
        cards.UNIT[r] * 3,
        (GROUPED[r, r, r + 10],),
        (GROUPED[r, r + 10, r + 10],),
    )
    for r in range(10)
}
"""A rank's mark in `SIZE_EIGHTS` → one, two, three of it, its 搭 with two small, with two big."""

SMALL_PAIR: Final = {cards.UNIT[r] * 2: (JIANG[r],) for r in range(10)}
BIG_PAIR: Final = {cards.UNIT[r] * 2: (JIANG[r + 10],) for r in range(10)}
"""A rank's pair, packed in its size → its 将."""
