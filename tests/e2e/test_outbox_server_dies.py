"""A server process killed in the middle of saving a hand, and started again: one hand."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.outbox import LISTED, enter, saved, session_of, sheet_of, wait_for
from tests.e2e.stations import PHONE, log_in_as, someone
from tests.scoring.sheets import make_hall
from tests.serving import ROOT, database_url

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def serving(
    port: int, folder: Path, settings: str = "tests.e2e.dying_server"
) -> Iterator[subprocess.Popen[bytes]]:
    """The site in a process of its own, killed in the end."""
    env = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": settings,
        "DATABASE_URL": database_url(),
        "HALT": str(folder),
    }
    command = ["runserver", "--noreload", "--insecure", "--skip-checks", f"127.0.0.1:{port}"]
    log = (folder / "log").open("ab")
    process = subprocess.Popen(
        [sys.executable, "manage.py", *command], cwd=ROOT, env=env, stdout=log, stderr=log
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
        log.close()


def is_up(port: int) -> bool:
    """Whether something listens there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.parametrize(("where", "left"), [("before", []), ("after", [(1, 10)])])
def test_hand_is_there_once_after_the_server_was_killed(
    browser: Browser, tmp_path: Path, where: str, left: list[tuple[int, int]]
) -> None:
    """Killed before the commit nothing was saved, after it all; started again, one hand."""
    hall = make_hall(12)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = sheet_of(hall, f"http://127.0.0.1:{port}")
    with someone(browser, PHONE, service_workers="block") as phone:
        log_in_as(phone.context, url, session_of(hall))
        with serving(port, tmp_path):
            wait_for(phone, lambda: is_up(port))
            phone.goto(url)
            (tmp_path / where).touch()
            enter(phone, 10)
            expect(phone.locator(LISTED)).to_have_count(1)
            wait_for(phone, (tmp_path / "halted").exists)
        assert saved(hall) == left
        expect(phone.locator(LISTED)).to_have_count(1)
        (tmp_path / where).unlink()
        with serving(port, tmp_path):
            wait_for(phone, lambda: is_up(port))
            phone.evaluate("window.dispatchEvent(new Event('online'))")
            expect(phone.locator(LISTED)).to_have_count(0, timeout=60_000)
    assert saved(hall) == [(1, 10)]
