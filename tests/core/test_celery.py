"""Workers of Celery in processes of their own, over a Redis of their own: no job is lost, none is
done twice."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from celery import current_app
from django.db import connection
from pytest_django import Settings

from core.domain import jobs
from core.enums import JobState
from core.models import Job

REDIS = shutil.which("redis-server") or ""
PATIENCE_S = 60
ROOT = Path(__file__).parents[2]
Worker = subprocess.Popen[bytes]

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not REDIS, reason="there is no redis-server here"),
]


def until(is_so: Callable[[], object], what: str) -> None:
    """Waits for it to be so."""
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Redis that keeps nothing."""
    port = free_port()
    command = [REDIS, "--port", str(port), "--save", "", "--bind", "127.0.0.1"]
    folder = tmp_path_factory.mktemp("redis")
    with subprocess.Popen([*command, "--dir", str(folder)], stdout=subprocess.DEVNULL) as server:
        try:
            until(lambda: _answers(port), "Redis answers")
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            server.terminate()


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def broker(redis: str, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """This process sends its wake-ups to it; the queue is empty."""
    settings.CELERY_BROKER_URL = redis
    settings.JOBS = {name: f"tests.core.celery_jobs.{name}" for name in ("note", "linger")}
    settings.PERIODIC = {}
    monkeypatch.setattr(current_app.conf, "broker_url", redis)
    monkeypatch.setattr(current_app, "_pool", None)
    monkeypatch.setattr(current_app.amqp, "_producer_pool", None)
    current_app.control.purge()
    yield redis
    current_app.close()


def database_url() -> str:
    """The tests' own database, for another process."""
    found = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{found['NAME']}"
    user = f"{found['USER']}:{found['PASSWORD']}@" if found["USER"] else ""
    return f"postgres://{user}{found['HOST']}:{found['PORT'] or 5432}/{found['NAME']}"


@contextmanager
def worker(
    redis: str, folder: Path, *options: str, **env: str
) -> Iterator[subprocess.Popen[bytes]]:
    """A worker with one process, in a session of its own."""
    command = [
        sys.executable, "-m", "celery", "--workdir", str(ROOT), "-A", "config", "worker",
        "--concurrency", "1", "--loglevel", "warning", "--without-gossip", "--without-mingle",
        *options,
    ]  # fmt: skip
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.celery_settings",
        "DATABASE_URL": database_url(),
        "REDIS_URL": redis,
        "CELERY_BROKER_URL": redis,
        "VAR_DIR": str(folder),
        "SITE_HTTPS": "false",
        **env,
    }
    with (folder / "worker.log").open("ab") as log:
        started = subprocess.Popen(
            command, env=environment, stdout=log, stderr=log, start_new_session=True
        )
    try:
        yield started
    finally:
        kill(started)


def kill(started: Worker) -> None:
    """As when the power fails: it and its children are gone."""
    if started.poll() is None:
        os.killpg(started.pid, signal.SIGKILL)
    started.wait()


def beat(folder: Path) -> tuple[str, ...]:
    return ("--beat", "--schedule", str(folder / "beat"))


def state(job: Job) -> str:
    return Job.objects.values_list("state", flat=True).get(pk=job.pk)


def test_a_wake_up_reaches_a_worker_without_any_sweep(broker: str, tmp_path: Path) -> None:
    job = jobs.enqueue(kind="note", payload={"word": "舵"})
    with worker(broker, tmp_path) as started:
        until(lambda: state(job) == JobState.DONE, "the worker does it")
        job.refresh_from_db()
        assert job.result["word"] == "舵"
        assert job.result["process"] not in (os.getpid(), started.pid)
        assert job.attempts == 1


def test_beat_finds_a_job_whose_wake_up_was_lost_and_starts_the_regular_work(
    broker: str, tmp_path: Path, settings: Settings
) -> None:
    settings.CELERY_BROKER_URL = ""
    lost = jobs.enqueue(kind="note", payload={"word": "胡"})
    with worker(broker, tmp_path, *beat(tmp_path), SWEEP_EVERY_S="0.5"):
        until(lambda: state(lost) == JobState.DONE, "the sweep finds it")
        until(lambda: Job.objects.filter(kind="tidy", state=JobState.DONE).exists(), "tidied")
    assert Job.objects.filter(kind="tidy").count() == 1


def test_a_job_whose_worker_is_killed_is_finished_once_by_another(
    broker: str, tmp_path: Path
) -> None:
    job = jobs.enqueue(kind="linger", payload={"folder": str(tmp_path)})
    begun, done = tmp_path / "begun", tmp_path / "done"
    lease = {"JOB_LEASE_S": "2", "SWEEP_EVERY_S": "0.5"}
    with worker(broker, tmp_path, **lease) as first:
        until(begun.exists, "the first worker begins")
        kill(first)
    assert (state(job), done.exists()) == (JobState.RUNNING, False)
    (tmp_path / "go").touch()
    with worker(broker, tmp_path, *beat(tmp_path), **lease):
        until(lambda: state(job) == JobState.DONE, "another worker finishes it")
    job.refresh_from_db()
    assert job.attempts == 2
    one, other = begun.read_text().split()
    assert done.read_text().split() == [other] != [one]
