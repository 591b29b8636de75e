"""Nobody is left to play against: who is there goes on without play (C7.1, C9.3).

The undo is `reopen_sheet`, as for every confirmed table.
"""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.versions import bump
from core.errors import Conflict, DomainError
from scoring.domain.board import Board
from scoring.domain.closing import close, hold, make_final, scope_of
from scoring.domain.sheets import open_sheet
from tournament.acting import Acting
from tournament.domain.tables import DONE, Finished, start_table
from tournament.enums import Role, StageKind, State
from tournament.models import Table
from tournament.permissions import demand, is_chief


def can_walk_over(board: Board) -> bool:
    """Whether no more sit at a published table than go on from it, all before it being done.

    Fillers, empty seats and who has left do not count.
    """
    able = [seat for seat in board.seats if seat.entrant_id and not seat.forfeits]
    return (
        board.stage.kind == StageKind.KNOCKOUT
        and board.table.state == State.PUBLISHED
        and len(able) <= max(board.table.advance, 1)
        and not any(seat.source and seat.source.state not in DONE for seat in board.seats)
    )


@transaction.atomic
def walk_over(*, acting: Acting, table: Table, reason: str) -> Finished:
    """The chief referee closes a table at which no more are left than go on: they do, without
    play; where nobody is left, nobody does. The tables before it are final with it.

    Raises `NotAllowed`, `DomainError` (`reason-needed`), `Conflict` (`no-walkover`) where the
    table has a hand, waits for another or can be played.
    """
    demand(is_chief(acting), Role.CHIEF)
    board = hold(open_sheet(table), whole=True)
    if not reason.strip():
        raise DomainError(_("不打就晋级要写明原因。"), code="reason-needed")
    if not can_walk_over(board):
        raise Conflict(
            _("只有还没开打、剩下的人不比晋级的人多的桌，才能不打就晋级。"), code="no-walkover"
        )
    started = start_table(acting=acting, table=board.table, without_play=True)
    make_final(started.finals)
    board = Board(board.sheet, started.table)
    finished = close(acting, board)
    audit(
        actor=acting,
        action="table.walkover",
        scope=scope_of(board),
        subject=started.table,
        data={"reason": reason.strip()[:200]},
    )
    bump(board.sheet.scope)
    return finished
