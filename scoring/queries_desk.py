"""What the referees' desk shows of every table: how far it is, and what waits there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from statistics import median_low
from typing import Any

from django.db.models import (
    CharField,
    Count,
    Exists,
    IntegerField,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
)
from django.db.models.functions import Cast, Coalesce, Concat

from core.models import Version
from scoring.domain.walkovers import is_left_alone
from scoring.enums import UNDECIDED, SheetState
from scoring.models import Confirmation, HandVersion, Protest, Ruling
from scoring.queries import sheet_of
from tournament.acting import Acting
from tournament.domain.gaps import is_gap
from tournament.domain.starting import lacks_players
from tournament.enums import BEFORE_PLAY, DONE, State
from tournament.finality import Finality, finality
from tournament.models import Attendance, Call, Competition, ExtraTime, Round, Seat, Table
from tournament.permissions import visible_states
from tournament.queries.clock import Clock, with_extra
from tournament.queries.fixed_tables import fixed_names
from tournament.queries.floor import open_calls

OPEN_STATES = (State.PUBLISHED, State.RUNNING, State.CONFIRMED)
SLOW = 2
"""From how many hands fewer than the others a table is behind."""


@dataclass(frozen=True)
class DeskTable:
    """A line of the desk: a table, who sits there, how far its sheet is, what waits.

    `missing` are entrants who are not at their seats, `extra` minutes beyond the round's clock,
    `ends_at` when the clock ends here, `behind` how many hands fewer it has than the middle one
    of the round's tables that have begun.
    """

    table: Table
    sheet_state: SheetState
    played: int
    planned: int
    flagged: int
    protests: int
    confirmed: int
    seats: Sequence[Seat]
    missing: int = 0
    extra: int = 0
    ends_at: datetime | None = None
    call: Call | None = None
    behind: int = 0

    @property
    def is_playing(self) -> bool:
        """Whether hands are still entered there."""
        return self.table.state == State.RUNNING and self.sheet_state == SheetState.OPEN

    @property
    def has_gap(self) -> bool:
        """Whether a seat is empty to which nobody goes on, so that it cannot start (C9.3)."""
        return self.table.state in BEFORE_PLAY and any(is_gap(seat) for seat in self.seats)

    @property
    def is_alone(self) -> bool:
        """Whether nobody is left there to play against (C9.3)."""
        return is_left_alone(self.table, self.seats)

    @property
    def fixed(self) -> list[str]:
        """Who here cannot walk from table to table (C5.3)."""
        return fixed_names(self.seats)

    @property
    def is_submitted(self) -> bool:
        """Whether its sheet waits to be confirmed."""
        return self.table.state == State.RUNNING and self.sheet_state == SheetState.SUBMITTED

    @property
    def is_slow(self) -> bool:
        """Whether it plays and is behind the others."""
        return self.is_playing and self.behind >= SLOW

    @property
    def has_time_now(self) -> bool:
        """Whether its clock still matters: it is not done, its bell has not been called."""
        return (
            self.ends_at is not None
            and self.table.called_at is None
            and self.table.state in (State.PUBLISHED, State.RUNNING)
            and not self.is_submitted
        )

    def is_over(self, now: datetime) -> bool:
        """Whether the clock has ended and time has not been called here."""
        return self.has_time_now and self.ends_at is not None and self.ends_at <= now


@dataclass(frozen=True)
class DeskRound:
    """A round and its tables, as the desk shows them."""

    round: Round
    tables: Sequence[DeskTable]
    clock: Clock | None = None

    @property
    def finality(self) -> Finality:
        """How final the round is, and when its results are."""
        return finality(self.round.state, self.round, self.round.stage.event.competition)

    @property
    def is_done(self) -> bool:
        """Whether every table is confirmed."""
        return all(line.table.state in DONE for line in self.tables)

    @property
    def is_later(self) -> bool:
        """Whether every table still waits for somebody to sit down."""
        return all(
            line.table.state == State.PUBLISHED and lacks_players(line.seats)
            for line in self.tables
        )


def desk_version(competition: Competition, now: datetime) -> str:
    """What the desk shows, as polls carry it: changes with everything written that it shows, and
    every minute. One query; read it before the data."""
    events = competition.events.order_by()
    tables = Table.objects.filter(
        round__stage__event__competition=competition, round__state__in=OPEN_STATES
    ).order_by()
    found = Version.objects.filter(
        Q(scope__in=[competition.scope, competition.desk_scope])
        | Q(scope__in=_scopes("event:", events))
        | Q(scope__in=_scopes("event:", events, ":play"))
        | Q(scope__in=_scopes("table:", tables))
    ).aggregate(count=Count("scope"), total=Sum("number"))
    return f"{found['count']}-{found['total'] or 0}-{int(now.timestamp()) // 60}"


def _scopes(prefix: str, rows: QuerySet[Any], suffix: str = "") -> QuerySet[Any, Any]:
    text = Concat(Value(prefix), Cast("pk", CharField()), Value(suffix), output_field=CharField())
    return rows.annotate(scope_text=text).values("scope_text")


def desk_rounds(competition: Competition, acting: Acting) -> list[DeskRound]:
    """The rounds that can be played or are not final yet, with every table he may see: those
    under way first, then those done, then those to come. Five queries, however many tables."""
    rounds = list(
        Round.objects.filter(stage__event__competition=competition, state__in=OPEN_STATES)
        .filter(state__in=visible_states(acting))
        .select_related("stage__event")
        .order_by("stage__event__position", "-stage__kind", "number")
    )
    tables = _desk_tables(rounds)
    for round_ in rounds:
        round_.stage.event.competition = competition
    calls = {call.table_id: call for call in open_calls(competition)}
    found = [
        _desk_round(round_, [line for line in tables if line.table.round_id == round_.pk], calls)
        for round_ in rounds
    ]
    return sorted(found, key=lambda group: (group.is_later, group.is_done))


def _desk_round(round_: Round, lines: Sequence[DeskTable], calls: dict[int, Call]) -> DeskRound:
    clock = with_extra(round_, {line.table.pk: line.extra for line in lines if line.extra})
    begun = [line.played for line in lines if line.table.state in (State.RUNNING, *DONE)]
    middle = median_low(begun) if begun else 0
    return DeskRound(
        round=round_,
        tables=[
            replace(
                line,
                call=calls.get(line.table.pk),
                ends_at=clock.ends_at_of(line.table.pk) if clock else None,
                behind=max(middle - line.played, 0) if line.is_playing else 0,
            )
            for line in lines
        ],
        clock=clock,
    )


def _desk_tables(rounds: Sequence[Round]) -> list[DeskTable]:
    by_pk = {round_.pk: round_ for round_ in rounds}
    open_protests = Protest.objects.filter(state__in=UNDECIDED)
    found = list(
        Table.objects.filter(round__in=by_pk)
        .select_related("sheet")
        .annotate(
            open_protests=_of_table(open_protests, "sheet__table"),
            confirmed_by=_of_table(Confirmation.objects.filter(is_current=True), "sheet__table"),
            extra_minutes=_of_table(
                ExtraTime.objects.filter(voided_at=None), "table", Sum("minutes")
            ),
            missing=_of_table(
                Attendance.objects.filter(seated_at=None, round=OuterRef("round")),
                "entrant__seats__table",
            ),
        )
        .prefetch_related(
            Prefetch(
                "seats",
                queryset=Seat.objects.select_related(
                    "entrant__entry__person", "entrant__partner__person", "source"
                ).order_by("position"),
            )
        )
        .order_by("round", "number")
    )
    played, flagged = _hand_counts(by_pk)
    lines = []
    for table in found:
        table.round = by_pk[table.round_id]
        sheet = sheet_of(table)
        lines.append(
            DeskTable(
                table=table,
                sheet_state=SheetState(sheet.state),
                played=played[table.pk],
                planned=sheet.hands_planned,
                flagged=flagged[table.pk],
                protests=table.open_protests,
                confirmed=table.confirmed_by,
                seats=list(table.seats.all()),
                missing=table.missing,
                extra=table.extra_minutes,
            )
        )
    return lines


def _of_table(rows: QuerySet[Any], path: str, of: Any = None) -> Coalesce:
    """How many of these rows the outer table has, or another sum of them."""
    one = rows.filter(**{path: OuterRef("pk")}).order_by().values(path)
    number = one.annotate(number=of or Count("pk")).values("number")
    return Coalesce(Subquery(number, output_field=IntegerField()), 0)


def _hand_counts(rounds: Iterable[int]) -> tuple[Counter[int], Counter[int]]:
    """Hands that count, and open flags, by table. One query."""
    rows = (
        HandVersion.objects.filter(
            hand__sheet__table__round__in=rounds, is_current=True, is_void=False
        )
        .annotate(ruled=Exists(Ruling.objects.filter(hand=OuterRef("hand"), is_current=True)))
        .values_list(
            "hand__sheet__table_id", "hand__tie_break_id", "is_flagged", "ruled", "payload__hands"
        )
    )
    played: Counter[int] = Counter()
    flagged: Counter[int] = Counter()
    for table, tie_break, is_flagged, is_ruled, hands in rows:
        played[table] += (hands or 1) if tie_break is None else 0
        flagged[table] += bool(is_flagged and not is_ruled)
    return played, flagged
