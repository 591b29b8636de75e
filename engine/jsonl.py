"""The JSON twin of a record (cli.md, `convert`): the same content, for programs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Final

from engine import cards
from engine.errors import ZipaiError
from engine.events import SEATS
from engine.faults import Fault, ReadError
from engine.read_hand import read_lines
from engine.read_header import FAULT_LIMIT, header_key
from engine.reading import Reading
from engine.record import HEAD, OPTION, VERSION, Record
from engine.tokens import NOTATION, plain, spans, syntax

Path = tuple[str | int, ...]

_KEYS: Final = (
    "zpr",
    "rules",
    "options",
    "headers",
    "players",
    "dealer",
    "deal",
    "wall",
    "events",
    "claim",
    "annotations",
)
_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{},:]|[^\s\[\]{},:"]+', re.DOTALL)
_BETWEEN: Final = re.compile(r"[\s,\[\]]*")
"""What may stand between hands: blanks, and what makes an array of them."""
_DEPTH: Final = 2
"""How deep the strings of a twin lie at most."""


def as_json(record: Record) -> dict[str, object]:
    """The record as a JSON object.

    `options` are those that differ from the preset; `deal` the cards by seat; `events` the
    canonical lines, rulings and annotations included; `wall` and `claim` null where there is none.
    Annotations of other lines stand under `annotations` by label, a key that is there only then.
    """
    options = {k: list(v) if isinstance(v, tuple) else v for k, v in record.options.items()}
    twin: dict[str, object] = {
        "zpr": VERSION,
        "rules": record.rules_id,
        "options": options,
        "headers": dict(record.headers),
        "players": {SEATS[s]: n for s, n in enumerate(record.players) if n is not None},
        "dealer": SEATS[record.dealer],
        "deal": {SEATS[s]: cards.text(hand) for s, hand in enumerate(record.deal) if hand},
        "wall": cards.text(record.wall) or None,
        "events": [str(line) for line in record.lines],
        "claim": str(record.claim) if record.claim else None,
    }
    if record.notes:
        twin["annotations"] = dict(record.notes)
    return twin


def export(*records: Record) -> str:
    """The twins of the records, one JSON object a line."""
    return "".join([json.dumps(as_json(r), ensure_ascii=False) + "\n" for r in records])


class _GivenTwice(ValueError):
    """A key that an object has twice."""


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _GivenTwice(next(key for key in keys if keys.count(key) > 1))
    return made


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_pairs)


def read(text: str) -> Iterator[Reading]:
    """The hands of a JSON text: objects one after another, or arrays of them.

    After what is no JSON, reading goes on in the next line, until `FAULT_LIMIT` is reached.
    """
    position = line = hand = broken = 0
    while ((start := _skip(text, position)) < len(text) or not hand) and broken < FAULT_LIMIT:
        line += text.count("\n", position, start)
        hand += 1
        try:
            value, position = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError) as error:
            broken += 1
            at = error.pos if isinstance(error, json.JSONDecodeError) else start
            newline = text.find("\n", at)
            position = len(text) if newline < 0 or isinstance(error, RecursionError) else newline
            yield _no_json(hand, text, start, line, at, error)
        else:
            broken += not isinstance(value, dict)
            yield _Twin(hand, text, start, line).read(value)
        line += text.count("\n", start, position)


def starts(text: str) -> list[tuple[int, int, bool]]:
    """Where each hand of a JSON text begins: its place, the lines before it, and whether it stands
    first in its line. Empty where something is no JSON object: only `read` says how far that
    goes."""
    found = []
    position = line = 0
    while (start := _skip(text, position)) < len(text):
        line += text.count("\n", position, start)
        found.append((start, line, text[start - 1 : start] in ("", "\n")))
        try:
            value, position = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            return []
        if not isinstance(value, dict):
            return []
        line += text.count("\n", start, position)
    return found


def _skip(text: str, position: int) -> int:
    match = _BETWEEN.match(text, position)
    return match.end() if match else position


def _no_json(hand: int, text: str, start: int, line: int, at: int, error: Exception) -> Reading:
    if isinstance(error, _GivenTwice):
        key = str(error)[:40]
        wrong = syntax(f"“{key}”写了两次", f"“{key}” is given twice", 1)
    else:
        wrong = syntax("这里不是 JSON", "this is no JSON", at - text.rfind("\n", 0, at))
    reading = Reading(hand, [])
    number = line + 1 + text.count("\n", start, at)
    end = text.find("\n", at)
    raw = text[text.rfind("\n", 0, at) + 1 : min(len(text) if end < 0 else end, at + 200)]
    reading.faults.append(Fault.of(wrong, number, wrong.column, None, raw))
    return reading


class _Twin:
    """Writes a twin as the lines of a record, remembers where each came from, has them read."""

    def __init__(self, hand: int, text: str, start: int, line: int) -> None:
        self.hand, self.text, self.start, self.line = hand, text, start, line
        self.lines: list[str] = []
        self.sources: list[tuple[Path, int]] = []
        self.wrong: list[tuple[Path, ReadError]] = []
        self.notes: dict[str, object] = {}

    def read(self, value: object) -> Reading:
        if isinstance(value, dict):
            self.write(value)
        else:
            self.refuse((), "一副牌应是一个 JSON 对象", "a hand must be a JSON object")
        reading = read_lines(self.hand, self.lines) if self.lines else Reading(self.hand, [])
        for path, error in self.wrong:
            self.sources.append((path, 0))
            fault = Fault.of(error, len(self.sources), 1, None, ".".join(map(str, path)))
            reading.faults.append(fault)
            reading.record = None
        reading.where = self.where
        return reading

    def refuse(self, path: Path, zh: str, en: str, code: str = "syntax") -> None:
        self.wrong.append((path, ReadError(code, NOTATION, zh, en, 1)))

    def write(self, twin: dict[str, object]) -> None:
        for key in twin:
            if key not in _KEYS:
                known = ", ".join(_KEYS)
                self.refuse(
                    (key,),
                    f"没有“{key[:40]}”这个键；可用的有 {known}",
                    f"there is no key “{key[:40]}”; the keys are {known}",
                    "unknown-key",
                )
        self.notes = dict(self.part(twin, "annotations"))
        self.put(("zpr",), HEAD, HEAD, " ", twin.get("zpr"))
        self.put(("rules",), "规则", "规则", ": ", twin.get("rules"))
        for name, option in self.part(twin, "options").items():
            self.put(("options", name), OPTION + name, OPTION + name, ": ", _option(option))
        for group in ("headers", "players"):
            for key, value in self.part(twin, group).items():
                self.put((group, key), header_key(key) or key, key, ": ", value)
        self.put(("dealer",), "庄", "庄", ": ", twin.get("dealer"))
        self.lines.append("")
        self.sources.append(((), 0))
        for seat, hand in self.part(twin, "deal").items():
            self.put(
                ("deal", seat), f"发 {header_key(seat) or seat}", f"发 {seat}", " ", _joined(hand)
            )
        self.put(("wall",), "墩", "墩", " ", _joined(twin.get("wall")))
        events = twin.get("events", [])
        if not isinstance(events, list):
            self.refuse(("events",), "“events”应是一个列表", "“events” must be a list")
            events = []
        for i, event in enumerate(events):
            self.put_line(("events", i), event)
        claim = twin.get("claim")
        if claim is not None:
            self.put_line(("claim",), claim, "=")
        for label in self.notes:
            self.refuse(
                ("annotations", label),
                f"没有“{label[:40]}”这一行可注释",
                f"there is no line “{label[:40]}” to annotate",
                "unknown-key",
            )

    def part(self, twin: dict[str, object], key: str) -> dict[str, object]:
        """An object inside the twin; absent or null is empty."""
        value = twin.get(key)
        if value is None or isinstance(value, dict):
            return value or {}
        self.refuse((key,), f"“{key}”应是一个对象", f"“{key}” must be an object")
        return {}

    def put(self, path: Path, label: str, key: str, joint: str, value: object) -> None:
        """Writes the line of a header, 发 or 墩; None and an empty hand write none."""
        note = self.notes.pop(label, None)
        if value is None or (value == "" and joint == " "):
            if note is not None:
                self.notes[label] = note
            return
        text = str(value) if type(value) is int else value
        if not isinstance(text, str) or not isinstance(note, str | None):
            self.refuse(path, "这里应是文字", "text is wanted here")
            return
        if joint == ": " and ":" in plain(key):
            self.refuse(path, "键里不能有冒号", "a key cannot hold a colon", "unknown-key")
            return
        line = f"{key}{joint}{text}"
        self.put_line(path, line if note is None else f"{line} {{{note}}}", "", len(key + joint))

    def put_line(self, path: Path, line: object, mark: str = "", prefix: int = 0) -> None:
        """Writes a whole line, unless a record could not hold it as it is."""
        if not isinstance(line, str):
            self.refuse(path, "这里应是文字", "text is wanted here")
        elif "\n" in line or "\r" in line or not line.strip() or not _whole(line):
            self.refuse(
                path,
                "这里不能是空的，也不能有换行或 #",
                "no empty text, line break or # can stand here",
            )
        elif not plain(line).lstrip().startswith(mark):
            self.refuse(path, f"这里应以“{mark}”开头", f"this must begin with “{mark}”")
        else:
            self.lines.append(line)
            self.sources.append((path, prefix))

    def where(self) -> Callable[[int, int], tuple[int, int]]:
        """Line and column in the JSON text for those in the lines written here."""
        places = _places(self.text, self.start) if self.text[self.start] == "{" else {}
        first = self.start - self.text.rfind("\n", 0, self.start)

        def find(line: int, column: int) -> tuple[int, int]:
            path, prefix = self.sources[line - 1]
            offset = places.get(path, self.start)
            above = self.text.count("\n", self.start, offset)
            base = (
                offset - self.text.rfind("\n", 0, offset) if above else first + offset - self.start
            )
            inside = column - prefix if self.text[offset] == '"' and column > prefix else 0
            return self.line + 1 + above, base + inside

        return find


def _whole(line: str) -> bool:
    """Whether reading the line would drop nothing as a comment; too long a line is read so."""
    try:
        return spans(line)[0] == line
    except ZipaiError:
        return True


def _option(value: object) -> str:
    if isinstance(value, list) and all(isinstance(v, str) for v in value):
        return ", ".join(value)
    return value if isinstance(value, str) else json.dumps(value)


def _joined(value: object) -> object:
    """A group of cards given as a list of texts, as one text."""
    if isinstance(value, list) and all(isinstance(v, str) for v in value):
        return " ".join(value)
    return value


def _places(text: str, start: int) -> dict[Path, int]:
    """Where each value of the JSON at `start` begins, by its path."""
    found: dict[Path, int] = {}
    path: list[str | int] = []
    kinds: list[str] = []
    key_next = False
    tokens = _TOKEN.finditer(text, start)
    match = next(tokens)
    while kinds or not found:
        token = match[0]
        if token in "]}":
            path.pop()
            kinds.pop()
        elif token == ",":
            key_next = kinds[-1] == "{"
            if not key_next:
                path[-1] = int(path[-1]) + 1
        elif token == ":":
            key_next = False
        elif key_next:
            path[-1] = json.loads(token)
        else:
            if len(path) <= _DEPTH:
                found[tuple(path)] = match.start()
            if token in "[{":
                kinds.append(token)
                path.append(0)
                key_next = token == "{"
        match = next(tokens, match)
    return found
