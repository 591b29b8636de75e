"""A table of four at which three play: its fourth seat stays empty, and is called so (C2.2)."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from core.models import User
from scoring.bracket import bracket
from scoring.domain.board import Board
from scoring.domain.hands import enter_hand
from scoring.domain.leaving import leave
from scoring.domain.sheets import open_sheet, submit_sheet
from scoring.exports.books.parts import NO_URLS
from scoring.exports.books.results import results_parts
from scoring.forms.entry import names_of
from scoring.queries_public import round_rows, seat_rows, seats_of
from scoring.screen import _name as on_screen
from tests.scoring.public_pages import publish
from tests.scoring.sheets import totals
from tests.tournament.competitions import Made, make_published
from tournament.domain.gaps import fill_gap, gaps
from tournament.domain.settings import set_play
from tournament.enums import ConfirmationMode, EntrantStatus
from tournament.models import Entrant, Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def made() -> Made:
    """Sixteen at tables of four, one hand each. Two tables come to a winner; at the others
    everybody leaves after the hand, and nobody is left who could stand in."""
    made = make_published(16, table_size=4)
    set_play(acting=made.owner, stage=made.stage, values={"confirmation": ConfirmationMode.NONE})
    made.stage.rounds.update(hands=1)
    for number, table in enumerate(made.tables(1)):
        sheet = open_sheet(table)
        enter_hand(acting=made.owner, sheet=sheet, entered=totals(3, -1, -1, -1))
        if number >= 2:
            for seat in table.seats.all():
                assert seat.entrant is not None
                leave(acting=made.owner, entrant=seat.entrant, status=EntrantStatus.WITHDRAWN)
        submit_sheet(acting=made.owner, sheet=sheet)
    Entrant.objects.filter(status=EntrantStatus.OUT).update(status=EntrantStatus.WITHDRAWN)
    return made


def left_empty(made: Made) -> Table:
    """The final with two winners, a filler, and a seat left empty by hand."""
    (final,) = made.tables(2)
    for seat in gaps(final):
        fill_gap(acting=made.owner, seat=seat, instead=None)
    return final


def words(made: Made, final: Table) -> list[list[str]]:
    """What bracket, screen and the forms of the sheet say at the final's seats without entrant."""
    seats = seat_rows(seats_of(made.event), mask=False)
    drawn = bracket(round_rows(made.event), seats, {}, NO_URLS, "")
    (slot,) = drawn["rounds"][1]["feeds"][0]["slots"]
    said = [
        [line["waiting"] or line["name"] or "陪打" for line in slot["lines"]],
        [on_screen(seat) for seat in seats if seat.table == final.pk],
        names_of(Board(open_sheet(final), final)),
    ]
    return [[word for word in found if not word.startswith("选手")] for found in said]


def test_a_seat_that_nobody_has_won_yet_is_awaited(made: Made) -> None:
    (final,) = made.tables(2)
    drawn, screen, entry = words(made, final)
    assert sorted(drawn) == ["第 3 桌胜者", "第 4 桌胜者"]
    assert sorted(screen) == ["3 桌胜者", "4 桌胜者"]
    assert entry == ["待定", "待定"]


def test_the_fourth_seat_of_three_is_called_empty_before_and_after_they_play(made: Made) -> None:
    final = left_empty(made)
    assert words(made, final) == [["陪打", "空座"]] * 3
    deltas = [0 if seat.is_vacant else -1 for seat in final.seats.order_by("position")]
    deltas[final.seats.exclude(entrant=None).earliest("position").position] = 2
    enter_hand(acting=made.owner, sheet=open_sheet(final), entered=totals(*deltas))
    submit_sheet(acting=made.owner, sheet=open_sheet(final))
    final.refresh_from_db()
    assert words(made, final) == [["陪打", "空座"]] * 3
    parts = results_parts(made.competition)
    tables = [
        table
        for part in parts
        for round_ in part.context.get("rounds", ())
        for table in round_.get("tables", ())
        if "lines" in table
    ]
    names = {line["name"] for line in tables[-1]["lines"]}
    assert names >= {"空座", "陪打"}
    assert len(names) == 4


def test_pages_and_api_call_the_fourth_seat_empty(made: Made) -> None:
    final = left_empty(made)
    publish(made.competition)
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id))
    code = made.competition.code
    for name, *more in (
        ("table", final.pk),
        ("bracket", made.event.pk),
        ("desk",),
        ("sheet", final.pk),
        ("manage",),
    ):
        text = client.get(reverse(name, args=[code, *more])).content.decode()
        assert "空座" in text, name
        assert "待定" not in text, name
    text = client.get(reverse("manage_draw", args=[code]), {"round": 2}).content.decode()
    assert "空座" in text
    assert "上轮" not in text

    base = f"/api/v1/competitions/{code}"
    (line,) = (
        Client()
        .get(f"{base}/events/{made.event.pk}/rounds/{final.round_id}/tables")
        .json()["items"]
    )
    vacant = final.seats.get(entrant=None, is_filler=False).position
    assert [seat["position"] for seat in line["seats"] if seat["is_vacant"]] == [vacant]
    sheet = Client().get(f"{base}/tables/{final.pk}").json()
    assert [one["name"] for one in sheet["players"] if one["is_vacant"]] == ["空座"]
