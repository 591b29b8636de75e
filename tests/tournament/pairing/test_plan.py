"""Fixed knock-out plans: C3.1, C3.3–C3.5 and C2.1."""

import pytest

from tests.tournament.pairing.checker import PAIRS, check_plan
from tournament.pairing.errors import PairingError
from tournament.pairing.plan import (
    PlanNumbers,
    RoundLength,
    RoundNumbers,
    SeatKind,
    Way,
    first_dealer,
    make_plan,
    plan_numbers,
    ways,
)

SAMPLES = (301, 323, 324, 325, 486, 512, 513, 728, 729, 730, 972, 973, 1024, 1025, 1457, 2186, 2187)


@pytest.mark.parametrize(("table_size", "advance"), PAIRS)
def test_every_number_of_entrants_gets_the_plan_of_the_spec(table_size, advance):
    """C3.1, C3.4, C3.5 for every n to 300 and samples to 2,187, both ways."""
    for n in (*range(2, 301), *SAMPLES, 3000):
        for way in ways(n, table_size, advance):
            check_plan(make_plan(n, table_size, advance, way))


GOLDEN = {
    4: (2, 1, 1, 1),
    5: (2, 1, 0, None),
    7: (1, 2, 0, None),
    9: (0, 3, 0, None),
    27: (0, 9, 0, None),
    81: (0, 27, 0, None),
    243: (0, 81, 0, None),
    729: (0, 243, 0, None),
    10: (8, 1, 1, 1),
    28: (26, 1, 1, 1),
    36: (22, 5, 1, 9),
    40: (20, 7, 1, None),
    50: (15, 12, 1, None),
    128: (57, 24, 1, None),
}
"""n → byes, first-round tables, short ones; four-seat tables of the compact plan (C3.3)."""


@pytest.mark.parametrize("n", GOLDEN)
def test_golden_numbers(n):
    """C3.3, the columns of `fixed`."""
    byes, tables, short, four_seat_tables = GOLDEN[n]
    numbers = plan_numbers(make_plan(n, way=Way.BYES), RoundLength(12))
    first = numbers.rounds[0]
    assert (numbers.byes, first.tables, first.short_tables) == (byes, tables, short)
    assert numbers.fillers == short
    if four_seat_tables is None:
        assert ways(n) == (Way.BYES,)
    else:
        assert ways(n) == (Way.COMPACT, Way.BYES)
        compact = plan_numbers(make_plan(n), RoundLength(12))
        assert compact.rounds[0].four_seat_tables == four_seat_tables
        assert (compact.byes, compact.fillers) == (0, 0)
        assert len(compact.rounds) == len(numbers.rounds) - 1


@pytest.mark.parametrize(
    ("n", "table_size", "advance", "fields"),
    [
        (16, 4, 2, [16, 8, 4]),
        (13, 4, 2, [11, 8, 4]),
        (9, 4, 2, [3, 8, 4]),
        (64, 4, 1, [64, 16, 4]),
        (20, 4, 1, [6, 16, 4]),
        (6, 2, 1, [4, 4, 2]),
        (3, 2, 1, [2, 2]),
        (8, 2, 1, [8, 4, 2]),
    ],
)
def test_players_a_round_for_other_tables(n, table_size, advance, fields):
    """C3.1: clean fields p, p·(p/a) … are 4, 8, 16 for 4 to 2 and 4, 16, 64 for 4 to 1."""
    numbers = plan_numbers(make_plan(n, table_size, advance), RoundLength(minutes=30))
    assert [round_.players for round_ in numbers.rounds] == fields
    assert sum(round_.eliminated for round_ in numbers.rounds) == n - 1


@pytest.mark.parametrize(
    ("n", "table_size", "advance", "fillers"),
    [
        (2, 2, 1, 0),
        (2, 3, 1, 1),
        (3, 3, 1, 0),
        (2, 4, 1, 1),
        (2, 4, 2, 1),
        (3, 4, 2, 0),
        (4, 4, 2, 0),
    ],
)
def test_few_entrants_share_one_table(n, table_size, advance, fillers):
    """C3.1: n ≤ p is one table, filled up to three where p is 3 or 4; one is champion."""
    plan = make_plan(n, table_size, advance)
    (round_,) = plan.rounds
    (table,) = round_.tables
    assert [seat.kind for seat in table.seats].count(SeatKind.FILLER) == fillers
    assert (table.players, table.advance, plan.byes) == (n, 1, 0)


def test_numbers_show_what_the_organizer_chooses_between():
    """C3.1: byes, fillers, rounds and minutes of each way for 28 entrants."""
    twelve, final = RoundLength(12, 50), RoundLength(24)
    assert plan_numbers(make_plan(28), twelve, final) == PlanNumbers(
        byes=0,
        fillers=0,
        tables=13,
        most_tables=9,
        minutes=200,
        rounds=(
            RoundNumbers(1, 9, 1, 0, 0, 28, 19, 50),
            RoundNumbers(2, 3, 0, 0, 0, 9, 6, 50),
            RoundNumbers(3, 1, 0, 0, 0, 3, 2, 100),
        ),
    )
    assert plan_numbers(make_plan(28, way=Way.BYES), twelve) == PlanNumbers(
        byes=26,
        fillers=1,
        tables=14,
        most_tables=9,
        minutes=200,
        rounds=(
            RoundNumbers(1, 1, 0, 1, 1, 2, 1, 50),
            RoundNumbers(2, 9, 0, 0, 0, 27, 18, 50),
            RoundNumbers(3, 3, 0, 0, 0, 9, 6, 50),
            RoundNumbers(4, 1, 0, 0, 0, 3, 2, 50),
        ),
    )


@pytest.mark.parametrize(
    ("length", "minutes"),
    [
        (RoundLength(12, 50), 50),
        (RoundLength(12, 40), 40),
        (RoundLength(8, 50), 34),
        (RoundLength(hands=24), 100),
        (RoundLength(minutes=75), 75),
    ],
)
def test_minutes_are_the_bell_or_the_hands_whichever_is_first(length, minutes):
    """C5.6: twelve hands or fifty minutes."""
    assert length.estimate() == minutes


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (lambda: make_plan(1), "plan-entrants"),
        (lambda: make_plan(9, 3, 2), "plan-size"),
        (lambda: ways(9, 5, 1), "plan-size"),
        (lambda: make_plan(13, way=Way.COMPACT), "plan-way"),
        (lambda: make_plan(9, way=Way.COMPACT), "plan-way"),
        (lambda: make_plan(5, 4, 1, Way.COMPACT), "plan-way"),
        (lambda: RoundLength().estimate(), "round-length"),
    ],
)
def test_what_cannot_be_planned_is_refused_in_both_languages(request_, code):
    with pytest.raises(PairingError) as caught:
        request_()
    assert caught.value.code == code
    assert caught.value.zh != caught.value.en == str(caught.value)


def test_first_dealer_moves_one_seat_a_round():
    """C2.1: seat (r − 1) mod p, counted from 甲."""
    assert [first_dealer(r, 3) for r in range(1, 8)] == [0, 1, 2, 0, 1, 2, 0]
    assert [first_dealer(r, 4) for r in (1, 4, 5)] == [0, 3, 0]
