"""What the site keeps for a while only, thrown away when nobody needs it any more."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone

from core.domain import throttle
from core.domain.jobs import Running
from core.enums import JobState
from core.models import Attempts, IdempotencyKey, Job, Schedule

KEYS_FOR = timedelta(days=30)
"""A phone may have lain in a drawer with hands in its outbox."""
JOBS_FOR = timedelta(days=30)
FAILED_FOR = timedelta(days=90)


def forget(job: Running) -> Mapping[str, int]:
    """The periodic job: tries at passwords, answered keys, log-ins that have run out, jobs that
    are over, schedules of work that there is no more. Returns how many of each."""
    now = timezone.now()
    jobs = Job.objects.filter(parent=None)
    done = jobs.filter(
        state__in=(JobState.DONE, JobState.CANCELLED), finished_at__lt=now - JOBS_FOR
    )
    failed = jobs.filter(state=JobState.FAILED, finished_at__lt=now - FAILED_FOR)
    ran_out = Session.objects.filter(expire_date__lt=now)
    counts = {
        "attempts": Attempts.objects.filter(since__lt=now - throttle.KEEP).delete()[0],
        "keys": IdempotencyKey.objects.filter(created_at__lt=now - KEYS_FOR).delete()[0],
        "jobs": done.delete()[0] + failed.delete()[0],
        "sessions": ran_out.delete()[0],
        "schedules": Schedule.objects.exclude(name__in=settings.PERIODIC).delete()[0],
    }
    there = Session.objects.values("session_key")
    # A log-in's row here is written beside its session, in either order.
    older = UserSession.objects.filter(last_seen_at__lt=now - timedelta(days=1))
    counts["devices"] = older.exclude(session_key__in=there).delete()[0]
    return counts
