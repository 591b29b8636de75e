"""Jobs are rows: claimed once, tried again, never lost (stack fact 4)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core.management import call_command
from django.utils import timezone
from pytest_django import Settings

from core.domain import jobs
from core.enums import JobState
from core.models import Job
from tests.concurrency import at_once

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 12, 5, 12, tzinfo=UTC)


def count_cards(job: jobs.Running) -> object:
    """A job that reports progress."""
    job.progress(40, 80)
    return {"cards": job.payload["cards"]}


def stumble(job: jobs.Running) -> object:
    """A job that never succeeds."""
    raise ValueError("第 3 行看不懂")


def dawdle(job: jobs.Running) -> object:
    """A job whose lease somebody else takes meanwhile."""
    Job.objects.filter(pk=job.job.pk).update(lease="another")
    job.progress(1, 2)
    raise AssertionError("not reached")


@pytest.fixture(autouse=True)
def kinds(settings: Settings) -> None:
    here = "tests.core.test_jobs"
    settings.JOBS = {name: f"{here}.{name}" for name in ("count_cards", "stumble", "dawdle")}


def test_a_job_is_done_with_progress_and_result() -> None:
    job = jobs.enqueue(kind="count_cards", payload={"cards": 80}, scope="event:1")
    assert (job.state, job.percent, job.is_over) == (JobState.WAITING, 0, False)
    assert jobs.sweep() == 1
    job.refresh_from_db()
    assert (job.state, job.result, job.percent) == (JobState.DONE, {"cards": 80}, 50)
    assert (job.attempts, job.lease, job.is_over) == (1, "", True)
    assert job.finished_at is not None


def test_a_kind_that_is_not_registered_is_refused_when_asked() -> None:
    with pytest.raises(KeyError, match="dance"):
        jobs.enqueue(kind="dance", payload={})


def test_a_fault_is_kept_and_tried_three_times_with_longer_pauses() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        job = jobs.enqueue(kind="stumble", payload={})
        assert jobs.sweep() == 1
        job.refresh_from_db()
        assert (job.state, job.attempts) == (JobState.WAITING, 1)
        assert "ValueError: 第 3 行看不懂" in job.last_error
        assert jobs.sweep() == 0
        clock.shift(5)
        assert jobs.sweep() == 1
        clock.shift(9)
        assert jobs.sweep() == 0
        clock.shift(1)
        assert jobs.sweep() == 1
        job.refresh_from_db()
        assert (job.state, job.attempts) == (JobState.FAILED, 3)
        clock.shift(3600)
        assert jobs.sweep() == 0


def test_a_job_whose_runner_vanished_is_taken_over_after_the_lease() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        job = jobs.enqueue(kind="count_cards", payload={"cards": 1})
        assert jobs.claim(job.pk) is not None
        assert jobs.claim(job.pk) is None
        clock.shift(119)
        assert jobs.sweep() == 0
        clock.shift(1)
        assert jobs.sweep() == 1
    job.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.DONE, 2)


def test_a_job_whose_runner_vanished_in_the_last_attempt_has_failed() -> None:
    job = jobs.enqueue(kind="count_cards", payload={})
    long_ago = timezone.now() - timedelta(minutes=5)
    Job.objects.filter(pk=job.pk).update(
        state=JobState.RUNNING, lease="gone", leased_until=long_ago, attempts=3
    )
    assert jobs.sweep() == 0
    job.refresh_from_db()
    assert job.state == JobState.FAILED


def test_a_runner_that_lost_its_lease_writes_nothing_more() -> None:
    job = jobs.enqueue(kind="dawdle", payload={})
    assert jobs.run(job.pk) is True
    job.refresh_from_db()
    assert (job.state, job.lease, job.done) == (JobState.RUNNING, "another", 0)


def test_the_runner_command_does_what_is_due() -> None:
    done = [jobs.enqueue(kind="count_cards", payload={"cards": n}) for n in (1, 2)]
    call_command("runner", once=True)
    states = Job.objects.filter(pk__in=[job.pk for job in done]).values_list("state", flat=True)
    assert list(states) == [JobState.DONE, JobState.DONE]


@pytest.mark.django_db(transaction=True)
def test_twenty_runners_at_once_claim_a_job_once() -> None:
    job = jobs.enqueue(kind="count_cards", payload={})
    claimed = at_once(20, lambda _index: jobs.claim(job.pk))
    assert sum(isinstance(one, Job) for one in claimed) == 1
    assert sum(one is None for one in claimed) == 19
