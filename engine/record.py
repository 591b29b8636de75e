"""The record of one hand (notation.md, A record): a frozen value and its canonical text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from engine import cards
from engine.errors import ZipaiError
from engine.events import SEATS, Event
from engine.notation import Claim, Line, Ruling, known_lines, read_line
from engine.rules import OPTIONS, Rules, preset
from engine.tokens import NOTATION, nfc, plain, spans

VERSION: Final = 1
"""The version of the format that is written and read."""
HEAD: Final = "字牌谱"
HEADERS: Final = ("赛事", "日期", "轮次", "桌", "局", "裁判")
"""The optional header keys that are plain text, in canonical order."""
OPTION: Final = "选项."

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Record:
    """A hand as it was written down, legal or not.

    `rules_id` names the preset from which `rules` differ; `headers` are `(key, text)` in
    canonical order, `X-` keys last; `players` one name or None a seat of the table; `deal`
    one tuple of cards a seat (empty: none written), sorted, the dealer's 亮张 last; `wall` the
    known part of the wall; `lines` events and rulings in order; `claim` the `=` line. `notes` are
    the annotations of lines before the events, as `(label, text)`: the label is the header's key,
    `字牌谱`, `发 甲` or `墩`.

    Making one sorts what has no order and raises `ZipaiError` for what the text form could
    not hold, so that `parse(export(r)) == r`.
    """

    rules_id: str
    rules: Rules
    dealer: int
    deal: tuple[tuple[int, ...], ...]
    wall: tuple[int, ...] = ()
    lines: tuple[Line, ...] = ()
    claim: Line | None = None
    headers: Pairs = ()
    players: tuple[str | None, ...] = ()
    notes: Pairs = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        seats = self.rules.seats
        hands = tuple(
            sort_deal(self.deal[s], s == self.dealer) if s < len(self.deal) else ()
            for s in range(seats)
        )
        names = (*self.players, *(None,) * (seats - len(self.players)))
        object.__setattr__(self, "deal", hands)
        object.__setattr__(self, "players", names)
        object.__setattr__(self, "headers", sort_headers(self.headers))
        keys = [key for key, _ in self.headers]
        texts = [*self.headers, *((SEATS[s], n) for s, n in enumerate(names) if n is not None)]
        notes = dict(self.notes)
        for key, value in texts:
            _check_header(key, value, notes.get(key))
        for label, note in notes.items():
            _check_header(label, "", note)
        if len(set(keys)) < len(keys) or any(not _is_text(key) for key in keys):
            raise _unwritable(" ".join(keys))
        object.__setattr__(self, "notes", sort_notes(notes, self))
        for line in (*self.lines, *([self.claim] if self.claim else [])):
            _check_line(line, seats)

    @classmethod
    def trusted(cls, **fields: object) -> Record:
        """The record with these fields, all given and already checked: what reading makes."""
        record = object.__new__(cls)
        record.__dict__.update(fields)
        return record

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """The events alone, in order."""
        return tuple([line.what for line in self.lines if isinstance(line.what, Event)])

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """The referee's rulings, in order."""
        return tuple([line.what for line in self.lines if isinstance(line.what, Ruling)])

    @property
    def claimed(self) -> Claim | None:
        """What the `=` line says."""
        claim = self.claim.what if self.claim else None
        return claim if isinstance(claim, Claim) else None

    @property
    def options(self) -> Mapping[str, object]:
        """The options that differ from the preset, in table order."""
        return self.rules.differences(preset(self.rules_id))


def sort_deal(hand: tuple[int, ...], dealer: bool) -> tuple[int, ...]:
    """The cards of a 发 line in canonical order: sorted, the dealer's 亮张 left where it is."""
    return (*sorted(hand[:-1]), *hand[-1:]) if dealer else tuple(sorted(hand))


def sort_headers(headers: Iterable[tuple[str, str]]) -> Pairs:
    """Header pairs in canonical order: the known keys, then `X-` keys in the order given."""
    return tuple(
        sorted(headers, key=lambda h: HEADERS.index(h[0]) if h[0] in HEADERS else len(HEADERS))
    )


def sort_notes(notes: Mapping[str, str], record: Record) -> Pairs:
    """The annotations in the order of their lines, without those of lines that are not written."""
    if not notes:
        return ()
    rows = [HEAD, *(key for key, _ in header_lines(record))]
    rows += [f"发 {SEATS[seat]}" for seat, hand in enumerate(record.deal) if hand]
    rows += ["墩"] if record.wall else []
    return tuple([(label, notes[label]) for label in rows if label in notes])


def _is_text(key: str) -> bool:
    return key in HEADERS or key.startswith("X-")


class Header(NamedTuple):
    """A header's line: key and value in canonical form with their columns, and annotation."""

    key: str
    value: str
    note: str | None
    key_column: int
    value_column: int


@lru_cache(maxsize=1024)
def split_header(raw: str) -> Header | None:
    """The parts of a `key: value` line, or None where it has no colon.

    The value is free text: NFC, single blanks (that of an `X-` key as written).
    """
    text, found = spans(raw)
    colon = plain(text).find(":")
    if colon < 0:
        return None
    note, end = None, len(text)
    if found and found[-1][0] > colon and text[found[-1][0]] in "{｛":
        start, stop = found[-1]
        if not text[stop:].strip():
            note, end = nfc(text[start + 1 : stop - 1], start + 1), start
    value = text[colon + 1 : end]
    value_column = colon + 2 + len(value) - len(value.lstrip())
    key = " ".join(plain(nfc(text[:colon], 1)).split())
    value = nfc(value.strip(), value_column)
    if not key.startswith("X-"):
        value = " ".join(value.split())
    key_column = 1 + len(text) - len(text.lstrip())
    return Header(key, value, note, key_column, value_column)


def _header_text(key: str, value: str, note: str | None) -> str:
    line = f"{key}: {value}".rstrip()
    return line if note is None else f"{line} {{{note}}}"


def _check_header(key: str, value: str, note: str | None) -> None:
    text = _header_text(key, value, note)
    header = split_header(text)
    if header is None or header[:3] != (key, value, note) or "\n" in text or "\r" in text:
        raise _unwritable(text)


def _check_line(line: Line, seats: int) -> None:
    text = str(line)
    if known_lines(seats).get(text) != line and (
        "\n" in text or "\r" in text or read_line(text, seats, 0) != line
    ):
        raise _unwritable(text)


def _unwritable(text: str) -> ZipaiError:
    return ZipaiError(
        "syntax",
        NOTATION,
        f"“{text[:40]}”不能写进字牌谱：不要用换行、#、引号或多余的空格",
        f"“{text[:40]}” cannot stand in a record: no line breaks, #, quotes or extra blanks",
    )


def export(*records: Record) -> str:
    """The records in export form: canonical, byte-unique, with one final newline."""
    return "\n".join(["\n".join([*_lines(record), ""]) for record in records])


def header_lines(record: Record) -> list[tuple[str, str]]:
    """The header's keys and values in canonical order, without annotations."""
    rows = [("规则", record.rules_id)]
    for name, value in record.options.items():
        rows.append((OPTION + name, OPTIONS[name].write(value)))
    known = [h for h in record.headers if h[0] in HEADERS]
    rows.extend(known)
    rows.extend((SEATS[s], name) for s, name in enumerate(record.players) if name is not None)
    rows.append(("庄", SEATS[record.dealer]))
    rows.extend(record.headers[len(known) :])
    return rows


def _lines(record: Record) -> list[str]:
    notes = dict(record.notes)

    def noted(text: str, label: str) -> str:
        note = notes.get(label)
        return text if note is None else f"{text} {{{note}}}"

    lines = [noted(f"{HEAD} {VERSION}", HEAD)]
    lines.extend([_header_text(k, v, notes.get(k)) for k, v in header_lines(record)])
    lines.append("")
    for seat, hand in enumerate(record.deal):
        if hand:
            label = f"发 {SEATS[seat]}"
            lines.append(noted(f"{label} {cards.text(hand)}", label))
    if record.wall:
        lines.append(noted(f"墩 {cards.text(record.wall)}", "墩"))
    lines.extend([str(line) for line in record.lines])
    if record.claim:
        lines.append(str(record.claim))
    return lines
