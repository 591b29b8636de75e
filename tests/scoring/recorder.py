"""The recorder driven by what its page offers: buttons read from the answer and pressed."""

from __future__ import annotations

import html
import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from django.test import Client

from scoring.recorder import SHOWN, WALL

FOLDER = Path(os.environ.get("ZIPAI_RECORDS", Path(__file__).parents[3] / "shared" / "records"))
BUTTON = re.compile(r"<button\b([^>]*)>")
SEEN = re.compile(r'name="seen" value="(\d+)"')


def real_records() -> dict[str, str]:
    """The texts of the real hands by file; skips where they are not there."""
    if not FOLDER.is_dir():
        pytest.skip(f"no real records at {FOLDER}: set ZIPAI_RECORDS to their folder")
    return {path.name: path.read_text("utf-8") for path in sorted(FOLDER.glob("*.zpr"))}


def deal_of(text: str) -> dict[str, str]:
    """The cards of a record by place."""
    dealer = re.search(r"^庄: (.)$", text, re.M)
    assert dealer is not None
    cards = dict(re.findall(r"^发 (.) (\S+)$", text, re.M))
    cards[SHOWN] = cards[dealer[1]][-1]
    cards[dealer[1]] = cards[dealer[1]][:-1]
    wall = re.search(r"^墩 (\S+)$", text, re.M)
    return cards | ({WALL: wall[1]} if wall else {})


def events_of(text: str) -> list[str]:
    """The event lines of a record."""
    body = text.split("\n\n", 1)[1].splitlines()
    return [line for line in body if line[:1] not in "发墩=!" and line]


def number_of(text: str) -> int:
    """The hand's number in its header."""
    found = re.search(r"^局: (\d+)$", text, re.M)
    assert found is not None
    return int(found[1])


class Presser:
    """A recording's page: `press` sends exactly what one of its buttons would."""

    def __init__(self, client: Client, url: str, *, htmx: bool = False) -> None:
        self.client = client
        self.url = url
        self.headers = {"HX-Request": "true"} if htmx else {}
        self.presses = 0
        self.read(client.get(url))

    def read(self, answer: Any) -> None:
        assert answer.status_code == 200, answer.status_code
        self.page = answer.content.decode()
        self.buttons = [
            html.unescape(found[1])
            for attributes in BUTTON.findall(self.page)
            if 'name="do"' in attributes and " disabled" not in attributes
            if (found := re.search(r'value="([^"]*)"', attributes))
        ]

    @property
    def seen(self) -> str:
        found = SEEN.search(self.page)
        assert found is not None
        return found[1]

    def press(self, do: str, **fields: str) -> None:
        assert do in self.buttons, f"{do} is not offered: {self.buttons}"
        self.presses += 1
        data = {"seen": self.seen, "do": do, **fields}
        self.read(self.client.post(self.url, data, follow=True, headers=self.headers))

    def open_place(self, place: str) -> None:
        self.read(self.client.get(self.url, {"place": place}))

    def deal(self, cards: dict[str, str], *, tapped: bool = False) -> None:
        """All places in the page's order, card by card or at once, and off it goes."""
        for place in self.places():
            if place not in cards:
                continue
            self.open_place(place)
            if tapped:
                for card in cards[place]:
                    self.press(f"发 {place} {card}")
            else:
                self.press(f"写 {place}", cards=cards[place])
        self.press("开打")

    def places(self) -> list[str]:
        """The places of the deal in the page's order."""
        return [unquote(one) for one in re.findall(r'href="\?place=([^"]+)"', self.page)]

    @property
    def text(self) -> str:
        """The record as the page shows it."""
        found = re.search(r'<pre class="zpr"[^>]*>(.*?)</pre>', self.page, re.S)
        assert found is not None
        return html.unescape(found[1])

    def play(self, events: list[str]) -> None:
        """Presses the event that comes next, until all of them are on the page's record."""
        while (done := events_of(self.text)) != events:
            assert done == events[: len(done)]
            self.press(events[len(done)])
