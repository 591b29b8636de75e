"""Taking back what was done with a sheet, while nothing depends on it (C9.5); each is logged.

What has its undo elsewhere: a hand (`void_hand`), a correction and a void (`restore_hand`), 待裁
(`clear_flag`), a penalty (`void_penalty`), a ruling (`drop_ruling`).
"""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.domain import jobs
from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict, DomainError
from core.models import AuditRow
from scoring.domain.closing import hold, plan_finality, scope_of
from scoring.domain.library import drop_tables
from scoring.domain.replays import take_finality
from scoring.enums import ProtestState, SheetState
from scoring.models import Confirmation, Protest, Sheet, TieBreak
from tournament.acting import Acting
from tournament.domain import reopening
from tournament.enums import ConfirmationMode, Role
from tournament.models import Round, Table
from tournament.permissions import Action, demand, is_chief, require


@transaction.atomic
def uncall_time(*, acting: Acting, sheet: Sheet) -> Sheet:
    """The bell is taken back; play goes on. Who may ring it may, while the sheet is open."""
    board = hold(sheet, whole=True)
    require(acting, Action.CALL_TIME, board.met())
    if not board.is_called:
        raise Conflict(_("现在没有到点，请刷新后再看。"))
    if board.sheet.state != SheetState.OPEN:
        raise Conflict(_("记分表已经提交。请先撤回提交，再撤销到点。"))
    board.table.called_at = None
    board.table.save(update_fields=["called_at"])
    audit(actor=acting, action="table.uncall-time", scope=scope_of(board), subject=board.table)
    bump(board.sheet.scope)
    return board.sheet


def submitted_by(acting: Acting, sheet: Sheet) -> bool:
    """Whether it was he who submitted the sheet as it stands. One query."""
    rows = AuditRow.objects.filter(subject=f"sheet:{sheet.pk}", action="sheet.submit")
    last = rows.order_by("-pk").first()
    if last is None:
        return False
    return acting.key == Acting(user_id=last.user_id, link_id=last.link_id).key


@transaction.atomic
def unsubmit_sheet(*, acting: Acting, sheet: Sheet) -> Sheet:
    """The sheet is open again, before anybody has confirmed it: who submitted it, or the chief
    referee. Raises `NotAllowed`, `Conflict`."""
    board = hold(sheet, whole=True)
    require(acting, Action.SUBMIT_SHEET, board.met())
    sheet = board.sheet
    demand(is_chief(acting) or submitted_by(acting, sheet), Role.CHIEF)
    if sheet.state != SheetState.SUBMITTED:
        raise Conflict(_("记分表没有提交，请刷新后再看。"))
    if sheet.confirmations.filter(is_current=True).exists():
        raise Conflict(_("已经有人确认。要改请退回，写一句哪里不对。"))
    sheet.state, sheet.submitted_at = SheetState.OPEN, None
    sheet.save(update_fields=["state", "submitted_at"])
    audit(actor=acting, action="sheet.unsubmit", scope=scope_of(board), subject=sheet)
    bump(sheet.scope)
    return sheet


@transaction.atomic
def withdraw_confirmation(*, acting: Acting, sheet: Sheet, position: int | None = None) -> Sheet:
    """Who confirmed takes it back before the table is confirmed; `position` says for which seat.

    Raises what `require` does, `Conflict` where he has not confirmed.
    """
    board = hold(sheet, whole=True)
    require(acting, Action.SEND_BACK, board.met())
    given = [one for one in confirmed_by(acting, board.sheet) if one.position == position]
    if not given:
        raise Conflict(_("没有您的确认可以收回，请刷新后再看。"))
    Confirmation.objects.filter(pk=given[0].pk).update(is_current=False)
    audit(
        actor=acting,
        action="sheet.disagree",
        scope=scope_of(board),
        subject=board.sheet,
        data={"position": position},
    )
    bump(board.sheet.scope)
    return board.sheet


def confirmed_by(acting: Acting, sheet: Sheet) -> list[Confirmation]:
    """The confirmations that he has given and may take back. One query."""
    given = Confirmation.objects.filter(sheet=sheet, is_current=True).order_by("position")
    return [one for one in given if one.written_by.key == acting.key]


@transaction.atomic
def reopen_sheet(*, acting: Acting, sheet: Sheet, reason: str) -> Sheet:
    """The chief referee takes back that a table is confirmed, while the next has no hand (C9.5).

    The sheet waits for confirmation as before the last one; where none is asked for, and after a
    walkover, it is open. Raises `NotAllowed`, `DomainError` `reason-needed`, what `reopen_table`
    does.
    """
    demand(is_chief(acting), Role.CHIEF)
    board = hold(sheet, whole=True)
    if not reason.strip():
        raise DomainError(_("重新打开要写明原因。"), code="reason-needed")
    is_open = board.is_walkover or board.stage.confirmation == ConfirmationMode.NONE
    not_final = reopening.reopen_table(acting=acting, table=board.table)
    sheet = board.sheet
    last = sheet.confirmations.filter(is_current=True).order_by("-pk").first()
    if last is not None:
        Confirmation.objects.filter(pk=last.pk).update(is_current=False)
    sheet.state = SheetState.OPEN if is_open else SheetState.SUBMITTED
    sheet.submitted_at = None if is_open else sheet.submitted_at
    sheet.confirmed_at, sheet.sent_back_word = None, reason.strip()[:200]
    sheet.save(update_fields=["state", "submitted_at", "confirmed_at", "sent_back_word"])
    TieBreak.objects.filter(sheet=sheet).update(order=None)
    drop_tables([board.table.pk])
    if board.round.is_last:
        jobs.drop_waiting(kind="finalize-due", payload={"round": board.round.pk})
    audit(
        actor=acting,
        action="sheet.reopen",
        scope=scope_of(board),
        subject=sheet,
        said={"reason": reason.strip()[:200]},
    )
    bump(sheet.scope, *take_finality(not_final))
    return sheet


@transaction.atomic
def unfinalize_round(*, acting: Acting, round_: Round) -> tuple[Table, ...]:
    """The last round is confirmed again, with its sheets; its minutes until final begin anew."""
    tables = reopening.unfinalize_round(acting=acting, round_=round_)
    sheets = Sheet.objects.filter(table__in=[table.pk for table in tables]).order_by("pk")
    sheets.update(state=SheetState.CONFIRMED, final_at=None)
    plan_finality(Round.objects.select_related("stage__event__competition").get(pk=round_.pk))
    bump(*(Table.scope_of(pk) for pk in sheets.values_list("table_id", flat=True)))
    return tables


@transaction.atomic
def take_back_answer(*, acting: Acting, protest: Protest) -> Protest:
    """The protest is open again; a ruling that came with the answer stays until it is dropped."""
    board = hold(protest.sheet, whole=True)
    require(acting, Action.RULE, board.met(reason="-"))
    protest = lock(protest)
    if protest.state not in (ProtestState.UPHELD, ProtestState.REJECTED):
        raise Conflict(_("这件申诉没有答复可以收回，请刷新后再看。"))
    protest.state, protest.answer, protest.is_upheld = ProtestState.OPEN, "", None
    protest.ruling, protest.answered_at = None, None
    protest.save(update_fields=["state", "answer", "is_upheld", "ruling", "answered_at"])
    audit(actor=acting, action="protest.unanswer", scope=scope_of(board), subject=protest)
    bump(board.sheet.scope)
    return protest
