"""Questions about a recorded hand: was it legal, what else was, and what under other rules?"""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from engine.files import parse
from engine.record import Record
from scoring.asked import compared, entry_compared, names_by_seat, problem_of, walk
from scoring.domain.board import Board
from scoring.enums import Evidence
from scoring.models import HandVersion
from scoring.otherwise import beside, record_under
from scoring.queries import find_table, read_board
from scoring.replayed import Replayed
from scoring.shown import ShownSheet
from scoring.views.replay import step_asked
from tournament.acting import Acting
from tournament.views.access import get_competition


@require_safe
def hand_questions(request: HttpRequest, code: str, pk: int, number: int) -> HttpResponse:
    """A hand of a published table; `?step=` opens a step of its record. Seen by whoever sees the
    table, and holds nothing of the viewer."""
    shown, _acting = get_competition(request, code)
    table = find_table(shown, pk, Acting())
    if table is None:
        raise Http404(pk)
    board = read_board(table)
    version = next((one for one in board.versions if one.hand.number == number), None)
    if version is None or version.is_void or version.evidence == Evidence.GAME:
        raise Http404(number)
    sheet_shown = ShownSheet(board, mask=shown.mask_names, urls={})
    record_url = reverse("hand_record", args=[shown.code, table.pk, 0])
    explained = sheet_shown.hands(record_url)
    context = {
        "competition": shown,
        "table": table,
        "round_title": table.round.title,
        "table_title": _("第 %(n)d 桌") % {"n": table.number},
        "title": _("第 %(n)d 局") % {"n": number},
        "hand": next(one for one in explained if one["anchor"] == f"hand-{number}"),
        "step_url": "?step=",
        **_questions(version, board, sheet_shown.names, step_asked(request)),
    }
    with timezone.override(shown.tz):
        return render(request, "public/hand_questions.html", context)


def _questions(version: HandVersion, board: Board, names: list[str], step: int) -> dict[str, Any]:
    """The answers, as far as the hand's evidence goes."""
    rules = board.rules
    if version.evidence == Evidence.RECORD:
        record = parse(str(version.payload["text"]))
        return _of_record(record, board, names_by_seat(version.payload, names), step)
    shown: dict[str, Any] = {"evidence": str(version.evidence)}
    if version.evidence == Evidence.TOTALS or version.dealer is None:
        return shown
    found = entry_compared(str(version.evidence), version.payload, version.dealer, beside(rules))
    is_drawn = version.winners == []
    return shown | {"is_drawn": is_drawn, "compared": [] if is_drawn else compared(found, names)}


def _of_record(record: Record, board: Board, names: list[str], step: int) -> dict[str, Any]:
    replayed = Replayed(record, board.rules)
    stop = replayed.stop
    return {
        "evidence": str(Evidence.RECORD),
        "count": len(replayed),
        "stop": None
        if stop is None
        else {
            "number": stop.number,
            "event": "" if stop.event is None else str(stop.event),
            **problem_of(stop.error),
        },
        "walk": walk(replayed, step, names),
        "compared": compared([record_under(record, named) for named in beside(board.rules)], names),
    }
