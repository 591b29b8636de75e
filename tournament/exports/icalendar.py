"""Calendar files: RFC 5545 as text, from plain values (no database)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

LINE_OCTETS = 75
_ESCAPED = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n", "\r": None})


@dataclass(frozen=True)
class Day:
    """Whole days, from the first to the last."""

    first: date
    last: date


@dataclass(frozen=True)
class Span:
    """From an aware moment, `minutes` long; None: the end is not known."""

    start: datetime
    minutes: int | None


@dataclass(frozen=True)
class Happening:
    """A VEVENT. `uid` stays the same however often the file is made."""

    uid: str
    when: Day | Span
    summary: str
    place: str = ""
    url: str = ""


def calendar(name: str, happenings: Iterable[Happening], *, made_at: datetime) -> str:
    """The file: lines of at most 75 octets ended by CRLF, times in UTC (RFC 5545, 3.1 and 3.6).

    `made_at` (aware) is every event's DTSTAMP, when what it says was last looked up.
    """
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Duozhu//zipai tournaments//ZH",
        f"X-WR-CALNAME:{_text(name)}",
    ]
    for one in happenings:
        lines += ["BEGIN:VEVENT", f"UID:{one.uid}", f"DTSTAMP:{_utc(made_at)}", *_times(one.when)]
        lines += [f"SUMMARY:{_text(one.summary)}"]
        lines += [f"LOCATION:{_text(one.place)}"] if one.place else []
        lines += [f"URL:{one.url}"] if one.url else []
        lines += ["END:VEVENT"]
    lines += ["END:VCALENDAR"]
    return "".join(f"{_folded(line)}\r\n" for line in lines)


def _times(when: Day | Span) -> list[str]:
    if isinstance(when, Day):
        after = when.last + timedelta(days=1)
        return [f"DTSTART;VALUE=DATE:{when.first:%Y%m%d}", f"DTEND;VALUE=DATE:{after:%Y%m%d}"]
    lines = [f"DTSTART:{_utc(when.start)}"]
    if when.minutes:
        lines.append(f"DTEND:{_utc(when.start + timedelta(minutes=when.minutes))}")
    return lines


def _utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(value: str) -> str:
    return value.translate(_ESCAPED)


def _folded(line: str) -> str:
    """The line in pieces of at most 75 octets; no character is cut in two."""
    pieces, piece, size = [], "", 0
    for letter in line:
        octets = len(letter.encode())
        if size + octets > LINE_OCTETS:
            pieces.append(piece)
            piece, size = "", 1
        piece += letter
        size += octets
    return "\r\n ".join([*pieces, piece])
