"""A browser for the tests that need one: Debian's Chromium, headless."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests.e2e.organizing import PASSWORD, Organizer
from tests.e2e.stations import DESK, Album, someone
from tests.factories import make_user

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--host-resolver-rules=MAP hall.test 127.0.0.1",
]  # fmt: skip

# Nothing is as slow as this where all is well, and a busy machine is no fault of a page.
PATIENCE_MS = 15_000
expect.set_options(timeout=PATIENCE_MS)

# Playwright keeps an event loop in the test's thread, where Django would not flush the database.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The browser; the test is skipped where none is installed."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip("no Chromium found")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A phone of 360 px with Chinese as its language; an error in a script fails the test."""
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, locale="zh-CN"
    )
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    context.close()
    assert faults == []


@pytest.fixture
def album(tmp_path: Path) -> Album:
    """Where a journey keeps its screenshots."""
    return Album(tmp_path)


@pytest.fixture
def organizer(browser: Browser, live_server: LiveServer) -> Iterator[Organizer]:
    """An account without competitions at a desk; nothing is open yet."""
    make_user("zhang", password=PASSWORD)
    with someone(browser, DESK) as page:
        yield Organizer(page, live_server.url)
