"""The public pages after the day: what they show against what the hands sum to."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence

from tests.load.phone import Phone
from tests.load.sheet_page import SheetPage
from tests.load.world import World

FRESH_WITHIN_S = 10.0


def unbalanced(world: World, port: int, nets: Mapping[int, Sequence[int]]) -> list[str]:
    """Tables whose page does not show these sums by seat, though it had time to."""
    return asyncio.run(_unbalanced(world, port, nets))


async def _unbalanced(world: World, port: int, nets: Mapping[int, Sequence[int]]) -> list[str]:
    phone = Phone(port, encoding="gzip")
    until = time.monotonic() + FRESH_WITHIN_S
    found: list[str] = []
    left = [table for table in (*world.tables, *world.later) if table.pk in nets]
    while left:
        found, stale = [], []
        for table in left:
            shown = SheetPage((await phone.get(table.page)).text).nets
            if shown != list(nets[table.pk]):
                found.append(f"{table.page} shows {shown}, its hands sum to {nets[table.pk]}")
                stale.append(table)
        left = stale
        if left:
            if time.monotonic() > until:
                break
            await asyncio.sleep(0.5)
    phone.hang_up()
    return found
