"""What a referee judges: his own tables of the published schedule."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tournament.domain.sittings import minutes_of
from tournament.enums import DONE
from tournament.models import Competition, Table
from tournament.queries.public import OPEN_STATES


@dataclass(frozen=True)
class Duty:
    """A table that he judges: when, in which round, where."""

    table_id: int
    begins: datetime | None
    minutes: int
    title: str
    number: int
    spot: str
    is_running: bool


def duties(competition: Competition, user_id: int | None) -> list[Duty]:
    """The tables not yet done that the account judges by the published schedule, those that begin
    first first. At most one query."""
    if user_id is None:
        return []
    found = (
        Table.objects.filter(public_referee__user=user_id, public_referee__competition=competition)
        .filter(state__in=OPEN_STATES, round__state__in=OPEN_STATES)
        .exclude(state__in=DONE)
        .select_related("round__stage__event")
        .order_by("round__public_starts_at", "public_starts_at", "round", "number")
    )
    of = [
        Duty(
            table_id=table.pk,
            begins=table.public_starts_at or table.round.public_starts_at,
            minutes=minutes_of(table.round),
            title=f"{table.round.stage.event.name} {table.round.title}",
            number=table.number,
            spot=table.public_spot,
            is_running=table.started_at is not None,
        )
        for table in found
    ]
    return sorted(of, key=lambda one: (one.begins is None, one.begins or competition.created_at))
