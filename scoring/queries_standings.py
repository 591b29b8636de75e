"""What the addresses of the standings depend on: units to choose from, tables that run."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.models import Sheet
from scoring.queries_public import seats_of
from tournament.enums import State
from tournament.models import Event, Seat
from tournament.queries.public import unit_of


@dataclass(frozen=True)
class Watched:
    """The units of those who sit, and the scopes of the sheets at which is played now."""

    units: frozenset[str] = frozenset()
    sheets: tuple[str, ...] = ()


def watched(event: Event) -> Watched:
    """What everyone may see of the event's knock-out. One query."""
    found = (
        seats_of(event)
        .order_by()
        .values_list(unit_of("entrant__"), "table__state", "table__sheet__pk")
    )
    rows = list(found)
    running = {sheet for _unit, state, sheet in rows if state == State.RUNNING and sheet}
    return Watched(
        frozenset(unit for unit, _state, _sheet in rows if unit),
        tuple(Sheet(pk=pk).scope for pk in sorted(running)),
    )


def running_sheets(entrant: int) -> tuple[str, ...]:
    """The scopes of the sheets at which an entrant plays now. One query."""
    found = Seat.objects.filter(
        entrant=entrant, table__state=State.RUNNING, table__sheet__isnull=False
    )
    pks = found.order_by("table__sheet__pk").values_list("table__sheet__pk", flat=True)
    return tuple(Sheet(pk=pk).scope for pk in pks)
