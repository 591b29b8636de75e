"""Whole competitions of style `redraw`: fields, who goes on, corrections, leaving (C3.2, C8.4)."""

from __future__ import annotations

import pytest

from core.models import AuditRow
from scoring.domain.errors import ShowEffects
from scoring.domain.leaving import come_back, leave
from scoring.domain.next_field import next_field
from scoring.domain.preliminary import close_preliminary
from scoring.domain.sheets import submit_sheet
from scoring.domain.undo import reopen_sheet
from scoring.models import Sheet
from tests.scoring.preliminaries import (
    draw_and_publish,
    knockout_of,
    make_preliminary,
    play_all,
    play_round,
)
from tests.scoring.redraws import AS_PLAYED, REPLAY, SEEN, Redrawn, make_redraw, plain
from tests.tournament.competitions import out
from tests.tournament.pairing.test_standalone import verify_draw
from tournament.domain.draws import document_of, enter_words, freeze_draw
from tournament.domain.reopening import CannotReopen
from tournament.domain.starting import start_table
from tournament.domain.tables import Depends
from tournament.enums import EntrantStatus, State, Style
from tournament.models import Draw, Entrant, Round, Seat, Table
from tournament.pairing.document import dump, verify
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("entrants", "fields"),
    [
        (2, [2]),
        (5, [5, 3]),
        (7, [7, 3]),
        (10, [10, 6, 3]),
        (28, [28, 12, 6, 3]),
        (36, [36, 12, 6, 3]),
        (50, [50, 18, 9, 3]),
    ],
)
def test_whole_competition_has_the_golden_fields(entrants: int, fields: list[int]) -> None:
    """C3.3, C3.4: n − 1 eliminated, one champion; every draw redraws from its JSON (C4.5)."""
    redrawn = make_redraw(entrants)
    assert redrawn.play_out() == fields
    assert out(redrawn.made) == entrants - 1
    rounds = list(redrawn.made.stage.rounds.order_by("number").values_list("state", flat=True))
    assert rounds == [State.FINAL] * (len(fields) - 1) + [State.CONFIRMED]
    draws = Draw.objects.order_by("round_number")
    assert [one.round_number for one in draws] == list(range(1, len(fields) + 1))
    for one in draws:
        document = document_of(one)
        assert verify(dump(document)) == []
        assert list(verify_draw.check(document)) == []


def test_first_round_sends_two_on() -> None:
    """C3: (3,2) in the first round only."""
    redrawn = make_redraw(20, first_two=True)
    fields = redrawn.play_out()
    assert fields[:2] == [20, 15]
    assert list(redrawn.made.stage.rounds.order_by("number").values_list("advance", flat=True)) == [
        2, *[1] * (len(fields) - 1),
    ]  # fmt: skip
    assert out(redrawn.made) == 19


@pytest.mark.parametrize(("size", "advance", "entrants"), [(2, 1, 11), (4, 1, 30), (4, 2, 19)])
def test_other_tables_end_with_one_champion(size: int, advance: int, entrants: int) -> None:
    redrawn = make_redraw(entrants, table_size=size, advance=advance)
    redrawn.play_out()
    assert out(redrawn.made) == entrants - 1


@pytest.mark.parametrize("entrants", [4, 5, 8])
def test_losers_play_for_third_place_at_tables_of_two(entrants: int) -> None:
    redrawn = make_redraw(entrants, table_size=2, third_table=True)
    redrawn.play_out()
    third = Table.objects.get(is_third=True)
    assert third.round.is_last
    assert sorted(third.seats.values_list("place", flat=True)) == [1, 2]
    assert out(redrawn.made) == entrants - 1


def played(entrants: int = 10) -> Redrawn:
    """The first round of ten: tables of 3, 3, 2 and 2; four winners and two seconds go on."""
    redrawn = make_redraw(entrants)
    redrawn.next_round()
    return redrawn


def test_seconds_wait_and_the_best_go_on() -> None:
    """C8.4: tables 4 and 3 lose least."""
    redrawn = make_redraw(10)
    redrawn.draw()
    redrawn.publish()
    tables = redrawn.made.tables(1)
    for table in tables[:3]:
        redrawn.play(table)
    first = plain_order(redrawn, tables[0])
    assert redrawn.status(first[1]) == EntrantStatus.IN, "he may still go on"
    assert redrawn.status(first[2]) == EntrantStatus.OUT
    with pytest.raises(NotAllowed):
        freeze_draw(acting=redrawn.made.owner, stage=redrawn.made.stage, reason="早了")
    redrawn.play(tables[3])
    assert redrawn.newest.state == State.CONFIRMED
    found = next_field(Round.objects.select_related("stage__event").get(number=1))
    assert [one.table for one in found.behind[:4]] == [4, 3, 2, 1]
    assert len(found.going) == found.left == 6
    assert set(redrawn.going(1)) == set(found.going)
    assert redrawn.still_in() == 6
    assert redrawn.status(first[1]) == EntrantStatus.OUT


def plain_order(redrawn: Redrawn, table: Table) -> list[int | None]:
    """The entrants of a table by the place that `plain` gives them."""
    seats = table.seats.filter(entrant__isnull=False).order_by("position")
    return list(seats.values_list("entrant", flat=True))


def test_level_seconds_are_parted_by_the_lot() -> None:
    redrawn = make_redraw(10)
    draw = redrawn.draw()
    redrawn.publish()
    for table in redrawn.made.tables(1):
        order = plain_order(redrawn, table)
        positions = {seat.entrant_id: seat.position for seat in table.seats.all()}
        deltas = [0] * table.seat_count
        for entrant, value in zip(order, (5, -2, -3), strict=False):
            deltas[positions[entrant]] = value
        deltas[positions[order[0]]] -= sum(deltas)
        redrawn.play(table, tuple(deltas))
    found = next_field(Round.objects.select_related("stage__event").get(number=1))
    lots = {number: lot for lot, number in enumerate(draw.result["lots"])}  # type: ignore[index]
    seconds = [one.entrant.number for one in found.behind if one.place == 2]
    assert seconds == sorted(seconds, key=lambda number: lots[number or 0])


def better(redrawn: Redrawn, table: Table) -> tuple[int, ...]:
    """The same table with its first two the other way round."""
    first, second = plain_order(redrawn, table)[:2]
    positions = {seat.entrant_id: seat.position for seat in table.seats.all()}
    deltas = list(plain(table))
    a, b = positions[first], positions[second]
    deltas[a], deltas[b] = deltas[b], deltas[a]
    return tuple(deltas)


def test_correction_before_the_next_draw_changes_the_field() -> None:
    redrawn = played()
    table = redrawn.table(1, 1)
    winner, second = plain_order(redrawn, table)[:2]
    with pytest.raises(ShowEffects) as shown:
        redrawn.correct(table, better(redrawn, table), type(SEEN)("录像"))
    moves = shown.value.effects.moves
    assert [(one.feed.entrant_id, one.after, one.feed.seat_id) for one in moves] == [
        (winner, second, 0)
    ]
    redrawn.correct(table, better(redrawn, table), SEEN)
    assert second in redrawn.going(1)
    assert winner not in redrawn.going(1)
    assert redrawn.status(winner) == EntrantStatus.OUT


def test_correction_of_points_alone_can_change_which_second_goes_on() -> None:
    """C8.4 is across tables: the second of table 3 loses more than that of table 2."""
    redrawn = played()
    table = redrawn.table(1, 3)
    worse = list(plain(table))
    order = plain_order(redrawn, table)
    positions = {seat.entrant_id: seat.position for seat in table.seats.all()}
    worse[positions[order[1]]] -= 10
    worse[positions[order[0]]] += 10
    redrawn.correct(table, tuple(worse), SEEN)
    assert order[1] not in redrawn.going(1)
    assert plain_order(redrawn, redrawn.table(1, 2))[1] in redrawn.going(1)


@pytest.mark.parametrize("is_drawn", [False, True])
def test_next_draw_falls_where_it_is_not_published(is_drawn: bool) -> None:
    redrawn = played()
    if is_drawn:
        redrawn.draw()
    else:
        freeze_draw(acting=redrawn.made.owner, stage=redrawn.made.stage)
    redrawn.correct(redrawn.table(1, 1), better(redrawn, redrawn.table(1, 1)), SEEN)
    assert not Draw.objects.filter(number=None).exists()
    assert redrawn.newest.number == 1
    assert AuditRow.objects.filter(action="draw.fall").count() == 1
    assert Draw.objects.filter(round_number=2).count() == int(is_drawn), "a draw stays visible"
    redrawn.draw(reason="第一轮更正" if is_drawn else "")
    assert redrawn.newest.number == 2


def test_correction_that_changes_nobody_leaves_the_draw() -> None:
    redrawn = played()
    redrawn.draw()
    table = redrawn.table(1, 1)
    deltas = list(plain(table))
    order = plain_order(redrawn, table)
    positions = {seat.entrant_id: seat.position for seat in table.seats.all()}
    deltas[positions[order[0]]] += 1
    deltas[positions[order[2]]] -= 1
    redrawn.correct(table, tuple(deltas), SEEN)
    assert redrawn.newest.number == 2


def test_published_seat_goes_to_who_has_won_it() -> None:
    redrawn = played()
    redrawn.draw()
    redrawn.publish()
    table = redrawn.table(1, 1)
    winner, second = plain_order(redrawn, table)[:2]
    seat = Seat.objects.get(round__number=2, entrant=winner)
    redrawn.correct(table, better(redrawn, table), SEEN)
    seat.refresh_from_db()
    assert seat.entrant_id == second
    assert (redrawn.status(winner), redrawn.status(second)) == (
        EntrantStatus.OUT,
        EntrantStatus.IN,
    )


def test_after_a_hand_the_chief_lets_it_stand_or_has_it_replayed() -> None:
    redrawn = played()
    redrawn.draw()
    redrawn.publish()
    redrawn.play_round(2)
    assert [one.state for one in redrawn.made.tables(1)] == [State.FINAL] * 4
    first = redrawn.table(1, 1)
    winner, second = plain_order(redrawn, first)[:2]
    with pytest.raises(Depends):
        redrawn.correct(first, better(redrawn, first), SEEN)
    redrawn.correct(first, better(redrawn, first), AS_PLAYED)
    assert winner in redrawn.going(1)
    assert Seat.objects.filter(round__number=2, entrant=winner).exists()

    redrawn.correct(first, plain(first), AS_PLAYED)
    redrawn.correct(first, better(redrawn, first), REPLAY)
    seat = Seat.objects.select_related("table").get(round__number=2, entrant=second)
    assert seat.table.state == State.PUBLISHED
    assert redrawn.status(winner) == EntrantStatus.OUT
    assert redrawn.newest.state == State.RUNNING
    redrawn.play(seat.table)
    assert redrawn.newest.state == State.CONFIRMED
    redrawn.play_out_rest()
    assert out(redrawn.made) == 9


def test_replay_reaches_the_round_after_next() -> None:
    """Who went on from the replayed table leaves his seat empty until it is played."""
    redrawn = played(28)
    redrawn.next_round()
    redrawn.next_round()
    first = redrawn.table(1, 1)
    redrawn.correct(first, better(redrawn, first), REPLAY)
    second = plain_order(redrawn, first)[1]
    seat = Seat.objects.select_related("table").get(round__number=2, entrant=second)
    assert seat.table.state == State.PUBLISHED
    assert Seat.objects.filter(round__number=3, entrant=None, is_filler=False).count() >= 1
    redrawn.play(seat.table)
    assert not Seat.objects.filter(round__number=3, entrant=None, is_filler=False).exists()
    for table in redrawn.made.tables(3):
        if table.state == State.PUBLISHED:
            redrawn.play(table)
    redrawn.play_out_rest()
    assert out(redrawn.made) == 27


def test_first_hand_of_the_next_round_makes_the_whole_round_final() -> None:
    """C7.1."""
    redrawn = played()
    redrawn.draw()
    redrawn.publish()
    started = start_table(acting=redrawn.made.owner, table=redrawn.table(2, 2))
    assert len(started.finals) == 4
    assert Round.objects.get(number=1).state == State.FINAL


def test_who_leaves_between_two_rounds_is_followed_by_the_next_best() -> None:
    """C9.3, C9.5."""
    redrawn = played()
    gone = Entrant.objects.get(pk=redrawn.going(1)[0])
    third_best = plain_order(redrawn, redrawn.table(1, 2))[1]
    leave(acting=redrawn.made.owner, entrant=gone, status=EntrantStatus.WITHDRAWN)
    assert third_best in redrawn.going(1)
    assert redrawn.status(third_best) == EntrantStatus.IN
    come_back(acting=redrawn.made.owner, entrant=Entrant.objects.get(pk=gone.pk))
    assert third_best not in redrawn.going(1)
    assert gone.pk in redrawn.going(1)


def test_who_leaves_after_the_draw_gives_his_seat_to_a_stand_in() -> None:
    redrawn = played()
    redrawn.draw()
    redrawn.publish()
    seat = redrawn.table(2, 1).seats.filter(entrant__isnull=False).first()
    assert seat is not None
    assert seat.entrant is not None
    best = Entrant.objects.get(pk=plain_order(redrawn, redrawn.table(1, 2))[1])
    leave(
        acting=redrawn.made.owner,
        entrant=seat.entrant,
        status=EntrantStatus.WITHDRAWN,
        instead=best,
    )
    seat.refresh_from_db()
    assert seat.entrant_id == best.pk
    redrawn.correct(redrawn.table(1, 4), plain(redrawn.table(1, 4))[:], SEEN)
    seat.refresh_from_db()
    assert seat.entrant_id == best.pk, "he stays, as the seat was won by who has left it"
    redrawn.play_round(2)
    redrawn.play_out_rest()
    assert out(redrawn.made) == 8


def test_confirmation_is_taken_back_until_the_next_list_is_frozen() -> None:
    redrawn = played()
    sheet = Sheet.objects.get(table=redrawn.table(1, 2))
    reopen_sheet(acting=redrawn.made.owner, sheet=sheet, reason="看错")
    assert redrawn.newest.state == State.RUNNING
    assert len(redrawn.going(1)) == 3, "the winners of the other tables"
    assert redrawn.status(plain_order(redrawn, redrawn.table(1, 1))[1]) == EntrantStatus.IN
    sheet.refresh_from_db()
    submit_sheet(acting=redrawn.made.owner, sheet=sheet)
    assert len(redrawn.going(1)) == 6
    frozen = freeze_draw(acting=redrawn.made.owner, stage=redrawn.made.stage)
    with pytest.raises(CannotReopen):
        reopen_sheet(acting=redrawn.made.owner, sheet=sheet, reason="看错")
    enter_words(acting=redrawn.made.owner, draw=frozen, words="三")


def test_next_draw_is_nobodys_to_see_until_it_is_published() -> None:
    redrawn = played()
    draw = redrawn.draw()
    assert redrawn.newest.state == State.DRAWN
    assert draw.number == 1
    assert draw.round_number == 2
    assert draw.lines.count("\n") == 6


def test_redraw_follows_a_preliminary_by_pots() -> None:
    """C4.6, C5.5: nine of twenty go on; the first round is one of each pot at a table."""
    made = make_preliminary(20)
    draw_and_publish(made)
    play_all(made)
    going = close_preliminary(acting=made.owner, stage=made.stage)
    knockout = knockout_of(made)
    knockout.stage.style = Style.REDRAW
    knockout.stage.save()
    drawn = draw_and_publish(knockout, "黄")
    assert verify(dump(document_of(drawn))) == []
    assert drawn.plan["ranks"] == [entrant.number for entrant in going]
    redrawn = Redrawn(knockout)
    assert redrawn.newest.seats.count() == 9
    play_round(knockout, 1)
    assert Round.objects.filter(stage=made.stage).exclude(state=State.FINAL).count() == 0
    gone = Entrant.objects.get(pk=redrawn.going(1)[0])
    leave(acting=made.owner, entrant=gone, status=EntrantStatus.WITHDRAWN)
    assert len(redrawn.going(1)) == 3
    assert gone.pk not in redrawn.going(1)
    draw_and_publish(knockout, "红")
    play_round(knockout, 2)
    assert redrawn.newest.is_last
    assert redrawn.still_in() == 1
    assert out(made) == 18
