"""A whole competition of units in three events (C10), and the units by their prizes."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from scoring.domain.closing import finalize_round
from scoring.domain.hands import Late, correct_hand
from scoring.models import Sheet
from scoring.standings import PRIZES
from scoring.units import UnitPlace, Won, unit_places
from tests.scoring.games import game
from tests.scoring.public_pages import forget
from tests.scoring.unit_competition import Units, make_units
from tournament.domain.draws import enter_words, freeze_draw
from tournament.models import Entrant, Event

pytestmark = pytest.mark.django_db
FIRST, SECOND, THIRD, MERIT = PRIZES


def units_page(world: Units) -> str:
    forget()
    answer = Client().get(reverse("unit_ranking", args=[world.made.competition.code]))
    assert answer.status_code == 200
    return answer.content.decode()


def page(world: Units, name: str, *args: object) -> str:
    forget()
    answer = Client().get(reverse(name, args=[world.made.competition.code, *args]))
    assert answer.status_code == 200, (name, answer.status_code)
    return answer.content.decode()


def champion(event: Event) -> str:
    seat = event.stages.get(kind="knockout").rounds.get(is_last=True).seats.get(place=1)
    return (
        Entrant.objects.select_related("entry__person", "partner__person")
        .get(pk=seat.entrant_id)
        .name
    )


def test_units_are_ordered_as_in_a_table_of_medals() -> None:
    won = [
        Won(FIRST, ("乙",)),
        Won(SECOND, ("甲",)),
        Won(SECOND, ("甲",)),
        Won(FIRST, ("丙", "丁")),
        Won(THIRD, ("丙",)),
        Won(THIRD, ("",)),
        Won(MERIT, ("戊", "戊")),
    ]
    assert unit_places(won, PRIZES) == [
        UnitPlace("丙", (1, 0, 1, 0), 1, False),
        UnitPlace("丁", (1, 0, 0, 0), 2, True),
        UnitPlace("乙", (1, 0, 0, 0), 2, True),
        UnitPlace("甲", (0, 2, 0, 0), 4, False),
        UnitPlace("戊", (0, 0, 0, 1), 5, False),
    ]


def test_whole_unit_competition_is_played() -> None:
    """字牌 27, 象棋 8 best of three, 双升 6 pairs; each event has its own draw and champion."""
    world = make_units()
    assert [e.entrants.count() for e in (world.zipai, world.chess, world.sheng)] == [27, 8, 6]
    assert "还没有打完的项目" in units_page(world)

    world.publish(world.chess)
    assert world.stage(world.zipai).rounds.count() == 0
    world.play(world.chess)
    assert champion(world.chess) == "甲2"
    shown = page(world, "standings", world.chess.pk)
    assert "胜局" in shown
    assert "舵" not in shown.split('id="standings"')[1].split("</table>")[0]
    table = world.stage(world.chess).rounds.get(is_last=True).tables.get()
    shown = page(world, "table", table.pk)
    assert "2 : 1" in shown or "打了 3 盘，共 3 盘" in shown
    assert "净舵" not in shown

    for event in (world.zipai, world.sheng):
        world.publish(event)
        world.play(event)
    assert champion(world.zipai) == "甲1"
    assert champion(world.sheng) == "丁1/丁3"
    assert "丁1/丁3" in page(world, "bracket", world.sheng.pk)
    shown = units_page(world)
    assert "暂定" in shown
    for event in (world.zipai, world.chess, world.sheng):
        finalize_round(acting=world.made.owner, round_=world.stage(event).rounds.get(is_last=True))
    shown = units_page(world)
    assert "名次已定局" in shown
    assert shown.index("甲队") < shown.index("丁队")
    assert "象棋" in page(world, "competition")
    assert "丁1/丁3" in page(world, "entrants") + page(world, "entrant", _pair(world))


def _pair(world: Units) -> int:
    return world.sheng.entrants.get(entry__number=10).pk


def test_units_have_exactly_the_prizes_of_their_people() -> None:
    """字牌 甲1 first; 象棋 甲2 first; 双升 丁 first: 甲 2 firsts, 丁 1."""
    world = make_units()
    for event in (world.zipai, world.chess, world.sheng):
        world.publish(event)
        world.play(event)
    rows = _rows(units_page(world))
    assert rows["甲队"][0] == "2"
    assert rows["丁队"][0] == "1"
    assert sum(int(row[0]) for row in rows.values()) == 3
    assert [sum(int(row[k]) for row in rows.values()) for k in range(3)] == [3, 3, 3]


def _rows(shown: str) -> dict[str, list[str]]:
    """Unit → its numbers of prizes."""
    body = shown.split("<tbody>")[1].split("</tbody>")[0]
    found = {}
    for row in body.split("<tr")[1:]:
        unit = re.search(r'class="who">([^<]+)<', row).group(1)
        found[unit] = re.findall(r'class="num">(\d+)<', row)
    return found


def test_correction_of_a_game_changes_who_is_champion() -> None:
    world = make_units()
    world.publish(world.chess)
    world.play(world.chess)
    final = world.stage(world.chess).rounds.get(is_last=True).tables.get()
    sheet = Sheet.objects.get(table=final)
    winner = final.seats.get(place=1)
    loser_wins = [2, 1] if winner.position == 0 else [1, 2]
    hand = sheet.hands.get(number=3)
    late = Late("记反了", effects_shown=True)
    correct_hand(acting=world.made.owner, hand=hand, entered=game(loser_wins), late=late)
    assert final.seats.get(place=1).pk != winner.pk
    assert _rows(units_page(world)).get("甲队", ["0"])[0] == "0"


def test_draft_events_leak_nothing() -> None:
    """Drawn and not published: neither bracket, standings nor units show who sits where."""
    world = make_units()
    stage = world.stage(world.chess)
    frozen = freeze_draw(acting=world.made.owner, stage=stage)
    enter_words(acting=world.made.owner, draw=frozen, words="红")
    table = stage.rounds.get(number=1).tables.first()
    for name, *args in (
        ("bracket", world.chess.pk), ("standings", world.chess.pk), ("unit_ranking",),
        ("competition",),
    ):  # fmt: skip
        assert "甲2" not in page(world, name, *args)
    code = world.made.competition.code
    assert Client().get(reverse("table", args=[code, table.pk])).status_code == 404


def test_masked_names_are_masked_in_pairs_too() -> None:
    world = make_units()
    competition = world.made.competition
    competition.mask_names = True
    competition.save()
    world.publish(world.sheng)
    world.play(world.sheng)
    for name, *args in (("bracket", world.sheng.pk), ("unit_ranking",), ("entrants",)):
        shown = page(world, name, *args)
        assert "丁1" not in shown
        assert "丁3" not in shown


def test_units_page_needs_few_queries(django_assert_max_num_queries) -> None:
    world = make_units()
    for event in (world.chess, world.sheng):
        world.publish(event)
        world.play(event)
    forget()
    with django_assert_max_num_queries(16):
        Client().get(reverse("unit_ranking", args=[world.made.competition.code]))
