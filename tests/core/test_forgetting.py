"""What nobody needs any more goes, and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.utils import timezone

from core.domain import jobs
from core.domain.forgetting import forget
from core.domain.idempotency import do_once
from core.domain.throttle import take_attempt
from core.enums import JobState
from core.models import Attempts, IdempotencyKey, Job, Schedule
from tests.factories import make_user

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 12, 5, 12, tzinfo=UTC)


def forgotten() -> dict[str, int]:
    return dict(forget(jobs.Running(Job())))


NOTHING = {"attempts": 0, "keys": 0, "jobs": 0, "sessions": 0, "schedules": 0, "devices": 0}


def ended(state: JobState, days: int) -> Job:
    job = jobs.enqueue(kind="forget", payload={})
    Job.objects.filter(pk=job.pk).update(
        state=state, finished_at=timezone.now() - timedelta(days=days)
    )
    return job


def test_tries_and_answers_go_after_their_time() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        take_attempt(account="a", address="b")
        do_once(scope="sheet:1", key="k", request={}, act=lambda: (200, None))
        clock.shift(timedelta(hours=23))
        assert forgotten() == NOTHING
        clock.shift(timedelta(hours=2))
        assert forgotten() == {**NOTHING, "attempts": 1}
        clock.shift(timedelta(days=30))
        assert forgotten() == {**NOTHING, "keys": 1}
    assert not Attempts.objects.exists()
    assert not IdempotencyKey.objects.exists()


def test_jobs_that_are_over_go_after_a_month_and_failed_ones_after_three() -> None:
    gone = [ended(JobState.DONE, 31), ended(JobState.CANCELLED, 31), ended(JobState.FAILED, 91)]
    kept = [ended(JobState.DONE, 29), ended(JobState.FAILED, 89), ended(JobState.WAITING, 400)]
    assert forgotten()["jobs"] == 3
    left = set(Job.objects.values_list("pk", flat=True))
    assert left == {job.pk for job in kept}
    assert not left & {job.pk for job in gone}


def test_log_ins_that_have_run_out_go_with_their_devices() -> None:
    user = make_user()
    now = timezone.now()
    for key, days in (("old", -1), ("new", 1)):
        Session.objects.create(
            session_key=key, session_data="", expire_date=now + timedelta(days=days)
        )
        UserSession.objects.create(
            user=user,
            ip="127.0.0.1",
            session_key=key,
            user_agent="",
            last_seen_at=now - timedelta(days=14),
        )
    found = forgotten()
    assert (found["sessions"], found["devices"]) == (1, 1)
    assert Session.objects.get().session_key == UserSession.objects.get().session_key == "new"


def test_schedules_of_work_that_there_is_no_more_go() -> None:
    for name in ("forget", "dance"):
        Schedule.objects.create(name=name, due_at=NOON)
    assert forgotten()["schedules"] == 1
    assert Schedule.objects.get().name == "forget"
