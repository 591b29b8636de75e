"""The parts of a 成绩册: what is confirmed, 暂定 where it is not final yet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from core.models import AuditRow
from core.templatetags.look import signed
from scoring.domain.board import Board
from scoring.domain.boards import load_boards
from scoring.domain.next_field import next_field
from scoring.domain.preliminary import standing_of
from scoring.enums import ProtestAbout, ProtestState
from scoring.exports.books.draws import draw_parts
from scoring.exports.books.parts import NO_URLS, Part, events_of, titled
from scoring.exports.books.sheets import small_sheet
from scoring.field_shown import behind_shown
from scoring.finishes import Row, decimal, per_hand, spoken
from scoring.history import SheetHistory, Step
from scoring.models import Protest
from scoring.places import Places, places_of
from scoring.prelim_shown import plan_seats, seating, standings_table
from scoring.queries_history import what_happened
from scoring.queries_public import SeatRow
from scoring.shown import ShownSheet
from scoring.shown_games import counted_name
from scoring.shown_verdicts import penalties
from scoring.units_shown import units_shown
from tournament.domain.fields import going_from, is_redrawn
from tournament.domain.preliminary import preliminary_of
from tournament.enums import DONE, Discipline, EntrantStatus, StageKind, State
from tournament.models import Competition, Event, Round
from tournament.queries.public import GONE, OPEN_STATES
from tournament.queries.seals import seals_of

AFTER = frozenset(
    (
        "hand.enter", "hand.correct", "hand.void", "hand.restore", "ruling.give", "ruling.drop",
        "penalty.give", "penalty.void", "sheet.swap-seats", "sheet.rejudge", "sheet.replay",
        "sheet.reopen", "table.correct",
    )
)  # fmt: skip
"""What is a correction when it is done after a table is confirmed."""


def results_parts(competition: Competition) -> list[Part]:
    """All parts in order. What there is nothing of has no part."""
    events = events_of(competition)
    boards = {event.pk: _done(event) for event in events}
    parts: list[Part] = []
    for event in events:
        parts += _standings(competition, event, events)
    units = units_shown(competition, events, NO_URLS)
    if units["units"]:
        parts.append(Part(_("团体名次"), "units.html", units))
    for event in events:
        parts += _preliminary(event, events)
        parts += _advancement(competition, event, events, boards[event.pk])
    for event in events:
        parts += _tables(event, events, boards[event.pk])
    every = [board for event in events for board in boards[event.pk]]
    parts += _given(every)
    parts += _protests(every)
    parts += _corrections(every)
    for event in events:
        parts += draw_parts(event, events, check=True)
    seals = list(seals_of(competition))
    if seals:
        parts.append(Part(_("封记"), "seals.html", {"seals": seals}))
    parts.append(Part(_("签名"), "signatures.html", {}))
    return parts


def _done(event: Event) -> list[Board]:
    """The confirmed tables, the preliminary's first."""
    found = [board for board in load_boards(event) if board.table.state in DONE]
    return sorted(found, key=lambda one: (not one.round.is_prelim, one.round.number))


def _standings(competition: Competition, event: Event, events: Sequence[Event]) -> list[Part]:
    places = places_of(competition, event)
    if not places.rows:
        return []
    is_zipai = event.discipline == Discipline.ZIPAI
    columns = [_("到达"), counted_name(event), *([_("每局")] if is_zipai else [])]
    context = {
        "provisional": _provisional(places),
        "columns": columns,
        "rows": [_line(row, places, is_zipai=is_zipai) for row in places.rows],
    }
    return [
        Part(
            titled(_("名次和奖项"), event, events),
            "standings.html",
            context,
            is_major=event is events[0],
        )
    ]


def _provisional(places: Places) -> str:
    """Why the places may still change, "" once nothing can change them."""
    if not places.is_done:
        return _("暂定：比赛还没有打完，“–”是还在赛的选手。")
    if places.last is not None and places.last.state != State.FINAL:
        return _("暂定：末轮已确认，还没有定局。")
    return ""


def _line(row: Row, places: Places, *, is_zipai: bool) -> dict[str, Any]:
    standing, finish = row.standing, row.finish
    is_out = standing.place is not None
    cells = [places.rounds[row.seat.round].title, signed(finish.net) if is_out else ""]
    if is_zipai:
        cells.append(decimal(per_hand(finish)) if is_out else "")
    prize = standing.prize if places.is_done else None
    status = row.seat.status
    return {
        "place": str(standing.place or "–"),
        "tied": standing.shared,
        "prize": spoken(prize) if prize else "",
        "number": row.seat.entry,
        "name": row.seat.name,
        "unit": row.seat.unit,
        "note": str(EntrantStatus(status).label) if status in GONE else "",
        "reason": row.reason,
        "cells": cells,
    }


def _preliminary(event: Event, events: Sequence[Event]) -> list[Part]:
    """The standings with the line of who goes on, and every round with its points."""
    stage = preliminary_of(event)
    if stage is None:
        return []
    stage.event = event
    seats = plan_seats(stage, OPEN_STATES, mask=False)
    standing = standing_of(stage) if seats else None
    table = standings_table(stage, standing, NO_URLS, mask=False) if standing else None
    if table is None:
        return []
    context = {
        "standings": table,
        "seating": seating(seats, None),
        "is_closed": stage.closed_at is not None,
    }
    return [Part(titled(_("预赛"), event, events), "preliminary.html", context, is_major=True)]


def _advancement(
    competition: Competition, event: Event, events: Sequence[Event], boards: Sequence[Board]
) -> list[Part]:
    """Table by table of the knock-out: the places, who goes on, and why (C8.1)."""
    places = places_of(competition, event)
    tables: dict[int, list[SeatRow]] = defaultdict(list)
    for seat in places.seats:
        if seat.is_done:
            tables[seat.table].append(seat)
    shown = {board.table.pk: ShownSheet(board, mask=False, urls={}) for board in boards}
    rounds: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for pk, seats in tables.items():
        net = places.nets.get(pk)
        sheet = shown.get(pk)
        rounds[seats[0].round].append(
            {
                "number": seats[0].number,
                "is_third": seats[0].is_third,
                "is_final": seats[0].state == State.FINAL,
                "lines": [
                    {
                        "place": seat.place,
                        "name": seat.who,
                        "unit": seat.unit,
                        "net": signed(net.nets[seat.position]) if net else "",
                        "advances": bool(seat.advances) and not seat.is_last,
                    }
                    for seat in sorted(seats, key=lambda one: (one.place or 99, one.position))
                ],
                "reasons": _reasons(sheet) if sheet else [_("没有打：对手都不在，直接算赢。")],
            }
        )
    if not rounds:
        return []
    behind = _behind(competition, event)
    context = {
        "counted": counted_name(event),
        "rounds": [
            {
                "title": places.rounds[number].title,
                "tables": found,
                "behind": behind.get(number),
            }
            for number, found in sorted(rounds.items())
        ],
    }
    title = titled(_("各轮结果：谁晋级，为什么"), event, events)
    return [Part(title, "advancement.html", context)]


def _behind(competition: Competition, event: Event) -> dict[int, dict[str, Any] | None]:
    """Number of each confirmed round of a redraw → those behind the winners in order, who of
    them goes on, and why (C8.4)."""
    found = Round.objects.filter(
        stage__event=event, stage__kind=StageKind.KNOCKOUT, is_last=False, state__in=DONE
    ).select_related("stage__event")
    return {
        one.number: behind_shown(competition, next_field(one), set(going_from(one)), NO_URLS)
        for one in found
        if is_redrawn(one)
    }


def _reasons(sheet: ShownSheet) -> list[str]:
    ruled = sheet.places_ruled()
    return [_("裁判长裁定名次：%(why)s") % {"why": ruled}] if ruled else sheet.reasons()


def _tables(event: Event, events: Sequence[Event], boards: Iterable[Board]) -> list[Part]:
    """Each table's sheet, round by round."""
    rounds: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for board in boards:
        rounds[str(board.round.title)].append(small_sheet(board))
    if not rounds:
        return []
    context = {
        "is_zipai": event.discipline == Discipline.ZIPAI,
        "rounds": [{"title": one, "sheets": found} for one, found in rounds.items()],
    }
    return [
        Part(
            titled(_("各桌记分"), event, events),
            "tables.html",
            context,
            is_major=event is events[0],
        )
    ]


def _where(board: Board) -> str:
    return _("%(event)s%(round)s第 %(n)d 桌") % {
        "event": f"{board.event.name} " if board.event.position > 1 else "",
        "round": board.round.title,
        "n": board.table.number,
    }


def _given(boards: Iterable[Board]) -> list[Part]:
    rows = [
        one | {"where": _where(board)}
        for board in boards
        if board.penalties
        for one in penalties(ShownSheet(board, mask=False, urls={}))
    ]
    return [Part(_("判罚记录"), "given_penalties.html", {"rows": rows})] if rows else []


def _protests(boards: Sequence[Board]) -> list[Part]:
    """What each protest was about and what was answered; not what was written in it, nor by
    whom. One query."""
    by_sheet = {board.sheet.pk: board for board in boards}
    found = (
        Protest.objects.filter(sheet__in=by_sheet)
        .exclude(state=ProtestState.WITHDRAWN)
        .select_related("hand")
        .order_by("pk")
    )
    rows = [
        {
            "where": _where(by_sheet[one.sheet_id]),
            "about": _("第 %(n)d 局") % {"n": one.hand.number}
            if one.hand
            else str(ProtestAbout(one.about).label),
            "state": str(ProtestState(one.state).label),
            "answer": one.answer,
            "final_answer": one.final_answer,
            "final_by": one.final_by,
        }
        for one in found
    ]
    return [Part(_("申诉和答复"), "protests.html", {"rows": rows})] if rows else []


def _corrections(boards: Sequence[Board]) -> list[Part]:
    """What was changed at tables that had been confirmed; ten queries for each such table."""
    subjects = {f"table:{board.table.pk}": board for board in boards}
    subjects |= {f"sheet:{board.sheet.pk}": board for board in boards}
    touched = AuditRow.objects.filter(
        action__in=("table.correct", "sheet.reopen"),
        subject__in=list(subjects),
    ).values_list("subject", flat=True)
    changed = {board.table.pk: board for board in map(subjects.__getitem__, touched)}
    rows = [
        {"where": _where(board), "steps": steps}
        for board in boards
        if board.table.pk in changed and (steps := _steps_after(board))
    ]
    return [Part(_("确认以后的更正"), "corrections.html", {"rows": rows})] if rows else []


def _steps_after(board: Board) -> list[Step]:
    """What its history says since it was confirmed for the first time."""
    happened = what_happened(board.sheet)
    confirmed = next((row.pk for row in happened.rows if row.action == "sheet.confirm"), None)
    if confirmed is None:
        return []
    late = [row for row in happened.rows if row.pk > confirmed and row.action in AFTER]
    steps = SheetHistory(board, replace(happened, rows=late)).steps()
    return [step for step in steps if step.title != _("定局")]
