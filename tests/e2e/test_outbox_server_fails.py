"""What a phone shows and does while the site answers 503 or 500: it keeps, tells, sends again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.core.test_up import free_port
from tests.e2e.outbox import LISTED, choose, enter, saved, session_of, sheet_of, wait_for
from tests.e2e.stations import PHONE, grave_faults, log_in_as, overflows, someone
from tests.e2e.test_outbox_server_dies import is_up, serving
from tests.scoring.sheets import make_hall

pytestmark = pytest.mark.django_db(transaction=True)
FAILING = "tests.e2e.failing_server"


def try_again(phone: Page) -> None:
    """As when the network comes back: the box is sent at once."""
    phone.evaluate("window.dispatchEvent(new Event('online'))")


@pytest.mark.parametrize(
    ("file", "part", "told"),
    [
        ("away", "busy", "网站正在重启或维护。记的都留在这部手机上，恢复后自动再发。"),
        (
            "broken",
            "fault",
            r"网站出错了，这一局还没有存上（编号 [0-9a-f]{12}）。"
            "请告诉裁判长；它留在这部手机上，会再发。",
        ),
    ],
)
def test_hands_are_kept_with_the_reason_and_sent_once_when_the_site_is_well_again(
    browser: Browser, tmp_path: Path, file: str, part: str, told: str
) -> None:
    hall = make_hall(12)
    port = free_port()
    url = sheet_of(hall, f"http://127.0.0.1:{port}")
    with (
        someone(browser, PHONE, service_workers="block") as phone,
        serving(port, tmp_path, FAILING),
    ):
        log_in_as(phone.context, url, session_of(hall))
        wait_for(phone, lambda: is_up(port))
        phone.goto(url)
        (tmp_path / file).touch()
        enter(phone, 10)
        reason = phone.locator(f"[data-outbox-{part}]")
        expect(reason).to_have_text(re.compile(f"^{told}$"))
        expect(reason).to_be_visible()
        enter(phone, 11)
        expect(phone.locator(LISTED)).to_have_count(2)
        try_again(phone)
        expect(reason).to_be_visible()
        assert saved(hall) == []
        assert grave_faults(phone) == []
        assert not overflows(phone)
        (tmp_path / file).unlink()
        try_again(phone)
        expect(phone.locator(LISTED)).to_have_count(0, timeout=60_000)
        expect(reason).to_be_hidden()
    assert saved(hall) == [(1, 10), (2, 11)]


def test_a_preview_that_fails_says_so_on_the_page_and_the_next_takes_it_back(
    browser: Browser, tmp_path: Path
) -> None:
    """htmx itself shows nothing where it is answered with 503."""
    hall = make_hall(12)
    port = free_port()
    url = sheet_of(hall, f"http://127.0.0.1:{port}")
    with (
        someone(browser, PHONE, service_workers="block") as phone,
        serving(port, tmp_path, FAILING),
    ):
        log_in_as(phone.context, url, session_of(hall))
        wait_for(phone, lambda: is_up(port))
        phone.goto(url)
        (tmp_path / "away").touch()
        choose(phone, "甲", 10)
        strip = phone.locator("#fault")
        expect(strip).to_have_text(
            re.compile(r"^网站暂时不能用 .*请过一会儿再试。 编号 [0-9a-f]{12}$")
        )
        expect(strip).to_be_visible()
        assert grave_faults(phone) == []
        assert not overflows(phone)
        (tmp_path / "away").unlink()
        phone.locator("[data-digit='1']").tap()
        expect(strip).to_be_hidden()
        expect(phone.locator("#answer")).not_to_be_empty()

        whole = phone.content()  # a page whose only word for errors is the empty strip itself
        phone.route("**/preview/**", lambda route: route.fulfill(status=422, body=whole))
        phone.locator("[data-digit='1']").tap()
        expect(strip).to_have_text("没有做成，请过一会儿再试一次。")
