"""Celery carries the wake-up where a broker is set; without it nothing is lost (fact 4)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from celery import current_app
from django.db import transaction
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from core import tasks
from core.domain import jobs
from core.domain.job_wakes import wake_on_commit
from core.enums import JobState

pytestmark = pytest.mark.django_db


def note(job: jobs.Running) -> object:
    """A job that is done at once."""
    return job.payload["word"]


@pytest.fixture(autouse=True)
def kinds(settings: Settings) -> None:
    settings.JOBS = {"note": "tests.core.test_tasks.note"}


@pytest.fixture
def use_broker(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Switches to another broker; the connections that Celery keeps are dropped."""

    def switch(url: str) -> None:
        settings.CELERY_BROKER_URL = url
        monkeypatch.setattr(current_app.conf, "broker_url", url)
        monkeypatch.setattr(current_app, "_pool", None)
        monkeypatch.setattr(current_app.amqp, "_producer_pool", None)

    return switch


def test_a_wake_up_runs_its_job() -> None:
    job = jobs.enqueue(kind="note", payload={"word": "舵"})
    tasks.wake(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result) == (JobState.DONE, "舵")


def test_the_sweep_runs_what_no_wake_up_reached() -> None:
    job = jobs.enqueue(kind="note", payload={"word": "舵"})
    tasks.sweep()
    job.refresh_from_db()
    assert job.state == JobState.DONE


def test_the_wake_up_is_sent_when_the_transaction_commits(
    use_broker: Callable[[str], None],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    use_broker("memory://")
    with current_app.connection_for_write() as broker:
        queue = broker.SimpleQueue(current_app.conf.task_default_queue)
        queue.clear()
        with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
            job = jobs.enqueue(kind="note", payload={"word": "舵"})
            assert queue.qsize() == 0
        message = queue.get(timeout=1)
        assert message.headers["task"] == "core.tasks.wake"
        assert message.payload[0] == [job.pk]
        message.ack()
        queue.close()


def test_a_broker_that_is_gone_loses_no_job(
    use_broker: Callable[[str], None],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    use_broker("redis://127.0.0.1:1/0")
    with django_capture_on_commit_callbacks(execute=True):
        job = jobs.enqueue(kind="note", payload={"word": "舵"})
    assert jobs.sweep() == 1
    job.refresh_from_db()
    assert job.state == JobState.DONE


def test_a_broker_that_is_gone_is_asked_once_for_many_jobs(
    use_broker: Callable[[str], None],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    caplog: pytest.LogCaptureFixture,
) -> None:
    use_broker("redis://127.0.0.1:1/0")
    with django_capture_on_commit_callbacks(execute=True):
        wake_on_commit(range(1, 21))
    assert len([one for one in caplog.records if "on_commit" in one.getMessage()]) == 1


def test_many_wake_ups_are_sent_in_order(
    use_broker: Callable[[str], None],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    use_broker("memory://")
    with current_app.connection_for_write() as broker:
        queue = broker.SimpleQueue(current_app.conf.task_default_queue)
        queue.clear()
        with django_capture_on_commit_callbacks(execute=True):
            wake_on_commit([7, 3, 9])
        told = [queue.get(timeout=1) for _one in range(3)]
        assert [message.payload[0] for message in told] == [[7], [3], [9]]
        for message in told:
            message.ack()
        assert queue.qsize() == 0
        queue.close()
