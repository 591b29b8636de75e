"""Open calls for a referee, and who is missed at his table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import F

from tournament.domain.clock import BEGUN
from tournament.models import Call, Competition, Round, Seat
from tournament.models.play import SEAT_NAMES, round_title
from tournament.queries.fixed_tables import is_fixed
from tournament.queries.public import name_of, shown_name


def open_calls(competition: Competition) -> list[Call]:
    """Calls that nobody has answered, the longest waiting first, with their table and round, and
    the link's entrant or entry that called. One query."""
    return list(
        Call.objects.filter(
            table__round__stage__event__competition=competition, answered_at=None
        ).select_related(
            "table__round",
            "link__entrant__entry__person",
            "link__entrant__partner__person",
            "link__entry__person",
        )
    )


def open_call(table_id: int) -> Call | None:
    """The table's open call. One query."""
    return Call.objects.filter(table=table_id, answered_at=None).first()


@dataclass(frozen=True)
class Called:
    """An entrant at his seat, and whether he was seen there.

    `spot` is the physical table that was published. `absent_at` is when he was first missed,
    `seated_at` when he was seen; `has_checked_in` whether he has arrived at the competition at
    all; `is_fixed` that he cannot walk (C5.3).
    """

    seat_id: int
    table_id: int
    table_number: int
    spot: str
    seat: str
    entrant_id: int
    number: int | None
    name: str
    unit: str
    has_checked_in: bool
    is_fixed: bool
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
        .select_related("table", "entrant__entry__person", "entrant__partner__person")
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
                spot=seat.table.public_spot,
                seat=SEAT_NAMES[seat.position],
                entrant_id=seat.entrant.pk,
                number=entry.number,
                name=entry.name,
                unit=entry.unit,
                has_checked_in=entry.checked_in_at is not None,
                is_fixed=is_fixed(seat.entrant),
                absent_at=absent_at,
                seated_at=seated_at,
            )
        )
    return found


def call_list(round_: Round) -> list[Called]:
    """Those who are missed now, by table and seat (点名单). Two queries."""
    return [one for one in roll(round_) if one.is_absent]


class Missed(NamedTuple):
    """Somebody who is missed at his seat, as everybody may read it in the hall."""

    table: int
    seat: str
    name: str
    round: str


def missed(competition: Competition) -> list[Missed]:
    """Who is missed now at the published tables that are not done, by round, table and seat. Who
    is played for is missed no longer (C9.2). Names as public pages show them. One query."""
    found = (
        Seat.objects.filter(
            round__stage__event__competition=competition,
            round__state__in=BEGUN,
            table__state__in=BEGUN,
            sat_in_from=None,
            entrant__attendances__round=F("round"),
            entrant__attendances__absent_at__isnull=False,
            entrant__attendances__seated_at=None,
        )
        .order_by(
            "round__stage__event__position", "-round__stage__kind", "round__number",
            "table__number", "position",
        )
        .values_list(
            "table__number", "position", name_of("entrant__"), "entrant__entry__number",
            "round__number", "round__name", "round__is_last", "round__advance",
        )
    )  # fmt: skip
    return [
        Missed(
            table,
            SEAT_NAMES[position],
            shown_name(name or "", number, mask=competition.mask_names),
            round_title(of_round, title or "", is_last=bool(is_last), is_prelim=not advance),
        )
        for table, position, name, number, of_round, title, is_last, advance in found
    ]
