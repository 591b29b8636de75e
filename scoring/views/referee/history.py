"""The history of a sheet: all that happened, in order, as differences."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from scoring.history import SheetHistory
from scoring.queries_history import what_happened
from scoring.views.referee.pages import Page, sheet_page


@require_safe
@sheet_page
def sheet_history(page: Page) -> HttpResponse:
    """Who did what with the sheet and when; what a correction changed and who moved by it."""
    board = page.board
    steps = []
    if board.sheet.pk is not None:
        steps = SheetHistory(board, what_happened(board.sheet)).steps()
    rows = [
        {"step": step, "url": page.hand_url(step.number) if step.number else ""} for step in steps
    ]
    return page.render("referee/history.html", rows=rows)
