"""The replay viewer: a recorded hand of a published table, step by step, from above or a seat."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core import bodies, known
from engine.events import SEATS
from engine.files import parse
from scoring import queries_public as queries
from scoring.asked import names_by_seat, problem_of, seat_name
from scoring.domain.board import Board
from scoring.enums import Evidence
from scoring.models import HandVersion
from scoring.queries import find_table, read_board
from scoring.replayed import Replayed
from scoring.shown import ShownSheet
from scoring.viewer import Viewer, seat_of
from tournament.acting import Acting
from tournament.models import Competition
from tournament.views.access import get_watched

TABLE = "replay"
"""The id of the part of the page that holds the table."""
FIGURES = 4
"""More figures than a step's number has."""


class Hand(NamedTuple):
    """A hand that can be asked for: the scopes of its page, its events, the table's seats."""

    scopes: list[str]
    events: int
    seats: int


@require_safe
def show_replay(
    request: HttpRequest, code: str, pk: int, number: int, part: str = ""
) -> HttpResponse:
    """A hand, `?step=` opened, as `?seat=` (甲 …) sees it; with `part` all steps as a fragment.

    Seen by whoever sees the table. A hand without a record says what is missing.
    """
    shown = get_watched(request, code)
    hand = known.recall(f"replay:{shown.pk}:{pk}:{number}", lambda: _hand(shown, pk, number))
    if hand is None:
        raise Http404(number)
    seat = seat_of(request.GET.get("seat", ""), hand.seats)
    step = min(step_asked(request), hand.events)

    def body(_version: str) -> str:
        with timezone.override(shown.tz):
            context = _context(shown, pk, number, seat, step, is_whole=bool(part))
            return render_to_string(f"public/replay.html{part}", context, request=request)

    asked = part or str(step)
    return bodies.respond(request, f"replay:{pk}:{number}:{seat}:{asked}", hand.scopes, body)


def step_asked(request: HttpRequest) -> int:
    """The number in `?step=`; 0, the deal, for anything that is none."""
    asked = request.GET.get("step", "")
    return int(asked) if asked.isascii() and asked.isdigit() and len(asked) <= FIGURES else 0


def _hand(shown: Competition, pk: int, number: int) -> known.Found[Hand] | None:
    """The hand where everyone may see it. One query."""
    found = queries.hand_row(shown, pk, number)
    if found is None:
        return None
    is_record = found.evidence == Evidence.RECORD
    events = len(parse(str(found.payload["text"])).events) if is_record else 0
    return known.Found(Hand(found.scopes, events, found.seats), found.scopes)


def _context(
    shown: Competition, pk: int, number: int, seat: int | None, step: int, *, is_whole: bool
) -> dict[str, Any]:
    """All the page shows; `is_whole`: every step instead of one."""
    table = find_table(shown, pk, Acting())
    if table is None:
        raise Http404(pk)
    board = read_board(table)
    versions = {one.hand.number: one for one in board.versions if not one.is_void}
    if number not in versions:
        raise Http404(number)
    sheet_shown = ShownSheet(board, mask=shown.mask_names, urls={})
    hands = sheet_shown.hands(reverse("hand_record", args=[shown.code, table.pk, 0]))
    numbers = sorted(versions)
    at = numbers.index(number)
    context = {
        "competition": shown,
        "table": table,
        "round_title": table.round.title,
        "table_title": _("第 %(n)d 桌") % {"n": table.number},
        "title": _("第 %(n)d 局") % {"n": number},
        "number": number,
        "hand": next(one for one in hands if one["anchor"] == f"hand-{number}"),
        "hand_before": numbers[at - 1] if at else None,
        "hand_after": numbers[at + 1] if at + 1 < len(numbers) else None,
    }
    version = versions[number]
    if version.evidence == Evidence.RECORD:
        context |= _replayed(version, board, sheet_shown.names, seat, step, is_whole=is_whole)
    return context


def _replayed(
    version: HandVersion,
    board: Board,
    names: list[str],
    seat: int | None,
    step: int,
    *,
    is_whole: bool,
) -> dict[str, Any]:
    """The record as far as it is legal; people's names stand at the seats that it names."""
    replayed = Replayed(parse(str(version.payload["text"])), board.rules)
    viewer = Viewer(replayed, names_by_seat(version.payload, names), seat)
    stop = replayed.stop
    shown: dict[str, Any] = {
        "stop": stop and {"number": stop.number, **problem_of(stop.error)},
    }
    if not replayed.is_dealt:
        return shown
    numbers = viewer.numbers()
    moves = viewer.moves()
    at = numbers.index(viewer.nearest(step))
    claims = [one["number"] for one in moves if one["is_claim"]]
    for one in moves:
        one["url"] = _address(one["number"], seat)
    return shown | {
        "moves": moves,
        "places": viewer.around(),
        "steps": [viewer.step(one) for one in numbers] if is_whole else [],
        "step": viewer.step(numbers[at]),
        "views": [
            {
                "seat": "" if one is None else SEATS[one],
                "name": _("从上面看") if one is None else seat_name(one, viewer.names),
                "url": _address(numbers[at], one),
                "is_on": one == seat,
            }
            for one in (None, *range(len(viewer.names)))
        ],
        "go": {
            "first": _address(0, seat),
            "claim_before": _address(
                max((one for one in claims if one < numbers[at]), default=0), seat
            ),
            "before": _address(numbers[max(0, at - 1)], seat),
            "after": _address(numbers[min(len(numbers) - 1, at + 1)], seat),
            "claim_after": _address(
                min((one for one in claims if one > numbers[at]), default=numbers[-1]), seat
            ),
            "last": _address(numbers[-1], seat),
            "is_first": not at,
            "is_last": at == len(numbers) - 1,
        },
    }


def _address(step: int, seat: int | None) -> str:
    """The link to a step as a seat sees it, which opens at the table itself."""
    asked: dict[str, Any] = {"step": step}
    if seat is not None:
        asked["seat"] = SEATS[seat]
    return f"?{urlencode(asked)}#{TABLE}"
