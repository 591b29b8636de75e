"""What a change would do to a sheet: done, read, and taken back before anybody sees it (C9.1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction

from scoring.domain.board import Board
from scoring.domain.errors import ShowEffects
from scoring.domain.hands import Late
from scoring.models import Sheet
from tournament.domain.results import Effects


@dataclass(frozen=True)
class Standing:
    """A seat's net 舵 and place at its table; the place is None for a filler."""

    net: int
    place: int | None


@dataclass(frozen=True)
class Rehearsal:
    """Each seat before and after, in order; `effects` where the table is confirmed already."""

    before: tuple[Standing, ...]
    after: tuple[Standing, ...]
    effects: Effects | None = None


def rehearse(board: Board, act: Callable[[Late], object], reason: str) -> Rehearsal:
    """What `act` would change at the board's table; writes nothing. Raises what `act` does."""
    before = standings(board)
    try:
        with transaction.atomic():
            act(Late(reason=reason))
            sheet = Sheet.objects.filter(table=board.table.pk).first() or board.sheet
            after = standings(Board(sheet))
            transaction.set_rollback(True)
    except ShowEffects as shown:
        places = {change.entrant_id: change.after for change in shown.effects.places}
        after = tuple(
            Standing(net, places.get(seat.entrant_id or 0, was.place))
            for seat, was, net in zip(board.seats, before, shown.nets, strict=True)
        )
        return Rehearsal(before, after, shown.effects)
    return Rehearsal(before, after)


def standings(board: Board) -> tuple[Standing, ...]:
    """Each seat's net 舵 and place as the sheet stands."""
    ruled = board.ruled_places
    places = {row.key: row.place for row in board.ranking.rows} if ruled is None else ruled
    return tuple(Standing(one.net, places.get(one.position)) for one in board.sums.seats)
