"""The job table: enqueue, claim, run, sweep (stack fact 4).

A function of a job may be called more than once, as its process may die after its work and before
the row says so: what it writes, it writes so that twice is once.
"""

from __future__ import annotations

import hashlib
import secrets
import traceback
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import cast

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone, translation
from django.utils.module_loading import import_string
from structlog.contextvars import bound_contextvars

from core.actors import SYSTEM, Actor
from core.domain.job_parts import InParts, hold_parent, make_parts, settle_part
from core.domain.job_wakes import wake_on_commit
from core.enums import JobState
from core.errors import DomainError
from core.models import Job

ATTEMPTS = 3
FIRST_PAUSE_S, LONGEST_PAUSE_S = 5, 600
KEPT_OF_A_FAULT = 8000
"""Characters of a traceback."""

logger = structlog.get_logger(__name__)


class LeaseLost(Exception):
    """Another runner has taken the job over; what this one still does is not wanted."""


class Cancelled(Exception):
    """Somebody cancelled the job while it ran."""


class Running:
    """A claimed job in the hands of its function."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._afterwards: list[Callable[[], object]] = []

    @property
    def payload(self) -> Mapping[str, object]:
        """What was asked, as JSON."""
        return cast(Mapping[str, object], self.job.payload)

    @property
    def parts(self) -> list[object]:
        """What its parts have found, in order; empty before it was divided."""
        return list(self.job.parts.order_by("pk").values_list("result", flat=True))

    def progress(self, done: int, total: int) -> None:
        """Shows how far it is and renews the lease. Raises `LeaseLost`, `Cancelled`; call it where
        what has been done so far may stay as it is."""
        self._update(
            self._held().filter(stop_asked=False), done=done, total=total, leased_until=_lease_end()
        )

    def afterwards(self, act: Callable[[], object]) -> None:
        """Does this once the row says that the job is done, for what cannot be done twice. It may
        not come to that, as the process may die in between."""
        self._afterwards.append(act)

    def finish(self, state: JobState, **fields: object) -> None:
        """Ends this attempt with `state`. Raises `LeaseLost`, and `Cancelled` where it would be
        done again."""
        with transaction.atomic():
            parent = hold_parent(self.job)
            held = self._held()
            if state == JobState.WAITING:
                held = held.filter(stop_asked=False)
            self._update(held, state=state, lease="", leased_until=None, **fields)
            if parent is not None and state != JobState.WAITING:
                settle_part(parent, self.job.pk)
            if state == JobState.DONE:
                self.job.parts.all().delete()
        if state == JobState.DONE:
            for act in self._afterwards:
                act()
        began = self.job.started_at or timezone.now()
        seconds = round((timezone.now() - began).total_seconds(), 1)
        logger.info("job.ended", state=str(state), seconds=seconds)

    def divide(self, asked: InParts) -> None:
        """Leaves the work to parts. Raises `LeaseLost`, `Cancelled`."""
        with transaction.atomic():
            self._update(
                self._held().filter(stop_asked=False),
                state=JobState.PARTS,
                lease="",
                leased_until=None,
                done=0,
                total=sum(asked.sizes),
            )
            make_parts(self.job, asked, max_attempts=_attempts(asked.kind))

    def _held(self) -> QuerySet[Job]:
        return Job.objects.filter(pk=self.job.pk, lease=self.job.lease, state=JobState.RUNNING)

    def _update(self, held: QuerySet[Job], **fields: object) -> None:
        if not held.update(**fields):
            if self._held().exists():
                raise Cancelled(f"job {self.job.pk}")
            raise LeaseLost(f"job {self.job.pk}")


def enqueue(
    *,
    kind: str,
    payload: Mapping[str, object],
    scope: str = "",
    actor: Actor = SYSTEM,
    run_after: datetime | None = None,
) -> Job:
    """A new job in the running transaction; workers are woken when it commits.

    `kind` is a name of `settings.JOBS` or `PERIODIC`, `payload` JSON values (ids, never what is
    written of people), `scope` what it belongs to. It is due at `run_after`, else at once.
    """
    if kind not in settings.JOBS and kind not in settings.PERIODIC:
        raise KeyError(f"no job kind {kind!r} in settings.JOBS or PERIODIC")
    now = timezone.now()
    job = Job.objects.create(
        kind=kind,
        payload=dict(payload),
        scope=scope,
        is_slow=kind in settings.SLOW_JOBS,
        max_attempts=_attempts(kind),
        run_after=run_after or now,
        created_by_id=actor.user_id,
    )
    if job.run_after <= now:
        wake_on_commit([job.pk])
    # With the number of the request that asked, so that both can be found from either.
    logger.info("job.enqueued", job=job.pk, kind=kind)
    return job


def _attempts(kind: str) -> int:
    return int(settings.JOB_ATTEMPTS.get(kind, ATTEMPTS))


def drop_waiting(*, kind: str, payload: Mapping[str, object]) -> int:
    """Takes back jobs that still wait, what they were for being gone; how many they were."""
    waiting = Job.objects.filter(kind=kind, payload=dict(payload), state=JobState.WAITING)
    return waiting.delete()[0]


def claim(job_id: int) -> Job | None:
    """Takes a due job for this process, or None where somebody else has it.

    One guarded UPDATE whose row count decides, the same on both databases.
    """
    taken = (
        Job.objects.filter(_due(), pk=job_id, stop_asked=False)
        .filter(attempts__lt=F("max_attempts"))
        .update(
            state=JobState.RUNNING,
            lease=secrets.token_hex(16),
            leased_until=_lease_end(),
            started_at=timezone.now(),
            attempts=F("attempts") + 1,
        )
    )
    return Job.objects.get(pk=job_id) if taken else None


def _lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=settings.JOB_LEASE_S)


def _due() -> Q:
    now = timezone.now()
    return Q(state=JobState.WAITING, run_after__lte=now) | Q(
        state=JobState.RUNNING, leased_until__lte=now
    )


def due_ids(limit: int = 20, *, quick_only: bool = False) -> list[int]:
    """Ids of the jobs that wait or whose runner is gone: the oldest first, slow ones last."""
    due = Job.objects.filter(_due())
    if quick_only:
        due = due.filter(is_slow=False)
    return list(due.order_by("is_slow", "id").values_list("pk", flat=True)[:limit])


def run(job_id: int) -> bool:
    """Claims and does one job; whether it was ours to do. Faults are kept in the row."""
    job = claim(job_id)
    if job is None:
        _close(job_id)
        return False
    running = Running(job)
    with bound_contextvars(job=job.pk, kind=job.kind):
        try:
            _do(running)
        except LeaseLost:
            logger.warning("job.lease_lost")
    return True


def _do(running: Running) -> None:
    job = running.job
    try:
        result = _function(job.kind)(running)
        if isinstance(result, InParts):
            running.divide(result)
        else:
            running.finish(JobState.DONE, result=result, finished_at=timezone.now())
    except LeaseLost:
        raise
    except Cancelled:
        running.finish(JobState.CANCELLED, finished_at=timezone.now())
    except DomainError as error:
        # Trying again would say the same.
        running.finish(
            JobState.FAILED,
            last_error=f"{type(error).__name__}: {error.code}",
            sentence=_in_both(error),
            finished_at=timezone.now(),
        )
    except Exception:
        logger.exception("job.fault")
        _after_fault(running, _without_rows(traceback.format_exc(limit=-3)))


def _function(kind: str) -> Callable[[Running], object]:
    """The function that does jobs of this kind. Raises `KeyError`."""
    path = settings.JOBS.get(kind) or settings.PERIODIC[kind][0]
    return cast(Callable[[Running], object], import_string(path))


def _in_both(error: DomainError) -> dict[str, str]:
    said = {}
    for key, language in (("zh", "zh-hans"), ("en", "en")):
        with translation.override(language):
            said[key] = str(error)
    return said


def _without_rows(text: str) -> str:
    """A traceback without what a database says of the row it refused, which may name people."""
    return text.partition("\nDETAIL:")[0].rstrip()[-KEPT_OF_A_FAULT:]


def pause_after(job_id: int, attempt: int) -> timedelta:
    """How long after its `attempt`-th fault a job waits: 5 s, doubled each time up to ten minutes,
    and up to a quarter more, so that jobs that failed together do not come back together. The same
    for the same job."""
    base = min(FIRST_PAUSE_S * 2 ** (attempt - 1), LONGEST_PAUSE_S)
    digest = hashlib.sha256(f"{job_id}:{attempt}".encode()).digest()
    share = int.from_bytes(digest[:4], "big") / 2**32
    return timedelta(seconds=base * (1 + share / 4))


def _after_fault(running: Running, error: str) -> None:
    job = running.job
    now = timezone.now()
    if job.attempts >= job.max_attempts:
        running.finish(JobState.FAILED, last_error=error, finished_at=now)
        return
    try:
        running.finish(
            JobState.WAITING,
            last_error=error,
            run_after=now + pause_after(job.pk, job.attempts),
        )
    except Cancelled:
        running.finish(JobState.CANCELLED, last_error=error, finished_at=now)


@transaction.atomic
def _close(job_id: int) -> None:
    """Ends a job whose runner vanished in its last attempt, or after it was asked to stop."""
    job = Job.objects.filter(_due(), pk=job_id).first()
    if job is None:
        return
    parent = hold_parent(job)
    ended = {"lease": "", "leased_until": None, "finished_at": timezone.now()}
    gone = Job.objects.filter(_due(), pk=job_id)
    closed = gone.filter(stop_asked=True).update(state=JobState.CANCELLED, **ended)
    closed = closed or gone.filter(attempts__gte=F("max_attempts")).update(
        state=JobState.FAILED, last_error="WorkerGone: it died or hung in the last attempt", **ended
    )
    if closed and parent is not None:
        settle_part(parent, job_id)


def sweep(limit: int = 20) -> int:
    """Does what is due, one after the other, the most urgent each time; how many were done here."""
    done = 0
    for _turn in range(limit):
        due = due_ids(1)
        if not due:
            break
        done += run(due[0])
    return done


def wake(job_id: int) -> None:
    """Does a job that a worker was told of; before a slow one whatever else is due."""
    for quick in due_ids(quick_only=True):
        run(quick)
    run(job_id)
