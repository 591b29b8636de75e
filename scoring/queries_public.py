"""What everyone may see of seats and points: published rounds only, nothing private (C7.4).

Rows are read as plain values: a bracket of 243 entrants has 500 of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from operator import add
from typing import Any, NamedTuple

from django.db.models import FilteredRelation, IntegerField, Q, QuerySet, Sum
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce

from scoring.enums import Evidence
from scoring.games import figure
from scoring.models import HandVersion, Penalty
from tournament.enums import DONE, CountedBy, Discipline, StageKind, State, Style
from tournament.models import Competition, Draw, Event, Round, Seat, Table
from tournament.models.play import is_vacant, round_title, word_for_nobody
from tournament.queries.public import OPEN_STATES, name_of, shown_name, unit_of

SEATS = 4


def state_word(state: str) -> str:
    """The word for a state of a round or table."""
    return str(State(state).label)


class SeatRow(NamedTuple):
    """A seat of a published table with whom it holds; `name` as public pages show it.

    `entry` is his number, `status` an `EntrantStatus`, "" where nobody sits; `is_third` and
    `is_last` are the table's and its round's. `hall` and `spot` are the physical table that was
    published, `begins` the table's own published start, of a later batch only.
    """

    table: int
    number: int
    label: str
    state: str
    round: int
    position: int
    entrant: int | None
    name: str
    unit: str
    is_filler: bool
    source: int | None
    source_number: int | None
    source_place: int | None
    place: int | None
    advances: bool | None
    sat_in_from: int | None
    forfeits: bool = False
    entry: int | None = None
    is_third: bool = False
    is_last: bool = False
    hall: str = ""
    spot: int | None = None
    begins: datetime | None = None
    gap_filled: bool = False
    seat_count: int = 3
    status: str = ""

    @property
    def is_vacant(self) -> bool:
        """Whether nobody sits here and nobody will."""
        return (
            self.entrant is None
            and not self.is_filler
            and is_vacant(gap_filled=self.gap_filled, seat_count=self.seat_count, state=self.state)
        )

    @property
    def who(self) -> str:
        """His name, or what stands in its place where no entrant sits."""
        if self.entrant is not None:
            return self.name
        return word_for_nobody(is_filler=self.is_filler, is_vacant=self.is_vacant)

    @property
    def is_done(self) -> bool:
        """Whether the table is confirmed or final."""
        return self.state in DONE


class RoundRow(NamedTuple):
    """A published round; `is_redrawn` where every round has a draw of its own."""

    number: int
    title: str
    state: str
    advance: int
    is_last: bool
    confirmed_at: datetime | None = None
    is_redrawn: bool = False

    @property
    def is_prelim(self) -> bool:
        """Whether it is a preliminary's."""
        return self.advance == 0


@dataclass(frozen=True)
class TableNet:
    """A table's net 舵 by position, with rulings, penalties and 扣罚; `hands` counted (C6.5).

    `computed` is the same without rulings, empty where no hand was ruled on (C6.6). `planned` is
    how many hands are to be played, 0 before the first. Of another discipline (C10) the nets are
    games won or points (`scoring.games.Figure`).
    """

    nets: tuple[int, ...]
    hands: int
    computed: tuple[int, ...] = ()
    planned: int = 0

    def was(self, position: int) -> int | None:
        """The computed net of a seat where rulings have changed it, else None."""
        if not self.computed or self.computed[position] == self.nets[position]:
            return None
        return self.computed[position]


_COLUMNS = (
    "table_id", "table__number", "table__label", "table__state", "table__round__number",
    "position", "entrant_id", name_of("entrant__"), "entrant__entry__number",
    unit_of("entrant__"), "is_filler", "source_id", "source__number", "source_place",
    "place", "advances", "sat_in_from", "forfeits", "entrant__entry__number",
    "table__is_third", "table__round__is_last", "table__public_room", "table__public_place",
    "table__public_starts_at", "gap_filled", "table__seat_count", "entrant__status",
)  # fmt: skip


def table_scopes(competition: Competition, pk: int) -> list[str] | None:
    """The scopes of a published table's page; None where there is none. One query."""
    found = (
        Table.objects.filter(
            pk=pk,
            state__in=OPEN_STATES,
            round__state__in=OPEN_STATES,
            round__stage__event__competition=competition,
        )
        .order_by()
        .values_list("round__stage__event_id", flat=True)
        .first()
    )
    if found is None:
        return None
    return [competition.scope, Event(pk=found).scope, Table.scope_of(pk)]


class HandRow(NamedTuple):
    """A counted hand of a published table: the scopes of its page, its evidence, the table's
    seats."""

    scopes: list[str]
    evidence: str
    payload: dict[str, Any]
    seats: int


def hand_row(competition: Competition, pk: int, number: int) -> HandRow | None:
    """Hand `number` of table `pk` as everyone may see it; None where there is none, or a game of
    another discipline. One query."""
    table = "hand__sheet__table"
    found = (
        HandVersion.objects.filter(
            is_current=True,
            is_void=False,
            hand__number=number,
            **{
                table: pk,
                f"{table}__state__in": OPEN_STATES,
                f"{table}__round__state__in": OPEN_STATES,
                f"{table}__round__stage__event__competition": competition,
            },
        )
        .exclude(evidence=Evidence.GAME)
        .order_by()
        .values_list(
            f"{table}__round__stage__event_id",
            "evidence",
            "payload",
            f"{table}__seat_count",
        )
        .first()
    )
    if found is None:
        return None
    event, *rest = found
    return HandRow([competition.scope, Event(pk=event).scope, Table.scope_of(pk)], *rest)


def next_table(pk: int) -> tuple[int, int, str] | None:
    """Id, number and round's title of the table to which this one leads. One query."""
    found = (
        Seat.objects.filter(source=pk, table__state__in=OPEN_STATES)
        .order_by("table__is_third")
        .values_list("table_id", "table__number", "round__number", "round__name", "round__is_last")
        .first()
    )
    if found is None:
        return None
    table, number, round_number, name, is_last = found
    return table, number, round_title(round_number, name, is_last=is_last)


def round_rows(event: Event) -> list[RoundRow]:
    """The knock-out's published rounds in order. One query."""
    return [one for one in all_round_rows(event) if not one.is_prelim]


def all_round_rows(event: Event) -> list[RoundRow]:
    """The event's published rounds in order, a preliminary's first. One query."""
    found = (
        Round.objects.filter(stage__event=event, state__in=OPEN_STATES)
        .select_related("stage")
        .order_by("-stage__kind", "number")
    )
    return [
        RoundRow(
            one.number, one.title, one.state, one.advance, one.is_last, one.confirmed_at,
            one.stage.style == Style.REDRAW,
        )
        for one in found
    ]  # fmt: skip


def has_bracket(event: Event) -> bool:
    """Whether a round of the event's knock-out is published. One query."""
    shown = Round.objects.filter(stage__event=event, state__in=OPEN_STATES)
    return shown.filter(stage__kind=StageKind.KNOCKOUT).exists()


def seats_of(event: Event, kind: StageKind = StageKind.KNOCKOUT) -> QuerySet[Seat]:
    """The seats of the published tables of the knock-out, or of the preliminary."""
    return Seat.objects.filter(
        round__stage__event=event,
        round__stage__kind=kind,
        round__state__in=OPEN_STATES,
        table__state__in=OPEN_STATES,
    )


def seat_rows(seats: QuerySet[Seat], *, mask: bool) -> list[SeatRow]:
    """Seats by round, table and position. One query."""
    found = seats.order_by("table__round__number", "table__number", "position")
    rows = []
    for values in found.values_list(*_COLUMNS):
        name, number = values[7], values[8]
        shown = shown_name(name, number, mask=mask) if values[6] else ""
        row = (*values[:7], shown, values[9] or "", *values[10:-1], values[-1] or "")
        rows.append(SeatRow._make(row))
    return rows


def table_nets(tables: Collection[int]) -> dict[int, TableNet]:
    """Table → its net 舵, from what counts now: rulings in place of computed values, no void
    hand, no 加赛, penalties in force (C6.5, C6.6, C8.2). Two queries, however many tables."""
    found: dict[int, TableNet] = {}
    counted = (
        HandVersion.objects.filter(
            is_current=True,
            is_void=False,
            hand__tie_break__isnull=True,
            hand__sheet__table__in=tables,
        )
        .annotate(
            ruled=FilteredRelation("hand__rulings", condition=Q(hand__rulings__is_current=True))
        )
        .order_by()
        .values_list("hand__sheet__table_id", "hand__sheet__hands_planned", *_COUNTED)
        .annotate(hands=_HANDS, **_SUMS, **_COMPUTED)
    )
    counts: dict[int, str] = {}
    for pk, planned, discipline, by, hands, *sums in counted:
        nets, computed = tuple(sums[:SEATS]), tuple(sums[SEATS:])
        found[pk] = TableNet(nets, hands, () if computed == nets else computed, planned)
        if discipline == Discipline.MANUAL:
            counts[pk] = by
    penalties = Penalty.objects.filter(voided_at=None, sheet__table__in=tables)
    for pk, position, deducted, *deltas in penalties.order_by().values_list(
        "sheet__table_id", "position", "deducted", *DELTAS
    ):
        before = found.get(pk, TableNet((0,) * SEATS, 0))
        deltas[position] -= deducted
        nets = tuple(map(add, before.nets, deltas))
        computed = tuple(map(add, before.computed, deltas)) if before.computed else ()
        found[pk] = TableNet(nets, before.hands, computed, before.planned)
    return {pk: _written(net, counts[pk]) if pk in counts else net for pk, net in found.items()}


def _written(net: TableNet, by: str) -> TableNet:
    """The same figures as pages write those of another discipline (C10)."""
    by_points = by == CountedBy.POINTS
    return replace(
        net,
        nets=tuple(figure(one, by_points=by_points) for one in net.nets),
        computed=tuple(figure(one, by_points=by_points) for one in net.computed),
    )


DELTAS = ("delta_1", "delta_2", "delta_3", "delta_4")
_EVENT = "hand__sheet__table__round__stage__event"
_COUNTED = (f"{_EVENT}__discipline", f"{_EVENT}__counted_by")
_SUMS = {f"sum_of_{name}": Sum(Coalesce(f"ruled__{name}", name)) for name in DELTAS}
_COMPUTED = {f"computed_{name}": Sum(name) for name in DELTAS}
_HANDS = Sum(Coalesce(Cast(KT("payload__hands"), IntegerField()), 1))


def done(seats: Iterable[SeatRow]) -> set[int]:
    """The tables among these seats that are confirmed or final."""
    return {seat.table for seat in seats if seat.is_done}


def public_lots(event: Event) -> dict[int, int]:
    """Entrant's number → public lot of the published draw, in `redraw` of the latest that he was
    in; 1 the best. One query."""
    draws = Draw.objects.filter(
        stage__event=event, stage__kind="knockout", published_at__isnull=False
    )
    newest = dict(draws.order_by("number").values_list("round_number", "result__lots"))
    return {
        number: lot
        for of_round in sorted(newest)
        for lot, number in enumerate(newest[of_round] or [], 1)
    }


def lots_of(event: Event, seats: Iterable[SeatRow]) -> dict[int, int]:
    """The public lot of everybody at these seats by entrant's id. One query."""
    by_number = public_lots(event)
    return {
        seat.entrant: by_number[seat.entry]
        for seat in seats
        if seat.entrant is not None and seat.entry in by_number
    }
