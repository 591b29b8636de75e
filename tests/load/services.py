"""A PostgreSQL and a Redis of one's own, which may be killed: in passing folders, on free ports."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

WITHIN_S = 30.0
UNPRIVILEGED = "postgres"


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def program(name: str) -> str:
    """The path of a program of PostgreSQL or Redis, "" where it is not installed.

    Debian keeps PostgreSQL's own programs out of the search path.
    """
    found = shutil.which(name)
    if found:
        return found
    versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    return str(versions[0]) if versions else ""


class Redis:
    """A Redis server that keeps nothing on disk, as one on which only wake-ups travel."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Its address for `REDIS_URL`."""
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Starts it and waits until it listens."""
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir"]
        self.process = subprocess.Popen(
            [program("redis-server"), *options, str(self.folder)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        until = time.monotonic() + WITHIN_S
        while self._ask(b"PING\r\n") != b"+PONG\r\n":
            if time.monotonic() > until:
                raise AssertionError("Redis did not start")
            time.sleep(0.02)

    def flush(self) -> None:
        """Everything in it is gone."""
        if self._ask(b"FLUSHALL\r\n") != b"+OK\r\n":
            raise AssertionError("Redis was not flushed")

    def kill(self) -> None:
        """As `kill -9`."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def _ask(self, words: bytes) -> bytes:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as ask:
                ask.sendall(words)
                return ask.recv(64)
        except OSError:
            return b""


@contextmanager
def redis() -> Iterator[Redis]:
    """A running Redis, gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        server = Redis(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.kill()


class Cluster:
    """A PostgreSQL with its data in one folder. It does not run as root, so root starts it as
    another user."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.user = UNPRIVILEGED if os.geteuid() == 0 else None

    def url(self, name: str = "postgres") -> str:
        """The address of a database for `DATABASE_URL`."""
        return f"postgres://postgres@127.0.0.1:{self.port}/{name}"

    def make(self) -> None:
        """Makes the data folder."""
        if self.user:
            shutil.chown(self.folder, self.user, self.user)
        made = ["--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C.UTF-8"]
        self._run("initdb", "--no-sync", *made, "-D", str(self.folder / "data"))

    def start(self) -> None:
        """Starts it and waits until it answers."""
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1"
        log = str(self.folder / "log")
        self._run(
            "pg_ctl", "start", "-w", "-D", str(self.folder / "data"), "-o", options, "-l", log
        )

    def stop(self, mode: str) -> None:
        """`fast` in order, `immediate` as if its power was cut."""
        self._run("pg_ctl", "stop", "-w", "-m", mode, "-D", str(self.folder / "data"))

    def _run(self, name: str, *arguments: str) -> None:
        done = subprocess.run(
            [program(name), *arguments],
            user=self.user,
            cwd=self.folder,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if name == "initdb" else subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode:
            raise AssertionError(f"{name} {arguments}: {done.returncode}\n{done.stdout or ''}")


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A running PostgreSQL, gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        server = Cluster(Path(folder))
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.stop("immediate")
