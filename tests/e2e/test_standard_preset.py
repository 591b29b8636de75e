"""桂林字牌·标准 with fifty entrants: preliminary, cut, pots, final, driven through the pages."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.domain.board import Board
from scoring.domain.hands import enter_hand
from scoring.domain.sheets import confirm_sheet, open_sheet, submit_sheet
from tests.e2e.organizing import Organizer, keep, key, tap
from tests.e2e.stations import PHONE, Album, follow, someone, sound
from tests.scoring.sheets import totals
from tournament.acting import Acting
from tournament.enums import Role, StageKind, State
from tournament.models import Competition, Entrant, Membership, Seat, Stage, Table

pytestmark = pytest.mark.django_db(transaction=True)

COUNT, UNITS = 50, 8
SEED = 20261205
PASTED = "\n".join(f"选手{n}\t单位{(n - 1) % UNITS + 1}" for n in range(1, COUNT + 1))


def test_standard_preset_from_the_list_to_a_corrected_champion(
    organizer: Organizer, browser: Browser, live_server: LiveServer, album: Album
) -> None:
    """C5.6, C4.6, C9.1: three rounds by rotation, nine go on by pots, one final."""
    organizer.log_in("zhang")
    competition = create(organizer)
    choose_standard(organizer, competition, album)
    prelim = competition.events.get().stages.get(kind=StageKind.PRELIM)
    draw(organizer, competition, "三五六红", "预赛", album)
    organizer.open(competition)
    organizer.press("公布比赛")
    assert prelim.rounds.count() == 3

    chief = acting_of(competition)
    table = Table.objects.filter(round__stage=prelim, round__number=1).order_by("number")[0]
    link = organizer.give_link(competition, "referee")
    with someone(browser, PHONE) as phone:
        referee_plays(phone, link, table)
    chief_confirms(organizer, competition, table)
    chance = random.Random(SEED)  # printed by its name: the same every time
    play_rest(prelim, chief, chance)

    close(organizer, competition, album)
    knockout = competition.events.get().stages.get(kind=StageKind.KNOCKOUT)
    draw(organizer, competition, "七七四黑", "淘汰赛", album)
    assert one_of_each_pot(knockout)

    first = Table.objects.filter(round__stage=knockout, round__number=1).order_by("number")[0]
    won = chief_plays(organizer, competition, first)
    won = chief_corrects(organizer, competition, first, won, album)
    assert holder_of(Seat.objects.get(source=first)) == won
    play_rest(knockout, chief, chance)
    champion = competition.events.get().entrants.get(status="in")
    spectator_sees(browser, live_server.url, competition, champion, album)


def create(organizer: Organizer) -> Competition:
    """With its organizer as chief referee too, and fifty pasted names."""
    page = organizer.page
    page.goto(f"{organizer.site}/manage/")
    follow(page.get_by_text("新建比赛").first)
    page.fill("[name=name]", "桂林杯")
    page.fill("[name=starts_on]", "2026-12-05")
    page.check("[name=also_chief]")
    organizer.press("新建比赛")
    competition = Competition.objects.get(name="桂林杯")
    organizer.open(competition)
    organizer.follow("粘贴名单")
    page.fill("textarea", PASTED)
    organizer.press("添加")
    expect(page.locator("main")).to_contain_text(f"已添加 {COUNT} 名选手")
    return competition


def choose_standard(organizer: Organizer, competition: Competition, album: Album) -> None:
    """The preset's figures are shown before it is saved, and follow what is changed."""
    page = organizer.page
    organizer.open(competition, "format/")
    organizer.follow("桂林字牌·标准")
    expect(page.locator("#figures")).to_contain_text("预赛")
    album.take_all(page, "40-format")
    sound(page)
    page.locator("[name=final]").fill("12")
    expect(page.locator("[name=prelim]")).to_have_value("usual")
    organizer.press("保存赛制")
    expect(page.locator("main")).to_contain_text("赛制已保存")
    stage = competition.events.get().stages.get(kind=StageKind.PRELIM)
    assert (stage.round_count, stage.hands, stage.minutes) == (3, 12, 50)


def draw(
    organizer: Organizer, competition: Competition, words: str, name: str, album: Album
) -> None:
    """Freeze, words from the hall, publish (C4)."""
    page = organizer.page
    organizer.open(competition, "draw/")
    organizer.press("冻结名单")
    page.fill("[name=words]", words)
    organizer.press("抽签")
    album.take_all(page, f"41-drawn-{'prelim' if name == '预赛' else 'pots'}")
    sound(page)
    organizer.press("公布签表")
    expect(page.locator("main")).to_contain_text("签表已公布")


def referee_plays(phone: Page, link: str, table: Table) -> None:
    """Two hands by result lines, the other ten as totals from paper; then it is handed in."""
    phone.goto(link)
    follow(phone.locator(f'a[href*="/table/{table.pk}/sheet/"]').first, Locator.tap)
    for hand, payer in enumerate(("乙", "丙"), 1):
        tap(phone, key("source", "discard"), key("winner", "甲"), key("payer", payer))
        tap(phone, '[data-digit="1"]', '[data-digit="6"]', '[data-digit="1"]')
        keep(phone)
        expect(phone.locator("main")).to_contain_text(f"{hand} / 12 局")
    follow(phone.locator(".tabs a", has_text="总分"), Locator.tap)
    for seat, points in enumerate((9, -4, -5)):
        phone.fill(f"[name=delta_{seat}]", str(points))
    phone.fill("[name=hands]", "10")
    keep(phone)
    expect(phone.locator("main")).to_contain_text("12 / 12 局")
    follow(phone.get_by_role("button", name="提交记分表"), Locator.tap)
    expect(phone.locator("main")).to_contain_text("记分表已提交")


def chief_confirms(organizer: Organizer, competition: Competition, table: Table) -> None:
    """C7.3: the chief referee may, for all seats at once."""
    page = organizer.page
    page.goto(f"{organizer.site}/c/{competition.code}/table/{table.pk}/sheet/confirm/")
    organizer.press("看过，没有错")
    table.refresh_from_db()
    assert table.state == State.CONFIRMED


def acting_of(competition: Competition) -> Acting:
    owner = Membership.objects.filter(competition=competition, role=Role.CHIEF).get()
    return Acting(
        user_id=owner.user_id, competition_id=competition.pk, roles=frozenset({Role.CHIEF})
    )


def play_rest(stage: Stage, chief: Acting, chance: random.Random) -> None:
    """All tables not yet confirmed, round by round, a sheet a row of totals."""
    for round_ in stage.rounds.order_by("number"):
        for table in round_.tables.filter(state=State.PUBLISHED).order_by("number"):
            seats = table.seats.count()
            nets = chance.sample(range(-40, 41), seats - 1)
            play(table, chief, [*nets, -sum(nets)])


def play(table: Table, chief: Acting, deltas: list[int]) -> None:
    sheet = open_sheet(Table.objects.select_related("round").get(pk=table.pk))
    entered = totals(*deltas, hands=sheet.hands_planned)
    enter_hand(acting=chief, sheet=sheet, entered=entered)
    submit_sheet(acting=chief, sheet=sheet)
    confirm_sheet(acting=chief, sheet=sheet, digest=Board(sheet).digest)


def close(organizer: Organizer, competition: Competition, album: Album) -> None:
    """The cut is shown with the standings and their reasons; closing it leads to the pots."""
    page, event = organizer.page, competition.events.get()
    page.goto(f"{organizer.site}/c/{competition.code}/event/{event.pk}/preliminary/")
    expect(page.locator("main")).to_contain_text("积分")
    album.take_all(page, "42-prelim-standings")
    sound(page)
    organizer.open(competition, "preliminary/")
    album.take_all(page, "43-prelim-close")
    sound(page)
    organizer.press("结束预赛")
    expect(page.locator("main")).to_contain_text("已结束")
    assert event.entrants.filter(status="in").count() == 9
    assert event.entrants.filter(prelim_rank__lte=9, status="in").count() == 9


def one_of_each_pot(knockout: Stage) -> bool:
    """C4.6: of ranks 1–3, 4–6 and 7–9 one at each table."""
    tables = Table.objects.filter(round__stage=knockout, round__number=1)
    return all(
        sorted((seat.entrant.prelim_rank - 1) // 3 for seat in table.seats.all()) == [0, 1, 2]
        for table in tables.prefetch_related("seats__entrant")
    )


def chief_plays(organizer: Organizer, competition: Competition, table: Table) -> Entrant:
    """The whole sheet from paper, in the browser; returns who goes on."""
    page, url = organizer.page, f"{organizer.site}/c/{competition.code}/table/{table.pk}/sheet/"
    page.goto(url)
    follow(page.locator(".tabs a", has_text="总分"))
    for seat, points in enumerate((20, -5, -15)):
        page.fill(f"[name=delta_{seat}]", str(points))
    page.fill("[name=hands]", "12")
    follow(page.locator(".savebar button"))
    expect(page.locator("main")).to_contain_text("12 / 12 局")
    organizer.press("提交记分表")
    chief_confirms(organizer, competition, table)
    return holder_of(table.seats.get(position=0))


def chief_corrects(
    organizer: Organizer, competition: Competition, table: Table, was: Entrant, album: Album
) -> Entrant:
    """C9.1: the effects are shown first; who should have won takes the seat in the final."""
    page = organizer.page
    page.goto(f"{organizer.site}/c/{competition.code}/table/{table.pk}/sheet/hand/1/correct/")
    for seat, points in enumerate((-5, 20, -15)):
        page.fill(f"[name=delta_{seat}]", str(points))
    page.fill("[name=reason]", "两行抄反了")
    follow(page.locator(".savebar button"))
    now = holder_of(table.seats.get(position=1))
    expect(page.locator("main")).to_contain_text("这次更正的影响")
    expect(page.locator("main")).to_contain_text(f"晋级的不再是{was.name}，而是{now.name}")
    album.take_all(page, "44-effects")
    sound(page)
    organizer.press("照这样更正")
    expect(page.locator("main")).to_contain_text("已更正")
    return now


def holder_of(seat: Seat) -> Entrant:
    assert seat.entrant_id is not None
    return Entrant.objects.select_related("entry__person", "partner").get(pk=seat.entrant_id)


def spectator_sees(
    browser: Browser, site: str, competition: Competition, champion: Entrant, album: Album
) -> None:
    event = competition.events.get()
    with someone(browser) as page:
        page.goto(f"{site}/c/{competition.code}/")
        expect(page.locator("main")).to_contain_text("冠军")
        expect(page.locator("main")).to_contain_text(champion.name)
        page.goto(f"{site}/c/{competition.code}/event/{event.pk}/")
        album.take_all(page, "45-bracket-pots")
        sound(page)
        page.goto(f"{site}/c/{competition.code}/event/{event.pk}/standings/")
        expect(page.locator("main")).to_contain_text(re.compile("一等奖"))
        album.take_all(page, "46-standings")
        sound(page)
