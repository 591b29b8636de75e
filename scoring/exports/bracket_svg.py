"""The bracket as one SVG file: self-contained, printable, of `scoring.bracket`'s plain values.

Colours and type stand in attributes, as the site's pages allow no inline style.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

from django.utils.translation import gettext as _

PAPER, INK, SOFT, LINE, RED = "#ffffff", "#1c1a16", "#57503f", "#8d8571", "#b3261e"
WIDTH, GAP, HEAD, LINE_HEIGHT, TOP = 250, 40, 20, 22, 96
SIZE, SMALL = 14, 11
FONT = "Noto Sans CJK SC, Source Han Sans SC, PingFang SC, Microsoft YaHei, sans-serif"
_UNWRITABLE = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Slot = Mapping[str, Any]


def bracket_svg(bracket: Mapping[str, Any], title: str, subtitle: str) -> str:
    """The file. `bracket` is what `scoring.bracket.bracket` gives."""
    return _Drawing(bracket, title, subtitle).text()


class _Drawing:
    def __init__(self, bracket: Mapping[str, Any], title: str, subtitle: str) -> None:
        self.rounds: Sequence[Mapping[str, Any]] = bracket["rounds"]
        self.title, self.subtitle = title, subtitle
        seats = max((len(slot["lines"]) for slot in self._slots() if not slot["bye"]), default=1)
        self.row = HEAD + seats * LINE_HEIGHT + 14
        self.parts: list[str] = []
        self.bottom = float(TOP)
        before: list[tuple[float, float]] = []
        for column, round_ in enumerate(self.rounds):
            before = self._column(column, round_, before)

    def _slots(self) -> list[Slot]:
        return [s for one in self.rounds for feed in one["feeds"] for s in feed["slots"]]

    def _column(
        self, column: int, round_: Mapping[str, Any], before: Sequence[tuple[float, float]]
    ) -> list[tuple[float, float]]:
        """Draws a round; returns the reach (top, bottom) of each group that meets at a table of
        the next one. `before` is that of the round before."""
        x = GAP + column * (WIDTH + GAP)
        heading = f"{round_['title']}  {round_['state_label']}".strip()
        self._text(x, TOP - 16, heading, bold=True)
        y = float(TOP)
        groups = []
        feeds = iter(before)
        for feed in round_["feeds"]:
            if feed["zone"]:
                self._text(x, y + self.row - 12, feed["zone"], fill=RED)
                y += self.row
            centres = []
            for slot in feed["slots"]:
                span = slot["span"]
                if slot.get("zone"):
                    self._text(x, y + self.row - 12, slot["zone"], fill=RED)
                    y, span = y + self.row, span - 1
                centre = y + span * self.row / 2
                if not slot["bye"] and slot["fed"]:
                    self._join(x, centre, next(feeds, None))
                self._slot(x, centre, slot)
                centres.append(centre)
                y += span * self.row
            if centres:
                groups.append((min(centres), max(centres)))
        self.bottom = max(self.bottom, y)
        return groups

    def _join(self, x: float, centre: float, reach: tuple[float, float] | None) -> None:
        """The hairline from the middle of what meets here to the table."""
        if reach is None:
            return
        middle, (top, bottom) = x - GAP / 2, reach
        start = x - GAP
        self.parts.append(
            f'<path d="M{start} {top:g}H{middle}V{bottom:g}H{start}M{middle} {centre:g}H{x}"'
            f' fill="none" stroke="{LINE}"/>'
        )

    def _slot(self, x: float, centre: float, slot: Slot) -> None:
        if slot["bye"]:
            self.parts.append(
                f'<path d="M{x} {centre:g}H{x + WIDTH}" stroke="{LINE}" fill="none"/>'
            )
            self._text(x + 6, centre - 6, slot["name"])
            self._text(x + WIDTH - 6, centre - 6, _("轮空"), size=SMALL, fill=SOFT, end=True)
            return
        lines = slot["lines"]
        height = HEAD + len(lines) * LINE_HEIGHT
        top = centre - height / 2
        self.parts.append(
            f'<rect x="{x}" y="{top:g}" width="{WIDTH}" height="{height}" fill="{PAPER}"'
            f' stroke="{LINE}"/>'
        )
        self._text(x + 6, top + 14, slot["label"], size=SMALL, fill=SOFT)
        state = slot["state_label"]
        self._text(x + WIDTH - 6, top + 14, state, size=SMALL, fill=SOFT, end=True)
        for index, line in enumerate(lines):
            self._line(x, top + HEAD + (index + 1) * LINE_HEIGHT - 7, line)

    def _line(self, x: float, y: float, line: Mapping[str, Any]) -> None:
        is_quiet = line["waiting"] or line["filler"]
        name = line["waiting"] or (_("陪打") if line["filler"] else line["name"])
        net = _signed(line["net"])
        room = WIDTH - 60.0 if net else WIDTH - 24.0
        name = _fitting(name, room, SIZE)
        fill = SOFT if is_quiet else RED if line["advances"] else INK
        self._text(x + 6, y, name, fill=fill, bold=line["advances"])
        room -= _width(name, SIZE) + 8
        unit = _fitting(line["unit"], room, SMALL) if not is_quiet else ""
        self._text(x + 14 + _width(name, SIZE), y, unit, size=SMALL, fill=SOFT)
        self._text(x + WIDTH - 18, y, net, fill=fill, end=True)
        if line["advances"]:
            self._text(x + WIDTH - 6, y, "›", fill=RED, end=True)

    def _text(
        self, x: float, y: float, text: str, *, size: int = SIZE, fill: str = INK,
        bold: bool = False, end: bool = False,
    ) -> None:  # fmt: skip
        if not text:
            return
        more = ' font-weight="bold"' if bold else ""
        more += ' text-anchor="end"' if end else ""
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{fill}"{more}>{_safe(text)}</text>'
        )

    def text(self) -> str:
        """All of it."""
        width = GAP + len(self.rounds) * (WIDTH + GAP)
        height = self.bottom + 20
        self._text(GAP, 28, self.title, size=20, bold=True)
        self._text(GAP, 48, self.subtitle, size=SMALL, fill=SOFT)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:g}"'
            f' width="{width}" height="{height:g}" role="img" font-family="{FONT}">'
            f"<title>{_safe(self.title)}</title>"
            f'<rect width="{width}" height="{height:g}" fill="{PAPER}"/>'
        )
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}{"".join(self.parts)}</svg>\n'


def _signed(value: Any) -> str:
    """`+5`, `−3`, `0`; games won as people write them."""
    if value is None:
        return ""
    shown = getattr(value, "shown", None)
    if shown is not None:
        return str(shown)
    return f"+{value}" if value > 0 else str(value).replace("-", "−")


def _width(text: str, size: int) -> float:
    """About how wide a text is: a Chinese character is as wide as high, others a good half."""
    return sum(size if ord(letter) > 0x2E80 else size * 0.58 for letter in text)


def _fitting(text: str, room: float, size: int) -> str:
    """The text, cut where there is no room for it."""
    if _width(text, size) <= room:
        return text
    while text and _width(f"{text}…", size) > room:
        text = text[:-1]
    return f"{text}…" if text else ""


def _safe(text: str) -> str:
    return escape(_UNWRITABLE.sub("", text))
