"""Long work in a job: in a thread, while the job's lease is renewed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as StillRunning
from typing import TypeVar

from django.db import connections

from core.domain import jobs

REPORT_EVERY = 20
"""Seconds between two signs of life, well within a job's lease."""

T = TypeVar("T")


def patiently(work: Callable[[], T], job: jobs.Running) -> T:
    """What `work` gives. It has a connection of its own, if it asks the database anything."""

    def alone() -> T:
        try:
            return work()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(alone)
        while True:
            try:
                return running.result(timeout=REPORT_EVERY)
            except StillRunning:
                job.progress(0, 1)
