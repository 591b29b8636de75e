"""A day under load: referees, the chief referee and spectators at once."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from tests.load.changes import Desk
from tests.load.notes import Notes
from tests.load.outbox import Sender
from tests.load.referees import Referee, lead
from tests.load.spectators import watch
from tests.load.world import World


@dataclass(frozen=True)
class Plan:
    """How long the day is and how busy.

    It lasts `seconds`, or until each referee has done so many `turns`; without either until what
    else happens on it is over. `pace` is
    the seconds between two hands of a referee, `hurry` what a phone's waits before it sends again
    are multiplied by, `patience` the seconds after which somebody gives up.
    """

    seconds: float | None = None
    turns: int | None = None
    pace: float = 20.0
    spectators: int = 500
    hurry: float = 1.0
    patience: float = 180.0
    seed: int = 20261130


Beside = Callable[[Desk], Coroutine[Any, Any, None]]
"""What else happens on that day; the day does not end before it."""


def run(world: World, port: int, plan: Plan, beside: Beside | None = None) -> Notes:
    """The day at the server of this port; returns what was done and seen."""
    notes = Notes()
    asyncio.run(_run(world, port, plan, notes, beside))
    return notes


async def _run(world: World, port: int, plan: Plan, notes: Notes, beside: Beside | None) -> None:
    chance = random.Random(plan.seed)
    sender = Sender(notes, hurry=plan.hurry, patience=plan.patience)
    desk = Desk(port, sender, plan.pace)
    referees = [
        Referee(desk, link, list(tables), chance.getrandbits(32)).work(plan.turns)
        for link, tables in world.referees
    ]
    others: list[Coroutine[Any, Any, None]] = [lead(desk, world.chief)]
    others += [watch(desk, world, number) for number in range(plan.spectators)]
    try:
        async with asyncio.TaskGroup() as group:
            for work in others:
                group.create_task(work)
            group.create_task(_end(desk, plan, beside))
            await asyncio.gather(*referees)
            desk.over.set()
    finally:
        desk.close()
        await asyncio.sleep(0)


async def _end(desk: Desk, plan: Plan, beside: Beside | None) -> None:
    """The day is over after its time and after what else happens."""
    waits: list[Coroutine[Any, Any, None]] = [desk.rest(plan.seconds or 0)]
    if beside is not None:
        waits.append(beside(desk))
    await asyncio.gather(*waits)
    if plan.turns is None:
        desk.over.set()
