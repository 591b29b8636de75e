"""What the pages of books and paper read, each with its number of queries."""

from __future__ import annotations

from django.db.models import QuerySet

from scoring.domain.board import Board
from scoring.models import BookEdition, Sheet
from tournament.models import Competition, Round
from tournament.queries.organizer import tables_of


def editions_of(competition: Competition) -> QuerySet[BookEdition]:
    """The editions without their text, the newest first, with who made them and their job. One
    query."""
    return (
        BookEdition.objects.filter(competition=competition)
        .select_related("author", "job")
        .defer("body", "names")
        .order_by("-pk")
    )


def published_of(competition: Competition) -> QuerySet[BookEdition]:
    """Those that everybody may see, likewise. One query."""
    return editions_of(competition).filter(published_at__isnull=False)


def rounds_on_paper(competition: Competition) -> list[Round]:
    """All rounds that are drawn, by event, the preliminary's first; for who leads. One query."""
    found = Round.objects.filter(stage__event__competition=competition).select_related(
        "stage__event"
    )
    return list(found.order_by("stage__event__position", "-stage__kind", "number"))


def boards_of(round_: Round) -> list[Board]:
    """A board for each table of the round, with its seats; sheets that are not there yet are not
    saved. Needs the round's stage, event and competition. Three queries."""
    boards = []
    tables = list(tables_of(round_))
    sheets = {sheet.table_id: sheet for sheet in Sheet.objects.filter(table__in=tables)}
    for table in tables:
        table.round = round_
        sheet = sheets.get(table.pk) or Sheet(table=table, hands_planned=round_.hands)
        board = Board(sheet, table)
        board.seats = list(table.seats.all())
        boards.append(board)
    return boards
