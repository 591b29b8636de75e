"""What the API reads of rounds, tables and seats: as everyone may see it (C7.4)."""

from __future__ import annotations

from typing import Any

from django.db.models import F, Prefetch, QuerySet

from tournament.models import Competition, Entrant, Entry, Round, Seat
from tournament.queries.public import OPEN_STATES, name_of, unit_of

MOST = 1000
"""More competitions than this are not listed."""


def published_ids() -> list[int]:
    """The ids of the published competitions, the newest first. One query."""
    found = Competition.objects.filter(published_at__isnull=False).order_by("-starts_on", "-id")
    return list(found.values_list("pk", flat=True)[:MOST])


def competitions(ids: list[int]) -> list[Competition]:
    """Those of these ids that are published, in the order of the ids. One query."""
    found = Competition.objects.filter(pk__in=ids, published_at__isnull=False).in_bulk()
    return [found[pk] for pk in ids if pk in found]


def open_seats(round_: Round) -> QuerySet[Any]:
    """The seats of the round's published tables by table and position, with the tables and, as
    `held_name`, `held_unit` and `held_number`, whom they hold. One query."""
    return (
        Seat.objects.filter(table__round=round_, table__state__in=OPEN_STATES)
        .select_related("table")
        .annotate(
            held_name=name_of("entrant__"),
            held_unit=unit_of("entrant__"),
            held_number=F("entrant__entry__number"),
        )
        .order_by("table__number", "position")
    )


def entries_with_events(competition: Competition) -> QuerySet[Entry]:
    """All entries by order of number with their persons and entrants, for who works there. Two
    queries."""
    return (
        Entry.objects.filter(competition=competition)
        .select_related("person")
        .prefetch_related(Prefetch("entrants", Entrant.objects.order_by("event_id")))
        .order_by(F("number").asc(nulls_last=True), "pk")
    )
