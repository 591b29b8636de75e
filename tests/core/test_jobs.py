"""Jobs are rows: claimed once, tried again, never lost (stack fact 4)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core.management import call_command
from django.db import IntegrityError
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _
from pytest_django import Settings

from core.domain import jobs
from core.enums import JobState
from core.models import Job
from scoring.domain.uploads import FileTooLarge
from tests.concurrency import at_once

pytestmark = pytest.mark.django_db
PHONE = "13800138000"
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


def refuse(job: jobs.Running) -> object:
    """A job that the domain refuses."""
    raise FileTooLarge(_("文件超过 10 MB，请分成几个再传。"))


def collide(job: jobs.Running) -> object:
    """A job whose row is there already."""
    raise IntegrityError(f"duplicate key value\nDETAIL:  Key (phone)=({PHONE}) exists.")


order: list[int] = []


def note_order(job: jobs.Running) -> object:
    """A job of which is noted when it was done."""
    order.append(job.job.pk)
    return None


@pytest.fixture(autouse=True)
def kinds(settings: Settings) -> None:
    here = "tests.core.test_jobs"
    names = ("count_cards", "stumble", "dawdle", "refuse", "collide", "note_order")
    settings.JOBS = {name: f"{here}.{name}" for name in names}
    settings.PERIODIC = {}


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
        for attempt in (1, 2):
            pause = jobs.pause_after(job.pk, attempt)
            assert job.run_after == timezone.now() + pause
            clock.shift(pause - timedelta(milliseconds=1))
            assert jobs.sweep() == 0
            clock.shift(timedelta(milliseconds=1))
            assert jobs.sweep() == 1
            job.refresh_from_db()
        assert (job.state, job.attempts) == (JobState.FAILED, 3)
        clock.shift(24 * 3600)
        assert jobs.sweep() == 0


def test_pauses_double_up_to_ten_minutes_and_differ_between_jobs_by_a_quarter_at_most() -> None:
    whole = [5, 10, 20, 40, 80, 160, 320, 600, 600]
    for attempt, base in enumerate(whole, 1):
        pauses = [jobs.pause_after(pk, attempt).total_seconds() for pk in range(1, 201)]
        assert min(pauses) >= base
        assert max(pauses) <= base * 1.25
        assert len(set(pauses)) == 200
    assert jobs.pause_after(7, 1) == jobs.pause_after(7, 1) != jobs.pause_after(7, 2) / 2


def test_a_kind_may_be_tried_more_often_than_others(settings: Settings) -> None:
    settings.JOB_ATTEMPTS = {"stumble": 1}
    job = jobs.enqueue(kind="stumble", payload={})
    jobs.sweep()
    job.refresh_from_db()
    assert (job.state, job.attempts, job.max_attempts) == (JobState.FAILED, 1, 1)


def test_what_the_domain_refuses_is_not_tried_again_and_keeps_its_sentence() -> None:
    job = jobs.enqueue(kind="refuse", payload={})
    assert jobs.sweep() == 1
    job.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.FAILED, 1)
    assert job.last_error == "FileTooLarge: file-too-large"
    assert job.sentence == {
        "zh": "文件超过 10 MB，请分成几个再传。",
        "en": "The file is over 10 MB. Please split it and upload the parts.",
    }
    with translation.override("en"):
        assert job.said == job.sentence["en"]


def test_what_the_database_says_of_a_row_is_not_kept() -> None:
    job = jobs.enqueue(kind="collide", payload={})
    jobs.sweep()
    job.refresh_from_db()
    assert job.last_error.endswith("IntegrityError: duplicate key value")
    assert PHONE not in job.last_error


def test_a_slow_job_waits_until_nothing_else_is_due(settings: Settings) -> None:
    settings.SLOW_JOBS = frozenset({"note_order"})
    settings.JOBS = {**settings.JOBS, "quick": settings.JOBS["note_order"]}
    order.clear()
    slow = jobs.enqueue(kind="note_order", payload={})
    quick = [jobs.enqueue(kind="quick", payload={}) for _turn in range(2)]
    jobs.wake(slow.pk)
    assert order == [quick[0].pk, quick[1].pk, slow.pk]


def test_a_job_for_later_is_not_done_before(settings: Settings) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        jobs.enqueue(kind="count_cards", payload={"cards": 1}, run_after=NOON + timedelta(hours=1))
        clock.shift(3599)
        assert jobs.sweep() == 0
        clock.shift(1)
        assert jobs.sweep() == 1


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
