"""The page on which the whole sheet is read and confirmed, or sent back (C7.2)."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import DomainError
from scoring.domain.sheets import confirm_sheet, confirmable, must_confirm, send_back
from scoring.enums import UNDECIDED
from scoring.forms.entry import names_of
from scoring.queries import confirmations_of
from scoring.shown import ShownSheet
from scoring.shown_verdicts import penalties, stopped_here
from scoring.views.referee.pages import Page, Problem, seat_choices, sheet_page, shown_sheet
from scoring.views.referee.protest_rows import protest_rows
from tournament.enums import ConfirmationMode
from tournament.permissions import Action, NotAllowed, is_chief, may


@require_http_methods(["GET", "HEAD", "POST"])
@sheet_page
def confirm(page: Page) -> HttpResponse:
    """The whole sheet to read; POST confirms what was shown."""
    if page.request.method != "POST":
        return show(page)
    position = page.request.POST.get("position", "")
    try:
        confirmed = confirm_sheet(
            acting=page.acting,
            sheet=page.saved_sheet(Action.CONFIRM_SHEET),
            digest=page.request.POST.get("digest", ""),
            position=int(position) if position.isdigit() else None,
        )
    except NotAllowed:
        raise
    except DomainError as error:
        return show(page.fresh(), status=error.status, problem=Problem("confirm", error))
    if confirmed.finished:
        messages.success(page.request, _("这一桌已确认，名次已定。"))
    elif confirmed.ties:
        messages.warning(page.request, confirmed.sheet.sent_back_word)
    else:
        messages.success(page.request, _("已确认，等其他人确认。"))
        return redirect("sheet_confirm", *page.args)
    return redirect(page.url)


def show(page: Page, *, status: int = 200, problem: Problem | None = None) -> HttpResponse:
    """The page: ledger, each hand explained, who has confirmed, the buttons."""
    board = page.board
    done = confirmations_of(board.sheet) if board.sheet.pk else set()
    met = board.met()
    can_confirm = may(page.acting, Action.CONFIRM_SHEET, met)
    by_player = board.stage.confirmation == ConfirmationMode.PLAYERS
    waiting: list[dict[str, Any]] = []
    if by_player:
        waiting = seat_choices(board, [p for p in must_confirm(board) if p not in done])
    alone = is_chief(page.acting) or not by_player
    open_to_me = [p for p in confirmable(page.acting, board) if p not in done]
    return page.render(
        "referee/confirm.html",
        status=status,
        ledger=shown_sheet(page),
        hands=ShownSheet(board, mask=False, urls={}).hands(""),
        penalties=penalties(ShownSheet(board, mask=False, urls={})),
        protests=[row for row in protest_rows(page) if row["protest"].state in UNDECIDED],
        stopped=stopped_here(board, names_of(board)),
        digest=board.digest,
        waiting=waiting,
        confirmed=seat_choices(board, sorted(p for p in done if p is not None)),
        choices=[] if alone else seat_choices(board, open_to_me),
        can={"confirm": can_confirm and (alone or bool(open_to_me)), "send_back": can_confirm},
        problem=problem,
    )


@require_POST
@sheet_page
def back(page: Page) -> HttpResponse:
    """The sheet is open again."""
    word = page.request.POST.get("word", "")
    try:
        send_back(acting=page.acting, sheet=page.saved_sheet(Action.SEND_BACK), word=word)
    except NotAllowed:
        raise
    except DomainError as error:
        problem = Problem("send_back", error, word)
        return show(page.fresh(), status=error.status, problem=problem)
    messages.success(page.request, _("记分表已退回，可以更正。"))
    return redirect(page.url)
