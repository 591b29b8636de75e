"""`manage.py runner`: does the jobs where no Celery broker is set."""

from __future__ import annotations

import signal
import threading
from argparse import ArgumentParser
from types import FrameType
from typing import Any

import structlog
from django.core.management.base import BaseCommand
from django.db import close_old_connections

from core.domain import jobs, periodic

logger = structlog.get_logger(__name__)


class Command(BaseCommand):
    """Polls the job table until told to stop; a job begun is finished first."""

    help = "Runs background jobs by polling the job table."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """`--once` does what is due and ends; `--every` sets the pause between looks."""
        parser.add_argument("--once", action="store_true")
        parser.add_argument("--every", type=float, default=0.25, metavar="SECONDS")

    def handle(self, *args: Any, once: bool, every: float, **options: Any) -> None:
        """Runs until SIGTERM or SIGINT."""
        stop = threading.Event()

        def on_signal(_signal: int, _frame: FrameType | None) -> None:
            stop.set()

        if not once:
            signal.signal(signal.SIGTERM, on_signal)
            signal.signal(signal.SIGINT, on_signal)
        while True:
            if not once:
                close_old_connections()
            try:
                periodic.tick()
                done = jobs.sweep(limit=1)
            except Exception:
                if once:
                    raise
                logger.exception("runner.fault")
                done = 0
            if (once and not done) or stop.is_set():
                return
            if not done:
                stop.wait(every)
