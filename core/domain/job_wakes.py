"""Telling workers that a job is due; without a broker the runner looks by itself."""

from __future__ import annotations

from collections.abc import Iterable

from celery import current_app
from django.conf import settings
from django.db import transaction


def wake_on_commit(job_ids: Iterable[int]) -> None:
    """One message a job when the running transaction commits.

    A broker that does not answer loses no job: the sweep finds what no message reached. It is
    waited for once, however many jobs there are.
    """
    if not settings.CELERY_BROKER_URL:
        return
    told = list(job_ids)
    transaction.on_commit(lambda: _wake(told), robust=True)


def _wake(job_ids: list[int]) -> None:
    for job_id in job_ids:
        current_app.send_task("core.tasks.wake", args=[job_id])
