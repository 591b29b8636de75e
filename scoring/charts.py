"""Small charts as plain numbers for inline SVG: a running net, and shares as bars.

Pure; whole numbers of the drawing's units, so that nothing is rounded twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 1000, 300
"""The drawing's units; the page stretches it to the room there is."""


@dataclass(frozen=True)
class Line:
    """A running net: `points` as a polyline wants them, `zero` the height of 0, `breaks` where a
    table ends; `high`, `low` and `last` in 舵, 0 being where it began."""

    points: str
    zero: int
    breaks: tuple[int, ...]
    high: int
    low: int
    last: int


def line(running: Sequence[int], ends: Sequence[int] = ()) -> Line | None:
    """The line of a running net that begins at 0; None where there is nothing to draw.

    `ends` says after how many values each table ends; the last one is the end of the drawing.
    """
    if not running:
        return None
    values = [0, *running]
    high, low = max(values), min(values)
    span = (high - low) or 1
    last = len(values) - 1

    def y(value: int) -> int:
        return HEIGHT * (high - value) // span

    points = " ".join(f"{WIDTH * index // last},{y(value)}" for index, value in enumerate(values))
    breaks = tuple(WIDTH * end // last for end in ends if end < last)
    return Line(points, y(0), breaks, high, low, values[-1])


def bar(value: int, of: int) -> int:
    """The length of a bar that is `WIDTH` long where it is all."""
    return WIDTH * value // of if of else 0
