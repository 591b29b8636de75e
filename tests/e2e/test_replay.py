"""A recorded hand watched in a browser: keys, play, views, links, and the same without scripts."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from engine.events import Event
from engine.files import parse
from scoring.replayed import CLAIMS
from tests.e2e.stations import DESK, PHONE, follow, grave_faults, overflows, someone
from tests.scoring.public_pages import forget
from tests.scoring.test_views_hand_questions import recorded

pytestmark = pytest.mark.django_db(transaction=True)

BOXES = """all => all.map(e => e.getBoundingClientRect())
  .map(r => [r.top + scrollY, r.height].map(Math.round).join(" "))"""
FIXED = ".place, .centre, .player, .extras"


def shows(page: Page, number: int, events: tuple[Event, ...]) -> None:
    """The step stands in the caption, the address, the list and the link forward."""
    expect(page.locator(".caption")).to_contain_text(f"第 {number} 手，共 {len(events)} 手")
    words = str(events[number - 1]).split(" ", 1)[1]
    expect(page.locator(".caption strong")).to_have_text(re.compile(f" {words}$"))
    expect(page).to_have_url(re.compile(rf"step={number}\b"))
    expect(page.locator(".moves [aria-current]")).to_have_attribute("data-to", str(number))
    following = re.compile(rf"step={min(number + 1, len(events))}\b")
    expect(page.locator("[data-go=after]")).to_have_attribute("href", following)


def test_hand_is_watched_by_keys_and_played(browser: Browser, live_server: LiveServer) -> None:
    """Nothing moves, the focus stays, no step loads a page, axe-core finds nothing grave."""
    made, table, text = recorded()
    forget()
    events = parse(text).events
    claims = [n for n, event in enumerate(events, 1) if event.verb in CLAIMS]
    address = live_server.url + reverse("replay", args=[made.competition.code, table.pk, 1])
    for width in (DESK, PHONE):
        with someone(browser, width) as page:
            page.goto(f"{address}?step=2")
            page.locator("#replay[data-ready]").wait_for()
            page.evaluate("window.stays = true")
            boxes = page.locator(FIXED).evaluate_all(BOXES)
            page.locator("[data-go=after]").focus()
            page.keyboard.press("ArrowRight")
            shows(page, 3, events)
            page.keyboard.press("Enter")
            shows(page, 4, events)
            page.keyboard.press("n")
            shows(page, next(n for n in claims if n > 4), events)
            page.keyboard.press("p")
            page.keyboard.press("End")
            shows(page, len(events), events)
            expect(page.locator(".result .explained")).to_be_visible()
            assert grave_faults(page) == []
            assert not overflows(page)
            expect(page.locator("[data-go=after]")).to_be_focused()
            assert page.locator(FIXED).evaluate_all(BOXES) == boxes
            page.keyboard.press("Home")
            expect(page.locator(".caption")).to_contain_text("发完牌")

            page.keyboard.press("2")
            expect(page.locator("[data-seat][aria-current]")).to_have_attribute("data-seat", "乙")
            expect(page).to_have_url(re.compile(rf"\?step=0&seat={quote('乙')}#replay$"))
            assert page.locator(".at-me use[href$='#back']").count() == 0
            assert page.locator(".at-left .held use[href$='#back']").count() >= 19
            page.locator("[data-speed]").select_option("4")
            page.locator("[data-play]").click()
            expect(page.locator(".caption")).to_contain_text(re.compile(r"第 ([3-9]|\d\d+) 手"))
            page.locator("[data-play]").click()
            expect(page.locator("[data-play]")).to_have_attribute("aria-pressed", "false")
            at = page.evaluate("location.href")
            assert page.evaluate("window.stays")
            page.goto("about:blank")
            page.goto(at)
            expect(page.locator("[data-seat][aria-current]")).to_have_attribute("data-seat", "乙")
            expect(page.locator(".caption")).to_contain_text("第 ")


def test_hand_is_watched_without_scripts(browser: Browser, live_server: LiveServer) -> None:
    made, table, text = recorded()
    forget()
    with someone(browser, PHONE, java_script_enabled=False) as page:
        page.goto(live_server.url + reverse("replay", args=[made.competition.code, table.pk, 1]))
        expect(page.locator("[data-play]")).to_be_hidden()
        follow(page.get_by_role("link", name="下一手"))
        shows(page, 1, parse(text).events)
        follow(page.get_by_role("link", name="丙 ").first)
        shows(page, 1, parse(text).events)
        follow(page.get_by_role("link", name="到结尾"))
        expect(page.locator(".result .explained")).to_be_visible()
