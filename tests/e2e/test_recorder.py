"""A hand recorded by real taps on a phone, gone on with on another device, and saved."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import HandVersion, Recording
from scoring.recorder import SHOWN, WALL
from tests.e2e.stations import DESK, PHONE, follow, grave_faults, log_in_as, overflows, someone
from tests.scoring.clients import member
from tests.scoring.recorder import deal_of, events_of
from tests.scoring.records import won
from tests.scoring.sheets import Hall, make_hall
from tournament.enums import Role

pytestmark = pytest.mark.django_db(transaction=True)

TARGETS = """all => all.map(e => e.getBoundingClientRect())
  .filter(r => r.width && (r.height < 56 || r.width < 44)).length"""


SETTLING = ".htmx-request, .htmx-swapping, .htmx-settling, .htmx-added"


def settled(page: Page) -> None:
    """The page takes the next tap: htmx has made the new buttons its own."""
    expect(page.locator(SETTLING)).to_have_count(0)


def record(page: Page) -> str:
    settled(page)
    return page.locator(".zpr").text_content() or ""


def tap_event(page: Page, event: str) -> None:
    before = record(page)
    page.locator(f'#recording button[value="{event}"]').click()
    expect(page.locator(".zpr")).not_to_have_text(before)


def play_on(page: Page, events: list[str], until: int) -> None:
    while len(done := events_of(record(page))) < until:
        tap_event(page, events[len(done)])


def check(page: Page) -> None:
    assert grave_faults(page) == []
    assert not overflows(page)
    assert page.locator("#recording button[name=do]").evaluate_all(TARGETS) == 0


def deal(page: Page, cards: dict[str, str]) -> None:
    """Two hands as fast as the browser can tap: no tap is lost and none is doubled; the rest
    pasted."""
    for done, place in enumerate([SHOWN, "甲", "乙", "丙", WALL], 1):
        if place in ("丙", WALL):
            page.get_by_text("的牌一次贴上").tap()
            page.get_by_label(place).fill(cards[place])
            page.get_by_role("button", name="写上").tap()
        else:
            for card in cards[place]:
                page.locator(f'#recording .tile[value$=" {card}"]').tap()
        full = page.locator(".deal-places .full")
        expect(full).to_have_count(done, timeout=60_000)  # a place is 21 answers, one by one
        settled(page)


def test_hand_is_recorded_by_taps_and_gone_on_with_elsewhere(
    browser: Browser, live_server: LiveServer
) -> None:
    """Byte for byte; axe-core clean, keys of 56 px; a lost tap changes nothing; a stale page is
    told what came."""
    hall = make_hall(12)
    text = won().replace("\n庄:", "\n局: 1\n庄:")
    events = events_of(text)
    session = member(hall, Role.REFEREE).cookies[settings.SESSION_COOKIE_NAME].value
    recorder = live_server.url + reverse("recorder", args=[hall.competition.code, hall.table.pk])
    with someone(browser, PHONE) as phone, someone(browser, DESK) as desk:
        for page in (phone, desk):
            log_in_as(page.context, live_server.url, session)
        phone.goto(recorder)
        assert grave_faults(phone) == []
        follow(phone.get_by_role("button", name="开始记"), Locator.tap)
        deal(phone, deal_of(text))
        check(phone)
        phone.get_by_role("button", name="发完了，开始打").tap()
        expect(phone.locator(".zpr")).to_be_attached()
        play_on(phone, events, len(events) // 2)
        check(phone)
        _lose_a_tap(phone, events)

        desk.goto(recorder)
        follow(desk.get_by_role("button", name="第 1 局"))
        assert record(desk) == record(phone)
        play_on(desk, events, len(events))
        assert record(desk) == text
        _tap_on_the_stale_page(phone)
        assert record(phone) == text
        desk.get_by_role("button", name="撤回上一下").click()
        expect(desk.locator(".zpr")).not_to_have_text(text)
        play_on(desk, events, len(events))
        check(desk)
        follow(desk.get_by_role("button", name="保存牌谱"))
        expect(desk.get_by_text("第 1 局的牌谱已保存。")).to_be_visible()
    _saved(hall, text)


def _lose_a_tap(phone: Page, events: list[str]) -> None:
    before = record(phone)
    phone.context.set_offline(True)
    phone.locator(f'#recording button[value="{events[len(events_of(before))]}"]').tap()
    expect(phone.get_by_text("这一下没有送到")).to_be_visible()
    assert record(phone) == before
    phone.context.set_offline(False)


def _tap_on_the_stale_page(phone: Page) -> None:
    phone.locator("#recording button[name=do]:visible").first.tap()
    expect(phone.get_by_text("刚刚在别处有改动")).to_be_visible()


def _saved(hall: Hall, text: str) -> None:
    assert HandVersion.objects.get(hand__sheet=hall.sheet).payload == {"text": text}
    assert Recording.objects.get().version is not None
