"""Entries to tick for something done to many at once."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet

from tournament.enums import EntryStatus
from tournament.models import Competition, Entry

ONLY = {
    "absent": Q(checked_in_at=None),
    "here": Q(checked_in_at__isnull=False),
    "unprinted": Q(badge_printed_at=None),
}


def pickable(competition: Competition, unit: str = "", only: str = "") -> QuerySet[Entry]:
    """Who has not withdrawn, of one unit (empty: of all) and one of `ONLY`, by number."""
    entries = competition.entries.exclude(status=EntryStatus.WITHDRAWN).select_related("person")
    if unit:
        entries = entries.filter(unit=unit)
    return entries.filter(ONLY[only]) if only in ONLY else entries


def units_of(competition: Competition) -> list[tuple[str, int]]:
    """The units and how many of each have not withdrawn, by name. One query."""
    found = competition.entries.exclude(status=EntryStatus.WITHDRAWN).exclude(unit="")
    counted = found.order_by("unit").values("unit").annotate(n=Count("pk"))
    return list(counted.values_list("unit", "n"))


def arrivals(competition: Competition) -> tuple[int, int]:
    """(checked in, expected) among those with a place. One query."""
    found = competition.entries.filter(status=EntryStatus.CONFIRMED).aggregate(
        here=Count("pk", filter=Q(checked_in_at__isnull=False)), all=Count("pk")
    )
    return found["here"], found["all"]
