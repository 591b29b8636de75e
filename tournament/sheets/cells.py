"""What is meant by what is typed in a cell: full-width digits, blanks, numbers as text."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date, datetime, time

from django.core.exceptions import ValidationError

from tournament.domain.pasting import MOST_LETTERS, clean, clean_name
from tournament.sheets.fields import Field
from tournament.sheets.reasons import Code, Reason
from tournament.validators import check_phone

MOST_NUMBER = 999_999
MOST_SEED = 9999
MOST_NOTE = 200
MOST_CELL = 500
FIRST_YEAR = 1900
MOBILE = 11

_LETTER = re.compile(r"[^\W\d_]")
_WHOLE = re.compile(r"(?:no\.?|第|#)?\s*(\d{1,9})(?:\.0+)?\s*(?:号|号种子|名)?", re.IGNORECASE)
_ROUNDED = re.compile(r"\d(?:\.\d+)?e\+?\d+", re.IGNORECASE)
_YEAR = re.compile(r"(\d{4})(?:\.0+|年.*|[-/.]\d.*)?")
_HOME = re.compile(r"(?:\+|00)?86(?=1\d{10}$)")
_FORMULA_ERROR = re.compile(r"#(?:N/A|REF!|VALUE!|NAME\?|DIV/0!|NULL!|NUM!)", re.IGNORECASE)
_ESCAPED = re.compile(r"^'(?=[=+\-@\d])")


@dataclass(frozen=True)
class Row:
    """A line of a list that names, or should name, somebody. `line` counts from 1 as the
    spreadsheet does; an empty text or None is a cell without a value. `chosen` are the events as
    the competition calls them (`entering`)."""

    line: int
    name: str = ""
    unit: str = ""
    number: int | None = None
    phone: str = ""
    birth_year: int | None = None
    seed: int | None = None
    note: str = ""
    events: str = ""
    partner: str = ""
    faults: tuple[Reason, ...] = ()
    chosen: tuple[str, ...] = ()

    def value(self, field: Field) -> str | int | None:
        """The value of a column."""
        found: str | int | None = getattr(self, field)
        return found


def text_of(value: object) -> str:
    """A cell of a spreadsheet as text: 13800000000.0 → `13800000000`, a date as `1968-03-02`."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, datetime) and value.time() == time():
        value = value.date()
    if isinstance(value, (date, time)):
        return value.isoformat()
    return tidy(str(value))


def tidy(text: str) -> str:
    """`text` in one line, without invisible characters; what a spreadsheet escapes (`'=…`) as it
    was meant. Cut at 500 characters."""
    text = text[:MOST_CELL]
    if text.isprintable():
        return _ESCAPED.sub("", text.strip())
    letters = [
        " " if letter in "\t\r\n\v\f" or unicodedata.category(letter) == "Zl" else letter
        for letter in text
        if letter in "\t\r\n\v\f" or unicodedata.category(letter) not in ("Cc", "Cf", "Cs")
    ]
    return _ESCAPED.sub("", "".join(letters).strip())


def read_row(line: int, cells: dict[Field, str], this_year: int) -> Row:
    """The values of a line with every fault in it."""
    faults: list[Reason] = []
    texts = {field: clean(cells.get(field, "")) for field in Field}
    for field in Field:
        if _FORMULA_ERROR.fullmatch(texts[field]):
            faults.append(Reason(Code.FORMULA, {"field": field.label}))
            texts[field] = ""
    name = clean_name(texts[Field.NAME])
    if not name and not faults:
        faults.append(Reason(Code.NO_NAME))
    elif name and not _LETTER.search(name):
        faults.append(Reason(Code.BAD_NAME))
    for field, text, most in (
        (Field.NAME, name, MOST_LETTERS),
        (Field.UNIT, texts[Field.UNIT], MOST_LETTERS),
        (Field.NOTE, texts[Field.NOTE], MOST_NOTE),
    ):
        if len(text) > most:
            faults.append(Reason(Code.TOO_LONG, {"field": field.label, "most": most}))
    phone = _phone(texts[Field.PHONE])
    year = _year(texts[Field.BIRTH_YEAR], this_year)
    number = _whole(texts[Field.NUMBER], MOST_NUMBER, Code.BAD_NUMBER)
    seed = _whole(texts[Field.SEED], MOST_SEED, Code.BAD_SEED)
    faults += [value for value in (number, phone, year, seed) if isinstance(value, Reason)]
    return Row(
        line,
        name=name,
        unit=texts[Field.UNIT],
        number=None if isinstance(number, Reason) else number,
        phone="" if isinstance(phone, Reason) else phone,
        birth_year=None if isinstance(year, Reason) else year,
        seed=None if isinstance(seed, Reason) else seed,
        note=texts[Field.NOTE],
        events=texts[Field.EVENTS],
        partner=texts[Field.PARTNER],
        faults=tuple(faults),
    )


def _whole(text: str, most: int, code: Code) -> int | Reason | None:
    if text in ("", "-", "–", "—", "/", "无"):
        return None
    found = _WHOLE.fullmatch(text)
    if found is None or not 1 <= int(found[1]) <= most:
        return Reason(code, {"text": text[:MOST_LETTERS]})
    return int(found[1])


def _year(text: str, this_year: int) -> int | Reason | None:
    if text in ("", "-", "–", "—", "/", "无"):
        return None
    found = _YEAR.fullmatch(text)
    if found is None or not FIRST_YEAR <= int(found[1]) <= this_year:
        return Reason(Code.BAD_YEAR, {"text": text[:MOST_LETTERS]})
    return int(found[1])


def _phone(text: str) -> str | Reason:
    """The number without blanks, dashes, brackets and the country's 86."""
    if text in ("", "-", "–", "—", "/", "无"):
        return ""
    if _ROUNDED.fullmatch(text):
        return Reason(Code.ROUNDED_PHONE)
    text = re.sub(r"\.0+$", "", text)
    if re.search(r"\d{7,}[^\d+]+\d{7,}", text):
        return Reason(Code.TWO_PHONES)
    joined = _HOME.sub("", re.sub(r"[\s()\-.—–]", "", text))
    if joined.isdecimal() and joined.startswith("1") and len(joined) != MOBILE:
        return Reason(Code.SHORT_PHONE, {"n": len(joined)})
    try:
        check_phone(joined)
    except ValidationError:
        return Reason(Code.BAD_PHONE)
    return joined
