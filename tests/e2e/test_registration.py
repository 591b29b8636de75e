"""Registering on a phone, with scripts and without: waiting list, moving up, withdrawing (C1.2)."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.e2e.stations import follow
from tests.tournament.competitions import Made
from tests.tournament.registrations import registered, taking
from tournament.domain.announcements import announce
from tournament.enums import Ask
from tournament.models import Entry

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = {"width": 360, "height": 740}
READING_MS = 2_200
"""Longer than a program takes to fill the form in."""


def open_form(page: Page, server: LiveServer, made: Made) -> None:
    """From the competition's page to its form."""
    page.goto(server.url + made.competition.get_absolute_url())
    follow(page.get_by_role("button", name="我要报名"))
    page.wait_for_timeout(READING_MS)


def fill(page: Page, name: str, phone: str) -> None:
    page.get_by_label("姓名").fill(name)
    page.get_by_label("代表单位").fill("象山队")
    page.get_by_label("手机号").fill(phone)
    page.get_by_label("我已看过并同意上面的文字").check()


def press(page: Page, name: str) -> None:
    """A button whose answer is a page."""
    follow(page.get_by_role("button", name=name, exact=True))


def assert_fits(page: Page) -> None:
    """Nothing is wider than the phone, and there is one heading."""
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"], page.url
    assert page.locator("h1").count() == 1


def test_register_wait_move_up_and_withdraw_on_two_phones(
    phone: Page, browser: Browser, live_server: LiveServer
) -> None:
    made = taking(capacity=1, ask_phone=Ask.MUST, ask_note=Ask.MAY, consent="同意公布姓名和成绩。")
    other_context = browser.new_context(
        viewport=PHONE, has_touch=True, is_mobile=True, locale="zh-CN"
    )
    other = other_context.new_page()

    open_form(phone, live_server, made)
    assert_fits(phone)
    fill(phone, "覃小明", "不说")
    press(phone, "报名")
    expect(phone.get_by_role("alert")).to_contain_text("手机号只能由数字组成")
    expect(phone.get_by_label("姓名")).to_have_value("覃小明")
    assert_fits(phone)
    phone.get_by_label("手机号").fill("13800138000")
    press(phone, "报名")
    expect(phone.get_by_role("heading", level=1)).to_have_text("报名收到了")
    expect(phone.locator("main")).to_contain_text("已报上名")
    expect(phone.locator("figure svg")).to_be_visible()
    assert_fits(phone)
    press(phone, "打开我的页面")
    expect(phone).to_have_url(re.compile(r"/my/\d+/$"))
    assert_fits(phone)

    open_form(other, live_server, made)
    fill(other, "秦大海", "13900139000")
    press(other, "报名")
    expect(other.locator("main")).to_contain_text("候补第 1 位")
    press(other, "打开我的页面")
    expect(other.locator("main")).to_contain_text("候补第 1 位")

    press(phone, "退出")
    assert_fits(phone)
    press(phone, "确定退出")
    expect(phone.locator("main")).to_contain_text("已退出")

    other.reload()
    expect(other.get_by_role("status").first).to_contain_text("您已从候补转正")
    expect(other.locator("main")).to_contain_text("已报上名")
    press(other, "改报名")
    assert_fits(other)
    other.get_by_label("备注").fill("靠门口")
    press(other, "保存")
    expect(other.locator("main")).to_contain_text("已保存。")
    assert_fits(other)
    other_context.close()

    statuses = Entry.objects.order_by("pk").values_list("person__name", "status", "person__note")
    assert list(statuses) == [("覃小明", "withdrawn", ""), ("秦大海", "confirmed", "靠门口")]


def test_double_is_asked_once_and_registering_needs_no_scripts(
    browser: Browser, live_server: LiveServer
) -> None:
    made = taking()
    registered(made, "覃小明")
    context = browser.new_context(viewport=PHONE, java_script_enabled=False, locale="zh-CN")
    page = context.new_page()
    open_form(page, live_server, made)
    page.get_by_label("姓名").fill("覃小明")
    press(page, "报名")
    another = page.get_by_label("是另一个人", exact=True)
    expect(another).not_to_be_checked()
    another.check()
    press(page, "报名")
    expect(page.get_by_role("heading", level=1)).to_have_text("报名收到了")
    context.close()
    assert Entry.objects.count() == 2


def test_announcement_reaches_an_open_page(phone: Page, live_server: LiveServer) -> None:
    made = taking(3)
    phone.goto(live_server.url + made.competition.get_absolute_url())
    expect(phone.get_by_role("heading", name="公告")).to_have_count(0)
    announce(
        acting=made.owner,
        competition=made.competition,
        values={"title": "改到二楼", "text": "请走东门。", "publish_at": None},
    )
    shown = phone.locator("#announcements + ul")
    expect(shown).to_contain_text("改到二楼", timeout=20_000)
    assert_fits(phone)
    calendar = phone.request.get(
        live_server.url + reverse("calendar", args=[made.competition.code])
    )
    assert calendar.headers["content-type"] == "text/calendar; charset=utf-8"
    assert calendar.body().startswith(b"BEGIN:VCALENDAR\r\n")
