"""Zip files and workbooks that are more than they seem, made in memory."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from tests.tournament.spreadsheets import table

SHEET, STYLES, BOOK = "xl/worksheets/sheet1.xml", "xl/styles.xml", "xl/workbook.xml"
TEXTS, RELATIONS = "xl/sharedStrings.xml", "xl/_rels/workbook.xml.rels"
SPACE = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
OF_TEXTS = (
    b'<Override PartName="/xl/sharedStrings.xml" ContentType="application/'
    b'vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/>'
)
LAUGHS = b"".join(
    b'<!ENTITY l%d "%s">' % (n, b"&l%d;" % (n - 1) * 10 if n else b"lol") for n in range(10)
)


def zipped(
    parts: Mapping[str, bytes], *, packed: int = zipfile.ZIP_DEFLATED, sizes: int | None = None
) -> bytes:
    """A zip file of these parts; `sizes` is what it says of their size, whatever it is."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", packed) as package:
        for name, content in parts.items():
            package.writestr(name, content)
    data = file.getvalue()
    return data if sizes is None else lying(data, sizes)


def lying(data: bytes, size: int) -> bytes:
    """The zip file with another size in all its headers."""
    found = bytearray(data)
    told = size.to_bytes(4, "little")
    for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = found.find(mark)
        while at >= 0:
            found[at + offset : at + offset + 4] = told
            at = found.find(mark, at + 4)
    return bytes(found)


def parts_of(data: bytes) -> dict[str, bytes]:
    """The parts of a zip file."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return {name: package.read(name) for name in package.namelist()}


def book(**changed: bytes) -> dict[str, bytes]:
    """A small workbook's parts, some of them other ones: `sheet`, `styles`, `texts`, `book`."""
    names = {"sheet": SHEET, "styles": STYLES, "texts": TEXTS, "book": BOOK}
    plain = parts_of(table(["姓名", "单位"], ["唐明", "七星队"]))
    kinds = plain["[Content_Types].xml"]
    plain["[Content_Types].xml"] = kinds.replace(b"</Types>", OF_TEXTS + b"</Types>")
    return {
        **plain,
        TEXTS: b"<sst/>",
        **{names[name]: content for name, content in changed.items()},
    }


def sheet(rows: bytes, after: bytes = b"") -> bytes:
    """A worksheet of these rows."""
    return SPACE + b"<sheetData>" + rows + b"</sheetData>" + after + b"</worksheet>"


def text_cell(at: str, text: str) -> bytes:
    """A cell with a text of its own."""
    return f'<c r="{at}" t="inlineStr"><is><t>{text}</t></is></c>'.encode()
