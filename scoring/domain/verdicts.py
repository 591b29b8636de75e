"""Penalties and rulings of the chief referee (C6.5, C6.6, C7.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict, DomainError
from core.models import AuditRow
from scoring.criteria import GAMES
from scoring.domain.board import Board
from scoring.domain.closing import hold, scope_of
from scoring.domain.hands import NOT_LATE, Late, follow
from scoring.domain.leaving import leave
from scoring.enums import PenaltyKind, PenaltyLevel, ProtestState
from scoring.games import ranked, shares_of
from scoring.models import Hand, Penalty, Protest, Ruling, Sheet
from scoring.penalties import MOST_POINTS, ladder
from scoring.words import fitting
from tournament.acting import Acting
from tournament.enums import EntrantStatus, Role
from tournament.permissions import Action, demand, is_chief, require


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
    reason: str,
    level: PenaltyLevel = PenaltyLevel.POINTS,
    kind: PenaltyKind = PenaltyKind.NONE,
    amount: int = 0,
    code: str = "",
    hand: Hand | None = None,
    stop_from: int | None = None,
    stop_hands: int | None = None,
    late: Late = NOT_LATE,
) -> Penalty:
    """A penalty of a seat (C6.5, R9.6), one step of the ladder.

    A warning takes no points. Points are `amount` 舵 to each other player of the table, or
    `amount` 扣罚 that nobody gets. 停和: he may not win from the hand `stop_from` (the next one
    unless told) on, for `stop_hands` hands, or for the rest of the table. 取消资格 is the chief
    referee's: the entrant leaves (`leave`). The last two may take points as well.

    Raises what `require` does, `BadVerdict`; for 取消资格 what `leave` does; on a
    confirmed table what `settle_again` does.
    """
    board = hold(sheet, whole=True)
    require(acting, Action.PENALIZE, board.met(reason=reason))
    count = len(board.seats)
    if not 0 <= position < count:
        raise BadVerdict(_("请选罚哪一位。"))
    _check_discipline(board, level, kind)
    _check_points(level, kind, amount, board.is_counted)
    if not reason.strip():
        raise BadVerdict(_("请写明为什么罚。"))
    penalty = Penalty(
        sheet=board.sheet,
        hand=hand,
        position=position,
        level=level,
        kind=kind,
        code=code[:20],
        reason=reason.strip()[:200],
        author_id=acting.user_id,
        link_id=acting.link_id,
    )
    if level == PenaltyLevel.NO_HU:
        penalty.stop_from, penalty.stop_hands = stop_from or board.next_number, stop_hands
    if kind == PenaltyKind.DEDUCTION:
        penalty.deducted = amount
    elif kind == PenaltyKind.OPPONENTS:
        penalty.deltas = tuple(
            -amount * (count - 1) if seat == position else amount for seat in range(count)
        )
    penalty.save()
    audit(
        actor=acting,
        action="penalty.give",
        scope=scope_of(board),
        subject=penalty,
        data={
            "position": position, "level": str(level), "kind": str(kind), "amount": amount,
            "code": penalty.code,
        },
    )  # fmt: skip
    if level == PenaltyLevel.DISQUALIFIED:
        _disqualify(acting, board, penalty, late)
    _followed(acting, board, penalty, late, reason)
    return penalty


def _check_points(level: PenaltyLevel, kind: PenaltyKind, amount: int, is_counted: bool) -> None:
    if level == PenaltyLevel.WARNING and (kind != PenaltyKind.NONE or amount):
        raise BadVerdict(_("警告不扣分；要扣分请选“罚分”。"))
    if kind == PenaltyKind.NONE:
        if level == PenaltyLevel.POINTS or amount:
            raise BadVerdict(fitting(is_counted, _("请选罚出的舵归谁。"), _("请选罚出的分归谁。")))
    elif not 1 <= amount <= MOST_POINTS:
        raise BadVerdict(
            fitting(is_counted, _("罚几舵？写 1 到 999。"), _("罚几分？写 1 到 999。"))
        )


def levels_of(board: Board) -> tuple[PenaltyLevel, ...]:
    """The steps of the ladder that the table's game knows (`scoring.penalties.ladder`)."""
    return ladder(is_counted=board.is_counted, by_games=board.order is GAMES)


def _check_discipline(board: Board, level: PenaltyLevel, kind: PenaltyKind) -> None:
    """C6.5 where the game is not 字牌 (C10): 停和 is of 字牌, and where games are counted there is
    no sum that points could be taken from."""
    steps = levels_of(board)
    if level == PenaltyLevel.NO_HU and level not in steps:
        raise BadVerdict(_("停和只用于字牌，这个项目请选别的。"))
    if kind != PenaltyKind.NONE and PenaltyLevel.POINTS not in steps:
        raise BadVerdict(_("这个项目看胜局，不扣分。要判负，请裁决那一盘。"))


def _disqualify(acting: Acting, board: Board, penalty: Penalty, late: Late) -> None:
    """C7.3 disqualify, and here the chief referee's alone; what follows from it is C9.3's."""
    demand(is_chief(acting), Role.CHIEF)
    require(acting, Action.DISQUALIFY, board.met(reason=penalty.reason))
    entrant = board.seats[penalty.position].entrant
    if entrant is None:
        raise BadVerdict(_("陪打没有资格可取消，请选一位选手。"))
    if board.is_done and penalty.has_points:
        raise BadVerdict(_("这一桌已确认：取消资格时不能再扣分，请选“不扣分”。"))
    leave(
        acting=acting,
        entrant=entrant,
        status=EntrantStatus.DISQUALIFIED,
        reason=penalty.reason,
        late=late,
        held=board,
    )


def _followed(acting: Acting, board: Board, penalty: Penalty, late: Late, reason: str) -> None:
    """What hangs on the sheet's sums, where the penalty changes them."""
    if penalty.has_points:
        follow(acting, board, late, reason)
    else:
        bump(board.sheet.scope)


@transaction.atomic
def void_penalty(*, acting: Acting, penalty: Penalty, late: Late = NOT_LATE) -> Penalty:
    """The penalty is taken back (C9.5). Who may give one may; 取消资格 stands, as seats hang on
    it. Raises what `penalize` does, `Conflict` where it has been taken back."""
    board = hold(penalty.sheet, whole=True)
    require(acting, Action.PENALIZE, board.met(reason=late.reason))
    penalty = lock(penalty)
    if penalty.voided_at is not None:
        raise Conflict(_("这次判罚已经撤销。"))
    if penalty.level == PenaltyLevel.DISQUALIFIED:
        raise BadVerdict(_("取消资格不能这样撤销：座位已经变动，请裁判长在选手页处理。"))
    penalty.voided_at = timezone.now()
    penalty.save(update_fields=["voided_at"])
    audit(actor=acting, action="penalty.void", scope=scope_of(board), subject=penalty)
    _followed(acting, board, penalty, late, late.reason)
    return penalty


@transaction.atomic
def rule_on_hand(
    *,
    acting: Acting,
    hand: Hand,
    deltas: Sequence[int],
    reason: str,
    protest: Protest | None = None,
    late: Late = NOT_LATE,
) -> Ruling:
    """The chief referee's points stand in totals in place of the computed ones (C6.6).

    `deltas` has one number a seat and sums to zero. Of a game (C10) they are what counts there,
    points or shares of the game (`scoring.games`). `protest`, upheld before, is what it answers.
    Raises as `penalize`.
    """
    board = hold(hand.sheet, whole=True)
    require(acting, Action.RULE, board.met(reason=reason))
    _check_reason(reason)
    if len(deltas) != len(board.seats) or any(abs(delta) > MOST_POINTS for delta in deltas):
        raise BadVerdict(_("每个座位写一个整数，没有输赢写 0。"))
    if not board.is_counted:
        _check_game(board, deltas)
    elif sum(deltas):
        raise BadVerdict(_("各家相加应为 0，现在是 %(sum)+d。") % {"sum": sum(deltas)})
    before = _supersede(hand.rulings.all())
    ruling = _ruling(acting, board, reason, hand=hand)
    ruling.deltas = tuple(deltas)
    if not board.is_counted:
        ruling.places = ranked([-delta for delta in deltas])
    ruling.save()
    data = {"before": before, "hand": hand.number, "deltas": list(deltas)}
    _attach(board, ruling, protest)
    _ruled(acting, board, ruling, data, late, reason)
    return ruling


@transaction.atomic
def rule_on_table(
    *,
    acting: Acting,
    sheet: Sheet,
    places: Mapping[int, int],
    reason: str,
    protest: Protest | None = None,
    late: Late = NOT_LATE,
) -> Ruling:
    """The chief referee fixes the places of the table's entrants (C6.6): position → place from
    1, each place once. `protest`, upheld before, is what it answers. Raises as `penalize`."""
    board = hold(sheet, whole=True)
    require(acting, Action.RULE, board.met(reason=reason))
    _check_reason(reason)
    entrants = {seat.position for seat in board.seats if seat.entrant_id is not None}
    if set(places) != entrants or sorted(places.values()) != list(range(1, len(entrants) + 1)):
        raise BadVerdict(_("每位选手一个名次，从 1 到 %(n)d，不能重复。") % {"n": len(entrants)})
    before = _supersede(Ruling.objects.filter(sheet=board.sheet, hand=None))
    ruling = _ruling(acting, board, reason)
    ruling.places = {str(position): place for position, place in places.items()}
    ruling.save()
    _attach(board, ruling, protest)
    _ruled(acting, board, ruling, {"before": before, "places": ruling.places}, late, reason)
    return ruling


@transaction.atomic
def drop_ruling(*, acting: Acting, ruling: Ruling, late: Late = NOT_LATE) -> Ruling:
    """The ruling is taken back: the one that it replaced stands again, else the computed value
    counts (C9.5). Raises what `require` does, `Conflict` where it does not stand."""
    board = hold(ruling.sheet, whole=True)
    require(acting, Action.RULE, board.met(reason=late.reason))
    ruling = lock(ruling)
    if not ruling.is_current:
        raise Conflict(_("这条裁决已经撤销或被新的代替。"))
    before = ruling_before(ruling)
    ruling.is_current = False
    ruling.save(update_fields=["is_current"])
    if before is not None:
        before.is_current = True
        before.save(update_fields=["is_current"])
    audit(
        actor=acting,
        action="ruling.drop",
        scope=scope_of(board),
        subject=ruling,
        data={"restored": before.pk if before else None},
    )
    follow(acting, board, late, late.reason)
    return ruling


def ruling_before(ruling: Ruling) -> Ruling | None:
    """The ruling that this one replaced. Two queries at most."""
    given = AuditRow.objects.filter(subject=f"ruling:{ruling.pk}", action="ruling.give").last()
    before = given.data.get("before") if given is not None else None
    return Ruling.objects.filter(pk=before).first() if before is not None else None


def _supersede(rulings: QuerySet[Ruling]) -> int | None:
    """The current one of them stands no more; its key."""
    current = rulings.filter(is_current=True).first()
    if current is None:
        return None
    current.is_current = False
    current.save(update_fields=["is_current"])
    return current.pk


def _check_game(board: Board, deltas: Sequence[int]) -> None:
    """Where games count the winners share the game evenly."""
    shares = shares_of(ranked([-delta for delta in deltas]))
    if board.order is GAMES and tuple(deltas) != shares:
        raise BadVerdict(_("请选这一盘判谁赢，或判和。"))


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise BadVerdict(_("裁决要写明理由。"))


def _attach(board: Board, ruling: Ruling, protest: Protest | None) -> None:
    """The ruling is what an upheld protest led to."""
    if protest is None:
        return
    protest = lock(protest)
    upheld = protest.state in (ProtestState.UPHELD, ProtestState.GRANTED)
    if protest.sheet_id != board.sheet.pk or not upheld:
        raise Conflict(_("这件申诉没有判为成立，请先答复它。"))
    protest.ruling = ruling
    protest.save(update_fields=["ruling"])


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
