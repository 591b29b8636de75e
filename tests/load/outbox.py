"""How a phone sends: hands as `static/js/outbox.js` does, anything else as who looks again.

A hand has a key of its own and is sent until the server has said yes or no, so an answer that is
lost costs nothing. Other forms have none: after a lost answer one reloads the page and sees.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping

from tests.load.notes import Fate, Note, Notes
from tests.load.phone import Answer, Lost, Phone
from tests.load.sheet_page import SheetPage

WAITS_S = (2.0, 5.0, 10.0, 20.0, 30.0)
AWAY = 503
IN_FLIGHT = 409
"""Without JSON: the same entry is at work; the outbox asks again, as after 503."""


class GaveUp(Exception):
    """The site did not come back within the day's patience."""


class Sender:
    """What all phones of a day share: where their notes go, and how long they hope."""

    def __init__(self, notes: Notes, *, hurry: float, patience: float) -> None:
        self.notes, self.hurry, self.patience = notes, hurry, patience

    async def open(self, phone: Phone, path: str) -> SheetPage:
        """A page, asked for again until it comes. Raises `GaveUp`."""
        start, tries = time.monotonic(), 0
        while True:
            try:
                answer = await phone.get(path)
            except Lost:
                self.notes.statuses["page lost"] += 1
            else:
                self.notes.statuses[f"page {answer.status}"] += 1
                if answer.status in (200, 302):
                    return SheetPage(answer.text)
                if answer.status != AWAY:
                    self.notes.wonder(f"GET {path}: {answer.status}")
            tries = await self.wait(start, tries)

    async def deliver(
        self, phone: Phone, note: Note, path: str, fields: Mapping[str, object], actor: str
    ) -> None:
        """A hand through the outbox; its note says in the end how it went. Raises `GaveUp`."""
        begun, tries = time.monotonic(), 0
        while True:
            note.tries += 1
            start = time.monotonic()
            said = await self._entry(phone, path, fields, actor)
            now = time.monotonic()
            if "saved" in said:
                note.fate = Fate.ACKED
                self.notes.entries.append(now - start)
                if tries:
                    self.notes.waited.append(now - begun)
                return
            if "refused" in said:
                if note.fate == Fate.LOST:
                    note.fate = Fate.REFUSED
                return
            tries = await self.wait(begun, tries)

    async def _entry(
        self, phone: Phone, path: str, fields: Mapping[str, object], actor: str
    ) -> Mapping[str, object]:
        """What the server says to an entry, {} where it says nothing of use."""
        headers = {"X-CSRFToken": phone.cookies.get("csrftoken", ""), "X-Outbox": actor}
        try:
            answer = await phone.post(path, fields, **headers)
        except Lost:
            self.notes.statuses["entry lost"] += 1
            return {}
        self.notes.statuses[f"entry {answer.status}"] += 1
        if answer.is_json:
            said: dict[str, object] = answer.json()
            if "saved" not in said and "refused" not in said:
                self.notes.wonder(f"entry at {path}: {said}")
            return said
        if answer.status not in (AWAY, IN_FLIGHT):
            self.notes.wonder(f"entry at {path}: {answer.status}")
        return {}

    async def post(
        self, phone: Phone, path: str, page: SheetPage, fields: Mapping[str, object]
    ) -> Answer | None:
        """Another form of a page; None where nobody knows whether it was done."""
        try:
            answer = await phone.post(path, {"csrfmiddlewaretoken": page.token, **fields})
        except Lost:
            self.notes.statuses["form lost"] += 1
            return None
        self.notes.statuses[f"form {answer.status}"] += 1
        if answer.status == AWAY:
            return None
        if answer.status not in (302, 409, 422):
            self.notes.wonder(f"POST {path}: {answer.status}")
        return answer

    async def wait(self, since: float, tries: int) -> int:
        """Until the next try; returns its number. Raises `GaveUp`."""
        if time.monotonic() - since > self.patience:
            raise GaveUp
        await asyncio.sleep(WAITS_S[min(tries, len(WAITS_S) - 1)] * self.hurry)
        return tries + 1
