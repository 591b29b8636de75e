"""What an uploaded list would do to the entries that are there now."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from tournament.domain.import_events import known_events, offer_of
from tournament.enums import EntryStatus
from tournament.models import Competition, Entrant, Entry, Event, ImportBatch
from tournament.sheets.columns import Layout, read_rows
from tournament.sheets.entering import Offer
from tournament.sheets.fields import Field
from tournament.sheets.judged import Known, Preview
from tournament.sheets.judging import judge
from tournament.sheets.reading import Sheet

Lines = list[list[object]]


def stored(sheets: Sequence[Sheet]) -> list[dict[str, object]]:
    """Sheets as JSON."""
    return [
        {"name": sheet.name, "lines": [[line, list(cells)] for line, cells in sheet.lines]}
        for sheet in sheets
    ]


def sheets_of(batch: ImportBatch) -> tuple[Sheet, ...]:
    """The sheets of a batch not yet confirmed."""
    return tuple(
        Sheet(sheet["name"], tuple((line, tuple(cells)) for line, cells in sheet["lines"]))
        for sheet in batch.sheets
    )


def layout_kept(batch: ImportBatch) -> Layout:
    """Where its people begin and what its columns hold."""
    return Layout(batch.start, tuple(Field(name) if name else None for name in batch.columns))


def preview_of(batch: ImportBatch) -> Preview:
    """Every row of the chosen sheet beside the entries of now. Six queries; no rows before it is
    known which column holds the names."""
    layout = layout_kept(batch)
    if not layout.has_names:
        return Preview(())
    sheet = sheets_of(batch)[batch.sheet]
    rows, passed = read_rows(sheet, layout, timezone.localdate().year)
    offer = offer_of(batch.competition, batch.event)
    known = known_entries(batch.competition, batch.event, offer)
    return Preview(judge(rows, known, offer), tuple(passed))


def known_entries(competition: Competition, event: Event, offer: Offer) -> list[Known]:
    """Every entry of the competition with its seed in the event, its events and partners. Four
    queries, two where there is one event of single players."""
    several = offer.has_several or offer.has_pairs
    playing, pairs = known_events(competition, offer) if several else ({}, {})
    usual = () if offer.has_several else (offer.usual,)
    seeds = dict(
        Entrant.objects.filter(event=event, seed__isnull=False).values_list("entry_id", "seed")
    )
    columns = (
        "pk", "person__name", "unit", "number", "person__phone", "person__birth_year",
        "person__note", "person__reading", "status",
    )  # fmt: skip
    entries = Entry.objects.filter(competition=competition)
    return [
        Known(
            pk, name, unit, number, phone, year, seeds.get(pk), note, reading,
            has_left=status == EntryStatus.WITHDRAWN,
            playing=usual or playing.get(pk, ()), pairs=pairs.get(pk, ()),
        )
        for pk, name, unit, number, phone, year, note, reading, status in entries.order_by(
            "number", "pk"
        ).values_list(*columns)
    ]  # fmt: skip
