"""What the pages of sheets read, each with its number of queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Prefetch, QuerySet

from core.models import Job
from scoring.domain.board import Board
from scoring.domain.uploads import KIND
from scoring.enums import ProtestState, SheetState
from scoring.models import Confirmation, Hand, HandVersion, Protest, Recording, Ruling, Sheet
from tournament.acting import Acting
from tournament.enums import State
from tournament.models import Competition, Round, Seat, Table
from tournament.permissions import visible_states


def find_table(competition: Competition, pk: int, acting: Acting) -> Table | None:
    """A table that he may see, with its round, stage and event. One query."""
    table = (
        Table.objects.select_related("round__stage__event", "sheet")
        .filter(
            pk=pk,
            round__stage__event__competition=competition,
            state__in=visible_states(acting),
            round__state__in=visible_states(acting),
        )
        .first()
    )
    if table is not None:
        table.round.stage.event.competition = competition
    return table


def sheet_of(table: Table) -> Sheet:
    """The table's sheet; one that is not saved where no hand has made it yet. `table` comes from
    `find_table`."""
    try:
        sheet = table.sheet
    except Sheet.DoesNotExist:
        sheet = Sheet(table=table, hands_planned=table.round.hands)
    return sheet


def read_board(table: Table) -> Board:
    """A table's sheet to be shown; each of its parts is one query when first asked for."""
    return Board(sheet_of(table), table)


@dataclass(frozen=True)
class DeskTable:
    """A line of the desk: a table, who sits there, how far its sheet is."""

    table: Table
    sheet_state: SheetState
    played: int
    planned: int
    flagged: int
    protests: int
    confirmed: int
    seats: Sequence[Seat]


@dataclass(frozen=True)
class DeskRound:
    """A round and its tables, as the desk shows them."""

    round: Round
    tables: Sequence[DeskTable]

    @property
    def is_done(self) -> bool:
        """Whether every table is confirmed."""
        return all(line.table.state in (State.CONFIRMED, State.FINAL) for line in self.tables)

    @property
    def is_later(self) -> bool:
        """Whether every table still waits for somebody to sit down."""
        return all(
            line.table.state == State.PUBLISHED
            and any(seat.entrant_id is None and not seat.is_filler for seat in line.seats)
            for line in self.tables
        )


def desk_rounds(competition: Competition, acting: Acting) -> list[DeskRound]:
    """The rounds that can be played or are not final yet, with every table he may see: those
    under way first, then those done, then those to come. Six queries, however many tables."""
    open_states = [State.PUBLISHED, State.RUNNING, State.CONFIRMED]
    rounds = list(
        Round.objects.filter(stage__event__competition=competition, state__in=open_states)
        .filter(state__in=visible_states(acting))
        .select_related("stage__event")
        .order_by("stage__event__position", "number")
    )
    tables = _desk_tables(rounds)
    found = [
        DeskRound(round_, [line for line in tables if line.table.round_id == round_.pk])
        for round_ in rounds
    ]
    return sorted(found, key=lambda group: (group.is_later, group.is_done))


def _desk_tables(rounds: Sequence[Round]) -> list[DeskTable]:
    by_pk = {round_.pk: round_ for round_ in rounds}
    found = list(
        Table.objects.filter(round__in=by_pk)
        .select_related("sheet")
        .prefetch_related(
            Prefetch(
                "seats",
                queryset=Seat.objects.select_related("entrant__entry__person").order_by("position"),
            )
        )
        .order_by("round", "number")
    )
    played, flagged = _hand_counts(by_pk)
    protests = _counts(Protest.objects.filter(state=ProtestState.OPEN), by_pk)
    confirmed = _counts(Confirmation.objects.filter(is_current=True), by_pk)
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
                protests=protests[table.pk],
                confirmed=confirmed[table.pk],
                seats=list(table.seats.all()),
            )
        )
    return lines


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


def _counts(rows: QuerySet[Any], rounds: Iterable[int]) -> Counter[int]:
    """How many of these rows each table's sheet has. One query."""
    found = (
        rows.filter(sheet__table__round__in=rounds)
        .order_by()
        .values_list("sheet__table_id")
        .annotate(Count("pk"))
    )
    return Counter(dict(found))


def find_hand(sheet: Sheet, number: int) -> Hand | None:
    """A hand of the sheet with all its versions, newest first, and its rulings. Three
    queries."""
    return (
        Hand.objects.filter(sheet=sheet, number=number)
        .prefetch_related(
            Prefetch(
                "versions",
                queryset=HandVersion.objects.select_related("author", "link").order_by("-version"),
            ),
            Prefetch(
                "rulings", queryset=Ruling.objects.select_related("author", "link").order_by("-pk")
            ),
        )
        .first()
    )


def recordings_of(sheet: Sheet) -> list[Recording]:
    """The sheet's recordings that are not saved, with who began them. One query."""
    found = Recording.objects.filter(sheet=sheet, version=None).select_related("author", "link")
    return list(found)


def recording_of(sheet: Sheet, pk: int) -> Recording | None:
    """A recording of the sheet, saved or not, with its version. One query."""
    found = (
        Recording.objects.filter(sheet=sheet, pk=pk)
        .select_related("author", "link", "version__hand")
        .first()
    )
    if found is not None:
        found.sheet = sheet
    return found


def protests_of(sheet: Sheet) -> list[Protest]:
    """The sheet's protests with hand and author, oldest first. One query."""
    return list(Protest.objects.filter(sheet=sheet).select_related("hand", "author", "link"))


def confirmations_of(sheet: Sheet) -> set[int | None]:
    """The positions that have confirmed the sheet as it stands, None for a referee. One query."""
    return set(sheet.confirmations.filter(is_current=True).values_list("position", flat=True))


def records_jobs(competition: Competition) -> QuerySet[Job]:
    """The files uploaded for verification, newest first, without their results' faults."""
    return Job.objects.filter(kind=KIND, scope=competition.scope).order_by("-pk")
