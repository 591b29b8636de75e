"""Long work in a job: in a thread, while the job's lease is renewed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as StillRunning
from typing import TypeVar

from django.conf import settings
from django.db import connections

from core.domain import jobs

T = TypeVar("T")


def patiently(work: Callable[[], T], job: jobs.Running) -> T:
    """What `work` gives. It has a connection of its own, if it asks the database anything. Raises
    what `job.progress` raises, once the work has ended."""
    every = settings.JOB_LEASE_S / 6

    def alone() -> T:
        try:
            return work()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(alone)
        while True:
            try:
                return running.result(timeout=every)
            except StillRunning:
                job.progress(0, 1)
