"""Files as people send them, written by openpyxl and csv."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence

from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet


def book(build: Callable[[Worksheet], None]) -> bytes:
    made = Workbook()
    assert made.active is not None
    build(made.active)
    return saved(made)


def saved(made: Workbook) -> bytes:
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def table(*rows: Sequence[object]) -> bytes:
    def build(sheet: Worksheet) -> None:
        for row in rows:
            sheet.append(list(row))

    return book(build)


def text(*rows: Sequence[object], mark: str = ",", encoding: str = "utf-8") -> bytes:
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=mark).writerows(rows)
    return file.getvalue().encode(encoding)
