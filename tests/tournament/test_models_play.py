"""What the database holds about rounds, tables and seats (C2, C7)."""

from __future__ import annotations

import pytest
from django.db import transaction

from tests.concurrency import at_once
from tests.constraints import refused_by_the_database
from tests.factories import make_entrant, make_round, make_stage, make_table
from tournament.enums import State
from tournament.models import Round, Seat, Table

pytestmark = pytest.mark.django_db


def test_rounds_are_numbered_from_1_once_a_stage() -> None:
    stage = make_stage()
    make_round(stage)
    make_round(stage, number=2)
    for number in (0, 2):
        with refused_by_the_database():
            make_round(stage, number=number)


def test_states_are_those_of_c7() -> None:
    table = make_table()
    for state in ("planned", "drawn", "published", "running", "confirmed", "final"):
        Round.objects.update(state=state)
        Table.objects.update(state=state)
    with refused_by_the_database():
        Round.objects.filter(pk=table.round.pk).update(state="over")
    with refused_by_the_database():
        Table.objects.filter(pk=table.pk).update(state="over")


def test_a_table_has_two_to_four_seats_and_its_dealer_sits_at_one() -> None:
    """C2.1, C2.2."""
    round_ = make_round()
    for seats, dealer in ((2, 1), (3, 2), (4, 3)):
        make_table(round_, entrants=[], seat_count=seats, first_dealer=dealer)
    for seats, dealer in ((1, 0), (5, 0), (3, 3), (2, 2)):
        with refused_by_the_database():
            make_table(round_, entrants=[], seat_count=seats, first_dealer=dealer)


def test_a_table_number_exists_once_a_round() -> None:
    table = make_table()
    with refused_by_the_database():
        make_table(table.round, entrants=[], seat_count=3, number=table.number)


def test_a_position_is_taken_once_and_is_one_of_four() -> None:
    table = make_table(entrants=[], seat_count=3)
    Seat.objects.create(table=table, position=0)
    for position in (0, 4):
        with refused_by_the_database():
            Seat.objects.create(table=table, position=position)
    assert [seat.name for seat in table.seats.all()] == ["甲"]


def test_an_entrant_has_one_place_a_round() -> None:
    first = make_table()
    entrant = first.seats.get(position=0).entrant
    with refused_by_the_database():
        make_table(first.round, entrants=[entrant])
    later = make_round(first.round.stage, number=2)
    make_table(later, entrants=[entrant, None], seat_count=2)


def test_a_seat_is_an_entrant_or_a_filler() -> None:
    """C1.3."""
    table = make_table()
    with refused_by_the_database():
        table.seats.filter(position=0).update(is_filler=True)
    with refused_by_the_database():
        table.seats.filter(position__in=(0, 1)).update(is_filler=True, entrant=None)
    table.seats.filter(position=0).update(is_filler=True, entrant=None)


def test_a_filler_never_advances() -> None:
    """C1.3."""
    table = make_table(entrants=[None], seat_count=3)
    table.seats.update(advances=False, place=1)
    with refused_by_the_database():
        table.seats.update(advances=True)


def test_a_place_of_a_table_feeds_one_seat_and_is_named() -> None:
    feeder = make_table()
    final = make_table(
        make_round(feeder.round.stage, number=2), entrants=[], seat_count=3, state=State.DRAWN
    )
    Seat.objects.create(table=final, position=0, source=feeder, source_place=1)
    with refused_by_the_database():
        Seat.objects.create(table=final, position=1, source=feeder, source_place=1)
    with refused_by_the_database():
        Seat.objects.create(table=final, position=1, source=feeder)
    with refused_by_the_database():
        Seat.objects.create(table=final, position=1, source_place=1)
    Seat.objects.create(table=final, position=1, source=feeder, source_place=2)


def test_two_entrants_are_swapped_by_way_of_empty_seats() -> None:
    one = make_table()
    other = make_table(one.round)
    a, b = one.seats.get(position=0), other.seats.get(position=0)
    with transaction.atomic():
        Seat.objects.filter(pk__in=(a.pk, b.pk)).update(entrant=None)
        Seat.objects.filter(pk=a.pk).update(entrant=b.entrant)
        Seat.objects.filter(pk=b.pk).update(entrant=a.entrant)
    assert one.seats.get(position=0).entrant == b.entrant
    assert other.seats.get(position=0).entrant == a.entrant


@pytest.mark.django_db(transaction=True)
def test_twenty_at_once_seat_an_entrant_once() -> None:
    round_ = make_round()
    entrant = make_entrant(round_.stage.event)
    tables = [make_table(round_, entrants=[], seat_count=3) for _n in range(20)]

    def sit(index: int) -> int:
        return Seat.objects.create(table=tables[index], position=0, entrant=entrant).pk

    seated = [result for result in at_once(20, sit) if isinstance(result, int)]
    assert seated == list(Seat.objects.values_list("pk", flat=True))
    assert len(seated) == 1
