"""/healthz and /readyz: who lives, who may get requests, and why not."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from celery import current_app
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from core import health
from core.models import Job
from tests.core.outage import in_outage

pytestmark = pytest.mark.django_db
WELL = {"database": "ok", "migrations": "ok", "media": "ok", "broker": "unused", "jobs": "ok"}


@pytest.fixture(autouse=True)
def fresh(settings: Settings, tmp_path: Path) -> Iterator[None]:
    """Nothing of another test is remembered, and files are kept in a folder of this one."""
    settings.MEDIA_ROOT = str(tmp_path / "media")
    settings.DRAINING_FILE = tmp_path / "draining"
    settings.CELERY_BROKER_URL = ""
    health.forget()
    yield
    health.forget()


def test_a_process_whose_database_answers_lives(client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok")
    assert answer["Content-Type"] == "text/plain"


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_probes_ask_by_any_host_over_plain_http_and_are_never_sent_elsewhere(
    client: Client, settings: Settings, path: str
) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/").status_code == 301
    answer = client.get(path, headers={"Host": "10.0.0.7:8000"})
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "no-store"
    assert not answer.cookies


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_probes_are_only_read(client: Client, settings: Settings, path: str) -> None:
    settings.METRICS_TOKEN = "right-token"
    headers = {"Authorization": "Bearer right-token"}
    assert client.head(path, headers=headers).status_code == 200
    assert client.post(path).status_code == 405


def test_ready_where_all_is_well(client: Client) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ready",
        "checks": WELL,
        "oldest_waiting_job_s": 0,
        "draining": False,
    }


def test_not_ready_while_it_is_to_be_drained(client: Client, settings: Settings) -> None:
    assert client.get("/readyz").status_code == 200
    settings.DRAINING_FILE.touch()
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (503, "draining")
    assert answer.json()["checks"] == WELL
    assert client.get("/healthz").status_code == 200
    settings.DRAINING_FILE.unlink()
    assert client.get("/readyz").status_code == 200


def test_not_ready_where_files_cannot_be_kept(client: Client, settings: Settings) -> None:
    Path(settings.MEDIA_ROOT).write_text("a file where the folder should be")
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (503, "not-ready")
    assert answer.json()["checks"] == {**WELL, "media": "unwritable"}


def test_not_ready_until_every_migration_is_applied_but_later_ones_do_not_matter(
    client: Client,
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT max(id) FROM django_migrations WHERE app = 'scoring'")
        (newest,) = cursor.fetchone()
        cursor.execute(
            "UPDATE django_migrations SET name = 'of_a_newer_release' WHERE id = %s", [newest]
        )
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (503, "not-ready")
    assert answer.json()["checks"]["migrations"] == "missing"
    assert answer.json()["oldest_waiting_job_s"] is None


def test_ready_for_a_database_that_a_newer_release_has_migrated(client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES (%s, %s, %s)",
            ["scoring", "9999_of_a_newer_release", timezone.now()],
        )
    assert client.get("/readyz").status_code == 200


def test_a_broker_that_is_away_makes_it_worse_and_not_unready(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Jobs are rows and wait."""
    for url, said, status in (
        ("memory://", "ok", "ready"),
        ("redis://127.0.0.1:1/0", "away", "degraded"),
    ):
        settings.CELERY_BROKER_URL = url
        monkeypatch.setattr(current_app.conf, "broker_url", url)
        health.forget()
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json()["status"]) == (200, status)
        assert answer.json()["checks"] == {**WELL, "broker": said}


@pytest.mark.parametrize(("waits", "said"), [(60, "ok"), (180, "late")])
def test_it_says_how_long_the_oldest_job_that_may_run_has_waited(
    client: Client, waits: int, said: str
) -> None:
    now = timezone.now()
    for since in (now - timedelta(seconds=waits), now, now + timedelta(hours=1)):
        Job.objects.create(kind="seal", run_after=since)
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert waits <= answer.json()["oldest_waiting_job_s"] < waits + 60
    assert answer.json()["checks"]["jobs"] == said


def test_without_a_database_neither_alive_nor_ready(client: Client) -> None:
    alive, ready = in_outage(lambda: (client.get("/healthz"), client.get("/readyz")))
    assert (alive.status_code, alive.content) == (503, b"database away")
    assert ready.status_code == 503
    assert ready.json() == {
        "status": "not-ready",
        "checks": {**WELL, "database": "away", "migrations": "away", "jobs": "away"},
        "oldest_waiting_job_s": None,
        "draining": False,
    }


def test_it_looks_once_in_a_few_seconds_however_often_it_is_asked(
    client: Client, django_assert_num_queries: object
) -> None:
    client.get("/readyz")
    with django_assert_num_queries(0):  # type: ignore[operator]
        assert [client.get("/readyz").status_code for _again in range(20)] == [200] * 20


def test_it_tells_no_version_address_or_secret(client: Client, settings: Settings) -> None:
    said = client.get("/readyz").content.decode()
    name = str(connection.settings_dict["NAME"])
    secrets = (name, settings.SECRET_KEY, settings.VAR_DIR.name, "5.2", "sqlite", "postgres")
    assert [word for word in secrets if word in said] == []
