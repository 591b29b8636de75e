"""Fields of the style `redraw`: C3.2, C3.3 and C3.4."""

import pytest

from tests.tournament.pairing.checker import PAIRS
from tournament.pairing.errors import PairingError
from tournament.pairing.redraw import allows_first_two, redraw_rounds, table_sizes

GOLDEN = {
    4: [4, 3], 5: [5, 3], 7: [7, 3], 9: [9, 3], 10: [10, 6, 3], 27: [27, 9, 3], 28: [28, 12, 6, 3],
    36: [36, 12, 6, 3], 40: [40, 15, 6, 3], 50: [50, 18, 9, 3], 81: [81, 27, 9, 3],
    128: [128, 45, 15, 6, 3], 243: [243, 81, 27, 9, 3], 729: [729, 243, 81, 27, 9, 3],
}  # fmt: skip
"""n → the field of every round (C3.3)."""
BY_HAND = {
    2: [2], 3: [3],
    # Two tables of three: two winners and one of two second places make three.
    6: [6, 3],
    # Tables 3 3 2 and three winners.
    8: [8, 3],
    # Four winners: nine would need five more of four, so six. Two winners and one second: three.
    11: [11, 6, 3], 12: [12, 6, 3],
}  # fmt: skip


@pytest.mark.parametrize("n", [*GOLDEN, *BY_HAND])
def test_golden_fields(n):
    """C3.3, and the other numbers to twelve by hand."""
    rounds = redraw_rounds(n)
    assert [round_.field for round_ in rounds] == (GOLDEN | BY_HAND)[n]


def test_best_second_places_fill_the_field():
    """C3.2 for fifty: 17 winners + 1 second place are 18, 6 + 3 are 9, 3 are 3."""
    rounds = redraw_rounds(50)
    assert [(r.sizes.count(3), r.sizes.count(2), r.fillers, r.extra, r.left) for r in rounds] == [
        (16, 1, 1, 1, 18),
        (6, 0, 0, 3, 9),
        (3, 0, 0, 0, 3),
        (1, 0, 0, 0, 1),
    ]


def test_two_may_advance_from_the_first_tables_of_three():
    """C3: (3,2) in the first round; 27 → 18, then as ever. Below seven nobody would go out."""
    assert [(r.field, r.advance) for r in redraw_rounds(27, first_advance=2)] == [
        (27, 2), (18, 1), (9, 1), (3, 1),
    ]  # fmt: skip
    assert [n for n in range(2, 12) if allows_first_two(n)] == [7, 8, 9, 10, 11]
    for n in range(7, 801):
        rounds = redraw_rounds(n, first_advance=2)
        assert sum(r.field - r.left for r in rounds) == n - 1


@pytest.mark.parametrize(("p", "a"), PAIRS)
def test_every_field_shrinks_to_one_champion(p, a):
    """C3.2, C3.4 for every n to 800: even tables, one filler at most, enough second places."""
    for n in range(2, 801):
        rounds = redraw_rounds(n, p, a)
        assert [r.left for r in rounds] == [r.field for r in rounds[1:]] + [1]
        for r in rounds:
            assert len(r.sizes) == -(-r.field // p)
            assert sum(r.sizes) == r.field
            assert max(r.sizes) - min(r.sizes) <= 1
            assert min(r.sizes) + 1 >= min(3, p)
            assert r.left < r.field
            assert 0 <= r.extra <= sum(size > a for size in r.sizes)


def test_tables_are_as_even_as_possible():
    """C3.2."""
    assert table_sizes(4, 3) == (2, 2)
    assert table_sizes(9, 4) == (3, 3, 3)
    assert table_sizes(10, 4) == (4, 3, 3)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((1,), "plan-entrants"),
        ((9, 3, 2), "plan-size"),
    ],
)
def test_what_cannot_be_planned_is_refused(arguments, code):
    with pytest.raises(PairingError) as caught:
        redraw_rounds(*arguments)
    assert caught.value.code == code


@pytest.mark.parametrize(("n", "p"), [(6, 3), (9, 4), (3, 3)])
def test_first_round_of_two_advancing_needs_seven_at_threes(n, p):
    with pytest.raises(PairingError) as caught:
        redraw_rounds(n, p, 1, first_advance=2)
    assert caught.value.code == "plan-first"
