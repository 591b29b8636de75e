"""One hand of a published table, as its replay and the questions about it read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from core import known
from engine.files import parse
from scoring import queries_public as queries
from scoring.domain.board import Board
from scoring.enums import Evidence
from scoring.models import HandVersion
from scoring.queries import find_table, read_board
from scoring.shown import ShownSheet
from tournament.acting import Acting
from tournament.models import Competition

FIGURES = 4
"""More figures than a step's number has."""


class Hand(NamedTuple):
    """A hand that can be asked for: the scopes of its page, its events, the table's seats."""

    scopes: list[str]
    events: int
    seats: int


def known_hand(shown: Competition, pk: int, number: int) -> Hand:
    """The hand where everyone may see it. One query, none while it is known. Raises `Http404`."""
    hand = known.recall(f"replay:{shown.pk}:{pk}:{number}", lambda: _find(shown, pk, number))
    if hand is None:
        raise Http404(number)
    return hand


def step_asked(request: HttpRequest, hand: Hand) -> int:
    """The number in `?step=`, the hand's last one at most; 0, the deal, for anything that is
    none."""
    asked = request.GET.get("step", "")
    step = int(asked) if asked.isascii() and asked.isdigit() and len(asked) <= FIGURES else 0
    return min(step, hand.events)


@dataclass(frozen=True)
class Reading:
    """The hand with its sheet; `context` is what both pages show above it."""

    board: Board
    version: HandVersion
    names: list[str]
    context: dict[str, Any]


def read_hand(shown: Competition, pk: int, number: int) -> Reading:
    """The hand from its sheet. Raises `Http404` where everyone does not see it."""
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
    return Reading(board, versions[number], sheet_shown.names, context)


def _find(shown: Competition, pk: int, number: int) -> known.Found[Hand] | None:
    found = queries.hand_row(shown, pk, number)
    if found is None:
        return None
    is_record = found.evidence == Evidence.RECORD
    events = len(parse(str(found.payload["text"])).events) if is_record else 0
    return known.Found(Hand(found.scopes, events, found.seats), found.scopes)
