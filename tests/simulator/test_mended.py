"""What walks have found amiss, each once more by hand."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from core.errors import Conflict
from scoring.domain.board import Board
from scoring.domain.closing import finalize_round
from scoring.domain.errors import FlagOpen, HandTaken, SheetFull, ShowEffects
from scoring.domain.hands import Difference, Late, correct_hand, enter_hand, restore_hand, void_hand
from scoring.domain.leaving import leave
from scoring.domain.preliminary import close_preliminary
from scoring.domain.sheets import open_sheet, submit_sheet
from scoring.domain.verdicts import rule_on_table
from scoring.domain.walkovers import can_walk_over
from scoring.enums import Evidence
from scoring.models import Hand
from tests.scoring.preliminaries import draw_and_publish, knockout_of, make_preliminary, play_all
from tests.scoring.redraws import make_redraw
from tests.scoring.sheets import WIN, make_hall, result, totals
from tests.scoring.test_domain_verdicts import SEEN, close, nine
from tests.scoring.test_domain_walkovers import empty
from tests.scoring.test_replays import REPLAY
from tests.tournament.competitions import Made, make_published
from tournament.domain.competitions import publish_competition
from tournament.domain.draws import enter_words, freeze_draw
from tournament.domain.gaps import fill_gap, gaps, open_gap
from tournament.domain.leaving import stand_ins
from tournament.domain.seating import seat_late_entry
from tournament.domain.settings import set_play
from tournament.domain.tables import Depends
from tournament.enums import ConfirmationMode, Cut, EntrantStatus, State, Way
from tournament.models import Entrant, Seat, Table
from tournament.queries.organizer import late_seats
from tournament.queries.public import champion_of

pytestmark = pytest.mark.django_db


def pairs(entrants: int) -> Made:
    """Tables of two, one hand each, no confirmation asked for."""
    made = make_published(entrants, 2)
    set_play(acting=made.owner, stage=made.stage, values={"confirmation": ConfirmationMode.NONE})
    made.stage.rounds.update(hands=1)
    return made


def sitting(table: Table, position: int) -> Entrant:
    entrant = table.seats.get(position=position).entrant
    assert entrant is not None
    return entrant


def test_no_change_of_a_confirmed_table_leaves_a_hand_awaiting_a_ruling() -> None:
    """C6.3: nobody has advanced by a disputed hand, neither by a correction nor by its undo."""
    made = nine()
    table = made.tables(1)[0]
    sheet = open_sheet(table)
    claimed = result({**WIN, "claim": {"total": 9}}, Difference.FLAG)
    hand = enter_hand(acting=made.owner, sheet=sheet, entered=claimed).hand
    correct_hand(acting=made.owner, hand=hand, entered=totals(4, -1, -3))
    submit_sheet(acting=made.owner, sheet=sheet)
    with pytest.raises(FlagOpen):
        restore_hand(acting=made.owner, hand=hand, version=1, late=SEEN)
    with pytest.raises(FlagOpen):
        correct_hand(acting=made.owner, hand=hand, entered=claimed, late=SEEN)
    assert Hand.objects.get().versions.get(is_current=True).evidence == Evidence.TOTALS


def test_who_has_lost_in_a_round_does_not_stand_in_there_again() -> None:
    """C9.3: nobody sits twice in a round."""
    made = pairs(8)
    first = made.tables(1)
    for table in first:
        close(made, table, 1, -1)
    second = made.tables(2)
    seat = Seat.objects.get(source=first[0])
    loser = sitting(first[0], 1)
    leave(
        acting=made.owner,
        entrant=sitting(first[0], 0),
        status=EntrantStatus.WITHDRAWN,
        instead=loser,
    )
    deltas = (-1, 1) if seat.position == 0 else (1, -1)
    close(made, seat.table, *deltas)
    other = next(table for table in second if table.pk != seat.table_id)
    assert Entrant.objects.get(pk=loser.pk).status == EntrantStatus.OUT
    found = stand_ins(other.seats.get(position=0))
    assert set(found) == {sitting(table, 1) for table in first[1:]}


def test_void_totals_of_several_hands_leave_room_for_all_of_them() -> None:
    """C6.4: the sheet takes its planned hands again, whatever their numbers are by then."""
    hall = make_hall(2)
    voided = enter_hand(acting=hall.referee, sheet=hall.sheet, entered=totals(1, -1, 0, hands=2))
    void_hand(acting=hall.referee, hand=voided.hand, reason="记错桌")
    numbers = [hall.enter(WIN).hand.number for _hand in range(2)]
    assert numbers == [3, 4]
    assert hall.board().is_full


def test_no_correction_makes_more_hands_than_planned() -> None:
    """C6.4: neither of a void hand, nor by totals of several hands, nor by what once stood."""
    hall = make_hall(2)
    first = hall.enter(WIN).hand
    void_hand(acting=hall.referee, hand=first, reason="重复")
    second = hall.enter(WIN).hand
    restored = correct_hand(acting=hall.referee, hand=first, entered=totals(1, -1, 0))
    assert hall.board().sums.played == 2
    with pytest.raises(SheetFull):
        correct_hand(acting=hall.referee, hand=second, entered=totals(1, -1, 0, hands=2))
    void_hand(acting=hall.referee, hand=restored.hand, reason="还是重复")
    correct_hand(acting=hall.referee, hand=second, entered=totals(1, -1, 0, hands=2))
    with pytest.raises(SheetFull):
        correct_hand(acting=hall.referee, hand=first, entered=totals(1, -1, 0))
    correct_hand(acting=hall.referee, hand=second, entered=totals(1, -1, 0))
    hall.enter(WIN)
    with pytest.raises(HandTaken):
        restore_hand(acting=hall.referee, hand=second, version=2)
    assert hall.board().is_full


def test_who_has_left_keeps_no_place_before_who_goes_on_by_a_ruling() -> None:
    """C6.6, C9.3: the champion alone comes first, whatever the chief referee has ruled."""
    made = pairs(2)
    final = made.tables(1)[0]
    sheet = open_sheet(final)
    enter_hand(acting=made.owner, sheet=sheet, entered=totals(2, -2))
    rule_on_table(acting=made.owner, sheet=sheet, places={0: 1, 1: 2}, reason="录像")
    leave(acting=made.owner, entrant=sitting(final, 0), status=EntrantStatus.WITHDRAWN)
    submit_sheet(acting=made.owner, sheet=sheet)
    seats = list(final.seats.order_by("position").values_list("place", "advances"))
    assert seats == [(2, False), (1, True)]
    champion = champion_of(made.event, mask=False)
    assert champion is not None
    assert champion.pk == sitting(final, 1).pk


def test_two_and_a_filler_play_at_a_table_of_four_where_nobody_stands_by() -> None:
    """C1.3, C2.2: the fourth seat stays empty by hand, and may be opened again."""
    made = make_published(16, 4)
    set_play(acting=made.owner, stage=made.stage, values={"confirmation": ConfirmationMode.NONE})
    made.stage.rounds.update(hands=1)
    for table in made.tables(1)[2:]:
        close(made, table, 3, -1, -1, -1)
    for entrant in Entrant.objects.filter(status=EntrantStatus.OUT):
        leave(
            acting=made.owner, entrant=entrant, status=EntrantStatus.DISQUALIFIED, reason="走了",
            late=SEEN,
        )  # fmt: skip
    empty(made, 0)
    empty(made, 1)
    (final,) = made.tables(2)
    first, second = gaps(final)
    fill_gap(acting=made.owner, seat=first, instead=None)
    assert not can_walk_over(Board(open_sheet(final)))
    with pytest.raises(Conflict, match="空位"):
        close(made, final, 3, -1, -1, -1)
    for _once in range(2):
        fill_gap(acting=made.owner, seat=second, instead=None)
        assert gaps(final) == []
        open_gap(acting=made.owner, seat=Seat.objects.get(pk=second.pk))
        assert gaps(final) == [second]
    fill_gap(acting=made.owner, seat=second, instead=None)
    able = final.seats.filter(entrant__isnull=False).order_by("position")
    best = able[1]
    deltas = [0, 0, 0, 0]
    deltas[able[0].position], deltas[best.position] = -2, 2
    close(made, final, *deltas)
    champion = champion_of(made.event, mask=False)
    assert champion is not None
    assert champion.pk == best.entrant_id


def test_no_second_filler_at_a_table_of_four_while_somebody_stands_by() -> None:
    made = make_published(16, 4)
    set_play(acting=made.owner, stage=made.stage, values={"confirmation": ConfirmationMode.NONE})
    made.stage.rounds.update(hands=1)
    for table in made.tables(1)[2:]:
        close(made, table, 3, -1, -1, -1)
    empty(made, 0)
    empty(made, 1)
    (final,) = made.tables(2)
    first, second = gaps(final)
    fill_gap(acting=made.owner, seat=first, instead=None)
    with pytest.raises(Conflict, match="每桌最多一名"):
        fill_gap(acting=made.owner, seat=second, instead=None)


def test_a_final_that_all_have_left_ends_without_a_champion_and_says_so(client: Client) -> None:
    """C9.3: who leaves ranks last there and does not win."""
    made = pairs(2)
    publish_competition(acting=made.owner, competition=made.competition)
    (final,) = made.tables(1)
    sheet = open_sheet(final)
    enter_hand(acting=made.owner, sheet=sheet, entered=totals(2, -2))
    for position in range(2):
        leave(acting=made.owner, entrant=sitting(final, position), status=EntrantStatus.WITHDRAWN)
    submit_sheet(acting=made.owner, sheet=sheet)
    assert champion_of(made.event, mask=False) is None
    finalize_round(acting=made.owner, round_=made.stage.rounds.get())
    made.competition.refresh_from_db()
    assert made.competition.is_over
    page = client.get(reverse("competition", args=[made.competition.code])).content.decode()
    assert "没有冠军" in page
    assert list(final.seats.order_by("position").values_list("place", flat=True)) == [1, 2]


def test_those_of_a_corrected_preliminary_table_who_go_on_stay_in_after_a_replay() -> None:
    """C9.1: two of the table keep their seats in the knock-out, the third takes one."""
    made = make_preliminary(12, 1, cut=Cut.UP)
    draw_and_publish(made)
    play_all(made)
    close_preliminary(acting=made.owner, stage=made.stage)
    knockout = knockout_of(made)
    draw_and_publish(knockout, "黄")
    third = made.event.entrants.filter(status=EntrantStatus.OUT).first()
    assert third is not None
    table = third.seats.get(round__stage=made.stage).table
    for other in knockout.tables(1):
        enter_hand(acting=made.owner, sheet=open_sheet(other), entered=totals(4, -2, -2))
    hand = Hand.objects.get(sheet__table=table)
    deltas = [0] * 3
    for seat in table.seats.all():
        deltas[seat.position] = {1: 5, 2: -2, 3: -3}[seat.place or 0]
    entered = totals(*deltas, hands=2)
    correct_hand(acting=made.owner, hand=hand, entered=entered, late=REPLAY)
    still_in = made.event.entrants.filter(status=EntrantStatus.IN)
    assert still_in.count() == 9
    assert still_in.filter(seats__table=table).count() == 3
    assert {seat.entrant_id for t in knockout.tables(1) for seat in t.seats.all()} == set(
        still_in.values_list("pk", flat=True)
    )


def stood_in() -> tuple[Made, Table, Entrant, Seat]:
    """Nine; the winner of table 1 has left and the second of table 2 has his seat: table 2, who
    stands in, the seat."""
    made = nine()
    one, two, _three = made.tables(1)
    close(made, one, 4, -1, -3)
    close(made, two, 4, -1, -3)
    second, seat = sitting(two, 1), Seat.objects.get(source=one)
    leave(
        acting=made.owner,
        entrant=sitting(one, 0),
        status=EntrantStatus.WITHDRAWN,
        instead=second,
    )
    return made, two, second, seat


def corrected(made: Made, table: Table, *deltas: int, late: Late = SEEN) -> None:
    hand = Hand.objects.get(sheet__table=table)
    correct_hand(acting=made.owner, hand=hand, entered=totals(*deltas), late=late)


def test_who_stands_in_stays_in_when_his_lost_table_is_corrected() -> None:
    """C9.1, C9.3: another wins the table; he plays on in the seat that he has."""
    made, two, second, seat = stood_in()
    corrected(made, two, -1, -3, 4)
    assert Entrant.objects.get(pk=second.pk).status == EntrantStatus.IN
    assert Seat.objects.get(pk=seat.pk).entrant == second
    assert Seat.objects.get(source=two).entrant == sitting(two, 2)
    assert Entrant.objects.get(pk=sitting(two, 0).pk).status == EntrantStatus.OUT


def test_who_stands_in_and_has_won_after_all_takes_his_own_seat() -> None:
    """C9.1: a filler sits down where he stood in; the effects name both seats."""
    made, two, second, seat = stood_in()
    with pytest.raises(ShowEffects) as caught:
        corrected(made, two, -1, 4, -3, late=Late())
    own = Seat.objects.get(source=two)
    moves = {move.feed.seat_id: move.after for move in caught.value.effects.moves}
    assert moves == {own.pk: second.pk, seat.pk: None}
    corrected(made, two, -1, 4, -3)
    own.refresh_from_db()
    seat.refresh_from_db()
    assert (own.entrant, seat.entrant, seat.is_filler) == (second, None, True)
    assert Entrant.objects.get(pk=second.pk).status == EntrantStatus.IN


def test_who_stands_in_and_has_played_there_keeps_that_seat() -> None:
    """C9.1: as played, or played once more from there."""
    made = make_published(27)
    set_play(acting=made.owner, stage=made.stage, values={"confirmation": ConfirmationMode.NONE})
    made.stage.rounds.update(hands=1)
    first = made.tables(1)
    for table in first:
        close(made, table, 4, -1, -3)
    seat = Seat.objects.get(source=first[0])
    other = next(t for t in first if Seat.objects.get(source=t).table_id != seat.table_id)
    second = sitting(other, 1)
    leave(
        acting=made.owner,
        entrant=sitting(first[0], 0),
        status=EntrantStatus.WITHDRAWN,
        instead=second,
    )
    enter_hand(acting=made.owner, sheet=open_sheet(seat.table), entered=totals(4, -1, -3))
    with pytest.raises(Depends):
        corrected(made, other, -1, 4, -3)
    corrected(made, other, -1, 4, -3, late=REPLAY)
    assert Seat.objects.get(source=other).entrant == second
    assert Seat.objects.get(pk=seat.pk).is_filler
    assert Table.objects.get(pk=seat.table_id).state == State.PUBLISHED


def test_a_correction_while_a_redrawn_round_plays_says_who_waits() -> None:
    """C3.2, C9.1: winner and second are in, the third is out, whoever was so before."""
    redrawn = make_redraw(12)
    redrawn.draw()
    redrawn.publish()
    table = redrawn.table(1, 1)
    redrawn.play(table, (4, -1, -3))
    corrected(redrawn.made, table, -3, -1, 4)
    found = [sitting(table, position).status for position in range(3)]
    assert found == [EntrantStatus.OUT, EntrantStatus.IN, EntrantStatus.IN]


def test_nobody_comes_late_into_a_seat_that_is_to_be_won() -> None:
    """C9.3: a filler has it for the winner who has left; who comes late has not won it."""
    made = pairs(4)
    first = made.tables(1)[0]
    close(made, first, 1, -1)
    leave(acting=made.owner, entrant=sitting(first, 0), status=EntrantStatus.WITHDRAWN)
    seat = Seat.objects.get(source=first)
    assert seat.is_filler
    with pytest.raises(Conflict, match="上一轮晋级"):
        seat_late_entry(acting=made.owner, seat=seat, name="迟来")


def test_a_seat_left_for_ones_own_is_filled_and_keeps_whose_it_was() -> None:
    """C1.3, C9.1: with a filler at the table already it is a gap; its owner does not come back
    into it by a correction of points."""
    made = make_published(27)
    set_play(acting=made.owner, stage=made.stage, values={"confirmation": ConfirmationMode.NONE})
    made.stage.rounds.update(hands=1)
    first = made.tables(1)
    for table in first:
        close(made, table, 4, -1, -3)
    seat = Seat.objects.get(source=first[0])
    beside = Seat.objects.filter(table=seat.table).exclude(pk=seat.pk).order_by("pk")[0]
    assert beside.source is not None
    other = next(t for t in first if Seat.objects.get(source=t).table_id != seat.table_id)
    second, gone = sitting(other, 1), sitting(first[0], 0)
    leave(acting=made.owner, entrant=sitting(beside.source, 0), status=EntrantStatus.WITHDRAWN)
    leave(acting=made.owner, entrant=gone, status=EntrantStatus.WITHDRAWN, instead=second)
    corrected(made, other, -1, 4, -3)
    (gap,) = gaps(seat.table)
    assert (gap.pk, gap.stands_for) == (seat.pk, gone)
    instead = stand_ins(gap).first()
    fill_gap(acting=made.owner, seat=gap, instead=instead)
    corrected(made, first[0], 5, -2, -3)
    assert Seat.objects.get(pk=seat.pk).entrant == instead


def test_a_gap_of_a_redrawn_round_is_not_opened_as_nobody_could_fill_it() -> None:
    redrawn = make_redraw(12)
    redrawn.draw()
    redrawn.publish()
    seat = redrawn.table(1, 1).seats.all()[0]
    Seat.objects.filter(pk=seat.pk).update(entrant=None, is_filler=True, gap_filled=True)
    with pytest.raises(Conflict):
        open_gap(acting=redrawn.made.owner, seat=seat)


def test_nobody_comes_late_to_play_who_has_a_bye_and_has_left() -> None:
    """C7.3, C9.2: he keeps the seat and forfeits it."""
    made = make_published(4, way=Way.BYES)
    seat = made.tables(2)[0].seats.filter(source=None, entrant__isnull=False)[0]
    gone = seat.entrant
    assert gone is not None
    leave(acting=made.owner, entrant=gone, status=EntrantStatus.ABSENT, keeps_seat=True)
    seat = Seat.objects.get(pk=seat.pk)
    assert seat.forfeits
    assert seat not in late_seats(made.stage)
    with pytest.raises(Conflict, match="已经有人"):
        seat_late_entry(acting=made.owner, seat=seat, name="迟来")


def test_a_list_frozen_again_for_a_round_that_was_played_after_all_says_so() -> None:
    """C4.2, C9.5: it is let go, then the next one is frozen."""
    redrawn = make_redraw(12)
    redrawn.draw()
    redrawn.publish()
    made = redrawn.made
    frozen = freeze_draw(acting=made.owner, stage=made.stage, reason="漏了一人")
    redrawn.play_round(1)
    with pytest.raises(Conflict, match="取消冻结") as caught:
        enter_words(acting=made.owner, draw=frozen, words="红")
    assert caught.value.code == "list-passed"
