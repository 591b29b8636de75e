"""The site's regular work (`settings.PERIODIC`): one table for Celery's beat and the small runner.

Both call `tick`. When something is due next is a row, so that no two of them start it twice and a
site that was off does it once when it is back.
"""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from core.domain import jobs
from core.enums import JobState
from core.models import Job, Schedule
from core.models.job import OVER

KEPT = {JobState.DONE: 1, JobState.CANCELLED: 1, JobState.FAILED: 3}
"""Earlier runs of a periodic job that stay to be looked at, by how they ended."""


def tick() -> int:
    """Enqueues each periodic job that is due; how many. One query where none is."""
    now = timezone.now()
    known = dict(Schedule.objects.values_list("name", "due_at"))
    return sum(
        _start(name) for name in settings.PERIODIC if name not in known or known[name] <= now
    )


@transaction.atomic
def _start(name: str) -> bool:
    """Enqueues one, unless somebody else has or its last run is still on."""
    now = timezone.now()
    Schedule.objects.get_or_create(name=name, defaults={"due_at": now})
    due = Schedule.objects.filter(name=name, due_at__lte=now)
    every = timedelta(seconds=settings.PERIODIC[name][1])
    if not due.update(due_at=now + every):
        return False
    runs = Job.objects.filter(kind=name)
    if runs.exclude(state__in=OVER).filter(run_after__lte=now).exists():
        return False
    for state, most in KEPT.items():
        older = runs.filter(state=state).order_by("-pk").values_list("pk", flat=True)[most:]
        Job.objects.filter(pk__in=list(older)).delete()
    jobs.enqueue(kind=name, payload={})
    return True
