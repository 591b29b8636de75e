"""The hall's screen: what each part shows, what a poll gets, and how few queries it costs."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from core import known
from scoring.domain.sheets import open_sheet
from scoring.screen import panels
from tests.scoring.public_pages import (
    drafted,
    forget,
    name_at,
    page,
    play_sheet,
    published,
    stranger,
    win,
)
from tests.tournament.competitions import Made
from tournament.domain.announcements import announce
from tournament.domain.clock import start_clock
from tournament.domain.finality import finalize_round
from tournament.domain.screen import begin_ceremony, move_ceremony, set_screen
from tournament.enums import ScreenPart
from tournament.models import Attendance, Competition
from tournament.queries.screen import draws_to_show

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 12, 5, 4, tzinfo=UTC)


def part(made: Made, name: str) -> str:
    return page(reverse("screen_part", args=[made.competition.code, name]))


def rota(made: Made) -> str:
    address = reverse("screen_part", args=[made.competition.code, "rota"])
    return stranger(address).content.decode()


@time_machine.travel(NOON, tick=False)
def test_each_part_says_in_few_words_what_goes_on() -> None:
    made = published(9, hands=2)
    first, second, third = made.tables(1)
    play_sheet(made, first)
    win(made, open_sheet(second), "乙")
    missing = third.seats.select_related("entrant__entry__person").get(position=1).entrant
    assert missing is not None
    Attendance.objects.create(round=third.round, entrant=missing, absent_at=NOON)
    start_clock(acting=made.owner, round_=first.round, minutes=50)
    announce(
        acting=made.owner,
        competition=made.competition,
        values={"title": "午饭", "text": "二楼", "is_public": False, "on_screen": True},
    )
    seats = [name_at(second, seat) for seat in range(3)]
    assert part(made, "tables") == (
        f"第 1 轮 · 正在打 2 桌 · 1/2 局 {seats[0]} −3 {seats[1]} +6 {seats[2]} −3"
    )
    winners = [name_at(first, seat) for seat in range(3)]
    assert part(made, "bracket").startswith(
        f"第 1 轮 1 桌 ✓ {winners[0]} +10 › {winners[1]} −7 {winners[2]} −3 2 桌 ● {seats[0]}"
    )
    assert part(made, "missing") == f"请马上到桌 3 桌 {missing.name} 乙"
    assert part(made, "timer") == "第 1 轮 打到 12:50"
    assert part(made, "notices") == "午饭 二楼"
    assert part(made, "standings") == f"名次 还在打 7 人 8 {winners[2]} −3 9 {winners[1]} −7"
    whole = page(reverse("screen", args=[made.competition.code]))
    for name in ScreenPart.values:
        assert part(made, name) in whole
    alone = page(reverse("screen", args=[made.competition.code]), only="timer,nonsense")
    assert "打到 12:50" in alone
    assert "午饭" not in alone


def test_a_hand_is_seen_by_the_next_poll_and_nothing_new_is_204() -> None:
    made = published(9)
    table = made.tables(1)[0]
    sheet = open_sheet(table)
    win(made, sheet, "甲")
    address = reverse("screen_part", args=[made.competition.code, "tables"])
    client = Client()
    for _again in range(2):
        forget()
        shown = client.get(address)
    version = shown["X-Version"]
    assert client.get(address, {"v": version}).status_code == 204
    win(made, sheet, "甲")
    forget()
    later = client.get(address, {"v": version})
    assert later.status_code == 200
    assert "2/2 局" in later.content.decode()


def test_many_tables_are_shown_zone_by_zone_and_masked_names_stay_masked() -> None:
    made = published(81)
    Competition.objects.filter(pk=made.competition.pk).update(mask_names=True)
    made.competition.refresh_from_db()
    found = panels(ScreenPart.BRACKET, made.competition, [made.event])
    assert [panel.title for panel in found] == [
        "第 1 轮 · 甲区", "第 1 轮 · 乙区", "第 1 轮 · 丙区",
    ]  # fmt: skip
    assert [len(panel.blocks) for panel in found] == [9, 9, 9]
    assert all(
        "*" in line.name for panel in found for block in panel.blocks for line in block.lines
    )


def test_settings_say_what_rotates_and_after_the_end_only_standings() -> None:
    made = published(3)
    assert 'data-order="bracket:12 tables:12 missing:12' in rota(made)
    set_screen(acting=made.owner, competition=made.competition, parts={"timer": 7, "bracket": 9})
    assert 'data-order="bracket:9 timer:7"' in rota(made)
    set_screen(
        acting=made.owner, competition=made.competition, parts={"timer": 7}, pinned="notices"
    )
    assert 'data-order="notices:12"' in rota(made)
    (table,) = made.tables(1)
    play_sheet(made, table)
    finalize_round(acting=made.owner, round_=table.round)
    assert 'data-order="standings:12"' in rota(made)
    assert part(made, "standings").startswith(f"名次 1 {name_at(table, 0)} +10")


def test_ceremony_tells_the_steps_in_the_order_of_the_deal() -> None:
    made = published(9)
    (drawn,) = draws_to_show(made.competition)
    assert "<ol>" not in rota(made)
    begin_ceremony(
        acting=made.owner, competition=made.competition, draw=drawn, step_seconds=4, auto=False
    )
    move_ceremony(acting=made.owner, competition=made.competition, move="next")
    html = rota(made)
    assert 'data-step="1" data-since="" data-seconds="4"' in html
    text = part(made, "rota")
    places = [text.index(f"{number} 选手{number} ") for number in drawn.log["order"]]
    assert places == sorted(places)
    for table in made.tables(1):
        for position in range(3):
            number = name_at(table, position).removeprefix("选手")
            zone = "甲乙丙"[table.number - 1]
            seat = "甲乙丙"[position]
            assert f"{number} 选手{number} {zone}区 {table.number} 桌 {seat}" in text


def test_before_the_draw_there_is_the_name_and_unknown_parts_are_not_found() -> None:
    made = drafted(9)
    text = page(reverse("screen", args=[made.competition.code]))
    assert text.startswith("漓江杯")
    assert "桌" not in text
    unknown = reverse("screen_part", args=[made.competition.code, "secrets"])
    assert stranger(unknown).status_code == 404


@pytest.mark.parametrize("entrants", [9, 27])
def test_parts_need_few_queries(
    entrants: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    made = published(entrants)
    for table in made.tables(1):
        play_sheet(made, table)
    for table in made.tables(2):
        win(made, open_sheet(table), "甲")
    shown, events = made.competition, [made.event]
    for name in ScreenPart:
        with django_assert_max_num_queries(7):
            panels(name, shown, events)
    address = reverse("screen", args=[made.competition.code])
    forget()
    known.forget()
    with django_assert_max_num_queries(32):
        Client().get(address)
    Client().get(address)
    with django_assert_max_num_queries(0):
        Client().get(address)
