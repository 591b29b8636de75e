"""A hall that looks on: spectators who poll as the pages do, and referees' phones that write.

`run(port, tables, bracket, seconds)` answers with the times of polls and writes and how long each
written hand took to reach every page that was open on its table.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tests.load.phone import Phone
from tests.load.sheet_page import SheetPage

SPECTATORS = 1000
EVERY_S = 5.0
EARLIEST, LATEST = 0.85, 1.15
WRITES_A_SECOND = 2.0
WARM_UP_S = EVERY_S + 2
SEED = 20261130


@dataclass
class Seen:
    """What was measured, in seconds; `unseen` hands that a page had not got before the end."""

    polls: list[float] = field(default_factory=list)
    writes: list[float] = field(default_factory=list)
    arrivals: list[float] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    unseen: int = 0


class Hall:
    """Everybody who is there, and what the last hand of each table was."""

    def __init__(self, port: int, tables: Sequence[Mapping[str, str]], bracket: str, until: float):
        self.port, self.tables, self.bracket, self.until = port, tables, bracket, until
        self.chance = random.Random(SEED)
        self.seen = Seen()
        self.written: dict[int, float] = {}
        self.polling = asyncio.Event()

    async def spectator(self, number: int) -> None:
        """Two of three look at the bracket, the others at a table."""
        table = number % len(self.tables) if number % 3 == 0 else None
        page = self.bracket if table is None else self.tables[table]["page"]
        phone = Phone(self.port)
        await asyncio.sleep(self.chance.random() * EVERY_S)
        version = (await phone.get(page + "live/")).headers["x-version"]
        got = time.monotonic()
        await self.polling.wait()
        while time.monotonic() < self.until:
            await asyncio.sleep(EVERY_S * self.chance.uniform(EARLIEST, LATEST))
            while True:
                start = time.monotonic()
                answer = await phone.get(f"{page}live/?v={version}")
                now = time.monotonic()
                self.seen.polls.append(now - start)
                self.seen.statuses[answer.status] += 1
                if answer.status == 200:
                    version = answer.headers["x-version"]
                    if table is not None and table in self.written and got < self.written[table]:
                        self.seen.arrivals.append(now - self.written[table])
                    got = now
                soon = answer.headers.get("x-again")
                if soon is None:
                    break
                await asyncio.sleep(float(soon))
        if table is not None and self.written.get(table, 0) > got:
            self.seen.unseen += self.until - self.written[table] > 7

    async def writer(self, table: int) -> None:
        """The table's own phone enters a hand each time its turn comes."""
        phone = Phone(self.port, encoding="gzip")
        opened = await phone.get(self.tables[table]["link"])
        if opened.status not in (200, 302):
            raise AssertionError(f"the table's link answers {opened.status}")
        form = await phone.get(self.tables[table]["sheet"])
        token = SheetPage(form.text).token
        await self.polling.wait()
        turn = len(self.tables) / WRITES_A_SECOND
        await asyncio.sleep(table / WRITES_A_SECOND)
        number = 2
        while time.monotonic() < self.until:
            fields = {
                "csrfmiddlewaretoken": token,
                "evidence": "result", "source": "own-flip", "winner": "甲",
                "hu": "16", "xing_count": "2", "number": str(number),
                "key": f"bench-{table}-{number}",
            }  # fmt: skip
            start = time.monotonic()
            answer = await phone.post(self.tables[table]["sheet"], fields)
            now = time.monotonic()
            if answer.status != 302:
                raise AssertionError(f"a hand was answered with {answer.status}")
            self.seen.writes.append(now - start)
            self.written[table] = now
            number += 1
            await asyncio.sleep(max(0.0, turn - (now - start)))


async def _run(hall: Hall, seconds: float) -> None:
    people = [asyncio.create_task(hall.spectator(n)) for n in range(SPECTATORS)]
    people += [asyncio.create_task(hall.writer(t)) for t in range(len(hall.tables))]
    await asyncio.sleep(WARM_UP_S)
    hall.until = time.monotonic() + seconds
    hall.polling.set()
    await asyncio.gather(*people)


def run(port: int, tables: Sequence[Mapping[str, str]], bracket: str, seconds: float) -> Seen:
    """A hall for so many seconds."""
    hall = Hall(port, tables, bracket, time.monotonic() + 3600)
    asyncio.run(_run(hall, seconds))
    return hall.seen
