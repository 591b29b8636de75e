"""The words of a record's line: taken apart, full-width forms made plain, columns kept."""

from __future__ import annotations

import re
import unicodedata
from typing import Final, NamedTuple

from engine import cards
from engine.errors import ZipaiError
from engine.events import SEATS
from engine.faults import ReadError

NOTATION: Final = "notation"
"""The `rule` of faults that no rule of rules.md decides, only notation.md."""

LINE_LIMIT: Final = 10_000
"""Characters a line may have: far more than any record needs."""
COMBINING_LIMIT: Final = 30
"""Combining marks in a row: normalising a longer run takes quadratic time."""
SHORT: Final = 200
"""Characters of which quadratic time is no time."""

SEAT_NAMES: Final = {**{s: i for i, s in enumerate(SEATS)}, "A": 0, "B": 1, "C": 2, "D": 3}
_PLAIN: Final = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys(map(ord, "\ufeff\u200b\u200c\u200d\u2060"), " "),
    ord("。"): ".",
    ord("、"): ",",
    **dict.fromkeys(map(ord, "−–"), "-"),
}
_SPECIAL: Final = re.compile('["＂“{｛#＃]')
_QUOTE: Final = re.compile('["＂]')
_BRACE: Final = re.compile("[}｝]")
_CLOSER: Final = {'"': _QUOTE, "＂": _QUOTE, "“": re.compile("”"), "{": _BRACE, "｛": _BRACE}
TOKEN: Final = re.compile(r"\S+")
_ASCII_CARD: Final = re.compile(r"([sb])(10|[1-9])(?![0-9])")
_ASCII_RUN: Final = re.compile(r"[A-Za-z0-9]+")


class Token(NamedTuple):
    """A word of a line: with full-width forms made plain, as written, and its column from 1."""

    text: str
    raw: str
    column: int


class Anatomy(NamedTuple):
    """A line taken apart: plain code (offsets as in the line), quotation, annotation."""

    code: str
    tokens: list[Token]
    quoted: str | None
    quoted_column: int
    note: str | None


def syntax(zh: str, en: str, column: int, rule: str = NOTATION) -> ReadError:
    """A `syntax` error at a column."""
    return ReadError("syntax", rule, zh, en, column)


def plain(text: str) -> str:
    """The text with full-width forms as ASCII, each character in its place."""
    return text if text.isascii() else text.translate(_PLAIN)


def nfc(text: str, column: int) -> str:
    """The text in normal form C; raises `syntax` for absurd runs of combining marks."""
    if text.isascii() or (len(text) < SHORT and unicodedata.is_normalized("NFC", text)):
        return text
    run = 0
    for char in text:
        run = run + 1 if unicodedata.combining(char) else 0
        if run > COMBINING_LIMIT:
            raise syntax("附加符号太多", "too many combining marks in a row", column)
    return unicodedata.normalize("NFC", text)


def spans(raw: str) -> tuple[str, list[tuple[int, int]]]:
    """The line without its comment, and where `"…"` and `{…}` stand in it.

    What is opened and never closed opens nothing. Linear in the line's length.
    """
    if len(raw) > LINE_LIMIT:
        raise syntax("这一行太长", "the line is too long", LINE_LIMIT + 1)
    found: list[tuple[int, int]] = []
    hopeless: set[re.Pattern[str]] = set()
    position = 0
    while opener := _SPECIAL.search(raw, position):
        closer = _CLOSER.get(opener[0])
        if closer is None:
            return raw[: opener.start()], found
        position = opener.end()
        if closer not in hopeless:
            end = closer.search(raw, position)
            if end is None:
                hopeless.add(closer)
            else:
                position = end.end()
                found.append((opener.start(), position))
    return raw, found


def dissect(raw: str) -> Anatomy:
    """The parts of a line after 发 and 墩; raises `syntax` where they stand in a wrong order."""
    text, found = spans(raw)
    quoted = note = None
    end = len(text)
    quoted_column = 0
    for start, stop in reversed(found):
        if text[stop:end].strip() or (note is not None and text[start] in "{｛"):
            raise syntax(
                "注释 {…} 和引文之后不能再写别的",
                "nothing may follow an annotation {…} or a quotation",
                len(text) - len(text[stop:].lstrip()) + 1,
            )
        content = nfc(text[start + 1 : stop - 1], start + 1)
        if text[start] in "{｛":
            note = content
        elif quoted is not None or '"' in content or "＂" in content:
            raise syntax(
                "只能有一段引文，里面不能有引号", "one quotation, without quotes in it", start + 1
            )
        else:
            quoted, quoted_column = content, start + 1
        end = start
    code = plain(text[:end])
    tokens = [Token(m[0], text[m.start() : m.end()], m.start() + 1) for m in TOKEN.finditer(code)]
    return Anatomy(code, tokens, quoted, quoted_column, note)


def read_cards(token: Token) -> list[tuple[int, int]]:
    """The cards of a group as `(card, column)`; raises `unknown-card` at the first that is none."""
    found: list[tuple[int, int]] = []
    text, raw, column = token
    position, after_ascii, joined = 0, False, True
    while position < len(text):
        match = _ASCII_CARD.match(text, position)
        if match:
            card = int(match[2]) - 1 + (10 if match[1] == "b" else 0)
            found.append((card, column + position))
            position, after_ascii, joined = match.end(), True, False
            continue
        joins = text[position] == "+" and not joined and position + 1 < len(text)
        if joins and (after_ascii or text[position + 1] in "sb"):
            position, joined = position + 1, True
            continue
        run = _ASCII_RUN.match(text, position)
        word = run[0] if run else unicodedata.normalize("NFC", raw[position])
        found.append((_card(word, column + position), column + position))
        position, after_ascii, joined = position + 1, False, False
    return found


def _card(word: str, column: int) -> int:
    try:
        return cards.parse(word)
    except ZipaiError as error:
        raise ReadError(error.code, error.rule, error.zh, error.en, column) from None


def read_seat(token: Token, seats: int) -> int:
    """The seat a word names; raises `unknown-seat` where it is none of the table's."""
    seat = SEAT_NAMES.get(token.text)
    if seat is not None and seat < seats:
        return seat
    table = " ".join(SEATS[:seats])
    raise ReadError(
        "unknown-seat",
        NOTATION,
        f"“{token.raw}”不是这桌的座位；这桌的座位是 {table}",
        f"“{token.raw}” is no seat of this table; its seats are {table}",
        token.column,
    )
