"""Referees with their phones: a hand each turn, and whatever else comes up at their tables."""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from dataclasses import dataclass

from tests.load.changes import Desk
from tests.load.hands import Fields, any_hand, kept
from tests.load.notes import Fate, Note
from tests.load.outbox import GaveUp
from tests.load.phone import Lost, Phone
from tests.load.sheet_page import SheetPage
from tests.load.world import At

DOUBLE_TAPS, TWO_AT_ONCE, CORRECTIONS, VOIDS = 0.1, 0.06, 0.15, 0.04
"""How often, for each hand."""
POLL_EVERY_S = 5.0
SHARES = (3, 2, 1)
"""How often a referee goes to his first, second and third open table."""
CHIEF_TURNS = 2
"""A correction on a confirmed table each so many turns of a referee."""


@dataclass(frozen=True)
class Entry:
    """A hand on its way: what is noted of it and what is sent."""

    note: Note
    fields: Fields
    actor: str


class Referee:
    """One referee: his tables of the first round, then the one that their winners go to."""

    def __init__(self, desk: Desk, link: str, tables: list[At], seed: int) -> None:
        self.desk, self.link = desk, link
        self.sender, self.notes = desk.sender, desk.notes
        self.feeders, self.later = tables[:-1], tables[-1]
        self.chance = random.Random(seed)
        self.phone, self.second_tap, self.polling = desk.phone(), desk.phone(), desk.phone()
        self.at: At | None = None
        self.version = ""
        self.devices: dict[int, Phone] = {}

    async def work(self, turns: int | None) -> None:
        """So many turns; without a number until the day is over."""
        polls = asyncio.create_task(self._poll())
        try:
            await self.sender.open(self.phone, self.link)
            await self.desk.rest(self.chance.random() * self.desk.pace)
            done = 0
            while not self.desk.over.is_set() and (turns is None or done < turns):
                start = time.monotonic()
                await self._turn()
                done += 1
                turn = self.desk.pace * self.chance.uniform(0.8, 1.2)
                await self.desk.rest(max(0.0, turn - (time.monotonic() - start)))
        except GaveUp:
            self.notes.wonder("a referee gave up")
        finally:
            polls.cancel()
            await asyncio.gather(polls, return_exceptions=True)

    async def _turn(self) -> None:
        """One hand, after whatever has to be done before it."""
        for _step in range(len(self.feeders) + 1):
            open_tables = self.feeders[: len(SHARES)] or [self.later]
            (table,) = self.chance.choices(open_tables, SHARES[: len(open_tables)])
            self.at = table
            page = await self.sender.open(self.phone, table.sheet)
            self.version = page.version
            if page.next_number:
                await self._hand(table, page)
                return
            if page.offers("submit"):
                await self._submit(table, page)
            await self._agree(table)
            if table not in self.feeders:
                return

    async def _hand(self, table: At, page: SheetPage) -> None:
        """A hand is entered, and sometimes an earlier one changed."""
        entry = self._entry(table, page)
        how = self.chance.random()
        if how < DOUBLE_TAPS:
            self.second_tap.cookies = dict(self.phone.cookies)
            await asyncio.gather(
                self._send(self.phone, table, entry), self._send(self.second_tap, table, entry)
            )
        elif how < DOUBLE_TAPS + TWO_AT_ONCE and not page.is_extra:
            device = await self._device(table)
            its = await self.sender.open(device, table.sheet)
            rival = self._entry(table, its) if its.next_number else None
            sending = [self._send(self.phone, table, entry)]
            if rival is not None:
                sending.append(self._send(device, table, rival))
            await asyncio.gather(*sending)
        else:
            await self._send(self.phone, table, entry)
        what = self.chance.random()
        if not self.desk.hands.get(table.pk):
            return
        if what < CORRECTIONS:
            await self.desk.correct(self.phone, table, self.chance)
        elif what < CORRECTIONS + VOIDS:
            await self.desk.void_and_restore(self.phone, table, self.chance)

    def _entry(self, table: At, page: SheetPage) -> Entry:
        """Any hand with the number that the page shows and a key of its own."""
        key = str(uuid.UUID(int=self.chance.getrandbits(128), version=4))
        given = any_hand(self.chance)
        note = Note("enter", table.pk, page.next_number, 1, key, kept(given))
        extra = "True" if page.is_extra else "False"
        fields = {**given, "number": page.next_number, "key": key, "extra": extra}
        return Entry(self.notes.act(note), fields, page.actor)

    async def _send(self, phone: Phone, table: At, entry: Entry) -> None:
        note = entry.note
        await self.sender.deliver(phone, note, table.sheet, entry.fields, entry.actor)
        if note.fate == Fate.ACKED and entry.fields["extra"] == "False":
            self.desk.hands.setdefault(table.pk, {})[note.number] = note.values or {}

    async def _submit(self, table: At, page: SheetPage) -> None:
        note = self.notes.act(Note("submit", table.pk))
        while note.fate == Fate.LOST:
            note.tries += 1
            answer = await self.sender.post(self.phone, f"{table.sheet}submit/", page, {})
            if answer is None:
                page = await self.sender.open(self.phone, table.sheet)
                note.fate = Fate.LOST if page.offers("submit") else Fate.ACKED
            else:
                note.fate = Fate.ACKED if answer.status == 302 else Fate.REFUSED

    async def _agree(self, table: At) -> None:
        """The three players confirm on the table's phone; the table may be confirmed then."""
        device = await self._device(table)
        path = f"{table.sheet}confirm/"
        page = await self.sender.open(device, path)
        is_asked = bool(page.digest)
        while page.digest and page.positions:
            position = page.positions[0]
            note = self.notes.act(Note("agree", table.pk, position))
            while note.fate == Fate.LOST:
                note.tries += 1
                fields = {"digest": page.digest, "position": position}
                answer = await self.sender.post(device, path, page, fields)
                page = await self.sender.open(device, path)
                if answer is not None:
                    note.fate = Fate.ACKED if answer.status == 302 else Fate.REFUSED
                elif position not in page.positions:
                    note.fate = Fate.ACKED
        if not is_asked:
            return
        left = await self.sender.open(self.phone, table.sheet)
        if not left.next_number and not left.offers("submit") and table in self.feeders:
            self.feeders.remove(table)
            self.desk.confirmed.append(table)

    async def _device(self, table: At) -> Phone:
        """The table's own phone, which has opened its link."""
        device = self.devices.get(table.pk)
        if device is None:
            device = self.devices[table.pk] = self.desk.phone()
            await self.sender.open(device, table.link)
        return device

    async def _poll(self) -> None:
        """The open sheet is kept fresh, and told that somebody enters there."""
        device = f"{self.chance.getrandbits(128):032x}"
        while True:
            await asyncio.sleep(min(POLL_EVERY_S, self.desk.pace))
            if self.at is None:
                continue
            query = f"live/?entering=1&device={device}&v={self.version}"
            self.polling.cookies = dict(self.phone.cookies)
            try:
                answer = await self.polling.get(self.at.sheet + query)
            except Lost:
                self.notes.statuses["sheet poll lost"] += 1
                continue
            self.notes.statuses[f"sheet poll {answer.status}"] += 1
            if answer.status == 200:
                self.version = answer.headers["x-version"]
            elif answer.status not in (204, 503):
                self.notes.wonder(f"sheet poll: {answer.status}")


async def lead(desk: Desk, link: str) -> None:
    """The chief referee, who corrects hands of confirmed tables, with a reason."""
    chance = random.Random(link)
    phone = desk.phone()
    try:
        await desk.sender.open(phone, link)
        while not desk.over.is_set():
            await desk.rest(desk.pace * CHIEF_TURNS * chance.uniform(0.8, 1.2))
            if desk.confirmed:
                table = chance.choice(desk.confirmed)
                await desk.correct(phone, table, chance, reason="看了录像")
    except GaveUp:
        desk.notes.wonder("the chief referee gave up")
