"""The screen in the hall: one page, and each part of it for polls. Nothing of the viewer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from core import bodies, known
from scoring.ceremony import ceremony
from scoring.screen import panels, running_tables
from tournament.domain.screen import settings_of
from tournament.enums import ScreenPart
from tournament.models import Competition, Event
from tournament.models.screen import SECONDS
from tournament.queries.public import page_scopes
from tournament.views.access import get_watched

ROTA = "rota"
"""The region that says what rotates, and holds the ceremony."""


@require_safe
def screen(request: HttpRequest, code: str) -> HttpResponse:
    """The whole page; `?only=standings` or `?only=tables,timer` for a screen of its own."""
    shown = get_watched(request, code)
    events = list(shown.events.all())
    asked = request.GET.get("only", "").split(",")
    only = [part for part in ScreenPart.values if part in asked]
    names = [ROTA, *(only or ScreenPart.values)]

    def page(version: str) -> str:
        regions = []
        for name in names:
            body = bodies.body(_key(shown, name), _scopes(shown, events, name), _part(shown, name))
            regions.append(
                {
                    "name": name,
                    "version": body.version,
                    "url": reverse("screen_part", args=[shown.code, name]),
                    "html": body.plain.decode(),
                }
            )
        context = {"competition": shown, "regions": regions, "only": ",".join(only)}
        return render_to_string("public/screen.html", context)

    scopes = sorted({scope for name in names for scope in _scopes(shown, events, name)})
    return bodies.respond(request, f"screen:{shown.pk}:{','.join(only)}", scopes, page)


@require_safe
def screen_part(request: HttpRequest, code: str, name: str) -> HttpResponse:
    """One part for a poll; `rota` says what rotates. It goes on after the event's end."""
    if name not in (ROTA, *ScreenPart.values):
        raise Http404(name)
    shown = get_watched(request, code)
    scopes = _scopes(shown, list(shown.events.all()), name)
    return bodies.respond(request, _key(shown, name), scopes, _part(shown, name))


def _key(shown: Competition, name: str) -> str:
    return f"screen:{shown.pk}#{name}"


def _part(shown: Competition, name: str) -> Callable[[str], str]:
    def render(version: str) -> str:
        with timezone.override(shown.tz):
            if name == ROTA:
                return render_to_string("public/screen_rota.html", _rota(shown))
            found = panels(ScreenPart(name), shown, list(shown.events.all()))
            return render_to_string("public/screen_part.html", {"panels": found, "part": name})

    return render


def _rota(shown: Competition) -> dict[str, Any]:
    """What rotates now; once the competition is over the standings alone."""
    settings = settings_of(shown)
    parts = settings.parts
    if shown.is_over:
        parts = {ScreenPart.STANDINGS.value: parts.get(ScreenPart.STANDINGS, SECONDS)}
    elif settings.pinned:
        parts = {settings.pinned: parts.get(settings.pinned, SECONDS)}
    order = [f"{name}:{parts[name]}" for name in ScreenPart.values if name in parts]
    return {"order": " ".join(order), "ceremony": ceremony(shown, settings)}


def _scopes(shown: Competition, events: Sequence[Event], name: str) -> list[str]:
    """What moves when a part may look different."""
    if name == ScreenPart.NOTICES:
        return [shown.scope]
    scopes = page_scopes(shown, events)
    if name == ROTA:
        scopes.append(shown.screen_scope)
    elif name == ScreenPart.MISSING:
        scopes.append(shown.desk_scope)
    elif name == ScreenPart.TABLES:
        found = known.recall(
            f"running:{shown.pk}", lambda: known.Found(running_tables(events), scopes[:])
        )
        scopes = [*scopes, *(found or [])]
    return scopes
