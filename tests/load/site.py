"""The whole site as `manage.py up` runs it: web server, jobs, and who starts them again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
READY_WITHIN_S = 90.0
ENDS_WITHIN_S = 40.0
LOG_SHOWN = 6000
"""Characters of a log's end that a failed test shows."""


class Site:
    """A running site: its port, its log and its processes."""

    def __init__(self, process: subprocess.Popen[bytes], port: int, log: Path) -> None:
        self.process, self.port, self.log = process, port, log

    @property
    def web(self) -> int:
        """Gunicorn's master."""
        return self._child(" gunicorn ")

    @property
    def web_workers(self) -> list[int]:
        """The processes that answer."""
        web = self.web
        return children(web) if web else []

    @property
    def jobs(self) -> int:
        """The runner, or Celery's worker."""
        return self._child(" worker ", " runner")

    @property
    def job_workers(self) -> list[int]:
        """The processes in which Celery's worker does jobs; none of the runner."""
        jobs = self.jobs
        return children(jobs) if jobs else []

    @property
    def beat(self) -> int:
        """Celery's beat, 0 with the runner."""
        return self._child(" beat ")

    def _child(self, *words: str) -> int:
        found = [pid for pid in children(self.process.pid) if any(w in said(pid) for w in words)]
        return found[0] if found else 0

    @property
    def answers(self) -> bool:
        """Whether it does."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5) as page:
                return bool(page.status == 200)
        except OSError:
            return False


def children(pid: int) -> list[int]:
    """The child processes of one."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[1]) == pid and fields[0] != "Z":
                found.append(int(folder.name))
    return sorted(found)


def said(pid: int) -> str:
    """A process's command line, "" where it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def environment(folder: Path, database: str, redis: str = "") -> dict[str, str]:
    """What a site with its files in `folder` is told; of Redis only what `redis` says."""
    ours = ("REDIS_URL", "CELERY_BROKER_URL", "DEBUG", "EMAIL_URL")
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    return {
        **kept,
        "SECRET_KEY": "only-for-this-load-0123456789-abcdefghijklmnopqrstuvwxyz-XYZ",
        "ALLOWED_HOSTS": "localhost,127.0.0.1",
        "SITE_HTTPS": "false",
        "LOG_LEVEL": "WARNING",
        "VAR_DIR": str(folder / "var"),
        "STATIC_ROOT": str(folder / "static"),
        "DATABASE_URL": database,
        **({"REDIS_URL": redis} if redis else {}),
    }


@contextmanager
def running(folder: Path, env: Mapping[str, str]) -> Iterator[Site]:
    """The site, until it answers and then until the end; all its output is in one log."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = folder / "site.log"
    with log.open("ab") as out:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "up", "--port", str(port)],
            cwd=ROOT,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
        )
    site = Site(process, port, log)
    try:
        until = time.monotonic() + READY_WITHIN_S
        while not (site.answers and site.jobs):
            if time.monotonic() > until or process.poll() is not None:
                raise AssertionError(f"the site did not start:\n{log.read_text()}")
            time.sleep(0.05)
        yield site
    except BaseException as error:
        error.add_note(log.read_text(errors="replace")[-LOG_SHOWN:])
        raise
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(ENDS_WITHIN_S)


def errors(log: bytes) -> list[str]:
    """The lines of a log that tell of an error."""
    words = (b'"level": "error"', b'"level": "critical"', b"Traceback", b"[ERROR]", b"[CRITICAL]",
             b": ERROR/", b": CRITICAL/")  # fmt: skip
    return [
        line.decode(errors="replace")
        for line in log.splitlines()
        if any(word in line for word in words)
    ]
