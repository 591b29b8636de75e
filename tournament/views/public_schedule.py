"""The published schedule for everybody: by day and session, of an event, for an entrant."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from core import bodies
from tournament.models import Competition, Event
from tournament.queries.public import as_row, entrants_shown, page_scopes
from tournament.queries.public_schedule import schedule_shown
from tournament.views.access import get_watched
from tournament.views.public import tabs


@require_safe
def schedule(request: HttpRequest, code: str, part: str = "") -> HttpResponse:
    """The version that was published last. `?event=` and `?entrant=` choose from it; `part` is
    the polled region's name, else the whole page."""
    shown = get_watched(request, code)
    events = list(shown.events.all())
    event_id, entrant_id = _asked(request, "event"), _asked(request, "entrant")
    if event_id is not None and event_id not in {event.pk for event in events}:
        raise Http404(event_id)

    def body(version: str) -> str:
        with timezone.override(shown.tz):
            context = _context(shown, events, event_id, entrant_id)
            chosen = {"event": event_id, "entrant": entrant_id}
            query = urlencode({name: pk for name, pk in chosen.items() if pk is not None})
            live = reverse("schedule_live", args=[code])
            context |= {
                "version": version,
                "live_url": "" if part else f"{live}?{query}" if query else live,
            }
            return render_to_string(f"public/schedule.html{part}", context, request=request)

    scopes = page_scopes(shown, events)
    name = f"schedule:{shown.pk}:{event_id}:{entrant_id}{part}"
    return bodies.respond(request, name, scopes, body, over=shown.is_over)


def _asked(request: HttpRequest, name: str) -> int | None:
    text = request.GET.get(name, "")
    if not text:
        return None
    if not text.isdecimal() or len(text) > 15:
        raise Http404(text)
    return int(text)


def _context(
    shown: Competition, events: list[Event], event_id: int | None, entrant_id: int | None
) -> dict[str, Any]:
    entrant = None
    if entrant_id is not None:
        entrant = _entrant(shown, events, entrant_id)
    address = reverse("schedule", args=[shown.code])
    return {
        "competition": shown,
        "tabs": tabs(shown, events, "schedule"),
        "tabs_label": shown.name,
        "schedule": schedule_shown(shown, event_id=event_id, entrant_id=entrant_id),
        "several": len(events) > 1,
        "choices": [
            {"label": event.name, "url": f"{address}?event={event.pk}",
             "current": event.pk == event_id}
            for event in events
        ],
        "all_url": address,
        "is_all": event_id is None and entrant is None,
        "entrant": entrant,
    }  # fmt: skip


def _entrant(shown: Competition, events: list[Event], pk: int) -> Any:
    """The entrant's row as everybody may see it. Raises `Http404`."""
    columns = ("pk", "entry__number", "entry__person__name", "entry__unit", "seed", "status")
    for event in events:
        found = entrants_shown(event).filter(pk=pk).values_list(*columns).first()
        if found is not None:
            return as_row(found, mask=shown.mask_names)
    raise Http404(pk)
