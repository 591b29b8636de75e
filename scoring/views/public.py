"""The bracket for everyone, and what the pages with points share. Nothing of the viewer."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core import bodies
from engine.rules import PRESET_TITLES
from scoring import queries_public as queries
from scoring.bracket import Urls, anchor, bracket
from scoring.queries_rejudge import in_force
from tournament.enums import DONE
from tournament.finality import finality
from tournament.forms.rules import spoken as speech
from tournament.models import Competition, Event
from tournament.queries.public import page_scopes
from tournament.views.access import get_watched
from tournament.views.public import tabs


def urls_of(shown: Competition) -> Urls:
    """The addresses of a competition's entrants and tables."""
    return Urls(reverse("entrant", args=[shown.code, 0]), reverse("table", args=[shown.code, 0]))


def event_of(shown: Competition, pk: int) -> tuple[Event, list[Event]]:
    """An event and all of its competition. One query. Raises `Http404`."""
    events = list(shown.events.all())
    for event in events:
        if event.pk == pk:
            event.competition = shown
            return event, events
    raise Http404(pk)


def scopes_of(shown: Competition, event_pk: int) -> list[str]:
    """What a page of an event shows: people and everything that closes or starts a table."""
    return page_scopes(shown, [Event(pk=event_pk)])


@require_safe
def show_bracket(request: HttpRequest, code: str, pk: int, part: str = "") -> HttpResponse:
    """The bracket of an event; `?entrant=` inks an entrant's way."""
    shown = get_watched(request, code)
    asked = request.GET.get("entrant", "")
    chosen = int(asked) if asked.isdecimal() and len(asked) < 12 else None

    def body(version: str) -> str:
        with timezone.override(shown.tz):
            context = _bracket(shown, pk, chosen)
            context |= {
                "version": version,
                "live_url": _live(request, part, "bracket_live", shown, pk),
            }
            return render_to_string(f"public/bracket.html{part}", context, request=request)

    name = f"bracket:{shown.pk}:{pk}:{chosen or ''}{part}"
    return bodies.respond(request, name, scopes_of(shown, pk), body, over=shown.is_over)


def _live(request: HttpRequest, part: str, name: str, shown: Competition, pk: int) -> str:
    chosen = request.GET.get("entrant", "")
    query = f"?entrant={int(chosen)}" if chosen.isdecimal() else ""
    return "" if part else reverse(name, args=[shown.code, pk]) + query


def _bracket(shown: Competition, pk: int, chosen: int | None) -> dict[str, Any]:
    event, events = event_of(shown, pk)
    published = queries.all_round_rows(event)
    rounds = [one for one in published if not one.is_prelim]
    seats = queries.seat_rows(queries.seats_of(event), mask=shown.mask_names) if rounds else []
    nets = queries.table_nets(queries.done(seats)) if rounds else {}
    own = [seat for seat in seats if seat.entrant == chosen] if chosen else []
    inked = own[-1] if own else None
    if chosen and inked is None:
        raise Http404(chosen)
    return {
        "competition": shown,
        "event": event,
        "in_force": in_force(event),
        "rules_title": speech(PRESET_TITLES[event.preset]) if event.preset else "",
        "tabs": tabs(shown, events, f"bracket:{pk}"),
        "tabs_label": shown.name,
        "finality": finality(rounds[-1].state, rounds[-1], shown) if rounds else None,
        "last_title": rounds[-1].title if rounds else "",
        "bracket": bracket(rounds, seats, nets, urls_of(shown), _("对阵图")) if rounds else None,
        "fields": [
            one.number + 1
            for one in rounds
            if one.is_redrawn and one.state in DONE and not one.is_last
        ],
        "has_preliminary": len(rounds) < len(published),
        "chosen": chosen,
        "page_query": f"?entrant={chosen}" if chosen else "",
        "inked_id": str(chosen) if chosen else None,
        "inked": inked.name if inked else "",
        "inked_table": f"#{anchor(inked)}" if inked else "",
        "inked_label": _where(rounds, inked) if inked else "",
        "inked_url": urls_of(shown).entrant(chosen) if chosen else "",
    }


def _where(rounds: list[queries.RoundRow], seat: queries.SeatRow) -> str:
    """A seat's table in words: 第 2 轮 · 第 5 桌."""
    title = next(one.title for one in rounds if one.number == seat.round)
    return f"{title} · {_('第 %(n)d 桌') % {'n': seat.number}}"
