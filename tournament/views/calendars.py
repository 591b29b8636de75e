"""Calendar files of a competition and of an entrant. Nothing of the viewer in them."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from core import bodies
from tournament.exports import calendars
from tournament.models import Competition
from tournament.queries.public import entrants_shown, name_of, page_scopes, shown_name
from tournament.views.access import get_competition


@require_safe
def of_competition(request: HttpRequest, code: str) -> HttpResponse:
    """Published tables with their times, or the day."""
    shown, _acting = get_competition(request, code)

    def body(_version: str) -> str:
        return calendars.competition_calendar(shown, _urls(request, shown))

    return _file(request, shown, "", body)


@require_safe
def of_entrant(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """The same with his own tables and seats only."""
    shown, _acting = get_competition(request, code)

    def body(_version: str) -> str:
        for event in shown.events.all():
            found = entrants_shown(event).filter(pk=pk)
            for name, number in found.values_list(name_of(), "entry__number"):
                called = shown_name(name, number, mask=shown.mask_names)
                return calendars.entrant_calendar(shown, pk, called, _urls(request, shown))
        raise Http404(pk)

    return _file(request, shown, f"-{pk}", body)


def _file(
    request: HttpRequest, shown: Competition, which: str, body: Callable[[str], str]
) -> HttpResponse:
    """The addresses inside have the host, so each host has bodies of its own."""
    scopes = page_scopes(shown, shown.events.all())
    fragment = f"calendar:{shown.pk}{which}:{request.scheme}://{request.get_host()}"

    def in_zone(version: str) -> str:
        with timezone.override(shown.tz):
            return body(version)

    response = bodies.respond(request, fragment, scopes, in_zone)
    response["Content-Type"] = "text/calendar; charset=utf-8"
    response["Content-Disposition"] = f'attachment; filename="{shown.code}{which}.ics"'
    return response


def _urls(request: HttpRequest, shown: Competition) -> calendars.Urls:
    def url(table: int | None) -> str:
        path = reverse("table", args=[shown.code, table]) if table else shown.get_absolute_url()
        return request.build_absolute_uri(path)

    return url
