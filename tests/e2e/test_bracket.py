"""The bracket of every size in a browser: pictures, its parts, and polls that leave one alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.domain.sheets import open_sheet
from tests.e2e.stations import DESK, PHONE, Album, grave_faults, overflows, someone
from tests.scoring.public_pages import forget, play_sheet, published, win
from tests.tournament.competitions import Made, play, play_out
from tournament.domain.finality import finalize_round
from tournament.models import Entrant
from tournament.queries.public import shown_name

pytestmark = pytest.mark.django_db(transaction=True)

BIG = 1920
SIZES = (3, 27, 50, 243)
REFRESH = "window.dispatchEvent(new Event('online'))"
SMALLEST_JS = """() => Math.min(...[...document.querySelectorAll("body *")]
  .filter(e => e.checkVisibility() && !e.closest(".vh"))
  .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
  .map(e => parseFloat(getComputedStyle(e).fontSize)))"""
JUMP = 0.001
"""Of the screen; less is a line that was painted before all of it had come."""
SHIFT_JS = """() => new Promise(done => {
  const moved = [];
  new PerformanceObserver(list => list.getEntries().forEach(e => moved.push(
    [e.value, ...e.sources.map(s => s.node?.outerHTML?.slice(0, 60) ?? s.node?.data)]
  ))).observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(moved), 50)));
})"""


def begun(entrants: int) -> Made:
    """A knock-out whose first round is partly final, partly provisional, partly running."""
    made = published(entrants)
    tables = made.tables(1)
    for table in tables[:2]:
        play_sheet(made, table)
    for table in tables[2 : len(tables) // 2]:
        play(made, table)
    if len(tables) > 2:
        win(made, open_sheet(tables[-1]), "甲")
    return made


def address(made: Made, site: LiveServer, name: str = "bracket") -> str:
    return site.url + reverse(name, args=[made.competition.code, made.event.pk])


def assert_sound(page: Page) -> None:
    """look.md: nothing below 15 px, nothing wider than the screen; issue 7: nothing that jumps."""
    assert not overflows(page)
    assert page.evaluate(SMALLEST_JS) >= 15
    assert [moved for moved in page.evaluate(SHIFT_JS) if moved[0] >= JUMP] == []


@pytest.mark.parametrize("entrants", SIZES)
def test_bracket_is_sound_on_a_phone_and_a_big_screen(
    browser: Browser, live_server: LiveServer, tmp_path: Path, entrants: int
) -> None:
    made = begun(entrants)
    forget()
    album = Album(tmp_path)
    people = Entrant.objects.filter(event=made.event).select_related("entry__person")
    names = {shown_name(one.name, one.number, mask=False) for one in people}
    for width in (PHONE, BIG):
        with someone(browser, width) as page:
            page.goto(address(made, live_server))
            assert_sound(page)
            texts = page.locator(".bracket .who a").all_text_contents()
            assert names == set(texts)
            if entrants != SIZES[-1]:
                assert grave_faults(page) == []
            album.take(page, f"bracket-{entrants}-{width}")


def test_bracket_sheet_and_screen_are_sound_dark_in_english_and_at_768_px(
    browser: Browser, live_server: LiveServer, tmp_path: Path
) -> None:
    made = begun(27)
    forget()
    album = Album(tmp_path)
    code = made.competition.code
    pages = {
        "bracket": address(made, live_server),
        "sheet": live_server.url + reverse("table", args=[code, made.tables(1)[0].pk]),
        "screen": live_server.url + reverse("screen", args=[code]),
    }
    looks = {"dark": (DESK, "dark", "zh-CN"), "en": (DESK, "light", "en")}
    looks["768"] = (768, "light", "zh-CN")
    for look, (width, scheme, locale) in looks.items():
        with someone(browser, width, color_scheme=scheme, locale=locale) as page:
            for name, url in pages.items():
                page.goto(url)
                assert not overflows(page), (name, look)
                assert page.evaluate(SMALLEST_JS) >= 15, (name, look)
                assert grave_faults(page) == [], (name, look)
                album.take(page, f"{name}-{look}")


def test_parts_of_the_bracket_have_addresses_and_one_zone_stands_alone(
    phone: Page, live_server: LiveServer
) -> None:
    """Issue 7.1: a zone or a round at a time on a phone; one's own table is remembered."""
    made = published(27)
    url = address(made, live_server)
    phone.goto(f"{url}#t2-2")
    expect(phone.locator("#t2-2")).to_be_in_viewport()
    expect(phone.locator("#t1-1")).not_to_be_in_viewport()
    phone.goto(url)
    phone.get_by_label("乙区").check()
    expect(phone.locator("#round-1 .block:visible")).to_have_count(3)
    expect(phone.locator("#t1-4")).to_be_visible()
    line = phone.locator("#t1-4 .line").nth(1)
    name = line.locator(".who a").inner_text()
    line.tap(position={"x": 280, "y": 20})
    expect(phone.locator("#mine .name")).to_have_text(name)
    phone.goto(url)
    expect(phone.locator("#mine")).to_contain_text(f"我的桌 第 1 轮 · 第 4 桌 {name}")
    phone.locator("#mine .table").tap()
    expect(phone.locator("#t1-4")).to_be_in_viewport()
    phone.locator("#mine .clear").tap()
    expect(phone.locator("#mine .hint")).to_be_visible()


def test_poll_with_news_leaves_the_reader_alone_and_says_what_it_knows(
    browser: Browser, live_server: LiveServer
) -> None:
    """Issue 7.2: focus, scroll, selection stay; behind, offline, recovered, over."""
    made = published(27)
    table, other = made.tables(1)[:2]
    forget()
    with someone(browser, 700) as page:
        page.goto(f"{address(made, live_server)}")
        page.evaluate("""() => {
          document.querySelector(".bracket").scrollLeft = 700;
          scrollTo(0, 300);
          document.querySelector("#t1-9 .line:last-child .who a").focus({ preventScroll: true });
          getSelection().selectAllChildren(document.querySelector("#t1-9 .block-head a"));
        }""")
        before = page.evaluate("[scrollY, document.querySelector('.bracket').scrollLeft]")
        play_sheet(made, table)
        forget()
        page.evaluate(REFRESH)
        expect(page.locator("#t1-1.provisional")).to_have_count(1, timeout=20_000)
        page.wait_for_timeout(200)
        assert page.evaluate("[scrollY, document.querySelector('.bracket').scrollLeft]") == before
        focused = "document.activeElement.closest('.block').id"
        assert page.evaluate(focused) == "t1-9"
        assert page.evaluate("String(getSelection())") == "第 9 桌"
        status = page.locator(".live")
        page.context.set_offline(True)
        page.evaluate(REFRESH)
        expect(status).to_contain_text("没有网络")
        play_sheet(made, other)
        forget()
        page.context.set_offline(False)
        expect(page.locator("#t1-2.provisional")).to_have_count(1, timeout=20_000)
        expect(status).to_contain_text("已更新")


def test_poll_of_the_bracket_ends_with_the_competition(
    phone: Page, live_server: LiveServer
) -> None:
    made = published(3)
    forget()
    phone.goto(address(made, live_server))
    play_out(made)
    finalize_round(acting=made.owner, round_=made.stage.rounds.get())
    forget()
    phone.evaluate(REFRESH)
    expect(phone.locator(".live")).to_have_text("已结束")
    expect(phone.locator("#bracket")).to_have_attribute("data-live", "over")
