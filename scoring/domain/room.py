"""What numbers a sheet has room for, and who has taken one (C6.2, C6.4)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from scoring.domain.board import Board
from scoring.domain.errors import HandTaken, SheetFull
from scoring.models import HandVersion
from scoring.models.base import Authored
from scoring.words import fitting


def check_room(board: Board, number: int, hands: int) -> None:
    """C6.4: no more than the planned hands; void hands and 加赛 have numbers of their own."""
    if board.is_decided:
        raise SheetFull(_("这一桌已经分出胜负，不用再打。"))
    besides = sum(line.hands for line in board.lines if not line.counts)
    check_sum(board, hands)
    if number + hands - 1 > board.sheet.hands_planned + besides:
        raise _full(board)


def check_sum(board: Board, hands: int, instead: HandVersion | None = None) -> None:
    """So many hands more, in place of those of `instead`, are not more than planned."""
    freed = 0
    if instead is not None and not instead.is_void:
        freed = int(instead.payload.get("hands", 1))
    if board.sums.played - freed + hands > board.sheet.hands_planned:
        raise _full(board)


def _full(board: Board) -> SheetFull:
    return SheetFull(
        fitting(
            board.is_counted,
            _("这张表应打 %(planned)d 局，已记 %(played)d 局。"),
            _("这张表应打 %(planned)d 盘，已记 %(played)d 盘。"),
        )
        % {"planned": board.sheet.hands_planned, "played": board.sums.played}
    )


def check_free(board: Board, number: int, hands: int = 1) -> None:
    wanted = range(number, number + hands)
    for version, line in zip(board.versions, board.lines, strict=True):
        taken = range(line.number, line.number + line.hands)
        if wanted.start < taken.stop and taken.start < wanted.stop:
            raise HandTaken(version, who_wrote(version))


def who_wrote(row: Authored) -> str:
    """What people call the author: the account's name, or the link's label or role."""
    if row.author is not None:
        return row.author.name
    if row.link is not None:
        return row.link.label or str(row.link.get_role_display())
    return str(_("系统"))


def check_span(board: Board, others: list[HandVersion], number: int, hands: int) -> None:
    for version in others:
        if number < version.hand.number < number + hands:
            raise HandTaken(version, who_wrote(version))
