"""The preset 单位赛 played whole by six units: preliminary, third-place tables, the units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from scoring.domain.closing import finalize_round
from scoring.domain.hands import enter_hand
from scoring.domain.preliminary import close_preliminary
from scoring.domain.sheets import open_sheet, submit_sheet
from tests.scoring.games import LEFT, RIGHT, game
from tests.scoring.preliminaries import draw_and_publish, play_all
from tests.scoring.test_unit_competition import _rows, units_page
from tests.scoring.unit_competition import Units
from tests.tournament.competitions import Made, make
from tournament.domain.entries import add_pasted, change_entry
from tournament.domain.events import make_unit_competition
from tournament.domain.formats import format_of, set_format
from tournament.domain.playing import pair_by_unit, set_events
from tournament.domain.settings import set_play
from tournament.enums import ConfirmationMode, StageKind
from tournament.models import Entrant, Event, Seat, Stage
from tournament.queries.public import PAIR

pytestmark = pytest.mark.django_db

NAMES = "甲乙丙丁戊己"
CHESS_SEEDS = {2: 1, 5: 2, 8: 3, 11: 4}
PAIR_SEEDS = {16: 1, 13: 2, 10: 3, 7: 4}


def lowest(seats: Sequence[Seat]) -> list[int]:
    """The lowest number wins the more, the lower it is: nobody is level with the first three."""
    numbers = [seat.entrant.number or 0 if seat.entrant else 99 for seat in seats]
    first, second, third = sorted(range(3), key=lambda position: numbers[position])
    deltas = [0, 0, 0]
    deltas[first] = 100 - 2 * numbers[first]
    deltas[second], deltas[third] = -10, 10 - deltas[first]
    return deltas


def entered() -> Units:
    """Six units of three: 字牌 all, 象棋 the second, 双升 the first and third of each."""
    made = make()
    owner, competition = made.owner, made.competition
    zipai, chess, sheng = make_unit_competition(acting=owner, competition=competition)
    lines = [f"{unit}{n}\t{unit}队" for unit in NAMES for n in (1, 2, 3)]
    add_pasted(acting=owner, event=zipai, text="\n".join(lines))
    for entry in competition.entries.select_related("person", "competition"):
        second = (entry.number or 0) % 3 == 2
        set_events(acting=owner, entry=entry, events=[zipai, chess if second else sheng])
    assert pair_by_unit(acting=owner, event=sheng) == 6
    for event, seeds in ((chess, CHESS_SEEDS), (sheng, PAIR_SEEDS)):
        for entrant in event.entrants.select_related("entry__person", "event__competition"):
            number = entrant.number
            seed = seeds.get(number or 0)
            change_entry(
                acting=owner, entrant=entrant, name=entrant.entry.name, unit=entrant.entry.unit,
                number=number, seed=seed,
            )  # fmt: skip
        stage = event.stages.get()
        wanted = replace(format_of(stage), third_table=True)
        set_format(acting=owner, stage=stage, wanted=wanted, entrants=6)
    for event in (zipai, chess, sheng):
        values = {"confirmation": ConfirmationMode.NONE, "extra_hands": False}
        stage = event.stages.get(kind=StageKind.KNOCKOUT)
        set_play(acting=owner, stage=stage, values=values)
    competition.published_at = competition.created_at
    competition.save()
    return Units(made, zipai, chess, sheng)


def of(world: Units, stage: Stage) -> Made:
    return Made(world.made.competition, stage.event, stage, world.made.owner)


def play_games(world: Units, event: Event, *, highest: bool = False) -> None:
    """Every table of two: the lowest (or highest) number wins until it is decided."""
    draw_and_publish(of(world, world.stage(event)))
    for round_ in world.stage(event).rounds.order_by("number"):
        for table in round_.tables.order_by("number"):
            seats = list(table.seats.select_related("entrant__entry").order_by("position"))
            left, right = (seat.entrant.number for seat in seats)
            sheet = open_sheet(table)
            for _game in range(sheet.hands_planned // 2 + 1):
                wins = LEFT if (left < right) != highest else RIGHT
                enter_hand(acting=world.made.owner, sheet=sheet, entered=game(wins))
            submit_sheet(acting=world.made.owner, sheet=sheet)


def test_preset_is_played_to_the_ranking_of_units() -> None:
    world = entered()
    preliminary = world.zipai.stages.get(kind=StageKind.PRELIM)
    assert (preliminary.round_count, preliminary.hands) == (3, 12)
    assert [world.stage(event).hands for event in (world.zipai, world.chess, world.sheng)] == [
        12, 3, 1,
    ]  # fmt: skip

    made = of(world, preliminary)
    draw_and_publish(made)
    play_all(made, lowest)
    going_on = close_preliminary(acting=world.made.owner, stage=preliminary)
    assert len(going_on) == 9
    ranks = dict(world.zipai.entrants.values_list("entry__number", "prelim_rank"))
    assert [ranks[n] for n in (1, 2, 3)] == [1, 2, 3]
    knockout = of(world, world.stage(world.zipai))
    draw_and_publish(knockout)
    first = knockout.stage.rounds.get(number=1)
    tables = first.seats.filter(entrant__entry__number__in=(1, 2, 3)).values_list("table")
    assert len(set(tables)) == 3
    play_all(knockout, lowest)
    play_games(world, world.chess)
    play_games(world, world.sheng, highest=True)

    for event in (world.zipai, world.chess, world.sheng):
        last = world.stage(event).rounds.get(is_last=True)
        finalize_round(acting=world.made.owner, round_=last)
    assert [podium(world, event) for event in (world.zipai, world.chess, world.sheng)] == [
        ["甲1", "甲2", "甲3"], ["甲2", "乙2", "丙2"],
        [f"{unit}1{PAIR}{unit}3" for unit in "己戊丁"],
    ]  # fmt: skip
    shown = units_page(world)
    assert "名次已定局" in shown
    rows = {unit: counts[:3] for unit, counts in _rows(shown).items()}
    assert rows == {
        "甲队": ["2", "1", "1"],
        "己队": ["1", "0", "0"],
        "乙队": ["0", "1", "0"],
        "戊队": ["0", "1", "0"],
        "丙队": ["0", "0", "1"],
        "丁队": ["0", "0", "1"],
    }
    order = [shown.index(f">{unit}<") for unit in ("甲队", "己队")]
    assert order == sorted(order)


def podium(world: Units, event: Event) -> list[str]:
    """The first three: the final's places, and who won the third-place table."""
    last = world.stage(event).rounds.get(is_last=True)
    seats = Seat.objects.filter(round=last).order_by("table__number", "place")
    found = [seat for seat in seats if seat.place]
    return [
        Entrant.objects.select_related("entry__person", "partner__person")
        .get(pk=seat.entrant_id)
        .name
        for seat in found[:3]
    ]
