"""A table's way from its first hand to the champion (C7.1, C9.1, C3.4)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from core.domain.versions import fresh
from core.errors import Conflict
from core.models import AuditRow
from tests.factories import make_acting
from tests.tournament.competitions import (
    Made,
    draw,
    make,
    make_published,
    out,
    play,
    play_out,
    results,
)
from tournament.domain.finality import finalize_due, finalize_round
from tournament.domain.results import BadResults, SeatResult
from tournament.domain.starting import NotReady, start_table
from tournament.domain.tables import Depends, correct_table, effects_of, finish_table
from tournament.enums import EntrantStatus, Role, State, Way
from tournament.models import Round, Seat, Table
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db


def state(row: Table | Round) -> str:
    row.refresh_from_db()
    return row.state


@pytest.mark.parametrize(
    ("entrants", "size", "advance", "way", "tables"),
    [
        (2, 3, 1, None, [1]),
        (3, 3, 1, None, [1]),
        (4, 3, 1, Way.COMPACT, [1]),
        (4, 3, 1, Way.BYES, [1, 1]),
        (5, 3, 1, None, [1, 1]),
        (9, 3, 1, None, [3, 1]),
        (10, 3, 1, Way.BYES, [1, 3, 1]),
        (27, 3, 1, None, [9, 3, 1]),
        (28, 3, 1, Way.COMPACT, [9, 3, 1]),
        (28, 3, 1, Way.BYES, [1, 9, 3, 1]),
        (6, 2, 1, None, [2, 2, 1]),
        (7, 4, 1, None, [1, 1]),
        (9, 4, 2, None, [1, 2, 1]),
    ],
)
def test_a_whole_competition_ends_with_one_champion(
    entrants: int, size: int, advance: int, way: Way | None, tables: list[int]
) -> None:
    """C3.4: exactly n − 1 are eliminated before one is champion."""
    made = make_published(entrants, size, advance, way)
    assert [round_.tables.count() for round_ in made.stage.rounds.order_by("number")] == tables

    champion = play_out(made)

    assert out(made) == entrants - 1
    assert champion is not None
    assert list(made.event.entrants.filter(status=EntrantStatus.IN)) == [champion]
    states = list(made.stage.rounds.order_by("number").values_list("state", flat=True))
    assert states == [State.FINAL] * (len(tables) - 1) + [State.CONFIRMED]


def test_first_hand_runs_table_and_round_and_freezes_the_rules() -> None:
    """C7.1, C11."""
    made = make_published(9)
    table = made.tables(1)[0]
    scopes = [made.competition.scope, *made.event.scopes, *(t.scope for t in made.tables(1)[:2])]
    before = fresh(scopes)

    started = start_table(acting=made.owner, table=table)

    assert started.finals == ()
    assert state(table) == State.RUNNING
    assert state(table.round) == State.RUNNING
    assert [state(other) for other in made.tables(1)[1:]] == [State.PUBLISHED] * 2
    made.event.refresh_from_db()
    assert made.event.is_frozen
    people, event, play, own, other = before
    assert fresh(scopes) == (people + 1, event + 1, play + 1, own + 1, other)
    assert AuditRow.objects.filter(action="table.start", subject=f"table:{table.pk}").count() == 1


def test_second_start_changes_nothing() -> None:
    made = make_published(9)
    table = made.tables(1)[0]
    start_table(acting=made.owner, table=table)
    scopes = [*made.event.scopes, table.scope]
    version = fresh(scopes)
    start_table(acting=made.owner, table=table)
    assert fresh(scopes) == version


def test_table_that_starts_or_ends_raises_its_own_page_and_those_it_changes() -> None:
    """Stack fact 1: the pages of the other tables stand."""
    made = make_published(9)
    first, second, third = made.tables(1)
    (final,) = made.tables(2)
    start_table(acting=made.owner, table=first)
    scopes = [made.event.scope, made.event.play_scope, *(t.scope for t in (first, second, final))]

    before = fresh(scopes)
    start_table(acting=made.owner, table=second)
    event, play, *pages = before
    assert fresh(scopes) == (event, play + 1, pages[0], pages[1] + 1, pages[2])

    finish_table(acting=made.owner, table=second, results=results(second))
    assert fresh(scopes) == (event, play + 2, pages[0], pages[1] + 2, pages[2] + 1)

    start_table(acting=made.owner, table=third)
    finish_table(acting=made.owner, table=third, results=results(third))
    finish_table(acting=made.owner, table=first, results=results(first))
    assert fresh([made.event.scope]) == (event + 1,), "the round is confirmed"


def test_table_waits_for_the_tables_that_feed_it() -> None:
    """C7.1: may start when every feeding table is confirmed; then those are final."""
    made = make_published(9)
    first, second, third = made.tables(1)
    (final,) = made.tables(2)
    play(made, first)
    with pytest.raises(NotReady, match="第 2、3 桌"):
        start_table(acting=made.owner, table=final)
    play(made, second)
    play(made, third)
    assert state(first.round) == State.CONFIRMED

    started = start_table(acting=made.owner, table=final)

    assert [table.pk for table in started.finals] == [first.pk, second.pk, third.pk]
    assert [state(table) for table in made.tables(1)] == [State.FINAL] * 3
    assert state(first.round) == State.FINAL


def test_table_of_a_later_round_runs_while_the_first_does() -> None:
    """C7.1 in `fixed`: only the feeding tables matter."""
    made = make_published(27)
    zone = [table for table in made.tables(1) if table.zone.startswith("0.0")]
    for table in zone:
        play(made, table)
    (ahead,) = [table for table in made.tables(2) if table.zone == "0.0"]
    start_table(acting=made.owner, table=ahead)
    assert state(ahead) == State.RUNNING
    assert state(zone[0]) == State.FINAL
    assert state(zone[0].round) == State.RUNNING


def test_unpublished_table_does_not_start() -> None:
    made = make(3)
    draw(made)
    with pytest.raises(NotReady, match="已抽签"):
        start_table(acting=made.owner, table=made.tables(1)[0])


def test_winner_sits_down_in_the_next_round_and_losers_are_out() -> None:
    made = make_published(9)
    table = made.tables(1)[1]
    seats = list(table.seats.order_by("position"))

    finished = play(made, table, first=2)

    (seat,) = finished.filled
    assert (seat.table.round.number, seat.entrant_id) == (2, seats[2].entrant_id)
    assert finished.champion is None
    assert [s.entrant.status for s in table.seats.select_related("entrant")] == ["out", "out", "in"]
    assert [s.place for s in table.seats.order_by("position")] == [2, 3, 1]


def test_filler_has_no_place_and_the_next_advances() -> None:
    """C1.3."""
    made = make_published(4, way=Way.BYES)
    (table,) = made.tables(1)
    filler = table.seats.get(is_filler=True)
    play(made, table)
    filler.refresh_from_db()
    assert (filler.place, filler.advances) == (None, False)
    assert table.seats.filter(advances=True).count() == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rs: rs[:2], "每个座位"),
        (lambda rs: [*rs[:2], SeatResult(2, None)], "选手都要有名次"),
        (lambda rs: [SeatResult(0, 1), *rs[1:]], "1 人晋级"),
        (lambda rs: [rs[0], SeatResult(1, 2, True), rs[2]], "1 人晋级"),
    ],
)
def test_results_that_do_not_fit_are_refused(change: object, message: str) -> None:
    made = make_published(3)
    (table,) = made.tables(1)
    start_table(acting=made.owner, table=table)
    with pytest.raises(BadResults, match=message):
        finish_table(acting=made.owner, table=table, results=change(results(table)))  # type: ignore[operator]
    assert state(table) == State.RUNNING


def test_who_has_left_cannot_advance() -> None:
    """C9.3."""
    made = make_published(3)
    (table,) = made.tables(1)
    start_table(acting=made.owner, table=table)
    table.seats.filter(position=0).update(forfeits=True)
    with pytest.raises(BadResults, match="退出的选手"):
        finish_table(acting=made.owner, table=table, results=results(table))
    finish_table(acting=made.owner, table=table, results=results(table, first=1))


def test_table_is_finished_once() -> None:
    made = make_published(3)
    (table,) = made.tables(1)
    with pytest.raises(Conflict, match="已公布"):
        finish_table(acting=made.owner, table=table, results=results(table))
    play(made, table)
    with pytest.raises(Conflict, match="已确认"):
        finish_table(acting=made.owner, table=table, results=results(table))


def test_correction_of_places_below_the_line_moves_nobody() -> None:
    """C9.1."""
    made = make_published(9)
    table = made.tables(1)[0]
    play(made, table)
    changed = [SeatResult(0, 1, True), SeatResult(1, 3), SeatResult(2, 2)]
    found = effects_of(table, changed)
    assert [(change.before, change.after) for change in found.places] == [(2, 3), (3, 2)]
    assert not found.changes_advance
    assert correct_table(acting=made.owner, table=table, results=changed) == found
    assert [s.place for s in table.seats.order_by("position")] == [1, 3, 2]


def test_correction_swaps_who_goes_on_where_no_hand_is_in() -> None:
    """C9.1: the next table has no hand yet."""
    made = make_published(9)
    table = made.tables(1)[0]
    play(made, table)
    was, now = (table.seats.get(position=p).entrant for p in (0, 2))
    assert was is not None
    assert now is not None

    found = correct_table(acting=made.owner, table=table, results=results(table, first=2))

    (move,) = found.moves
    assert (move.feed.entrant_id, move.after, move.feed.has_begun) == (was.pk, now.pk, False)
    assert Seat.objects.get(source=table).entrant == now
    was.refresh_from_db()
    now.refresh_from_db()
    assert (was.status, now.status) == (EntrantStatus.OUT, EntrantStatus.IN)


def played_on() -> tuple[Made, Table]:
    made = make_published(9)
    for table in made.tables(1):
        play(made, table)
    start_table(acting=made.owner, table=made.tables(2)[0])
    return made, made.tables(1)[0]


def test_correction_is_refused_with_its_effects_where_the_next_table_has_begun() -> None:
    """C9.1."""
    made, table = played_on()
    with pytest.raises(Depends) as refusal:
        correct_table(acting=made.owner, table=table, results=results(table, first=1))
    assert refusal.value.status == 409
    assert refusal.value.effects.is_blocked
    assert [s.place for s in table.seats.order_by("position")] == [1, 2, 3]


def test_correction_that_stands_as_played_leaves_who_has_played_on() -> None:
    """C9.1: the default of the chief referee's choice."""
    made, table = played_on()
    seat = Seat.objects.get(source=table)
    correct_table(acting=made.owner, table=table, results=results(table, first=1), as_played=True)
    assert Seat.objects.get(source=table).entrant_id == seat.entrant_id
    rows = table.seats.order_by("position").values_list("place", "advances")
    assert list(rows) == [(3, True), (1, False), (2, False)]


def test_correction_of_the_final_changes_the_champion() -> None:
    made = make_published(3)
    (table,) = made.tables(1)
    champion = play(made, table).champion
    found = correct_table(acting=made.owner, table=table, results=results(table, first=1))
    assert champion is not None
    assert found.champion == (champion.pk, table.seats.get(position=1).entrant_id)
    champion.refresh_from_db()
    assert champion.status == EntrantStatus.OUT


def test_both_who_advance_change_seats() -> None:
    """(4,2): first and second go to seats of their own."""
    made = make_published(16, 4, 2)
    table = made.tables(1)[0]
    play(made, table)
    seats = Seat.objects.filter(source=table).order_by("source_place")
    before = [seat.entrant_id for seat in seats]
    swapped = [
        SeatResult(0, 2, True),
        SeatResult(1, 1, True),
        SeatResult(2, 3),
        SeatResult(3, 4),
    ]
    correct_table(acting=made.owner, table=table, results=swapped)
    assert [seat.entrant_id for seat in seats.all()] == before[::-1]


def test_running_table_is_not_corrected() -> None:
    made = make_published(3)
    (table,) = made.tables(1)
    start_table(acting=made.owner, table=table)
    with pytest.raises(Conflict, match="只有已确认"):
        correct_table(acting=made.owner, table=table, results=results(table))


def test_last_round_is_final_half_an_hour_after_its_confirmation() -> None:
    """C7.1."""
    made = make_published(3)
    (table,) = made.tables(1)
    play(made, table)
    now = timezone.now()
    assert finalize_due(now + timedelta(minutes=29)) == ()
    assert [final.pk for final in finalize_due(now + timedelta(minutes=31))] == [table.pk]
    assert (state(table), state(table.round)) == (State.FINAL, State.FINAL)
    made.competition.refresh_from_db()
    assert made.competition.is_over
    assert finalize_due(now + timedelta(minutes=32)) == ()


def test_chief_referee_declares_the_last_round_final() -> None:
    """C7.1."""
    made = make_published(3)
    (table,) = made.tables(1)
    with pytest.raises(Conflict, match="最后一轮"):
        finalize_round(acting=made.owner, round_=table.round)
    play(made, table)
    with pytest.raises(NotAllowed):
        finalize_round(acting=make_acting(made.competition, Role.ORGANIZER), round_=table.round)
    assert [final.pk for final in finalize_round(acting=made.owner, round_=table.round)] == [
        table.pk
    ]


def test_earlier_round_is_not_declared_final() -> None:
    made = make_published(9)
    for table in made.tables(1):
        play(made, table)
    with pytest.raises(Conflict):
        finalize_round(acting=made.owner, round_=made.tables(1)[0].round)
