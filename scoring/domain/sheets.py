"""A sheet's way: opened, submitted, confirmed or sent back (C6.4, C7)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.versions import bump
from core.errors import Conflict, DomainError
from scoring.domain.board import Board
from scoring.domain.closing import (
    check_no_flag,
    check_no_tie,
    close,
    hold,
    scope_of,
    tie_sentence,
)
from scoring.domain.errors import NotFull, SheetChanged
from scoring.enums import SheetState
from scoring.models import Confirmation, Sheet
from scoring.ranking import OpenTie
from scoring.words import fitting
from tournament.acting import Acting
from tournament.domain.tables import Finished
from tournament.enums import ConfirmationMode, Role
from tournament.models import Table
from tournament.permissions import Action, demand, is_chief, require


@dataclass(frozen=True)
class Confirmed:
    """What a confirmation led to: the closed table, or `ties` that opened the sheet again, or
    neither while others have still to confirm."""

    sheet: Sheet
    finished: Finished | None = None
    ties: tuple[OpenTie, ...] = ()


def open_sheet(table: Table) -> Sheet:
    """The table's sheet, made where there is none yet. Needs `table.round`."""
    (sheet,) = open_sheets([table])
    return sheet


def open_sheets(tables: Iterable[Table]) -> list[Sheet]:
    """The sheets of these tables in their order, made where there are none yet."""
    wanted = list(tables)
    found = Sheet.objects.in_bulk([table.pk for table in wanted], field_name="table_id")
    missing = [
        Sheet(table=table, hands_planned=table.round.hands)
        for table in wanted
        if table.pk not in found
    ]
    if missing:
        Sheet.objects.bulk_create(missing, ignore_conflicts=True, batch_size=500)
        found = Sheet.objects.in_bulk([table.pk for table in wanted], field_name="table_id")
    return [found[table.pk] for table in wanted]


@transaction.atomic
def call_time(*, acting: Acting, sheet: Sheet) -> Sheet:
    """The bell (C6.4): the running hand is finished, no new one is dealt."""
    board = hold(sheet, whole=True)
    require(acting, Action.CALL_TIME, board.met())
    if board.is_called:
        return board.sheet
    board.table.called_at = timezone.now()
    board.table.save(update_fields=["called_at"])
    audit(actor=acting, action="table.call-time", scope=scope_of(board), subject=board.table)
    bump(board.sheet.scope)
    return board.sheet


@transaction.atomic
def submit_sheet(*, acting: Acting, sheet: Sheet) -> Confirmed:
    """The sheet is complete and waits for confirmation; with mode `none` it is confirmed.

    Raises what `require` does, `NotFull`, `FlagOpen`, `TieOpen` (a 加赛 is to be played).
    """
    board = hold(sheet, whole=True)
    require(acting, Action.SUBMIT_SHEET, board.met())
    sheet = board.sheet
    if sheet.state != SheetState.OPEN:
        raise Conflict(_("记分表已经提交，请刷新后再看。"))
    _check_length(acting, board)
    check_no_flag(board)
    check_no_tie(board)
    sheet.state, sheet.submitted_at, sheet.sent_back_word = (
        SheetState.SUBMITTED,
        timezone.now(),
        "",
    )
    sheet.save(update_fields=["state", "submitted_at", "sent_back_word"])
    audit(
        actor=acting,
        action="sheet.submit",
        scope=scope_of(board),
        subject=sheet,
        data={"digest": board.digest, "hands": board.sums.played},
    )
    finished = None
    if board.stage.confirmation == ConfirmationMode.NONE:
        finished = close(acting, board)
    bump(sheet.scope)
    return Confirmed(sheet, finished)


def _check_length(acting: Acting, board: Board) -> None:
    played, planned = board.sums.played, board.sheet.hands_planned
    if not board.is_full and not board.is_called:
        raise NotFull(
            fitting(
                board.is_counted,
                _("打了 %(played)d 局，应打 %(planned)d 局。时间到了请先按“到点”。"),
                _("打了 %(played)d 盘，应打 %(planned)d 盘。时间到了请先按“到点”。"),
            )
            % {"played": played, "planned": planned}
        )
    if played * 2 < planned and not board.is_decided:
        demand(is_chief(acting), Role.CHIEF)


@transaction.atomic
def send_back(*, acting: Acting, sheet: Sheet, word: str) -> Sheet:
    """The sheet is open again, with a word on what is wrong; confirmations fall away (C7.2)."""
    board = hold(sheet)
    require(acting, Action.SEND_BACK, board.met())
    if not word.strip():
        raise DomainError(_("请写一句哪里不对，再退回。"), code="word-needed")
    _reopen(board, word.strip()[:200])
    audit(
        actor=acting,
        action="sheet.send-back",
        scope=scope_of(board),
        subject=board.sheet,
        said={"word": word.strip()[:200]},
    )
    bump(board.sheet.scope)
    return board.sheet


def _reopen(board: Board, word: str) -> None:
    board.sheet.state, board.sheet.sent_back_word = SheetState.OPEN, word
    board.sheet.save(update_fields=["state", "sent_back_word"])
    drop_confirmations(board.sheet)


def drop_confirmations(sheet: Sheet) -> None:
    """What was confirmed is no longer what the sheet says."""
    Confirmation.objects.filter(sheet=sheet, is_current=True).update(is_current=False)


@transaction.atomic
def confirm_sheet(
    *, acting: Acting, sheet: Sheet, digest: str, position: int | None = None
) -> Confirmed:
    """Somebody confirms the sheet that had `digest` when he saw it (C7.2).

    With mode `players` each seated player does, by the table's link (`position` says who) or his
    own; the chief referee, or with `referee` another one, alone. The last confirmation closes the
    table. Raises what `require` does, `SheetChanged`, `FlagOpen`, `DomainError` `who-confirms`.
    """
    board = hold(sheet, whole=True)
    require(acting, Action.CONFIRM_SHEET, board.met())
    if digest != board.digest:
        raise SheetChanged(_("记分表在您看的时候改过了，请再看一遍再确认。"))
    check_no_flag(board)
    seat = _who_confirms(acting, board, position)
    sheet = board.sheet
    if not sheet.confirmations.filter(is_current=True, position=seat).exists():
        Confirmation.objects.create(
            sheet=sheet,
            position=seat,
            digest=digest,
            author_id=acting.user_id,
            link_id=acting.link_id,
        )
    audit(
        actor=acting,
        action="sheet.agree",
        scope=scope_of(board),
        subject=sheet,
        data={"digest": digest, "position": seat},
    )
    confirmed = _close_if_complete(acting, board, alone=seat is None)
    bump(sheet.scope)
    return confirmed


def _who_confirms(acting: Acting, board: Board, position: int | None) -> int | None:
    """The seat that confirms, None for a referee."""
    if is_chief(acting) or board.stage.confirmation == ConfirmationMode.REFEREE:
        return None
    mine = confirmable(acting, board)
    if position is None and len(mine) == 1:
        return mine[0]
    if position not in mine:
        raise DomainError(_("请选是哪一位在确认。"), code="who-confirms")
    return position


def confirmable(acting: Acting, board: Board) -> list[int]:
    """The seats for which this table's or entrant's link may confirm."""
    at_table = board.table.pk in acting.table_ids
    return [
        seat.position
        for seat in board.seats
        if seat.entrant_id is not None and (at_table or seat.entrant_id in acting.entrant_ids)
    ]


def must_confirm(board: Board) -> list[int]:
    """The seats whose players have to confirm: entrants who have not left."""
    return [seat.position for seat in board.seats if seat.entrant is not None and not seat.forfeits]


def _close_if_complete(acting: Acting, board: Board, *, alone: bool) -> Confirmed:
    given = set(
        board.sheet.confirmations.filter(is_current=True).values_list("position", flat=True)
    )
    if not alone and not given.issuperset(must_confirm(board)):
        return Confirmed(board.sheet)
    ties = board.open_ties
    if any(tie.hand is not None for tie in ties):
        _reopen(board, str(tie_sentence(board, ties))[:200])
        return Confirmed(board.sheet, ties=ties)
    return Confirmed(board.sheet, finished=close(acting, board))
