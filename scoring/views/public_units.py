"""Units by their prizes over all events, for everyone (团体名次)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from core import bodies
from scoring.units_shown import units_shown
from scoring.views.public import urls_of
from tournament.queries.public import page_scopes
from tournament.views.access import get_watched
from tournament.views.public import tabs


@require_safe
def unit_ranking(request: HttpRequest, code: str, part: str = "") -> HttpResponse:
    """How many prizes each unit has, and who has won them. Events whose last round is confirmed
    count, provisionally until it is final."""
    shown = get_watched(request, code)
    events = list(shown.events.all())

    def body(version: str) -> str:
        with timezone.override(shown.tz):
            context = units_shown(shown, events, urls_of(shown)) | {
                "competition": shown,
                "tabs": tabs(shown, events, "units"),
                "tabs_label": shown.name,
                "version": version,
                "live_url": "" if part else reverse("unit_ranking_live", args=[code]),
            }
            return render_to_string(f"public/units.html{part}", context, request=request)

    scopes = page_scopes(shown, events)
    return bodies.respond(request, f"units:{shown.pk}{part}", scopes, body, over=shown.is_over)
