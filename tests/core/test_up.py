"""`manage.py up`: one command from nothing to a running site, and its children kept alive."""

from __future__ import annotations

import os
import re
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path

import pytest

from core.management.commands.up import _answers
from core.supervisor import Child, supervise

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 60


def free_port() -> int:
    """A port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(true: Callable[[], bool], what: str) -> None:
    """Waits for something that happens in another process."""
    end = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end, what
        time.sleep(0.05)


class Site:
    """A started site: its process, port and everything it printed."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.port = port
        self.said = ""
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line

    def children(self, word: str) -> list[int]:
        """Process ids of its own children whose command has `word`."""
        listed = subprocess.run(
            ["ps", "-o", "pid=,args=", "--ppid", str(self.process.pid)],
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        return [int(line.split()[0]) for line in listed.splitlines() if word in line]

    def answers(self, path: str = "/healthz") -> bool:
        """Whether the address answers with 200."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as page:
                return bool(page.status == 200)
        except OSError:
            return False


@contextmanager
def site(folder: Path, *options: str) -> Iterator[Site]:
    """A site whose files are in `folder`, in an environment that sets nothing."""
    unset = {"SECRET_KEY", "ALLOWED_HOSTS", "SITE_HTTPS", "DATABASE_URL", "REDIS_URL",
             "CELERY_BROKER_URL", "DJANGO_SETTINGS_MODULE", "DEBUG"}  # fmt: skip
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    environment |= {"VAR_DIR": str(folder / "var"), "STATIC_ROOT": str(folder / "static")}
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "manage.py"), "up", "--port", str(port), *options],
        env=environment,
        cwd=folder,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    started = Site(process, port)
    try:
        yield started
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE_S)
        started.reader.join(PATIENCE_S)
        assert process.stdout is not None
        process.stdout.close()


def test_the_site_itself_is_asked_and_no_proxy_of_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with HTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        assert _answers(f"http://127.0.0.1:{server.server_port}/")
    assert not _answers(f"http://127.0.0.1:{server.server_port}/")


@pytest.mark.skipif(sys.platform == "win32", reason="signals and ps are POSIX")
def test_a_site_starts_from_nothing_keeps_its_children_and_stops_cleanly(tmp_path: Path) -> None:
    with site(tmp_path) as first:
        until(lambda: "停止 / stop: Ctrl-C" in first.said, "the address is printed")
        assert f"http://localhost:{first.port}/" in first.said
        assert re.search(r"第一个账号 / first account: organizer\n密码.*: \S{12}\n", first.said)
        assert first.answers("/accounts/login/")
        secret = tmp_path / "var" / "secret"
        assert stat.S_IMODE(secret.stat().st_mode) == 0o600
        assert (tmp_path / "static" / "staticfiles.json").exists()

        (web,), (jobs,) = first.children("gunicorn"), first.children("runner")
        os.kill(web, signal.SIGKILL)
        os.kill(jobs, signal.SIGKILL)
        until(lambda: first.children("runner") not in ([], [jobs]), "a new runner")
        until(lambda: first.children("gunicorn") not in ([], [web]), "a new web server")
        until(first.answers, "the new web server answers")
        left = first.children("gunicorn") + first.children("runner")
        key = secret.read_text()
    assert first.process.returncode == 0
    assert "已停止 / stopped" in first.said
    assert not any(Path(f"/proc/{pid}").exists() for pid in left)

    with site(tmp_path, "--lan") as second:
        until(lambda: "停止 / stop: Ctrl-C" in second.said, "the address is printed")
        assert "密码" not in second.said
        assert "手机打开 / on phones of this network: http://" in second.said
        assert "█" in second.said
        assert secret.read_text() == key


def test_a_taken_port_says_which_option_to_use(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        unset = {"DJANGO_SETTINGS_MODULE", "DATABASE_URL"}
        environment = {name: value for name, value in os.environ.items() if name not in unset}
        ended = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), "up", "--port", str(port)],
            env=environment | {"VAR_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
    assert ended.returncode == 1
    assert f"端口 {port} 已被占用，请用 --port 换一个" in ended.stderr


def test_a_child_that_dies_at_once_is_started_with_longer_and_longer_pauses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    child = Child("failing", [sys.executable, "-c", "raise SystemExit(3)"])
    pauses = []
    for _attempt in range(7):
        child.look()
        assert child.process is not None
        child.process.wait()
        child.look()
        pauses.append(child.pause)
        child.start_at = 0.0
    assert pauses == [1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]


def test_a_child_that_ran_steadily_is_started_again_after_a_second() -> None:
    child = Child("steady", [sys.executable, "-c", ""])
    child.look()
    assert child.process is not None
    child.process.wait()
    child.pause = 16.0
    child.started_at -= 61
    child.look()
    assert child.pause == 1.0


@pytest.mark.skipif(sys.platform == "win32", reason="groups of processes are POSIX")
@pytest.mark.parametrize("is_deaf", [False, True])
def test_what_a_killed_child_leaves_is_ended_before_the_next_one_starts(
    tmp_path: Path, is_deaf: bool
) -> None:
    grandchild = "import signal, time\n"
    grandchild += "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" * is_deaf
    grandchild += f"open({str(tmp_path / 'ready')!r}, 'w').close()\ntime.sleep(60)"
    code = (
        "import subprocess, sys\n"
        f"made = subprocess.Popen([sys.executable, '-c', {grandchild!r}])\n"
        f"open({str(tmp_path / 'pid')!r}, 'w').write(str(made.pid))\n"
        "made.wait()"
    )
    child = Child("parent", [sys.executable, "-c", code])
    child.look()
    until((tmp_path / "ready").exists, "the grandchild has started")
    left = Path("/proc") / (tmp_path / "pid").read_text()
    assert child.process is not None
    child.process.kill()
    child.process.wait()
    child.look()
    assert child.process is None
    if not is_deaf:
        until(lambda: not (left / "exe").exists(), "the grandchild is gone")
    child.start_at = 0.0
    child.look()
    until(lambda: not (left / "exe").exists(), "the grandchild is gone")
    child.stop()
    child.wait(time.monotonic() + PATIENCE_S)


def test_a_child_that_does_not_stop_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.supervisor.STOP_WITHIN_S", 0.2)
    stop = threading.Event()
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True)"
    code = f"{deaf}; time.sleep(60)"
    thread = threading.Thread(target=supervise, args=({"deaf": [sys.executable, "-c", code]}, stop))
    thread.start()
    time.sleep(0.5)
    stop.set()
    thread.join(10)
    assert not thread.is_alive()
