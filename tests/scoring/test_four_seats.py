"""Tables of four of three-handed play (坐醒): entered, shown and ranked to the champion (C2.2)."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from core.models import User
from scoring.domain.board import Board
from scoring.domain.hands import Entered, correct_hand, enter_hand
from scoring.domain.sheets import open_sheet, submit_sheet
from scoring.enums import Evidence
from scoring.models import HandVersion, Sheet
from tests.scoring.public_pages import page, published, stranger, text_of
from tests.scoring.records import result_of, won
from tests.scoring.sheets import result, totals
from tests.tournament.competitions import Made, out
from tournament.enums import EntrantStatus, Way
from tournament.models import Table

pytestmark = pytest.mark.django_db

LINE: dict[str, Any] = {"source": "own-flip", "winner": "乙", "hu": 16, "xing_count": 1}
SLIP: dict[str, Any] = {
    "source": "discard", "winner": "甲", "payer": "乙", "hand": "四四四捌捌八伍陆一二三",
    "table": ["碰 九", "吃 二七十", "扫 壹"], "card": "柒", "xing": "七", "dealer": "甲",
}  # fmt: skip


def enter(made: Made, table: Table, entered: Entered) -> HandVersion:
    return enter_hand(acting=made.owner, sheet=open_sheet(table), entered=entered)


def play(made: Made, table: Table) -> None:
    """甲 has most, 乙 less, and so on, by totals from paper for all hands at once."""
    deltas = {2: (5, -5), 3: (5, -1, -4), 4: (5, 1, -2, -4)}[table.seat_count]
    sheet = open_sheet(table)
    enter_hand(acting=made.owner, sheet=sheet, entered=totals(*deltas, hands=sheet.hands_planned))
    submit_sheet(acting=made.owner, sheet=sheet)


def four(made: Made) -> Table:
    return next(table for table in made.tables(1) if table.seat_count == 4)


@pytest.mark.parametrize(("entrants", "fours"), [(4, 1), (10, 1), (12, 3)])
def test_compact_competition_has_one_champion(entrants: int, fours: int) -> None:
    """C3.1 (ii), C3.4: all four rank, one goes on."""
    made = published(entrants, way=Way.COMPACT)
    assert [table.seat_count for table in made.tables(1)].count(4) == fours
    for round_ in made.stage.rounds.order_by("number"):
        for table in round_.tables.order_by("number"):
            play(made, table)
    places = four(made).seats.order_by("position").values_list("place", "advances")
    assert list(places) == [(1, True), (2, False), (3, False), (4, False)]
    assert out(made) == entrants - 1
    assert made.event.entrants.filter(status=EntrantStatus.IN).count() == 1
    url = reverse("standings", args=[made.competition.code, made.event.pk])
    assert f"共 {entrants} 人" in page(url)


def test_every_level_of_evidence_counts_at_a_table_of_four() -> None:
    """C6.1: a record is of four seats; who sits out has no part in the hand (R2.2)."""
    made = published(4, hands=4, way=Way.COMPACT)
    table = four(made)
    text = won(seats=4)
    record = enter(made, table, Entered(Evidence.RECORD, {"text": text}))
    assert record.deltas == result_of(text).deltas
    assert record.deltas[2] == 0, "opposite the dealer"
    slip = enter(made, table, Entered(Evidence.SLIP, SLIP))
    assert slip.deltas == (6, -6, 0, 0)
    line = enter(made, table, result(LINE | {"dealer": "乙"}))
    assert line.deltas[3] == 0
    assert line.deltas[1] == -line.deltas[0] - line.deltas[2]
    paper = enter(made, table, totals(3, 2, -1, -4))
    assert paper.deltas == (3, 2, -1, -4)
    board = Board(Sheet.objects.get(table=table))
    assert board.is_full
    assert board.sums.balance == 0
    corrected = correct_hand(
        acting=made.owner, hand=line.hand, entered=result(LINE | {"dealer": "甲"})
    )
    assert corrected.deltas[2] == 0


def test_who_sits_out_cannot_win() -> None:
    made = published(4, way=Way.COMPACT)
    with pytest.raises(Exception, match="坐醒"):
        enter(made, four(made), result(LINE | {"winner": "丙", "dealer": "甲"}))


def test_dealer_goes_round_four_seats() -> None:
    """C2.3, 轮庄."""
    made = published(4, hands=6, way=Way.COMPACT)
    made.stage.dealer = "rotate"
    made.stage.save()
    table = four(made)
    dealers = []
    for _hand in range(5):
        board = Board(open_sheet(table))
        dealers.append(board.terms().dealer)
        enter(made, table, result({"source": "draw"}))
    assert dealers == [0, 1, 2, 3, 0]


def test_entry_form_says_who_sits_out() -> None:
    made = published(4, way=Way.COMPACT)
    table = four(made)
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id))
    sheet = reverse("sheet", args=[made.competition.code, table.pk])
    names = [seat.entrant.name for seat in table.seats.order_by("position") if seat.entrant]
    text = text_of(client.get(sheet).content.decode())
    assert f"甲 {names[0]} 坐庄，丙 {names[2]} 坐醒，这一局不打。" in text
    made = published(9)
    client.force_login(User.objects.get(pk=made.owner.user_id))
    sheet = reverse("sheet", args=[made.competition.code, made.tables(1)[0].pk])
    assert "坐醒，这一局不打" not in text_of(client.get(sheet).content.decode())


def test_pages_show_four_columns() -> None:
    """The ledger of everybody and the replay of a record."""
    made = published(4, way=Way.COMPACT)
    table = four(made)
    enter(made, table, Entered(Evidence.RECORD, {"text": won(seats=4)}))
    code = made.competition.code
    html = stranger(reverse("table", args=[code, table.pk])).content.decode()
    names = [seat.entrant.name for seat in table.seats.order_by("position") if seat.entrant]
    assert len(names) == 4
    assert all(name in html for name in names)
    assert "坐醒" in html
    replay = stranger(reverse("replay", args=[code, table.pk, 1]))
    assert replay.status_code == 200
    shown = text_of(replay.content.decode())
    assert all(name in shown for name in names)
    assert "坐醒" in shown
