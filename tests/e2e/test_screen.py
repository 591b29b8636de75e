"""The screen in the hall in a browser: it rotates, follows the play and outlives the network."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.domain.sheets import open_sheet
from tests.e2e.stations import grave_faults, someone
from tests.scoring.public_pages import forget, published, win
from tournament.domain.screen import begin_ceremony, set_screen
from tournament.queries.screen import draws_to_show

pytestmark = pytest.mark.django_db(transaction=True)

SMALLEST_JS = """() => Math.min(...[...document.querySelectorAll("body *")]
  .filter(e => e.checkVisibility())
  .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
  .map(e => parseFloat(getComputedStyle(e).fontSize)))"""
SOON = 20_000


def assert_readable(page: Page) -> None:
    """Nothing below 48 px, nothing out of the screen, axe-core content, at both sizes."""
    for width, height in ((1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(SMALLEST_JS) >= 48
        assert page.evaluate("document.documentElement.scrollHeight") == height
        assert page.evaluate("document.documentElement.scrollWidth") == width
    assert grave_faults(page) == []


def test_screen_rotates_follows_the_play_and_outlives_a_cut(
    browser: Browser, live_server: LiveServer
) -> None:
    made = published(9, hands=3)
    competition = made.competition
    sheet = open_sheet(made.tables(1)[0])
    win(made, sheet, "甲")
    set_screen(acting=made.owner, competition=competition, parts={"bracket": 5, "tables": 5})
    forget()
    with someone(browser) as page:
        page.clock.install()
        page.goto(live_server.url + reverse("screen", args=[competition.code]))
        title, head = page.locator(".panel.on h2"), page.locator(".panel.on h3").first
        expect(title).to_have_text("第 1 轮")
        assert_readable(page)
        page.clock.fast_forward(6_000)
        expect(title).to_have_text("第 1 轮 · 正在打")
        set_screen(
            acting=made.owner, competition=competition, parts={"bracket": 5}, pinned="tables"
        )
        win(made, sheet, "甲")
        expect(head).to_have_text("1 桌 · 2/3 局", timeout=SOON)
        page.clock.fast_forward(6_000)
        expect(title).to_have_text("第 1 轮 · 正在打")

        page.context.set_offline(True)
        expect(page.locator("[data-stale]")).to_contain_text("的内容")
        win(made, sheet, "甲")
        page.clock.fast_forward(30_000)
        expect(head).to_have_text("1 桌 · 2/3 局")
        assert_readable(page)
        page.context.set_offline(False)
        expect(head).to_have_text("1 桌 · 3/3 局", timeout=SOON)
        expect(page.locator("[data-stale]")).to_be_hidden()

        (drawn,) = draws_to_show(competition)
        begin_ceremony(
            acting=made.owner, competition=competition, draw=drawn, step_seconds=1, auto=True
        )
        expect(title).to_have_text("第 1 次抽签", timeout=SOON)
        expect(page.locator("[data-page]")).to_have_text(re.compile("[1-9]/9"), timeout=SOON)
        names = [f"选手{number}" for number in drawn.log["order"]]
        assert page.locator(".ceremony li.last .who").inner_text() in names
        assert_readable(page)
