"""Standings with reasons and prizes (C8.5), and an entrant's page."""

from __future__ import annotations

from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from scoring.domain.hands import Late
from scoring.domain.sheets import open_sheet
from scoring.domain.verdicts import rule_on_hand, rule_on_table
from scoring.finishes import decimal
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
from tests.tournament.competitions import Made, draw, play
from tournament.domain.leaving import withdraw_entrant
from tournament.enums import EntrantStatus
from tournament.models import Entrant, Table

pytestmark = pytest.mark.django_db


def url(made: Made, name: str = "standings") -> str:
    return reverse(name, args=[made.competition.code, made.event.pk])


def entrant_url(made: Made, entrant: Entrant | None, name: str = "entrant") -> str:
    assert entrant is not None
    return reverse(name, args=[made.competition.code, entrant.pk])


def played(made: Made) -> Made:
    """Every table of every round won by 甲."""
    for round_ in made.stage.rounds.order_by("number"):
        for table in round_.tables.order_by("number"):
            play_sheet(made, table)
    return made


def test_before_the_draw_and_before_a_result_the_page_says_so() -> None:
    assert "还没有抽签 打完以后，这里是每个人的名次和奖项。" in page(url(drafted(9)))
    assert "还没有打完的桌 第一桌确认以后，这里会有名次。" in page(url(published(9)))


def test_whole_competition_has_places_prizes_and_reasons() -> None:
    """Two hands a table: +10, −7 for 乙, −3 for 丙; 丙 is second everywhere."""
    made = played(published(9))
    (final,) = made.tables(2)
    text = page(url(made))
    first, third, second = (name_at(final, position) for position in range(3))
    unit = {
        name_at(final, position): final.seats.get(position=position).entrant.unit
        for position in range(3)
    }
    expected = (
        f"名次 选手 到达 净舵 每局 "
        f"1 一等奖 {first} {unit[first]} 净舵 10 对 −3 决赛 +10 +5.00 "
        f"2 二等奖 {second} {unit[second]} 净舵 −3 对 −7 决赛 −3 −1.50 "
        f"3 三等奖 {third} {unit[third]} 多打进一轮 决赛 −7 −3.50 "
        "以上一等奖、二等奖、三等奖 4 并列 优秀奖"
    )
    assert expected in text
    assert text.count("优秀奖") == 6
    assert text.count("4 并列") == 3
    assert text.count("7 并列") == 3
    assert text.count("桌上第 2 名在第 3 名前") == 1


def test_places_are_open_while_tables_run() -> None:
    made = published(9)
    play_sheet(made, made.tables(1)[0])
    text = page(url(made))
    assert "比赛还没有打完" in text
    assert "奖" not in text
    winner = name_at(made.tables(1)[0], 0)
    assert f"– {winner}" in text


def test_prizes_are_named_in_english() -> None:
    html = stranger(url(played(published(3))), language="en").content.decode()
    for prize in ("first prize", "second prize", "third prize"):
        assert prize in html


def test_who_withdrew_is_marked() -> None:
    made = published(9)
    table = made.tables(1)[0]
    play_sheet(made, table)
    loser = table.seats.get(position=2).entrant
    assert loser is not None
    Entrant.objects.filter(pk=loser.pk).update(status=EntrantStatus.WITHDRAWN)
    assert f"{loser.name} 退赛" in page(url(made))


def test_ruled_places_of_the_final_say_so_beside_what_was_computed() -> None:
    """C6.6."""
    made = played(published(3))
    (final,) = made.tables(1)
    rule_on_table(
        acting=made.owner,
        sheet=open_sheet(final),
        places={0: 1, 1: 2, 2: 3},
        reason="丙中途离席",
        late=Late(reason="丙中途离席", effects_shown=True),
    )
    text = page(url(made))
    second, third = (name_at(final, position) for position in (1, 2))
    assert f"{second} {unit_at(final, 1)} 裁判长裁定，算得第 3 名：丙中途离席" in text
    assert f"{third} {unit_at(final, 2)} 裁判长裁定，算得第 2 名：丙中途离席" in text
    assert text.count("裁判长裁定：丙中途离席") == 1


def unit_at(table: Table, position: int) -> str:
    return entrant_at(table, position).entry.unit


def entrant_at(table: Table, position: int) -> Entrant:
    entrant = table.seats.get(position=position).entrant
    assert entrant is not None
    return entrant


def test_net_after_a_ruling_stands_beside_the_computed_one_on_bracket_and_way() -> None:
    """C6.6."""
    made = published(3)
    (final,) = made.tables(1)
    sheet = play_sheet(made, final)
    hand = sheet.hands.order_by("number")[0]
    late = Late(reason="漏看", effects_shown=True)
    rule_on_hand(acting=made.owner, hand=hand, deltas=[0, 4, -4], reason="漏看", late=late)
    assert f"{name_at(final, 0)} {unit_at(final, 0)} +4 算得 +10" in page(url(made, "bracket"))
    assert "+4 算得 +10 第 1 名" in page(entrant_url(made, entrant_at(final, 0)))
    assert f"{name_at(final, 1)} {unit_at(final, 1)} 0 算得 −7" in page(url(made, "bracket"))


def test_results_without_a_sheet_are_placed_without_reasons() -> None:
    made = published(3)
    play(made, made.tables(1)[0])
    assert "1 一等奖" in page(url(made))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(5, 12), "+0.42"),
        (Fraction(-5, 12), "−0.42"),
        (Fraction(1, 8), "+0.13"),
        (Fraction(-1, 1000), "0.00"),
        (Fraction(0), "0.00"),
        (Fraction(-3), "−3.00"),
    ],
)
def test_points_per_hand_have_two_places(value: Fraction, text: str) -> None:
    assert decimal(value) == text


@pytest.mark.parametrize("entrants", [3, 30])
def test_standings_queries_do_not_grow(
    entrants: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    made = published(entrants)
    for table in made.tables(1):
        play_sheet(made, table)
    forget()
    extra = 6 if entrants == 3 else 0  # the last table's sheet, for its reasons
    with django_assert_num_queries(9 + extra):
        assert Client().get(url(made)).status_code == 200


def test_standings_poll_is_204_until_a_table_closes() -> None:
    made = published(9)
    version = stranger(url(made))["X-Version"]
    assert stranger(url(made, "standings_live"), v=version).status_code == 204
    play_sheet(made, made.tables(1)[0])
    assert stranger(url(made, "standings_live"), v=version).status_code == 200


def test_entrant_before_the_draw() -> None:
    made = drafted(9)
    entrant = made.event.entrants.first()
    text = page(entrant_url(made, entrant))
    assert "选手1 1 号 · 单位1 · 个人赛" in text
    assert "还没有抽签 抽签公布以后，这里会有桌次和座位。" in text


def test_entrant_sees_his_next_table_and_who_sits_there() -> None:
    made = published(9)
    table = made.tables(1)[0]
    entrant = table.seats.get(position=1).entrant
    text = page(entrant_url(made, entrant))
    assert (
        f"下一桌 第 1 轮 · 第 1 桌 乙 同桌 甲 {name_at(table, 0)} · 丙 {name_at(table, 2)}" in text
    )
    win(made, open_sheet(table), "甲")
    assert "正在打 第 1 轮 · 第 1 桌 乙" in page(entrant_url(made, entrant))


def test_entrant_has_his_way_with_places_and_points() -> None:
    made = played(published(9))
    (final,) = made.tables(2)
    champion = final.seats.get(position=0).entrant
    text = page(entrant_url(made, champion))
    assert "冠 冠军" in text
    assert "第 1 轮 · 第" in text
    assert "+10 第 1 名 晋级 › ■ 已定局" in text
    assert "决赛 · 第 1 桌 甲 +10 第 1 名" in text
    loser = made.tables(1)[0].seats.get(position=1).entrant
    assert "已淘汰" in page(entrant_url(made, loser))
    assert "−7 第 3 名 ■ 已定局" in page(entrant_url(made, loser))


def test_entrant_whose_hands_a_filler_plays_is_told_from_which() -> None:
    """C9.3."""
    made = published(9)
    table = made.tables(1)[0]
    win(made, open_sheet(table), "甲")
    entrant = table.seats.get(position=1).entrant
    assert entrant is not None
    withdraw_entrant(acting=made.owner, entrant=entrant, from_hand=2)
    text = page(entrant_url(made, entrant))
    assert "第 2 局起由陪打代打" in text
    assert "退赛" in text


def test_draft_of_the_draw_is_not_on_an_entrants_page() -> None:
    """C7.4."""
    made = drafted(9)
    draw(made)
    text = page(entrant_url(made, made.event.entrants.first()))
    assert "还没有抽签" in text
    assert "第 1 桌" not in text


def test_entrant_of_another_competition_is_not_found() -> None:
    made, other = published(3), published(3)
    address = reverse("entrant", args=[made.competition.code, other.event.entrants.first().pk])
    assert stranger(address).status_code == 404


def test_entrants_page_polls() -> None:
    made = published(9)
    entrant = made.tables(1)[0].seats.get(position=0).entrant
    version = stranger(entrant_url(made, entrant))["X-Version"]
    live = entrant_url(made, entrant, "entrant_live")
    assert stranger(live, v=version).status_code == 204
    play_sheet(made, made.tables(1)[0])
    answer = stranger(live, v=version)
    assert answer.status_code == 200
    assert "晋级" in answer.content.decode()


def test_entrants_page_needs_few_queries(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    made = played(published(9))
    champion = made.tables(2)[0].seats.get(position=0).entrant
    forget()
    with django_assert_num_queries(13):
        Client().get(entrant_url(made, champion))
