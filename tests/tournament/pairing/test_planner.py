"""The planner: golden plans by hand (C3.3, C5.6), and what holds for every plan (C3.4)."""

import pytest

from tests.tournament.pairing.checker import PAIRS
from tournament.pairing.errors import PairingError
from tournament.pairing.plan import RoundLength, make_plan, plan_numbers, ways
from tournament.pairing.planner import Cut, Game, Part, Style, Terms, plan_event
from tournament.pairing.presets import of_units, single, standard


def fields(event):
    """The entrants before every round, the preliminary's once."""
    return [one.field for one in event.rounds if one.part is Part.KNOCKOUT or one.number == 1]


def figures(event):
    """Every round as (field, tables, byes, fillers, left)."""
    return [(r.field, r.tables, r.byes, r.fillers, r.left) for r in event.rounds]


FIXED = {
    # n ≤ 3 is one table, filled up to three.
    2: [(2, 1, 0, 1, 1)],
    3: [(3, 1, 0, 0, 1)],
    # t = 3, e = n − 3: ⌊e/2⌋ full tables, a rest of one makes a table of two and a filler.
    4: [(4, 1, 2, 1, 3), (3, 1, 0, 0, 1)],
    5: [(5, 1, 2, 0, 3), (3, 1, 0, 0, 1)],
    6: [(6, 2, 1, 1, 3), (3, 1, 0, 0, 1)],
    7: [(7, 2, 1, 0, 3), (3, 1, 0, 0, 1)],
    8: [(8, 3, 0, 1, 3), (3, 1, 0, 0, 1)],
    9: [(9, 3, 0, 0, 3), (3, 1, 0, 0, 1)],
    # t = 9.
    10: [(10, 1, 8, 1, 9), (9, 3, 0, 0, 3), (3, 1, 0, 0, 1)],
    11: [(11, 1, 8, 0, 9), (9, 3, 0, 0, 3), (3, 1, 0, 0, 1)],
    12: [(12, 2, 7, 1, 9), (9, 3, 0, 0, 3), (3, 1, 0, 0, 1)],
    27: [(27, 9, 0, 0, 9), (9, 3, 0, 0, 3), (3, 1, 0, 0, 1)],
    # t = 27: 28 − 27 = 1; 36 − 27 = 9 = 4·2 + 1; 40 − 27 = 13 = 6·2 + 1; 50 − 27 = 23 = 11·2 + 1.
    28: [(28, 1, 26, 1, 27), (27, 9, 0, 0, 9), (9, 3, 0, 0, 3), (3, 1, 0, 0, 1)],
    36: [(36, 5, 22, 1, 27), (27, 9, 0, 0, 9), (9, 3, 0, 0, 3), (3, 1, 0, 0, 1)],
    40: [(40, 7, 20, 1, 27), (27, 9, 0, 0, 9), (9, 3, 0, 0, 3), (3, 1, 0, 0, 1)],
    50: [(50, 12, 15, 1, 27), (27, 9, 0, 0, 9), (9, 3, 0, 0, 3), (3, 1, 0, 0, 1)],
    81: [(81, 27, 0, 0, 27), (27, 9, 0, 0, 9), (9, 3, 0, 0, 3), (3, 1, 0, 0, 1)],
    # 128 − 81 = 47 = 23·2 + 1: 23 tables of three and one of two, 128 − 71 = 57 byes.
    128: [(128, 24, 57, 1, 81), (81, 27, 0, 0, 27), (27, 9, 0, 0, 9), (9, 3, 0, 0, 3),
          (3, 1, 0, 0, 1)],
    243: [(243, 81, 0, 0, 81), (81, 27, 0, 0, 27), (27, 9, 0, 0, 9), (9, 3, 0, 0, 3),
          (3, 1, 0, 0, 1)],
    729: [(729, 243, 0, 0, 243), (243, 81, 0, 0, 81), (81, 27, 0, 0, 27), (27, 9, 0, 0, 9),
          (9, 3, 0, 0, 3), (3, 1, 0, 0, 1)],
}  # fmt: skip
"""n → rounds of way (i), by hand from C3.1."""
COMPACT = {4: 1, 10: 1, 11: 2, 12: 3, 28: 1, 36: 9}
"""n → tables that seat four: n − t, where t < n ≤ 4t/3 (way ii)."""
STANDARD = {
    # n → tables and fillers a round, rounds, cut: the largest 3^j ≤ n/2.
    6: (2, 0, 4, 3), 7: (3, 2, 3, 3), 8: (3, 1, 4, 3), 9: (3, 0, 4, 3), 10: (4, 2, 3, 3),
    11: (4, 1, 3, 3), 12: (4, 0, 3, 3), 27: (9, 0, 3, 9), 28: (10, 2, 3, 9), 36: (12, 0, 3, 9),
    40: (14, 2, 3, 9), 50: (17, 1, 3, 9), 81: (27, 0, 3, 27), 128: (43, 1, 3, 27),
    243: (81, 0, 3, 81), 729: (243, 0, 3, 243),
}  # fmt: skip


@pytest.mark.parametrize("n", FIXED)
def test_golden_single_knock_out(n):
    """C3.1, C3.3: byes, and tables of four where they do it without an extra round."""
    assert figures(plan_event(Terms(n, style=Style.BYES))) == FIXED[n]
    usual = plan_event(single(n))
    if n in COMPACT:
        assert usual.rounds[0].four_seat_tables == COMPACT[n]
        assert figures(usual)[1:] == FIXED[n][2:]
        assert (usual.byes, usual.fillers) == (0, 0)
    else:
        assert figures(usual) == FIXED[n]
        with pytest.raises(PairingError):
            plan_event(Terms(n, style=Style.COMPACT))


@pytest.mark.parametrize("n", STANDARD)
def test_golden_standard(n):
    """C5.1, C5.2, C5.5, C5.6: 桂林字牌·标准."""
    tables, fillers, rounds, cut = STANDARD[n]
    event = plan_event(standard(n))
    preliminary = [one for one in event.rounds if one.part is Part.PRELIMINARY]
    assert [(r.tables, r.fillers, r.field) for r in preliminary] == [(tables, fillers, n)] * rounds
    assert [one.left for one in preliminary] == [n] * (rounds - 1) + [cut]
    assert figures(event)[rounds:] == FIXED[cut]
    assert [one.minutes for one in event.rounds[:-1]] == [50] * (len(event.rounds) - 1)
    assert event.rounds[-1].hands == 24
    assert event.surest == rounds
    assert (event.prizes, event.has_skipped) == (min(n, 9), False)


def test_fifty_by_the_standard_in_hands():
    """3 rounds · 17 tables · 12 hands + 3 · 12 + 24."""
    event = plan_event(standard(50))
    assert (event.hands, event.tables, event.most_tables) == (3 * 17 * 12 + 36 + 24, 55, 17)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_too_few_for_a_preliminary_play_the_knock_out(n):
    """C5.1."""
    event = plan_event(Terms(n, preliminary=3))
    assert event.has_skipped
    assert figures(event) == figures(plan_event(single(n)))
    assert standard(n) == single(n)


@pytest.mark.parametrize(("p", "a"), PAIRS)
def test_every_plan_ends_with_one_champion(p, a):
    """C3.4 for every n to 800, every style, with and without a preliminary: n − 1 go out."""
    for n in range(2, 801):
        styles = [Style(way.value) for way in ways(n, p, a)] + [Style.REDRAW]
        formats = [Terms(n, p, a, style) for style in styles]
        formats.append(Terms(n, p, a, preliminary=3))
        if p == 3 and n > 6:
            formats.append(Terms(n, p, a, Style.REDRAW, first_two=True))
        for terms in formats:
            rounds = plan_event(terms).rounds
            assert rounds[0].field == n
            assert [r.left for r in rounds] == [r.field for r in rounds[1:]] + [1]
            assert sum(r.eliminated for r in rounds) == n - 1
            assert [r.is_final for r in rounds] == [False] * (len(rounds) - 1) + [True]
            assert all(r.players + r.byes == r.field for r in rounds)


@pytest.mark.parametrize(("p", "a"), PAIRS)
def test_figures_are_those_of_the_tree_that_is_drawn(p, a):
    """`make_plan` seats what the planner counts."""
    for n in (*range(2, 90), 128, 729):
        for way in ways(n, p, a):
            drawn = plan_numbers(make_plan(n, p, a, way), RoundLength(12)).rounds
            counted = plan_event(Terms(n, p, a, Style(way.value), has_third_table=False)).rounds
            assert [(r.tables, r.players, r.eliminated, r.fillers) for r in counted] == [
                (r.tables, r.players, r.eliminated, r.fillers) for r in drawn
            ]


def test_cut_may_be_a_power_down_or_up():
    """C5.5."""
    assert fields(plan_event(Terms(50, preliminary=3))) == [50, 9, 3]
    assert fields(plan_event(Terms(50, preliminary=3, cut=Cut.UP))) == [50, 27, 9, 3]
    assert fields(plan_event(Terms(50, preliminary=3, cut=Cut.DOWN))) == [50, 3]


def test_third_place_table_at_tables_of_two():
    """The losers before the final play for third place; with three entrants there is one loser."""
    of_two = [plan_event(Terms(n, 2)) for n in (8, 3, 2)]
    assert [[r.tables for r in event.rounds] for event in of_two] == [[4, 2, 2], [1, 1], [1]]
    assert [event.rounds[-1].has_third_table for event in of_two] == [True, False, False]
    assert plan_event(Terms(8, 2, has_third_table=False)).rounds[-1].tables == 1


def test_unit_competition_has_three_events_and_three_prizes():
    """Twelve units: 36 at 字牌, 24 at 象棋, 12 pairs."""
    events = [plan_event(terms) for terms in of_units(12)]
    assert [event.terms.game for event in events] == [Game.ZIPAI, Game.CHESS, Game.PAIRS]
    assert [fields(event) for event in events] == [[36, 9, 3], [24, 16, 8, 4, 2], [12, 8, 4, 2]]
    assert [event.prizes for event in events] == [3, 3, 3]
    assert [event.hands > 0 for event in events] == [True, False, False]
    assert [terms.game for terms in of_units(12, zipai=0, pairs=2)] == [Game.CHESS, Game.PAIRS]


def test_length_in_hands_minutes_or_both():
    """C5.6: twelve hands are fifty minutes; another pace may be given."""
    for length, dozen, expected in (
        (RoundLength(12, 50), 50, (12, 50)),
        (RoundLength(hands=12), 60, (12, 60)),
        (RoundLength(minutes=50), 60, (10, 50)),
        (RoundLength(24, 50), 50, (12, 50)),
    ):
        first = plan_event(Terms(27, length=length, dozen=dozen)).rounds[0]
        assert (first.hands, first.minutes) == expected


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        (Terms(1), "plan-entrants"),
        (Terms(2188), "plan-most"),
        (Terms(9, 3, 2), "plan-size"),
        (Terms(27, first_two=True), "plan-first"),
        (Terms(16, preliminary=4), "rotation-rounds"),
        (Terms(10, preliminary=3, cut=Cut.DOWN), "plan-cut"),
        (Terms(9, length=RoundLength()), "round-length"),
    ],
)
def test_what_cannot_be_planned_is_refused(terms, code):
    with pytest.raises(PairingError) as caught:
        plan_event(terms)
    assert caught.value.code == code
