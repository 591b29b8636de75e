"""Celery tasks: the wake-up of one job and the sweep that guarantees it."""

from celery import shared_task

from core.domain import jobs


@shared_task
def wake(job_id: int) -> None:
    """Runs one job if it is still due."""
    jobs.run(job_id)


@shared_task
def sweep() -> None:
    """Runs every job that is due: those whose wake-up or worker was lost."""
    jobs.sweep()
