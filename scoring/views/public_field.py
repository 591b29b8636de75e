"""Who goes on to the next round of a redraw, and why: for everyone (C3.2, C8.4)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core import bodies
from scoring.domain.next_field import LAST_LOT, Contender, NextField, next_field
from scoring.finishes import decimal
from scoring.standings import Across, TablePlace, across_steps
from scoring.views.public import event_of, scopes_of, urls_of
from tournament.domain.fields import going_from, is_redrawn
from tournament.domain.tables import DONE
from tournament.models import Competition, Round
from tournament.queries.public import shown_name
from tournament.views.access import get_watched
from tournament.views.public import tabs


@require_safe
def show_field(request: HttpRequest, code: str, pk: int, number: int) -> HttpResponse:
    """Who is in round `number`: there once the round before is confirmed as a whole."""
    shown = get_watched(request, code)

    def body(_version: str) -> str:
        with timezone.override(shown.tz):
            context = _field(shown, pk, number)
            return render_to_string("public/field.html", context, request=request)

    name = f"field:{shown.pk}:{pk}:{number}"
    return bodies.respond(request, name, scopes_of(shown, pk), body, over=shown.is_over)


def _field(shown: Competition, pk: int, number: int) -> dict[str, Any]:
    event, events = event_of(shown, pk)
    round_ = (
        Round.objects.filter(
            stage__event=event, stage__kind="knockout", number=number - 1, state__in=DONE
        )
        .select_related("stage__event")
        .first()
    )
    if round_ is None or not is_redrawn(round_):
        raise Http404(number)
    found = next_field(round_)
    going = set(going_from(round_))
    return {
        "competition": shown,
        "event": event,
        "tabs": tabs(shown, events, f"bracket:{pk}"),
        "tabs_label": shown.name,
        "before": round_,
        "number": number,
        "winners": [_row(shown, one, going) for one in found.winners],
        "behind": _behind(shown, found, going),
        "line": found.line,
        "extra": len(going) - sum(one.entrant.pk in going for one in found.winners),
        "left": len(going),
    }


def _behind(shown: Competition, found: NextField, going: set[int]) -> dict[str, Any] | None:
    """Those of the place that goes on in part, in order, each with what puts him there."""
    level = [one for one in found.behind if one.place == found.line]
    compared = [one.result for one in level if one.result is not None]
    steps: list[Across | None] = [*across_steps(compared), None]
    rows = []
    for index, one in enumerate(level):
        row = _row(shown, one, going)
        step = steps[index] if index < len(compared) - 1 else None
        if step is not None:
            row["reason"] = _reason(step, compared[index], compared[index + 1])
        rows.append(row | {"place": str(index + 1)})
    last = max((index for index, row in enumerate(rows) if row["goes"]), default=-1)
    if 0 <= last < len(rows) - 1:
        rows[last] |= {"cut": True, "below": _("以上晋级")}
    columns = [_("桌"), _("每局净舵"), _("每局胡牌"), _("每局点炮"), _("公开签")]
    return {"caption": "", "columns": columns, "rows": rows} if rows else None


def _row(shown: Competition, one: Contender, going: set[int]) -> dict[str, Any]:
    entrant, result = one.entrant, one.result
    return {
        "name": shown_name(entrant.name, entrant.number, mask=shown.mask_names),
        "unit": entrant.unit,
        "url": urls_of(shown).entrant(entrant.pk),
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
