"""Where the heading is, what each column holds, which lines name somebody."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from tournament.sheets.cells import Row, read_row
from tournament.sheets.fields import Field, field_of
from tournament.sheets.reading import Sheet

LOOK = 25
"""How many filled lines are searched for a heading."""

_NOTE = re.compile(
    r"(?:合计|总计|小计|共计|说明|注意|注|备注|填表|制表|领队|负责人|联系人|审核|截止|日期|note|total)"
    r"(?:人数|人|日期|事项|s)?\s*(?:[:：0-9]|$)",
    re.IGNORECASE,
)
_MARKS = re.compile(r"[。，,：:；;！!？?]")
_CHINESE_NAME = re.compile(r"[\u3400-\u9fff\U00020000-\U000323af·\s]{2,12}")
_PHONE = re.compile(r"\D*1\d{10}(?:\.0)?")
_DIGITS = re.compile(r"\d{1,6}(?:\.0)?")


@dataclass(frozen=True)
class Layout:
    """The line (from 1) where the people begin, and what each column holds (None: not used)."""

    start: int
    columns: tuple[Field | None, ...]

    @property
    def has_names(self) -> bool:
        """Whether a column holds the names."""
        return Field.NAME in self.columns


def choose_sheet(sheets: Sequence[Sheet]) -> int:
    """The index of the sheet whose headings we know best, the first among equals."""
    scores = [
        (layout.has_names, sum(field is not None for field in layout.columns))
        for layout in map(layout_of, sheets)
    ]
    return max(range(len(sheets)), key=lambda index: (scores[index], -index))


def layout_of(sheet: Sheet) -> Layout:
    """Heading and columns as far as they are recognised, by their contents where none is there.

    A heading may be of two lines: the lower one counts, then the upper (联系方式 over 手机, 微信).
    """
    lines = sheet.lines[:LOOK]
    scores = [_headings(cells) for _line, cells in lines]
    best = max(range(len(lines)), key=lambda index: (scores[index], -index), default=0)
    if not lines or (scores[best] < 2 and not _is_lone_name(lines[best][1])):
        start = lines[0][0] if lines else 1
        return Layout(start, _guess(sheet))
    first, last = best, best
    if best + 1 < len(lines) and _continues(lines[best][1], lines[best + 1][1]):
        last = best + 1
    elif best > 0 and _continues(lines[best - 1][1], lines[best][1]):
        first = best - 1
    return Layout(
        lines[last][0] + 1, _columns(lines[first][1], lines[last][1], max(sheet.width, 1))
    )


def read_rows(sheet: Sheet, layout: Layout, this_year: int) -> tuple[list[Row], list[int]]:
    """The rows that name somebody, and the numbers of the lines passed over: above the heading,
    notes and sums, the heading again, numbers without anything beside them."""
    rows: list[Row] = []
    passed: list[int] = []
    for line, cells in sheet.lines:
        found = {
            field: text
            for field, text in zip(layout.columns, cells, strict=False)
            if field is not None and text
        }
        if line < layout.start or _is_no_row(cells, found):
            passed.append(line)
        else:
            rows.append(read_row(line, found, this_year))
    return rows, passed


def _is_no_row(cells: Sequence[str], found: dict[Field, str]) -> bool:
    filled = [text for text in cells if text]
    if _NOTE.match(filled[0]) and (len(filled) <= 2 or Field.NAME not in found):
        return True
    if len(filled) == 1 and (Field.NAME not in found or _MARKS.search(filled[0])):
        return True
    known = [field_of(text) for field, text in found.items() if text and len(text) < 20]
    repeated = sum(1 for hit in known if hit is not None and hit[1])
    return repeated >= 2 or not set(found) - {Field.NUMBER, Field.SEED}


def _headings(cells: Sequence[str]) -> int:
    """How many different fields a line names as headings do."""
    return len({hit[0] for hit in map(field_of, cells) if hit is not None})


def _is_lone_name(cells: Sequence[str]) -> bool:
    """A list of nothing but names, under 姓名."""
    filled = [text for text in cells if text]
    return len(filled) == 1 and field_of(filled[0]) == (Field.NAME, True)


def _continues(upper: Sequence[str], lower: Sequence[str]) -> bool:
    """Whether two lines are one heading: each says a heading of its own, nothing in the lower
    one stands where the upper says 姓名, and neither is a line of data or a remark."""

    def is_exact(text: str) -> bool:
        hit = field_of(text)
        return hit is not None and hit[1]

    pairs = list(zip_longest(upper, lower, fillvalue=""))
    fresh = [(high, low) for high, low in pairs if low and low != high]
    return (
        any(is_exact(low) for _high, low in fresh)
        and any(map(is_exact, upper))
        and not any(re.search(r"[:：\d]", text) for text in (*upper, *(low for _h, low in fresh)))
        and not any(field_of(high) == (Field.NAME, True) for high, _low in fresh)
    )


def _columns(upper: Sequence[str], lower: Sequence[str], width: int) -> tuple[Field | None, ...]:
    """Exact headings first, each field once, the leftmost column first."""
    exact: dict[int, Field] = {}
    loose: dict[int, Field] = {}
    over = ""
    for index in range(width):
        high = upper[index] if index < len(upper) else ""
        low = lower[index] if index < len(lower) else ""
        over = high or (over if low else "")
        hit = field_of(low) or (field_of(over) if not low or low == over else None)
        if hit is not None:
            (exact if hit[1] else loose)[index] = hit[0]
    taken: dict[Field, int] = {}
    for found in (exact, loose):
        for index, field in found.items():
            taken.setdefault(field, index)
    chosen = {index: field for field, index in taken.items()}
    return tuple(chosen.get(index) for index in range(width))


def _guess(sheet: Sheet) -> tuple[Field | None, ...]:
    """Columns without a heading: phones and names by their looks, a rising number, the unit."""
    columns: list[Field | None] = [None] * sheet.width
    texts = [[text for text in column if text] for column in _turned(sheet)]

    def take(field: Field, fits: Iterator[int]) -> None:
        index = next(fits, None)
        if index is not None and field not in columns:
            columns[index] = field

    def mostly(index: int, pattern: re.Pattern[str]) -> bool:
        hits = sum(1 for text in texts[index] if pattern.fullmatch(text))
        return 2 * hits > len(texts[index]) > 0

    def is_free(index: int) -> bool:
        return columns[index] is None and bool(texts[index])

    indexes = range(sheet.width)
    take(Field.PHONE, (i for i in indexes if mostly(i, _PHONE)))
    take(Field.NUMBER, (i for i in indexes if is_free(i) and mostly(i, _DIGITS)))
    take(Field.NAME, (i for i in indexes if is_free(i) and mostly(i, _CHINESE_NAME)))
    take(Field.NAME, (i for i in indexes if is_free(i)))
    take(Field.UNIT, (i for i in indexes if is_free(i)))
    return tuple(columns)


def _turned(sheet: Sheet) -> list[list[str]]:
    lines = [cells for _line, cells in sheet.lines[:200]]
    return [[c[index] if index < len(c) else "" for c in lines] for index in range(sheet.width)]
