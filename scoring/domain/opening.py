"""A sheet's row for an action at a table that nobody may have touched yet."""

from __future__ import annotations

from scoring.domain.board import Board
from scoring.domain.sheets import open_sheet
from scoring.models import Sheet
from tournament.acting import Acting
from tournament.permissions import Action, require


def sheet_for(*, acting: Acting, board: Board, action: Action) -> Sheet:
    """The sheet's row, made where there is none yet. Raises what `require` does first, so that a
    refusal leaves no row behind."""
    if board.sheet.pk is not None:
        return board.sheet
    require(acting, action, board.met(reason="-", effects_shown=True))
    return open_sheet(board.table)
