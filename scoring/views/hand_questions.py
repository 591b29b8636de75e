"""Questions about a recorded hand: was it legal, what else was, and what under other rules?"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_safe

from core import bodies
from engine.files import parse
from engine.record import Record
from scoring.asked import compared, entry_compared, names_by_seat, problem_of, walk
from scoring.domain.board import Board
from scoring.enums import Evidence
from scoring.models import HandVersion
from scoring.otherwise import beside, record_under
from scoring.replayed import Replayed
from scoring.views.one_hand import known_hand, read_hand, step_asked
from tournament.views.access import get_watched


@require_safe
def hand_questions(request: HttpRequest, code: str, pk: int, number: int) -> HttpResponse:
    """A hand of a published table; `?step=` opens a step of its record. Seen by whoever sees the
    table, and holds nothing of the viewer."""
    shown = get_watched(request, code)
    hand = known_hand(shown, pk, number)
    step = step_asked(request, hand)

    def body(_version: str) -> str:
        with timezone.override(shown.tz):
            read = read_hand(shown, pk, number)
            context = {
                **read.context,
                "step_url": "?step=",
                "page_query": f"?step={step}" if step else "",
                **_questions(read.version, read.board, read.names, step),
            }
            return render_to_string("public/hand_questions.html", context, request=request)

    return bodies.respond(request, f"asked:{pk}:{number}:{step}", hand.scopes, body)


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
