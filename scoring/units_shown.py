"""Units by their prizes over all events, as the page and the 成绩册 show them (团体名次)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoring import queries_public as queries
from scoring.bracket import Urls
from scoring.finishes import Row, rows, spoken
from scoring.standings import PRIZES, Prize, prizes_to
from scoring.units import Won, unit_places
from tournament.enums import DONE, State
from tournament.models import Competition, Event
from tournament.models.people import PAIR


def units_shown(shown: Competition, events: Sequence[Event], urls: Urls) -> dict[str, Any]:
    """How many prizes each unit has, and who has won them; names as `shown` has them masked. At
    most five queries an event."""
    parts = [_event(shown, event) for event in events]
    given = [prize for prize in PRIZES if any(prize in part["prizes"] for part in parts)]
    won = [
        Won(_kind(row.standing.prize), tuple(row.seat.unit.split(PAIR)))
        for part in parts
        for row in part["won"]
        if row.standing.prize
    ]
    return {
        "prizes": [spoken(prize) for prize in given],
        "units": unit_places(won, given),
        "is_final": all(part["state"] == State.FINAL for part in parts),
        "parts": [
            {
                "event": part["event"],
                "state": part["state"],
                "is_done": part["state"] in DONE,
                "won": [
                    {
                        "prize": spoken(row.standing.prize),
                        "place": row.standing.place,
                        "name": row.seat.name,
                        "unit": row.seat.unit,
                        "url": urls.entrant(row.entrant),
                    }
                    for row in part["won"]
                    if row.standing.prize
                ],
            }
            for part in parts
        ],
    }


def _kind(prize: Prize) -> Prize:
    """The prize whatever its last place: events differ in how many prizes of merit there are."""
    return next(one for one in PRIZES if one.first == prize.first)


def _event(shown: Competition, event: Event) -> dict[str, Any]:
    """An event with who has won a prize; nobody before its last round is confirmed. At most five
    queries."""
    rounds = queries.round_rows(event)
    last = rounds[-1] if rounds else None
    is_done = last is not None and last.is_last and last.state in DONE
    found: list[Row] = []
    if is_done:
        seats = queries.seat_rows(queries.seats_of(event), mask=shown.mask_names)
        lots = queries.lots_of(event, seats)
        nets = queries.table_nets(queries.done(seats))
        found = rows(seats, nets, lots, prizes=prizes_to(event.prizes))
    return {
        "event": event,
        "state": last.state if is_done and last else "",
        "prizes": [_kind(prize) for prize in prizes_to(event.prizes)],
        "won": [row for row in found if row.standing.prize],
    }
