"""Changes at drawn tables (C7.3, C9.3): swaps, late entries, who leaves."""

from __future__ import annotations

import pytest

from core.errors import Conflict
from tests.factories import make_acting
from tests.tournament.competitions import draw, make, make_published, out, play, play_out, results
from tournament.domain.leaving import current_seat, stand_ins, withdraw_entrant
from tournament.domain.seating import seat_late_entry, swap_entrants
from tournament.domain.starting import start_table
from tournament.domain.tables import finish_table
from tournament.enums import EntrantStatus, Role, Way
from tournament.models import Entrant, Seat
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db


def holder(seat: Seat) -> Entrant:
    """Whom a seat holds; the test is wrong where it holds nobody."""
    assert seat.entrant is not None
    return seat.entrant


def test_two_entrants_swap_seats() -> None:
    made = make_published(9)
    one, two = (table.seats.get(position=0) for table in made.tables(1)[:2])
    before = holder(one), holder(two)
    swap_entrants(acting=made.owner, first=one, second=two)
    one.refresh_from_db()
    two.refresh_from_db()
    assert (holder(one), holder(two)) == before[::-1]


def test_a_bye_swaps_with_a_first_round_seat() -> None:
    made = make_published(10, way=Way.BYES)
    bye = Seat.objects.filter(round__number=2, source=None).first()
    first = Seat.objects.filter(round__number=1, entrant__isnull=False).first()
    assert bye is not None
    assert first is not None
    was = holder(bye)
    swap_entrants(acting=made.owner, first=first, second=bye)
    first.refresh_from_db()
    assert holder(first) == was


def test_no_swap_where_a_hand_is_in_or_a_winner_sits() -> None:
    """C7.3: no hand at those tables."""
    made = make_published(9)
    tables = made.tables(1)
    seats = [table.seats.get(position=0) for table in tables]
    play(made, tables[0])
    with pytest.raises(NotAllowed, match="已确认"):
        swap_entrants(acting=made.owner, first=seats[0], second=seats[1])
    won = Seat.objects.get(source=tables[0])
    with pytest.raises(Conflict, match="抽签时排定"):
        swap_entrants(acting=made.owner, first=won, second=seats[1])
    with pytest.raises(Conflict, match="两名不同"):
        swap_entrants(acting=made.owner, first=seats[1], second=seats[1])


def test_referees_do_not_swap() -> None:
    made = make_published(9)
    one, two = (table.seats.get(position=0) for table in made.tables(1)[:2])
    with pytest.raises(NotAllowed):
        swap_entrants(acting=make_acting(made.competition, Role.REFEREE), first=one, second=two)


def test_who_comes_late_takes_the_fillers_seat() -> None:
    """C7.3."""
    made = make_published(4, way=Way.BYES)
    filler = Seat.objects.get(is_filler=True)
    late = seat_late_entry(acting=made.owner, seat=filler, name="迟来", unit="灵川县")
    filler.refresh_from_db()
    assert (filler.is_filler, filler.entrant, late.number) == (False, late, 5)
    with pytest.raises(Conflict, match="已经有人"):
        seat_late_entry(acting=made.owner, seat=filler, name="更迟")


def test_who_comes_late_plays_who_has_a_bye() -> None:
    """C7.3: one more first-round table; n − 1 are still eliminated (C3.4)."""
    made = make_published(10, way=Way.BYES)
    bye = Seat.objects.filter(round__number=2, source=None).first()
    assert bye is not None
    lucky = holder(bye)
    late = seat_late_entry(acting=made.owner, seat=bye, name="迟来")
    table = made.tables(1)[1]
    assert [seat.entrant for seat in table.seats.order_by("position")] == [lucky, late, None]
    assert (table.number, table.first_dealer, table.state) == (2, 0, "published")
    assert table.zone.startswith(f"{bye.table.zone}.")
    bye.refresh_from_db()
    assert (bye.entrant, bye.source, bye.source_place) == (None, table, 1)
    assert play_out(made) is not None
    assert out(made) == 10


def test_late_entry_into_a_bye_ends_with_the_first_round() -> None:
    made = make_published(10, way=Way.BYES)
    for table in made.tables(1):
        play(made, table)
    bye = Seat.objects.filter(round__number=2, source=None).first()
    assert bye is not None
    with pytest.raises(Conflict, match="已经有人"):
        seat_late_entry(acting=made.owner, seat=bye, name="迟来")


def test_late_entry_is_refused_once_the_table_has_a_hand() -> None:
    made = make_published(4, way=Way.BYES)
    filler = Seat.objects.get(is_filler=True)
    start_table(acting=made.owner, table=filler.table)
    organizer = make_acting(made.competition, Role.ORGANIZER)
    with pytest.raises(NotAllowed, match="进行中"):
        seat_late_entry(acting=organizer, seat=filler, name="迟来")


def test_who_leaves_before_the_table_starts_is_replaced_by_a_filler() -> None:
    """C9.3."""
    made = make_published(9)
    table = made.tables(1)[0]
    gone = holder(table.seats.get(position=1))
    seat = withdraw_entrant(acting=made.owner, entrant=gone)
    assert seat is not None
    seat.refresh_from_db()
    gone.refresh_from_db()
    assert (seat.is_filler, seat.entrant, gone.status) == (True, None, EntrantStatus.WITHDRAWN)
    second = holder(table.seats.get(position=0))
    kept = withdraw_entrant(acting=made.owner, entrant=second)
    assert kept is not None
    assert (kept.entrant, kept.forfeits, kept.sat_in_from) == (second, True, 1)
    winner = holder(table.seats.get(position=2))
    start_table(acting=made.owner, table=table)
    finish_table(acting=made.owner, table=table, results=results(table, first=2))
    assert Seat.objects.get(source=table).entrant == winner


def test_who_leaves_during_a_table_is_played_for_and_ranks_last() -> None:
    """C9.3: the chief only, once it runs."""
    made = make_published(9)
    table = made.tables(1)[0]
    start_table(acting=made.owner, table=table)
    gone = holder(table.seats.get(position=0))
    organizer = make_acting(made.competition, Role.ORGANIZER)
    with pytest.raises(NotAllowed, match="裁判长"):
        withdraw_entrant(acting=organizer, entrant=gone, from_hand=5)
    seat = withdraw_entrant(
        acting=made.owner, entrant=gone, from_hand=5, status=EntrantStatus.DISQUALIFIED
    )
    assert seat is not None
    assert (seat.sat_in_from, seat.entrant) == (5, gone)
    finish_table(acting=made.owner, table=table, results=results(table, first=1))
    gone.refresh_from_db()
    assert gone.status == EntrantStatus.DISQUALIFIED


def test_who_leaves_between_rounds_gives_his_seat_to_one_who_did_not_advance() -> None:
    """C9.3."""
    made = make_published(9)
    tables = made.tables(1)
    for table in tables:
        play(made, table)
    seat = Seat.objects.get(source=tables[0])
    gone = holder(seat)
    assert current_seat(gone) == seat
    candidates = list(stand_ins(seat))
    assert len(candidates) == 6
    assert gone not in candidates
    second = holder(tables[1].seats.get(place=2))
    assert second in candidates[:3]

    withdraw_entrant(acting=made.owner, entrant=gone, instead=second)

    seat.refresh_from_db()
    second.refresh_from_db()
    assert (holder(seat), second.status) == (second, EntrantStatus.IN)
    assert play(made, made.tables(2)[0]).champion is not None


def test_only_one_who_is_out_of_the_round_before_stands_in() -> None:
    made = make_published(9)
    tables = made.tables(1)
    for table in tables:
        play(made, table)
    seat = Seat.objects.get(source=tables[0])
    winner = holder(Seat.objects.get(source=tables[1]))
    with pytest.raises(Conflict, match="未晋级"):
        withdraw_entrant(acting=made.owner, entrant=holder(seat), instead=winner)
    bye = make(10)
    draw(bye)
    assert list(stand_ins(Seat.objects.filter(source=None).first())) == []


def test_who_is_out_does_not_leave_again() -> None:
    made = make_published(3)
    (table,) = made.tables(1)
    champion = play(made, table).champion
    loser = holder(table.seats.get(place=3))
    with pytest.raises(Conflict, match="不在赛"):
        withdraw_entrant(acting=made.owner, entrant=loser)
    assert champion is not None
    assert withdraw_entrant(acting=made.owner, entrant=champion) is None
