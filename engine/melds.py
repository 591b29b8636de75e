"""Melds (R3): what a group of cards is called and how many 胡 it is worth."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Final, NamedTuple

from engine import cards


class Source(IntEnum):
    """Where the winning or open card comes from, seen from who takes it."""

    OWN_FLIP = 0
    """自摸: flipped by himself."""
    FLIP = 1
    """Flipped by another."""
    DISCARD = 2
    """Discarded by another (点炮)."""
    DEAL = 3
    """No card: a win at the deal."""


SOURCE_NAMES: Final = ("own-flip", "flip", "discard", "deal")


class Kind(StrEnum):
    """The kinds of meld, by the character that names them."""

    KAN = "坎"
    SAO = "扫"
    GUOSAO = "过扫"
    LONG = "龙"
    SAOCHUAN = "扫穿"
    KAIDUO = "开舵"
    PENG = "碰"
    CHI = "吃"
    """A run, 二七十 or 搭子 that lies eaten."""
    SHUN = "顺"
    """A run or 二七十 grouped in hand."""
    DA = "搭"
    """A 搭子 grouped in hand."""
    JIANG = "将"
    """The pair that goes with a quad."""


QUADS: Final = frozenset((Kind.LONG, Kind.SAOCHUAN, Kind.KAIDUO))


class Meld(NamedTuple):
    """A group: its kind, its cards ascending, and its worth in 胡 (0…12)."""

    kind: Kind
    cards: tuple[int, ...]
    hu: int

    def __str__(self) -> str:
        return f"{self.kind} {cards.text(self.cards)}"


def _same(kind: Kind, copies: int, small: int, big: int) -> tuple[Meld, ...]:
    return tuple(
        Meld(kind, (c,) * copies, big if cards.is_big(c) else small) for c in range(cards.KINDS)
    )


KAN: Final = _same(Kind.KAN, 3, 3, 6)
SAO: Final = _same(Kind.SAO, 3, 3, 6)
GUOSAO: Final = _same(Kind.GUOSAO, 3, 3, 6)
LONG: Final = _same(Kind.LONG, 4, 9, 12)
SAOCHUAN: Final = _same(Kind.SAOCHUAN, 4, 9, 12)
KAIDUO: Final = _same(Kind.KAIDUO, 4, 6, 9)
JIANG: Final = _same(Kind.JIANG, 2, 0, 0)
PENG: Final = {
    "plain": _same(Kind.PENG, 3, 1, 3),
    "colour": tuple(
        Meld(Kind.PENG, (c,) * 3, (1, 3, 6)[(c in cards.RED) + cards.is_big(c)])
        for c in range(cards.KINDS)
    ),
}
"""碰 of each card, by the option `peng_points`."""

RUN_RANKS: Final = (*((r, r + 1, r + 2) for r in range(8)), (1, 6, 9))
"""The nine group shapes inside one size, as ranks from 0: eight runs and 二七十."""


def _eaten() -> dict[tuple[int, ...], tuple[Meld, Meld]]:
    table = {}
    for first in (0, 10):
        for ranks in RUN_RANKS:
            shape = tuple(first + r for r in ranks)
            hu = (6 if first else 3) if ranks in ((0, 1, 2), (1, 6, 9)) else 0
            table[shape] = (Meld(Kind.CHI, shape, hu), Meld(Kind.SHUN, shape, hu))
    for r in range(10):
        for shape in ((r, r, r + 10), (r, r + 10, r + 10)):
            table[shape] = (Meld(Kind.CHI, shape, 0), Meld(Kind.DA, shape, 0))
    return table


_EATEN: Final = _eaten()
CHI: Final = {shape: pair[0] for shape, pair in _EATEN.items()}
"""吃 by its cards, ascending: every group of three that can be eaten or laid as 比 (R5.1)."""
GROUPED: Final = {shape: pair[1] for shape, pair in _EATEN.items()}
"""顺 and 搭 by their cards, ascending: the same groups, in hand."""
