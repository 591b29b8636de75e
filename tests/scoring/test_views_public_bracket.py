"""The bracket that everyone sees: exact content, states, an entrant's way, polls, queries."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from scoring import queries_public
from scoring.bracket import Urls, bracket
from scoring.domain.sheets import open_sheet, submit_sheet
from tests.scoring.public_pages import (
    drafted,
    forget,
    name_at,
    page,
    play_sheet,
    published,
    stranger,
    text_of,
    win,
)
from tests.tournament.competitions import Made, draw, play_out
from tournament.domain.finality import finalize_round
from tournament.enums import EntrantStatus, Way
from tournament.models import Competition, Entrant, Table

pytestmark = pytest.mark.django_db


def url(made: Made, name: str = "bracket") -> str:
    return reverse(name, args=[made.competition.code, made.event.pk])


def shape(made: Made) -> list[list[tuple[str, list[str]]]]:
    """The bracket's columns as feeds (zone, slots), a slot as `bye/1` or `table 3/3`."""
    rounds = queries_public.round_rows(made.event)
    seats = queries_public.seat_rows(queries_public.seats_of(made.event), mask=False)
    found = bracket(rounds, seats, {}, Urls("/e/0/", "/t/0/"), "")
    return [
        [
            (
                feed["zone"],
                [
                    f"{'bye' if slot['bye'] else slot['label']}/{slot['span']}"
                    for slot in feed["slots"]
                ],
            )
            for feed in one["feeds"]
        ]
        for one in found["rounds"]
    ]


def test_before_the_draw_the_page_says_what_will_be_here() -> None:
    text = page(url(drafted(9)))
    assert "还没有抽签 抽签公布以后，这里是每一轮的桌次、选手和晋级。 看选手名单" in text


def test_three_entrants_are_one_table() -> None:
    made = published(3)
    assert shape(made) == [[("", ["第 1 桌/1"])]]
    text = page(url(made))
    names = [name_at(made.tables(1)[0], position) for position in range(3)]
    assert " ".join(f"{name} 单位1" for name in names) in text


def test_nine_meet_three_by_three_in_the_final() -> None:
    assert shape(published(9)) == [
        [("", ["第 1 桌/1", "第 2 桌/1", "第 3 桌/1"])],
        [("", ["第 1 桌/3"])],
    ]


def test_byes_stand_before_the_tables_of_an_extra_first_round() -> None:
    """C3.1 (i): 12 entrants, seven byes, two tables of the first round and one short one."""
    made = published(12, way=Way.BYES)
    first, second, last = shape(made)
    slots = [slot for _zone, feed in first for slot in feed]
    assert sorted(slots) == sorted(["bye/1"] * 7 + ["第 1 桌/1", "第 2 桌/1"])
    assert [zone for zone, _slots in first] == ["甲区", "乙区", "丙区"]
    assert [len(feed) for _zone, feed in first] == [3, 3, 3]
    assert second == [("", ["第 1 桌/4", "第 2 桌/4", "第 3 桌/4"])]
    assert last == [("", ["第 1 桌/12"])]


def test_four_seat_tables_of_compact_are_rows_like_others() -> None:
    """C3.1 (ii)."""
    made = published(10)
    assert made.stage.way == Way.COMPACT
    assert shape(made) == [
        [("", ["第 1 桌/1", "第 2 桌/1", "第 3 桌/1"])],
        [("", ["第 1 桌/3"])],
    ]


def test_a_table_that_sends_two_to_a_round_with_byes_spans_two_rows() -> None:
    """(4, 2): 10 entrants, six byes and one full table of which two go on."""
    first, second, last = shape(published(10, table_size=4, advance=2))
    assert [slot for _zone, feed in first for slot in feed].count("bye/1") == 6
    assert "第 1 桌/2" in [slot for _zone, feed in first for slot in feed]
    assert second == [("", ["第 1 桌/5", "第 2 桌/5"])]
    assert last == [("", ["第 1 桌/10"])]


@pytest.mark.parametrize(
    ("entrants", "size", "advance"), [(2, 2, 1), (5, 2, 1), (13, 3, 1), (16, 4, 1), (27, 3, 1)]
)
def test_every_column_has_as_many_rows(entrants: int, size: int, advance: int) -> None:
    """The lines of the tree meet only if all columns are equally tall; a zone's name is a row."""
    columns = shape(published(entrants, table_size=size, advance=advance))
    heights = {
        sum(
            bool(zone) + sum(int(slot.rpartition("/")[2]) for slot in feed) for zone, feed in column
        )
        for column in columns
    }
    assert len(heights) == 1


def test_twenty_seven_split_into_three_zones() -> None:
    zones = [[zone for zone, _slots in column] for column in shape(published(27))]
    assert zones == [["甲区", "乙区", "丙区"], [""], [""]]


def test_filler_has_no_name_and_is_marked() -> None:
    made = published(4, way=Way.BYES)
    html = stranger(url(made)).content.decode()
    assert '<li class="line filler"><span class="who"><span class="unit">陪打</span>' in html


def test_advance_that_may_still_change_is_named_so_and_the_rest_is_linked_by_part() -> None:
    """Issue 7.1: zones, rounds and tables have addresses, a zone can be looked at alone."""
    made = published(27)
    play_sheet(made, made.tables(1)[0])
    html = stranger(url(made)).content.decode()
    assert html.count(">暂定晋级<") == 1
    assert html.count(">晋级<") == 0
    for part in ("zone-1", "zone-2", "zone-3", "round-1", "round-3", "t1-9", "t2-3", "t3-1"):
        assert html.count(f'id="{part}"') == 1, part
    assert html.count('<input type="radio" name="zone"') == 4


def test_running_provisional_and_final_tables_look_different() -> None:
    """C7.1: confirmed is provisional until the next table's first hand."""
    made = published(9)
    running, confirmed, third = made.tables(1)
    win(made, open_sheet(running), "甲")
    play_sheet(made, confirmed, "乙")
    html = stranger(url(made)).content.decode()
    assert html.count('class="block running"') == 1
    assert html.count('class="block provisional"') == 1
    assert name_at(made.tables(2)[0], _fed_by(made, confirmed)) == name_at(confirmed, 1)

    play_sheet(made, third)
    win(made, open_sheet(running), "甲")
    submit_sheet(acting=made.owner, sheet=open_sheet(running))
    win(made, open_sheet(made.tables(2)[0]), "甲")
    html = stranger(url(made)).content.decode()
    assert html.count("provisional") == 0
    assert html.count('class="block running"') == 1
    assert html.count("已定局</span>") == 4  # three tables and their round


def _fed_by(made: Made, table: Table) -> int:
    return made.tables(2)[0].seats.get(source=table).position


def test_net_of_a_done_table_stands_at_each_name_with_who_advances() -> None:
    """C6.5, R9: 自摸 of 2 + 1 舵, then 2 舵 from 甲, who pays for both."""
    made = published(9)
    table = made.tables(1)[0]
    play_sheet(made, table, "丙")
    expected = (
        f"第 1 桌 ✓ 暂定 {name_at(table, 0)} {_unit(table, 0)} −7 "
        f"{name_at(table, 1)} {_unit(table, 1)} −3 "
        f"{name_at(table, 2)} {_unit(table, 2)} +10 › 暂定晋级"
    )
    assert expected in page(url(made))


def _unit(table: Table, position: int) -> str:
    entrant = table.seats.get(position=position).entrant
    assert entrant is not None
    return entrant.unit


def test_points_of_a_running_table_are_not_in_the_bracket() -> None:
    """A hand bumps its sheet only (stack fact 1), so the bracket could not keep up."""
    made = published(9)
    before = re.findall(r'class="net">([^<]*)<', stranger(url(made)).content.decode())
    win(made, open_sheet(made.tables(1)[0]), "甲")
    after = re.findall(r'class="net">([^<]*)<', stranger(url(made)).content.decode())
    assert set(before) == set(after) == {""}


def test_seats_not_yet_known_say_whom_they_wait_for() -> None:
    text = page(url(published(9)))
    for number in (1, 2, 3):
        assert f"第 {number} 桌胜者" in text
    assert "第 1 桌第 2 名" in page(url(published(8, table_size=4, advance=2)))


def test_way_of_an_entrant_is_inked_by_a_link() -> None:
    made = published(9)
    table = made.tables(1)[0]
    play_sheet(made, table, "甲")
    entrant = table.seats.get(position=0).entrant
    assert entrant is not None
    html = stranger(url(made), entrant=str(entrant.pk)).content.decode()
    assert html.count(" inked") == 2
    text = text_of(html)
    assert f"我的桌 决赛 · 第 1 桌 {entrant.name} 不标" in text
    assert 'class="table" href="#t2-1"' in html
    assert 'id="t2-1"' in html
    assert f'data-poll="{url(made, "bracket_live")}?entrant={entrant.pk}"' in html
    live = stranger(url(made, "bracket_live"), entrant=str(entrant.pk)).content.decode()
    assert live.count(" inked") == 2
    back = f"?next={url(made)}%3Fentrant%3D{entrant.pk}"
    assert back in stranger(url(made), entrant=str(entrant.pk), x="mine").content.decode()
    assert f'?next={url(made)}"' in stranger(url(made), x="mine").content.decode()


@pytest.mark.parametrize("asked", ["999999", "0"])
def test_way_of_nobody_is_not_found_or_not_inked(asked: str) -> None:
    response = stranger(url(published(3)), entrant=asked)
    assert response.status_code == (200 if asked == "0" else 404)


def test_nonsense_for_an_entrant_is_passed_over() -> None:
    made = published(3)
    for asked in ("x", "-1", "1" * 30, "²"):
        assert stranger(url(made), entrant=asked).status_code == 200


def test_draft_is_not_shown_until_it_is_published() -> None:
    """C7.4."""
    made = drafted(9)
    draw(made)
    text = page(url(made))
    assert "还没有抽签" in text
    assert "第 1 桌" not in text


def test_round_drawn_again_is_a_draft_again() -> None:
    """C7.3: another draw before the first hand takes the published one away."""
    made = published(9)
    draw(made, words="又来", reason="名单有误")
    assert "还没有抽签" in page(url(made))


def test_event_of_another_competition_is_not_found() -> None:
    made, other = published(3), published(3)
    address = reverse("bracket", args=[made.competition.code, other.event.pk])
    assert stranger(address).status_code == 404


def test_champion_of_a_whole_competition_stands_in_the_last_column() -> None:
    made = published(9)
    champion = play_out(made)
    assert isinstance(champion, Entrant)
    html = stranger(url(made)).content.decode()
    final = html[html.index('id="round-2"') :]
    assert re.search(rf'line advances" data-entrant="{champion.pk}"', final)


def test_unchanged_poll_is_204_and_a_change_sends_the_region_only() -> None:
    made = published(9)
    shown = stranger(url(made))
    version = shown["X-Version"]
    assert f'data-version="{version}"' in shown.content.decode()
    client = Client()
    answer = client.get(url(made, "bracket_live"), {"v": version})
    assert (answer.status_code, answer.content) == (204, b"")

    play_sheet(made, made.tables(1)[0])
    forget()
    answer = client.get(url(made, "bracket_live"), {"v": version})
    assert answer.status_code == 200
    assert answer["X-Version"] != version
    assert "<html" not in answer.content.decode()
    assert "暂定" in answer.content.decode()


def test_poll_ends_with_the_competition() -> None:
    """Stack fact 2: 286 once it is over."""
    made = published(3)
    play_out(made)
    finalize_round(acting=made.owner, round_=made.stage.rounds.get())
    assert Competition.objects.get(pk=made.competition.pk).is_over
    version = stranger(url(made, "bracket_live"))["X-Version"]
    answer = Client().get(url(made, "bracket_live"), {"v": version})
    assert answer.status_code == 286
    assert stranger(url(made, "bracket_live"), v="0-0").status_code == 286


def test_withdrawn_entrant_keeps_his_line() -> None:
    made = published(9)
    entrant = made.tables(1)[0].seats.get(position=0).entrant
    assert entrant is not None
    Entrant.objects.filter(pk=entrant.pk).update(status=EntrantStatus.WITHDRAWN)
    assert entrant.name in page(url(made))


@pytest.mark.parametrize("entrants", [3, 30])
def test_queries_do_not_grow_with_the_field(
    entrants: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """Competition, its events, versions, rounds, seats, hands, penalties, rules in force;
    then nothing (fact 1)."""
    made = published(entrants)
    for table in made.tables(1)[: max(1, entrants // 10)]:
        play_sheet(made, table)
    forget()
    with django_assert_num_queries(8):
        assert Client().get(url(made)).status_code == 200
    Client().get(url(made))
    with django_assert_num_queries(0):
        Client().get(url(made))


def test_names_of_the_page_are_in_both_languages() -> None:
    made = published(3)
    html = stranger(url(made), language="en").content.decode()
    assert '<html lang="en">' in html
    assert 'lang="zh-hans"' in stranger(url(made)).content.decode()
