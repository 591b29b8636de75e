"""Somebody leaves, is disqualified or comes back: his seat, his sheet, who goes on (C9.3, C9.5)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.errors import Conflict, DomainError
from scoring.domain.board import Board
from scoring.domain.boards import load_boards
from scoring.domain.closing import hold
from scoring.domain.hands import NOT_LATE, Late, follow
from scoring.domain.next_field import settle_after_leaving
from scoring.domain.preliminary import settle_preliminary
from scoring.domain.sheets import open_sheet
from scoring.enums import SheetState
from scoring.standings import TablePlace, rank_across_tables
from tournament.acting import Acting
from tournament.domain.leaving import (
    action_of,
    current_seat,
    given_up,
    last_seat,
    met_seat,
    return_entrant,
    stand_ins,
    withdraw_entrant,
)
from tournament.enums import BEFORE_PLAY, EntrantStatus
from tournament.models import Entrant, Event, Seat
from tournament.permissions import require


@dataclass(frozen=True)
class Proposal:
    """Somebody who did not advance and could take the seat: where he played, and how; of a
    preliminary (`table` 0) his rank there is the place.
    """

    entrant: Entrant
    table: int
    place: int | None
    net: int
    hands: int

    @property
    def per_hand(self) -> Fraction:
        """Net 舵 per hand at that table."""
        return Fraction(self.net, self.hands or 1)


def proposals(seat: Seat) -> list[Proposal]:
    """Who may take a seat at a table without a hand, best first (C8.4, C9.3).

    Those of the round before who did not advance, for the first round those of the preliminary by
    rank; who has no sheet there comes last.
    """
    free = {entrant.pk: entrant for entrant in stand_ins(seat)}
    if not free:
        return []
    round_ = seat.table.round
    if round_.number == 1:
        return [Proposal(entrant, 0, entrant.prelim_rank, 0, 0) for entrant in free.values()]
    found: dict[int, tuple[TablePlace, Proposal]] = {}
    for board in load_boards(Event.objects.get(stages=round_.stage_id)):
        if (board.stage.pk, board.round.number) != (round_.stage_id, round_.number - 1):
            continue
        hands = max(board.sums.played, 1)
        for one, sums in zip(board.seats, board.sums.seats, strict=True):
            entrant = free.get(one.entrant_id or 0)
            if entrant is None:
                continue
            lot = board.lots.get(entrant.number or 0)
            found[entrant.pk] = (
                TablePlace(entrant.pk, sums.net, hands, sums.hands_won, sums.discards, lot),
                Proposal(entrant, board.table.number, one.place, sums.net, hands),
            )
    ranked = rank_across_tables([result for result, _proposal in found.values()])
    unplayed = Seat.objects.filter(
        round__stage=round_.stage_id, round__number=round_.number - 1, entrant__in=free
    ).exclude(entrant__in=found)
    return [found[result.key][1] for result in ranked] + [
        Proposal(free[one.entrant_id], one.table.number, one.place, 0, 0)
        for one in unplayed.select_related("table").order_by("place", "entrant")
        if one.entrant_id is not None
    ]


@transaction.atomic
def leave(
    *,
    acting: Acting,
    entrant: Entrant,
    status: EntrantStatus,
    instead: Entrant | None = None,
    keeps_seat: bool = False,
    reason: str = "",
    late: Late = NOT_LATE,
    held: Board | None = None,
) -> Seat | None:
    """As `withdraw_entrant`, with what follows at his table's sheet (C9.3).

    At a running table a filler plays the hands that are not in yet; what was confirmed falls
    away. Who is disqualified after his last table was confirmed ranks last there: raises what
    `settle_again` does. A disqualification needs a reason (`DomainError`, `reason-needed`).
    `held` is a sheet that the caller has locked, as `hold` gives it.
    """
    require(acting, action_of(status), met_seat(entrant, current_seat(entrant)))
    if status == EntrantStatus.DISQUALIFIED and not reason.strip():
        raise DomainError(_("取消资格要写明原因。"), code="reason-needed")
    board = _held(entrant, held)
    from_hand = None
    if board is not None and not board.is_done:
        is_over = board.is_full or board.sheet.state == SheetState.SUBMITTED
        from_hand = None if is_over else board.next_number
    seat = withdraw_entrant(
        acting=acting,
        entrant=entrant,
        status=status,
        instead=instead,
        from_hand=from_hand,
        keeps_seat=keeps_seat,
        reason=reason,
    )
    if board is not None and (not board.is_done or status == EntrantStatus.DISQUALIFIED):
        follow(acting, board, late, reason)
    if seat is None:
        settle_after_leaving(acting, entrant)
        settle_preliminary(acting, entrant.event)
    return seat


@transaction.atomic
def come_back(*, acting: Acting, entrant: Entrant, late: Late = NOT_LATE) -> Seat | None:
    """As `return_entrant`, with what follows at his table's sheet (C9.5).

    Raises `Conflict` (`played-on`) where a filler has played a hand for him or others have
    played on since; at a confirmed table what `settle_again` does.
    """
    taken = given_up(entrant)
    may_wait = taken is not None and taken.table.round.is_prelim
    board = None if taken is not None and not may_wait else _held(entrant)
    next_hand = board.next_number if board is not None else 1
    sits = board.seats if board is not None else ()
    own = next((one for one in sits if one.entrant_id == entrant.pk), None)
    has_played = own is not None and own.sat_in_from is not None and next_hand > own.sat_in_from
    if has_played and not may_wait:
        raise Conflict(_("陪打已经替他打过，不能再恢复。"), code="played-on")
    seat = return_entrant(acting=acting, entrant=entrant, next_hand=next_hand)
    if board is not None and (not board.is_done or (own is not None and own.forfeits)):
        if late.as_played:
            raise Conflict(_("下一轮已经开打，不能再恢复。"), code="played-on")
        follow(acting, board, late, late.reason)
    if seat is None:
        settle_after_leaving(acting, entrant)
        settle_preliminary(acting, entrant.event)
    return seat


def _held(entrant: Entrant, held: Board | None = None) -> Board | None:
    """The sheet of the table at which he sits or sat last, locked; None before its first hand."""
    seat = current_seat(entrant) or last_seat(entrant)
    if seat is None or seat.table.state in BEFORE_PLAY:
        return None
    if held is not None and held.table.pk == seat.table_id:
        return held
    return hold(open_sheet(seat.table), whole=True)
