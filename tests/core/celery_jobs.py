"""Jobs that the workers of test_celery.py do: what they do stands in files."""

from __future__ import annotations

import os
import time
from pathlib import Path

from core.domain import jobs


def note(job: jobs.Running) -> object:
    """Is done at once, and says in which process."""
    return {"word": job.payload["word"], "process": os.getpid()}


def tidy(job: jobs.Running) -> object:
    """The regular work of these workers."""
    return {}


def linger(job: jobs.Running) -> object:
    """Says that it has begun, and ends once it is let go."""
    folder = Path(str(job.payload["folder"]))
    with (folder / "begun").open("a") as begun:
        begun.write(f"{os.getpid()}\n")
    while not (folder / "go").exists():
        time.sleep(0.05)
    job.progress(1, 1)
    with (folder / "done").open("a") as done:
        done.write(f"{os.getpid()}\n")
    return {}
