"""Open calls for a referee, and who is missed at his table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tournament.models import Call, Competition, Round, Seat
from tournament.models.play import SEAT_NAMES


def open_calls(competition: Competition) -> list[Call]:
    """Calls that nobody has answered, the longest waiting first, with their table and round, and
    the link's entrant or entry that called. One query."""
    return list(
        Call.objects.filter(
            table__round__stage__event__competition=competition, answered_at=None
        ).select_related("table__round", "link__entrant__entry__person", "link__entry__person")
    )


def open_call(table_id: int) -> Call | None:
    """The table's open call. One query."""
    return Call.objects.filter(table=table_id, answered_at=None).first()


@dataclass(frozen=True)
class Called:
    """An entrant at his seat, and whether he was seen there.

    `absent_at` is when he was first missed, `seated_at` when he was seen; `has_checked_in`
    whether he has arrived at the competition at all.
    """

    seat_id: int
    table_id: int
    table_number: int
    seat: str
    entrant_id: int
    number: int | None
    name: str
    unit: str
    has_checked_in: bool
    absent_at: datetime | None
    seated_at: datetime | None

    @property
    def is_absent(self) -> bool:
        """Whether he is missed now."""
        return self.absent_at is not None and self.seated_at is None

    @property
    def is_late(self) -> bool:
        """Whether he was missed and came after all (C9.2)."""
        return self.absent_at is not None and self.seated_at is not None


def roll(round_: Round, table: int | None = None) -> list[Called]:
    """Everybody who has a seat in the round, by table and seat; of one table's number where it is
    named. Two queries."""
    marks = {one.entrant_id: (one.absent_at, one.seated_at) for one in round_.attendances.all()}
    seats = (
        Seat.objects.filter(round=round_, entrant__isnull=False)
        .select_related("table", "entrant__entry__person")
        .order_by("table__number", "position")
    )
    if table is not None:
        seats = seats.filter(table__number=table)
    found = []
    for seat in seats:
        assert seat.entrant is not None
        entry = seat.entrant.entry
        absent_at, seated_at = marks.get(seat.entrant.pk, (None, None))
        found.append(
            Called(
                seat_id=seat.pk,
                table_id=seat.table_id,
                table_number=seat.table.number,
                seat=SEAT_NAMES[seat.position],
                entrant_id=seat.entrant.pk,
                number=entry.number,
                name=entry.name,
                unit=entry.unit,
                has_checked_in=entry.checked_in_at is not None,
                absent_at=absent_at,
                seated_at=seated_at,
            )
        )
    return found


def call_list(round_: Round) -> list[Called]:
    """Those who are missed now, by table and seat (点名单). Two queries."""
    return [one for one in roll(round_) if one.is_absent]
