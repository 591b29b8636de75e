"""What an operator sees of the background jobs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import Count, QuerySet

from core.enums import JobState
from core.job_words import title_of
from core.models import Job, Schedule

GROUPS: dict[str, tuple[JobState, ...]] = {
    "failed": (JobState.FAILED,),
    "running": (JobState.RUNNING, JobState.PARTS),
    "waiting": (JobState.WAITING,),
    "cancelled": (JobState.CANCELLED,),
    "done": (JobState.DONE,),
}
"""The lists, the most urgent first."""


@dataclass(frozen=True)
class Regular:
    """A line of the site's regular work: when it is due next, and how it ended last."""

    title: str
    every_s: float
    due_at: datetime | None
    last: Job | None


def jobs_in(group: str, kind: str = "") -> QuerySet[Job]:
    """The jobs of a list, newest first, without parts, payloads and results."""
    found = Job.objects.filter(state__in=GROUPS[group], parent=None).order_by("-pk")
    found = found.filter(kind=kind) if kind else found
    return found.defer("payload", "result").annotate(divided=Count("parts"))


def counts() -> tuple[Counter[str], list[str]]:
    """How many jobs each list has, and every kind that there is. One query."""
    found: Counter[str] = Counter()
    kinds = set()
    rows = Job.objects.filter(parent=None).order_by().values_list("kind", "state")
    for kind, state, number in rows.annotate(number=Count("pk")):
        found[next(name for name, states in GROUPS.items() if state in states)] += number
        kinds.add(kind)
    return found, sorted(kinds)


def regular_work() -> list[Regular]:
    """Every line of `settings.PERIODIC`. Two queries."""
    due = dict(Schedule.objects.values_list("name", "due_at"))
    last: dict[str, Job] = {}
    runs = Job.objects.filter(kind__in=settings.PERIODIC, finished_at__isnull=False)
    for job in runs.defer("payload", "result").order_by("finished_at"):
        last[job.kind] = job
    return [
        Regular(title_of(name), every_s, due.get(name), last.get(name))
        for name, (_path, every_s) in settings.PERIODIC.items()
    ]
