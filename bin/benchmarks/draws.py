"""How long a draw of 2,187 takes: as values, to be verified, and with its rows on SQLite."""

from __future__ import annotations

import os
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import django
from django.core.management import call_command

from benchmarks.measure import REPEATS, Figure

ENTRANTS, SEED, UNITS = 2187, 20261130, 300


def run() -> Iterator[Figure]:
    """Freeze and deal, verify from the JSON alone, then words to the last seat's row."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATABASE_URL"] = f"sqlite:///{Path(folder) / 'db.sqlite3'}"
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
        django.setup()
        call_command("migrate", verbosity=0)
        yield from _values()
        yield from _rows()


def _values() -> Iterator[Figure]:
    from tournament.pairing.document import draw, dump, verify
    from tournament.pairing.freeze import Line, freeze, name_hash
    from tournament.pairing.kinds import Fixed

    drawn, verified = [], []
    for repeat in range(REPEATS):
        chance = random.Random(SEED + repeat)
        salt, secret = chance.randbytes(32), chance.randbytes(32)
        lines = [
            Line(n, f"单位{chance.randrange(UNITS)}", None, name_hash(salt, f"选手{n}"))
            for n in range(1, ENTRANTS + 1)
        ]
        start = time.process_time()
        document = draw(freeze(lines, Fixed(), secret=secret), "红红黑").document
        middle = time.process_time()
        if verify(dump(document)):
            raise AssertionError("the draw does not verify")
        drawn.append(middle - start)
        verified.append(time.process_time() - middle)
    yield f"draw of {ENTRANTS:,}, frozen and dealt", statistics.median(drawn), "s"
    yield f"draw of {ENTRANTS:,}, verified from its JSON", statistics.median(verified), "s"


def _rows() -> Iterator[Figure]:
    from core.models import User
    from scoring.demo_names import as_pasted
    from tournament.acting import Acting
    from tournament.domain.competitions import create_competition
    from tournament.domain.draws import enter_words, freeze_draw
    from tournament.domain.entries import add_pasted
    from tournament.enums import Role
    from tournament.models import Seat

    user = User.objects.create_user(username="bench", password="only-here-0123")
    made = create_competition(user=user, name="大赛", starts_on=date(2026, 12, 5), also_chief=True)
    acting = Acting(user_id=user.pk, competition_id=made.pk, roles=frozenset({Role.OWNER}))
    event = made.events.get()
    chance = random.Random(SEED)
    people = [(f"选手{n}", f"单位{chance.randrange(UNITS)}") for n in range(ENTRANTS)]
    add_pasted(acting=acting, event=event, text=as_pasted(people))
    stage = event.stages.get()
    taken = []
    for number in range(3):
        frozen = freeze_draw(acting=acting, stage=stage, reason="再来" if number else "")
        start = time.process_time()
        enter_words(acting=acting, draw=frozen, words="红红黑")
        taken.append(time.process_time() - start)
    if Seat.objects.filter(round__stage=stage, round__number=1).count() != ENTRANTS:
        raise AssertionError("somebody was not seated")
    yield f"draw of {ENTRANTS:,}, with all its rows", statistics.median(taken), "s"
