"""A small day under load: the real server, referees and spectators, and the reckoning after it."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection

from tests.load import day, services, site, world
from tests.load.database import Database
from tests.load.notes import Fate
from tests.load.pages import unbalanced
from tests.load.reckoning import Reckoning, read_books
from tests.serving import database_url

ON_POSTGRESQL = connection.vendor == "postgresql"
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        ON_POSTGRESQL and not services.program("redis-server"), reason="redis-server is missing"
    ),
    pytest.mark.skipif(sys.platform == "win32", reason="gunicorn does not run there"),
]

SEED = int(os.environ.get("DUOZHU_SEED", "20261130"))
PLAN = day.Plan(turns=14, pace=0.3, spectators=20, hurry=0.1, patience=60, seed=SEED)
TABLES, HANDS = 9, 3


def test_every_hand_of_a_small_day_is_there_once_and_the_sums_balance(tmp_path: Path) -> None:
    # Said where the test fails, to walk the same day again.
    sys.stdout.write(f"DUOZHU_SEED={SEED}\n")
    made = world.build(TABLES, HANDS)
    with ExitStack() as stack:
        # On PostgreSQL as larger sites are: Celery does the jobs.
        redis = stack.enter_context(services.redis()).url if ON_POSTGRESQL else ""
        env = site.environment(tmp_path, database_url(), redis)
        env |= {"DJANGO_SETTINGS_MODULE": "tests.load.settings"}
        running = stack.enter_context(site.running(tmp_path, env))
        notes = day.run(made, running.port, PLAN)
        reckoning = Reckoning(read_books(Database(database_url()), made.competition), notes)
        assert reckoning.amiss() == []
        assert unbalanced(made, running.port, reckoning.nets()) == []
        call_command("verify_seals", made.code)
        assert (reckoning.lost, reckoning.doubled) == (0, 0)
    assert site.errors(running.log.read_bytes()) == []
    assert not [n for n in notes.actions if n.fate == Fate.LOST]
    kinds = {note.kind for note in notes.actions if note.fate == Fate.ACKED}
    assert kinds >= {"enter", "correct", "submit", "agree"}
