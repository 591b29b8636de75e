"""What is of 字牌 is a 局 with 舵; of another discipline a 盘 with 分 (C10)."""

from __future__ import annotations

from typing import TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

T = TypeVar("T")


def fitting(is_counted: bool, hand: T, game: T) -> T:
    """`hand` where the engine counts, `game` where the referee types who won."""
    return hand if is_counted else game


def numbered(number: int, *, is_counted: bool) -> str:
    """`第 3 局`, `第 3 盘`."""
    return fitting(is_counted, _("第 %(n)d 局"), _("第 %(n)d 盘")) % {"n": number}


def amount(points: int, *, is_counted: bool) -> str:
    """`2 舵`, `2 分`."""
    return fitting(
        is_counted,
        ngettext("%(n)d 舵", "%(n)d 舵", points),
        ngettext("%(n)d 分", "%(n)d 分", points),
    ) % {"n": points}
