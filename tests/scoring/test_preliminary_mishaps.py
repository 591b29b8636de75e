"""What goes wrong in a preliminary: leaving, correcting, opening again (C9, C1.3, C7.1)."""

from __future__ import annotations

import pytest

from core.errors import Conflict
from scoring.domain.errors import ShowEffects
from scoring.domain.hands import Entered, Late, correct_hand, enter_hand
from scoring.domain.leaving import come_back, leave, proposals
from scoring.domain.preliminary import close_preliminary, standing_of
from scoring.domain.sheets import open_sheet
from scoring.domain.undo import reopen_sheet
from scoring.domain.verdicts import penalize, rule_on_table
from scoring.enums import Evidence, PenaltyKind
from scoring.models import Hand
from tests.scoring.preliminaries import (
    by,
    draw_and_publish,
    knockout_of,
    make_preliminary,
    play_all,
    play_round,
    play_table,
    seats_of,
)
from tests.tournament.competitions import Made
from tournament.domain.draws import freeze_draw
from tournament.domain.reopening import CannotReopen
from tournament.domain.tables import Depends
from tournament.enums import EntrantStatus, StageKind, State
from tournament.models import Entrant, Seat, Table

pytestmark = pytest.mark.django_db


def of(made: Made, number: int) -> Entrant:
    return made.event.entrants.get(entry__number=number)


def mine(made: Made, entrant: Entrant) -> list[tuple[int, bool, bool]]:
    """His seats by round: (round, whether a filler has it, whether it is forfeited)."""
    seats = Seat.objects.filter(round__stage=made.stage, entrant=entrant)
    given = Seat.objects.filter(round__stage=made.stage, stands_for=entrant)
    return sorted(
        (seat.round.number, seat.is_filler, seat.forfeits)
        for seat in (*seats.select_related("round"), *given.select_related("round"))
    )


def test_who_leaves_between_rounds_gives_his_later_seats_to_fillers_and_gets_them_back() -> None:
    """C9.3, C9.5: nine and a plan of nine, so a filler at each of his later tables."""
    made = make_preliminary(9, 3)
    draw_and_publish(made)
    play_round(made, 1)
    gone = of(made, 5)
    leave(acting=made.owner, entrant=gone, status=EntrantStatus.WITHDRAWN)
    assert mine(made, gone) == [(1, False, False), (2, True, False), (3, True, False)]
    play_round(made, 2)
    come_back(acting=made.owner, entrant=Entrant.objects.get(pk=gone.pk))
    assert mine(made, gone) == [(1, False, False), (2, True, False), (3, False, False)]
    play_round(made, 3)
    going = close_preliminary(acting=made.owner, stage=made.stage)
    assert gone not in going
    assert Seat.objects.filter(round__stage=made.stage, is_filler=True).count() == 1


def test_where_a_filler_sits_already_the_seat_is_forfeited() -> None:
    """C1.3: at most one filler a table; he ranks last there and has no point."""
    made = make_preliminary(8, 2)
    draw_and_publish(made)
    play_round(made, 1)
    table = Table.objects.get(round__stage=made.stage, round__number=2, seats__is_filler=True)
    gone = next(seat.entrant for seat in seats_of(table) if seat.entrant)
    leave(acting=made.owner, entrant=gone, status=EntrantStatus.WITHDRAWN)
    seat = table.seats.get(entrant=gone)
    assert (seat.forfeits, seat.sat_in_from) == (True, 1)
    play_table(made, table, by({gone.number: 10}))
    seat.refresh_from_db()
    assert (seat.points, seat.place) == (0, 2)
    standing = standing_of(made.stage)
    assert standing.ranking.rows[-1].result.key == gone.pk


def test_leaving_during_a_table_and_undone_at_once() -> None:
    """C9.3, C9.5: the running table and the later ones."""
    made = make_preliminary(9, 3)
    draw_and_publish(made)
    table = made.tables(1)[0]
    gone = seats_of(table)[0].entrant
    entered = Entered(Evidence.TOTALS, {"deltas": [4, -2, -2], "hands": 1})
    enter_hand(acting=made.owner, sheet=open_sheet(table), entered=entered)
    leave(acting=made.owner, entrant=gone, status=EntrantStatus.WITHDRAWN)
    assert mine(made, gone) == [(1, False, True), (2, True, False), (3, True, False)]
    come_back(acting=made.owner, entrant=Entrant.objects.get(pk=gone.pk))
    assert mine(made, gone) == [(1, False, False), (2, False, False), (3, False, False)]
    leave(acting=made.owner, entrant=Entrant.objects.get(pk=gone.pk), status=EntrantStatus.ABSENT)
    enter_hand(acting=made.owner, sheet=open_sheet(table), entered=entered)
    come_back(acting=made.owner, entrant=Entrant.objects.get(pk=gone.pk))
    assert mine(made, gone) == [(1, False, True), (2, False, False), (3, False, False)]


def test_the_next_in_rank_goes_on_for_who_leaves_before_the_draw() -> None:
    """C9.3: the preliminary is closed anew."""
    made = make_preliminary(9, 2)
    draw_and_publish(made)
    play_all(made)
    ranked = [row.result.key for row in standing_of(made.stage).ranking.rows]
    close_preliminary(acting=made.owner, stage=made.stage)
    first = Entrant.objects.get(pk=ranked[0])
    leave(acting=made.owner, entrant=first, status=EntrantStatus.WITHDRAWN)
    going = made.event.entrants.filter(status=EntrantStatus.IN).order_by("prelim_rank")
    assert [entrant.pk for entrant in going] == ranked[1:4]
    assert Entrant.objects.get(pk=ranked[0]).prelim_rank == 9
    come_back(acting=made.owner, entrant=Entrant.objects.get(pk=ranked[0]))
    assert [entrant.pk for entrant in going.all()] == ranked[:3]


def test_the_best_below_the_cut_takes_a_seat_of_the_first_round() -> None:
    """C9.3: after the draw, before a hand."""
    made = make_preliminary(18, 2)
    draw_and_publish(made)
    play_all(made)
    ranked = [row.result.key for row in standing_of(made.stage).ranking.rows]
    close_preliminary(acting=made.owner, stage=made.stage)
    knockout = knockout_of(made)
    draw_and_publish(knockout, "黄")
    seat = Seat.objects.get(round__stage=knockout.stage, entrant=ranked[2])
    assert [one.entrant.pk for one in proposals(seat)] == ranked[9:]
    leave(
        acting=made.owner,
        entrant=seat.entrant,
        status=EntrantStatus.WITHDRAWN,
        instead=Entrant.objects.get(pk=ranked[9]),
    )
    seat.refresh_from_db()
    assert (seat.entrant_id, seat.stands_for_id) == (ranked[9], ranked[2])


def test_who_leaves_the_knockout_keeps_his_rank_in_the_preliminary() -> None:
    made = make_preliminary(9, 1)
    draw_and_publish(made)
    play_all(made)
    close_preliminary(acting=made.owner, stage=made.stage)
    draw_and_publish(knockout_of(made), "黄")
    made.stage.refresh_from_db()
    before = standing_of(made.stage).ranks
    first = next(pk for pk, rank in before.items() if rank == 1)
    leave(
        acting=made.owner,
        entrant=Entrant.objects.get(pk=first),
        status=EntrantStatus.WITHDRAWN,
    )
    assert standing_of(made.stage).ranks == before


SEEN = Late(effects_shown=True, reason="看错")


def worst_wins(made: Made, table: Table, late: Late) -> None:
    """The table's only line is corrected: who came last has won everything."""
    hand = Hand.objects.get(sheet__table=table)
    last = min(seats_of(table), key=lambda seat: seat.points)
    deltas = [90 if seat.pk == last.pk else -45 for seat in seats_of(table)]
    entered = Entered(Evidence.TOTALS, {"deltas": deltas, "hands": 2})
    correct_hand(acting=made.owner, hand=hand, entered=entered, late=late)


def test_a_correction_before_the_end_changes_points_and_ranks() -> None:
    """C9.1: effects are shown first."""
    made = make_preliminary(9, 1)
    draw_and_publish(made)
    play_all(made)
    table = made.tables(1)[0]
    last = min(seats_of(table), key=lambda seat: seat.points)
    with pytest.raises(ShowEffects) as caught:
        worst_wins(made, table, Late())
    assert [(one.before, one.after) for one in caught.value.effects.places if one.after == 1] == [
        (3, 1)
    ]
    worst_wins(made, table, SEEN)
    last.refresh_from_db()
    assert (last.points, last.place) == (36, 1)
    assert standing_of(made.stage).ranking.rows[0].result.key == last.entrant_id


def test_a_correction_after_the_end_and_before_the_draw_closes_anew() -> None:
    """C9.1, C9.5."""
    made = make_preliminary(9, 1)
    draw_and_publish(made)
    play_all(made)
    close_preliminary(acting=made.owner, stage=made.stage)
    table = made.tables(1)[0]
    last = min(seats_of(table), key=lambda seat: seat.points)
    assert last.entrant.status == EntrantStatus.OUT
    worst_wins(made, table, SEEN)
    last.entrant.refresh_from_db()
    assert (last.entrant.status, last.entrant.prelim_rank) == (EntrantStatus.IN, 1)
    made.stage.refresh_from_db()
    assert made.stage.closed_at is not None
    assert made.event.entrants.filter(status=EntrantStatus.IN).count() == 3


def test_a_list_frozen_by_other_ranks_falls() -> None:
    """C4.6, C9.1: who goes on has changed before the words were called."""
    made = make_preliminary(9, 1)
    draw_and_publish(made)
    play_all(made)
    close_preliminary(acting=made.owner, stage=made.stage)
    knockout = knockout_of(made)
    freeze_draw(acting=made.owner, stage=knockout.stage)
    table = made.tables(1)[0]
    last = min(seats_of(table), key=lambda seat: seat.points).entrant
    worst_wins(made, table, SEEN)
    assert not knockout.stage.draws.exists()
    last.refresh_from_db()
    assert (last.prelim_rank, last.status) == (1, EntrantStatus.IN)
    drawn = draw_and_publish(knockout, "黄")
    assert drawn.plan["ranks"][0] == last.number


def to_knockout() -> tuple[Made, Made, Table, Entrant]:
    """Nine, the knock-out of three drawn; a table of the preliminary and its last entrant."""
    made = make_preliminary(9, 1)
    draw_and_publish(made)
    play_all(made)
    close_preliminary(acting=made.owner, stage=made.stage)
    knockout = knockout_of(made)
    draw_and_publish(knockout, "黄")
    table = made.tables(1)[0]
    last = min(seats_of(table), key=lambda seat: seat.points).entrant
    assert last is not None
    return made, knockout, table, last


def test_a_correction_after_the_draw_swaps_where_no_hand_is_in() -> None:
    """C9.1: effects name the seat; who goes on after all takes it."""
    made, knockout, table, last = to_knockout()
    with pytest.raises(ShowEffects) as caught:
        worst_wins(made, table, Late())
    (move,) = caught.value.effects.moves
    assert move.after == last.pk
    out = Entrant.objects.get(pk=move.feed.entrant_id)
    assert not move.feed.has_begun
    worst_wins(made, table, SEEN)
    assert Seat.objects.get(round__stage=knockout.stage, entrant=last).pk == move.feed.seat_id
    out.refresh_from_db()
    last.refresh_from_db()
    assert (out.status, last.status) == (EntrantStatus.OUT, EntrantStatus.IN)
    assert last.prelim_rank == 1


def test_a_correction_after_the_knockout_has_begun_stands_as_played_or_is_replayed() -> None:
    """C9.1: the chief referee chooses."""
    made, knockout, table, last = to_knockout()
    (final,) = knockout.tables(1)
    entered = Entered(Evidence.TOTALS, {"deltas": [4, -2, -2], "hands": 1})
    enter_hand(acting=made.owner, sheet=open_sheet(final), entered=entered)
    assert Table.objects.get(pk=table.pk).state == State.FINAL
    before = set(final.seats.values_list("entrant", flat=True))
    with pytest.raises(Depends):
        worst_wins(made, table, SEEN)
    worst_wins(made, table, Late(effects_shown=True, reason="看错", as_played=True))
    assert set(final.seats.values_list("entrant", flat=True)) == before
    last.refresh_from_db()
    assert (last.prelim_rank, last.status) == (1, EntrantStatus.OUT)


def test_a_replay_voids_the_knockout_and_seats_who_goes_on() -> None:
    """C9.1."""
    made, knockout, table, last = to_knockout()
    (final,) = knockout.tables(1)
    entered = Entered(Evidence.TOTALS, {"deltas": [4, -2, -2], "hands": 1})
    enter_hand(acting=made.owner, sheet=open_sheet(final), entered=entered)
    worst_wins(made, table, Late(effects_shown=True, reason="看错", replay=True))
    final.refresh_from_db()
    assert final.state == State.PUBLISHED
    assert last.pk in set(final.seats.values_list("entrant", flat=True))
    assert made.event.entrants.filter(status=EntrantStatus.IN).count() == 3


def test_a_sheet_is_opened_again_while_those_who_sat_there_have_not_played_on() -> None:
    """C9.5."""
    made = make_preliminary(9, 2)
    draw_and_publish(made)
    play_round(made, 1)
    table = made.tables(1)[0]
    reopen_sheet(acting=made.owner, sheet=open_sheet(table), reason="看错")
    table.refresh_from_db()
    assert table.state == State.RUNNING
    assert set(table.seats.values_list("points", flat=True)) == {None}
    assert made.event.entrants.exclude(status=EntrantStatus.IN).count() == 0
    other = made.tables(1)[1]
    with pytest.raises(Conflict):
        play_table(made, made.tables(2)[0])
    Table.objects.filter(round__stage=made.stage, round__number=2).update(state=State.RUNNING)
    with pytest.raises(CannotReopen):
        reopen_sheet(acting=made.owner, sheet=open_sheet(other), reason="看错")


def test_penalties_and_rulings_count_at_a_preliminary_table() -> None:
    """C6.5, C6.6: 扣罚 changes the places, a ruling fixes them."""
    made = make_preliminary(9, 1)
    draw_and_publish(made)
    first, second, _third = made.tables(1)
    play_table(made, first, lambda seats: [2, 1, -3])
    penalize(
        acting=made.owner,
        sheet=open_sheet(first),
        position=0,
        kind=PenaltyKind.DEDUCTION,
        amount=4,
        reason="迟到",
        late=SEEN,
    )
    assert [seat.points for seat in seats_of(first)] == [12, 36, 0]
    play_table(made, second, lambda seats: [2, 1, -3])
    rule_on_table(
        acting=made.owner,
        sheet=open_sheet(second),
        places={0: 3, 1: 1, 2: 2},
        reason="录像",
        late=SEEN,
    )
    assert [seat.points for seat in seats_of(second)] == [0, 36, 12]
    assert made.event.stages.get(kind=StageKind.PRELIM).closed_at is None
