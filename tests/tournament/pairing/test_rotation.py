"""The preliminary by rotation: C5.1, C5.2, C5.3 and the cut of C5.5."""

from collections import Counter
from itertools import combinations

import pytest

from tournament.pairing.errors import PairingError
from tournament.pairing.rotation import (
    Cuts,
    column_of,
    cuts,
    fillers_of,
    rotation,
    rounds_possible,
)


def words(n, rounds=None):
    """The seating as the spec writes it."""
    return " · ".join(
        " ".join("".join(map(str, table)) for table in round_)
        for round_ in rotation(n, rounds).rounds
    )


def meetings(found, numbers):
    """How often each pair of numbers sits together."""
    return Counter(
        pair
        for round_ in found.rounds
        for table in round_
        for pair in combinations(sorted(set(table) & set(numbers)), 2)
    )


@pytest.mark.parametrize("m", range(2, 82))
def test_nobody_meets_twice_and_everybody_plays_every_round(m):
    """C5.1, C5.2 for n = 3m − 2 … 3m: m rounds (m odd), m/2 (even), four for m = 4."""
    for n in range(max(6, 3 * m - 2), 3 * m + 1):
        found = rotation(n)
        if m > 4:
            assert len(found.rounds) == (m if m % 2 else m // 2)
        everyone = range(1, 3 * m + 1)
        for round_ in found.rounds:
            assert len(round_) == m
            assert {len(table) for table in round_} == {3}
            assert sorted(number for table in round_ for number in table) == list(everyone)
            assert all(len(found.fillers & set(table)) <= 1 for table in round_)
        assert max(meetings(found, everyone).values()) == (2 if m == 2 else 1)
        assert len(found.fillers) == 3 * m - n
        assert len(found.numbers) == n
        if n > 9:
            assert {column_of(number) for number in found.fillers} <= {"C"}
            for table in found.rounds[-1]:
                assert "".join(map(column_of, table)) == "ABC"
            for round_ in found.rounds:
                assert [table[0] for table in round_] == list(range(1, 3 * m, 3))


def test_plans_of_six_nine_and_twelve_are_those_of_the_spec():
    """C5.1, letter by letter."""
    assert words(6) == "123 456 · 124 356 · 135 246 · 145 236"
    assert words(9) == "123 456 789 · 147 258 369 · 159 267 348 · 168 249 357"
    squares = (
        "A1B1C1 A2B2C2 A3B3C3 A4B4C4 · A1B2C3 A2B1C4 A3B4C1 A4B3C2 · "
        "A1B3C4 A2B4C3 A3B1C2 A4B2C1 · A1B4C2 A2B3C1 A3B2C4 A4B1C3"
    )
    found = " · ".join(
        " ".join("".join(f"{column_of(k)}{(k - 1) // 3 + 1}" for k in table) for table in round_)
        for round_ in rotation(12).rounds
    )
    assert found == squares


def test_five_tables_turn_by_one_and_two():
    """C5.1 by hand: A[j], B[j + r], C[j + 2r] of fifteen."""
    by_hand = ((1, 2, 3), (1, 5, 9), (1, 8, 15), (1, 11, 6), (1, 14, 12))
    assert tuple(round_[0] for round_ in rotation(15).rounds) == by_hand


def test_seven_and_eight_play_the_plan_of_nine():
    """C5.2: eight has one filler, in column C; seven three rounds, its two fillers would meet in
    the fourth.
    """
    assert words(8) == words(9)
    assert fillers_of(8) == {9}
    assert words(7) == "123 456 789 · 147 258 369 · 159 267 348"
    assert fillers_of(7) == {6, 8}
    fourth = rotation(9).rounds[3]
    assert any({6, 8} <= set(table) for table in fourth)
    assert rotation(7).numbers == (1, 2, 3, 4, 5, 7, 9)


def test_rounds_possible_and_fillers_of_usual_numbers():
    """C5.1, C5.2: n → rounds, fillers."""
    table = {
        2: (0, None), 5: (0, None), 6: (4, 0), 7: (3, 2), 8: (4, 1), 9: (4, 0), 10: (4, 2),
        12: (4, 0), 13: (5, 2), 16: (3, 2), 18: (3, 0), 27: (9, 0), 28: (5, 2), 36: (6, 0),
        40: (7, 2), 50: (17, 1), 81: (27, 0), 128: (43, 1), 243: (81, 0),
    }  # fmt: skip
    for n, (rounds, fillers) in table.items():
        assert rounds_possible(n) == rounds
        if fillers is not None:
            assert len(fillers_of(n)) == fillers


def test_a_unit_in_one_column_never_meets_itself():
    """C5.3: the columns of fifty, one filler fewer in C."""
    found = rotation(50)
    assert [len(column) for column in found.columns] == [17, 17, 16]
    for column in found.columns:
        assert not meetings(found, column)


@pytest.mark.parametrize(
    ("n", "p", "expected"),
    [
        (5, 3, None), (6, 3, Cuts(3, None, None)), (10, 3, Cuts(3, None, 9)),
        (17, 3, Cuts(3, None, 9)), (18, 3, Cuts(9, 3, None)), (27, 3, Cuts(9, 3, None)),
        (28, 3, Cuts(9, 3, 27)), (36, 3, Cuts(9, 3, 27)), (50, 3, Cuts(9, 3, 27)),
        (54, 3, Cuts(27, 9, None)), (128, 3, Cuts(27, 9, 81)), (243, 3, Cuts(81, 27, None)),
        (6, 2, Cuts(2, None, 4)), (16, 2, Cuts(8, 4, None)), (7, 4, Cuts(4, None, None)),
        (32, 4, Cuts(16, 4, None)),
    ],
)  # fmt: skip
def test_cut_is_the_largest_power_of_at_most_half(n, p, expected):
    """C5.5."""
    assert cuts(n, p) == expected


@pytest.mark.parametrize(
    ("n", "rounds", "code"),
    [(5, None, "rotation-entrants"), (7, 4, "rotation-rounds"), (50, 0, "rotation-rounds")],
)
def test_a_rotation_that_cannot_be_is_refused(n, rounds, code):
    with pytest.raises(PairingError) as caught:
        rotation(n, rounds)
    assert caught.value.code == code
