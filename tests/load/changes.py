"""Hands changed after they were entered: corrected, on a confirmed table too, voided and restored.

Nothing of this has a key. A correction names the version that it saw, so it is done once at most;
after a lost answer the page shows whether it was.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping

from tests.load.hands import any_hand, kept
from tests.load.notes import Fate, Note
from tests.load.outbox import Sender
from tests.load.phone import Phone
from tests.load.sheet_page import SheetPage
from tests.load.world import At

MOST_PAGES = 5
"""Pages of effects that somebody reads before he leaves a correction be."""


class Desk:
    """Where referees and the chief referee work: what they share."""

    def __init__(self, port: int, sender: Sender, pace: float) -> None:
        self.port, self.sender, self.pace = port, sender, pace
        self.notes = sender.notes
        self.over = asyncio.Event()
        self.phones: list[Phone] = []
        self.confirmed: list[At] = []
        self.hands: dict[int, dict[int, Mapping[str, object]]] = {}
        """What counts of each hand, by table and number; 加赛 are not among them."""

    def phone(self) -> Phone:
        """A new one, which reads pages."""
        self.phones.append(Phone(self.port, encoding="gzip"))
        return self.phones[-1]

    async def rest(self, seconds: float) -> None:
        """So long, or until the day is over."""
        try:
            async with asyncio.timeout(seconds):
                await self.over.wait()
        except TimeoutError:
            pass

    def close(self) -> None:
        """All phones are put away."""
        for phone in self.phones:
            phone.hang_up()

    async def correct(
        self, phone: Phone, table: At, chance: random.Random, reason: str = ""
    ) -> None:
        """An earlier hand was something else; on a confirmed table with `reason`, its effects
        shown first. Raises `GaveUp`."""
        number = chance.choice(sorted(self.hands[table.pk]))
        path = f"{table.sheet}hand/{number}/correct/"
        fields = any_hand(chance)
        page = await self.sender.open(phone, path)
        seen = page.seen
        note = self.notes.act(Note("correct", table.pk, number, seen + 1, "", kept(fields)))
        more: dict[str, object] = {"number": number, "seen": seen, "reason": reason or None}
        while note.fate == Fate.LOST:
            note.tries += 1
            answer = await self.sender.post(phone, path, page, {**fields, **more})
            if answer is None:
                page = await self.sender.open(phone, path)
                done = page.seen > seen
                note.fate = Fate.ACKED if done else Fate.LOST
            elif answer.status == 302:
                note.fate = Fate.ACKED
            elif 'name="effects_shown"' in answer.text and note.tries < MOST_PAGES:
                page = SheetPage(answer.text)
                more |= {"effects_shown": "1", "as_played": None}
                if 'name="as_played"' in answer.text:
                    more["as_played"] = "1"
            else:
                note.fate = Fate.REFUSED
        if note.fate == Fate.ACKED:
            self.hands[table.pk][number] = kept(fields)

    async def void_and_restore(self, phone: Phone, table: At, chance: random.Random) -> None:
        """A hand counts for nothing, and then does again. Raises `GaveUp`."""
        number = chance.choice(sorted(self.hands[table.pk]))
        hand = f"{table.sheet}hand/{number}/"
        page = await self.sender.open(phone, f"{hand}correct/")
        seen = page.seen
        void = Note("void", table.pk, number, seen + 1)
        back = Note("restore", table.pk, number, seen + 2, "", self.hands[table.pk][number])
        steps = ((void, {"reason": "记错了桌"}), (back, {"version": seen}))
        for note, fields in steps:
            self.notes.act(note)
            while note.fate == Fate.LOST:
                note.tries += 1
                answer = await self.sender.post(phone, f"{hand}{note.kind}/", page, fields)
                if answer is None:
                    page = await self.sender.open(phone, f"{hand}correct/")
                    note.fate = Fate.ACKED if page.seen >= note.version else Fate.LOST
                else:
                    note.fate = Fate.ACKED if answer.status == 302 else Fate.REFUSED
            if note.fate == Fate.REFUSED:
                break
        if void.fate == Fate.ACKED and back.fate != Fate.ACKED:
            del self.hands[table.pk][number]
