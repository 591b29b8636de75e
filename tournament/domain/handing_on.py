"""Who sits down in the next round by what a table has come to (C7.1, C9.1, C9.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import Q, QuerySet

from tournament.domain.results import SeatResult, Sitting, seated, winners
from tournament.enums import BEFORE_PLAY, EntrantStatus, Style
from tournament.models import Entrant, Seat, Table

FED = Q(is_filler=False) | Q(stands_for__isnull=False) | Q(gap_filled=True)
"""The seats that winners take; those drawn for fillers are not among them."""


def sittings_of(seats: Sequence[Seat]) -> list[Sitting]:
    """Who was eliminated here may advance after all; who has forfeited the table may not."""
    return [
        Sitting(
            seat.position,
            seat.entrant_id,
            seat.entrant is not None and not seat.forfeits,
        )
        for seat in seats
    ]


def hand_on(table: Table, seats: Sequence[Seat], results: Sequence[SeatResult]) -> tuple[Seat, ...]:
    """Who has won a seat, or plays for third place, takes it; all others of the table are out,
    but for who may still go on from a round of `redraw` as one of the best behind the winners,
    and who sits in a later round in somebody's stead. Returns the seats of the next round that
    somebody has taken or left, with their table."""
    sittings = sittings_of(seats)
    places = {seat.source_place or 0 for seat in fed_by(table)}
    sit = seated(sittings, results, places)
    staying = set(winners(sittings, results).values()) | set(sit.values())
    if table.round.stage.style == Style.REDRAW and not table.round.is_last:
        staying |= set(seated(sittings, results, {table.advance + 1}).values())
    filled = _fill(table, sit)
    here = [seat.entrant_id for seat in seats if seat.entrant_id is not None]
    later = Seat.objects.filter(
        round__stage=table.round.stage_id, round__number__gt=table.round.number, entrant__in=here
    )
    _set_status(seats, staying | {pk for pk in later.values_list("entrant", flat=True) if pk})
    return filled


def _set_status(seats: Sequence[Seat], going_on: set[int]) -> None:
    here = {seat.entrant_id for seat in seats if seat.entrant_id is not None}
    Entrant.objects.filter(pk__in=here - going_on, status=EntrantStatus.IN).update(
        status=EntrantStatus.OUT
    )
    Entrant.objects.filter(pk__in=going_on, status=EntrantStatus.OUT).update(
        status=EntrantStatus.IN
    )


def _fill(table: Table, going_on: dict[int, int]) -> tuple[Seat, ...]:
    """Seats who goes on, by place, in the next round; returns these seats, and those in which
    they have stood in elsewhere, with their table.

    They are emptied first, as no round has an entrant twice, not even for a moment. A seat
    whose place nobody can take keeps nobody; who sits there for a winner who has left, or for
    nobody, stays, and goes where another has won it. Who has stood in elsewhere leaves that seat
    for his own, unless he has played there.
    """
    seats = [
        seat
        for seat in fed_by(table).order_by("source_place")
        if not _stays(seat, going_on.get(seat.source_place or 0))
    ]
    for seat in seats:
        if (seat.stands_for_id is not None or seat.gap_filled) and seat.entrant_id is not None:
            Entrant.objects.filter(pk=seat.entrant_id).update(status=EntrantStatus.OUT)
    Seat.objects.filter(pk__in=[seat.pk for seat in seats]).update(entrant=None)
    left, keeping = _leave_stood_in(table, going_on.values()) if seats else ([], set())
    going_on = {place: pk for place, pk in going_on.items() if pk not in keeping}
    for seat in seats:
        seat.entrant_id = going_on.get(seat.source_place or 0)
        seat.is_filler, seat.stands_for = False, None
        seat.stood_in, seat.gap_filled = [], False
    Seat.objects.bulk_update(
        seats, ["entrant", "is_filler", "stands_for", "stood_in", "gap_filled"]
    )
    return (*seats, *left)


def stood_in_at(table: Table, entrants: Iterable[int]) -> QuerySet[Seat]:
    """Where these sit already in the round after the table's, of a plan with fixed seats."""
    return Seat.objects.filter(
        round__stage=table.round.stage_id,
        round__number=table.round.number + 1,
        source__isnull=False,
        entrant__in=list(entrants),
    ).select_related("table")


def _leave_stood_in(table: Table, entrants: Iterable[int]) -> tuple[list[Seat], set[int]]:
    """They give the seats back in which they sit in another's stead: to a filler, where one sits
    at the table already to nobody (C1.3). Returns these seats, and who has played there and
    keeps his seat."""
    left, keeping = [], set()
    for seat in stood_in_at(table, entrants):
        if seat.table.state not in BEFORE_PLAY:
            keeping.add(seat.entrant_id or 0)
            continue
        seat.entrant = None
        seat.is_filler = not seat.table.seats.filter(is_filler=True).exists()
        seat.gap_filled = seat.gap_filled and seat.is_filler
        seat.forfeits, seat.sat_in_from = False, None
        seat.save(update_fields=["entrant", "is_filler", "gap_filled", "forfeits", "sat_in_from"])
        left.append(seat)
    return left, keeping


def _stays(seat: Seat, winner: int | None) -> bool:
    if seat.gap_filled:
        return winner is None
    return seat.stands_for_id is not None and seat.stands_for_id == winner


def fed_by(table: Table) -> QuerySet[Seat]:
    """The seats that places at the table fill; a filler's own are not among them."""
    return Seat.objects.filter(FED, source=table).select_related("table")
