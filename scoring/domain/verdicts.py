"""Penalties, rulings of the chief referee, protests (C6.5, C6.6, C7.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict, DomainError
from scoring.domain.board import Board
from scoring.domain.closing import hold, scope_of
from scoring.domain.hands import NOT_LATE, Late, follow
from scoring.enums import PenaltyKind, ProtestAbout, ProtestState
from scoring.models import Hand, Penalty, Protest, Ruling, Sheet
from tournament.acting import Acting
from tournament.permissions import Action, require

MOST_POINTS = 999


class BadVerdict(DomainError):
    """A penalty or ruling that cannot be; the message says what to change."""

    code = "bad-verdict"
    status = 422


@transaction.atomic
def penalize(
    *,
    acting: Acting,
    sheet: Sheet,
    position: int,
    kind: PenaltyKind,
    amount: int,
    reason: str,
    code: str = "",
    hand: Hand | None = None,
    late: Late = NOT_LATE,
) -> Penalty:
    """Takes points from a seat (C6.5, R9.6): `amount` 舵 to each other player of the table, or
    `amount` 扣罚 that nobody gets.

    Raises what `require` does, `BadVerdict`; on a confirmed table what `settle_again` does.
    """
    board = hold(sheet, whole=True)
    require(acting, Action.PENALIZE, board.met(reason=reason))
    count = len(board.seats)
    if not 0 <= position < count:
        raise BadVerdict(_("请选罚哪一位。"))
    if not 1 <= amount <= MOST_POINTS:
        raise BadVerdict(_("罚几舵？写 1 到 999。"))
    if not reason.strip():
        raise BadVerdict(_("请写明为什么罚。"))
    penalty = Penalty(
        sheet=board.sheet,
        hand=hand,
        position=position,
        kind=kind,
        code=code[:20],
        reason=reason.strip()[:200],
        author_id=acting.user_id,
        link_id=acting.link_id,
    )
    if kind == PenaltyKind.DEDUCTION:
        penalty.deducted = amount
    else:
        penalty.deltas = tuple(
            -amount * (count - 1) if seat == position else amount for seat in range(count)
        )
    penalty.save()
    audit(
        actor=acting,
        action="penalty.give",
        scope=scope_of(board),
        subject=penalty,
        data={"position": position, "kind": str(kind), "amount": amount},
    )
    follow(acting, board, late, reason)
    return penalty


@transaction.atomic
def void_penalty(*, acting: Acting, penalty: Penalty, late: Late = NOT_LATE) -> Penalty:
    """The penalty is taken back (C9.5). Who may give one may."""
    board = hold(penalty.sheet, whole=True)
    require(acting, Action.PENALIZE, board.met(reason=late.reason))
    penalty = lock(penalty)
    if penalty.voided_at is not None:
        raise Conflict(_("这次罚分已经撤销。"))
    penalty.voided_at = timezone.now()
    penalty.save(update_fields=["voided_at"])
    audit(actor=acting, action="penalty.void", scope=scope_of(board), subject=penalty)
    follow(acting, board, late, late.reason)
    return penalty


@transaction.atomic
def rule_on_hand(
    *,
    acting: Acting,
    hand: Hand,
    deltas: Sequence[int],
    reason: str,
    late: Late = NOT_LATE,
) -> Ruling:
    """The chief referee's points stand in totals in place of the computed ones (C6.6).

    `deltas` has one number a seat and sums to zero. Raises as `penalize`.
    """
    board = hold(hand.sheet, whole=True)
    require(acting, Action.RULE, board.met(reason=reason))
    _check_reason(reason)
    if len(deltas) != len(board.seats) or any(abs(delta) > MOST_POINTS for delta in deltas):
        raise BadVerdict(_("每个座位写一个整数，没有输赢写 0。"))
    if sum(deltas):
        raise BadVerdict(_("各家相加应为 0，现在是 %(sum)+d。") % {"sum": sum(deltas)})
    hand.rulings.filter(is_current=True).update(is_current=False)
    ruling = _ruling(acting, board, reason, hand=hand)
    ruling.deltas = tuple(deltas)
    ruling.save()
    data = {"hand": hand.number, "deltas": list(deltas)}
    _ruled(acting, board, ruling, data, late, reason)
    return ruling


@transaction.atomic
def rule_on_table(
    *,
    acting: Acting,
    sheet: Sheet,
    places: Mapping[int, int],
    reason: str,
    late: Late = NOT_LATE,
) -> Ruling:
    """The chief referee fixes the places of the table's entrants (C6.6): position → place from
    1, each place once. Raises as `penalize`."""
    board = hold(sheet, whole=True)
    require(acting, Action.RULE, board.met(reason=reason))
    _check_reason(reason)
    entrants = {seat.position for seat in board.seats if seat.entrant_id is not None}
    if set(places) != entrants or sorted(places.values()) != list(range(1, len(entrants) + 1)):
        raise BadVerdict(_("每位选手一个名次，从 1 到 %(n)d，不能重复。") % {"n": len(entrants)})
    Ruling.objects.filter(sheet=board.sheet, hand=None, is_current=True).update(is_current=False)
    ruling = _ruling(acting, board, reason)
    ruling.places = {str(position): place for position, place in places.items()}
    ruling.save()
    _ruled(acting, board, ruling, {"places": ruling.places}, late, reason)
    return ruling


@transaction.atomic
def drop_ruling(*, acting: Acting, ruling: Ruling, late: Late = NOT_LATE) -> Ruling:
    """The ruling is taken back; the computed value counts again (C9.5)."""
    board = hold(ruling.sheet, whole=True)
    require(acting, Action.RULE, board.met(reason=late.reason))
    ruling = lock(ruling)
    if not ruling.is_current:
        raise Conflict(_("这条裁决已经撤销或被新的代替。"))
    ruling.is_current = False
    ruling.save(update_fields=["is_current"])
    audit(actor=acting, action="ruling.drop", scope=scope_of(board), subject=ruling)
    follow(acting, board, late, late.reason)
    return ruling


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise BadVerdict(_("裁决要写明理由。"))


def _ruling(acting: Acting, board: Board, reason: str, hand: Hand | None = None) -> Ruling:
    return Ruling(
        sheet=board.sheet,
        hand=hand,
        reason=reason.strip()[:400],
        author_id=acting.user_id,
        link_id=acting.link_id,
    )


def _ruled(
    acting: Acting,
    board: Board,
    ruling: Ruling,
    data: Mapping[str, object],
    late: Late,
    reason: str,
) -> None:
    audit(actor=acting, action="ruling.give", scope=scope_of(board), subject=ruling, data=data)
    follow(acting, board, late, reason)


@transaction.atomic
def protest(
    *,
    acting: Acting,
    sheet: Sheet,
    text: str,
    hand: Hand | None = None,
    position: int | None = None,
) -> Protest:
    """A protest from the table, an entrant or a referee (C7.3); the chief referee answers it."""
    board = hold(sheet, whole=True)
    require(acting, Action.PROTEST, board.met())
    if not text.strip():
        raise BadVerdict(_("请写明申诉什么。"))
    made = Protest.objects.create(
        sheet=board.sheet,
        about=ProtestAbout.OTHER if hand is None else ProtestAbout.HAND,
        hand=hand,
        position=position,
        text=text.strip()[:400],
        author_id=acting.user_id,
        link_id=acting.link_id,
    )
    audit(actor=acting, action="protest.make", scope=scope_of(board), subject=made)
    bump(board.sheet.scope)
    return made


@transaction.atomic
def answer_protest(
    *,
    acting: Acting,
    protest: Protest,
    state: ProtestState,
    answer: str,
    ruling: Ruling | None = None,
) -> Protest:
    """The chief referee upholds or rejects a protest, with an answer."""
    board = hold(protest.sheet, whole=True)
    require(acting, Action.RULE, board.met(reason=answer))
    protest = lock(protest)
    if protest.state != ProtestState.OPEN:
        raise Conflict(_("这件申诉已经答复。"))
    if not answer.strip():
        raise BadVerdict(_("请写明答复。"))
    protest.state, protest.answer = state, answer.strip()[:400]
    protest.ruling, protest.answered_at = ruling, timezone.now()
    protest.is_upheld = state == ProtestState.UPHELD
    protest.save(update_fields=["state", "is_upheld", "answer", "ruling", "answered_at"])
    audit(
        actor=acting,
        action="protest.answer",
        scope=scope_of(board),
        subject=protest,
        data={"state": str(state)},
    )
    bump(board.sheet.scope)
    return protest
