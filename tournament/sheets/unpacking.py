"""An xlsx file → the same without anything that could be a bomb, for openpyxl to read.

openpyxl makes objects of all it meets and trusts the zip file's header. So every part of XML is
unpacked here chunk by chunk, gone through by expat, which keeps nothing, and packed anew;
everything else is left out. Pictures and macros are nothing that a list needs.
"""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass, field
from xml.parsers import expat

from core.bounded import CHUNK, TooMuch, check_directory, check_entries, read_entry

MOST_UNPACKED = 48 * 1024 * 1024
MOST_PARTS = 500
MOST_SHEETS = 200
"""Sheets of a workbook; few of them are read."""
MOST_IN_LINES = 1_000_000
"""Elements of rows and of shared texts, which are forgotten one row after the other."""
MOST_IN_A_LINE = 4 * 16_384
"""Elements of one row: as many cells as a spreadsheet has columns, each of four."""
MOST_ELSEWHERE = 60_000
"""All others: formats, merged cells, links, each of which openpyxl makes an object of."""
LAST_ROW = 1_048_576
MOST_DEPTH = 60
MOST_TOKEN = 1024 * 1024
"""Bytes that are one tag or comment."""

_FOLDERS = ("[Content_Types].xml", "_rels/", "xl/", "docProps/")
_KINDS = (".xml", ".rels")
_LINES = {"worksheet": "row", "sst": "si"}
"""What is read line by line, by what its part is."""


class NotAllowed(Exception):
    """There is something in the file that no spreadsheet program writes."""


@dataclass
class Unpacked:
    """A workbook packed anew, and the merged cells of each part, as `A1:B2`."""

    data: bytes
    merged: dict[str, list[str]]


@dataclass
class _Budget:
    """What may still come, in the whole file."""

    in_lines: int = field(default_factory=lambda: MOST_IN_LINES)
    elsewhere: int = MOST_ELSEWHERE
    sheets: int = MOST_SHEETS


@dataclass
class _Part:
    """One part that expat goes through."""

    budget: _Budget
    path: list[str] = field(default_factory=list)
    line: int = 0
    """At which depth the present row began, 0 outside of them."""
    in_line: int = 0
    events: int = 0
    merged: list[str] = field(default_factory=list)

    def scan(self, data: bytes) -> None:
        """Raises `TooMuch`, `NotAllowed`, `expat.ExpatError`."""
        parser = expat.ParserCreate()
        parser.buffer_text = False
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._other
        parser.CommentHandler = self._other
        parser.StartDoctypeDeclHandler = self._doctype
        seen = quiet = 0
        for at in range(0, len(data), CHUNK):
            parser.Parse(data[at : at + CHUNK], False)
            quiet = quiet + CHUNK if self.events == seen else 0
            seen = self.events
            if quiet > MOST_TOKEN:
                raise TooMuch
        parser.Parse(b"", True)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.events += 1
        name = name.rpartition(":")[2]
        root = self.path[0] if self.path else name
        self.path.append(name)
        if not self.line and name == _LINES.get(root):
            self.line, self.in_line = len(self.path), 0
            _check_number(attributes.get("r", "1"))
        if self.line:
            self.in_line += 1
            self.budget.in_lines -= 1
        else:
            self.budget.elsewhere -= 1
            if name == "sheet":
                self.budget.sheets -= 1
            elif name == "mergeCell" and "ref" in attributes:
                self.merged.append(attributes["ref"])
        left = (self.budget.in_lines, self.budget.elsewhere, self.budget.sheets)
        if min(left) < 0 or self.in_line > MOST_IN_A_LINE or len(self.path) > MOST_DEPTH:
            raise TooMuch

    def _end(self, name: str) -> None:
        self.events += 1
        if self.line == len(self.path):
            self.line = 0
        self.path.pop()

    def _other(self, text: str) -> None:
        self.events += 1

    def _doctype(self, *_told: object) -> None:
        raise NotAllowed


def _check_number(row: str) -> None:
    """openpyxl gives out an empty row for each number that is left out. Raises `NotAllowed`."""
    if not (row.isdecimal() and len(row) < 8 and int(row) <= LAST_ROW):
        raise NotAllowed


def unpack(data: bytes) -> Unpacked:
    """The workbook without its pictures and programs. Raises `TooMuch`, `NotAllowed`, and what
    zipfile and expat raise where it is damaged."""
    check_directory(io.BytesIO(data), most_files=MOST_PARTS)
    budget, left = _Budget(), MOST_UNPACKED
    found = Unpacked(b"", {})
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as old,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as new,
    ):
        check_entries(old, most_files=MOST_PARTS, most_bytes=MOST_UNPACKED)
        for name in dict.fromkeys(old.namelist()):
            if not (name.startswith(_FOLDERS) and name.endswith(_KINDS)):
                continue
            content = read_entry(old, name, most=left)
            left -= len(content)
            part = _Part(budget)
            part.scan(content)
            found.merged[name] = part.merged
            new.writestr(zipfile.ZipInfo(name), content)
    found.data = packed.getvalue()
    return found
