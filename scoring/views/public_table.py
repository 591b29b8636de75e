"""A table for everyone: seats, ledger, each hand explained, records to download (C6)."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core import bodies, known
from engine.files import parse
from engine.record import export
from scoring import queries_public as queries
from scoring.bracket import Urls
from scoring.domain.board import Board
from scoring.enums import Evidence
from scoring.models import HandVersion
from scoring.nameless import nameless
from scoring.queries import find_table, protests_of, read_board
from scoring.shown import ShownSheet
from scoring.shown_games import event_word
from scoring.shown_verdicts import penalties, public_protests
from scoring.views.public import urls_of
from tournament.acting import Acting
from tournament.finality import finality
from tournament.models import Competition, Table
from tournament.models.play import SEAT_NAMES
from tournament.queries.clock import table_clock
from tournament.views.access import get_watched
from tournament.views.public import tabs


@require_safe
def show_table(request: HttpRequest, code: str, pk: int, part: str = "") -> HttpResponse:
    """A published table with all that happened at it."""
    shown = get_watched(request, code)
    scopes = known.recall(f"table:{shown.pk}:{pk}", lambda: _scopes(shown, pk))
    if scopes is None:
        raise Http404(pk)

    def body(version: str) -> str:
        with timezone.override(shown.tz):
            context = _context(shown, _table(shown, pk))
            context |= {
                "version": version,
                "live_url": "" if part else reverse("table_live", args=[code, pk]),
            }
            return render_to_string(f"public/table.html{part}", context, request=request)

    return bodies.respond(request, f"table:{pk}{part}", scopes, body, over=shown.is_over)


def _scopes(shown: Competition, pk: int) -> known.Found[list[str]] | None:
    scopes = queries.table_scopes(shown, pk)
    return None if scopes is None else known.Found(scopes, scopes)


def _table(shown: Competition, pk: int) -> Table:
    """The table as a spectator may see it. One query. Raises `Http404`."""
    table = find_table(shown, pk, Acting())
    if table is None:
        raise Http404(pk)
    return table


def _context(shown: Competition, table: Table) -> dict[str, Any]:
    """All the page shows. `table` is read after the version, which `respond` has just taken."""
    event = table.round.stage.event
    board = read_board(table)
    urls = urls_of(shown)
    pages = {
        seat.entrant_id: urls.entrant(seat.entrant_id)
        for seat in board.seats
        if seat.entrant_id is not None
    }
    sheet_shown = ShownSheet(board, mask=shown.mask_names, urls=pages)
    record_url = reverse("hand_record", args=[shown.code, table.pk, 0])
    return {
        "competition": shown,
        "event": event,
        "table": table,
        "title": _("第 %(n)d 桌") % {"n": table.number},
        "round_title": " · ".join(filter(None, (event_word(event), table.round.title))),
        "tabs": tabs(shown, [event], ""),
        "tabs_label": shown.name,
        "board": board,
        "sheet": board.sheet,
        "finality": finality(table.state, table.round, shown),
        "players": sheet_shown.players(),
        "first_dealer": SEAT_NAMES[table.first_dealer],
        "ledger": sheet_shown.ledger() if board.versions or board.penalties else None,
        "hands": sheet_shown.hands(record_url),
        "penalties": penalties(sheet_shown),
        "protests": public_protests(protests_of(board.sheet)) if board.sheet.pk else [],
        "places_ruled": sheet_shown.places_ruled(),
        "reasons": sheet_shown.reasons(),
        "has_open_tie": _has_open_tie(board),
        "next": _next(table.pk, urls),
        "clock": table_clock(table),
    }


def _has_open_tie(board: Board) -> bool:
    """Whether a full sheet waits for a 加赛 or the chief referee (C8.6)."""
    return bool(board.versions) and board.is_full and not board.is_done and bool(board.open_ties)


def _next(pk: int, urls: Urls) -> dict[str, str] | None:
    """The table to which this one leads."""
    found = queries.next_table(pk)
    if found is None:
        return None
    table, number, title = found
    label = _("第 %(n)d 桌") % {"n": number}
    return {"title": title, "table": label, "url": urls.table(table)}


@require_safe
def hand_record(request: HttpRequest, code: str, pk: int, number: int) -> HttpResponse:
    """The ZPR of a hand to download; without any name where names are masked."""
    shown = get_watched(request, code)
    _table(shown, pk)
    version = HandVersion.objects.filter(
        hand__sheet__table_id=pk,
        hand__number=number,
        is_current=True,
        is_void=False,
        evidence=Evidence.RECORD,
    ).first()
    if version is None:
        raise Http404(number)
    record = parse(str(version.payload["text"]))
    text = export(nameless(record) if shown.mask_names else record)
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    name = f"{shown.code}-{pk}-{number}.zpr"
    response["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(name)}"
    return response
