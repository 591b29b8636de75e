"""Records for the tests that compare strict replay with the oracle: a plain reader and writer."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from engine.cards import NAMES, text
from engine.events import SEATS, Event, Verb
from engine.rules import PRESETS, Rules
from tests.engine.slow_state import State

SHARED = Path(__file__).resolve().parents[3] / "shared" / "records"
RECORDS = Path(os.environ.get("ZIPAI_RECORDS", SHARED))


def read_cards(word: str) -> tuple[int, ...]:
    """The cards of a word of Chinese characters, as they stand."""
    return tuple(NAMES.index(char) for char in word)


def read_event(line: str) -> Event:
    """The event of a canonical line."""
    words = line.split()
    seat = SEATS.index(words.pop(0)) if words[0] in SEATS else None
    verb = Verb(words.pop(0))
    groups = [read_cards(word) for word in words]
    card = groups[0][0] if groups else None
    pair = groups[1] if len(groups) > 1 else ()
    return Event(verb, seat, card, pair, tuple(groups[2:]))


def read_record(record: str) -> tuple[str, State, list[Event]]:
    """The preset, the start and the events of a record in export form."""
    preset, dealer, options = "", 0, {}
    deal: dict[int, list[int]] = {}
    wall: tuple[int, ...] = ()
    events = []
    head, _, body = record.partition("\n\n")
    for line in head.splitlines()[1:]:
        key, _, value = line.partition(": ")
        if key == "规则":
            preset = value
        elif key == "庄":
            dealer = SEATS.index(value)
        elif key.startswith("选项."):
            options[key[3:]] = value
    for line in body.splitlines():
        words = line.split()
        if words[0] == "发":
            deal[SEATS.index(words[1])] = list(read_cards(words[2]))
        elif words[0] == "墩":
            wall = read_cards(words[1])
        elif words[0] not in ("=", "!"):
            events.append(read_event(line.partition(" {")[0]))
    return preset, State(PRESETS[preset].with_options(options), dealer, deal, wall), events


def write_record(preset: str, start: State, events: Iterable[Event]) -> str:
    """A record in which a hand from this start goes as told, without a claim."""
    rules: Rules = start.rules
    lines = ["字牌谱 1", f"规则: {preset}"]
    for name, value in rules.differences(PRESETS[preset]).items():
        shown = ", ".join(value) if isinstance(value, tuple) else str(value)
        lines.append(f"选项.{name}: {shown.lower() if isinstance(value, bool) else shown}")
    lines += [f"庄: {SEATS[start.dealer]}", ""]
    lines += [f"发 {SEATS[seat]} {text(start.deal[seat])}" for seat in start.playing]
    if start.wall:
        lines.append(f"墩 {text(start.wall)}")
    return "\n".join([*lines, *(str(event) for event in events)]) + "\n"


def real_records() -> list[Path]:
    """The records of hands really played, none where the folder is absent."""
    return sorted(RECORDS.glob("*.zpr"))
