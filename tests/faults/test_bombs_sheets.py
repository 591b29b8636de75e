"""Workbooks that would fill the memory or never end: refused with a sentence, in bounded memory."""

from __future__ import annotations

import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tests.faults.bombs import BOOK, LAUGHS, SHEET, SPACE, STYLES, book, sheet, text_cell, zipped
from tournament.sheets import unpacking
from tournament.sheets.reading import MOST_BYTES, Unreadable, read_file

MB = 1024 * 1024
TOO_MUCH = "表格里的内容太多；请把名单单独复制到新的表格里再上传。"
DAMAGED = "文件打不开，可能没有传完或设了密码；请另存一次再上传。"
NOT_ALLOWED = "这个表格里有不允许的内容，请另存一次再上传。"
NO_TABLE = "这不是表格文件；请上传 .xlsx 或 CSV，或者直接粘贴。"


@contextmanager
def within(most: int) -> Iterator[None]:
    """Fails where more than `most` bytes are held at once."""
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < most, f"{peak / MB:.0f} MB"


def refusal(data: bytes) -> str:
    """What is said of the file."""
    assert len(data) < MOST_BYTES
    with pytest.raises(Unreadable) as caught:
        read_file(data)
    assert caught.value.code == "unreadable-file"
    return str(caught.value)


ONE_ROW = b'<row r="1">' + text_cell("A1", "姓名") + b"</row>"
FULL = book()
NAMES = SPACE.removeprefix(b"<worksheet").removesuffix(b">")
DOCTYPE = f"<!DOCTYPE x [{LAUGHS.decode()}]><worksheet>&l9;</worksheet>"
BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "blanks that the header tells of": (
        lambda: zipped(book(sheet=b" " * 60 * MB)), TOO_MUCH,
    ),
    "blanks of which the header tells nothing": (
        lambda: zipped(book(sheet=b" " * 200 * MB), sizes=100), DAMAGED,
    ),
    "many parts that are large together": (
        lambda: zipped({**FULL, **{f"xl/x{n}.xml": b" " * MB for n in range(60)}}), TOO_MUCH,
    ),
    "another way of packing, without bounds": (
        lambda: zipped(book(sheet=b" " * 60 * MB), packed=zipfile.ZIP_LZMA, sizes=100), DAMAGED,
    ),
    "bzip2": (
        lambda: zipped(book(sheet=b" " * 60 * MB), packed=zipfile.ZIP_BZIP2, sizes=100), DAMAGED,
    ),
    "a million cells in a row": (
        lambda: zipped(book(sheet=sheet(b"<row>" + b"<c/>" * 1_000_000 + b"</row>"))), TOO_MUCH,
    ),
    "a text of a million runs": (
        lambda: zipped(book(texts=b"<sst><si>" + b"<r/>" * 1_000_000 + b"</si></sst>")), TOO_MUCH,
    ),
    "a million formats": (
        lambda: zipped(book(styles=b"<styleSheet>" + b"<xf/>" * 1_000_000 + b"</styleSheet>")),
        TOO_MUCH,
    ),
    "a million merged cells": (
        lambda: zipped(book(sheet=sheet(b"", b'<mergeCell ref="A1:A9"/>' * 1_000_000))), TOO_MUCH,
    ),
    "a tag of ten megabytes": (
        lambda: zipped(book(sheet=b"<worksheet " + b'a="" ' * 2 * MB + b"/>")), TOO_MUCH,
    ),
    "tags inside each other": (
        lambda: zipped(book(sheet=b"<a>" * MB + b"</a>" * MB)), TOO_MUCH,
    ),
    "a thousand sheets that are one part": (
        lambda: zipped(
            book(
                book=FULL[BOOK].replace(
                    b"<sheets>",
                    b"<sheets>" + b'<sheet name="a" sheetId="1" state="visible"/>' * 1000,
                )
            )
        ),
        TOO_MUCH,
    ),
    "more parts than a workbook has": (
        lambda: zipped({f"xl/{n}.xml": b"" for n in range(40_000)}), TOO_MUCH,
    ),
    "rows that are left out without end": (
        lambda: zipped(book(sheet=sheet(b'<row r="99999999999">' + b"</row>"))), NOT_ALLOWED,
    ),
    "entities of entities": (
        lambda: zipped(book(texts=b"<!DOCTYPE x [" + LAUGHS + b"]><sst><si>&l9;</si></sst>")),
        NOT_ALLOWED,
    ),
    "entities behind a long comment": (
        lambda: zipped(
            book(sheet=b"<!--" + b"x" * 9000 + b"--><!DOCTYPE x [" + LAUGHS + b"]>" + SPACE)
        ),
        NOT_ALLOWED,
    ),
    "entities in UTF-16": (
        lambda: zipped(book(sheet=DOCTYPE.encode("utf-16"))),
        NOT_ALLOWED,
    ),
    "a zip in a zip": (lambda: zipped({"xl/a.xlsx": zipped(FULL)}), DAMAGED),
    "a document of another program": (lambda: zipped({"word/document.xml": b"<a/>"}), DAMAGED),
    "a zip file cut short": (lambda: zipped(FULL)[:-30], DAMAGED),
    "a picture": (lambda: b"\x89PNG\r\n\x1a\n" + b"IHDR" * 9, NO_TABLE),
    "a photograph": (lambda: b"\xff\xd8\xff\xe0" + b"JFIF" * 9, NO_TABLE),
    "a PDF": (lambda: b"%PDF-1.7\n" + b"1 0 obj\n" * 9, NO_TABLE),
    "a packed file that is no zip": (lambda: b"\x1f\x8b\x08" + b"x" * 90, NO_TABLE),
    "a page of the web": (lambda: b"<!doctype html><html>", NO_TABLE),
}  # fmt: skip


@pytest.mark.parametrize("name", BOMBS)
def test_bomb_is_refused_in_bounded_memory(name: str) -> None:
    make, says = BOMBS[name]
    data = make()
    with within(80 * MB):
        assert refusal(data) == says


def test_rows_without_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a million of them, which take a second to count."""
    assert unpacking.MOST_IN_LINES == 1_000_000
    monkeypatch.setattr(unpacking, "MOST_IN_LINES", 20_000)
    data = zipped(book(sheet=sheet(b"<row/>" * 1_000_000)))
    with within(80 * MB):
        assert refusal(data) == TOO_MUCH


def test_merged_cells_that_lie_on_each_other_are_refused() -> None:
    """A thousand times five thousand lines would be filled."""
    rows = b"".join(
        b'<row r="%d">' % n + text_cell(f"A{n}", "唐") + b"</row>" for n in range(1, 5001)
    )
    refs = b"".join(b'<mergeCell ref="A1:B%d"/>' % (n + 4000) for n in range(1000))
    data = zipped(book(sheet=sheet(rows, b"<mergeCells>" + refs + b"</mergeCells>")))
    assert refusal(data) == TOO_MUCH


def test_text_that_every_cell_refers_to_is_cut_before_it_is_looked_at() -> None:
    """Five thousand cells with one text of forty megabytes."""
    rows = b"".join(
        b'<row r="%d"><c r="A%d" t="s"><v>0</v></c></row>' % (n, n) for n in range(1, 5001)
    )
    texts = b"<sst" + NAMES + b"><si><t>" + ("唐" * 13_000_000).encode() + b"</t></si></sst>"
    with within(400 * MB):
        (found,) = read_file(zipped(book(sheet=sheet(rows), texts=texts)))
    assert {cells for _line, cells in found.lines} == {("唐" * 500,)}
    assert len(found.lines) == 5000


def test_sheets_that_are_one_part_are_read_once() -> None:
    more = b'<sheet name="b" sheetId="2" state="visible" r:id="rId1"/></sheets>'
    changed = FULL[BOOK].replace(b"</sheets>", more)
    assert changed != FULL[BOOK]
    read = read_file(zipped(book(book=changed)))
    assert [one.lines for one in read] == [((1, ("姓名", "单位")), (2, ("唐明", "七星队")))]


def test_what_is_no_part_of_a_list_never_reaches_the_reader() -> None:
    """Programs, pictures and parts outside of the workbook's folders are left out; formats stay."""
    more = {"xl/vbaProject.bin": b"\0" * 9, "xl/media/a.png": b"x", "../evil.xml": b"<!DOCTYPE x>"}
    found = unpacking.unpack(zipped({**FULL, **more}))
    assert set(found.merged) == {name for name in FULL if name.endswith((".xml", ".rels"))}
    assert {SHEET, STYLES} <= set(found.merged)
    assert read_file(zipped({**FULL, **more})) == read_file(zipped(FULL))
