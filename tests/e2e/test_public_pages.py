"""Public pages in a browser: they fit a phone, work without scripts, and follow the play."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.domain.sheets import open_sheet
from tests.e2e.stations import follow
from tests.scoring.public_pages import forget, name_at, play_sheet, published, win
from tests.tournament.competitions import Made

pytestmark = pytest.mark.django_db(transaction=True)


def pages(made: Made) -> list[str]:
    """The address of each public page."""
    code, event = made.competition.code, made.event.pk
    table = made.tables(1)[0]
    entrant = table.seats.get(position=0).entrant
    assert entrant is not None
    bracket = reverse("bracket", args=[code, event])
    return [
        reverse("home"),
        reverse("competition", args=[code]),
        bracket,
        f"{bracket}?entrant={entrant.pk}",
        reverse("standings", args=[code, event]),
        reverse("table", args=[code, table.pk]),
        reverse("entrant", args=[code, entrant.pk]),
        reverse("entrants", args=[code]),
    ]


def test_every_public_page_fits_a_phone(phone: Page, live_server: LiveServer) -> None:
    made = published(9)
    play_sheet(made, made.tables(1)[0])
    for address in pages(made):
        phone.goto(f"{live_server.url}{address}")
        assert phone.evaluate("document.documentElement.scrollWidth") == 360, address
        assert phone.locator("h1").count() == 1, address


def test_bracket_follows_the_play_and_keeps_its_place(phone: Page, live_server: LiveServer) -> None:
    """A spectator sees the winner in the next round without doing anything."""
    made = published(9)
    forget()
    table = made.tables(1)[0]
    win(made, open_sheet(table), "甲")
    phone.goto(live_server.url + reverse("bracket", args=[made.competition.code, made.event.pk]))
    phone.locator("#round-2").scroll_into_view_if_needed()
    final = phone.locator("#round-2 .line")
    expect(final.filter(has_text="胜者")).to_have_count(3)
    left = phone.locator(".bracket").evaluate("e => e.scrollLeft")
    play_sheet(made, table)

    expect(final.filter(has_text=name_at(table, 0))).to_have_count(1, timeout=20_000)
    assert phone.locator(".bracket").evaluate("e => e.scrollLeft") == left
    expect(phone.locator("#round-1 .provisional")).to_have_count(1)


def test_pages_work_without_scripts(browser: Browser, live_server: LiveServer) -> None:
    made = published(9)
    context = browser.new_context(java_script_enabled=False, locale="zh-CN")
    page = context.new_page()
    page.goto(live_server.url + reverse("entrants", args=[made.competition.code]))
    page.fill("#q", "选手7")
    follow(page.get_by_role("button", name="找"))
    expect(page.locator("table.entrants tbody tr")).to_have_count(1)
    follow(page.get_by_role("link", name="选手7"))
    follow(page.get_by_role("button", name="在对阵图上看"))
    expect(page.locator(".bracket .inked")).to_have_count(1)
    context.close()
