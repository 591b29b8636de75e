"""Hands entered without network or while the server dies: none lost, none doubled."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Route, expect
from pytest_django.live_server_helper import LiveServer

from tests.e2e.outbox import LISTED, choose, enter, save, saved, session_of, sheet_of, wait_for
from tests.e2e.stations import PHONE, grave_faults, log_in_as, overflows, someone
from tests.scoring.sheets import make_hall

pytestmark = pytest.mark.django_db(transaction=True)


KEPT_JS = """async () => {
  const files = performance.getEntriesByType("resource").map(one => one.name);
  const own = files.filter(file => file.includes("/static/"));
  const kept = [location.href, ...own].map(one => caches.match(one, {ignoreVary: true}));
  return (await Promise.all(kept)).every(Boolean);
}"""
"""The page and all that it is made of."""


def test_hands_entered_offline_are_sent_once_in_order(
    browser: Browser, live_server: LiveServer
) -> None:
    """Offline in mid-entry, two more, a reload without network, network again: three hands."""
    hall = make_hall(12)
    with someone(browser, PHONE) as phone:
        log_in_as(phone.context, live_server.url, session_of(hall))
        phone.goto(sheet_of(hall, live_server.url))
        wait_for(phone, lambda: phone.evaluate(KEPT_JS))
        phone.locator("label", has=phone.locator("[name=source][value=own-flip]")).tap()
        phone.context.set_offline(True)
        for count, hu in enumerate((10, 11, 12), 1):
            enter(phone, hu)
            expect(phone.locator(LISTED)).to_have_count(count)
        assert saved(hall) == []
        phone.reload()
        expect(phone.locator(LISTED)).to_have_count(3)
        expect(phone.locator("#entry-title")).to_have_text("记第 4 局")
        assert grave_faults(phone) == []
        assert not overflows(phone)
        phone.context.set_offline(False)
        expect(phone.locator("#ledger-title")).to_be_attached()
        expect(phone.locator(LISTED)).to_have_count(0)
    assert saved(hall) == [(1, 10), (2, 11), (3, 12)]


def lose_the_answer(route: Route) -> None:
    route.fetch()
    route.abort("connectionreset")


def lose_the_request(route: Route) -> None:
    route.abort("connectionreset")


@pytest.mark.parametrize("lose", [lose_the_answer, lose_the_request])
def test_hand_is_saved_once_when_the_server_dies_during_the_post(
    browser: Browser, live_server: LiveServer, lose: Callable[[Route], None]
) -> None:
    """Worked on or not: the page keeps the hand, and a reload sends it to a state of one hand."""
    hall = make_hall(12)
    with someone(browser, PHONE, service_workers="block") as phone:
        log_in_as(phone.context, live_server.url, session_of(hall))
        url = sheet_of(hall, live_server.url)
        phone.goto(url)
        phone.route(url, lambda route: lose(route) if is_post(route) else route.continue_())
        with phone.expect_event("requestfailed", lambda request: request.url == url):
            enter(phone, 10)
        expect(phone.locator(LISTED)).to_have_count(1)
        phone.unroute(url)
        phone.reload()
        expect(phone.locator(LISTED)).to_have_count(0)
    assert saved(hall) == [(1, 10)]


def is_post(route: Route) -> bool:
    return route.request.method == "POST"


def test_stale_form_is_told_what_happened_and_keeps_its_input(
    browser: Browser, live_server: LiveServer
) -> None:
    """Somebody entered hand 1 meanwhile: with its number changed it is saved as hand 2."""
    hall = make_hall(12)
    with someone(browser, PHONE, service_workers="block") as phone:
        log_in_as(phone.context, live_server.url, session_of(hall))
        phone.goto(sheet_of(hall, live_server.url))
        choose(phone, "甲", 13)
        hall.enter({"source": "own-flip", "winner": "乙", "hu": 10, "xing_count": 0})
        save(phone)
        expect(phone.locator("#taken")).to_be_visible()
        expect(phone.locator("[name=hu]")).to_have_value("13")
        phone.locator("[name=number]").fill("2")
        save(phone)
        expect(phone.locator(LISTED)).to_have_count(0)
        expect(phone.locator("#taken")).to_have_count(0)
    assert saved(hall) == [(1, 10), (2, 13)]
