"""A preliminary for everyone: how it stands, and who sits where in every round (C5, C8.3)."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from core import bodies
from scoring.domain.preliminary import standing_of
from scoring.prelim_shown import plan_seats, seating, standings_table
from scoring.views.public import event_of, scopes_of, urls_of
from tournament.domain.preliminary import preliminary_of
from tournament.models import Competition
from tournament.queries.public import OPEN_STATES
from tournament.views.access import get_watched
from tournament.views.public import tabs


@require_safe
def show_preliminary(request: HttpRequest, code: str, pk: int, part: str = "") -> HttpResponse:
    """The standings and the whole seating of an event's preliminary, once it is published."""
    shown = get_watched(request, code)

    def body(version: str) -> str:
        with timezone.override(shown.tz):
            context = _preliminary(shown, pk)
            live = reverse("preliminary_live", args=[code, pk])
            context |= {"version": version, "live_url": "" if part else live}
            return render_to_string(f"public/preliminary.html{part}", context, request=request)

    name = f"preliminary:{shown.pk}:{pk}{part}"
    return bodies.respond(request, name, scopes_of(shown, pk), body, over=shown.is_over)


def _preliminary(shown: Competition, pk: int) -> dict[str, Any]:
    event, events = event_of(shown, pk)
    stage = preliminary_of(event)
    if stage is None:
        raise Http404(pk)
    stage.event = event
    seats = plan_seats(stage, OPEN_STATES, mask=shown.mask_names)
    urls = urls_of(shown)
    standing = standing_of(stage) if seats else None
    return {
        "competition": shown,
        "event": event,
        "stage": stage,
        "tabs": tabs(shown, events, f"bracket:{pk}"),
        "tabs_label": shown.name,
        "seating": seating(seats, urls),
        "cut": standing.cut if standing else 0,
        "standings": standings_table(stage, standing, urls, mask=shown.mask_names)
        if standing
        else None,
    }
