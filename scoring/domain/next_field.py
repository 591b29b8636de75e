"""Who goes on from a round of `redraw`: winners, then the best behind them (C3.2, C8.4, C8.6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.actors import Actor
from scoring.domain.board import Board
from scoring.domain.boards import load_boards
from scoring.standings import TablePlace, rank_across_tables
from tournament.domain.fields import (
    declare_field,
    is_redrawn,
    moves_for,
    size_after,
    who_can_go,
)
from tournament.domain.results import Move
from tournament.enums import DONE, State
from tournament.models import Entrant, Round, Seat

LAST_LOT = 1_000_000
"""The lot of who came late and has none: behind all others, the lower number first."""


@dataclass(frozen=True)
class Contender:
    """Somebody of a confirmed round with his place at his table. `result` is what C8.4 compares;
    None where no hand was played there, which comes last."""

    entrant: Entrant
    table: int
    place: int
    can_go: bool
    result: TablePlace | None = None


@dataclass(frozen=True)
class NextField:
    """The next field of `left`: `winners` by table, then `behind` them, best first, of whom the
    first fill it. `line` is the place at which `behind` begins."""

    left: int
    line: int
    winners: tuple[Contender, ...]
    behind: tuple[Contender, ...]

    @property
    def extra(self) -> tuple[Contender, ...]:
        """Those behind the winners who go on."""
        can = [one for one in self.behind if one.can_go]
        return tuple(can[: max(0, self.left - sum(one.can_go for one in self.winners))])

    @property
    def going(self) -> list[int]:
        """The ids of all who go on."""
        winners = [one for one in self.winners if one.can_go]
        return [one.entrant.pk for one in (*winners, *self.extra)]


def next_field(round_: Round, changed: Board | None = None) -> NextField:
    """The field after a round whose tables are all confirmed; with `changed`, as if that table
    had the results that its sheet now gives.

    Needs `round_.stage.event`. So many queries, however many tables.
    """
    boards = {board.table.pk: board for board in load_boards(round_.stage.event, round_)}
    if changed is not None:
        boards[changed.table.pk] = changed
    places = _changed_places(changed)
    can_go = who_can_go(round_)
    winners: list[Contender] = []
    behind: list[Contender] = []
    seats = (
        Seat.objects.filter(round=round_, entrant__isnull=False, table__is_third=False)
        .select_related("entrant__entry__person", "entrant__partner__person", "table")
        .order_by("table__number", "position")
    )
    for seat in seats:
        assert seat.entrant is not None
        place = places.get(seat.pk, seat.place) or 0
        one = Contender(
            seat.entrant,
            seat.table.number,
            place,
            seat.entrant.pk in can_go,
            _result(seat, boards.get(seat.table_id)),
        )
        (winners if 0 < place <= round_.advance else behind).append(one)
    return NextField(
        left=size_after(round_),
        line=round_.advance + 1,
        winners=tuple(winners),
        behind=tuple(_ranked(behind)),
    )


def settle_field(acting: Actor, round_: Round) -> None:
    """Declares who goes on once a round of `redraw` is wholly confirmed; else does nothing.

    The caller holds the event.
    """
    round_ = Round.objects.select_related("stage__event").get(pk=round_.pk)
    if is_redrawn(round_) and round_.state in DONE:
        declare_field(acting=acting, round_=round_, going=next_field(round_).going)


def field_moves(board: Board) -> tuple[Move, ...]:
    """What the board's results, in place of those that stand, change in the next field."""
    round_ = board.round
    if not is_redrawn(round_) or round_.tables.exclude(state__in=DONE).exists():
        return ()
    return moves_for(round_, next_field(round_, board).going)


def settle_after_leaving(acting: Actor, entrant: Entrant) -> None:
    """Somebody has left, or is back, between two rounds of `redraw`: another may go on."""
    last = (
        Round.objects.filter(seats__entrant=entrant, stage__event=entrant.event_id)
        .select_related("stage__event")
        .order_by("stage__kind", "-number")
        .first()
    )
    if last is not None and State(last.state) in DONE:
        settle_field(acting, last)


def _changed_places(changed: Board | None) -> dict[int, int | None]:
    if changed is None:
        return {}
    seats = {seat.position: seat.pk for seat in changed.seats}
    return {seats[result.position]: result.place for result in changed.results}


def _result(seat: Seat, board: Board | None) -> TablePlace | None:
    if board is None or not board.sums.played or seat.entrant is None:
        return None
    sums = board.sums.seats[seat.position]
    number = seat.entrant.number or 0
    return TablePlace(
        seat.entrant.pk,
        sums.net,
        board.sums.played,
        sums.hands_won,
        sums.discards,
        board.lots.get(number, LAST_LOT + number),
    )


def _ranked(behind: Iterable[Contender]) -> list[Contender]:
    """By place at the table, then C8.4, then who has no hands, by table."""
    by_place: dict[int, list[Contender]] = {}
    for one in behind:
        by_place.setdefault(one.place or LAST_LOT, []).append(one)
    return [one for place in sorted(by_place) for one in _compared(by_place[place])]


def _compared(level: Sequence[Contender]) -> list[Contender]:
    by_key = {one.entrant.pk: one for one in level}
    ranked = rank_across_tables([one.result for one in level if one.result is not None])
    return [
        *(by_key[result.key] for result in ranked),
        *(one for one in level if one.result is None),
    ]
