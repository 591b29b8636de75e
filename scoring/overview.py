"""The chief referee's overview: what waits, counted; the tables chosen and in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.queries_desk import DeskRound, DeskTable

Fits = Callable[[DeskTable, datetime], bool]

ONLY: dict[str, tuple[str | Promise, str, Fits]] = {
    "call": (pgettext_lazy("count", "呼叫裁判"), "bad", lambda line, now: line.call is not None),
    "flagged": (_("待裁"), "bad", lambda line, now: bool(line.flagged)),
    "protest": (pgettext_lazy("desk", "申诉"), "warn", lambda line, now: bool(line.protests)),
    "gap": (_("空位"), "bad", lambda line, now: line.has_gap),
    "alone": (_("没有对手"), "bad", lambda line, now: line.is_alone),
    "submitted": (_("等确认"), "warn", lambda line, now: line.is_submitted),
    "over": (_("到时未停"), "warn", lambda line, now: line.is_over(now)),
    "behind": (_("落后"), "warn", lambda line, now: line.is_slow),
    "missing": (_("缺人"), "warn", lambda line, now: bool(line.missing)),
    "extra": (_("加时"), "", lambda line, now: bool(line.extra) and line.has_time_now),
    "playing": (_("在打"), "", lambda line, now: line.is_playing),
}
"""What tables can be chosen by: word, kind of the sign, and which they are."""

SORTS: dict[str, tuple[str | Promise, Callable[[DeskTable], tuple[float, ...]]]] = {
    "table": (_("桌号"), lambda line: (line.table.number,)),
    "behind": (
        _("最慢在前"),
        lambda line: (not line.is_playing, line.played - line.planned, line.table.number),
    ),
    "left": (
        _("最先到点"),
        lambda line: (
            not line.has_time_now,
            line.ends_at.timestamp() if line.ends_at else 0,
            line.table.number,
        ),
    ),
}
"""How tables can be ordered."""


@dataclass(frozen=True)
class Tally:
    """How many tables fit one of `ONLY`."""

    key: str
    label: str
    kind: str
    count: int


def tally(rounds: Sequence[DeskRound], now: datetime) -> list[Tally]:
    """The counts of all that is not nothing, in the order of `ONLY`."""
    lines = [line for group in rounds for line in group.tables]
    counts = [
        Tally(key, str(label), kind, sum(fits(line, now) for line in lines))
        for key, (label, kind, fits) in ONLY.items()
    ]
    return [one for one in counts if one.count]


def chosen(rounds: Sequence[DeskRound], now: datetime, only: str, sort: str) -> list[DeskRound]:
    """The rounds with those of their tables that fit `only` ("" for all), sorted; what is not
    known counts for nothing. Rounds without any fitting table are left out."""
    fits: Fits = ONLY[only][2] if only in ONLY else lambda line, now: True
    order = SORTS[sort if sort in SORTS else "table"][1]
    found = [
        replace(
            group,
            tables=sorted((line for line in group.tables if fits(line, now)), key=order),
        )
        for group in rounds
    ]
    return [group for group in found if group.tables]
