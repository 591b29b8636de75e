"""The day of `bin/bench load` with a fault about every minute: kill -9 of a web worker, of the web
server and of the worker for jobs, Redis flushed and killed, PostgreSQL stopped at once.

PostgreSQL and Redis are instances of its own in passing folders; on SQLite there are only processes
to kill. DUOZHU_MINUTES makes it shorter or longer.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from benchmarks.load import MINUTES, SPECTATORS, figures, make
from benchmarks.measure import Figure
from tests.faults.outages import Chaos
from tests.load import day, services, site
from tests.load.database import Database

DOWN_S, SETTLE_S, BETWEEN_S, PATIENCE_S = 10.0, 10.0, 30.0, 180.0
TURN_S = 60.0
"""About how long a fault and its rest take."""
RECORDS = 400


def run() -> Iterator[Figure]:
    """All figures, database by database."""
    missed: list[str] = []
    for name in ("SQLite", "PostgreSQL"):
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            cluster = redis = None
            url = f"sqlite:///{folder / 'db.sqlite3'}"
            if name == "PostgreSQL":
                cluster = stack.enter_context(services.cluster())
                redis = stack.enter_context(services.redis())
                url = cluster.url()
            env = site.environment(folder, url, redis.url if redis else "")
            world = make(env)
            running = stack.enter_context(site.running(folder, env))
            chaos = Chaos(
                world, running, Database(url), cluster, redis, down_s=DOWN_S, settle_s=SETTLE_S,
                between_s=BETWEEN_S, patience_s=PATIENCE_S, records=RECORDS, thorough=True,
            )  # fmt: skip
            chaos.repeat = max(1, round(60 * MINUTES / TURN_S / len(chaos.faults)))
            plan = day.Plan(seconds=60 * MINUTES, spectators=SPECTATORS)
            notes = day.run(world, running.port, plan, chaos.happen)
            for outage in chaos.outages:
                yield f"{name}: {outage.name}: hands saved after", outage.seconds, "s"
            yield f"{name}: longest that an entry waited on a phone", max([0, *notes.waited]), "s"
            for what, value, unit in figures(env, running, world, notes, missed):
                yield f"{name}: {what}", value, unit
            missed += chaos.amiss()
    if missed:
        raise SystemExit("\n".join(missed))
