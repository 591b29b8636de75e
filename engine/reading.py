"""One hand of a file as it was read: what could be read of it, and its faults."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from engine.events import Event
from engine.faults import Fault
from engine.notation import Line
from engine.record import Record


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
        found = self.unreadable[:1]
        for line, number in zip(self.lines, self.numbers, strict=True):
            if isinstance(line.what, Event):
                found.append(number)
                break
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
