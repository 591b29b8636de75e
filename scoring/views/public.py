"""Pages for everyone that show points: bracket, standings, an entrant. Nothing of the viewer."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core import bodies
from core.templatetags.look import signed
from engine.rules import PRESET_TITLES
from scoring import queries_public as queries
from scoring.bracket import Urls, bracket
from scoring.finishes import Row, decimal, per_hand, rows, spoken
from scoring.queries import find_table, read_board
from scoring.queries_rejudge import in_force
from scoring.ranking import Reason
from scoring.shown import ShownSheet
from tournament.acting import Acting
from tournament.domain.tables import DONE
from tournament.enums import EntrantStatus
from tournament.finality import finality
from tournament.forms.rules import spoken as speech
from tournament.models import Competition, Event
from tournament.models.play import SEAT_NAMES
from tournament.queries.announcements import announced
from tournament.queries.public import (
    EntrantRow,
    champion_of,
    entrants_shown,
    shown_name,
    starts_of,
)
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
    return [shown.scope, Event(pk=event_pk).scope]


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
    rounds = queries.round_rows(event)
    seats = queries.seat_rows(queries.seats_of(event), mask=shown.mask_names) if rounds else []
    nets = queries.table_nets(queries.done(seats)) if rounds else {}
    inked = next((seat for seat in seats if seat.entrant == chosen), None) if chosen else None
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
        "chosen": chosen,
        "inked_id": str(chosen) if chosen else None,
        "inked": inked.name if inked else "",
        "inked_url": urls_of(shown).entrant(chosen) if chosen else "",
    }


@require_safe
def show_standings(request: HttpRequest, code: str, pk: int, part: str = "") -> HttpResponse:
    """The standings of an event with their reasons and prizes."""
    shown = get_watched(request, code)

    def body(version: str) -> str:
        with timezone.override(shown.tz):
            context = _standings(shown, pk)
            live = _live(request, part, "standings_live", shown, pk)
            context |= {"version": version, "live_url": live}
            return render_to_string(f"public/standings.html{part}", context, request=request)

    name = f"standings:{shown.pk}:{pk}{part}"
    return bodies.respond(request, name, scopes_of(shown, pk), body, over=shown.is_over)


def _standings(shown: Competition, pk: int) -> dict[str, Any]:
    event, events = event_of(shown, pk)
    rounds = {one.number: one for one in queries.round_rows(event)}
    seats = queries.seat_rows(queries.seats_of(event), mask=shown.mask_names) if rounds else []
    last = rounds[max(rounds)] if rounds else None
    is_done = last is not None and last.state in DONE
    found: list[Row] = []
    if queries.done(seats):
        nets = queries.table_nets(queries.done(seats))
        by_number = queries.public_lots(event)
        people = {row.pk: row for row in _people(event)}
        lots = {
            key: by_number[row.number] for key, row in people.items() if row.number in by_number
        }
        reasons, ruling = _final_reasons(shown, seats) if is_done else ((), {})
        found = rows(seats, nets, lots, reasons, ruling)
    return {
        "competition": shown,
        "event": event,
        "tabs": tabs(shown, events, f"standings:{pk}"),
        "tabs_label": shown.name,
        "is_done": is_done,
        "finality": finality(last.state, last, shown) if last else None,
        "is_drawn": bool(rounds),
        "standings": {
            "caption": "",
            "columns": [_("到达"), _("净舵"), _("每局")],
            "rows": [
                _line(row, urls_of(shown), rounds[row.seat.round].title, people, is_done=is_done)
                for row in found
            ],
        }
        if found
        else None,
    }


def _people(event: Event) -> list[EntrantRow]:
    """Number and status of the event's entrants. One query."""
    found = entrants_shown(event).values_list("pk", "entry__number", "seed", "status")
    return [
        EntrantRow(pk, number, "", "", seed, EntrantStatus(status))
        for pk, number, seed, status in found
    ]


def _final_reasons(
    shown: Competition, seats: list[queries.SeatRow]
) -> tuple[tuple[Reason, ...], dict[int, str]]:
    """The final's reasons; or, where its places were ruled, the ruling by position."""
    table = find_table(shown, seats[-1].table, Acting())
    if table is None:
        return (), {}
    board = read_board(table)
    if board.ruled_places is None:
        return board.ranking.reasons, {}
    sheet_shown = ShownSheet(board, mask=shown.mask_names, urls={})
    why, computed = sheet_shown.places_ruled(), sheet_shown.computed_places()
    return (), {
        position: _("裁判长裁定，算得第 %(place)s 名：%(why)s")
        % {"place": computed[position], "why": why}
        if position in computed
        else _("裁判长裁定：%(why)s") % {"why": why}
        for position in board.ruled_places
    }


def _line(
    row: Row, urls: Urls, title: str, people: dict[int, EntrantRow], *, is_done: bool
) -> dict[str, Any]:
    standing, finish = row.standing, row.finish
    person = people.get(row.entrant)
    prize = standing.prize if is_done else None
    return {
        "place": str(standing.place or "–"),
        "tied": standing.shared,
        "prize": spoken(prize) if prize else "",
        "name": row.seat.name,
        "unit": row.seat.unit,
        "url": urls.entrant(row.entrant),
        "reason": row.reason,
        "note": person.note if person else "",
        "cells": [
            title,
            "" if standing.place is None else signed(finish.net),
            "" if standing.place is None else decimal(per_hand(finish)),
        ],
        "first": standing.place == 1,
        "cut": False,
    }


@require_safe
def show_entrant(request: HttpRequest, code: str, pk: int, part: str = "") -> HttpResponse:
    """An entrant's way: his tables, seats, results, and where he plays next."""
    shown = get_watched(request, code)
    events = list(shown.events.all())

    def body(version: str) -> str:
        with timezone.override(shown.tz):
            context = _entrant(shown, events, pk)
            context |= {
                "version": version,
                "live_url": "" if part else reverse("entrant_live", args=[code, pk]),
            }
            return render_to_string(f"public/entrant.html{part}", context, request=request)

    scopes = [shown.scope, *(event.scope for event in events)]
    return bodies.respond(
        request, f"entrant:{shown.pk}:{pk}{part}", scopes, body, over=shown.is_over
    )


def _entrant(shown: Competition, events: list[Event], pk: int) -> dict[str, Any]:
    for event in events:
        person = (
            entrants_shown(event)
            .filter(pk=pk)
            .values_list("entry__number", "entry__person__name", "entry__unit", "seed", "status")
            .first()
        )
        if person is not None:
            break
    else:
        raise Http404(pk)
    number, name, unit, seed, status = person
    row = EntrantRow(
        pk,
        number,
        shown_name(name, number, mask=shown.mask_names),
        unit,
        seed,
        EntrantStatus(status),
    )
    tables = queries.seats_of(event).filter(entrant_id=pk).values("table_id")
    seats = queries.seat_rows(
        queries.seats_of(event).filter(table__in=tables), mask=shown.mask_names
    )
    nets = queries.table_nets(queries.done(seats))
    titles = {one.number: one.title for one in queries.round_rows(event)}
    starts = starts_of(event)
    urls = urls_of(shown)
    steps = [
        {
            **_step(seat, seats, nets, urls, titles[seat.round]),
            "starts_at": starts.get(seat.round),
        }
        for seat in seats
        if seat.entrant == pk
    ]
    champion = champion_of(event, mask=shown.mask_names)
    return {
        "competition": shown,
        "event": event,
        "row": row,
        "status": "" if row.status == EntrantStatus.IN and not steps else str(row.status.label),
        "is_champion": champion is not None and champion.pk == pk,
        "tabs": tabs(shown, events, "entrants"),
        "tabs_label": shown.name,
        "steps": steps,
        "announcements": announced(shown, "entrants"),
        "next": next((step for step in reversed(steps) if not step["is_done"]), None),
        "is_drawn": bool(titles),
        "way_url": f"{reverse('bracket', args=[shown.code, event.pk])}?entrant={pk}#entrant-{pk}",
    }


def _step(
    seat: queries.SeatRow,
    seats: list[queries.SeatRow],
    nets: dict[int, queries.TableNet],
    urls: Urls,
    title: str,
) -> dict[str, Any]:
    net = nets.get(seat.table)
    return {
        "title": title,
        "table": _("第 %(n)d 桌") % {"n": seat.number},
        "url": urls.table(seat.table),
        "state": seat.state,
        "state_label": queries.state_word(seat.state),
        "seat": SEAT_NAMES[seat.position],
        "net": net.nets[seat.position] if net and seat.is_done else None,
        "was": net.was(seat.position) if net and seat.is_done else None,
        "place": seat.place if seat.is_done else None,
        "advances": bool(seat.advances) and seat.is_done,
        "is_done": seat.is_done,
        "sat_in_from": seat.sat_in_from,
        "others": [
            {
                "seat": SEAT_NAMES[other.position],
                "name": other.name or (_("陪打") if other.is_filler else _("待定")),
                "url": urls.entrant(other.entrant) if other.entrant else None,
                "filler": other.is_filler,
            }
            for other in seats
            if other.table == seat.table and other.position != seat.position
        ],
    }
