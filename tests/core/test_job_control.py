"""Jobs cancelled, tried again, divided, and started by the clock: also all at once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from pytest_django import Settings

from core.actors import SYSTEM
from core.domain import jobs, periodic
from core.domain.job_control import cancel_job, run_again
from core.domain.job_parts import InParts
from core.enums import JobState
from core.errors import Conflict
from core.models import AuditRow, Job, Schedule
from tests.concurrency import at_once

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 12, 5, 12, tzinfo=UTC)
TURNS = 12


def step(job: jobs.Running) -> object:
    """A job of two steps."""
    job.progress(1, 2)
    job.progress(2, 2)
    return {"done": True}


def heard(job: jobs.Running) -> object:
    """A job that is cancelled while it runs."""
    job.progress(1, 3)
    cancel_job(actor=SYSTEM, job=job.job)
    job.progress(2, 3)
    raise AssertionError("not reached")


def deaf(job: jobs.Running) -> object:
    """A job that is cancelled before its last line."""
    cancel_job(actor=SYSTEM, job=job.job)
    return {"done": True}


def faulty(job: jobs.Running) -> object:
    """A job that is cancelled and then fails."""
    cancel_job(actor=SYSTEM, job=job.job)
    raise ValueError("乱")


def divided(job: jobs.Running) -> object:
    """A job of three parts, put together."""
    if job.parts:
        return {"parts": job.parts}
    return InParts(kind="part", payloads=[{"n": n} for n in range(3)], sizes=[5, 5, 2])


def part(job: jobs.Running) -> object:
    """A part."""
    job.progress(0, job.job.total)
    return job.payload["n"]


@pytest.fixture(autouse=True)
def kinds(settings: Settings) -> None:
    here = "tests.core.test_job_control"
    names = ("step", "heard", "deaf", "faulty", "divided", "part")
    settings.JOBS = {name: f"{here}.{name}" for name in names}
    settings.PERIODIC = {"tidy": (f"{here}.step", 60.0)}


def made(kind: str) -> Job:
    return jobs.enqueue(kind=kind, payload={})


def now(job: Job) -> Job:
    """The row as it is now."""
    return Job.objects.get(pk=job.pk)


def test_a_running_job_stops_at_its_next_step() -> None:
    job = made("heard")
    jobs.run(job.pk)
    found = now(job)
    assert (found.state, found.done, found.result) == (JobState.CANCELLED, 1, None)
    assert found.finished_at is not None
    assert jobs.sweep() == 0


def test_a_job_that_was_done_before_it_could_stop_is_done() -> None:
    job = made("deaf")
    jobs.run(job.pk)
    assert (now(job).state, now(job).result) == (JobState.DONE, {"done": True})
    with pytest.raises(Conflict) as caught:
        cancel_job(actor=SYSTEM, job=job)
    assert caught.value.code == "job-over"


def test_a_cancelled_job_that_fails_is_not_tried_again() -> None:
    job = made("faulty")
    jobs.run(job.pk)
    found = now(job)
    assert (found.state, found.attempts) == (JobState.CANCELLED, 1)
    assert "ValueError: 乱" in found.last_error


def test_a_cancelled_job_whose_runner_vanished_is_taken_by_nobody() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        job = made("step")
        jobs.claim(job.pk)
        cancel_job(actor=SYSTEM, job=job)
        clock.shift(120)
        assert jobs.sweep() == 0
    assert (now(job).state, now(job).attempts) == (JobState.CANCELLED, 1)


def test_cancelling_twice_is_noted_once() -> None:
    job = made("step")
    jobs.claim(job.pk)
    cancel_job(actor=SYSTEM, job=job)
    cancel_job(actor=SYSTEM, job=job)
    assert AuditRow.objects.filter(action="job.cancel").count() == 1


def test_parts_are_cancelled_with_their_job_and_a_part_cancels_all() -> None:
    job = made("divided")
    jobs.run(job.pk)
    first, second, third = job.parts.order_by("pk")
    jobs.run(first.pk)
    held = jobs.claim(second.pk)
    assert held is not None
    cancel_job(actor=SYSTEM, job=third)
    states = [now(one).state for one in (job, first, second, third)]
    assert states == [JobState.CANCELLED, JobState.DONE, JobState.RUNNING, JobState.CANCELLED]
    assert now(first).result is None
    with pytest.raises(jobs.Cancelled):
        jobs.Running(held).progress(1, 5)


def test_only_a_failed_job_is_tried_again() -> None:
    job = made("step")
    cancel_job(actor=SYSTEM, job=job)
    with pytest.raises(Conflict) as caught:
        run_again(actor=SYSTEM, job=job)
    assert caught.value.code == "job-not-failed"


def test_what_parts_found_is_put_together_in_order() -> None:
    job = made("divided")
    jobs.run(job.pk)
    assert (now(job).state, now(job).total) == (JobState.PARTS, 12)
    for one in job.parts.order_by("-pk"):
        jobs.run(one.pk)
    assert (now(job).state, now(job).done) == (JobState.WAITING, 12)
    assert jobs.sweep() == 1
    assert (now(job).state, now(job).result) == (JobState.DONE, {"parts": [0, 1, 2]})
    assert Job.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_job_that_is_run_and_cancelled_at_once_is_done_or_cancelled_and_never_both() -> None:
    for _turn in range(TURNS):
        job = made("step")

        def act(index: int, pk: int = job.pk) -> object:
            return cancel_job(actor=SYSTEM, job=Job(pk=pk)) if index == 2 else jobs.run(pk)

        first, second, cancelled = at_once(3, act)
        found = now(job)
        assert {first, second} <= {True, False}
        assert found.is_over
        assert (found.state == JobState.DONE) == (found.result == {"done": True})
        if found.state == JobState.CANCELLED:
            assert isinstance(cancelled, Job)
        else:
            assert isinstance(cancelled, Conflict) or found.stop_asked
        assert jobs.sweep() == 0


@pytest.mark.django_db(transaction=True)
def test_last_parts_that_end_at_once_wake_their_job_once() -> None:
    for _turn in range(TURNS):
        job = made("divided")
        jobs.run(job.pk)
        ids = list(job.parts.values_list("pk", flat=True))
        assert at_once(3, lambda index, ids=ids: jobs.run(ids[index])) == [True] * 3  # type: ignore[misc]
        assert (now(job).state, now(job).done, now(job).attempts) == (JobState.WAITING, 12, 0)
        assert jobs.sweep() == 1
        assert now(job).result == {"parts": [0, 1, 2]}


@pytest.mark.django_db(transaction=True)
def test_parts_that_end_while_all_is_cancelled_leave_nothing_running() -> None:
    for _turn in range(TURNS):
        job = made("divided")
        jobs.run(job.pk)
        ids = list(job.parts.values_list("pk", flat=True))

        def act(index: int, pk: int = job.pk, ids: list[int] = ids) -> object:
            return cancel_job(actor=SYSTEM, job=Job(pk=pk)) if index == 3 else jobs.run(ids[index])

        *_ended, cancelled = at_once(4, act)
        assert isinstance(cancelled, Job), cancelled
        assert now(job).state == JobState.CANCELLED
        assert jobs.sweep() == 0
        assert all(one.is_over for one in job.parts.all())


def test_regular_work_is_started_when_it_is_due_and_not_before() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        assert (periodic.tick(), periodic.tick()) == (1, 0)
        assert jobs.sweep() == 1
        clock.shift(59)
        assert periodic.tick() == 0
        clock.shift(1)
        assert periodic.tick() == 1
        clock.shift(24 * 3600)
        assert (periodic.tick(), Job.objects.filter(kind="tidy").count()) == (0, 2)
        jobs.sweep()
        clock.shift(60)
        assert periodic.tick() == 1
        assert Schedule.objects.get().due_at == NOON + timedelta(days=1, seconds=180)


def test_of_regular_work_that_is_done_the_last_is_kept_and_of_failed_three() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        for turn in range(8):
            periodic.tick()
            if turn % 2:
                Job.objects.filter(state=JobState.WAITING).update(state=JobState.FAILED)
            else:
                jobs.sweep()
            clock.shift(60)
        periodic.tick()
    states = list(Job.objects.values_list("state", flat=True))
    kept = {state: states.count(state) for state in set(states)}
    assert kept == {JobState.DONE: 1, JobState.FAILED: 3, JobState.WAITING: 1}


@pytest.mark.django_db(transaction=True)
def test_twenty_clocks_at_once_start_regular_work_once() -> None:
    started = at_once(20, lambda _index: periodic.tick())
    assert sorted(started) == [0] * 19 + [1]  # type: ignore[type-var]
    assert Job.objects.count() == 1
