"""The zones of a knock-out: what feeds each seat of the final, in the bracket's order (C3.5)."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.bracket import ZONES
from scoring.queries_public import SeatRow

LEAST_ROUNDS = 3
"""With fewer rounds the bracket names no zones."""


def zones_of(seats: Sequence[SeatRow]) -> dict[int, str]:
    """Entrant's id → the letter of the zone in which he began; empty where there are no zones."""
    last = max((seat.round for seat in seats), default=0)
    if last < LEAST_ROUNDS:
        return {}
    finals = sorted(
        (seat for seat in seats if seat.round == last and seat.source is not None),
        key=lambda seat: (seat.table, seat.source_number or 0, seat.position),
    )
    sources = dict.fromkeys(seat.source for seat in finals)
    letters = {table: ZONES[index % len(ZONES)] for index, table in enumerate(sources)}
    for seat in sorted(seats, key=lambda seat: -seat.round):
        if seat.source is not None and seat.table in letters:
            letters.setdefault(seat.source, letters[seat.table])
    found: dict[int, str] = {}
    for seat in seats:
        if seat.entrant is not None and seat.table in letters:
            found.setdefault(seat.entrant, letters[seat.table])
    return found
