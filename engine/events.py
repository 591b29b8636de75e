"""What can happen in a hand (notation.md, Events): verbs and events as frozen values."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from engine import cards

SEATS: Final = "甲乙丙丁"
"""Seats 0…3 in playing order."""


class Verb(StrEnum):
    """The verbs of a record, by the character that stands in its canonical line."""

    PLAY = "打"
    FLIP = "摸"
    CHI = "吃"
    PENG = "碰"
    SAO = "扫"
    GUOSAO = "过扫"
    SAOCHUAN = "扫穿"
    KAIDUO = "开舵"
    KEEP = "留"
    HU = "胡"
    DRAW = "荒"
    XING = "醒"
    PASS = "过"


class Special(StrEnum):
    """The wins that count as special (R7.6)."""

    TIANHU = "天胡"
    DIHU = "地胡"
    SANLONG = "三笼"
    WUKAN = "五坎"


class Event(NamedTuple):
    """One event.

    `seat` is 0…3, None for 荒 and 醒; `card` 0…19, None for 留, 荒, 过 and a bare 胡; `pair` the
    two hand cards of a 吃, ascending; `bi` its 比, each three cards ascending, the groups sorted.
    `str()` is the canonical line of notation.md.
    """

    verb: Verb
    seat: int | None = None
    card: int | None = None
    pair: tuple[int, ...] = ()
    bi: tuple[tuple[int, ...], ...] = ()

    def __str__(self) -> str:
        words = [] if self.seat is None else [SEATS[self.seat]]
        words.append(self.verb)
        if self.card is not None:
            words.append(cards.NAMES[self.card])
        if self.pair:
            words.append(cards.text(self.pair))
        words.extend([cards.text(group) for group in self.bi])
        return " ".join(words)
