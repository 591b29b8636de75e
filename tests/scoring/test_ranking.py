"""Ranking of a knock-out table: C8.1, C8.2, C8.6, C1.3, C9.3."""

from itertools import permutations

import pytest

from scoring.criteria import Criterion
from scoring.ranking import ExtraHand, OpenTie, Player, Reason, Row, rank_table


def player(key, net, won=5, discards=2, prelim=None, lot=None, **more):
    return Player(key, net, won, discards, prelim, key if lot is None else lot, **more)


def extra(**deltas):
    """A 加赛 among the named players (`p1=3`) and fillers (`f3=-3`)."""
    among = frozenset(int(name[1:]) for name in deltas if name[0] == "p")
    return ExtraHand(among, {int(name[1:]): delta for name, delta in deltas.items()})


def keys(ranking):
    return [row.key for row in ranking.rows]


def places(ranking):
    return [row.place for row in ranking.rows]


def test_net_decides_first_and_says_so():
    """C8.1."""
    ranking = rank_table([player(1, -10), player(2, 4), player(3, 6)], advance=1)
    assert ranking.rows == (
        Row(3, 1, 1, True),
        Row(2, 2, 2, False),
        Row(1, 3, 3, False),
    )
    assert ranking.advancing == (3,)
    assert ranking.reasons == (
        Reason(3, 2, Criterion.NET, (6, 4)),
        Reason(2, 1, Criterion.NET, (4, -10)),
    )
    assert [reason.zh for reason in ranking.reasons] == ["净舵 6 对 4", "净舵 4 对 -10"]
    assert ranking.reasons[0].en == "net 舵 6 to 4"
    assert (ranking.open_ties, ranking.skipped, ranking.unused) == ((), (), ())


@pytest.mark.parametrize(
    ("first", "second", "criterion", "values"),
    [
        (player(1, 5, won=6), player(2, 5, won=4), Criterion.HANDS_WON, (6, 4)),
        (player(1, 5, discards=0), player(2, 5, discards=3), Criterion.DISCARDS, (0, 3)),
        (player(1, 5, prelim=2), player(2, 5, prelim=9), Criterion.PRELIM, (2, 9)),
        (player(1, 5, lot=7), player(2, 5, lot=20), Criterion.LOT, (7, 20)),
    ],
)
def test_each_criterion_in_turn_breaks_a_tie(first, second, criterion, values):
    """C8.1: hands won → fewer 点炮 → preliminary rank → public lot."""
    table = [second, player(3, -10, won=9), first]
    ranking = rank_table(table, advance=1, extra_option=False)
    assert keys(ranking) == [1, 2, 3]
    assert ranking.reasons[0] == Reason(1, 2, criterion, values)
    assert ranking.advancing == (1,)


def test_criteria_come_in_the_order_of_the_spec():
    """C8.1: one player better in hands won is before one better in everything later."""
    table = [
        player(1, 5, won=6, discards=9, prelim=9, lot=9),
        player(2, 5, won=5, discards=1, prelim=9, lot=9),
        player(3, 5, won=5, discards=2, prelim=1, lot=9),
        player(4, 5, won=5, discards=2, prelim=2, lot=1),
    ]
    ranking = rank_table(table[::-1], advance=2, extra_option=False)
    assert keys(ranking) == [1, 2, 3, 4]
    assert [reason.criterion for reason in ranking.reasons] == [
        Criterion.HANDS_WON,
        Criterion.DISCARDS,
        Criterion.PRELIM,
    ]


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_the_order_of_the_seats_does_not_matter(order):
    table = [player(1, 5, won=2), player(2, 5, won=1), player(3, 5, won=1), player(4, -15)]
    ranking = rank_table([table[i] for i in order], advance=2, extra_option=False)
    assert keys(ranking) == [1, 2, 3, 4]


def test_a_criterion_somebody_tied_lacks_is_skipped_for_all():
    """C8.1: one sheet with totals only: neither hands won nor 点炮 of the tied are asked."""
    table = [
        player(1, 5, won=9, prelim=1),
        Player(2, 5, None, None, 2, 2),
        player(3, 5, won=7, prelim=3),
    ]
    ranking = rank_table(table, advance=1, extra_option=False)
    assert keys(ranking) == [1, 2, 3]
    assert [reason.criterion for reason in ranking.reasons] == [Criterion.PRELIM] * 2
    assert ranking.skipped == (Criterion.HANDS_WON, Criterion.DISCARDS)


def test_a_player_who_is_not_tied_may_lack_data():
    """C8.1: only who is tied counts."""
    table = [player(1, 5, won=3), player(2, 5, won=4), Player(3, -10)]
    ranking = rank_table(table, advance=1, extra_option=False)
    assert keys(ranking) == [2, 1, 3]
    assert ranking.skipped == ()


def test_a_tie_at_the_line_asks_for_an_extra_hand():
    """C8.2, C8.6: nobody advances meanwhile; the third sits in as filler."""
    table = [player(1, 5), player(2, 5, won=9), player(3, -10)]
    ranking = rank_table(table, advance=1)
    assert ranking.open_ties == (OpenTie((1,), (1, 2), (3,), hand=1),)
    assert ranking.advancing == ()
    assert places(ranking) == [1, 1, 3]
    assert ranking.reasons[0] == Reason(1, 2, Criterion.LEVEL, None)
    assert ranking.reasons[0].zh == "完全相同"


def test_a_tie_away_from_the_line_needs_no_extra_hand():
    """C8.2: below the line the next criterion decides."""
    table = [player(1, 10), player(2, -5, won=1), player(3, -5, won=2)]
    ranking = rank_table(table, advance=1)
    assert keys(ranking) == [1, 3, 2]
    assert ranking.advancing == (1,)
    assert ranking.reasons[1] == Reason(3, 2, Criterion.HANDS_WON, (2, 1))


def test_a_tie_above_the_line_needs_no_extra_hand():
    table = [player(1, 5, won=1), player(2, 5, won=2), player(3, 0), player(4, -10)]
    ranking = rank_table(table, advance=2)
    assert ranking.advancing == (2, 1)
    assert ranking.open_ties == ()


def test_without_the_option_no_extra_hand_is_asked():
    """C8.1: 加赛 is an option."""
    table = [player(1, 5, won=1), player(2, 5, won=2), player(3, -10)]
    ranking = rank_table(table, advance=1, extra_option=False, extras=[extra(p1=1, p2=0)])
    assert ranking.advancing == (2,)
    assert ranking.unused == (0,)


def test_the_highest_delta_among_the_tied_wins_the_extra_hand():
    """C8.2: the filler won off player 2; player 1 with 0 is before him. Net 舵 stays as it was."""
    table = [player(1, 5), player(2, 5, won=9), player(3, -10)]
    ranking = rank_table(table, advance=1, extras=[extra(p1=0, p2=-4, f3=4)])
    assert keys(ranking) == [1, 2, 3]
    assert ranking.advancing == (1,)
    assert ranking.reasons == (
        Reason(1, 2, Criterion.EXTRA, (0, -4)),
        Reason(2, 3, Criterion.NET, (5, -10)),
    )
    assert ranking.reasons[0].zh == "加赛 0 对 -4"
    assert ranking.unused == ()


@pytest.mark.parametrize(
    "level", [extra(p1=0, p2=0, f3=0), extra(p1=-2, p2=-2, f3=4), extra(p1=3, p2=3, f3=-6)]
)
def test_a_draw_or_level_again_asks_for_one_more_at_most_three(level):
    """C8.2: then the next criterion decides."""
    table = [player(1, 5, won=3), player(2, 5, won=4), player(3, -10)]
    for played in range(3):
        ranking = rank_table(table, advance=1, extras=[level] * played)
        assert ranking.open_ties == (OpenTie((1,), (1, 2), (3,), hand=played + 1),)
    ranking = rank_table(table, advance=1, extras=[level] * 3)
    assert ranking.advancing == (2,)
    assert ranking.reasons[0] == Reason(2, 1, Criterion.HANDS_WON, (4, 3))


def test_a_later_extra_hand_decides():
    table = [player(1, 5), player(2, 5), player(3, -10)]
    extras = [extra(p1=0, p2=0, f3=0), extra(p1=-3, p2=6, f3=-3)]
    ranking = rank_table(table, advance=1, extras=extras)
    assert ranking.advancing == (2,)
    assert ranking.reasons[0] == Reason(2, 1, Criterion.EXTRA, (6, -3))


def test_three_tied_for_one_place_are_decided_by_one_winner():
    """C8.2: the others are below the line, there the next criterion decides, not the extra hand."""
    table = [player(1, 0, won=4), player(2, 0, won=1), player(3, 0, won=2)]
    ranking = rank_table(table, advance=1, extras=[extra(p1=-5, p2=5, p3=0)])
    assert ranking.advancing == (2,)
    assert keys(ranking) == [2, 1, 3]
    assert [reason.criterion for reason in ranking.reasons] == [
        Criterion.EXTRA,
        Criterion.HANDS_WON,
    ]


def test_of_three_tied_only_those_level_at_the_top_play_again():
    """C8.2: two winners of one hand; the third has lost his chance."""
    table = [player(1, 0), player(2, 0), player(3, 0)]
    first = extra(p1=3, p2=3, p3=-6)
    ranking = rank_table(table, advance=1, extras=[first])
    assert ranking.open_ties == (OpenTie((1,), (1, 2), (3,), hand=2),)
    ranking = rank_table(table, advance=1, extras=[first, extra(p1=-1, p2=2, f3=-1)])
    assert keys(ranking) == [2, 1, 3]
    assert ranking.reasons[1] == Reason(1, 3, Criterion.EXTRA, (3, -6))


def test_three_tied_for_two_places_play_on_for_the_second():
    """C8.2 with two of four advancing: the winner is through, the others play for the line."""
    table = [player(1, 0), player(2, 0), player(3, 0), player(4, 0, forfeit=True)]
    first = extra(p1=6, p2=-3, p3=-3, f4=0)
    ranking = rank_table(table, advance=2, extras=[first])
    assert ranking.open_ties == (OpenTie((2,), (2, 3), (1, 4), hand=1),)
    assert ranking.advancing == ()
    ranking = rank_table(table, advance=2, extras=[first, extra(f1=0, p2=4, p3=-4)])
    assert ranking.advancing == (1, 2)


def test_two_winners_of_an_extra_hand_for_two_places_are_both_through():
    table = [
        player(1, 0, won=1),
        player(2, 0, won=2),
        player(3, 0, won=9),
        player(4, 0, forfeit=True),
    ]
    ranking = rank_table(table, advance=2, extras=[extra(p1=2, p2=2, p3=-4)])
    assert ranking.advancing == (2, 1)
    assert ranking.open_ties == ()


def test_prizes_of_a_final_are_lines_too():
    """C8.2: second and third prize; the champion stands meanwhile."""
    table = [player(1, 8), player(2, -4, won=3), player(3, -4, won=4)]
    ranking = rank_table(table, advance=1, prizes=(1, 2, 3))
    assert ranking.advancing == (1,)
    assert ranking.open_ties == (OpenTie((2,), (2, 3), (1,), hand=1),)
    ranking = rank_table(table, advance=1, prizes=(1, 2, 3), extras=[extra(p2=1, p3=0)])
    assert keys(ranking) == [1, 2, 3]


def test_an_extra_hand_of_a_tie_that_is_gone_is_not_used():
    """C8.2, C9.1: a correction parted the two; the hand stays and decides nothing."""
    table = [player(1, 5), player(2, 4), player(3, -9)]
    ranking = rank_table(table, advance=1, extras=[extra(p1=-3, p2=3)])
    assert ranking.advancing == (1,)
    assert ranking.unused == (0,)


def test_level_in_everything_at_the_line_is_for_the_chief_referee():
    """C8.6: late entrants without a lot may stay level after three extra hands."""
    table = [Player(1, 5), Player(2, 5), Player(3, -10)]
    ranking = rank_table(table, advance=1, extras=[extra(p1=0, p2=0)] * 3)
    assert ranking.open_ties == (OpenTie((1,), (1, 2), (3,), hand=None),)
    assert ranking.advancing == ()
    assert ranking.skipped == (
        Criterion.HANDS_WON,
        Criterion.DISCARDS,
        Criterion.PRELIM,
        Criterion.LOT,
    )


def test_level_in_everything_away_from_the_line_shares_the_place():
    table = [Player(1, 10), Player(2, -5), Player(3, -5)]
    ranking = rank_table(table, advance=1)
    assert places(ranking) == [1, 2, 2]
    assert ranking.open_ties == ()
    assert ranking.reasons[1] == Reason(2, 3, Criterion.LEVEL, None)


def test_a_filler_has_no_place_and_cannot_advance():
    """C1.3: the entrant ranked behind him advances in his stead."""
    table = [Player(9, 20, filler=True), player(1, -5), player(2, -15)]
    ranking = rank_table(table, advance=1)
    assert ranking.rows == (
        Row(9, None, 1, False),
        Row(1, 1, 2, True),
        Row(2, 2, 3, False),
    )
    assert ranking.reasons == (Reason(1, 2, Criterion.NET, (-5, -15)),)


def test_a_filler_level_with_an_entrant_stands_behind_him_and_ties_nobody():
    table = [Player(9, 5, filler=True), player(1, 5), player(2, -10)]
    ranking = rank_table(table, advance=1)
    assert keys(ranking) == [1, 9, 2]
    assert ranking.advancing == (1,)
    assert ranking.open_ties == ()


def test_a_filler_sits_in_at_an_extra_hand():
    table = [player(1, 5), player(2, 5), Player(9, -10, filler=True)]
    (tie,) = rank_table(table, advance=1).open_ties
    assert (tie.keys, tie.fillers) == ((1, 2), (9,))


def test_who_forfeits_ranks_last_and_does_not_advance():
    """C9.3: whatever his net; no extra hand is played for his sake."""
    table = [player(1, 30, forfeit=True), player(2, -10), player(3, -20)]
    ranking = rank_table(table, advance=1)
    assert keys(ranking) == [2, 3, 1]
    assert ranking.advancing == (2,)
    assert ranking.reasons[1] == Reason(3, 1, Criterion.FORFEIT, None)
    assert ranking.reasons[1].zh == "弃权或退赛，列最后"
    assert ranking.reasons[1].en == "forfeited or withdrew, ranks last"


def test_forfeits_alone_leave_the_place_empty():
    table = [
        player(1, 5, forfeit=True, lot=3),
        player(2, 5, forfeit=True, lot=1),
        player(3, 7, forfeit=True),
        Player(9, 0, filler=True),
    ]
    ranking = rank_table(table, advance=1)
    assert keys(ranking) == [9, 3, 2, 1]
    assert ranking.advancing == ()
    assert ranking.open_ties == ()


def test_more_may_advance_than_are_left():
    table = [player(1, 5), player(2, -5, forfeit=True), Player(9, 0, filler=True)]
    assert rank_table(table, advance=2).advancing == (1,)
