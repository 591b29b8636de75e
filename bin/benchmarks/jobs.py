"""Records verified by one and by two Celery workers: an upload of many, from its job to its result.

DATABASE_URL and REDIS_URL say where; else SQLite in a temporary folder and a redis-server of its
own. Both counts of workers are measured in turn, each `REPEATS` times.
"""

from __future__ import annotations

import io
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks.measure import ROOT, Figure, distinct
from benchmarks.records import records

REPEATS = 5
RECORDS = 6_000
WARM = 600
"""Records verified before a measurement, so that every process has loaded what it needs."""
NAME = "duozhu_bench_jobs"
PATIENCE_S = 300


def run() -> Iterator[Figure]:
    """The rates and their ratio."""
    made = distinct(records(random.Random(4)), RECORDS)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        os.environ.update(
            DJANGO_SETTINGS_MODULE="config.settings",
            SECRET_KEY="only-for-this-bench-0123456789-abcdefghijklmnopqrstuvwxyz-XYZ",
            ALLOWED_HOSTS="localhost",
            SITE_HTTPS="false",
            LOG_LEVEL="ERROR",
            VAR_DIR=str(folder),
            DATABASE_URL=stack.enter_context(_database(folder)),
            REDIS_URL=stack.enter_context(_redis(folder)),
        )
        os.environ["CELERY_BROKER_URL"] = os.environ["REDIS_URL"]
        _set_up()
        yield "records of the upload, each another", len(made), ""
        rates: dict[int, list[float]] = {1: [], 2: []}
        for _turn in range(REPEATS):
            for workers in rates:
                with _workers(workers):
                    _rate(made[:WARM])
                    rates[workers].append(_rate(made))
        kind = "PostgreSQL" if "postgres" in os.environ["DATABASE_URL"] else "SQLite"
        one, two = (statistics.median(rates[workers]) for workers in rates)
        yield f"{kind}: records verified by 1 worker", one, "/s"
        yield f"{kind}: records verified by 2 workers", two, "/s"
        yield "  ratio (must be 1.4)", two / one, "×"


def _set_up() -> None:
    import django
    from django.core.management import call_command

    sys.path.insert(0, str(ROOT))
    django.setup()
    call_command("migrate", verbosity=0, interactive=False)


def _rate(made: list[bytes]) -> float:
    """Records a second of one upload, from its row to its result."""
    from core.domain.jobs import enqueue
    from core.enums import JobState
    from core.models import Job
    from scoring.domain.uploads import KIND, stored

    path, _size = stored(io.BytesIO(b"\n".join(made)))
    job = enqueue(kind=KIND, payload={"path": path, "name": "bench"})
    until = time.monotonic() + PATIENCE_S
    while not job.is_over:
        if time.monotonic() > until:
            raise AssertionError("no worker did it in time")
        time.sleep(0.1)
        job = Job.objects.get(pk=job.pk)
    if job.state != JobState.DONE or job.result["statuses"] != {"valid": len(made)}:
        raise AssertionError(f"{job.state}: {job.last_error or job.result}")
    return float(len(made) / (job.finished_at - job.created_at).total_seconds())


@contextmanager
def _workers(count: int) -> Iterator[None]:
    """A Celery worker with so many processes."""
    command = [
        sys.executable, "-m", "celery", "--workdir", str(ROOT), "-A", "config", "worker",
        "--concurrency", str(count), "--loglevel", "error", "--without-gossip",
        "--without-mingle", "--without-heartbeat",
    ]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


@contextmanager
def _database(folder: Path) -> Iterator[str]:
    """A new database beside the one that DATABASE_URL names, else a file."""
    given = os.environ.get("DATABASE_URL", "")
    if not given.startswith("postgres"):
        yield f"sqlite:///{folder / 'db.sqlite3'}"
        return
    import psycopg

    with psycopg.connect(given, autocommit=True) as connection:
        connection.execute(f"drop database if exists {NAME} with (force)".encode())
        connection.execute(f"create database {NAME}".encode())
        yield f"{given.rpartition('/')[0]}/{NAME}"
        from django.db import connections

        connections.close_all()
        connection.execute(f"drop database {NAME} with (force)".encode())


@contextmanager
def _redis(folder: Path) -> Iterator[str]:
    """REDIS_URL, else a server of its own."""
    given = os.environ.get("REDIS_URL", "")
    if given:
        yield given
        return
    server = shutil.which("redis-server")
    if server is None:
        sys.exit("bin/bench jobs needs REDIS_URL, or redis-server to start one.")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [server, "--port", str(port), "--save", "", "--bind", "127.0.0.1"]
    with subprocess.Popen([*command, "--dir", str(folder)], stdout=subprocess.DEVNULL) as started:
        time.sleep(1)
        try:
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            started.terminate()
