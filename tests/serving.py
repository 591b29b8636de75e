"""The site in processes of its own by `config/gunicorn.py`, for tests that stop and start it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from django.db import connection

from tests.load.site import children

ROOT = Path(__file__).resolve().parents[1]
PATIENCE_S = 60
HOST = "127.0.0.1"

# What systemd does for a service with a socket: the socket is file 3, and the process is told so.
HAND_OVER = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ |= {"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())}
os.execv(sys.argv[2], sys.argv[2:])
"""


def database_url() -> str:
    """The database of this test, for another process."""
    given = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{given['NAME']}"
    host = f"{given['HOST'] or HOST}:{given['PORT'] or 5432}"
    return f"postgres://{given['USER']}:{given['PASSWORD']}@{host}/{given['NAME']}"


def until(is_so: Callable[[], object], what: str) -> None:
    """Waits for something that happens in another process."""
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def answers(port: int, path: str = "/healthz") -> bool:
    """Whether the site answers there, with whatever."""
    try:
        with socket.create_connection((HOST, port), timeout=5) as ask:
            ask.sendall(f"GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
            return ask.recv(12).startswith(b"HTTP/1.")
    except OSError:
        return False


class Server:
    """A started gunicorn."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def workers(self) -> set[int]:
        """The processes that answer."""
        return set(children(self.process.pid))

    def reload(self) -> None:
        """SIGHUP, until other processes answer than before."""
        before = self.workers()
        self.process.send_signal(signal.SIGHUP)
        until(lambda: len(new := self.workers()) == len(before) and not new & before, "new workers")

    def stop(self) -> None:
        """SIGTERM, which lets it finish what it has begun."""
        self.process.terminate()
        assert self.process.wait(PATIENCE_S) == 0

    def kill(self) -> None:
        """The process and its workers vanish in the middle of what they do."""
        workers = self.workers()
        for pid in (self.process.pid, *workers):
            os.kill(pid, signal.SIGKILL)
        self.process.wait()
        until(lambda: not any(Path(f"/proc/{pid}/exe").exists() for pid in workers), "all gone")


@contextmanager
def gunicorn(
    port: int, log: Path, *, held: socket.socket | None = None, **environment: str
) -> Iterator[Server]:
    """The site by `config/gunicorn.py` on the test's database, ended if the block has not done so.

    It listens on `port`, or on the socket `held`, which stays open when it ends.
    """
    command = [sys.executable, "-m", "gunicorn", "--config", "config/gunicorn.py"]
    if held is None:
        command += ["--bind", f"{HOST}:{port}"]
    else:
        command = [sys.executable, "-c", HAND_OVER, str(held.fileno()), *command]
    env: Mapping[str, str] = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "DATABASE_URL": database_url(),
        **environment,
    }
    with log.open("ab") as out:
        process = subprocess.Popen(
            command, cwd=ROOT, env=env, stdout=out, stderr=out,
            pass_fds=[] if held is None else [held.fileno()],
        )  # fmt: skip
    try:
        yield Server(process)
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(PATIENCE_S)
