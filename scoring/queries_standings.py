"""What the addresses of the standings depend on: units to choose from, tables that run."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.queries_public import seats_of
from tournament.enums import State
from tournament.models import Event, Seat, Table
from tournament.queries.public import unit_of


@dataclass(frozen=True)
class Watched:
    """The units of those who sit, and the scopes of the tables at which is played now."""

    units: frozenset[str] = frozenset()
    tables: tuple[str, ...] = ()


def watched(event: Event) -> Watched:
    """What everyone may see of the event's knock-out. One query."""
    found = seats_of(event).order_by().values_list(unit_of("entrant__"), "table__state", "table")
    rows = list(found)
    running = {table for _unit, state, table in rows if state == State.RUNNING}
    return Watched(
        frozenset(unit for unit, _state, _table in rows if unit),
        tuple(map(Table.scope_of, sorted(running))),
    )


def running_tables(entrant: int) -> tuple[str, ...]:
    """The scopes of the tables at which an entrant plays now. One query."""
    found = Seat.objects.filter(entrant=entrant, table__state=State.RUNNING)
    return tuple(map(Table.scope_of, found.order_by("table").values_list("table", flat=True)))
