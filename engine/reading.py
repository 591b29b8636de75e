"""The text of one hand, read liberally into a `Record` and its faults (notation.md, A record)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from engine import cards
from engine.errors import ZipaiError
from engine.events import SEATS, Event
from engine.faults import Fault, ReadError
from engine.notation import (
    NOTATION,
    SEAT_NAMES,
    Claim,
    Line,
    Token,
    canonical_claim,
    dissect,
    known_lines,
    plain,
    read_cards,
    read_line,
    read_seat,
    remember,
    spans,
    syntax,
)
from engine.record import (
    HEAD,
    HEADERS,
    OPTION,
    VERSION,
    Header,
    Record,
    sort_deal,
    sort_headers,
    sort_notes,
    split_header,
)
from engine.rules import OPTIONS, Rules, preset

LENGTH_LIMIT: Final = 10_000
"""Lines of a hand that are read: no hand has a tenth of them."""
FAULT_LIMIT: Final = 200
"""Faults reported a hand: more help nobody, and a file of noise must not fill the memory."""

_HEAD: Final = re.compile(r"\s*(?:字牌谱|zipai-record)(?=\s|[0-9]|$)")
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
_DEAL: Final = ("发", "deal")
_WALL: Final = ("墩", "wall")
_LABELS: Final = [[word] for word in (*_DEAL, *_WALL)]
_CARD: Final = {name: card for card, name in enumerate(cards.NAMES)}


class Reading:
    """One hand as it was read.

    `hand` counts from 1 in its file; `source` are the file's lines. `record` holds what could
    be read, None where the header could not be. `lines` are the events and rulings that could be
    read in any case, `numbers` their line numbers, `places` those of the lines before the events
    (by label: a header's key, `字牌谱`, `发 甲`, `墩`) and of `=`; `deal` and `wall` are what was
    read of 发 and 墩.
    `unreadable` are the lines of events that could not be read, `faults` all faults in the order
    of lines, `stop` the line of the first that ends replay: not that of a ruling or claim. `where`
    makes a function from line and column in `source` to those in the file, where they differ.
    """

    __slots__ = (
        "deal",
        "faults",
        "hand",
        "lines",
        "numbers",
        "places",
        "record",
        "source",
        "stop",
        "unreadable",
        "wall",
        "where",
    )

    def __init__(self, hand: int, source: Sequence[str]) -> None:
        self.hand = hand
        self.source = source
        self.record: Record | None = None
        self.lines: list[Line] = []
        self.numbers: list[int] = []
        self.places: dict[str, int] = {}
        self.unreadable: list[int] = []
        self.faults: list[Fault] = []
        self.stop = len(source) + 1
        self.deal: dict[int, tuple[int, ...]] = {}
        self.wall: tuple[int, ...] = ()
        self.where: Callable[[], Callable[[int, int], tuple[int, int]]] | None = None

    def event_number(self, line: int, readable: int) -> int:
        """The number of the event on a line, `readable` events before it having been read."""
        return readable + bisect_left(self.unreadable, line) + 1

    def first_event(self) -> int:
        """The line of the first event, readable or not; where there is none, one past the end."""
        lines = zip(self.lines, self.numbers, strict=True)
        readable = next((n for line, n in lines if isinstance(line.what, Event)), None)
        found = [n for n in (readable, *self.unreadable[:1]) if n is not None]
        return min(found, default=len(self.source) + 1)

    def raw(self, line: int) -> str:
        """The line with this number."""
        return self.source[line - 1]

    def located(self, faults: Iterable[Fault]) -> list[Fault]:
        """The faults with line and column as in the file."""
        found = list(faults)
        if self.where is None or not found:
            return found
        find = self.where()
        places = [find(fault.line, fault.column) for fault in found]
        return [replace(f, line=p[0], column=p[1]) for f, p in zip(found, places, strict=True)]


def read_lines(hand: int, source: Sequence[str]) -> Reading:
    """The hand that these lines are, from its first line to the last."""
    return _Reader(hand, source).read(0, len(source))


def header_key(key: str) -> str | None:
    """The canonical form of a header's key or an alias of it; None for any other."""
    return KEYS.get(key)


def read_text(text: str) -> Iterator[Reading]:
    """The hands of a file's text, one after another."""
    source = re.split("\r\n|\r|\n", text) if "\r" in text else text.split("\n")
    heads = [
        i
        for i, raw in enumerate(source)
        if ("字牌谱" in raw or "zipai-record" in raw) and is_head(raw)
    ]
    first = next((i for i, raw in enumerate(source) if raw.strip()), 0)
    if not heads or (heads[0] > first and _says_something(source[first : heads[0]])):
        heads.insert(0, first)
    for hand, (start, stop) in enumerate(zip(heads, [*heads[1:], len(source)], strict=True), 1):
        yield _Reader(hand, source).read(start, stop)


def is_head(raw: str) -> bool:
    """Whether a line begins a hand."""
    return _HEAD.match(plain(raw)) is not None


def _says_something(lines: Sequence[str]) -> bool:
    return any(_code(raw).strip() for raw in lines)


def _code(raw: str) -> str:
    """The line without its comment, with full-width forms made plain; all of one too long."""
    try:
        return plain(spans(raw)[0])
    except ReadError:
        return raw


class _Reader:
    """Reads one hand; what it finds goes into `reading`."""

    def __init__(self, hand: int, source: Sequence[str]) -> None:
        self.reading = Reading(hand, source)
        self.headers: dict[str, tuple[Header, int]] = {}
        self.notes: dict[str, str] = {}
        self.rulings = 0
        self.claim: Line | None = None
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

    def read(self, start: int, stop: int) -> Reading:
        reading = self.reading
        end = min(stop, start + LENGTH_LIMIT)
        body = self.read_headers(self.read_head(start), end)
        made = self.make_rules()
        broken = bool(reading.faults)
        self.read_body(body, end)
        if end < stop:
            zh = f"一副牌最多 {LENGTH_LIMIT} 行；下一副要从“{HEAD} {VERSION}”开始"
            en = f"a hand has {LENGTH_LIMIT} lines at most; the next begins with “{HEAD} {VERSION}”"
            self.fault(syntax(zh, en, 1), end + 1)
        reading.faults.sort(key=lambda fault: (fault.line, fault.column))
        if made is not None and not broken:
            rules_id, rules, dealer = made
            texts = [
                (key, header.value)
                for key, (header, _) in self.headers.items()
                if key in HEADERS or key.startswith("X-")
            ]
            hands = [reading.deal.get(seat, ()) for seat in range(self.seats)]
            record = Record.trusted(
                rules_id=rules_id,
                rules=rules,
                dealer=dealer,
                deal=tuple([sort_deal(hand, s == dealer) for s, hand in enumerate(hands)]),
                wall=reading.wall,
                lines=tuple(reading.lines),
                claim=self.claim,
                headers=sort_headers(texts),
                players=tuple([self.name(seat) for seat in range(self.seats)]),
                notes=(),
            )
            record.__dict__["notes"] = sort_notes(self.notes, record)
            reading.record = record
        return reading

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
                code = [] if header else _code(raw).split(maxsplit=1)
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

    def read_body(self, start: int, stop: int) -> None:
        source, known = self.reading.source, known_lines(self.seats)
        lines, numbers = self.reading.lines, self.reading.numbers
        for index in range(start, stop):
            line = known.get(source[index]) or self.read_other(index + 1)
            if line:
                lines.append(line)
                numbers.append(index + 1)
            elif self.full():
                break

    def read_other(self, number: int) -> Line | None:
        """Reads a line that the fast path does not know; None for one without event or ruling."""
        raw = self.reading.raw(number)
        if self.read_canonical(raw, number):
            return None
        code = [] if raw[:1] in ("", "#") else _code(raw).split(maxsplit=1)
        if not code:
            return None
        event = code[0][0] not in "!=" and code[0] not in (*_DEAL, *_WALL)
        try:
            if code[0] in (*_DEAL, *_WALL):
                self.read_cards(raw, number)
                return None
            line = read_line(raw, self.seats, self.count_events() + 1)
            if isinstance(line.what, Claim):
                self.keep_claim(line, number)
                return None
            self.rulings += not event
            if event and line.note is None:
                remember(raw, line, self.seats)
            return line
        except ReadError as error:
            count = self.count_events() + 1 if event else None
            self.fault(self.explain(error, raw), number, count, code[0][0] not in "!=")
            if event:
                self.reading.unreadable.append(number)
            return None

    def read_canonical(self, raw: str, number: int) -> bool:
        """Reads a 发, 墩 or `=` line in canonical form and place; False for any other."""
        start = 4 if raw[:2] == "发 " else 2 if raw[:2] == "墩 " else 0
        if not start:
            if self.claim or raw[:2] != "= ":
                return False
            self.claim = canonical_claim(raw, self.seats)
            if self.claim:
                self.reading.places["="] = number
            return self.claim is not None
        label = raw[: start - 1]
        seat = SEATS.find(raw[2:3]) if start == 4 else 0
        begun = self.reading.lines or self.reading.unreadable
        if label in self.reading.places or not 0 <= seat < self.seats or begun:
            return False
        try:
            found = tuple([_CARD[char] for char in raw[start:]])
        except KeyError:
            return False
        if not found or raw[start - 1] != " ":
            return False
        if start == 4:
            self.reading.deal[seat] = found
        else:
            self.reading.wall = found
        self.reading.places[label] = number
        return True

    def count_events(self) -> int:
        """Events read so far, unreadable ones included."""
        return len(self.reading.lines) - self.rulings + len(self.reading.unreadable)

    def explain(self, error: ReadError, raw: str) -> ReadError:
        """The error, with a better sentence where the line is a header gone astray."""
        header = split_header(raw) if error.code == "syntax" and len(raw) < 200 else None
        if header is None or header.key not in KEYS:
            return error
        zh, en = "表头要写在第一个空行之前", "header lines stand before the first blank line"
        return syntax(zh, en, header.key_column)

    def keep_claim(self, line: Line, number: int) -> None:
        if self.claim:
            raise syntax("“=”行写了两次", "the “=” line is given twice", 1)
        self.claim = line
        self.reading.places["="] = number

    def read_cards(self, raw: str, number: int) -> None:
        """Reads a 发 or 墩 line."""
        anatomy = dissect(raw)
        first, *groups = anatomy.tokens
        seat = None
        if first.text in _DEAL:
            if not groups:
                zh, en = "缺座位和牌，如“发 甲 …”", "seat and cards are missing, as in “发 甲 …”"
                raise syntax(zh, en, 1)
            seat = read_seat(groups[0], self.seats)
            first, groups = groups[0], groups[1:]
        if not groups or anatomy.quoted is not None:
            raise syntax("这里应是牌", "cards are wanted here", first.column)
        found = tuple([card for token in groups for card, _ in read_cards(token)])
        if seat is not None:
            self.keep_deal(seat, found, number, first.column)
            self.note(f"发 {SEATS[seat]}", anatomy.note)
        else:
            self.keep_wall(found, number, first.column)
            self.note("墩", anatomy.note)

    def keep_deal(self, seat: int, hand: tuple[int, ...], number: int, column: int) -> None:
        self.check_place(f"发 {SEATS[seat]}", number, column)
        self.reading.deal[seat] = hand

    def keep_wall(self, wall: tuple[int, ...], number: int, column: int) -> None:
        self.check_place("墩", number, column)
        self.reading.wall = wall

    def check_place(self, label: str, number: int, column: int) -> None:
        if label in self.reading.places:
            raise syntax(f"“{label}”写了两次", f"“{label}” is given twice", column)
        if self.count_events():
            zh, en = f"“{label}”要写在事件之前", f"“{label}” must stand before the events"
            raise syntax(zh, en, column)
        self.reading.places[label] = number


def _at(error: ZipaiError, column: int) -> ReadError:
    return ReadError(error.code, error.rule, error.zh, error.en, column)


@lru_cache(maxsize=256)
def _with_options(rules_id: str, options: tuple[tuple[str, str], ...]) -> Rules:
    return preset(rules_id).with_options(dict(options))
