"""A seat that nobody has won is filled by hand, and emptied again (C9.3, C9.5)."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict
from tournament.acting import Acting
from tournament.domain.leaving import stand_ins
from tournament.domain.seating import met_table
from tournament.enums import DONE, EntrantStatus
from tournament.models import Entrant, Event, Seat, Table
from tournament.permissions import Action, require


def gaps(table: Table) -> list[Seat]:
    """The seats to which nobody goes on: empty, their feeding table confirmed, and not left so by
    hand. One query."""
    empty = table.seats.filter(
        entrant=None, is_filler=False, gap_filled=False, source__state__in=DONE
    )
    return list(empty.select_related("table__round").order_by("position"))


def is_gap(seat: Seat) -> bool:
    """Whether nobody goes on to this seat. Needs `seat.source`."""
    return (
        seat.entrant_id is None
        and not seat.is_filler
        and not seat.gap_filled
        and seat.source is not None
        and seat.source.state in DONE
    )


def stays_empty(seat: Seat, seats: Sequence[Seat]) -> bool:
    """Whether a gap of a table with `seats` may stay empty: three sit at a table of four, one of
    them a filler, and nobody stands by; a table of four with three is three-handed (C1.3, C2.2).
    """
    taken = [one for one in seats if one.entrant_id is not None or one.is_filler]
    has_filler = any(one.is_filler for one in taken)
    return has_filler and (len(seats), len(taken)) == (4, 3) and not stand_ins(seat).exists()


def filled_gaps(table: Table) -> list[Seat]:
    """The seats of the table that were filled by hand; in `redraw` nobody could fill them again.
    One query."""
    found = table.seats.filter(gap_filled=True, source__isnull=False)
    return list(
        found.select_related("entrant__entry__person", "entrant__partner__person").order_by(
            "position"
        )
    )


@transaction.atomic
def fill_gap(*, acting: Acting, seat: Seat, instead: Entrant | None) -> Seat:
    """`instead`, one of `stand_ins`, sits down where nobody goes on; a filler if None, or nobody
    where a filler sits there already and the seat `stays_empty`.

    No hand may be in at the table. Raises what `require` does, `Conflict` where the seat is no
    gap, `instead` does not stand by, or a filler sits at the table already (C1.3).
    """
    event, seat = _held(acting, seat)
    if seat.pk not in {gap.pk for gap in gaps(seat.table)}:
        raise Conflict(_("这个座位现在不空，请刷新后再看。"))
    if instead is None:
        seats = list(seat.table.seats.all())
        seat.is_filler = not any(one.is_filler for one in seats)
        if not seat.is_filler and not stays_empty(seat, seats):
            raise Conflict(_("这一桌已有一名陪打，每桌最多一名。请选一名选手补入。"))
    else:
        if not stand_ins(seat).filter(pk=instead.pk).exists():
            raise Conflict(_("只能由上一轮未晋级、仍未替补的选手补入。"))
        seat.entrant = instead
        Entrant.objects.filter(pk=instead.pk).update(status=EntrantStatus.IN)
    # Who left a seat that he had won has it still: a correction must not seat him anew.
    seat.gap_filled = seat.stands_for_id is None
    seat.save(update_fields=["entrant", "is_filler", "gap_filled"])
    audit(
        actor=acting,
        action="seat.fill-gap",
        scope=acting.scope,
        subject=seat,
        data={"instead": instead.pk if instead else None, "filler": seat.is_filler},
    )
    bump(event.scope)
    return seat


@transaction.atomic
def open_gap(*, acting: Acting, seat: Seat) -> Seat:
    """The seat is empty again, who was put there is out as before (C9.5).

    Raises what `require` does, `Conflict` where the seat was not filled by hand, or is one of
    `redraw`, where nobody could fill it again.
    """
    event, seat = _held(acting, seat)
    if not seat.gap_filled or seat.source_id is None:
        raise Conflict(_("这个座位不是补上的，请刷新后再看。"))
    if seat.entrant_id is not None:
        put_there = Entrant.objects.filter(pk=seat.entrant_id, status=EntrantStatus.IN)
        put_there.update(status=EntrantStatus.OUT)
    seat.entrant, seat.is_filler, seat.gap_filled = None, False, False
    seat.forfeits, seat.sat_in_from, seat.stood_in = False, None, []
    seat.save(
        update_fields=[
            "entrant", "is_filler", "gap_filled", "forfeits", "sat_in_from", "stood_in",
        ]
    )  # fmt: skip
    audit(actor=acting, action="seat.open-gap", scope=acting.scope, subject=seat)
    bump(event.scope)
    return seat


def _held(acting: Acting, seat: Seat) -> tuple[Event, Seat]:
    event = lock(Event.objects.get(stages__rounds=seat.round_id))
    seat = lock(seat)
    require(acting, Action.LATE_ENTRY, met_table(seat.table))
    return event, seat
