"""A list with mistakes is uploaded, mended on the page, confirmed and taken back, in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from core.models import User
from tests.e2e.stations import (
    DESK,
    PHONE,
    Album,
    follow,
    grave_faults,
    log_in_as,
    overflows,
    someone,
)
from tests.tournament.competitions import Made, make
from tests.tournament.spreadsheets import table
from tournament.domain.entries import add_pasted
from tournament.models import Entry

pytestmark = pytest.mark.django_db(transaction=True)

LIST = table(
    ["2026 年漓江杯报名表"],
    ["编号", "姓 名", "代表单位", "手机号码"],
    [11, "覃 小明", "象山队", 13800138000.0],
    [12, "莫家骏", "灵川队", "1380013800"],
    [13, "阳秀英", "临桂队", None],
    [None, "唐明", "叠彩队", None],
)


@pytest.fixture
def made() -> Made:
    made = make()
    add_pasted(acting=made.owner, event=made.event, text="唐明\t七星队")
    return made


def logged_in(page: Page, live_server: LiveServer, made: Made) -> str:
    """The address of the competition's manage pages."""
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id))
    log_in_as(page.context, live_server.url, client.cookies["sessionid"].value)
    return f"{live_server.url}/c/{made.competition.code}/manage/"


@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
def test_list_with_a_mistake_is_mended_confirmed_and_undone(
    browser: Browser, live_server: LiveServer, made: Made, tmp_path: Path, width: int, scripts: bool
) -> None:
    album = Album(tmp_path)
    file = tmp_path / "报名表.xlsx"
    file.write_bytes(LIST)

    def look(page: Page, name: str) -> None:
        """No grave fault, nothing wider than the screen."""
        if scripts:
            assert grave_faults(page) == [], name
            album.take(page, f"import-{name}-{width}")
        assert not overflows(page), name

    with someone(browser, width, java_script_enabled=scripts) as page:
        home = logged_in(page, live_server, made)
        page.goto(f"{home}entrants/")
        follow(page.get_by_role("button", name="导入表格"))
        look(page, "upload")
        page.set_input_files("[name=file]", file)
        follow(page.get_by_role("button", name="看预览"))

        expect(page.locator("main")).to_contain_text("手机号要 11 位数字，这里是 10 位")
        expect(page.locator("main")).to_contain_text("已有同名选手：1 号唐明，单位不同")
        look(page, "preview")
        assert Entry.objects.count() == 1

        follow(page.get_by_role("link", name="改第 4 行"))
        look(page, "line")
        page.fill("[name=phone]", "13800138001")
        follow(page.get_by_role("button", name="保存，回到预览"))
        expect(page.get_by_role("button", name="确认导入 3 名")).to_be_visible()
        expect(page.locator("main")).to_contain_text("138****8001")
        page.get_by_label("第 6 行 唐明").select_option("update")
        follow(page.get_by_role("button", name="确认导入"))

        expect(page.locator("main")).to_contain_text("已导入")
        look(page, "done")
        people = Entry.objects.order_by("number")
        assert list(people.values_list("number", "person__name", "unit", "person__phone")) == [
            (1, "唐明", "叠彩队", ""),
            (11, "覃小明", "象山队", "13800138000"),
            (12, "莫家骏", "灵川队", "13800138001"),
            (13, "阳秀英", "临桂队", ""),
        ]

        follow(page.get_by_role("button", name="撤销整批导入"))
        expect(page.locator("main")).to_contain_text("名单和导入前一样")
        assert list(people.values_list("person__name", "unit")) == [("唐明", "七星队")]


def test_phone_is_seen_by_a_click_and_a_reading_corrected(
    browser: Browser, live_server: LiveServer, made: Made
) -> None:
    entry = Entry.objects.get()
    entry.person.phone = "13800138000"
    entry.person.save()
    with someone(browser, PHONE) as page:
        home = logged_in(page, live_server, made)
        page.goto(f"{home}entrants/{entry.entrants.get().pk}/")
        expect(page.locator("main")).to_contain_text("138****8000")
        assert "13800138000" not in page.content()
        follow(page.get_by_role("button", name="看手机号"))
        expect(page.locator("main")).to_contain_text("13800138000")
        assert grave_faults(page) == []
        follow(page.get_by_role("button", name="返回"))
        follow(page.get_by_role("button", name="改拼音"))
        assert grave_faults(page) == []
        page.fill("[name=reading]", "dang ming")
        follow(page.get_by_role("button", name="保存"))
        page.get_by_role("searchbox").fill("dangm")
        follow(page.get_by_role("button", name="查找"))
        expect(page.locator(".entrants")).to_contain_text("唐明")
