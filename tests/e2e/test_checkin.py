"""At the door: badges are printed, and a referee's phone reads one and checks its owner in."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from core.models import User
from tests.e2e.stations import PHONE, Album, follow, grave_faults, log_in_as, overflows, someone
from tests.tournament.competitions import Made, make
from tournament.domain.badges import issue_badges
from tournament.domain.links import issue_link
from tournament.enums import Role
from tournament.models import Entry, Person

pytestmark = pytest.mark.django_db(transaction=True)

BEFORE_THE_DRAW = (
    "manage_arrivals", "manage_badges", "manage_seeds", "manage_seeds_standing",
    "manage_numbers", "manage_draw", "manage_entrants",
)  # fmt: skip


def enter(page: Page, made: Made, server: LiveServer) -> None:
    """Logged in as the owner."""
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id))
    key = client.cookies[settings.SESSION_COOKIE_NAME].value
    log_in_as(page.context, server.url, key)


def test_referees_phone_reads_a_badge_and_checks_its_owner_in(
    live_server: LiveServer, phone: Page, album: Album
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
    assert box is not None
    assert box["height"] >= 56
    assert box["width"] >= 300
    album.take(phone, "check-in")
    assert grave_faults(phone) == []
    follow(button)
    expect(phone.get_by_role("status").filter(has_text="已签到")).to_be_visible()
    entry.refresh_from_db()
    assert entry.checked_in_at is not None
    album.take(phone, "checked-in")
    assert grave_faults(phone) == []
    follow(phone.get_by_role("button", name="撤销签到"))
    expect(button).to_be_visible()

    # The desk's own link is still there after all that.
    phone.goto(live_server.url + reverse("manage_arrivals", args=[made.competition.code]))
    expect(phone.get_by_role("heading", name="批量签到")).to_be_visible()


def test_check_in_by_the_keyboard_keeps_its_place_in_the_list(
    live_server: LiveServer, browser: Browser
) -> None:
    made = make(9)
    with someone(browser) as page:
        enter(page, made, live_server)
        page.goto(live_server.url + reverse("manage_entrants", args=[made.competition.code]))
        page.get_by_role("button", name="选手4 签到", exact=True).press("Enter")
        expect(page.get_by_role("button", name="撤销 选手4 的签到")).to_be_focused()
    assert Entry.objects.get(number=4).checked_in_at is not None


def test_badges_and_seat_cards_are_whole_on_their_sheets(
    live_server: LiveServer, browser: Browser, album: Album
) -> None:
    """Ten badges are two sheets of A4, ten seat cards five more; no card is cut."""
    made = make(10)
    Entry.objects.filter(number=3).update(unit="桂林市象山区二塘乡老年人体育协会字牌代表队")
    Person.objects.filter(entries__number=3).update(name="欧阳·" + "买买提" * 6)
    with someone(browser, java_script_enabled=False) as page:
        enter(page, made, live_server)
        address = live_server.url + reverse("manage_badges", args=[made.competition.code])
        page.goto(address)
        page.get_by_label("胸牌和座位卡（同一个二维码）").check()
        follow(page.get_by_role("button", name="发新链接并印列出的 10 人"))
        expect(page.locator(".badge-card")).to_have_count(10)
        album.take(page, "badges")
        pdf = page.pdf(path=album.folder / "badges.pdf", prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 7
        for card in page.locator(".badge-card, .seat-card").all():
            assert card.evaluate("e => e.scrollHeight <= e.clientHeight + 1"), card.inner_text()
        page.goto(address)
        expect(page.get_by_role("heading", name="没有要印的人")).to_be_visible()


def test_pages_before_the_draw_are_accessible_on_a_phone(
    live_server: LiveServer, browser: Browser, album: Album
) -> None:
    made = make(27)
    with someone(browser, PHONE) as page:
        enter(page, made, live_server)
        for name in BEFORE_THE_DRAW:
            query = "?order=pinyin" if name == "manage_numbers" else ""
            page.goto(live_server.url + reverse(name, args=[made.competition.code]) + query)
            album.take(page, name)
            assert (name, grave_faults(page), overflows(page)) == (name, [], False)
