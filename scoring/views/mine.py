"""Somebody's own tables: where he may protest, and what became of it (C7.3)."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring.models import Protest
from scoring.queries_verdicts import seats_of_entry
from scoring.views.referee.protest_rows import row
from tournament.acting import Acting
from tournament.enums import State
from tournament.models import Competition, Entry
from tournament.permissions import Action, Met, may
from tournament.views.registration import own


@own
@require_safe
def tables(
    request: HttpRequest, competition: Competition, acting: Acting, entry: Entry
) -> HttpResponse:
    """His tables, newest first, each with a way to protest and the protests he made there."""
    sat = seats_of_entry(entry, acting)
    made: dict[int, list[Protest]] = {}
    for one in (
        Protest.objects.filter(sheet__table__in=[seat.table_id for seat in sat])
        .select_related("sheet", "hand", "penalty", "author", "link")
        .order_by("pk")
    ):
        made.setdefault(one.sheet.table_id, []).append(one)
    context = {
        "competition": competition,
        "entry": entry,
        "tables": [_table(seat, made, competition, acting) for seat in sat],
    }
    return render(request, "public/mine_tables.html", context)


def _table(
    seat: Any, made: dict[int, list[Protest]], competition: Competition, acting: Acting
) -> dict[str, Any]:
    table = seat.table
    seats = sorted(table.seats.all(), key=lambda one: one.position)
    met = Met(
        state=State(table.state),
        table_id=table.pk,
        seated=frozenset(one.entrant_id for one in seats if one.entrant_id),
    )
    rows = [row(one, competition, acting, seats, met) for one in made.get(table.pk, [])]
    return {
        "seat": seat,
        "table": table,
        "can_protest": may(acting, Action.PROTEST, met),
        "protests": [one for one in rows if one["protest"].position == seat.position],
    }
