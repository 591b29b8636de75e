"""What the pages of sheets read, each with its number of queries."""

from __future__ import annotations

from django.db.models import Prefetch, QuerySet

from core.models import Job
from scoring.domain.board import Board
from scoring.domain.uploads import KIND
from scoring.models import Hand, HandVersion, Protest, Recording, Ruling, Sheet
from tournament.acting import Acting
from tournament.models import Competition, Table
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
        .order_by("pk")
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


def protests_of(sheet: Sheet, *, with_authors: bool = False) -> list[Protest]:
    """The sheet's protests with hand, oldest first; who wrote them is read only where it is
    shown. One query."""
    read = ("hand", "author", "link") if with_authors else ("hand",)
    found = list(Protest.objects.filter(sheet=sheet).select_related(*read))
    for one in found:
        one.sheet = sheet
    return found


def confirmations_of(sheet: Sheet) -> set[int | None]:
    """The positions that have confirmed the sheet as it stands, None for a referee. One query."""
    return set(sheet.confirmations.filter(is_current=True).values_list("position", flat=True))


def records_jobs(competition: Competition) -> QuerySet[Job]:
    """The files uploaded for verification, newest first, without their results' faults."""
    return Job.objects.filter(kind=KIND, scope=competition.scope).order_by("-pk")
