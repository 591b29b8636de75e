"""What a phone does while an answer is long in coming: nothing twice, nothing typed lost."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Request, Route, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import Penalty
from tests.e2e.organizing import keep, key, tap
from tests.e2e.outbox import LISTED, enter, saved, session_of, sheet_of
from tests.e2e.stations import PHONE, log_in_as, someone
from tests.scoring.sheets import make_hall

pytestmark = pytest.mark.django_db(transaction=True)


def is_page(request: Request) -> bool:
    return request.is_navigation_request()


def test_form_tapped_twice_while_its_answer_is_awaited_is_sent_once(
    browser: Browser, live_server: LiveServer
) -> None:
    hall = make_hall(12)
    penalty = reverse("penalty", args=[hall.competition.code, hall.table.pk])
    sent: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "POST":
            sent.append(route)
        else:
            route.continue_()

    with someone(browser, PHONE, service_workers="block") as phone:
        log_in_as(phone.context, live_server.url, session_of(hall))
        phone.goto(f"{live_server.url}{penalty}?position=1&code=phone")
        phone.route(f"**{penalty}", hold)
        give = phone.locator(".savebar button").bounding_box()
        assert give is not None
        x, y = give["x"] + give["width"] / 2, give["y"] + give["height"] / 2
        with phone.expect_request(is_page):
            phone.touchscreen.tap(x, y)
        phone.touchscreen.tap(x, y)
        with phone.expect_navigation():
            for route in sent:
                route.continue_()
        expect(phone.locator("main")).to_contain_text("用手机")
    assert len(sent) == 1
    assert Penalty.objects.count() == 1


def test_hand_begun_before_the_page_after_the_saved_one_is_here_stays(
    browser: Browser, live_server: LiveServer
) -> None:
    hall = make_hall(12)
    posted: list[Route] = []

    def hold(route: Route) -> None:
        """The next page never comes."""
        if route.request.method == "POST":
            posted.append(route)
        elif not is_page(route.request):
            route.continue_()

    with someone(browser, PHONE, service_workers="block") as phone:
        log_in_as(phone.context, live_server.url, session_of(hall))
        phone.goto(sheet_of(hall, live_server.url))
        phone.route(re.compile(r"/sheet/(\?|$)"), hold)
        enter(phone, 10)
        expect(phone.locator(LISTED)).to_have_count(1)
        phone.locator("[name=hu]").focus()
        with phone.expect_request(is_page):
            posted[0].continue_()
        with phone.expect_event("requestfailed", is_page):
            phone.keyboard.type("12")
        expect(phone.locator("[name=hu]")).to_have_value("12")
        phone.unroute_all()
        tap(phone, key("source", "own-flip"), key("winner", "甲"))
        keep(phone)
        expect(phone.locator("#sheet-ledger tbody tr")).to_have_count(2)
    assert saved(hall) == [(1, 10), (2, 12)]
