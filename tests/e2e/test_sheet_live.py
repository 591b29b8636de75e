"""Two people at one sheet, an outbox under another name, and browsers that keep nothing."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from tests.e2e.organizing import keep
from tests.e2e.outbox import LISTED, POLL, choose, enter, save, saved, session_of, sheet_of
from tests.e2e.stations import PHONE, follow, grave_faults, log_in_as, overflows, someone
from tests.scoring.clients import with_link
from tests.scoring.sheets import Hall, make_hall
from tournament.enums import Role
from tournament.models import DeviceLink

pytestmark = pytest.mark.django_db(transaction=True)

FULL = """Storage.prototype.setItem = () => {
  throw new DOMException("full", "QuotaExceededError");
};"""
ABSENT = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("none", "SecurityError"); },
});"""
SMALL_JS = """() => [...document.querySelectorAll(
  ".outbox button, #sheet-top button, #sheet-top a[role=button], #sheet-after nav a, #entry button"
)].filter(e => e.checkVisibility()).filter(e => e.getBoundingClientRect().height < 56)
.map(e => e.textContent)"""
BY_OTHERS: dict[str, Any] = {"source": "own-flip", "winner": "乙", "hu": 10, "xing_count": 0}


def table_link(hall: Hall, phone: Page, server: str) -> None:
    """The phone has opened the table's link."""
    cookies = with_link(hall, Role.TABLE, table=hall.table).cookies
    phone.context.add_cookies(
        [{"name": name, "value": cookies[name].value, "url": server} for name in cookies]
    )


def test_second_editor_is_told_and_the_ledger_lives_without_touching_the_form(
    browser: Browser, live_server: LiveServer
) -> None:
    """Typed text and focus stay, a note tells of the hand; an untouched form moves on."""
    hall = make_hall(12)
    with (
        someone(browser, PHONE, service_workers="block") as mine,
        someone(browser, PHONE, service_workers="block") as other,
    ):
        log_in_as(mine.context, live_server.url, session_of(hall))
        table_link(hall, other, live_server.url)
        url = sheet_of(hall, live_server.url)
        other.goto(url)
        with other.expect_response("**/live/**"):
            other.evaluate(POLL)
        mine.goto(url)
        mine.evaluate(POLL)
        expect(mine.locator("#others")).to_contain_text("还有 这一桌的手机 也在记这张表")
        choose(mine, "甲", 13)
        mine.locator("summary", has_text="局数").tap()
        mine.locator("[name=claim_total]").focus()
        hall.enter(BY_OTHERS)
        other.evaluate(POLL)
        mine.evaluate(POLL)
        expect(other.locator("#entry-title")).to_have_text("记第 2 局")
        expect(other.locator("[name=number]")).to_have_value("2")
        expect(other.locator("#entry-news")).to_be_hidden()
        expect(mine.locator("#sheet-ledger tbody tr")).to_have_count(1)
        expect(mine.locator("#entry-news")).to_contain_text("第 1 局刚由")
        expect(mine.locator("[name=hu]")).to_have_value("13")
        expect(mine.locator("[name=claim_total]")).to_be_focused()
        expect(mine.locator("[name=number]")).to_have_value("1")
        assert grave_faults(mine) == []
        assert mine.evaluate(SMALL_JS) == []
        assert not overflows(mine)


def test_outbox_works_on_plain_http_and_asks_what_differs(
    browser: Browser, live_server: LiveServer, settings: Settings
) -> None:
    """No service worker, no `randomUUID`; a hand whose claim differs is asked about, and what
    was half typed meanwhile comes back."""
    settings.ALLOWED_HOSTS = ["hall.test"]
    server = f"http://hall.test:{live_server.url.rsplit(':', 1)[1]}"
    hall = make_hall(12)
    with someone(browser, PHONE) as phone:
        log_in_as(phone.context, server, session_of(hall))
        phone.goto(sheet_of(hall, server))
        lacking = "[isSecureContext, 'randomUUID' in crypto, 'serviceWorker' in navigator]"
        assert phone.evaluate(lacking) == [False, False, False]
        phone.context.set_offline(True)
        choose(phone, "甲", 10)
        phone.locator("summary", has_text="局数").tap()
        phone.locator("[name=claim_total]").fill("99")
        save(phone)
        expect(phone.locator(LISTED)).to_have_count(1)
        choose(phone, "乙", 12)
        phone.context.set_offline(False)
        expect(phone.locator(LISTED)).to_contain_text("报的和算的不一样")
        expect(phone.locator("[name=hu]")).to_have_value("12")
        assert phone.evaluate(SMALL_JS) == []
        follow(phone.get_by_role("button", name="打开改"), Locator.tap)
        expect(phone.locator("#differs")).to_be_visible()
        phone.locator("#differs label", has=phone.locator("[value=computed]")).tap()
        keep(phone)
        expect(phone.locator(LISTED)).to_have_count(0)
        phone.get_by_role("button", name="接着填").tap()
        expect(phone.locator("[name=hu]")).to_have_value("12")
        expect(phone.locator("[name=winner][value=乙]")).to_be_checked()
        save(phone)
        expect(phone.locator("#sheet-ledger tbody tr")).to_have_count(2)
    assert saved(hall) == [(1, 10), (2, 12)]


def test_hand_of_a_revoked_link_is_kept_and_asked_about_before_another_sends_it(
    browser: Browser, live_server: LiveServer
) -> None:
    hall = make_hall(12)
    with someone(browser, PHONE, service_workers="block") as phone:
        table_link(hall, phone, live_server.url)
        url = sheet_of(hall, live_server.url)
        phone.goto(url)
        phone.context.set_offline(True)
        enter(phone, 10)
        expect(phone.locator(LISTED)).to_have_count(1)
        DeviceLink.objects.update(revoked_at=timezone.now())
        phone.context.set_offline(False)
        expect(phone.locator("[data-outbox-barred]")).to_be_visible()
        assert saved(hall) == []
        phone.context.clear_cookies()
        log_in_as(phone.context, live_server.url, session_of(hall))
        phone.goto(url)
        whose = phone.locator("[data-outbox-whose]")
        expect(whose).to_contain_text("这 1 局是用“桌链接 · 第 1 桌”记的")
        assert phone.evaluate(SMALL_JS) == []
        assert grave_faults(phone) == []
        assert saved(hall) == []
        whose.get_by_role("button", name="用现在的身份发送").tap()
        expect(phone.locator("#sheet-ledger tbody tr")).to_contain_text("1")
        expect(phone.locator(LISTED)).to_have_count(0)
    assert saved(hall) == [(1, 10)]


@pytest.mark.parametrize("lacking", [FULL, ABSENT], ids=["full", "absent"])
def test_hand_is_posted_as_a_form_where_nothing_can_be_kept(
    browser: Browser, live_server: LiveServer, lacking: str
) -> None:
    hall = make_hall(12)
    with someone(browser, PHONE, service_workers="block") as phone:
        phone.add_init_script(lacking)
        log_in_as(phone.context, live_server.url, session_of(hall))
        phone.goto(sheet_of(hall, live_server.url))
        enter(phone, 10)
        expect(phone.locator("#entry-title")).to_have_text("记第 2 局")
    assert saved(hall) == [(1, 10)]
