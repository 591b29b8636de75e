"""The sheet: seats, ledger, the form of the next hand, and what can be done with the sheet."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.http import HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import DomainError
from scoring.domain.board import Board
from scoring.domain.closing import tie_sentence
from scoring.domain.errors import ShowEffects
from scoring.domain.hands import enter_hand
from scoring.domain.room import who_wrote
from scoring.domain.sheets import call_time, submit_sheet
from scoring.domain.walkovers import can_walk_over
from scoring.enums import SheetState
from scoring.forms.entry import EntryForm, names_of
from scoring.forms.levels import levels
from scoring.models import Recording
from scoring.queries import confirmations_of, recordings_of
from scoring.queries_editing import version_of
from scoring.shown import ShownSheet
from scoring.shown_verdicts import penalties, stopped
from scoring.views.referee.calls import may_call
from scoring.views.referee.entry import (
    answer_context,
    due_ties,
    marked_lines,
    new_form,
    posted_form,
    refused,
)
from scoring.views.referee.pages import Page, Problem, effects_page, sheet_page, shown_sheet
from scoring.views.referee.protest_rows import protest_rows
from scoring.views.referee.undoable import gap_buttons, gone_from, undoable
from scoring.words import fitting
from tournament.domain.calls import CALLABLE
from tournament.domain.preliminary import waits_for_own_tables
from tournament.domain.starting import waits_for, waits_for_round
from tournament.domain.tables import Depends
from tournament.enums import State
from tournament.permissions import Action, NotAllowed, is_chief, leads, may
from tournament.queries.clock import table_clock
from tournament.queries.floor import open_call

TAB_LABELS = {
    "result": gettext_lazy("结果行"),
    "slip": gettext_lazy("结算单"),
    "record": gettext_lazy("牌谱"),
    "totals": gettext_lazy("总分"),
    "game": gettext_lazy("胜负"),
}


@require_http_methods(["GET", "HEAD", "POST"])
@sheet_page
def sheet(page: Page) -> HttpResponse:
    """The sheet; POST enters a hand."""
    if page.request.method == "POST":
        return _enter(page)
    return show(page, form=new_form(page.board, page.request.GET.get("tab", "")))


def _enter(page: Page) -> HttpResponse:
    form = posted_form(page)
    whose = page.request.headers.get("X-Outbox", "")
    boxed = bool(whose)
    if boxed and whose != page.acting.key:
        return JsonResponse({"other": page.acting.key, "name": page.actor_name}, status=409)
    if not form.is_valid():
        if boxed:
            return _refusal(str(next(iter(form.errors.values()))[0]), 422)
        return show(page, form=form, status=422)
    given = form.cleaned_data
    try:
        version = enter_hand(
            acting=page.acting,
            sheet=page.saved_sheet(Action.ENTER_HAND),
            entered=form.entered(),
            number=given["number"],
            extra=given["extra"],
            key=given["key"],
            late=form.late(),
        )
    except NotAllowed:
        raise
    except (ShowEffects, Depends) as error:
        if boxed:
            return _refusal(str(error), error.status)
        return effects_page(page, error, cast(QueryDict, form.data))
    except DomainError as error:
        if boxed and error.code == "in-flight":
            # Neither saved nor refused: the outbox asks again in a moment.
            return HttpResponse(status=error.status)
        if boxed:
            return _refusal(str(error), error.status)
        page = page.fresh()
        return show(page, form=form, status=error.status, **refused(page, form, error))
    outcome = ShownSheet(page.board, mask=False, urls={}).outcome(version)
    messages.success(
        page.request,
        (
            _("已记第 %(n)d 局：%(outcome)s")
            if page.board.is_counted
            else _("已记第 %(n)d 盘：%(outcome)s")
        )
        % {"n": version.hand.number, "outcome": outcome},
    )
    shown = f"{page.url}?tab={form.evidence}"
    return JsonResponse({"saved": shown}) if boxed else redirect(shown)


def _refusal(sentence: str, status: int) -> HttpResponse:
    """What a device's outbox is told: the hand is not saved, and why."""
    return JsonResponse({"refused": sentence}, status=status)


@require_POST
@sheet_page
def preview(page: Page) -> HttpResponse:
    """What the engine says to what is in the form so far; a fragment that writes nothing."""
    context = answer_context(page.board, posted_form(page))
    return render(page.request, "referee/answer.html", context)


@require_POST
@sheet_page
def submit(page: Page) -> HttpResponse:
    """The sheet is complete."""
    try:
        confirmed = submit_sheet(acting=page.acting, sheet=page.saved_sheet(Action.SUBMIT_SHEET))
    except NotAllowed:
        raise
    except DomainError as error:
        return show(page.fresh(), status=error.status, problem=Problem("submit", error))
    messages.success(
        page.request,
        _("记分表已确认。") if confirmed.finished else _("记分表已提交，等待确认。"),
    )
    return redirect(page.url)


@require_POST
@sheet_page
def call(page: Page) -> HttpResponse:
    """The bell."""
    call_time(acting=page.acting, sheet=page.saved_sheet(Action.CALL_TIME))
    said = fitting(
        page.board.is_counted,
        _("已到点：打完这一局，不再发新牌。"),
        _("已到点：下完这一盘，不再开新的一盘。"),
    )
    messages.success(page.request, said)
    return redirect(page.url)


def show(
    page: Page,
    *,
    form: EntryForm | None = None,
    status: int = 200,
    problem: Problem | None = None,
    **more: Any,
) -> HttpResponse:
    """The sheet's page."""
    board = page.board
    form = form or new_form(board, "")
    faults = more.get("faults")
    if faults:
        more["record_lines"] = marked_lines(str(form.data.get("text", "")), faults)
    return page.render(
        "referee/sheet.html",
        status=status,
        form=form,
        level=str(form.evidence),
        tabs=tabs(board, form, page.url),
        problem=problem,
        now=timezone.now(),
        clock=table_clock(board.table),
        version=version_of(board.sheet.scope),
        **seen(page),
        **more,
    )


def seen(page: Page) -> dict[str, Any]:
    """What the page shows of the sheet besides the form: what is kept fresh."""
    board = page.board
    ties = due_ties(board)
    confirmed = len(confirmations_of(board.sheet)) if board.sheet.pk else 0
    last = board.versions[-1] if board.versions else None
    return {
        "ledger": shown_sheet(page),
        "nets": nets(board),
        "tie": tie_sentence(board, ties) if ties else "",
        "penalties": penalties(ShownSheet(board, mask=False, urls={})),
        "protests": protest_rows(page),
        "stopped": stopped(board, names_of(board)),
        "gap": gap_buttons(page),
        "alone": is_chief(page.acting) and can_walk_over(board),
        "has_entrants": any(seat.entrant_id for seat in board.seats),
        "gone": gone_from(page),
        "recordings": _recordings(page),
        "confirmed": confirmed,
        "waits": waiting(board),
        "undo": undoable(page, confirmed),
        "can": allowed(page, bool(ties)),
        "call": open_call(board.table.pk),
        "last": last,
        "last_by": who_wrote(last) if last else "",
    }


def _recordings(page: Page) -> list[Recording]:
    """The hands that somebody is recording, for who may go on with them. One query at most."""
    board = page.board
    met = board.met(reason="-", effects_shown=True)
    if board.sheet.pk is None or not may(page.acting, Action.ENTER_HAND, met):
        return []
    return [one for one in recordings_of(board.sheet) if one.done_at is None]


def nets(board: Board) -> list[dict[str, Any]]:
    """Each seat's net 舵 so far, and who deals next."""
    dealer = board.terms().dealer if board.is_counted else None
    return [
        {
            "seat": seat.name,
            "name": name,
            "net": board.sums.seats[seat.position].net,
            "deals": seat.position == dealer,
        }
        for seat, name in zip(board.seats, names_of(board), strict=True)
    ]


def tabs(board: Board, form: EntryForm, url: str) -> list[dict[str, Any]]:
    """The levels of evidence as tabs (C6.1)."""
    return [
        {
            "label": TAB_LABELS[level],
            "url": f"{url}?tab={level}#entry",
            "current": level == form.evidence,
        }
        for level in levels(board)
    ]


def waiting(board: Board) -> str:
    """What the table waits for before its first hand, "" for nothing (C7.1)."""
    if board.table.state != State.PUBLISHED:
        return ""
    wait = waits_for(board.seats) or waits_for_round(board.round)
    return wait or waits_for_own_tables(board.table)


def _has_ended(board: Board) -> bool:
    """Whether no hand is to come: submitted, or called and confirmed. Who must add one opens the
    sheet again first."""
    return board.sheet.state == SheetState.SUBMITTED or (board.is_called and board.is_done)


def allowed(page: Page, tie: bool) -> dict[str, bool]:
    """The buttons that the page offers to who asks."""
    board, acting = page.board, page.acting
    met = board.met(reason="-", effects_shown=True)
    over = board.is_full or board.is_called
    return {
        "enter": may(acting, Action.ENTER_HAND, met)
        and (not board.is_full or tie)
        and (tie or not _has_ended(board))
        and not waiting(board),
        "submit": may(acting, Action.SUBMIT_SHEET, met)
        and board.sheet.state == SheetState.OPEN
        and over,
        "call": may(acting, Action.CALL_TIME, met) and not board.is_called and not board.is_full,
        "confirm": may(acting, Action.CONFIRM_SHEET, met),
        "penalize": may(acting, Action.PENALIZE, met),
        "swap": may(acting, Action.ENTER_HAND, met) and bool(board.sums.played),
        "leave": leads(acting) and may(acting, Action.WITHDRAW, met),
        "protest": may(acting, Action.PROTEST, met),
        "rule": may(acting, Action.RULE, met),
        "call_referee": may_call(page) and board.table.state in CALLABLE,
    }
