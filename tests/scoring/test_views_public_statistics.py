"""Standings of a unit or zone with lines and needs; an event's records; a player's numbers."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from core import bodies, known
from scoring.domain.hands import Difference, Entered, Late, enter_hand, void_hand
from scoring.domain.sheets import open_sheet, submit_sheet
from scoring.domain.verdicts import penalize, rule_on_hand
from scoring.enums import Evidence, PenaltyKind
from scoring.statistics import events_of
from tests.scoring.public_pages import (
    forget,
    name_at,
    page,
    play_sheet,
    published,
    seat_of,
    stranger,
    text_of,
    win,
)
from tests.scoring.records import won
from tests.scoring.sheets import totals
from tests.tournament.competitions import Made, play
from tournament.domain.leaving import withdraw_entrant
from tournament.models import Competition, Table

pytestmark = pytest.mark.django_db


def url(made: Made, name: str = "standings") -> str:
    return reverse(name, args=[made.competition.code, made.event.pk])


def entrant_url(made: Made, table: Table, position: int, name: str = "entrant") -> str:
    return reverse(name, args=[made.competition.code, seat_of(table, position).entrant_id])


def test_who_is_still_in_reads_what_he_needs_above_the_line() -> None:
    """C8.5: one of three tables is played, one runs (+6, −3, −3 after one of two hands)."""
    made = published(9)
    first, second, third = made.tables(1)
    play_sheet(made, first)
    win(made, open_sheet(second), "甲", hu=15)
    text = page(url(made))
    gap = 9
    assert f"{name_at(first, 0)} {unit(first, 0)} 决赛赢了就是冠军 决赛 以上已进决赛" in text
    for position, words in ((0, f"领先 {gap} 舵"), (1, f"落后 {gap} 舵"), (2, f"落后 {gap} 舵")):
        who = f"{name_at(second, position)} {unit(second, position)}"
        assert f"{who} 再赢 1 桌进决赛 {words}，还剩 1 局 第 1 轮" in text
    assert f"{name_at(third, 2)} {unit(third, 2)} 再赢 1 桌进决赛 第 1 轮" in text
    assert text.count("以上还在赛 8 ") == 1
    assert f"再赢 1 桌进决赛 · 领先 {gap} 舵，还剩 1 局" in page(entrant_url(made, second, 0))


def unit(table: Table, position: int) -> str:
    entrant = seat_of(table, position).entrant
    assert entrant is not None
    return entrant.entry.unit


def test_a_hand_at_a_running_table_is_news_to_standings_and_to_who_sits_there() -> None:
    made = published(9)
    first, second, third = made.tables(1)
    play_sheet(made, first)
    sheet = open_sheet(second)
    win(made, sheet, "甲")
    there, elsewhere = entrant_url(made, second, 0), entrant_url(made, third, 0)
    known_at = {one: stranger(one)["X-Version"] for one in (url(made), there, elsewhere)}
    win(made, sheet, "乙")
    for address, status in ((url(made), 200), (there, 200), (elsewhere, 204)):
        answer = stranger(address, v=known_at[address])
        assert answer.status_code == status
    assert "打满了，等确认" in page(there)


def test_standings_of_a_unit_keep_places_and_say_how_many() -> None:
    """Units of four: nine entrants are 单位1, 单位2 and one of 单位3."""
    made = published(9)
    for table in made.tables(1):
        play(made, table)
    play(made, made.tables(2)[0])
    full = page(url(made))
    assert "共 9 人" in full
    assert "以上一等奖、二等奖、三等奖" in full
    html = stranger(url(made), unit="单位3").content.decode()
    assert "1 人，全部 9 人" in text_of(html)
    assert html.count('<th scope="row"') == 1
    assert "standings/live/?unit=%E5%8D%95%E4%BD%8D3" in html
    assert stranger(url(made, "standings_live"), unit="单位3").status_code == 200


def test_only_units_and_zones_that_are_there_are_found() -> None:
    """So that nobody can fill the memory with bodies."""
    made = published(27)
    assert stranger(url(made), zone="甲").status_code == 200
    play(made, made.tables(1)[0])
    forget()
    known.forget()
    client = Client()
    kept = len(bodies._slots)
    for query in (
        {"unit": "没有"},
        {"zone": "戊"},
        {"zone": "甲乙"},
        {"unit": "单位1", "zone": "9"},
    ):
        assert client.get(url(made), query).status_code == 404
    assert len(bodies._slots) == kept
    html = stranger(url(made), zone="乙").content.decode()
    assert html.count('<th scope="row"') == 9
    assert "乙区 9 人，全部 27 人" in text_of(html)
    assert stranger(url(published(9)), zone="甲").status_code == 404


def full_table(made: Made) -> Table:
    """Table 1 of five hands: 甲 17 胡 1 醒 from 乙; 丙 20 胡 by 自摸; a void hand of 99 胡; a hand
    of 乙 of 60 胡 that was ruled to count nothing; two hands of which only points are known."""
    made.stage.rounds.update(hands=5)
    table = made.tables(1)[0]
    sheet = open_sheet(table)
    win(made, sheet, "甲", "乙", hu=17, xing=1)
    win(made, sheet, "丙", hu=20)
    mistaken = win(made, sheet, "甲", hu=99)
    void_hand(acting=made.owner, hand=mistaken.hand, reason="记错")
    ruled = win(made, sheet, "乙", hu=60, xing=8)
    rule_on_hand(
        acting=made.owner,
        hand=ruled.hand,
        deltas=[0, 0, 0],
        reason="诈胡",
        late=Late(reason="诈胡"),
    )
    enter_hand(acting=made.owner, sheet=sheet, entered=totals(9, -5, -4, hands=2))
    penalize(
        acting=made.owner,
        sheet=sheet,
        position=2,
        kind=PenaltyKind.DEDUCTION,
        amount=3,
        reason="迟到",
    )
    submit_sheet(acting=made.owner, sheet=sheet)
    return table


def test_records_are_of_confirmed_tables_and_link_to_their_hands() -> None:
    made = published(9)
    assert "还没有纪录 第一桌确认以后" in page(url(made, "event_records"))
    table = full_table(made)
    win(made, open_sheet(made.tables(1)[1]), "甲", hu=80, xing=5)
    html = stranger(url(made, "event_records")).content.decode()
    text = text_of(html)
    a, c = (f"{name_at(table, seat)} {unit(table, seat)}" for seat in (0, 2))
    where = "第 1 轮 · 第 1 桌"
    assert f"最高的胡 20 胡 {c} {where} · 第 2 局" in text
    assert f"最多的醒 1 醒 {a} {where} · 第 1 局" in text
    assert "算的是已确认的 1 桌" in text
    for value in ("80", "99", "60"):
        assert f"{value} 胡" not in text
    assert "一桌胡得最多" not in text
    assert '<div id="events">' not in html
    address = reverse("table", args=[made.competition.code, table.pk])
    assert f'href="{address}#hand-2"' in html
    version = stranger(url(made, "event_records"))["X-Version"]
    live = url(made, "event_records_live")
    assert stranger(live, v=version).status_code == 204
    play_sheet(made, made.tables(1)[2])
    assert stranger(live, v=version).status_code == 200


def test_longest_hand_leads_to_its_replay() -> None:
    made = published(9, hands=1)
    table = made.tables(1)[0]
    sheet = open_sheet(table)
    entered = Entered(Evidence.RECORD, {"text": won()}, Difference.ASK)
    enter_hand(acting=made.owner, sheet=sheet, entered=entered)
    submit_sheet(acting=made.owner, sheet=sheet)
    html = stranger(url(made, "event_records")).content.decode()
    replay = reverse("replay", args=[made.competition.code, table.pk, 1])
    assert f'<a href="{replay}">回放</a>' in html
    assert f"最长的一局 {events_of(won())} 手" in text_of(html)


def test_numbers_of_a_player_say_what_is_known() -> None:
    made = published(9)
    table = full_table(made)
    html = stranger(entrant_url(made, table, 2)).content.decode()
    text = text_of(html)
    assert "牌局数字 打了 5 局 其中 2 局只有总分 胡的局平均 20.0 胡，0.0 醒" in text
    assert "知道谁胡的 3 局里 胡 胡 1 局 1 局 自摸 自摸 1 局 1 局 点炮 点炮 0 局 0 局" in text
    assert "判罚不在内" in text
    assert "每局以后的净舵：" in text
    assert '<rect class="part" width="333" height="10"/>' in html
    assert "点炮 1 局" in page(entrant_url(made, table, 1))
    assert "牌局数字" not in page(entrant_url(made, made.tables(1)[1], 0))


def test_hands_of_a_filler_are_not_his_who_left() -> None:
    """C9.3: 乙 leaves after the first of three hands, which he wins; a filler wins the next."""
    made = published(9, hands=3)
    table = made.tables(1)[0]
    sheet = open_sheet(table)
    win(made, sheet, "乙", hu=16)
    entrant = seat_of(table, 1).entrant
    assert entrant is not None
    withdraw_entrant(acting=made.owner, entrant=entrant, from_hand=2)
    win(made, sheet, "乙", hu=33)
    win(made, sheet, "丙", "甲", hu=15)
    submit_sheet(acting=made.owner, sheet=sheet)
    text = page(entrant_url(made, table, 1))
    assert "打了 1 局 胡的局平均 16.0 胡" in text
    assert f"最高的胡 16 胡 {entrant.name}" in page(url(made, "event_records"))


def test_names_are_masked_among_the_records() -> None:
    made = published(3)
    Competition.objects.filter(pk=made.competition.pk).update(mask_names=True)
    (table,) = made.tables(1)
    play_sheet(made, table)
    text = page(url(made, "event_records"))
    name = name_at(table, 0)
    assert name not in text
    assert f"{name[0]}*{name[-1]}" in text


def test_queries_of_records_do_not_grow(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    made = published(9)
    for tables in (made.tables(1)[:1], made.tables(1)[1:]):
        for table in tables:
            play_sheet(made, table)
        forget()
        known.forget()
        with django_assert_num_queries(8):
            assert Client().get(url(made, "event_records")).status_code == 200
