"""A whole day under load: 81 tables, 27 referees each entering a hand every 20 s for ten minutes,
500 spectators, corrections and confirmations mixed in; then the reckoning (`tests/load`).

On SQLite with the runner and, where DATABASE_URL names a PostgreSQL, there with Celery and a Redis
of its own. DUOZHU_MINUTES makes it shorter or longer.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

from benchmarks.measure import ROOT, Figure
from benchmarks.web import empty_database
from tests.load import day, services, site
from tests.load.database import Database
from tests.load.notes import Fate, Notes
from tests.load.pages import unbalanced
from tests.load.reckoning import Reckoning, read_books
from tests.load.world import World

MINUTES = float(os.environ.get("DUOZHU_MINUTES", "10"))
TABLES, HANDS, SPECTATORS = 81, 8, 500
LONGEST_P95_MS = 300


def run() -> Iterator[Figure]:
    """All figures, database by database."""
    databases = {"SQLite": ""}
    asked = os.environ.get("DATABASE_URL", "")
    if asked.startswith("postgres"):
        databases["PostgreSQL"] = asked.rsplit("/", 1)[0] + "/duozhu_load"
    missed: list[str] = []
    for name, url in databases.items():
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            redis = stack.enter_context(services.redis()).url if url else ""
            if url:
                empty_database(asked, "duozhu_load")
            url = url or f"sqlite:///{folder / 'db.sqlite3'}"
            env = site.environment(folder, url, redis)
            world = make(env)
            running = stack.enter_context(site.running(folder, env))
            plan = day.Plan(seconds=60 * MINUTES, spectators=SPECTATORS)
            notes = day.run(world, running.port, plan)
            for what, value, unit in figures(env, running, world, notes, missed):
                yield f"{name}: {what}", value, unit
            missed += [f"logged: {line}" for line in site.errors(running.log.read_bytes())]
        p95 = 1000 * quantile(notes.entries, 95)
        if p95 > LONGEST_P95_MS:
            missed.append(f"{name}: p95 of an entry is {p95:.0f} ms, not {LONGEST_P95_MS}")
    if missed:
        raise SystemExit("\n".join(missed))


def make(env: Mapping[str, str]) -> World:
    """The tables of the database, and the world in it."""
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=env, check=True)
    command = [sys.executable, "-m", "tests.load.world", str(TABLES), str(HANDS)]
    told = {"DJANGO_SETTINGS_MODULE": "config.settings", **env}
    done = subprocess.run(command, cwd=ROOT, env=told, check=True, stdout=subprocess.PIPE)
    return World.from_json(done.stdout.decode())


def figures(
    env: Mapping[str, str], running: site.Site, world: World, notes: Notes, missed: list[str]
) -> Iterator[Figure]:
    """What the day came to; what must not be goes to `missed`."""
    books = read_books(Database(env["DATABASE_URL"]), world.competition)
    reckoning = Reckoning(books, notes)
    amiss = reckoning.amiss()
    nets = unbalanced(world, running.port, reckoning.nets())
    verify = [sys.executable, "manage.py", "verify_seals", world.code]
    told = {"DJANGO_SETTINGS_MODULE": "config.settings", **env}
    seals = subprocess.run(verify, cwd=ROOT, env=told, capture_output=True, text=True)
    missed += amiss + nets + ([seals.stderr] if seals.returncode else [])

    acked = {kind: len(notes.of(kind, fate=Fate.ACKED)) for kind in (
        "enter", "correct", "void", "restore", "submit", "agree",
    )}  # fmt: skip
    yield "hands entered and acknowledged", acked["enter"], ""
    yield "hands corrected", acked["correct"], ""
    yield "hands voided and restored", acked["restore"], ""
    yield "sheets submitted", acked["submit"], ""
    yield "confirmations", acked["agree"], ""
    yield "refused as somebody else was first", len(notes.of("enter", fate=Fate.REFUSED)), ""
    yield "polls", len(notes.polls), ""
    yield "entry, median", 1000 * quantile(notes.entries, 50), "ms"
    yield f"entry, p95 (at most {LONGEST_P95_MS})", 1000 * quantile(notes.entries, 95), "ms"
    yield "entry, p99", 1000 * quantile(notes.entries, 99), "ms"
    yield "poll, p95", 1000 * quantile(notes.polls, 95), "ms"
    yield "strange answers (none)", len(notes.strange), ""
    yield "acknowledged and lost (none)", reckoning.lost, ""
    yield "doubled (none)", reckoning.doubled, ""
    yield "tables whose page does not show the sum (none)", len(nets), ""
    yield "anything else amiss (none)", len(amiss), ""
    for status, count in sorted(notes.statuses.items()):
        yield f"answers: {status}", count, ""


def quantile(values: list[float], percent: int) -> float:
    """A percentile; 0 where nothing was measured."""
    if len(values) < 2:
        return 0.0
    return statistics.quantiles(values, n=100)[percent - 1]
