"""Requests by chance over all forms and addresses, ten thousand on each database, none of which
may break the site (tests/faults/test_fuzz.py).

On SQLite and, where DATABASE_URL says so, PostgreSQL. DUOZHU_REQUESTS and DUOZHU_SEED as there.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator

from benchmarks.measure import ROOT, Figure

REQUESTS = "10000"
TESTS = "tests/faults/test_fuzz.py"
LINE = re.compile(r"^fuzz (\w+), seed (\S+): (\d+) requests, (.*)$", re.MULTILINE)


def run() -> Iterator[Figure]:
    """How many requests got which status, database by database; ends the program where any of
    them broke the site, with what was asked."""
    asked = os.environ.get("DATABASE_URL", "")
    plain = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    databases = {"SQLite": plain}
    if asked.startswith("postgres"):
        databases["PostgreSQL"] = dict(os.environ)
    for name, env in databases.items():
        command = [sys.executable, "-m", "pytest", "-q", "-n0", "-s", "--show-capture=no", TESTS]
        env = {"DUOZHU_REQUESTS": REQUESTS, "LOG_LEVEL": "CRITICAL", **env}
        told = subprocess.run(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)
        if told.returncode:
            sys.exit(told.stdout)
        yield from _figures(name, told.stdout)


def _figures(database: str, output: str) -> Iterator[Figure]:
    found = LINE.findall(output)
    statuses: Counter[str] = Counter()
    for _state, _seed, _count, told in found:
        for one in told.split(", "):
            status, _, count = one.partition(": ")
            statuses[status] += int(count)
    (seed,) = {seed for _state, seed, _count, _told in found}
    yield f"{database}: requests, seed {seed}", float(statuses.total()), ""
    for status, count in sorted(statuses.items()):
        yield f"{database}: answered {status}", float(count), ""
