"""单位赛: 字牌, 象棋 and 双升 of nine units in one competition, driven through the pages (C10)."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.domain.closing import finalize_round
from tests.e2e.organizing import Organizer, keep, key, tap
from tests.e2e.stations import PHONE, Album, follow, someone, sound
from tests.scoring.unit_competition import UNITS, Units
from tests.tournament.competitions import Made
from tournament.acting import Acting
from tournament.domain.playing import set_events
from tournament.domain.settings import set_play
from tournament.enums import ConfirmationMode, Role, State
from tournament.models import Competition, Event, Membership, Table

pytestmark = pytest.mark.django_db(transaction=True)

PASTED = "\n".join(f"{unit}{n}\t{unit}队" for unit in UNITS for n in (1, 2, 3))


def test_unit_competition_from_its_preset_to_the_ranking_of_units(
    organizer: Organizer, browser: Browser, live_server: LiveServer, album: Album
) -> None:
    """Entered and paired, each event drawn, games typed and corrected, units by their prizes."""
    organizer.log_in("zhang")
    world = prepare(organizer, album)
    competition, chess = world.made.competition, world.chess
    publish(organizer, chess, album)
    organizer.open(competition)
    organizer.press("公布比赛")
    for event in (world.zipai, world.sheng):
        world.publish(event)

    table = Table.objects.filter(round__stage=world.stage(chess), round__number=1)[0]
    link = organizer.give_link(competition, "referee")
    with someone(browser, PHONE) as phone:
        referee_enters_games(phone, link, table, album)
    for event in (world.zipai, chess, world.sheng):
        play_rest(world, event)
    was, now = corrected_final(organizer, world, album)
    assert was != now
    for event in (world.zipai, chess, world.sheng):
        last = world.stage(event).rounds.get(is_last=True)
        finalize_round(acting=world.made.owner, round_=last)
    with someone(browser) as page:
        spectator_sees(page, live_server.url, world, now, album)


def prepare(organizer: Organizer, album: Album) -> Units:
    """The competition with its three events, 27 entries, who plays what, pairs."""
    page = organizer.page
    page.goto(f"{organizer.site}/manage/")
    follow(page.get_by_text("新建比赛").first)
    page.fill("[name=name]", "单位杯")
    page.fill("[name=starts_on]", "2026-12-05")
    page.check("[name=also_chief]")
    organizer.press("新建比赛")
    competition = Competition.objects.get(name="单位杯")
    organizer.open(competition, "events/")
    organizer.press("建成单位赛")
    expect(page.locator("main")).to_contain_text("单位赛建好了")
    zipai, chess, sheng = competition.events.order_by("position")
    organizer.open(competition, f"entrants/paste/?event={zipai.pk}")
    page.fill("textarea", PASTED)
    organizer.press("添加")
    expect(page.locator("main")).to_contain_text("已添加 27 名选手")
    shorten(organizer, zipai)

    world = Units(made_of(competition), zipai, chess, sheng)
    enter_events(organizer, world, album)
    organizer.open(competition, f"pairs/?event={sheng.pk}")
    organizer.press("同单位的按编号配对")
    expect(page.locator("main")).to_contain_text("所有人都有搭档")
    album.take_all(page, "52-pairs")
    sound(page)
    organizer.open(competition, "events/")
    expect(page.locator("main")).to_contain_text("8 方参赛")
    album.take_all(page, "53-events")
    sound(page)
    for event in (zipai, chess, sheng):
        values = {"confirmation": ConfirmationMode.NONE}
        set_play(acting=world.made.owner, stage=world.stage(event), values=values)
    return world


def shorten(organizer: Organizer, zipai: Event) -> None:
    """One hand a table, two in the final, no preliminary: by the page of formats."""
    page = organizer.page
    organizer.open(zipai.competition, f"format/?event={zipai.pk}")
    page.locator("[name=prelim]").select_option("0")
    page.fill("[name=hands]", "1")
    page.fill("[name=final]", "2")
    organizer.press("保存赛制")
    expect(page.locator("main")).to_contain_text("赛制已保存")
    assert not zipai.stages.filter(kind="prelim").exists()


def enter_events(organizer: Organizer, world: Units, album: Album) -> None:
    """The second of the first eight units plays 象棋 too, the first and third of the last six
    双升; number 2 is ticked by hand."""
    page, competition = organizer.page, world.made.competition
    for entry in competition.entries.select_related("person", "competition").order_by("number"):
        unit, place = divmod(entry.number - 1, 3)
        if place == 1 and unit == 0:
            organizer.open(competition, f"entries/{entry.pk}/events/")
            page.get_by_label("象棋").check()
            album.take_all(page, "51-entry-events")
            organizer.press("保存")
            continue
        events = {world.zipai}
        events |= {world.chess} if place == 1 and unit < 8 else set()
        events |= {world.sheng} if place != 1 and unit >= 3 else set()
        if len(events) > 1:
            set_events(acting=world.made.owner, entry=entry, events=events)
    assert world.chess.entrants.count() == 8


def made_of(competition: Competition) -> Made:
    chief = Membership.objects.get(competition=competition, role=Role.CHIEF)
    owner = Acting(
        user_id=chief.user_id,
        competition_id=competition.pk,
        roles=frozenset({Role.OWNER, Role.CHIEF}),
    )
    event = competition.events.order_by("position")[0]
    return Made(competition, event, event.stages.get(kind="knockout"), owner)


def publish(organizer: Organizer, event: Event, album: Album) -> None:
    """Freeze, words, publish, of this event alone."""
    page = organizer.page
    organizer.open(event.competition, f"draw/?event={event.pk}")
    organizer.press("冻结名单")
    page.fill("[name=words]", "红红黑")
    organizer.press("抽签")
    album.take_all(page, "54-draw-of-event")
    sound(page)
    organizer.press("公布签表")
    expect(page.locator("main")).to_contain_text("签表已公布")


def referee_enters_games(phone: Page, link: str, table: Table, album: Album) -> None:
    """Best of three: lost, won, won; then no fourth game is asked for."""
    phone.goto(link)
    follow(phone.locator(f'a[href*="/table/{table.pk}/sheet/"]').first, Locator.tap)
    for number, winner in enumerate(("1", "0", "0"), 1):
        tap(phone, key("winner", winner))
        if number == 2:
            album.take_all(phone, "55-manual-sheet")
            sound(phone)
        keep(phone)
        rows = phone.locator("#sheet-ledger").get_by_role("rowheader")
        expect(rows.get_by_text(str(number), exact=True)).to_be_visible()
    expect(phone.locator("#entry")).to_have_count(0)
    album.take_all(phone, "56-manual-sheet-full")
    follow(phone.get_by_role("button", name="提交记分表"), Locator.tap)
    expect(phone.locator("#sheet-state")).to_contain_text("已确认")
    table.refresh_from_db()
    assert table.state == State.CONFIRMED
    assert table.seats.get(place=1).position == 0


def play_rest(world: Units, event: Event) -> None:
    """What has not begun, round by round, the lower number wins."""
    for round_ in world.stage(event).rounds.order_by("number"):
        for table in round_.tables.filter(state=State.PUBLISHED).order_by("number"):
            world.play_table(table)


def corrected_final(organizer: Organizer, world: Units, album: Album) -> tuple[str, str]:
    """The last game of the 象棋 final had been typed the wrong way round: who is champion changes,
    and it is said before (C9.1)."""
    page, code = organizer.page, world.made.competition.code
    final = world.stage(world.chess).rounds.get(is_last=True).tables.get(is_third=False)
    seats = final.seats.select_related("entrant__entry__person")
    was, now = (seats.get(place=place).entrant for place in (1, 2))
    assert was is not None
    assert now is not None
    loser = seats.get(place=2).position
    page.goto(f"{organizer.site}/c/{code}/table/{final.pk}/sheet/hand/3/correct/")
    page.locator(key("winner", str(loser))).click()
    page.fill("[name=reason]", "记反了")
    follow(page.locator(".savebar button"))
    expect(page.locator("main")).to_contain_text(f"冠军由{was.name}变为{now.name}")
    album.take_all(page, "57-manual-effects")
    sound(page)
    organizer.press("照这样更正")
    expect(page.locator("main")).to_contain_text("已更正")
    assert final.seats.get(place=1).entrant_id == now.pk
    return was.name, now.name


def spectator_sees(page: Page, site: str, world: Units, champion: str, album: Album) -> None:
    """The bracket of two, and the units in the order of their prizes."""
    home = f"{site}/c/{world.made.competition.code}/"
    page.goto(f"{home}event/{world.chess.pk}/")
    expect(page.locator("main")).to_contain_text(champion)
    album.take_all(page, "58-bracket-third")
    sound(page)
    page.goto(f"{home}event/{world.sheng.pk}/standings/")
    expect(page.locator("main")).to_contain_text("/")
    album.take_all(page, "59-standings-pairs")
    sound(page)
    page.goto(f"{home}units/")
    expect(page.locator("main")).to_contain_text("名次已定局")
    expect(page.locator("tbody tr").first).to_contain_text("队")
    album.take_all(page, "60-units")
    sound(page)
