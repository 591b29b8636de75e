"""One competition from a pasted list to its champion, as people see it in their browsers."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.domain.board import Board
from scoring.domain.hands import Entered, enter_hand
from scoring.domain.sheets import confirm_sheet, open_sheet, submit_sheet
from scoring.enums import Evidence
from tests.e2e.organizing import HANDS, Organizer, keep, key, simulated, tap
from tests.e2e.outbox import LISTED
from tests.e2e.stations import PHONE, Album, follow, overflows, someone
from tests.scoring.test_taps import SAVE, slip_taps
from tournament.acting import Acting
from tournament.enums import Role, State
from tournament.models import Competition, Membership, Table

pytestmark = pytest.mark.django_db(transaction=True)


def play_rest(competition: Competition, chief: Acting) -> None:
    """All tables not yet confirmed, each won by 甲, through the functions the pages use."""
    while True:
        ready = Table.objects.filter(
            round__stage__event__competition=competition, state=State.PUBLISHED
        ).order_by("round__number", "number")
        table = ready.select_related("round").first()
        if table is None:
            return
        sheet = open_sheet(table)
        for payer in (None, None, "乙"):
            source = "discard" if payer else "own-flip"
            payload = {"source": source, "winner": "甲", "payer": payer, "hu": 16, "xing_count": 1}
            entered = Entered(Evidence.RESULT, payload)
            enter_hand(acting=chief, sheet=sheet, entered=entered)
        submit_sheet(acting=chief, sheet=sheet)
        confirm_sheet(acting=chief, sheet=sheet, digest=Board(sheet).digest)


def test_competition_from_a_pasted_list_to_its_champion(
    organizer: Organizer, browser: Browser, live_server: LiveServer, album: Album
) -> None:
    """The whole of C2–C8 as an organizer, a referee, three players and a spectator see it."""
    organizer.log_in("zhang")
    competition = organizer.create()
    album.take_all(organizer.page, "01-manage-new")
    organizer.shorten(competition)
    organizer.paste(competition)
    album.take_all(organizer.page, "02-entrants")
    organizer.choose_plan(competition)
    album.take_all(organizer.page, "03-ways")
    organizer.draw()
    album.take_all(organizer.page, "04-drawn")
    organizer.publish(competition)
    album.take_all(organizer.page, "05-manage-published")
    referee_link = organizer.give_link(competition, "referee")
    album.take_all(organizer.page, "06-link")
    table_links = organizer.print_tables(competition)
    assert len(table_links) == 9
    album.take(organizer.page, "07-table-cards")

    table = three_seats(competition)
    with someone(browser, PHONE) as phone:
        winner = referee_fills_the_sheet(phone, referee_link, table, album)
    with someone(browser, PHONE) as phone:
        players_confirm(phone, table_links[table.number - 1], album)
    spectator_sees(browser, live_server.url, competition, winner, album)

    owner = Membership.objects.filter(competition=competition).first()
    assert owner is not None
    chief = Acting(
        user_id=owner.user_id, competition_id=competition.pk, roles=frozenset({Role.CHIEF})
    )
    play_rest(competition, chief)
    champion = competition.events.get().entrants.get(status="in")
    with someone(browser) as page:
        page.goto(f"{live_server.url}/c/{competition.code}/")
        expect(page.locator("main")).to_contain_text("冠军")
        expect(page.locator("main")).to_contain_text(champion.name)
        album.take_all(page, "30-champion")


def three_seats(competition: Competition) -> Table:
    """The first table of three in round 1."""
    return Table.objects.filter(
        round__stage__event__competition=competition, round__number=1, seat_count=3
    ).order_by("number")[0]


def referee_fills_the_sheet(phone: Page, link: str, table: Table, album: Album) -> str:
    """Result line, slip and record on a phone, a wrong one of each told; returns who leads."""
    phone.goto(link)
    expect(phone.locator("h1")).to_be_visible()
    album.take_all(phone, "10-desk")
    follow(phone.locator(f'a[href*="/table/{table.pk}/sheet/"]').first, Locator.tap)
    album.take_all(phone, "11-sheet-empty")

    enter_result_line(phone, album)
    enter_slip(phone, album)
    enter_record(phone, table, album)

    expect(phone.locator("main")).to_contain_text(f"{HANDS} / {HANDS} 局")
    album.take_all(phone, "20-sheet-full")
    follow(phone.get_by_role("button", name="提交记分表"), Locator.tap)
    expect(phone.locator("main")).to_contain_text("记分表已提交")
    album.take(phone, "21-submitted")
    seat = table.seats.select_related("entrant__entry__person").get(position=0)
    assert seat.entrant is not None
    return seat.entrant.name


def enter_result_line(phone: Page, album: Album) -> None:
    """C6.1: eight taps at most; one that cannot be is told, what was typed is kept until it is put
    away."""
    tap(phone, key("source", "discard"), key("winner", "甲"), key("payer", "乙"))
    tap(phone, '[data-digit="0"]', '[data-digit="3"]')
    keep(phone)
    expect(phone.locator(".errorlist, .note.bad").first).to_be_visible()
    album.take(phone, "12-result-line-wrong")
    assert phone.locator("[name=hu]").input_value() == "03"
    assert phone.locator("[name=winner]:checked").input_value() == "甲"

    phone.once("dialog", lambda dialog: dialog.accept())
    phone.get_by_role("button", name="不要这一局").tap()
    expect(phone.locator(LISTED)).to_have_count(0)
    phone.goto(phone.url)
    taps = tap(
        phone,
        key("source", "discard"),
        key("winner", "甲"),
        key("payer", "乙"),
        '[data-digit="1"]',
        '[data-digit="6"]',
        '[data-digit="2"]',
    )
    expect(phone.locator("#answer .outcome")).to_be_visible()
    album.take(phone, "13-result-line")
    taps += keep(phone)
    assert taps <= 8
    expect(phone.locator("main")).to_contain_text(f"1 / {HANDS} 局")


def enter_slip(phone: Page, album: Album) -> None:
    """A slip by tapping cards, 吃 in two taps; a claimed 胡 that is wrong stands beside ours."""
    follow(phone.locator(".tabs a", has_text="结算单"), Locator.tap)
    taps = tap(phone, key("source", "own-flip"), key("winner", "甲"))
    taps += tap(phone, *(f'[data-card="{card}"]' for card in "七七七壹壹壹贰贰贰陆陆捌捌捌"))
    taps += tap(phone, '[data-mode="吃"]', '[data-card="一"]', '[data-group="一二三"]')
    taps += tap(phone, '[data-card="四"]', '[data-group="四五六"]')
    taps += tap(phone, '[data-mode="card"]', '[data-card="陆"]', '[data-card="九"]')
    assert taps + SAVE == slip_taps(SLIP) == 25
    expect(phone.locator("#answer .outcome")).to_be_visible()
    album.take(phone, "14-slip")
    tap(phone, "details.more summary")
    phone.fill("[name=claim_hu]", "99")
    keep(phone)
    expect(phone.locator("#differs")).to_contain_text("99")
    album.take(phone, "15-slip-differs")
    assert phone.locator("[name=hand]").input_value() == "七七七壹壹壹贰贰贰陆陆捌捌捌"
    tap(phone, "details.more summary") if not phone.locator("[name=claim_hu]").is_visible() else 0
    phone.fill("[name=claim_hu]", "")
    keep(phone)
    expect(phone.locator("main")).to_contain_text(f"2 / {HANDS} 局")
    album.take(phone, "16-after-slip")


SLIP: dict[str, object] = {
    "source": "own-flip", "winner": "甲", "hand": "七七七壹壹壹贰贰贰陆陆捌捌捌",
    "table": ["吃 一二三", "吃 四五六"], "card": "陆", "xing": "九",
}  # fmt: skip


def enter_record(phone: Page, table: Table, album: Album) -> None:
    """A pasted record with an illegal event has its line marked and stays in the field."""
    text = simulated(Board(open_sheet(table)).terms().dealer)
    lines = text.splitlines()
    at = next(
        i for i, line in enumerate(lines) if " 打 " in line or re.match(r"^[甲乙丙] ?打", line)
    )
    broken = "\n".join([*lines[:at], *lines[at + 1 :]]) + "\n"
    follow(phone.locator(".tabs a", has_text="牌谱"), Locator.tap)
    phone.fill("[name=text]", broken)
    keep(phone)
    expect(phone.locator("ol.record li.wrong mark").first).to_be_visible()
    album.take(phone, "17-record-wrong")
    assert phone.locator("[name=text]").input_value() == broken
    phone.fill("[name=text]", text)
    keep(phone)
    expect(phone.locator("main")).to_contain_text(f"{HANDS} / {HANDS} 局")


def players_confirm(phone: Page, link: str, album: Album) -> None:
    """C7.2: each seated player at the table's link."""
    phone.goto(link)
    album.take(phone, "22-table-link")
    follow(phone.get_by_role("button", name="看全表并确认"), Locator.tap)
    album.take_all(phone, "23-confirm")
    for left in (3, 2, 1):
        if left > 1:
            expect(phone.locator(".choice .key")).to_have_count(left)
            phone.locator(".choice .key").first.tap()
        else:
            expect(phone.locator(".choice .key")).to_have_count(0)
        follow(phone.get_by_role("button", name="看过，没有错"), Locator.tap)
    expect(phone.locator("main")).to_contain_text("这一桌已确认")
    album.take(phone, "24-confirmed")


def spectator_sees(
    browser: Browser, site: str, competition: Competition, winner: str, album: Album
) -> None:
    """Without an account: the winner stands in round 2."""
    with someone(browser) as page:
        page.goto(f"{site}/c/{competition.code}/")
        album.take_all(page, "25-competition")
        event = competition.events.get()
        page.goto(f"{site}/c/{competition.code}/event/{event.pk}/")
        second = page.locator(".bracket .round").nth(1)
        expect(second).to_contain_text(winner)
        album.take_all(page, "26-bracket")
        first = page.locator(".bracket .round").first
        follow(first.get_by_role("link", name=re.compile("桌")).first)
        album.take_all(page, "27-table")
        assert not overflows(page)
