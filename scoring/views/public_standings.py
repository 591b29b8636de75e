"""The standings of an event for everyone: reasons, lines, what each still needs (C8.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core import bodies, known
from core.templatetags.look import signed
from scoring.bracket import ZONES, Urls
from scoring.finishes import Row, decimal, per_hand, spoken
from scoring.places import places_of
from scoring.prelim_shown import preliminary_context
from scoring.queries_standings import Watched, watched
from scoring.shown_games import counted_name
from scoring.standing_lines import cut_lines, needs_of, spoken_need
from scoring.views.public import event_of, scopes_of, urls_of
from scoring.zones import zones_of
from tournament.enums import Discipline, EntrantStatus
from tournament.finality import finality
from tournament.models import Competition, Event
from tournament.queries.public import GONE
from tournament.views.access import get_watched
from tournament.views.public import tabs


@dataclass(frozen=True)
class Filter:
    """Whose lines are shown: of one unit, of one zone, "" for all."""

    unit: str = ""
    zone: str = ""

    @property
    def query(self) -> str:
        """As the address carries it."""
        asked = {"unit": self.unit, "zone": self.zone}
        return urlencode({key: value for key, value in asked.items() if value})


@require_safe
def show_standings(request: HttpRequest, code: str, pk: int, part: str = "") -> HttpResponse:
    """The standings of an event; `?unit=` and `?zone=` show the lines of some.

    A unit or zone that nobody is of is not found, so that no more bodies are kept than there are
    units and zones.
    """
    shown = get_watched(request, code)
    seen = known.recall(f"standings:{shown.pk}:{pk}", lambda: _watched(shown, pk)) or Watched()
    chosen = Filter(request.GET.get("unit", ""), request.GET.get("zone", ""))
    if (chosen.unit and chosen.unit not in seen.units) or (
        chosen.zone and chosen.zone not in tuple(ZONES)
    ):
        raise Http404(chosen)

    def body(version: str) -> str:
        with timezone.override(shown.tz):
            context = _standings(shown, pk, chosen)
            live = reverse("standings_live", args=[code, pk])
            context |= {
                "version": version,
                "live_url": "" if part else f"{live}?{chosen.query}".rstrip("?"),
            }
            return render_to_string(f"public/standings.html{part}", context, request=request)

    name = f"standings:{shown.pk}:{pk}:{chosen.query}{part}"
    scopes = [*scopes_of(shown, pk), *seen.tables]
    return bodies.respond(request, name, scopes, body, over=shown.is_over)


def _watched(shown: Competition, pk: int) -> known.Found[Watched]:
    return known.Found(watched(Event(pk=pk, competition=shown)), scopes_of(shown, pk))


def _standings(shown: Competition, pk: int, chosen: Filter) -> dict[str, Any]:
    event, events = event_of(shown, pk)
    is_zipai = event.discipline == Discipline.ZIPAI
    places = places_of(shown, event)
    rounds, seats, found = places.rounds, places.seats, places.rows
    last, is_done = places.last, places.is_done
    zones = zones_of(seats)
    lines: list[dict[str, Any]] = []
    if found:
        needs = {} if is_done else needs_of(seats, places.nets, rounds)
        wanted = [row for row in found if _is_wanted(row, chosen, zones)]
        urls = urls_of(shown)
        for row, cut in zip(wanted, cut_lines(wanted, rounds, is_done=is_done), strict=True):
            title = rounds[row.seat.round].title
            line = _line(row, urls, title, is_done=is_done, is_zipai=is_zipai)
            one = needs.get(row.entrant)
            lines.append(
                line
                | {"need": spoken_need(one, rounds) if one else [], "cut": cut != "", "below": cut}
            )
    if chosen.zone and chosen.zone not in zones.values():
        raise Http404(chosen)
    return {
        "competition": shown,
        "event": event,
        "tabs": tabs(shown, events, f"standings:{pk}"),
        "tabs_label": shown.name,
        "is_done": is_done,
        "finality": finality(last.state, last, shown) if last else None,
        "is_drawn": bool(rounds),
        "preliminary": preliminary_context(event, urls_of(shown), mask=shown.mask_names)
        if places.has_preliminary
        else None,
        "chosen": chosen,
        "units": sorted({row.seat.unit for row in found if row.seat.unit}),
        "zones": sorted(set(zones.values()), key=ZONES.index) if found else [],
        "total": len(found),
        "is_zipai": is_zipai,
        "counted": counted_name(event),
        "records_url": reverse("event_records", args=[shown.code, pk]),
        "standings": {
            "caption": "",
            "columns": [_("到达"), _("净舵"), _("每局")]
            if is_zipai
            else [_("到达"), counted_name(event)],
            "rows": lines,
        }
        if found
        else None,
    }


def _is_wanted(row: Row, chosen: Filter, zones: dict[int, str]) -> bool:
    return chosen.unit in ("", row.seat.unit) and chosen.zone in ("", zones.get(row.entrant))


def _line(row: Row, urls: Urls, title: str, *, is_done: bool, is_zipai: bool) -> dict[str, Any]:
    standing, finish = row.standing, row.finish
    prize = standing.prize if is_done else None
    return {
        "place": str(standing.place or "–"),
        "tied": standing.shared,
        "prize": spoken(prize) if prize else "",
        "name": row.seat.name,
        "unit": row.seat.unit,
        "url": urls.entrant(row.entrant),
        "reason": row.reason,
        "note": _note(row.seat.status),
        "cells": [
            title,
            "" if standing.place is None else signed(finish.net),
            "" if standing.place is None else decimal(per_hand(finish)),
        ][: 3 if is_zipai else 2],
        "first": standing.place == 1,
    }


def _note(status: str) -> str:
    """A word where he has left."""
    return str(EntrantStatus(status).label) if status in GONE else ""
