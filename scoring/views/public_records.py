"""The records of an event for everyone: highest 胡, most 醒, longest hand … each with its table."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from core import bodies
from scoring import queries_public as queries
from scoring.bracket import Urls
from scoring.queries_statistics import hand_facts, sittings
from scoring.statistics import Best, Kind, records
from scoring.views.public import event_of, scopes_of, urls_of
from tournament.enums import Discipline, StageKind
from tournament.models import Competition, Event
from tournament.views.access import get_watched
from tournament.views.public import tabs

TITLES = {
    Kind.HU: gettext_lazy("最高的胡"),
    Kind.XING: gettext_lazy("最多的醒"),
    Kind.TOTAL: gettext_lazy("一局最多的舵"),
    Kind.EVENTS: gettext_lazy("最长的一局"),
    Kind.WON: gettext_lazy("一桌胡得最多"),
    Kind.NET: gettext_lazy("一桌净舵最多"),
    Kind.COMEBACK: gettext_lazy("最大的翻盘"),
}
MOST_SHOWN = 12
"""So many who hold the same record are named, the rest are counted."""


def valued(kind: Kind, value: int) -> str:
    """A record's value with its unit."""
    match kind:
        case Kind.HU:
            words = ngettext("%(n)d 胡", "%(n)d 胡", value)
        case Kind.XING:
            words = ngettext("%(n)d 醒", "%(n)d 醒", value)
        case Kind.TOTAL:
            words = ngettext("%(n)d 舵", "%(n)d 舵", value)
        case Kind.EVENTS:
            words = ngettext("%(n)d 手", "%(n)d 手", value)
        case Kind.WON:
            words = ngettext("%(n)d 局", "%(n)d 局", value)
        case Kind.NET:
            words = ngettext("净 +%(n)d 舵", "净 +%(n)d 舵", value)
        case Kind.COMEBACK:
            words = ngettext("落后 %(n)d 舵", "落后 %(n)d 舵", value)
    return words % {"n": value}


@require_safe
def show_records(request: HttpRequest, code: str, pk: int, part: str = "") -> HttpResponse:
    """The records of an event, from confirmed tables only."""
    shown = get_watched(request, code)

    def body(version: str) -> str:
        with timezone.override(shown.tz):
            live = reverse("event_records_live", args=[code, pk])
            context = _records(shown, pk)
            context |= {"version": version, "live_url": "" if part else live}
            return render_to_string(f"public/records.html{part}", context, request=request)

    name = f"records:{shown.pk}:{pk}{part}"
    return bodies.respond(request, name, scopes_of(shown, pk), body, over=shown.is_over)


def _records(shown: Competition, pk: int) -> dict[str, Any]:
    event, events = event_of(shown, pk)
    seats, titles = _played(shown, event)
    tables = queries.done(seats)
    held: dict[Kind, tuple[Best, ...]] = {}
    if tables and event.discipline == Discipline.ZIPAI:
        facts = hand_facts(seats, with_records=True)
        held = records(facts, sittings(seats, queries.table_nets(tables)))
    urls = urls_of(shown)
    people = {seat.entrant: seat for seat in seats if seat.entrant is not None}
    places = {seat.table: seat for seat in seats}
    return {
        "competition": shown,
        "event": event,
        "tabs": tabs(shown, events, f"standings:{pk}"),
        "tabs_label": shown.name,
        "tables": len(tables),
        "standings_url": reverse("standings", args=[shown.code, pk]),
        "records": [
            {
                "kind": kind.value,
                "title": TITLES[kind],
                "value": valued(kind, best[0].value),
                "held": [
                    _held(one, people, places[one.table], titles, urls)
                    | ({"replay": _replay(shown, one)} if kind == Kind.EVENTS else {})
                    for one in best[:MOST_SHOWN]
                ],
                "more": len(best) - MOST_SHOWN if len(best) > MOST_SHOWN else 0,
            }
            for kind, best in held.items()
        ],
    }


def _played(shown: Competition, event: Event) -> tuple[list[queries.SeatRow], dict[int, str]]:
    """The seats of preliminary and knock-out in this order, 加赛 tables aside, and the round's
    title of each table."""
    published = queries.all_round_rows(event)
    seats: list[queries.SeatRow] = []
    titles: dict[int, str] = {}
    for kind in (StageKind.PRELIM, StageKind.KNOCKOUT):
        is_prelim = kind == StageKind.PRELIM
        of_round = {one.number: one.title for one in published if one.is_prelim == is_prelim}
        if of_round:
            found = queries.seats_of(event, kind).filter(round__is_tie_break=False)
            rows = queries.seat_rows(found, mask=shown.mask_names)
            titles |= {seat.table: of_round[seat.round] for seat in rows}
            seats += rows
    return seats, titles


def _held(
    one: Best,
    people: dict[int, queries.SeatRow],
    table: queries.SeatRow,
    titles: dict[int, str],
    urls: Urls,
) -> dict[str, Any]:
    """A line: who, at which table of which round, by which hand."""
    url = urls.table(one.table)
    return {
        "people": [
            {"name": people[pk].name, "unit": people[pk].unit, "url": urls.entrant(pk)}
            for pk in one.entrants
        ],
        "where": f"{titles[table.table]} · {_('第 %(n)d 桌') % {'n': table.number}}",
        "hand": _("第 %(n)d 局") % {"n": one.hand} if one.hand else "",
        "url": f"{url}#hand-{one.hand}" if one.hand else url,
    }


def _replay(shown: Competition, one: Best) -> str:
    """The page on which a recorded hand can be played again."""
    return reverse("replay", args=[shown.code, one.table, one.hand])
