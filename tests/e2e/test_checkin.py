"""At the door: badges are printed, and a referee's phone reads one and checks its owner in."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from core.models import User
from tests.tournament.competitions import Made, make
from tournament.domain.badges import issue_badges
from tournament.domain.links import issue_link
from tournament.enums import Role
from tournament.models import Entry

pytestmark = pytest.mark.django_db(transaction=True)

AXE = Path(__file__).parent / "vendor" / "axe.min.js"


def look(page: Page, name: str) -> None:
    """A picture to look at, where `LOOK` names a folder."""
    folder = os.environ.get("LOOK")
    if folder:
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def demand_accessible(page: Page) -> None:
    """No violation of WCAG 2.2 AA that axe-core finds."""
    page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']})")
    assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []


def log_in(page: Page, made: Made, server: LiveServer) -> None:
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id))
    value = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": value, "url": server.url}]
    )


def test_referees_phone_reads_a_badge_and_checks_its_owner_in(
    live_server: LiveServer, phone: Page
) -> None:
    made = make(9)
    entry = Entry.objects.get(competition=made.competition, number=4)
    (badge,) = issue_badges(
        acting=made.owner, competition=made.competition, event=made.event, ids=[entry.pk]
    )
    desk = issue_link(acting=made.owner, competition=made.competition, role=Role.REFEREE)
    phone.goto(live_server.url + reverse("link", args=[desk.token]))

    phone.goto(live_server.url + reverse("link", args=[badge.token]))
    expect(phone.get_by_role("heading", level=1)).to_contain_text("选手4")
    entry.refresh_from_db()
    assert entry.checked_in_at is None
    button = phone.get_by_role("button", name="签到", exact=True)
    box = button.bounding_box()
    assert box is not None and box["height"] >= 56 and box["width"] >= 300
    look(phone, "check-in")
    demand_accessible(phone)
    button.click()
    expect(phone.get_by_role("status").filter(has_text="已签到")).to_be_visible()
    entry.refresh_from_db()
    assert entry.checked_in_at is not None
    look(phone, "checked-in")
    demand_accessible(phone)
    phone.get_by_role("button", name="撤销签到").click()
    expect(button).to_be_visible()

    # The desk's own link is still there after all that.
    phone.goto(live_server.url + reverse("manage_arrivals", args=[made.competition.code]))
    expect(phone.get_by_role("heading", name="批量签到")).to_be_visible()
    look(phone, "arrivals")
    demand_accessible(phone)


def test_badges_and_seat_cards_are_whole_on_their_sheets(
    live_server: LiveServer, browser: Browser, tmp_path: Path
) -> None:
    """Ten badges are two sheets of A4, ten seat cards five more; no card is cut."""
    made = make(10)
    page = browser.new_context(locale="zh-CN", viewport={"width": 1100, "height": 900}).new_page()
    log_in(page, made, live_server)
    address = live_server.url + reverse("manage_badges", args=[made.competition.code])
    page.goto(address)
    look(page, "badges-form")
    demand_accessible(page)
    page.get_by_label("胸牌和座位卡（同一个二维码）").check()
    page.get_by_role("button", name="发新链接并印列出的 10 人").click()
    expect(page.locator(".badge-card")).to_have_count(10)
    look(page, "badges-screen")
    for card in page.locator(".badge-card, .seat-card").all():
        assert card.evaluate("e => e.scrollHeight <= e.clientHeight + 1"), card.inner_text()
    pdf = page.pdf(path=os.environ.get("LOOK", str(tmp_path)) + "/badges.pdf", prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 7
    page.goto(address)
    expect(page.get_by_role("heading", name="没有要印的人")).to_be_visible()
    page.context.close()


@pytest.mark.parametrize("name", ["manage_seeds", "manage_numbers", "manage_draw", "manage_entrants"])
def test_pages_before_the_draw_are_accessible(
    live_server: LiveServer, browser: Browser, name: str
) -> None:
    made = make(27)
    page = browser.new_context(locale="zh-CN", viewport={"width": 360, "height": 740}).new_page()
    log_in(page, made, live_server)
    query = "?order=pinyin" if name == "manage_numbers" else ""
    page.goto(live_server.url + reverse(name, args=[made.competition.code]) + query)
    look(page, name)
    demand_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.context.close()
