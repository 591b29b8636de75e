"""An entrant for everyone: his way, where he plays next, his numbers."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core import bodies, known
from scoring import queries_public as queries
from scoring.bracket import Urls
from scoring.entrant_numbers import shown_numbers
from scoring.queries_standings import running_tables
from scoring.queries_statistics import hand_facts, sittings
from scoring.standing_lines import needs_of, running, spoken_need
from scoring.views.public import urls_of
from tournament.enums import Discipline, EntrantStatus, StageKind
from tournament.models import Competition, Event
from tournament.models.play import SEAT_NAMES, spot_name
from tournament.queries.announcements import announced
from tournament.queries.public import (
    EntrantRow,
    champion_of,
    entrants_shown,
    name_of,
    page_scopes,
    shown_name,
    starts_of,
    unit_of,
)
from tournament.views.access import get_watched
from tournament.views.public import tabs


@require_safe
def show_entrant(request: HttpRequest, code: str, pk: int, part: str = "") -> HttpResponse:
    """An entrant's way: his tables, seats, results, where he plays next; his numbers."""
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

    scopes = page_scopes(shown, events)
    key = f"entrant:{shown.pk}:{pk}"
    scopes += known.recall(key, lambda: known.Found(running_tables(pk), tuple(scopes))) or ()
    return bodies.respond(
        request, f"entrant:{shown.pk}:{pk}{part}", scopes, body, over=shown.is_over
    )


def _entrant(shown: Competition, events: list[Event], pk: int) -> dict[str, Any]:
    for event in events:
        person = (
            entrants_shown(event)
            .filter(pk=pk)
            .values_list("entry__number", name_of(), unit_of(), "seed", "status")
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
    done = queries.done(seats)
    nets = queries.table_nets(done | running(seats))
    published = queries.all_round_rows(event)
    rounds = {one.number: one for one in published if not one.is_prelim}
    prelim = {one.number: one.title for one in published if one.is_prelim}
    titles = {number: one.title for number, one in rounds.items()}
    need = needs_of(seats, nets, rounds).get(pk)
    starts = starts_of(event)
    urls = urls_of(shown)
    steps = [
        {
            **_step(seat, seats, nets, urls, titles[seat.round]),
            "starts_at": seat.begins or starts.get(seat.round),
        }
        for seat in seats
        if seat.entrant == pk
    ]
    before = _prelim_steps(event, pk, prelim, urls, mask=shown.mask_names) if prelim else []
    is_zipai = event.discipline == Discipline.ZIPAI
    facts = hand_facts(seats, with_records=False) if done and is_zipai else []
    own = {seat.table: seat for seat in seats if seat.entrant == pk}
    mine = [one for one in sittings(seats, nets) if one.entrant == pk]
    champion = champion_of(event, mask=shown.mask_names)
    return {
        "competition": shown,
        "event": event,
        "row": row,
        "status": ""
        if row.status == EntrantStatus.IN and not before + steps
        else str(row.status.label),
        "is_champion": champion is not None and champion.pk == pk,
        "tabs": tabs(shown, events, "entrants"),
        "tabs_label": shown.name,
        "steps": before + steps,
        "announcements": announced(shown, "entrants"),
        "next": next((step for step in [*before, *steps[::-1]] if not step["is_done"]), None),
        "need": spoken_need(need, rounds) if need else [],
        "numbers": shown_numbers(facts, mine, own, titles, urls),
        "records_url": reverse("event_records", args=[shown.code, event.pk]),
        "is_drawn": bool(published),
        "way_url": f"{reverse('bracket', args=[shown.code, event.pk])}?entrant={pk}#entrant-{pk}"
        if steps
        else reverse("preliminary", args=[shown.code, event.pk]),
        "is_in_bracket": bool(steps),
    }


def _prelim_steps(
    event: Event, pk: int, titles: dict[int, str], urls: Urls, *, mask: bool
) -> list[dict[str, Any]]:
    """His tables in the preliminary. Three queries."""
    of_stage = queries.seats_of(event, StageKind.PRELIM)
    tables = of_stage.filter(entrant_id=pk).values("table_id")
    seats = queries.seat_rows(of_stage.filter(table__in=tables), mask=mask)
    nets = queries.table_nets(queries.done(seats))
    return [
        {**_step(seat, seats, nets, urls, titles[seat.round]), "starts_at": seat.begins}
        for seat in seats
        if seat.entrant == pk
    ]


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
        "spot": spot_name(seat.hall, seat.spot),
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
                "name": other.who,
                "url": urls.entrant(other.entrant) if other.entrant else None,
                "filler": other.is_filler,
            }
            for other in seats
            if other.table == seat.table and other.position != seat.position
        ],
    }
