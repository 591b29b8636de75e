"""A preliminary played to its cut, and on to the knock-out (C4.6, C5, C8.3, C7.1, C9)."""

from __future__ import annotations

import pytest

from core.errors import Conflict, DomainError
from scoring.domain.board import Board
from scoring.domain.leaving import leave
from scoring.domain.preliminary import (
    TiesWait,
    cancel_tie_breaks,
    close_preliminary,
    open_tie_breaks,
    reopen_preliminary,
    standing_of,
)
from scoring.models import Sheet
from tests.scoring.preliminaries import (
    by,
    by_number,
    draw_and_publish,
    knockout_of,
    level,
    make_preliminary,
    play_all,
    play_round,
    play_table,
    seats_of,
)
from tournament.domain.draws import document_of, freeze_draw
from tournament.domain.preliminary import PreliminaryClosed, PreliminaryOpen
from tournament.domain.starting import NotReady
from tournament.enums import Cut, EntrantStatus, State
from tournament.models import Entrant, Seat, Table
from tournament.pairing.document import dump, verify
from tournament.pairing.rotation import cuts, rounds_possible

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("n", "rounds", "cut", "size"),
    [(6, 4, 3, 3), (7, 3, 3, 3), (8, 4, 3, 3), (9, 4, 3, 3), (12, 4, 3, 3), (50, 3, 9, 3),
     (16, 3, 4, 4), (20, 2, 8, 2)],
)  # fmt: skip
def test_a_preliminary_is_played_to_its_cut_and_on_to_a_champion(n, rounds, cut, size):
    """C5.1–C5.5, C4.6: all rounds drawn at once; the cut goes on by pots and starts at 0."""
    made = make_preliminary(n, rounds, table_size=size)
    drawn = draw_and_publish(made)
    assert verify(dump(document_of(drawn))) == []
    assert [round_.title for round_ in made.stage.rounds.order_by("number")] == [
        f"预赛第 {number} 轮" for number in range(1, rounds + 1)
    ]
    assert made.stage.rounds.filter(is_last=True).count() == 0
    fillers = Seat.objects.filter(round__stage=made.stage, is_filler=True)
    assert fillers.count() == rounds * (-n % 3)
    play_all(made)
    assert made.event.entrants.exclude(status=EntrantStatus.IN).count() == 0
    standing = standing_of(made.stage)
    assert standing.cut == cut
    total = sum(row.result.points for row in standing.ranking.rows)
    assert total == 48 * rounds * len(made.tables(1)), "a filler is always last here"
    going = close_preliminary(acting=made.owner, stage=made.stage)
    assert len(going) == cut
    assert [entrant.prelim_rank or 0 for entrant in going] == [0] * cut  # as they were read
    ranks = dict(made.event.entrants.values_list("pk", "prelim_rank"))
    assert [ranks[entrant.pk] for entrant in going] == list(range(1, cut + 1))
    assert made.event.entrants.filter(status=EntrantStatus.OUT).count() == n - cut
    knockout = knockout_of(made)
    drawn = draw_and_publish(knockout, "黄")
    assert verify(dump(document_of(drawn))) == []
    assert drawn.plan["ranks"] == [entrant.number for entrant in going]
    each = cut // size
    for table in knockout.tables(1):
        pots = sorted((ranks[seat.entrant_id] - 1) // each for seat in table.seats.all())
        assert pots == list(range(size))
        assert Board(Sheet(table=table), table).sums.played == 0
    play_all(knockout)
    champion = Seat.objects.get(round__stage=knockout.stage, round__is_last=True, place=1)
    assert champion.entrant.number == min(entrant.number for entrant in going)
    assert made.event.entrants.filter(status=EntrantStatus.IN).get() == champion.entrant
    assert Table.objects.filter(round__stage=made.stage).exclude(state=State.FINAL).count() == 0


def test_points_are_written_at_the_confirmation_and_shared():
    """C5.4: exact twelfths in the seats; nobody is out."""
    made = make_preliminary(9, 2)
    draw_and_publish(made)
    first, second, third = made.tables(1)
    play_table(made, first)
    play_table(made, second, level)
    numbers = [seat.entrant.number for seat in seats_of(third)]
    play_table(made, third, by({numbers[0]: 4, numbers[1]: 4, numbers[2]: -8}))
    assert sorted(seat.points for seat in seats_of(first)) == [0, 12, 36]
    assert [(seat.points, seat.place) for seat in seats_of(second)] == [(16, 1)] * 3
    assert [(seat.points, seat.place) for seat in seats_of(third)] == [(24, 1), (24, 1), (0, 3)]
    assert {seat.advances for seat in seats_of(third)} == {False}
    rows = {row.result.key: row.result for row in standing_of(made.stage).ranking.rows}
    assert rows[seats_of(third)[0].entrant_id].tables_won == 0, "a shared first place is no win"
    assert sum(row.tables_won for row in rows.values()) == 1


def test_behind_a_filler_who_wins_the_table_are_one_point_and_none():
    """C1.3: his place counts, his points are nobody's."""
    made = make_preliminary(8, 1)
    draw_and_publish(made)
    table = Table.objects.get(round__stage=made.stage, seats__is_filler=True)
    numbers = [seat.entrant.number for seat in seats_of(table) if seat.entrant]
    play_table(made, table, by({numbers[0]: -1, numbers[1]: -3}))
    points = {seat.entrant and seat.entrant.number: seat.points for seat in seats_of(table)}
    assert points == {numbers[0]: 12, numbers[1]: 0, None: 36}
    assert {row.result.points for row in standing_of(made.stage).ranking.rows} == {0, 12}
    assert len(standing_of(made.stage).ranking.rows) == 8


def test_a_table_starts_when_the_earlier_tables_of_its_players_are_confirmed():
    """C7.1: not the whole round."""
    made = make_preliminary(12, 2)
    draw_and_publish(made)
    table = made.tables(2)[0]
    with pytest.raises(NotReady) as caught:
        play_table(made, table)
    assert "第 1 轮第 1 桌" in str(caught.value)
    mine = set(table.seats.values_list("entrant", flat=True))
    for earlier in made.tables(1):
        if mine & set(earlier.seats.values_list("entrant", flat=True)):
            play_table(made, earlier)
    play_table(made, table)
    assert made.tables(2)[0].state == State.CONFIRMED
    assert [one.state for one in made.tables(1)].count(State.PUBLISHED) == 1


def test_the_knockout_waits_for_the_end_of_the_preliminary():
    made = make_preliminary(9, 2)
    draw_and_publish(made)
    play_round(made, 1)
    knockout = knockout_of(made)
    with pytest.raises(PreliminaryOpen):
        freeze_draw(acting=made.owner, stage=knockout.stage)
    with pytest.raises(Conflict) as caught:
        close_preliminary(acting=made.owner, stage=made.stage)
    assert caught.value.code == "tables-open"
    play_round(made, 2)
    close_preliminary(acting=made.owner, stage=made.stage)
    with pytest.raises(Conflict):
        close_preliminary(acting=made.owner, stage=made.stage)
    freeze_draw(acting=made.owner, stage=knockout.stage)


def test_closing_is_taken_back_while_the_knockout_has_no_draw():
    """C9.5."""
    made = make_preliminary(9, 2)
    draw_and_publish(made)
    play_all(made)
    close_preliminary(acting=made.owner, stage=made.stage)
    reopen_preliminary(acting=made.owner, stage=made.stage)
    assert made.event.entrants.filter(prelim_rank=None, status=EntrantStatus.IN).count() == 9
    close_preliminary(acting=made.owner, stage=made.stage)
    freeze_draw(acting=made.owner, stage=knockout_of(made).stage)
    with pytest.raises(PreliminaryClosed):
        reopen_preliminary(acting=made.owner, stage=made.stage)


@pytest.mark.parametrize(("cut", "expected"), [(Cut.USUAL, 9), (Cut.DOWN, 3), (Cut.UP, 27)])
def test_the_organizer_takes_the_next_power(cut, expected):
    """C5.5: 36 entrants."""
    assert cuts(36) == (9, 3, 27)
    made = make_preliminary(36, 1, cut=cut)
    draw_and_publish(made)
    assert standing_of(made.stage).cut == expected


def test_a_tie_at_the_cut_waits_for_an_extra_table():
    """C8.3, C8.6: three of four tables are won alike; the cut is three, so two of three who are
    level in all else sit down again."""
    made = make_preliminary(12, 1, extra_hands=True)
    made.event.prizes = 1
    made.event.save()
    draw_and_publish(made)
    tables = made.tables(1)
    worth = [(8, 0, -8), (8, 0, -8), (6, 0, -6), (6, 0, -6)]
    for table, deltas in zip(tables, worth, strict=True):
        play_table(made, table, lambda seats, deltas=deltas: deltas)
    standing = standing_of(made.stage)
    (tie,) = standing.ranking.ties
    assert tie.line == 3
    third, fourth = (table.seats.get(position=0).entrant_id for table in tables[2:])
    assert set(tie.keys) == {third, fourth}
    with pytest.raises(TiesWait) as caught:
        close_preliminary(acting=made.owner, stage=made.stage)
    assert "第 3 名线上同分" in str(caught.value)
    round_ = open_tie_breaks(acting=made.owner, stage=made.stage)
    assert (round_.title, round_.hands, round_.is_tie_break) == ("预赛加赛", 1, True)
    with pytest.raises(Conflict):
        open_tie_breaks(acting=made.owner, stage=made.stage)
    (extra,) = round_.tables.all()
    assert {seat.entrant_id for seat in extra.seats.all()} == {third, fourth}
    winner = extra.seats.get(entrant=fourth).entrant.number
    loser = extra.seats.get(entrant=third).entrant.number
    play_table(made, extra, by({winner: 4, loser: -4}))
    assert set(extra.seats.values_list("points", flat=True)) == {None}
    going = close_preliminary(acting=made.owner, stage=made.stage)
    assert going[2].pk == fourth
    rows = {row.result.key: row.result for row in standing_of(made.stage).ranking.rows}
    assert (rows[fourth].net, rows[fourth].points) == (6, 36), "加赛 is not counted"


def test_closing_says_that_a_needless_extra_table_has_to_be_cancelled():
    """C8.3: one of two who are level leaves while their table waits."""
    made = make_preliminary(12, 1, extra_hands=True)
    made.event.prizes = 1
    made.event.save()
    draw_and_publish(made)
    worth = [(8, 0, -8), (8, 0, -8), (6, 0, -6), (6, 0, -6)]
    for table, deltas in zip(made.tables(1), worth, strict=True):
        play_table(made, table, lambda seats, deltas=deltas: deltas)
    round_ = open_tie_breaks(acting=made.owner, stage=made.stage)
    level = Seat.objects.filter(round=round_, entrant__isnull=False).first()
    leave(acting=made.owner, entrant=level.entrant, status=EntrantStatus.WITHDRAWN)
    with pytest.raises(Conflict, match="加赛还没有确认"):
        close_preliminary(acting=made.owner, stage=made.stage)
    cancel_tie_breaks(acting=made.owner, round_=round_)
    assert len(close_preliminary(acting=made.owner, stage=made.stage)) == 3


def test_more_than_three_level_at_the_cut_go_by_lot():
    """C8.3: no table takes four."""
    made = make_preliminary(12, 1, extra_hands=True)
    made.event.prizes = 1
    made.event.save()
    drawn = draw_and_publish(made)
    play_all(made, lambda seats: (8, 0, -8))
    assert standing_of(made.stage).ranking.ties == ()
    going = close_preliminary(acting=made.owner, stage=made.stage)
    firsts = {t.seats.get(position=0).entrant.number for t in made.tables(1)}
    lots = [number for number in drawn.result["lots"] if number in firsts]
    assert [entrant.number for entrant in going] == lots[:3]


def test_rounds_possible_are_those_that_can_be_drawn():
    made = make_preliminary(9, rounds_possible(9))
    draw_and_publish(made)
    assert made.stage.rounds.count() == 4


def test_five_have_no_preliminary():
    """C5.1, C5.5."""
    made = make_preliminary(5, 1)
    with pytest.raises(DomainError) as caught:
        freeze_draw(acting=made.owner, stage=made.stage)
    assert caught.value.code == "rotation-entrants"


def test_who_cannot_walk_keeps_his_table():
    """C5.3: the mark at the entry."""
    made = make_preliminary(15, 3)
    entry = made.competition.entries.get(number=7)
    entry.needs_fixed_table = True
    entry.save()
    draw_and_publish(made)
    seats = Seat.objects.filter(round__stage=made.stage, entrant__entry=entry)
    assert len({seat.table.number for seat in seats}) == 1
    assert {seat.position for seat in seats} == {0}


def test_numbers_win_by_number():
    """The helper: the lowest number of a table wins it."""
    made = make_preliminary(6, 1)
    draw_and_publish(made)
    table = made.tables(1)[0]
    play_table(made, table, by_number)
    best = min(seats_of(table), key=lambda seat: seat.entrant.number)
    assert best.points == 36
    assert Entrant.objects.get(pk=best.entrant_id).status == EntrantStatus.IN
