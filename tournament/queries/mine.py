"""What somebody sees of his own entry: where he plays next."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from tournament.enums import DONE
from tournament.models import Entry, Seat
from tournament.models.play import SEAT_NAMES, is_vacant, word_for_nobody
from tournament.queries.public import OPEN_STATES, name_of, shown_name


@dataclass(frozen=True)
class Place:
    """A seat at a published table; `spot` is the physical table, `others` are (seat, name) of
    those who sit there too."""

    table_id: int
    title: str
    number: int
    seat: str
    is_running: bool
    starts_at: datetime | None
    spot: str
    others: tuple[tuple[str, str], ...]


def next_place(entry: Entry, *, mask: bool) -> Place | None:
    """The first table not yet confirmed at which he sits. At most two queries."""
    seat = (
        Seat.objects.filter(Q(entrant__entry=entry) | Q(entrant__partner=entry))
        .filter(table__state__in=OPEN_STATES)
        .filter(round__state__in=OPEN_STATES)
        .exclude(table__state__in=DONE)
        .select_related("table__round")
        .order_by("-round__stage__kind", "round__number", "pk")
        .first()
    )
    if seat is None:
        return None
    table = seat.table
    columns = ("position", "is_filler", "entrant_id", name_of("entrant__"),
               "entrant__entry__number", "gap_filled")  # fmt: skip
    others = table.seats.exclude(pk=seat.pk).order_by("position").values_list(*columns)
    return Place(
        table_id=table.pk,
        title=table.round.title,
        number=table.number,
        seat=SEAT_NAMES[seat.position],
        is_running=table.started_at is not None,
        starts_at=table.started_at or table.public_starts_at or table.round.public_starts_at,
        spot=table.public_spot,
        others=tuple(
            (
                SEAT_NAMES[position],
                shown_name(name or "", number, mask=mask)
                if entrant
                else word_for_nobody(
                    is_filler=is_filler,
                    is_vacant=is_vacant(
                        gap_filled=gap_filled, seat_count=table.seat_count, state=table.state
                    ),
                ),
            )
            for position, is_filler, entrant, name, number, gap_filled in others
        ),
    )
