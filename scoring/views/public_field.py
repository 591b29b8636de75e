"""Who goes on to the next round of a redraw, and why: for everyone (C3.2, C8.4)."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_safe

from core import bodies
from scoring.domain.next_field import next_field
from scoring.field_shown import behind_shown, field_row
from scoring.views.public import event_of, scopes_of, urls_of
from tournament.domain.fields import going_from, is_redrawn
from tournament.enums import DONE
from tournament.models import Competition, Round
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
    urls = urls_of(shown)
    return {
        "competition": shown,
        "event": event,
        "tabs": tabs(shown, events, f"bracket:{pk}"),
        "tabs_label": shown.name,
        "before": round_,
        "number": number,
        "winners": [field_row(shown, one, going, urls) for one in found.winners],
        "behind": behind_shown(shown, found, going, urls),
        "line": found.line,
        "extra": len(going) - sum(one.entrant.pk in going for one in found.winners),
        "left": len(going),
    }
