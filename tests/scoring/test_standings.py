"""Standings of a knock-out and results across tables: C8.4, C8.5."""

from fractions import Fraction

from scoring.standings import (
    PRIZES,
    Finish,
    Prize,
    Standing,
    TablePlace,
    knockout_standings,
    rank_across_tables,
)


def summary(standings):
    return [(s.key, s.place, s.shared) for s in standings]


def test_round_then_place_then_net_a_hand():
    """C8.5: nine entrants, three tables, a final."""
    finishes = [
        Finish(1, 2, 1, 30, 24),
        Finish(2, 2, 3, -20, 24),
        Finish(3, 2, 2, -10, 24),
        Finish(4, 1, 2, 0, 12),
        Finish(5, 1, 2, 1, 12),
        Finish(6, 1, 2, 1, 10),
        Finish(7, 1, 3, -9, 12),
        Finish(8, 1, 3, -6, 8),
        Finish(9, 1, 3, -3, 4),
    ]
    assert summary(knockout_standings(finishes[::-1])) == [
        (1, 1, False),
        (3, 2, False),
        (2, 3, False),
        (6, 4, False),
        (5, 5, False),
        (4, 6, False),
        (9, 7, True),
        (8, 7, True),
        (7, 7, True),
    ]


def test_net_a_hand_is_compared_exactly():
    """C8.5: 1/3 and 3333333/10000000 are told apart; no floats."""
    finishes = [Finish(1, 1, 2, 3333333333333333, 10**16), Finish(2, 1, 2, 1, 3)]
    assert Fraction(3333333333333333, 10**16) < Fraction(1, 3)
    assert [s.key for s in knockout_standings(finishes)] == [2, 1]


def test_equals_share_a_place_below_the_third():
    """C8.5: 并列; the next place is left out. Within it the better lot is listed first."""
    top = [Finish(key, 2, key, 0, 24) for key in (1, 2, 3)]
    equal = [Finish(4, 1, 2, -3, 12, lot=9), Finish(5, 1, 2, -2, 8, lot=2)]
    last = [Finish(6, 1, 2, -4, 12, lot=1)]
    assert summary(knockout_standings(top + equal + last))[3:] == [
        (5, 4, True),
        (4, 4, True),
        (6, 6, False),
    ]


def test_a_third_place_is_not_shared():
    """C8.5: two semi-finalists of a two-player bracket, three level below them."""
    finishes = [
        Finish(1, 3, 1, 9, 12),
        Finish(2, 3, 2, -9, 12),
        Finish(3, 2, 2, -5, 12, lot=4),
        Finish(4, 2, 2, -5, 12, lot=3),
        Finish(5, 2, 2, -5, 12, lot=8),
    ]
    assert summary(knockout_standings(finishes))[2:] == [(4, 3, False), (3, 4, True), (5, 4, True)]
    assert summary(knockout_standings(finishes[:4]))[2:] == [(4, 3, False), (3, 4, False)]


def test_without_lots_equals_share_any_place():
    finishes = [Finish(1, 1, 2, 0, 12, lot=1), Finish(2, 1, 2, 0, 12)]
    assert summary(knockout_standings(finishes)) == [(1, 1, True), (2, 1, True)]


def test_who_is_still_in_comes_first_without_a_place():
    """C8.5 while the competition runs: places begin behind those still in."""
    finishes = [
        Finish(7, 1, 2, 5, 12),
        Finish(3, 2, None),
        Finish(2, 1, None),
        Finish(8, 1, 3, 0, 12),
    ]
    assert knockout_standings(finishes) == [
        Standing(3, None, False, None),
        Standing(2, None, False, None),
        Standing(7, 3, False, PRIZES[2]),
        Standing(8, 4, False, PRIZES[3]),
    ]


def test_a_table_without_hands_is_worse_than_any():
    finishes = [Finish(1, 1, 2, 0, 0), Finish(2, 1, 2, -40, 12)]
    assert [s.key for s in knockout_standings(finishes)] == [2, 1]


def test_prizes():
    """C8.5: 1–3 一二三等奖, 4–9 优秀奖, settable; who shares a place shares the prize."""
    finishes = [Finish(key, 20 - key, 2, 0, 12) for key in range(1, 12)]
    prizes = [s.prize.zh if s.prize else "" for s in knockout_standings(finishes)]
    assert prizes == ["一等奖", "二等奖", "三等奖", *["优秀奖"] * 6, "", ""]
    own = [Prize(1, 1, "冠军", "champion")]
    assert [s.prize for s in knockout_standings(finishes[:2], own)] == [own[0], None]


def test_across_tables_by_net_then_wins_then_discards_a_hand_then_lot():
    """C8.4: compared as fractions, tables having played different numbers of hands."""
    results = [
        TablePlace(1, 6, 12, 3, 2, 9),
        TablePlace(2, 5, 10, 3, 2, 8),
        TablePlace(3, 5, 10, 3, 1, 7),
        TablePlace(4, 6, 12, 3, 2, 1),
        TablePlace(5, 7, 12, 0, 9, 99),
    ]
    assert [r.key for r in rank_across_tables(results)] == [5, 3, 2, 4, 1]


def test_across_tables_a_criterion_somebody_tied_lacks_is_skipped():
    """C8.1: totals only at one table: wins and 点炮 are not asked of those level with it."""
    results = [
        TablePlace(1, 4, 8, 5, 0, 3),
        TablePlace(2, 6, 12, None, None, 1),
        TablePlace(3, 6, 12, 1, 9, 2),
    ]
    assert [r.key for r in rank_across_tables(results)] == [2, 3, 1]


def test_across_tables_the_order_given_is_the_last_word():
    results = [TablePlace(key, 1, 2) for key in (3, 1, 2)]
    assert rank_across_tables(results) == results
    assert rank_across_tables([]) == []
