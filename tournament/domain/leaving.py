"""An entrant leaves after the draw, is disqualified or absent, or comes back (C7.3, C9.2, C9.3)."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict
from tournament.acting import Acting
from tournament.domain.seating import met_table
from tournament.enums import BEFORE_PLAY, DONE, EntrantStatus, State
from tournament.models import Entrant, Event, Seat
from tournament.permissions import Action, Met, require

GONE = (EntrantStatus.WITHDRAWN, EntrantStatus.DISQUALIFIED, EntrantStatus.ABSENT)


def action_of(status: str) -> Action:
    """The row of C7.3 that decides who may give an entrant this status, or take it back."""
    disqualified = status == EntrantStatus.DISQUALIFIED
    return Action.DISQUALIFY if disqualified else Action.WITHDRAW


@transaction.atomic
def withdraw_entrant(
    *,
    acting: Acting,
    entrant: Entrant,
    status: EntrantStatus = EntrantStatus.WITHDRAWN,
    instead: Entrant | None = None,
    from_hand: int | None = None,
    keeps_seat: bool = False,
    reason: str = "",
) -> Seat | None:
    """An entrant leaves after the draw, or is disqualified or absent (`status`) (C9.3).

    Where his table has no hand yet, `instead` (somebody who did not advance) gets the seat, else
    a filler; with `keeps_seat` (C9.2), or where a filler sits there already, he keeps it and
    forfeits, a filler playing every hand. Where it runs, a filler plays from hand `from_hand` on
    (None: no hand is left) and he ranks last there. A preliminary's later seats go to fillers too,
    or are forfeited where a filler sits at the table already (C1.3). Returns that seat, None where
    all his tables are confirmed; who is disqualified then, also after he was eliminated, forfeits
    the last one, which the caller settles again. Raises what `require` does, `Conflict` where he
    is not in.
    """
    event = lock(Event.objects.get(pk=entrant.event_id))
    entrant = lock(entrant)
    out_too = status == EntrantStatus.DISQUALIFIED and entrant.status == EntrantStatus.OUT
    if entrant.status != EntrantStatus.IN and not out_too:
        raise Conflict(_("这名选手已经不在赛，请刷新后再看。"))
    seat = current_seat(entrant)
    met = met_seat(entrant, seat)
    require(acting, action_of(status), met)
    entrant.status = status
    entrant.save(update_fields=["status"])
    if seat is not None:
        seat = lock(seat)
        if met.has_hands:
            _forfeit(seat, from_hand)
        elif keeps_seat or not _reseat(seat, entrant, instead):
            _forfeit(seat, 1)
        _leave_later(entrant, seat)
    elif status == EntrantStatus.DISQUALIFIED:
        last = last_seat(entrant)
        if last is not None:
            _forfeit(lock(last), None)
    audit(
        actor=acting,
        action=f"entrant.{status}",
        scope=acting.scope,
        subject=entrant,
        data={
            "seat": seat.pk if seat else None,
            "instead": instead.pk if instead else None,
            "from_hand": seat.sat_in_from if seat else None,
        },
        said={"reason": reason.strip()[:200]},
    )
    bump(event.scope)
    return seat


@transaction.atomic
def return_entrant(*, acting: Acting, entrant: Entrant, next_hand: int = 1) -> Seat | None:
    """Takes back that somebody left, while nothing depends on it (C9.5).

    He gets his seat again; who sat there for him is out as before. `next_hand` is the number of
    the next hand at the table where a filler plays for him. Returns his seat at a table that is
    not confirmed, None where there is none: the caller settles his last table again. Raises what
    `require` does, `Conflict` where he has not left or others have played on.
    """
    event = lock(Event.objects.get(pk=entrant.event_id))
    entrant = lock(entrant)
    if entrant.status not in GONE:
        raise Conflict(_("这名选手没有离开，请刷新后再看。"))
    seat = seat_to_return_to(entrant, next_hand)
    if seat is None and last_seat(entrant) is None:
        raise Conflict(_("他在抽签前就退赛了，没有座位可以恢复；可以在签表上补入迟到的选手。"))
    met = met_seat(entrant, seat)
    require(acting, action_of(entrant.status), met)
    if seat is not None:
        seat = lock(seat)
        entrant.status = EntrantStatus.IN
        if seat.stands_for_id == entrant.pk or entrant.pk in seat.stood_in:
            if met.has_hands:
                raise Conflict(_("他的座位那一桌已经开打，不能再恢复。"), code="played-on")
            _give_back(seat, entrant)
        elif seat.sat_in_from is not None and next_hand > seat.sat_in_from:
            raise Conflict(_("陪打已经替他打过，不能再恢复。"), code="played-on")
        seat.forfeits, seat.sat_in_from = False, None
        seat.save(update_fields=["forfeits", "sat_in_from"])
        _come_back_later(entrant, seat)
    else:
        entrant.status = _status_played(entrant)
    entrant.save(update_fields=["status"])
    audit(
        actor=acting,
        action="entrant.return",
        scope=acting.scope,
        subject=entrant,
        data={"seat": seat.pk if seat else None},
    )
    bump(event.scope)
    return seat


def current_seat(entrant: Entrant) -> Seat | None:
    """Where he sits now: at his table that is not confirmed yet, in a preliminary the first."""
    return (
        Seat.objects.filter(entrant=entrant)
        .exclude(table__state__in=DONE)
        .select_related("table__round")
        .order_by("-round__stage__kind", "round__number")
        .first()
    )


def last_seat(entrant: Entrant) -> Seat | None:
    """His seat in the latest round that he has one in."""
    found = Seat.objects.filter(entrant=entrant).select_related("table__round")
    return found.order_by("round__stage__kind", "-round__number").first()


def given_up(entrant: Entrant) -> Seat | None:
    """The seat in which somebody sits for him since he left, he having won it or stood in."""
    found = Seat.objects.filter(stands_for=entrant).select_related("table__round")
    own = found.order_by("round__stage__kind", "-round__number").first()
    return own or _stood_in(entrant)


def seat_to_return_to(entrant: Entrant, next_hand: int = 1) -> Seat | None:
    """The seat that is his again when he comes back, and with it in a preliminary those after it:
    there the running one if no filler has played a hand for him, else the first that waits."""
    now, own = current_seat(entrant), given_up(entrant)
    is_prelim = any(seat is not None and seat.table.round.is_prelim for seat in (now, own))
    if not is_prelim:
        return own or now
    plays = now is not None and now.table.state not in BEFORE_PLAY
    if now is not None and plays and next_hand <= (now.sat_in_from or next_hand):
        return now
    waiting = Seat.objects.filter(
        Q(stands_for=entrant) | Q(entrant=entrant, sat_in_from=1),
        round__advance=0,
        round__stage__event=entrant.event_id,
        table__state__in=BEFORE_PLAY,
    )
    first = waiting.select_related("table__round").order_by("round__number").first()
    return first or own or now


def _stood_in(entrant: Entrant) -> Seat | None:
    left = Seat.objects.filter(round__stage__event=entrant.event_id).exclude(stood_in=[])
    found = left.select_related("table__round").order_by("-round__number")
    return next((seat for seat in found if entrant.pk in seat.stood_in), None)


def met_seat(entrant: Entrant, seat: Seat | None) -> Met:
    """What leaving meets: his seat, or the state of his last table (C7.3)."""
    if seat is not None:
        return met_table(seat.table)
    last = last_seat(entrant)
    return Met(state=State(last.table.state) if last else State.CONFIRMED)


def stand_ins(seat: Seat) -> QuerySet[Entrant]:
    """Who may take a seat: those who played in the round before and are out, the best places at
    their tables first (C9.3); not who has had a seat in this round since. `scoring` puts them in
    the order of C8.4. For the knock-out's first round who did not go on from the preliminary, by
    rank."""
    if seat.table.round.number == 1 and not seat.table.round.is_prelim:
        return (
            Entrant.objects.filter(
                event__stages=seat.table.round.stage_id,
                status=EntrantStatus.OUT,
                prelim_rank__isnull=False,
            )
            .exclude(seats__round=seat.round_id)
            .select_related("entry__person", "partner__person")
            .order_by("prelim_rank")
        )
    return (
        Entrant.objects.filter(
            seats__round__stage=seat.table.round.stage_id,
            seats__round__number=seat.table.round.number - 1,
            status=EntrantStatus.OUT,
        )
        .exclude(seats__round=seat.round_id)
        .select_related("entry__person", "partner__person")
        .order_by("seats__place", "entry__number")
    )


def _leave_later(entrant: Entrant, first: Seat) -> None:
    """His seats in the rounds of a preliminary after `first` go to fillers; where one sits at the
    table already he keeps the seat and forfeits it."""
    for seat in _later(first).filter(entrant=entrant):
        if not _reseat(seat, entrant, None):
            _forfeit(seat, 1)


def _come_back_later(entrant: Entrant, first: Seat) -> None:
    """Takes back what `_leave_later` did, as far as nothing has been played."""
    for seat in _later(first).filter(Q(entrant=entrant, sat_in_from=1) | Q(stands_for=entrant)):
        if seat.stands_for_id == entrant.pk:
            _give_back(seat, entrant)
        seat.forfeits, seat.sat_in_from = False, None
        seat.save(update_fields=["forfeits", "sat_in_from"])


def _later(first: Seat) -> QuerySet[Seat]:
    """The seats of a preliminary's rounds after that of a seat whose tables have no hand; none
    in a knock-out, where nobody has a seat before he wins it."""
    found = Seat.objects.filter(
        round__stage=first.table.round.stage_id,
        round__number__gt=first.table.round.number,
        round__advance=0,
        table__state__in=BEFORE_PLAY,
    )
    return found.select_related("table").select_for_update(of=("self",), no_key=True).order_by("pk")


def _forfeit(seat: Seat, from_hand: int | None) -> None:
    seat.forfeits, seat.sat_in_from = True, from_hand
    seat.save(update_fields=["forfeits", "sat_in_from"])


def _reseat(seat: Seat, gone: Entrant, instead: Entrant | None) -> bool:
    """The seat gets `instead`, else a filler; False where one sits at the table already."""
    if instead is not None:
        if not stand_ins(seat).filter(pk=instead.pk).exists():
            raise Conflict(_("只能由上一轮未晋级、仍未替补的选手补入。"))
        instead.status = EntrantStatus.IN
        instead.save(update_fields=["status"])
        seat.entrant = instead
    elif seat.table.seats.exclude(pk=seat.pk).filter(is_filler=True).exists():
        return False
    else:
        seat.entrant, seat.is_filler = None, True
    if seat.stands_for_id is None and not seat.gap_filled:
        seat.stands_for = gone
    else:
        seat.stood_in = [*seat.stood_in, gone.pk]
    seat.save(update_fields=["entrant", "is_filler", "stands_for", "stood_in"])
    return True


def _give_back(seat: Seat, entrant: Entrant) -> None:
    """Who sat there after him is out as before, and has nothing to come back to."""
    if seat.entrant_id is not None:
        Entrant.objects.filter(pk=seat.entrant_id, status=EntrantStatus.IN).update(
            status=EntrantStatus.OUT
        )
    seat.entrant, seat.is_filler = entrant, False
    if entrant.pk in seat.stood_in:
        seat.stood_in = seat.stood_in[: seat.stood_in.index(entrant.pk)]
    else:
        seat.stands_for, seat.stood_in = None, []
    seat.save(update_fields=["entrant", "is_filler", "stands_for", "stood_in"])


def _status_played(entrant: Entrant) -> EntrantStatus:
    """What he is with all his tables confirmed; a forfeit of the last one is taken back."""
    last = last_seat(entrant)
    if last is None:
        return EntrantStatus.IN
    Seat.objects.filter(pk=last.pk).update(forfeits=False, sat_in_from=None)
    is_in = last.advances or last.table.round.is_prelim
    return EntrantStatus.IN if is_in else EntrantStatus.OUT
