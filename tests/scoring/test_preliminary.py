"""The points and standings of a preliminary: C5.4, C8.3, C1.3."""

import random
from fractions import Fraction

import pytest

from scoring.criteria import Criterion
from scoring.preliminary import (
    ExtraTable,
    Result,
    Tie,
    points_text,
    rank_preliminary,
    table_points,
)
from scoring.ranking import Player, rank_table


def points(*nets, fillers=(), forfeits=(), ruled=None):
    """The points in the order of the seats."""
    players = [
        Player(key, net, filler=key in fillers, forfeit=key in forfeits)
        for key, net in enumerate(nets)
    ]
    found = table_points(players, ruled)
    return [found[key] for key in range(len(nets))]


@pytest.mark.parametrize(
    ("nets", "expected"),
    [
        ((9, -3, -6), [36, 12, 0]),
        ((-6, -3, 9), [0, 12, 36]),
        ((0, 0, 0), [16, 16, 16]),
        ((5, 5, -10), [24, 24, 0]),
        ((10, -5, -5), [36, 6, 6]),
        ((4, 2, -1, -5), [36, 12, 12, 0]),
        ((4, 4, -3, -5), [24, 24, 12, 0]),
        ((4, 2, 2, -8), [36, 12, 12, 0]),
        ((3, 3, 3, -9), [20, 20, 20, 0]),
        ((9, -3, -3, -3), [36, 8, 8, 8]),
        ((9, 1, -5, -5), [36, 12, 6, 6]),
        ((0, 0, 0, 0), [15, 15, 15, 15]),
    ],
)
def test_points_of_a_table_and_their_shares(nets, expected):
    """C5.4: twelfths; whoever is level shares what the places have together."""
    assert points(*nets) == expected
    assert sum(expected) == (48 if len(nets) == 3 else 60)


def test_a_filler_takes_his_place_and_his_points_are_nobodys():
    """C1.3: behind a filler who wins the table the entrants have 1 and 0."""
    assert points(-2, -4, 6, fillers={2}) == [12, 0, 36]
    assert points(3, -6, 3, fillers={2}) == [24, 0, 24]
    assert points(8, -2, -6, fillers={2}) == [36, 12, 0]


def test_who_forfeits_comes_last_whatever_the_filler_won_for_him():
    """C9.3."""
    assert points(9, -3, -6, forfeits={0}) == [0, 36, 12]
    assert points(9, -9, 0, forfeits={0, 1}) == [12, 0, 36]


def test_ruled_places_decide():
    """C6.6: the entrants change lines, the filler keeps his."""
    assert points(9, -3, -6, ruled={0: 2, 1: 1, 2: 3}) == [12, 36, 0]
    assert points(9, -3, -6, fillers={1}, ruled={0: 2, 2: 1}) == [0, 12, 36]
    assert points(9, -3, -6, ruled={0: 1, 1: 2, 2: 2}) == [36, 6, 6]


@pytest.mark.parametrize(
    ("twelfths", "text"),
    [(36, "3"), (24, "2"), (12, "1"), (6, "½"), (16, "4/3"), (0, "0"), (18, "1½"), (52, "13/3"),
     (8, "2/3"), (15, "5/4")],
)  # fmt: skip
def test_points_are_written_as_people_do(twelfths, text):
    """C5.4."""
    assert points_text(twelfths) == text


def test_all_points_of_a_table_are_given_out():
    """C5.4: nothing is lost in sharing, for random nets."""
    rng = random.Random("points")
    for _ in range(500):
        nets = [rng.randint(-2, 2) for _ in range(rng.choice((3, 4)))]
        assert sum(points(*nets)) == (48 if len(nets) == 3 else 60), nets


def test_a_preliminary_table_asks_nothing_after_the_sum():
    """C5.4: level players share the place, whatever else they have done."""
    found = rank_table(
        [Player(0, 5, hands_won=3), Player(1, 5, hands_won=1), Player(2, -10)],
        advance=0,
        shares=True,
    )
    assert [(row.key, row.place, row.advances) for row in found.rows] == [
        (0, 1, False),
        (1, 1, False),
        (2, 3, False),
    ]
    assert found.open_ties == ()
    assert found.reasons[0].criterion is Criterion.LEVEL


def order(ranking):
    return [row.result.key for row in ranking.rows]


LEVEL = {"points": 60, "net": 7, "tables_won": 1, "hands_won": 5, "discards": 2, "best": 6}


@pytest.mark.parametrize(
    ("criterion", "better", "zh"),
    [
        (Criterion.MATCH, {"points": 76}, "积分 19/3 对 5"),
        (Criterion.NET, {"net": 8}, "净舵 8 对 7"),
        (Criterion.TABLES_WON, {"tables_won": 2}, "赢的桌数 2 对 1"),
        (Criterion.HANDS_WON, {"hands_won": 6}, "胡牌手数 6 对 5"),
        (Criterion.DISCARDS, {"discards": 1}, "点炮次数（少者先） 1 对 2"),
        (Criterion.BEST_ROUND, {"best": 9}, "最好的一轮净舵 9 对 6"),
        (Criterion.LOT, {"lot": 1}, "公开签 1 对 2"),
    ],
)
def test_each_criterion_decides_in_its_turn(criterion, better, zh):
    """C8.3: all before it level, all after it against."""
    values = dict(LEVEL, lot=2)
    found = rank_preliminary([Result(1, **values), Result(2, **(values | {"lot": 3} | better))])
    if criterion is Criterion.LOT:
        found = rank_preliminary([Result(1, **values), Result(2, **(values | better))])
    assert order(found) == [2, 1]
    assert found.steps[0].criterion is criterion
    assert found.steps[0].zh == zh
    assert [row.rank for row in found.rows] == [1, 2]


def test_a_criterion_that_somebody_level_lacks_is_skipped_for_all():
    """C8.1, C8.3: totals from paper say nothing of hands won."""
    found = rank_preliminary(
        [
            Result(1, **dict(LEVEL, hands_won=9, lot=2)),
            Result(2, **dict(LEVEL, hands_won=None, lot=1)),
        ]
    )
    assert order(found) == [2, 1]
    assert found.skipped == (Criterion.HANDS_WON,)


def level(*lots, first=1):
    return [Result(first + i, **dict(LEVEL, lot=lot)) for i, lot in enumerate(lots)]


def test_two_level_at_the_cut_play_for_it():
    """C8.3: only where the line runs."""
    above, below = Result(8, points=99, lot=9), Result(9, points=1, lot=8)
    results = [above, *level(2, 1), below]
    assert rank_preliminary(results, lines=(2,)).ties == (Tie(2, (1, 2)),)
    for line in (1, 3):
        found = rank_preliminary(results, lines=(line,))
        assert found.ties == ()
        assert order(found) == [8, 2, 1, 9]
    played = rank_preliminary(results, lines=(2,), extras=[ExtraTable({1: 4, 2: -4})])
    assert played.ties == ()
    assert order(played) == [8, 1, 2, 9]
    assert [step.criterion for step in played.steps] == [
        Criterion.MATCH,
        Criterion.EXTRA_TABLE,
        Criterion.MATCH,
    ]
    assert played.steps[1].zh == "加赛桌净舵 4 对 -4"


def test_three_level_play_at_one_table_which_orders_them():
    results = level(3, 2, 1)
    found = rank_preliminary(results, lines=(1,))
    assert found.ties == (Tie(1, (1, 2, 3)),)
    played = rank_preliminary(results, lines=(1,), extras=[ExtraTable({1: 6, 2: -4, 3: -2})])
    assert (order(played), played.ties) == ([1, 3, 2], ())


def test_level_again_at_the_line_plays_again_three_times_then_the_lot():
    """C8.2, C8.3."""
    results = level(2, 1)
    drawn = ExtraTable({1: 0, 2: 0})
    for times in range(3):
        found = rank_preliminary(results, lines=(1,), extras=[drawn] * times)
        assert found.ties == (Tie(1, (1, 2)),), times
    found = rank_preliminary(results, lines=(1,), extras=[drawn] * 3)
    assert (order(found), found.ties) == ([2, 1], ())
    assert found.steps[0].criterion is Criterion.LOT


def test_of_three_who_are_level_two_again_play_once_more_only_where_the_line_is():
    results = level(3, 2, 1)
    extra = ExtraTable({1: 4, 2: 4, 3: -8})
    assert rank_preliminary(results, lines=(1,), extras=[extra]).ties == (Tie(1, (1, 2)),)
    assert rank_preliminary(results, lines=(2,), extras=[extra]).ties == ()


def test_more_than_three_level_at_the_line_go_by_lot():
    """C8.3: 加赛 is at one table."""
    found = rank_preliminary(level(4, 3, 2, 1), lines=(2,))
    assert (order(found), found.ties) == ([4, 3, 2, 1], ())


def test_without_the_option_the_lot_decides():
    found = rank_preliminary(level(2, 1), lines=(1,), extra_option=False)
    assert (order(found), found.ties) == ([2, 1], ())


def test_who_has_left_ranks_behind_all_others():
    """C9.3."""
    found = rank_preliminary(
        [Result(1, points=108, lot=1, has_left=True), Result(2, points=0, lot=2)], lines=(1,)
    )
    assert order(found) == [2, 1]
    assert found.steps[0].criterion is Criterion.FORFEIT


def test_the_order_is_total_and_follows_the_criteria():
    """C8.3 against a plain sort, for random results whose data are complete."""
    rng = random.Random("prelim")
    for _ in range(100):
        results = [
            Result(
                key,
                points=rng.choice((12, 16, 24)),
                net=rng.randint(0, 1),
                tables_won=rng.randint(0, 1),
                hands_won=rng.randint(0, 1),
                discards=rng.randint(0, 1),
                best=rng.randint(0, 1),
                lot=key + 1,
            )
            for key in range(12)
        ]
        rng.shuffle(results)
        expected = sorted(
            results,
            key=lambda r: (
                -Fraction(r.points, 12), -r.net, -r.tables_won, -r.hands_won, r.discards, -r.best,
                r.lot,
            ),
        )  # fmt: skip
        assert [row.result for row in rank_preliminary(results).rows] == expected
