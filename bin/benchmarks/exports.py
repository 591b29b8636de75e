"""Files made while one waits: a whole day of 243 entrants as its archive and as ZPR.

Should one of them come near two seconds of CPU, it has to become a job.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.measure import ROOT, Figure

COPIES = 5
"""Hands of a table for each that `web_world` plays: thirty."""
REPEATS = 5


def run() -> Iterator[Figure]:
    """CPU time of each file, in a process with a database of its own."""
    with tempfile.TemporaryDirectory() as folder:
        env = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "benchmarks.web_settings",
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "bin")]),
            "SECRET_KEY": "only-for-this-bench-0123456789-abcdefghijklmnopqrstuvwxyz-XYZ",
            "ALLOWED_HOSTS": "localhost",
            "SITE_HTTPS": "false",
            "DEBUG": "false",
            "LOG_LEVEL": "ERROR",
            "VAR_DIR": folder,
            "STATIC_ROOT": str(Path(folder) / "static"),
            "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3",
            "REDIS_URL": "",
            "CELERY_BROKER_URL": "",
        }
        command = [sys.executable, "-m", "benchmarks.exports"]
        said = subprocess.run(command, env=env, cwd=ROOT, check=True, stdout=subprocess.PIPE)
        yield from json.loads(said.stdout)


def _figures() -> list[Figure]:
    from django.core.management import call_command

    from benchmarks import web_world

    call_command("migrate", verbosity=0, interactive=False)
    from scoring.exports.archive import archive
    from scoring.exports.hands import as_zpr
    from tournament.models import Competition

    competition = Competition.objects.get(code=web_world.make()["code"])
    web_world.publish(competition)
    web_world.begin(competition)
    web_world.play(competition)
    hands = _recorded()
    return [
        ("hands of 243 entrants, each with its record", hands, ""),
        ("its archive: CPU", _seconds(lambda: archive(competition, is_full=True)), "s"),
        ("its hands as ZPR: CPU", _seconds(lambda: "".join(as_zpr(competition))), "s"),
    ]


def _seconds(act: Callable[[], object]) -> float:
    times = []
    for _turn in range(REPEATS):
        start = time.process_time()
        act()
        times.append(time.process_time() - start)
    return statistics.median(times)


def _recorded() -> int:
    """Gives every table more hands, and every hand a record; how many hands there are."""
    from benchmarks.records import records
    from scoring.enums import Evidence
    from scoring.models import Hand, HandVersion

    made = records(random.Random(5))
    texts = [next(made).decode() for _number in range(300)]
    versions = list(HandVersion.objects.select_related("hand"))
    for number, version in enumerate(versions):
        version.evidence, version.payload = Evidence.RECORD, {"text": texts[number % 300]}
    HandVersion.objects.bulk_update(versions, ["evidence", "payload"], batch_size=100)
    for turn in range(1, COPIES):
        for version in HandVersion.objects.filter(pk__in=[v.pk for v in versions]):
            hand = Hand.objects.get(pk=version.hand_id)
            hand.pk, hand.number = None, hand.number + 100 * turn
            hand.save()
            version.pk, version.hand = None, hand
            version.save()
    return HandVersion.objects.count()


if __name__ == "__main__":
    json.dump(_figures(), sys.stdout)
