"""Spectators who poll as `static/js/poll.js` does."""

from __future__ import annotations

import random
import time

from tests.load.changes import Desk
from tests.load.phone import Lost, Phone
from tests.load.world import World

EVERY_S = 5.0
LONGEST_S = 60.0
PATIENCE_S = 10.0


async def watch(desk: Desk, world: World, number: int) -> None:
    """Two of three look at the bracket, the others at a table of the first round."""
    chance = random.Random(number)
    page = world.bracket if number % 3 else world.tables[number // 3 % len(world.tables)].page
    notes = desk.notes
    phone = Phone(desk.port, patience=PATIENCE_S)
    version, failures = "", 0
    await desk.rest(chance.random() * EVERY_S)
    while not desk.over.is_set():
        soon = 0.0
        start = time.monotonic()
        try:
            answer = await phone.get(f"{page}live/?v={version}")
        except Lost:
            notes.statuses["poll lost"] += 1
            failures += 1
        else:
            notes.polls.append(time.monotonic() - start)
            notes.statuses[f"poll {answer.status}"] += 1
            failures = 0 if answer.status in (200, 204) else failures + 1
            if answer.status == 200:
                version = answer.headers["x-version"]
            elif answer.status not in (204, 503):
                notes.wonder(f"poll {page}: {answer.status}")
            soon = float(answer.headers.get("x-again", 0))
        wait = min(EVERY_S * 2**failures, LONGEST_S) * chance.uniform(0.85, 1.15)
        await desk.rest(soon or wait)
    phone.hang_up()
