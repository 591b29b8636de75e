"""Settings with a job that lasts until it is let go, and that job."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.settings import *  # noqa: F403
from tests.settings import JOBS

if TYPE_CHECKING:
    from core.domain.jobs import Running

JOBS = {**JOBS, "slow": "tests.config.slow_jobs.slow"}
SWEEP_EVERY_S = 1
CELERY_BEAT_SCHEDULE = {"sweep-jobs": {"task": "core.tasks.sweep", "schedule": SWEEP_EVERY_S}}


def slow(job: Running) -> dict[str, bool]:
    """Says that it has begun and goes on until the file `go` is there."""
    folder = Path(os.environ["SLOW"])
    (folder / "begun").touch()
    while not (folder / "go").exists():
        time.sleep(0.02)
    return {"whole": True}
