"""Child processes that are started again when they die, and stopped together."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence

import structlog

LOOK_EVERY_S = 0.2
LONGEST_PAUSE_S = 30.0
STEADY_S = 60.0
STOP_WITHIN_S = 25.0
# Windows has no such signal, nor groups of processes to send it to.
SIGKILL = getattr(signal, "SIGKILL", signal.SIGTERM)

logger = structlog.get_logger(__name__)


class Child:
    """One program that should always run."""

    def __init__(self, name: str, command: Sequence[str]) -> None:
        self.name = name
        self.command = list(command)
        self.process: subprocess.Popen[bytes] | None = None
        self.left: int | None = None
        self.started_at = 0.0
        self.pause = 0.0
        self.start_at = 0.0

    def look(self) -> None:
        """Starts it, or starts it again once its pause is over: 1 s, doubled up to 30 s."""
        now = time.monotonic()
        if self.process is not None:
            code = self.process.poll()
            if code is None:
                return
            steady = now - self.started_at > STEADY_S
            self.pause = 1.0 if steady or not self.pause else min(self.pause * 2, LONGEST_PAUSE_S)
            self.start_at = now + self.pause
            self.left, self.process = self.process.pid, None
            self._end_left(signal.SIGTERM)
            logger.error("child.died", child=self.name, code=code, again_in_s=self.pause)
        if now >= self.start_at:
            self._end_left(SIGKILL)
            # A session of its own: Ctrl-C reaches the parent alone, which stops all in order.
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, start_new_session=True
            )
            self.started_at = now

    def _end_left(self, what: int) -> None:
        """Ends what a process that was killed has left: gunicorn's workers hold its port, and the
        beat of Celery's worker would go on for ever beside the next one's."""
        if self.left is None or sys.platform == "win32":
            return
        try:
            os.killpg(self.left, what)
        except ProcessLookupError:
            self.left = None

    def stop(self) -> None:
        """Asks it to end."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()

    def wait(self, until: float) -> None:
        """Waits for its end, and kills it where that takes too long."""
        if self.process is None:
            self._end_left(SIGKILL)
            return
        try:
            self.process.wait(timeout=max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            logger.error("child.killed", child=self.name)
            self.process.kill()
            self.process.wait()
        self.left = self.process.pid
        self._end_left(SIGKILL)


def supervise(commands: Mapping[str, Sequence[str]], stop: threading.Event) -> None:
    """Keeps all commands (by name) running until `stop` is set, then ends them."""
    children = [Child(name, command) for name, command in commands.items()]
    try:
        while not stop.is_set():
            for child in children:
                child.look()
            stop.wait(LOOK_EVERY_S)
    finally:
        for child in children:
            child.stop()
        until = time.monotonic() + STOP_WITHIN_S
        for child in children:
            child.wait(until)
