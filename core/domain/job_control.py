"""Jobs in people's hands: cancelled, or tried again after they failed."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actors import Actor
from core.domain.audit import SITE, audit
from core.domain.job_parts import parts_again, stop_parts
from core.domain.job_wakes import wake_on_commit
from core.domain.locks import lock
from core.enums import JobState
from core.errors import Conflict
from core.models import Job


@transaction.atomic
def cancel_job(*, actor: Actor, job: Job) -> Job:
    """A job that waits is cancelled at once, one that runs stops at its next step; of a part the
    whole job. Who may is the caller's to ask. Raises `Conflict` (`job-over`)."""
    job = _whole(job)
    if job.is_over:
        raise Conflict(_("这项任务已经结束，请刷新后再看。"), code="job-over")
    if not job.stop_asked:
        stop_job(job)
        _note(actor, "job.cancel", job)
    return job


def stop_job(job: Job) -> None:
    """Cancels a locked job, if it is not over, in the transaction of who does not need it more."""
    if job.state == JobState.RUNNING:
        job.stop_asked = True
    elif not job.is_over:
        job.state, job.finished_at = JobState.CANCELLED, timezone.now()
        stop_parts(job)
        job.parts.update(result=None)
    job.save(update_fields=["state", "stop_asked", "finished_at"])


@transaction.atomic
def run_again(*, actor: Actor, job: Job) -> Job:
    """A job that failed waits anew, with all its attempts; what its parts have done already stays
    done. Raises `Conflict` (`job-not-failed`)."""
    job = _whole(job)
    if job.state != JobState.FAILED:
        raise Conflict(_("这项任务没有失败，请刷新后再看。"), code="job-not-failed")
    _again(actor, job)
    return job


def _again(actor: Actor, job: Job) -> None:
    job.state = JobState.PARTS if parts_again(job) else JobState.WAITING
    job.attempts, job.stop_asked, job.sentence = 0, False, None
    job.run_after, job.finished_at = timezone.now(), None
    job.save()
    if job.state == JobState.WAITING:
        wake_on_commit([job.pk])
    _note(actor, "job.again", job)


@transaction.atomic
def run_kind_again(*, actor: Actor, kind: str) -> int:
    """Every failed job of a kind waits anew; how many they were."""
    failed = Job.objects.filter(kind=kind, state=JobState.FAILED, parent=None).order_by("pk")
    count = 0
    for job in failed.select_for_update(no_key=True):
        _again(actor, job)
        count += 1
    return count


def _whole(job: Job) -> Job:
    """The job, locked; of a part its parent."""
    return lock(job if job.parent is None else job.parent)


def _note(actor: Actor, action: str, job: Job) -> None:
    audit(
        actor=actor,
        action=action,
        scope=job.scope or SITE,
        subject=job,
        data={"kind": job.kind},
    )
