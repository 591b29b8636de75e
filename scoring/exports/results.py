"""What was computed of a competition's hands: the sums of its tables and the standings.

An archive has it beside the rows, so that whoever computes it again can compare.
"""

from __future__ import annotations

from typing import Any

from scoring import queries_public as queries
from scoring.archive.rows import Numbers
from scoring.domain.boards import load_boards
from scoring.finishes import rows
from scoring.standings import prizes_to
from tournament.models import Competition, Event


def results_of(competition: Competition, numbers: Numbers) -> dict[str, Any]:
    """`tables` with hands (net, hands won, 点炮 and 扣罚 by seat, hands played) and each event's
    `standings` (C8.5), by the ids of the archive. Some ten queries an event."""
    tables: list[dict[str, Any]] = []
    standings: list[dict[str, Any]] = []
    for event in competition.events.order_by("pk"):
        for board in load_boards(event):
            seats = board.sums.seats
            tables.append(
                {
                    "table": numbers.of("table", board.table.pk),
                    "net": [int(seat.net) for seat in seats],
                    "deducted": [seat.deducted for seat in seats],
                    "hands_won": [seat.hands_won for seat in seats],
                    "discards": [seat.discards for seat in seats],
                    "played": board.sums.played,
                }
            )
        standings.append(
            {"event": numbers.of("event", event.pk), "rows": _standings(event, numbers)}
        )
    tables.sort(key=lambda one: one["table"])
    return {"tables": tables, "standings": standings}


def _standings(event: Event, numbers: Numbers) -> list[dict[str, Any]]:
    seats = queries.seat_rows(queries.seats_of(event), mask=False)
    done = queries.done(seats)
    if not done:
        return []
    lots = queries.lots_of(event, seats)
    found = rows(seats, queries.table_nets(done), lots, prizes=prizes_to(event.prizes))
    return [
        {
            "entrant": numbers.of("entrant", row.entrant),
            "place": row.standing.place,
            "shared": row.standing.shared,
            "prize": row.standing.prize.zh if row.standing.prize else None,
        }
        for row in found
    ]
