"""The beginning of a hand's text, its first line and its header, read liberally."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from engine.errors import ZipaiError
from engine.events import SEATS
from engine.faults import Fault, ReadError
from engine.reading import Reading
from engine.record import HEAD, HEADERS, OPTION, VERSION, Header, split_header
from engine.rules import OPTIONS, Rules, preset
from engine.tokens import NOTATION, SEAT_NAMES, Token, dissect, plain, read_seat, spans, syntax

FAULT_LIMIT: Final = 200
"""Faults reported a hand: more help nobody, and a file of noise must not fill the memory."""

HEAD_ALIAS: Final = "zipai-record"
_HEAD: Final = re.compile(rf"\s*(?:{HEAD}|{HEAD_ALIAS})(?=\s|[0-9]|$)")
KEYS: Final = {
    "规则": "规则",
    "rules": "规则",
    **{key: key for key in HEADERS},
    **dict(zip(("event", "date", "round", "table", "hand", "referee"), HEADERS, strict=True)),
    **{name: SEATS[seat] for name, seat in SEAT_NAMES.items()},
    "庄": "庄",
    "dealer": "庄",
}
_CODES: Final = ("规则", "日期", "轮次", "桌", "局", "庄")
"""Keys whose values are codes and numbers, so that full-width forms are made plain."""
DEAL: Final = ("发", "deal")
WALL: Final = ("墩", "wall")
_LABELS: Final = [[word] for word in (*DEAL, *WALL)]


def is_head(raw: str) -> bool:
    """Whether a line begins a hand."""
    return _HEAD.match(plain(raw)) is not None


def header_key(key: str) -> str | None:
    """The canonical form of a header's key or an alias of it; None for any other."""
    return KEYS.get(key)


def code_of(raw: str) -> str:
    """The line without its comment, with full-width forms made plain; all of one too long."""
    try:
        return plain(spans(raw)[0])
    except ReadError:
        return raw


class HeaderReader:
    """Reads the header of one hand; what it finds goes into `reading` and its own fields."""

    def __init__(self, hand: int, source: Sequence[str]) -> None:
        self.reading = Reading(hand, source)
        self.headers: dict[str, tuple[Header, int]] = {}
        self.notes: dict[str, str] = {}
        self.seats = len(SEATS)

    def fault(
        self, error: ReadError, line: int, event: int | None = None, stops: bool = True
    ) -> None:
        """Keeps a fault; `stops` unless events after it may still be applied."""
        raw = self.reading.raw(line)
        if stops:
            self.reading.stop = min(line, self.reading.stop)
        if self.full():
            return
        self.reading.faults.append(Fault.of(error, line, error.column, event, raw))

    def full(self) -> bool:
        """Whether enough faults were found."""
        return len(self.reading.faults) >= FAULT_LIMIT

    def name(self, seat: int) -> str | None:
        """The player's name in the header, or None."""
        found = self.headers.get(SEATS[seat])
        return found[0].value if found else None

    def read_head(self, start: int) -> int:
        """Reads the first line; returns where the header begins."""
        number = start + 1
        raw = self.reading.raw(number)
        self.reading.places[HEAD] = number
        if raw == f"{HEAD} {VERSION}":
            return start + 1
        wanted = f"{HEAD} {VERSION}"
        try:
            if not is_head(raw):
                zh, en = f"第一行应是“{wanted}”", f"the first line must be “{wanted}”"
                self.fault(syntax(zh, en, 1), number)
                return start
            anatomy = dissect(raw)
            matched = _HEAD.match(anatomy.code)
            version = anatomy.code[matched.end() :].strip() if matched else ""
            if version.lstrip("0") != str(VERSION) or anatomy.quoted is not None:
                zh = f"版本应是 {VERSION}：“{wanted}”"
                en = f"the version must be {VERSION}: “{wanted}”"
                raise syntax(zh, en, anatomy.tokens[-1].column)
            self.note(HEAD, anatomy.note)
        except ReadError as error:
            self.fault(error, number)
        return start + 1

    def note(self, label: str, note: str | None) -> None:
        if note is not None:
            self.notes[label] = note

    def read_headers(self, start: int, stop: int) -> int:
        """Reads the header to its blank line; returns where the rest begins."""
        for index in range(start, stop):
            raw = self.reading.raw(index + 1)
            if not raw or not plain(raw).strip():
                return index + 1
            try:
                header = split_header(raw)
                code = [] if header else code_of(raw).split(maxsplit=1)
                if header or code[:1] not in ([], *_LABELS):
                    self.keep_header(header, index + 1)
                elif code:
                    zh, en = "表头之后要空一行", "a blank line must follow the header"
                    self.fault(syntax(zh, en, 1), index + 1)
                    return index
            except ReadError as error:
                self.fault(error, index + 1)
                if self.full():
                    break
        return stop

    def keep_header(self, header: Header | None, line: int) -> None:
        if header is None:
            zh, en = "表头应写成“键: 值”", "a header line is “key: value”"
            raise syntax(zh, en, 1)
        key = KEYS.get(header.key)
        if key is None:
            name = re.fullmatch(r"(?:选项|option)\.\s*(.*)", header.key)
            if name:
                key = OPTION + name[1]
            elif header.key.startswith("X-"):
                key = header.key
            else:
                known = ", ".join(dict.fromkeys(KEYS.values()))
                raise ReadError(
                    "unknown-key",
                    NOTATION,
                    f"没有“{header.key[:40]}”这个键；可用的有 {known}，{OPTION}…，X-…",
                    f"there is no key “{header.key[:40]}”; the keys are {known}, {OPTION}…, X-…",
                    header.key_column,
                )
        if key in self.headers:
            zh, en = f"“{key[:40]}”写了两次", f"“{key[:40]}” is given twice"
            raise syntax(zh, en, header.key_column)
        if key in _CODES or key.startswith(OPTION):
            header = header._replace(value=" ".join(plain(header.value).split()))
        self.headers[key] = header, line
        self.reading.places[key] = line
        self.note(key, header.note)

    def make_rules(self) -> tuple[str, Rules, int] | None:
        """The rules' id, the rules and the dealer of the header; None where one is at fault.

        Sets the number of seats, as far as it is known.
        """
        rules_id = dealer = rules = None
        found = self.required("规则", "规则: competition")
        if found:
            try:
                rules_id, rules = found[0].value, preset(found[0].value)
            except ZipaiError as error:
                self.fault(_at(error, found[0].value_column), found[1])
        options = []
        for key, (header, line) in self.headers.items():
            if key.startswith(OPTION):
                try:
                    name = key.removeprefix(OPTION)
                    _with_options("competition", ((name, header.value),))
                    options.append((name, header.value))
                except ZipaiError as error:
                    known = name in OPTIONS
                    column = header.value_column if known else header.key_column
                    self.fault(_at(error, column), line)
        if rules and rules_id:
            rules = _with_options(rules_id, tuple(options))
            self.seats = rules.seats
        for name in SEATS[self.seats :]:
            if name in self.headers:
                header, line = self.headers[name]
                self.read_seat(Token(name, name, header.key_column), line)
        found = self.required("庄", "庄: 甲")
        if found:
            header, line = found
            dealer = self.read_seat(Token(header.value, header.value, header.value_column), line)
        if rules is None or rules_id is None or dealer is None:
            return None
        return rules_id, rules, dealer

    def required(self, key: str, form: str) -> tuple[Header, int] | None:
        found = self.headers.get(key)
        if found and found[0].value:
            return found
        line = found[1] if found else self.reading.places[HEAD]
        zh, en = f"表头缺“{form}”这样的一行", f"the header lacks a line like “{form}”"
        self.fault(syntax(zh, en, 1), line)
        return None

    def read_seat(self, token: Token, line: int) -> int | None:
        try:
            return read_seat(token, self.seats)
        except ReadError as error:
            self.fault(error, line)
            return None


def _at(error: ZipaiError, column: int) -> ReadError:
    return ReadError(error.code, error.rule, error.zh, error.en, column)


@lru_cache(maxsize=256)
def _with_options(rules_id: str, options: tuple[tuple[str, str], ...]) -> Rules:
    return preset(rules_id).with_options(dict(options))
