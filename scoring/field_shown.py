"""Who goes on to the next round of a redraw, and why, as pages and books show it (C8.4)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from scoring.bracket import Urls
from scoring.domain.next_field import LAST_LOT, Contender, NextField
from scoring.finishes import decimal
from scoring.standings import Across, TablePlace, across_steps
from tournament.models import Competition
from tournament.queries.public import shown_name


def behind_shown(
    shown: Competition, found: NextField, going: set[int], urls: Urls
) -> dict[str, Any] | None:
    """Those of the place that goes on in part, in order, each with what puts him there."""
    level = [one for one in found.behind if one.place == found.line]
    compared = [one.result for one in level if one.result is not None]
    steps: list[Across | None] = [*across_steps(compared), None]
    rows = []
    for index, one in enumerate(level):
        row = field_row(shown, one, going, urls)
        step = steps[index] if index < len(compared) - 1 else None
        if step is not None:
            row["reason"] = _reason(step, compared[index], compared[index + 1])
        rows.append(row | {"place": str(index + 1)})
    last = max((index for index, row in enumerate(rows) if row["goes"]), default=-1)
    if 0 <= last < len(rows) - 1:
        rows[last] |= {"cut": True, "below": _("以上晋级")}
    columns = [_("桌"), _("每局净舵"), _("每局胡牌"), _("每局点炮"), _("公开签")]
    return {"caption": "", "columns": columns, "rows": rows} if rows else None


def field_row(shown: Competition, one: Contender, going: set[int], urls: Urls) -> dict[str, Any]:
    """A contender as a line of a list or table; names as `shown` has them masked."""
    entrant, result = one.entrant, one.result
    return {
        "name": shown_name(entrant.name, entrant.number, mask=shown.mask_names),
        "unit": entrant.unit,
        "url": urls.entrant(entrant.pk),
        "table": one.table,
        "goes": entrant.pk in going,
        "note": _("晋级") if entrant.pk in going else "",
        "reason": "",
        "cells": [one.table, *_compared(result)],
    }


def _compared(result: TablePlace | None) -> list[str]:
    """What C8.4 compares, in its order."""
    if result is None:
        return ["–"] * len(Across)
    return [
        decimal(Fraction(result.net, result.hands)),
        _each(result.hands_won, result.hands),
        _each(result.discards, result.hands),
        str(result.lot) if result.lot is not None and result.lot < LAST_LOT else "–",
    ]


def _each(value: int | None, hands: int) -> str:
    return "–" if value is None else decimal(Fraction(value, hands)).lstrip("+")


def _reason(step: Across, upper: TablePlace, lower: TablePlace) -> str:
    words = {
        Across.NET: _("每局净舵 %(a)s 对 %(b)s"),
        Across.HANDS_WON: _("每局胡牌 %(a)s 对 %(b)s"),
        Across.DISCARDS: _("每局点炮 %(a)s 对 %(b)s"),
        Across.LOT: _("公开签 %(a)s 对 %(b)s"),
    }
    values = {
        Across.NET: lambda one: decimal(Fraction(one.net, one.hands)),
        Across.HANDS_WON: lambda one: _each(one.hands_won, one.hands),
        Across.DISCARDS: lambda one: _each(one.discards, one.hands),
        Across.LOT: lambda one: one.lot,
    }
    return words[step] % {"a": values[step](upper), "b": values[step](lower)}
