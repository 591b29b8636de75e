"""Nobody is left to play against: who is there goes on without play (C7.1, C9.3).

The undo is `reopen_sheet`, as for every confirmed table.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.versions import bump
from core.errors import Conflict, DomainError
from scoring.domain.board import Board
from scoring.domain.closing import close, hold, make_final, scope_of
from scoring.domain.sheets import open_sheet
from tournament.acting import Acting
from tournament.domain.starting import start_table
from tournament.domain.tables import Finished
from tournament.enums import DONE, Role, State
from tournament.models import Seat, Table
from tournament.permissions import demand, is_chief


def can_walk_over(board: Board) -> bool:
    """Whether nobody is left at the board's table to play against. Needs no query where its seats
    are read."""
    return is_left_alone(board.table, board.seats)


def is_left_alone(table: Table, seats: Sequence[Seat]) -> bool:
    """Whether no more sit at a published table of a knock-out than go on from it, all before it
    being done; fillers, empty seats and who has left do not count.

    Needs `table.round` with its stage and `seat.source`. No query.
    """
    able = [seat for seat in seats if seat.entrant_id and not seat.forfeits]
    return (
        table.state == State.PUBLISHED
        and not table.round.is_prelim
        and len(able) <= max(table.advance, 1)
        and not any(seat.source and seat.source.state not in DONE for seat in seats)
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
        said={"reason": reason.strip()[:200]},
    )
    bump(board.sheet.scope)
    return finished
