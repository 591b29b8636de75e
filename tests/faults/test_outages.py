"""A small day with kill -9 of a web worker and of the worker for jobs; where the tests run on
PostgreSQL also Redis flushed and killed, and PostgreSQL itself stopped at once: everything that
was acknowledged is there, once, and work resumes by itself."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from django.db import connection

from tests.faults.outages import Chaos
from tests.load import day, services, site, world
from tests.load.database import Database
from tests.load.pages import unbalanced
from tests.load.reckoning import Reckoning, read_books
from tests.serving import database_url

ON_POSTGRESQL = connection.vendor == "postgresql"
MISSING = [
    name
    for name in ("initdb", "pg_ctl", "pg_dump", "psql", "redis-server")
    if ON_POSTGRESQL and not services.program(name)
]
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
    pytest.mark.skipif(sys.platform == "win32", reason="gunicorn does not run there"),
]

SEED = int(os.environ.get("DUOZHU_SEED", "20261130"))
PLAN = day.Plan(pace=0.6, spectators=10, hurry=0.1, patience=60, seed=SEED)


@contextmanager
def own_cluster(name: str) -> Iterator[services.Cluster]:
    """A PostgreSQL of our own with a copy of the test's database, as others use the first one."""
    with services.cluster() as cluster:
        dump = subprocess.run(
            [services.program("pg_dump"), "--no-owner", "-d", database_url()],
            check=True, stdout=subprocess.PIPE,
        ).stdout  # fmt: skip
        subprocess.run(
            [services.program("psql"), "-q", "-v", "ON_ERROR_STOP=1", "-d", cluster.url()],
            check=True, input=dump, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        yield cluster


def test_every_acknowledged_hand_outlives_kills_and_restarts(tmp_path: Path) -> None:
    sys.stdout.write(f"DUOZHU_SEED={SEED}\n")
    made = world.build(9, 12)
    with ExitStack() as stack:
        cluster = stack.enter_context(own_cluster("load")) if ON_POSTGRESQL else None
        redis = stack.enter_context(services.redis()) if ON_POSTGRESQL else None
        url = cluster.url() if cluster else database_url()
        env = site.environment(tmp_path, url, redis.url if redis else "")
        env |= {"DJANGO_SETTINGS_MODULE": "tests.load.settings"}
        env |= {"JOB_LEASE_S": "2", "SWEEP_EVERY_S": "1"}
        running = stack.enter_context(site.running(tmp_path, env))
        database = Database(url)
        chaos = Chaos(made, running, database, cluster, redis)
        notes = day.run(made, running.port, PLAN, chaos.happen)
        reckoning = Reckoning(read_books(database, made.competition), notes)
        assert reckoning.amiss() == []
        assert (reckoning.lost, reckoning.doubled) == (0, 0)
        assert unbalanced(made, running.port, reckoning.nets()) == []
        seals = [sys.executable, "manage.py", "verify_seals", made.code]
        subprocess.run(seals, cwd=site.ROOT, env=env, check=True, stdout=subprocess.DEVNULL)
        assert chaos.amiss() == []
    assert len(chaos.outages) == len(chaos.faults)
