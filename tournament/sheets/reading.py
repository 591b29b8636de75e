"""Files and pasted text → lines of cells. What is too large is refused before it is unpacked."""

from __future__ import annotations

import csv
import io
import re
import warnings
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.utils.translation import gettext_lazy as _
from openpyxl import load_workbook
from openpyxl.utils import range_boundaries

from core.bounded import TooMuch
from core.errors import DomainError
from tournament.sheets.cells import text_of, tidy
from tournament.sheets.fields import field_of
from tournament.sheets.unpacking import NotAllowed, unpack

MOST_BYTES = 5 * 1024 * 1024
MOST_LINES = 5100
MOST_COLUMNS = 60
MOST_SHEETS = 20

DELIMITERS = "\t,;，；|"
_ZIP, _OLD = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_OTHERS = (b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"{\\rtf", b"RIFF", b"Rar!", b"\x1f\x8b")
"""How files begin that are something else, whatever they are called."""
_STATED = re.compile(r"sep=([\t,;|])\r?\n", re.IGNORECASE)
_ONE_CHINESE = re.compile(r"[\u3400-\u9fff\U00020000-\U000323af]")


NO_TABLE = _("这不是表格文件；请上传 .xlsx 或 CSV，或者直接粘贴。")


class Unreadable(DomainError):
    """The file cannot be read, and what to do instead."""

    code = "unreadable-file"


@dataclass(frozen=True)
class Sheet:
    """A worksheet: its name and its lines that are not empty, each with its number from 1."""

    name: str
    lines: tuple[tuple[int, tuple[str, ...]], ...]

    @property
    def width(self) -> int:
        """How many columns it has."""
        return max((len(cells) for _line, cells in self.lines), default=0)


def read_file(data: bytes) -> tuple[Sheet, ...]:
    """The visible, filled sheets of an xlsx file, or the one of a CSV file. Raises `Unreadable`."""
    if len(data) > MOST_BYTES:
        raise Unreadable(_("文件超过 5 MB，请只留下名单再上传。"))
    if data.startswith(_ZIP):
        sheets = _read_workbook(data)
    elif data.startswith(_OLD):
        raise Unreadable(_("这是旧的 .xls 文件；请在表格软件里另存为 .xlsx 或 CSV 再上传。"))
    elif data.startswith(_OTHERS):
        raise Unreadable(NO_TABLE)
    else:
        sheets = (read_text(decode(data)),)
    sheets = tuple(sheet for sheet in sheets if sheet.lines)
    if not sheets:
        raise Unreadable(_("文件里没有内容。"))
    return sheets


def read_text(text: str) -> Sheet:
    """A CSV file or a pasted table: parted by tabs, commas, semicolons, else by blanks."""
    if "\0" in text or text.lstrip()[:200].lower().startswith(("<!doctype", "<html", "<?xml")):
        raise Unreadable(NO_TABLE)
    stated = _STATED.match(text)
    delimiter = stated[1] if stated else _delimiter(text)
    try:
        lines = _parse(text, delimiter) if delimiter else map(_by_blanks, text.splitlines())
        tidied = ((line, map(tidy, cells)) for line, cells in enumerate(lines, 1))
        return Sheet("", tuple(_filled((n, c) for n, c in tidied if n > 1 or not stated)))
    except csv.Error:
        raise Unreadable(
            _("CSV 里有一格过长，多半是引号没有成对；请检查引号，或另存为 .xlsx。")
        ) from None


def decode(data: bytes) -> str:
    """UTF-8 with or without BOM, UTF-16 by its BOM, else GB18030. Raises `Unreadable`."""
    is_utf_16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if is_utf_16 else ("utf-8-sig", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise Unreadable(_("看不懂文件的编码；请另存为 .xlsx 或 UTF-8 的 CSV 再上传。"))


def _read_workbook(data: bytes) -> tuple[Sheet, ...]:
    damaged = Unreadable(_("文件打不开，可能没有传完或设了密码；请另存一次再上传。"))
    try:
        unpacked = unpack(data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            book = load_workbook(io.BytesIO(unpacked.data), read_only=True, data_only=True)
            try:
                # Many sheets may be one part, which would be read again and again.
                sheets = {
                    sheet._worksheet_path: sheet
                    for sheet in reversed(book.worksheets)
                    if sheet.sheet_state == "visible"
                }
                shown = islice(reversed(sheets.items()), MOST_SHEETS)
                return tuple(_read_sheet(sheet, unpacked.merged[part]) for part, sheet in shown)
            finally:
                book.close()
    except DomainError:
        raise
    except TooMuch:
        raise Unreadable(_("表格里的内容太多；请把名单单独复制到新的表格里再上传。")) from None
    except NotAllowed:
        raise Unreadable(_("这个表格里有不允许的内容，请另存一次再上传。")) from None
    except Exception as error:  # openpyxl lets through whatever a damaged file brings about
        raise damaged from error


def _read_sheet(sheet: Any, merged: Iterable[str]) -> Sheet:
    sheet.reset_dimensions()  # the size a file states may be wrong, or a bomb
    rows = sheet.iter_rows(max_col=MOST_COLUMNS, values_only=True)
    filled = ((n, row) for n, row in enumerate(rows, 1) if row.count(None) < len(row))
    lines = list(_filled((n, map(text_of, row)) for n, row in filled))
    return Sheet(str(sheet.title), tuple(_merged(lines, merged)))


def _merged(
    lines: list[tuple[int, tuple[str, ...]]], refs: Iterable[str]
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """`lines` where a cell merged downwards (a unit beside its members) is repeated in each.

    Raises `TooMuch` where merged cells lie on each other, so that they are more than there are.
    """
    texts, numbers = dict(lines), [number for number, _cells in lines]
    down: dict[tuple[int, int], str] = {}
    left_over = MOST_LINES * MOST_COLUMNS
    for left, top, _right, bottom in map(range_boundaries, refs):
        cells = texts.get(top or 0, ())
        if left and top and bottom and left <= len(cells) and cells[left - 1]:
            below = numbers[bisect_right(numbers, top) : bisect_left(numbers, bottom + 1)]
            left_over -= len(below)
            if left_over < 0:
                raise TooMuch
            for number in below:
                down[number, left] = cells[left - 1]
    columns = sorted({column for _number, column in down})
    for number, cells in lines:
        filled = list(cells)
        for column in columns:
            text = down.get((number, column))
            if text is not None:
                filled += [""] * (column - len(filled))
                filled[column - 1] = filled[column - 1] or text
        yield number, tuple(filled)


def _filled(
    lines: Iterable[tuple[int, Iterable[str]]],
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The lines that hold anything, without empty cells at their ends."""
    count = 0
    for number, texts in lines:
        cells = list(islice(texts, MOST_COLUMNS))
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            count += 1
            if count > MOST_LINES:
                raise Unreadable(_("一次最多导入 5000 名，请分成几个文件。"))
            yield number, tuple(cells)


def _parse(text: str, delimiter: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)


def _delimiter(text: str) -> str | None:
    """The mark that gives headings we know, else rows of one width; None where none parts."""
    best, chosen = (0, 0), None
    start = text[:20_000]
    for mark in DELIMITERS:
        try:
            rows = [row for row in _parse(start, mark) if any(map(str.strip, row))][:50]
        except csv.Error:
            continue
        widths = Counter(len(row) for row in rows if len(row) > 1)
        headings = max(
            (len({field_of(cell) for cell in row} - {None}) for row in rows[:20] if len(row) > 1),
            default=0,
        )
        score = (headings, max(widths.values(), default=0))
        if score > best and (headings > 1 or 2 * sum(widths.values()) >= len(rows)):
            best, chosen = score, mark
    return chosen


def _by_blanks(line: str) -> list[str]:
    """Cells parted by two blanks, else by one; 张 三 is one name."""
    line = line.replace("\u3000", " ").strip()
    if re.search(r"\s{2,}", line):
        return re.split(r"\s{2,}", line)
    cells: list[str] = []
    is_open = False
    for word in line.split():
        is_one = bool(_ONE_CHINESE.fullmatch(word))
        if is_one and is_open:
            cells[-1] += word
        else:
            cells.append(word)
        is_open = is_one and not is_open
    return cells
