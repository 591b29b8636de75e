"""The text of a file of records, read liberally, hand by hand (notation.md, A record)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from engine import cards
from engine.events import SEATS
from engine.faults import ReadError
from engine.notation import Claim, Line, canonical_claim, known_lines, read_line, remember
from engine.read_header import DEAL, HEAD_ALIAS, KEYS, WALL, HeaderReader, code_of, is_head
from engine.reading import Reading
from engine.record import (
    HEAD,
    HEADERS,
    VERSION,
    Record,
    sort_deal,
    sort_headers,
    sort_notes,
    split_header,
)
from engine.tokens import dissect, read_cards, read_seat, syntax

LINE_END: Final = re.compile("\r\n|\r|\n")
LENGTH_LIMIT: Final = 10_000
"""Lines of a hand that are read: no hand has a tenth of them."""
_CARD: Final = {name: card for card, name in enumerate(cards.NAMES)}


def read_lines(hand: int, source: Sequence[str]) -> Reading:
    """The hand that these lines are, from its first line to the last."""
    return _Reader(hand, source).read(0, len(source))


def read_text(text: str) -> Iterator[Reading]:
    """The hands of a file's text, one after another."""
    source = LINE_END.split(text) if "\r" in text else text.split("\n")
    one = text.startswith(HEAD) and text.count(HEAD) == 1 and HEAD_ALIAS not in text
    heads = [0] if one and is_head(source[0]) else first_lines(source)
    for hand, (start, stop) in enumerate(zip(heads, [*heads[1:], len(source)], strict=True), 1):
        yield _Reader(hand, source).read(start, stop)


def first_lines(source: Sequence[str]) -> list[int]:
    """Where in a file's lines each hand begins; what stands before the first head and says
    something is a hand too."""
    heads = [
        i for i, raw in enumerate(source) if (HEAD in raw or HEAD_ALIAS in raw) and is_head(raw)
    ]
    first = next((i for i, raw in enumerate(source) if raw.strip()), 0)
    if not heads or (heads[0] > first and _says_something(source[first : heads[0]])):
        heads.insert(0, first)
    return heads


def _says_something(lines: Sequence[str]) -> bool:
    return any(code_of(raw).strip() for raw in lines)


class _Reader(HeaderReader):
    """Reads one hand; what it finds goes into `reading`."""

    def __init__(self, hand: int, source: Sequence[str]) -> None:
        super().__init__(hand, source)
        self.rulings = 0
        self.claim: Line | None = None

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
        code = [] if raw[:1] in ("", "#") else code_of(raw).split(maxsplit=1)
        if not code:
            return None
        event = code[0][0] not in "!=" and code[0] not in (*DEAL, *WALL)
        try:
            if code[0] in (*DEAL, *WALL):
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
        if first.text in DEAL:
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
