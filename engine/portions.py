"""A file of many records in portions that can be read apart, each by another process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine import jsonl
from engine.read_hand import LINE_END, first_lines

MOST: Final = 200
"""Hands of a portion, unless more of them share a line."""


@dataclass(frozen=True)
class Portion:
    """A piece `text[start:stop]` that `files.read` reads alone.

    Its hands are as in the whole file, but for their numbers and lines: `hands` and `lines` are how
    many stand before it. `size` is how many hands it has.
    """

    start: int
    stop: int
    hands: int
    lines: int
    size: int


def portions(text: str, most: int = MOST) -> list[Portion]:
    """The whole text in portions of `most` hands, in order; one where it cannot be divided."""
    is_json = text.lstrip()[:1] in ("{", "[")
    firsts = jsonl.starts(text) if is_json else list(_starts(text))
    cuts = [0]
    for hand, (_start, _lines, is_at_line) in enumerate(firsts):
        if is_at_line and hand - cuts[-1] >= most:
            cuts.append(hand)
    found = []
    for number, hand in enumerate(cuts):
        last = number + 1 == len(cuts)
        end = len(firsts) if last else cuts[number + 1]
        # What stands before the first hand is read with it; the line's end that stands before
        # the next portion is none of this one's lines.
        start, lines = (0, 0) if number == 0 else firsts[hand][:2]
        stop = len(text) if last else _before_line_end(text, firsts[end][0])
        found.append(Portion(start, stop, hand, lines, end - hand))
    return found


def _before_line_end(text: str, start: int) -> int:
    return start - 2 if text[start - 2 : start] == "\r\n" else start - 1


def _starts(text: str) -> Iterator[tuple[int, int, bool]]:
    """Where each hand of a 字牌谱 begins, as `jsonl.starts` says it."""
    ends = [match.end() for match in LINE_END.finditer(text)]
    lines = [0, *ends]
    source = [text[a:b].rstrip("\r\n") for a, b in zip(lines, [*ends, len(text)], strict=True)]
    for line in first_lines(source):
        yield lines[line], line, True
