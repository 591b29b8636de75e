"""Reads of what every part needs: the job table as a whole."""

from __future__ import annotations

from django.db.models import Count, Min
from django.utils import timezone

from core.enums import JobState
from core.models import Job


def jobs_by_state() -> dict[tuple[str, ...], float]:
    """How many jobs there are by kind and state. One query."""
    rows = Job.objects.order_by().values_list("kind", "state").annotate(n=Count("pk"))
    return {(kind, state): n for kind, state, n in rows}


def oldest_waiting_s() -> float:
    """For how many seconds the oldest job that may run has waited; 0 where none does. One query."""
    now = timezone.now()
    waiting = Job.objects.filter(state=JobState.WAITING, run_after__lte=now)
    since = waiting.aggregate(since=Min("run_after"))["since"]
    return 0.0 if since is None else (now - since).total_seconds()
