"""All sheets of an event read at once: the same `Board`s, in as few queries as one takes."""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Mapping

from scoring.domain.board import Board
from scoring.models import HandVersion, Penalty, Ruling, Sheet
from tournament.enums import Style
from tournament.models import Event, Round, Seat


def load_boards(event: Event, of_round: Round | None = None) -> list[Board]:
    """The boards of the event's sheets that have hands, by round and table; with `of_round` of
    that round alone. Five queries, and one for the lots of each draw."""
    at = {} if of_round is None else {"table__round": of_round}
    of_sheets = {f"sheet__{name}": value for name, value in at.items()}
    versions: dict[int, list[HandVersion]] = defaultdict(list)
    for version in (
        HandVersion.objects.filter(hand__sheet__table__round__stage__event=event, is_current=True)
        .filter(**{f"hand__{name}": value for name, value in of_sheets.items()})
        .select_related("hand")
        .order_by("hand__sheet_id", "hand__number")
    ):
        versions[version.hand.sheet_id].append(version)
    seats: dict[int, list[Seat]] = defaultdict(list)
    for seat in (
        Seat.objects.filter(table__round__stage__event=event, **at)
        .select_related("entrant__entry__person", "entrant__partner__person")
        .order_by("table_id", "position")
    ):
        seats[seat.table_id].append(seat)
    rulings: dict[int, dict[int | None, Ruling]] = defaultdict(dict)
    of_event = {"sheet__table__round__stage__event": event, **of_sheets}
    for ruling in Ruling.objects.filter(**of_event, is_current=True):
        rulings[ruling.sheet_id][ruling.hand_id] = ruling
    penalties: dict[int, list[Penalty]] = defaultdict(list)
    for penalty in Penalty.objects.filter(**of_event, voided_at=None).select_related("hand"):
        penalties[penalty.sheet_id].append(penalty)
    lots: dict[tuple[int, int], dict[int, int]] = {}
    boards = []
    for sheet in (
        Sheet.objects.filter(table__round__stage__event=event, **at)
        .select_related("table__round__stage__event__competition")
        .order_by("table__round__number", "table__number")
    ):
        if sheet.pk not in versions:
            continue
        board = Board(sheet, sheet.table)
        board.versions = versions[sheet.pk]
        board.seats = seats[sheet.table_id]
        board.rulings = rulings[sheet.pk]
        board.penalties = penalties[sheet.pk]
        is_redrawn = board.stage.style == Style.REDRAW
        of_draw = board.stage.pk, board.round.number if is_redrawn else 1
        if of_draw not in lots:
            lots[of_draw] = board.lots
        board.lots = lots[of_draw]
        boards.append(board)
    return boards


def with_versions(board: Board, changed: Mapping[int, Mapping[str, object]]) -> Board:
    """The same board as if these versions (by id) had other values in these fields. No query."""
    after = Board(board.sheet, board.table)
    after.versions = [_changed(version, changed.get(version.pk)) for version in board.versions]
    after.seats, after.rulings = board.seats, board.rulings
    after.penalties, after.lots = board.penalties, board.lots
    return after


def _changed(version: HandVersion, values: Mapping[str, object] | None) -> HandVersion:
    if not values:
        return version
    made = copy.copy(version)
    for name, value in values.items():
        setattr(made, name, value)
    return made
