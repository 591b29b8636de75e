"""The replay viewer: a recorded hand of a published table, step by step, from above or a seat."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core import bodies
from engine.events import SEATS
from engine.files import parse
from scoring.asked import names_by_seat, problem_of, seat_name
from scoring.enums import Evidence
from scoring.replayed import Replayed
from scoring.viewer import Viewer, seat_of
from scoring.views.one_hand import Reading, known_hand, read_hand, step_asked
from tournament.views.access import get_watched

TABLE = "replay"
"""The id of the part of the page that holds the table."""


@require_safe
def show_replay(
    request: HttpRequest, code: str, pk: int, number: int, part: str = ""
) -> HttpResponse:
    """A hand, `?step=` opened, as `?seat=` (甲 …) sees it; with `part` all steps as a fragment.

    Seen by whoever sees the table. A hand without a record says what is missing.
    """
    shown = get_watched(request, code)
    hand = known_hand(shown, pk, number)
    seat = seat_of(request.GET.get("seat", ""), hand.seats)
    step = step_asked(request, hand)

    def body(_version: str) -> str:
        with timezone.override(shown.tz):
            read = read_hand(shown, pk, number)
            context = dict(read.context)
            if read.version.evidence == Evidence.RECORD:
                context |= _replayed(read, seat, step, is_whole=bool(part))
            context["page_query"] = _query(step, seat) if step or seat is not None else ""
            return render_to_string(f"public/replay.html{part}", context, request=request)

    asked = part or str(step)
    return bodies.respond(request, f"replay:{pk}:{number}:{seat}:{asked}", hand.scopes, body)


def _replayed(read: Reading, seat: int | None, step: int, *, is_whole: bool) -> dict[str, Any]:
    """The record as far as it is legal; people's names stand at the seats that it names."""
    payload = read.version.payload
    replayed = Replayed(parse(str(payload["text"])), read.board.rules)
    viewer = Viewer(replayed, names_by_seat(payload, read.names), seat)
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


def _query(step: int, seat: int | None) -> str:
    asked: dict[str, Any] = {"step": step}
    if seat is not None:
        asked["seat"] = SEATS[seat]
    return f"?{urlencode(asked)}"


def _address(step: int, seat: int | None) -> str:
    """The link to a step as a seat sees it, which opens at the table itself."""
    return f"{_query(step, seat)}#{TABLE}"
