"""The main paths of organizer and referee work in a browser that runs no scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from tests.e2e.organizing import HANDS, PASSWORD, Organizer, key, simulated
from tests.e2e.stations import PHONE, follow, someone
from tests.factories import make_user
from tests.tournament.competitions import make_published
from tournament.domain.links import issue_link
from tournament.enums import ConfirmationMode, Role, State

pytestmark = pytest.mark.django_db(transaction=True)


def test_organizer_gets_from_a_list_to_a_published_draw(
    browser: Browser, live_server: LiveServer
) -> None:
    make_user("zhang", password=PASSWORD)
    with someone(browser, java_script_enabled=False) as page:
        organizer = Organizer(page, live_server.url)
        organizer.log_in("zhang")
        competition = organizer.create()
        organizer.shorten(competition)
        organizer.paste(competition)
        organizer.choose_plan(competition)
        organizer.draw()
        organizer.publish(competition)
    stage = competition.events.get().stages.get()
    assert stage.rounds.get(number=1).state == State.PUBLISHED
    assert stage.rounds.get(number=1).tables.count() == 9
    competition.refresh_from_db()
    assert competition.is_published


def test_referee_fills_and_submits_a_sheet(browser: Browser, live_server: LiveServer) -> None:
    """Result line, slip and record as plain fields; the engine's answer comes with the save."""
    made = make_published(3)
    made.stage.confirmation = ConfirmationMode.NONE
    made.stage.save()
    made.stage.rounds.update(hands=HANDS)
    (table,) = made.tables(1)
    link = issue_link(acting=made.owner, competition=made.competition, role=Role.REFEREE)
    with someone(browser, PHONE, java_script_enabled=False) as page:
        page.goto(f"{live_server.url}/l/{link.token}/")
        follow(page.locator(f'a[href*="/table/{table.pk}/sheet/"]').first)
        main = page.locator("main")

        for selector in (key("source", "discard"), key("winner", "甲"), key("payer", "乙")):
            page.click(selector)
        page.fill("[name=hu]", "16")
        follow(page.locator(".savebar button"))
        expect(main).to_contain_text(f"1 / {HANDS} 局")

        follow(page.locator(".tabs a", has_text="结算单"))
        page.click(key("source", "own-flip"))
        page.click(key("winner", "甲"))
        page.fill("[name=hand]", "七七七壹壹壹贰贰贰陆陆捌捌捌")
        page.fill("[name=table]", "吃 一二三\n吃 四五六")
        page.fill("[name=card]", "陆")
        page.fill("[name=xing]", "九")
        follow(page.locator(".savebar button"))
        expect(main).to_contain_text(f"2 / {HANDS} 局")

        follow(page.locator(".tabs a", has_text="牌谱"))
        page.fill("[name=text]", simulated(0))
        follow(page.locator(".savebar button"))
        expect(main).to_contain_text(f"{HANDS} / {HANDS} 局")
        follow(page.get_by_role("button", name="提交记分表"))
        expect(main).to_contain_text("记分表已确认")
    table.refresh_from_db()
    assert table.state == State.CONFIRMED
