"""The pads, the bracket and live regions in a browser at 360 px."""

import pytest
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

pytestmark = [
    pytest.mark.urls("tests.e2e.look_urls"),
    pytest.mark.django_db(transaction=True),
]

REFRESH = "window.dispatchEvent(new Event('online'))"


@pytest.fixture
def guide(phone: Page, live_server: LiveServer) -> Page:
    """The style guide, open on a phone."""
    phone.goto(f"{live_server.url}/styleguide/")
    return phone


def _tap(page: Page, *selectors: str) -> None:
    for selector in selectors:
        page.locator(selector).first.tap()


def _cards(page: Page, cards: str) -> None:
    _tap(page, *(f'[data-card="{name}"]' for name in cards))


def _offers(page: Page, *groups: str) -> None:
    """Nothing else than these, in this order."""
    offered = page.locator("[data-group]")
    expect(offered).to_have_count(len(groups))
    for place, group in enumerate(groups):
        expect(offered.nth(place)).to_have_attribute("data-group", group)


def test_page_does_not_scroll_sideways_at_360_px(guide: Page) -> None:
    assert guide.evaluate("document.documentElement.scrollWidth") == 360


def test_slip_is_composed_by_tapping(guide: Page) -> None:
    """cli.md's slip, in its words."""
    _cards(guide, "四四四捌捌八伍陆一二三")
    _tap(guide, '[data-mode="碰"]', '[data-card="九"]', '[data-mode="扫"]', '[data-card="壹"]')
    _tap(guide, '[data-mode="吃"]', '[data-card="二"]', '[data-group="二七十"]')
    _tap(guide, '[data-mode="card"]', '[data-card="柒"]', '[data-mode="xing"]', '[data-card="七"]')
    expect(guide.locator("[name=xing]")).to_have_value("七")
    expect(guide.locator("[name=hand]")).to_have_value("一二三四四四八伍陆捌捌")
    expect(guide.locator("[name=table]")).to_have_value("碰 九\n扫 壹\n吃 二七十")
    expect(guide.locator("[name=card]")).to_have_value("柒")
    expect(guide.locator("[data-tiles-count]")).to_have_text("手牌 11 张，桌上 3 组")


def test_slip_enables_only_cards_that_are_left(guide: Page) -> None:
    _cards(guide, "四四四")
    expect(guide.locator('[data-card="四"]')).to_be_enabled()
    _tap(guide, '[data-mode="碰"]')
    expect(guide.locator('[data-card="四"]')).to_be_disabled()
    expect(guide.locator('[data-card="肆"]')).to_be_enabled()
    _tap(guide, '[data-mode="hand"]', '[data-card="四"]')
    expect(guide.locator('[data-card="四"]')).to_be_disabled()


def test_slip_offers_the_groups_a_card_can_be_eaten_in(guide: Page) -> None:
    """R5.1: runs, 二七十 and 搭子; none for which a card is gone."""
    _tap(guide, '[data-mode="吃"]', '[data-card="二"]')
    _offers(guide, "一二三", "二三四", "二七十", "二二贰", "二贰贰")
    _tap(guide, '[data-mode="hand"]')
    _cards(guide, "三三三三")
    _tap(guide, '[data-mode="吃"]', '[data-card="二"]')
    _offers(guide, "二七十", "二二贰", "二贰贰")


def test_slip_takes_back_what_is_tapped(guide: Page) -> None:
    _cards(guide, "一二")
    _tap(guide, '[data-tiles-field="hand"] .tray button')
    expect(guide.locator("[name=hand]")).to_have_value("二")
    _tap(guide, '[data-mode="碰"]', '[data-card="九"]', "[data-tiles] [data-erase]")
    expect(guide.locator("[name=table]")).to_have_value("")


def test_result_line_of_a_dianpao_takes_eight_taps_with_saving(guide: Page) -> None:
    """C6.1: source, winner, payer, two digits of 胡, 醒, special; saving is the eighth."""
    _tap(
        guide,
        '.key:has([name=source][value="discard"])',
        '.key:has([name=winner][value="丙"])',
        '.key:has([name=payer][value="甲"])',
        '[data-digit="2"]',
        '[data-digit="3"]',
        '[data-digit="4"]',
        '.key:has([name=special][value="地胡"])',
    )
    expect(guide.locator("[name=hu]")).to_have_value("23")
    expect(guide.locator("[name=xing_count]")).to_have_value("4")
    chosen = guide.locator(".result-line :checked")
    expect(chosen).to_have_count(4)
    for place, value in enumerate(("discard", "丙", "甲", "地胡")):
        expect(chosen.nth(place)).to_have_value(value)


def test_result_line_asks_for_a_payer_only_after_a_discard(guide: Page) -> None:
    expect(guide.locator(".payer")).to_be_visible()
    _tap(guide, '.key:has([name=source][value="own-flip"])')
    expect(guide.locator(".payer")).to_be_hidden()
    _tap(guide, '.key:has([name=source][value="draw"])')
    expect(guide.locator(".result-line .winner")).to_be_hidden()


def test_result_line_lets_nobody_pay_himself(guide: Page) -> None:
    _tap(guide, '.key:has([name=winner][value="乙"])')
    expect(guide.locator('.key:has([name=payer][value="乙"])')).to_be_hidden()


def test_keys_of_the_referee_are_56_px(guide: Page) -> None:
    """look.md, Space."""
    keys = guide.locator(".key:visible, .pad button, .tile, .modes button, .savebar button")
    boxes = keys.evaluate_all(
        "all => all.map(e => e.getBoundingClientRect()).map(b => [b.width, b.height])"
    )
    assert min(width for width, _ in boxes) >= 56
    assert min(height for _, height in boxes) >= 56


def test_bracket_inks_the_way_of_who_is_tapped(guide: Page) -> None:
    _tap(guide, '[data-entrant="7"] .net')
    inked = guide.locator("[data-bracket] .inked")
    expect(inked).to_have_count(2)
    expect(inked.and_(guide.locator('[data-entrant="7"]'))).to_have_count(2)


def test_bracket_shows_one_round_a_screen(guide: Page) -> None:
    widths = guide.locator(".bracket .round").evaluate_all("all => all.map(e => e.offsetWidth)")
    assert widths == [360, 360, 360]


@pytest.fixture
def region(phone: Page, live_server: LiveServer) -> Page:
    """A page with a live region, its details open and its field in use."""
    phone.goto(f"{live_server.url}/live/")
    phone.locator("summary").click()
    phone.locator("#find").fill("莫")
    return phone


def _answer(page: Page, status: int, body: str = "", version: str = "") -> list[str]:
    asked: list[str] = []

    def fulfil(route: Route) -> None:
        asked.append(route.request.url.split("/")[-1])
        headers = {"X-Version": version} if version else {}
        route.fulfill(status=status, body=body, headers=headers)

    page.route("**/fragment?*", fulfil)
    return asked


def test_poll_that_is_current_touches_nothing(region: Page) -> None:
    """stack.md, fact 2."""
    asked = _answer(region, 204)
    region.evaluate("document.querySelector('#more').marked = true")
    region.evaluate(REFRESH)
    expect(region.locator("#region")).to_have_attribute("data-live", "ok")
    assert asked == ["fragment?v=1"]
    assert region.evaluate("document.querySelector('#more').marked") is True


def test_poll_with_news_keeps_focus_and_what_was_opened(region: Page) -> None:
    fresh = '<details id="more"><summary>more</summary>new</details><input id="find">'
    _answer(region, 200, fresh, "2-7")
    region.evaluate(REFRESH)
    expect(region.locator("#more")).to_contain_text("new")
    assert region.locator("#region").get_attribute("data-version") == "2-7"
    assert region.evaluate("document.activeElement.id") == "find"
    assert region.locator("#find").input_value() == "莫"
    assert region.evaluate("document.querySelector('#more').open") is True


def test_poll_ends_with_286(region: Page) -> None:
    asked = _answer(region, 286)
    region.evaluate(REFRESH)
    expect(region.locator(".live")).to_have_text("已结束")
    region.evaluate(REFRESH)
    region.wait_for_timeout(100)
    assert len(asked) == 1


def test_poll_that_fails_says_so_and_keeps_the_page(region: Page) -> None:
    _answer(region, 503)
    region.evaluate(REFRESH)
    expect(region.locator(".live")).to_contain_text("连不上")
    expect(region.locator("#more")).to_contain_text("old")


def test_strip_shows_while_the_network_is_gone(region: Page) -> None:
    expect(region.locator("#offline")).to_be_hidden()
    region.context.set_offline(True)
    expect(region.locator("#offline")).to_be_visible()
    _answer(region, 204)
    region.context.set_offline(False)
    expect(region.locator("#offline")).to_be_hidden()


def test_time_within_the_hour_is_relative(phone: Page, live_server: LiveServer) -> None:
    """look.md, Words."""
    phone.clock.install(time="2026-11-29T14:10:30+08:00")
    phone.goto(f"{live_server.url}/live/")
    expect(phone.locator("time").first).to_have_text("5分钟前")
    expect(phone.locator("time").last).to_have_text("11-29 12:05")
    phone.clock.run_for(60_000)
    expect(phone.locator("time").first).to_have_text("6分钟前")
