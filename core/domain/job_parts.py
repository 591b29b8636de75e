"""A large job as many: each part is a job of its own, and its parent puts together what they find.

The parent's function returns `InParts`; it is called again when every part is done and finds their
results in `Running.parts`. What a part found is written with the row that says it is done, so none
is lost or counted twice; a part that fails fails its parent. Locks: the parent before its parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Sum
from django.utils import timezone

from core.domain.job_wakes import wake_on_commit
from core.enums import JobState
from core.models import Job


@dataclass(frozen=True)
class InParts:
    """What a job's function returns to be done in parts.

    `payloads`: what each part is asked, in order, as jobs of `kind`; `sizes`: how much each counts
    in the parent's progress.
    """

    kind: str
    payloads: Sequence[Mapping[str, object]]
    sizes: Sequence[int]


def make_parts(parent: Job, asked: InParts, *, max_attempts: int) -> None:
    """The parts of a parent, in the transaction that divides it; workers are woken."""
    now = timezone.now()
    parts = Job.objects.bulk_create(
        Job(
            kind=asked.kind,
            scope=parent.scope,
            payload=dict(payload),
            parent=parent,
            is_slow=True,
            run_after=now,
            max_attempts=max_attempts,
            total=size,
            created_by_id=parent.created_by_id,
        )
        for payload, size in zip(asked.payloads, asked.sizes, strict=True)
    )
    wake_on_commit(part.pk for part in parts)


def hold_parent(job: Job) -> Job | None:
    """The parent of a part, locked before anything of the part is written."""
    if job.parent_id is None:
        return None
    return Job.objects.select_for_update(no_key=True).get(pk=job.parent_id)


def settle_part(parent: Job, part_id: int) -> None:
    """A part is over: its parent counts it, goes on after the last, or fails with it.

    Call it in the transaction that ends the part, with what `hold_parent` returned.
    """
    part = Job.objects.get(pk=part_id)
    if parent.state != JobState.PARTS:
        return
    if part.state == JobState.FAILED:
        parent.state, parent.finished_at = JobState.FAILED, timezone.now()
        parent.last_error, parent.sentence = part.last_error, part.sentence
        stop_parts(parent)
    elif part.state == JobState.DONE:
        done = parent.parts.filter(state=JobState.DONE)
        parent.done = done.aggregate(all=Sum("total"))["all"] or 0
        if not parent.parts.exclude(state=JobState.DONE).exists():
            parent.state, parent.run_after, parent.attempts = JobState.WAITING, timezone.now(), 0
            wake_on_commit([parent.pk])
    parent.save()


def stop_parts(parent: Job) -> None:
    """No part of it goes on: who waits is cancelled, who runs is asked to stop."""
    now = timezone.now()
    parent.parts.filter(state=JobState.WAITING).update(state=JobState.CANCELLED, finished_at=now)
    parent.parts.filter(state=JobState.RUNNING).update(stop_asked=True)


def parts_again(parent: Job) -> bool:
    """Those that are not done wait anew; whether there are any. The parent is locked."""
    undone = parent.parts.exclude(state=JobState.DONE)
    if not undone.exists():
        return False
    undone.update(
        state=JobState.WAITING,
        lease="",
        leased_until=None,
        attempts=0,
        stop_asked=False,
        run_after=timezone.now(),
        finished_at=None,
    )
    wake_on_commit(undone.values_list("pk", flat=True))
    return True
