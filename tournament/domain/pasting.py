"""Reading a pasted list of entrants: one a line, name and unit (pure, no database)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

MOST_LINES = 5000
MOST_LETTERS = 60

_ORDINAL = re.compile(r"\s*[(（]?\d{1,5}\s*(?:[.．。:：)）、]\s*|[\t,，]\s*|\s+)")
_MARKS = re.compile(r"[\t,，、;；|]")
_BLANK = re.compile(r"\s+")
_LETTER = re.compile(r"[^\W\d_]")
_ONE_CHINESE = re.compile(r"[\u3400-\u9fff\U00020000-\U000323af]")
_HEADS = {"姓名", "名字", "选手", "选手姓名", "name"}


class LineFault(StrEnum):
    """Why a line is not taken."""

    NO_NAME = "no-name"
    TOO_LONG = "too-long"
    DOUBLE = "double"
    TOO_MANY = "too-many"


FAULTS: dict[LineFault, Promise] = {
    LineFault.NO_NAME: _("没有姓名：每行先写姓名，再写单位"),
    LineFault.TOO_LONG: _("姓名或单位超过 60 个字"),
    LineFault.DOUBLE: _("已有同名同单位的选手；如果确是另一个人，请单独添加"),
    LineFault.TOO_MANY: _("一次最多粘贴 5000 行，其余请再贴一次"),
}


@dataclass(frozen=True, slots=True)
class Pasted:
    """A line that names somebody. `row` counts the lines from 1."""

    row: int
    name: str
    unit: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """A line that was not taken: as it was typed, and why."""

    row: int
    text: str
    fault: LineFault

    @property
    def why(self) -> Promise:
        """The reason as a sentence."""
        return FAULTS[self.fault]


@dataclass(frozen=True, slots=True)
class Reading:
    """A pasted text: people, rejected lines, and the names that are there more than once."""

    people: tuple[Pasted, ...]
    rejected: tuple[Rejected, ...]
    same_names: tuple[str, ...]


def clean(text: str) -> str:
    """One spelling of what looks the same: full-width letters and blanks become plain ones."""
    return _BLANK.sub(" ", unicodedata.normalize("NFKC", text)).strip()


def clean_name(text: str) -> str:
    """A name likewise; blanks inside a Chinese one (张　三) go."""
    name = clean(text)
    if re.search(r"[A-Za-z]", name):
        return name
    return name.replace(" ", "")


def read_lines(text: str, known: Collection[tuple[str, str]] = ()) -> Reading:
    """Name and unit of each line; `known` are (name, unit) that are entered already.

    Tab, comma (full-width too), 、, semicolon or blanks part name and unit; a number before the
    name, empty lines and a heading are passed over. Equal name and unit is a double; an equal
    name with another unit is taken and named in `same_names`.
    """
    people: list[Pasted] = []
    rejected: list[Rejected] = []
    seen = set(known)
    names = {name for name, _unit in seen}
    same: list[str] = []
    for row, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        name, unit = split_line(line)
        if name.lower() in _HEADS:
            continue
        fault = _fault(name, unit, seen, len(people))
        if fault:
            rejected.append(Rejected(row, line, fault))
            continue
        if name in names and name not in same:
            same.append(name)
        people.append(Pasted(row, name, unit))
        seen.add((name, unit))
        names.add(name)
    return Reading(tuple(people), tuple(rejected), tuple(same))


def split_line(line: str) -> tuple[str, str]:
    """(name, unit) of a line, either may be empty."""
    line = _ORDINAL.sub("", line, count=1) if _ORDINAL.match(line) else line
    name, *rest = _MARKS.split(line)
    if rest:
        return clean_name(name), clean(" ".join(rest))
    words = clean(line).split(" ")
    if len(words) > 1 and all(_ONE_CHINESE.fullmatch(word) for word in words[:2]):
        words[:2] = ["".join(words[:2])]
    if all(word.isascii() for word in words):
        return " ".join(words), ""
    return clean_name(words[0]), " ".join(words[1:])


def _fault(name: str, unit: str, seen: set[tuple[str, str]], taken: int) -> LineFault | None:
    if not _LETTER.search(name):
        return LineFault.NO_NAME
    if max(len(name), len(unit)) > MOST_LETTERS:
        return LineFault.TOO_LONG
    if (name, unit) in seen:
        return LineFault.DOUBLE
    return LineFault.TOO_MANY if taken >= MOST_LINES else None
