"""Files handed out: the template to fill in, and the list of entrants, as xlsx and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from openpyxl import Workbook
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter

from tournament.sheets.fields import Field

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
CSV = "text/csv; charset=utf-8"
TYPES = {"xlsx": XLSX, "csv": CSV}
ACTIVE = ("=", "+", "-", "@", "\t", "\r")
BOM = "\ufeff"

Cell = str | int | None


def escaped(value: Cell) -> Cell:
    """Text that a spreadsheet would take for a formula, made harmless by an apostrophe before
    it; our own reading takes the apostrophe off again."""
    return f"'{value}" if isinstance(value, str) and value.startswith(ACTIVE) else value


def template(kind: str, fields: Sequence[Field] = ()) -> bytes:
    """An empty list with these headings, every one where none are named (`kind`: xlsx or csv)."""
    return written(kind, [], fields)


def written(kind: str, rows: Iterable[Sequence[Cell]], fields: Sequence[Field] = ()) -> bytes:
    """A list under the headings of `fields` (all of them where none are named)."""
    fields = fields or tuple(Field)
    headings = [str(field.label) for field in fields]
    if kind == "csv":
        text = io.StringIO(newline="")
        writer = csv.writer(text)
        writer.writerow(headings)
        writer.writerows([[escaped(value) for value in row] for row in rows])
        return (BOM + text.getvalue()).encode()
    book = Workbook()
    sheet = book.active
    sheet.title = _("名单")
    sheet.append(headings)
    for index, field in enumerate(fields, 1):
        sheet.cell(1, index).font = Font(bold=True)
        column = sheet.column_dimensions[get_column_letter(index)]
        column.width = 18 if field in (Field.UNIT, Field.PHONE, Field.NOTE) else 12
        if field is Field.PHONE:
            column.number_format = "@"
    for row in rows:
        sheet.append([escaped(value) for value in row])
    sheet.freeze_panes = "A2"
    help_ = book.create_sheet(_("说明"))
    for line in _help(fields):
        help_.append([line])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _help(fields: Sequence[Field]) -> list[str]:
    """What stands on the template's second sheet."""
    events = [_("项目可以写几个，用顿号隔开；不写，就是导入时所在的项目。")]
    partner = [_("搭档写姓名或编号；两个人各写一行，搭档写在一行里就够。")]
    return [
        _("每行一人，只有姓名必须填。"),
        _("编号不填，就接着已有的最大编号往下排。"),
        _("种子：1 号最强；没有种子就空着。"),
        _("出生年份写四位数字，例如 1968。"),
        *(events if Field.EVENTS in fields else []),
        *(partner if Field.PARTNER in fields else []),
        _("手机号只有组织者看得到。"),
        _("导入之前会逐行显示：新增、不变、更新、存疑或有错，确认以后才写入。"),
    ]
