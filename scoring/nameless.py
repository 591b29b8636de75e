"""Records without the names that people wrote into them: plain values."""

from __future__ import annotations

from dataclasses import replace

from engine.notation import Line, Ruling
from engine.record import Record

REFEREE = "裁判"


def nameless(record: Record) -> Record:
    """The record without what people wrote freely: players, referee, notes, words of rulings."""
    return replace(
        record,
        headers=tuple(
            (key, text)
            for key, text in record.headers
            if key != REFEREE and not key.startswith("X-")
        ),
        players=(),
        notes=(),
        lines=tuple(_nameless_line(line) for line in record.lines),
        claim=record.claim and _nameless_line(record.claim),
    )


def _nameless_line(line: Line) -> Line:
    what = line.what
    return Line(what._replace(text=None) if isinstance(what, Ruling) else what)
