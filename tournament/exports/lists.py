"""Lists handed out as xlsx or CSV: entrants and schedule, and the writing that all lists share.

No cell is ever taken for a formula: in CSV text that begins like one gets an apostrophe before it,
in xlsx it is written as text.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter

from tournament.domain.sittings import read_schedule
from tournament.models import Competition, Event
from tournament.queries.schedule import table_lines
from tournament.sheets.writing import BOM, Cell, escaped

SEATS = "甲乙丙丁"
WIDE, NARROW = 18, 10
MOST_IN_A_CELL = 32_767
"""So many characters does a cell of xlsx hold."""


@dataclass(frozen=True)
class Listing:
    """A list: its title, the headings, and the rows, which may come one by one."""

    title: str
    headings: Sequence[str]
    rows: Iterable[Sequence[Cell]]


def as_csv(listing: Listing) -> Iterator[bytes]:
    """The list in UTF-8 with BOM, line by line."""
    yield BOM.encode()
    for row in (listing.headings, *listing.rows):
        text = io.StringIO(newline="")
        csv.writer(text).writerow([escaped(value) for value in row])
        yield text.getvalue().encode()


def as_xlsx(listings: Sequence[Listing]) -> bytes:
    """A workbook with a sheet for each list, its headings bold and always in sight."""
    book = Workbook(write_only=True)
    for listing in listings:
        sheet = book.create_sheet(listing.title)
        sheet.freeze_panes = "A2"
        for index, heading in enumerate(listing.headings, 1):
            is_wide = len(heading) > 3 or index in (2, 3)
            sheet.column_dimensions[get_column_letter(index)].width = WIDE if is_wide else NARROW
        sheet.append([_cell(sheet, heading, is_bold=True) for heading in listing.headings])
        for row in listing.rows:
            sheet.append([_cell(sheet, value) for value in row])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _cell(sheet: object, value: Cell, *, is_bold: bool = False) -> WriteOnlyCell:
    """A number as number, everything else as text and never as a formula."""
    if isinstance(value, str):
        value = ILLEGAL_CHARACTERS_RE.sub("", value)[:MOST_IN_A_CELL]
    cell = WriteOnlyCell(sheet, value=value)
    if isinstance(value, str):
        cell.data_type = "s"
    if is_bold:
        cell.font = Font(bold=True)
    return cell


def entrants_list(event: Event) -> Listing:
    """Everybody entered in the event with number, unit, seed and status; no phone, no mail. One
    query."""
    found = event.entrants.select_related("entry__person", "partner__person").order_by(
        "entry__number", "pk"
    )
    return Listing(
        _("选手"),
        [_("编号"), _("姓名"), _("代表单位"), _("种子"), _("状态"), _("签到"), _("预赛名次")],
        [
            (
                one.number,
                one.name,
                one.unit,
                one.seed,
                str(one.get_status_display()),
                when(one.entry.checked_in_at),
                one.prelim_rank,
            )
            for one in found
        ],
    )


def schedule_list(competition: Competition) -> Listing:
    """Every table as it is planned, with who sits there. Some ten queries."""
    schedule = read_schedule(competition)
    lines = table_lines(schedule, schedule.tables, ())
    rounds = {one.pk: one for one in schedule.rounds}
    rows = []
    for line in lines:
        round_ = rounds[line.table.round_id]
        people = [f"{name} {unit}".strip() for _seat, name, unit in line.people]
        rows.append(
            (
                round_.stage.event.name,
                str(round_.title),
                line.table.number,
                line.table.batch,
                when(line.begins),
                line.room,
                line.place,
                line.referee,
                str(line.table.get_state_display()),
                *people,
                *[""] * (len(SEATS) - len(people)),
            )
        )
    heads = [_("项目"), _("轮次"), _("桌号"), _("批"), _("开始时间"), _("房间"), _("台"), _("裁判")]
    return Listing(_("日程"), [*heads, _("状态"), *SEATS], rows)


def when(moment: datetime | None) -> str:
    """A time in the zone in use: `2026-12-05 09:30`."""
    return "" if moment is None else localtime(moment).strftime("%Y-%m-%d %H:%M")
