"""Celery tasks: the wake-up of one job and the sweep that guarantees it."""

from celery import shared_task

from core.domain import jobs, periodic


@shared_task
def wake(job_id: int) -> None:
    """Runs one job if it is still due, before a slow one whatever else is."""
    jobs.wake(job_id)


@shared_task
def sweep() -> None:
    """Starts the regular work that is due and runs every job that is: those whose wake-up or
    worker was lost."""
    periodic.tick()
    jobs.sweep()
