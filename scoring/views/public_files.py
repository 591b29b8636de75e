"""Files for everyone: the bracket as SVG, the records of confirmed tables, the archive when all
is over. Nothing of the viewer in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core import bodies, known
from scoring import queries_public as queries
from scoring.bracket import bracket
from scoring.exports.archive import archive, is_open_to_all
from scoring.exports.bracket_svg import bracket_svg
from scoring.exports.hands import as_jsonl, as_zpr
from scoring.views.public import event_of, scopes_of, urls_of
from tournament.models import Competition
from tournament.queries.public import page_scopes
from tournament.views.access import get_watched

KINDS: dict[str, tuple[Callable[[Competition], Iterator[str]], str]] = {
    "zpr": (as_zpr, "text/plain; charset=utf-8"),
    "jsonl": (as_jsonl, "application/x-ndjson; charset=utf-8"),
}


@require_safe
def show_svg(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """The bracket of an event to print or to put elsewhere; not found before the draw is out."""
    shown = get_watched(request, code)

    def body(_version: str) -> str:
        event, _events = event_of(shown, pk)
        rounds = [one for one in queries.all_round_rows(event) if not one.is_prelim]
        if not rounds:
            raise Http404(pk)
        seats = queries.seat_rows(queries.seats_of(event), mask=shown.mask_names)
        nets = queries.table_nets(queries.done(seats))
        drawn = bracket(rounds, seats, nets, urls_of(shown), _("对阵图"))
        with timezone.override(shown.tz):
            return bracket_svg(drawn, shown.name, f"{event.name} · {shown.starts_on:%Y-%m-%d}")

    response = bodies.respond(request, f"bracket_svg:{shown.pk}:{pk}", scopes_of(shown, pk), body)
    response["Content-Type"] = "image/svg+xml; charset=utf-8"
    return response


@require_safe
def hands_file(request: HttpRequest, code: str, kind: str) -> HttpResponse:
    """The records of confirmed tables, not found where there is none; nameless where names are
    masked."""
    shown = get_watched(request, code)
    written, content_type = KINDS[kind]

    def body(_version: str) -> str:
        text = "".join(written(shown))
        if not text:
            raise Http404(code)
        return text

    response = bodies.respond(request, f"hands:{shown.pk}:{kind}", _scopes(shown), body)
    response["Content-Type"] = content_type
    response["Content-Disposition"] = f'attachment; filename="{shown.code}.{kind}"'
    return response


@require_safe
def public_archive(request: HttpRequest, code: str) -> HttpResponse:
    """The archive without personal data, once the competition is over."""
    shown = get_watched(request, code)
    if not shown.is_over:
        raise Http404(code)
    data = known.recall(f"archive:{shown.pk}", lambda: _archive(shown))
    if data is None:
        raise Http404(code)
    response = HttpResponse(data, content_type="application/zip")
    response["Cache-Control"] = "no-cache"
    response["Content-Disposition"] = f'attachment; filename="{shown.code}-public.zip"'
    return response


def _archive(shown: Competition) -> known.Found[bytes] | None:
    competition = Competition.objects.get(pk=shown.pk)
    if not is_open_to_all(competition):
        return None
    return known.Found(archive(competition, is_full=False), _scopes(shown))


def _scopes(shown: Competition) -> list[str]:
    return page_scopes(shown, shown.events.all())
