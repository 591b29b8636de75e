"""The job table: enqueue, claim, run, sweep (stack fact 4)."""

from __future__ import annotations

import secrets
import traceback
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import cast

import structlog
from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.module_loading import import_string

from core.actors import SYSTEM, Actor
from core.enums import JobState
from core.models import Job

LEASE = timedelta(minutes=2)
RETRY_AFTER = timedelta(seconds=5)

logger = structlog.get_logger(__name__)


class LeaseLost(Exception):
    """Another runner has taken the job over; what this one still does is not wanted."""


class Running:
    """A claimed job in the hands of its function."""

    def __init__(self, job: Job) -> None:
        self.job = job

    @property
    def payload(self) -> Mapping[str, object]:
        """What was asked, as JSON."""
        return cast(Mapping[str, object], self.job.payload)

    def progress(self, done: int, total: int) -> None:
        """Shows how far it is and renews the lease. Raises `LeaseLost`."""
        self._update(done=done, total=total, leased_until=timezone.now() + LEASE)

    def finish(self, state: JobState, **fields: object) -> None:
        """Ends this attempt with `state`. Raises `LeaseLost`."""
        self._update(state=state, lease="", leased_until=None, **fields)

    def _update(self, **fields: object) -> None:
        held = Job.objects.filter(
            pk=self.job.pk, lease=self.job.lease, state=JobState.RUNNING
        ).update(**fields)
        if not held:
            raise LeaseLost(f"job {self.job.pk}")


def enqueue(
    *, kind: str, payload: Mapping[str, object], scope: str = "", actor: Actor = SYSTEM
) -> Job:
    """A new job in the running transaction; workers are woken when it commits.

    `kind` is a name of `settings.JOBS`, `payload` JSON values, `scope` what it belongs to.
    """
    if kind not in settings.JOBS:
        raise KeyError(f"no job kind {kind!r} in settings.JOBS")
    job = Job.objects.create(
        kind=kind,
        payload=dict(payload),
        scope=scope,
        run_after=timezone.now(),
        created_by_id=actor.user_id,
    )
    if settings.CELERY_BROKER_URL:
        transaction.on_commit(lambda: _wake(job.pk), robust=True)
    return job


def drop_waiting(*, kind: str, payload: Mapping[str, object]) -> int:
    """Takes back jobs that still wait, what they were for being gone; how many they were."""
    waiting = Job.objects.filter(kind=kind, payload=dict(payload), state=JobState.WAITING)
    return waiting.delete()[0]


def _wake(job_id: int) -> None:
    current_app.send_task("core.tasks.wake", args=[job_id])


def claim(job_id: int) -> Job | None:
    """Takes a due job for this process, or None where somebody else has it.

    One guarded UPDATE whose row count decides, the same on both databases.
    """
    now = timezone.now()
    lease = secrets.token_hex(16)
    taken = (
        Job.objects.filter(_due(), pk=job_id)
        .filter(attempts__lt=F("max_attempts"))
        .update(
            state=JobState.RUNNING,
            lease=lease,
            leased_until=now + LEASE,
            attempts=F("attempts") + 1,
        )
    )
    return Job.objects.get(pk=job_id) if taken else None


def _due() -> Q:
    now = timezone.now()
    return Q(state=JobState.WAITING, run_after__lte=now) | Q(
        state=JobState.RUNNING, leased_until__lte=now
    )


def due_ids(limit: int = 20) -> list[int]:
    """Ids of the jobs that wait or whose runner is gone, oldest first."""
    return list(Job.objects.filter(_due()).order_by("id").values_list("pk", flat=True)[:limit])


def run(job_id: int) -> bool:
    """Claims and does one job; whether it was ours to do. Faults are kept in the row."""
    job = claim(job_id)
    if job is None:
        _give_up(job_id)
        return False
    running = Running(job)
    try:
        result = _function(job.kind)(running)
    except LeaseLost:
        logger.warning("job.lease_lost", job=job.pk)
    except Exception:
        logger.exception("job.fault", job=job.pk, kind=job.kind)
        _after_fault(running, traceback.format_exc(limit=-3))
    else:
        running.finish(JobState.DONE, result=result, finished_at=timezone.now())
    return True


def _function(kind: str) -> Callable[[Running], object]:
    return cast(Callable[[Running], object], import_string(settings.JOBS[kind]))


def _after_fault(running: Running, error: str) -> None:
    job = running.job
    now = timezone.now()
    if job.attempts < job.max_attempts:
        running.finish(
            JobState.WAITING, last_error=error, run_after=now + RETRY_AFTER * job.attempts
        )
    else:
        running.finish(JobState.FAILED, last_error=error, finished_at=now)


def _give_up(job_id: int) -> None:
    """Marks a job as failed whose runner vanished in its last attempt."""
    Job.objects.filter(_due(), pk=job_id, attempts__gte=F("max_attempts")).update(
        state=JobState.FAILED, lease="", leased_until=None, finished_at=timezone.now()
    )


def sweep(limit: int = 20) -> int:
    """Does every due job, one after the other; how many were done here."""
    return sum(run(job_id) for job_id in due_ids(limit))
