"""Who comes late to his table (C9.2): a deduction by the steps of the stage, or he forfeits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.errors import Conflict
from scoring.criteria import GAMES
from scoring.domain.board import Board
from scoring.domain.hands import NOT_LATE, Late
from scoring.domain.leaving import leave
from scoring.domain.sheets import open_sheet
from scoring.domain.verdicts import BadVerdict, penalize, void_penalty
from scoring.enums import PenaltyKind, PenaltyLevel
from scoring.models import Penalty
from tournament.acting import Acting
from tournament.enums import EntrantStatus
from tournament.models import Seat, Table

CODE = "late"
"""What the catalogue's codes of 迟到 begin with."""
MOST_MINUTES = 240


@dataclass(frozen=True)
class Lateness:
    """What became of it: the penalty of a step, or the seat that is forfeited."""

    penalty: Penalty | None = None
    forfeited: Seat | None = None


def steps_of(board: Board) -> list[tuple[int, int]]:
    """The stage's steps, minutes and 扣罚; where games are counted there is no sum to take
    anything from, so each is a warning (C10)."""
    by_games = board.order is GAMES
    return [(until, 0 if by_games else points) for until, points in board.stage.lateness]


def step_of(steps: Sequence[Sequence[int]], minutes: int) -> int | None:
    """The 舵 that so many minutes cost, None where the table is forfeited."""
    return next((points for until, points in steps if minutes <= until), None)


@transaction.atomic
def mark_late(
    *,
    acting: Acting,
    table: Table,
    position: int,
    minutes: int,
    late: Late = NOT_LATE,
) -> Lateness:
    """Who sits at `position` has come `minutes` late (C9.2).

    Within the stage's steps 扣罚, in place of an earlier one for lateness at this table; a step of
    0 舵 is a warning. Beyond the last one he is absent: he ranks last, a filler plays for him from
    the next hand on, which who may withdraw him decides (C7.3). Raises what `penalize` or `leave`
    does, `BadVerdict`.
    """
    board = Board(open_sheet(table))
    seat = next((one for one in board.seats if one.position == position), None)
    if seat is None or seat.entrant is None:
        raise BadVerdict(_("请选哪一位选手迟到。"))
    if not 1 <= minutes <= MOST_MINUTES:
        raise BadVerdict(_("迟到几分钟？写 1 到 %(n)d。") % {"n": MOST_MINUTES})
    points = step_of(steps_of(board), minutes)
    reason = str(_("迟到 %(n)d 分钟") % {"n": minutes})
    if points is None:
        if board.is_done:
            raise Conflict(_("这一桌已确认，不能再判缺席。"))
        leave(
            acting=acting,
            entrant=seat.entrant,
            status=EntrantStatus.ABSENT,
            keeps_seat=True,
            reason=reason,
            late=late,
        )
        return Lateness(forfeited=Seat.objects.get(pk=seat.pk))
    for earlier in board.penalties:
        if earlier.position == position and earlier.code.startswith(CODE):
            void_penalty(acting=acting, penalty=earlier, late=late)
    given = penalize(
        acting=acting,
        sheet=board.sheet,
        position=position,
        level=PenaltyLevel.POINTS if points else PenaltyLevel.WARNING,
        kind=PenaltyKind.DEDUCTION if points else PenaltyKind.NONE,
        amount=points,
        reason=reason,
        code=CODE,
        late=late,
    )
    return Lateness(penalty=given)
