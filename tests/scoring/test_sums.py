"""The sums of a sheet, next dealers, and what the ranking gets (C6.5, C6.6, C2.3, C8.1)."""

from __future__ import annotations

from engine.rules import preset
from scoring.ranking import ExtraHand
from scoring.sums import (
    HandLine,
    PenaltyLine,
    SeatSum,
    Sitter,
    extras,
    next_dealer,
    players,
    running,
    sum_up,
)

RULES = preset("competition")


def line(number: int, *deltas: int, **fields: object) -> HandLine:
    return HandLine(number=number, deltas=deltas, **fields)  # type: ignore[arg-type]


def test_hands_penalties_and_deductions_balance() -> None:
    """C6.5: Σ net + Σ 扣罚 = 0."""
    hands = [
        line(1, 6, -6, 0, winners=(0,), payer=1),
        line(2, -4, -4, 8, winners=(2,)),
        line(3, 0, 0, 0, winners=()),
    ]
    penalties = [PenaltyLine(1, (1, -2, 1)), PenaltyLine(2, (0, 0, 0), deducted=3)]
    sums = sum_up(3, hands, penalties)
    assert sums.seats == (
        SeatSum(0, 3, 1, 0),
        SeatSum(1, -12, 0, 1),
        SeatSum(2, 6, 1, 0, deducted=3),
    )
    assert sums.played == 3
    assert sums.balance == 0


def test_ruling_takes_the_place_of_the_computed_points() -> None:
    """C6.6: also in hands won and 点炮."""
    ruled = line(1, 6, -6, 0, winners=(0,), payer=1, ruled=(0, -2, 2))
    assert sum_up(3, [ruled]).seats == (
        SeatSum(0, 0, 0, 0),
        SeatSum(1, -2, 0, 1),
        SeatSum(2, 2, 1, 0),
    )
    nothing = line(1, 6, -6, 0, winners=(0,), payer=1, ruled=(0, 0, 0))
    assert sum_up(3, [nothing]).seats[1] == SeatSum(1, 0, 0, 0)


def test_void_hands_and_extra_hands_count_for_nothing() -> None:
    """C6.2, C8.2."""
    hands = [
        line(1, 6, -6, 0, winners=(0,)),
        line(2, 0, 0, 0, is_void=True),
        line(3, -8, 4, 4, winners=(1,), among=frozenset({0, 1})),
    ]
    sums = sum_up(3, hands)
    assert [seat.net for seat in sums.seats] == [6, -6, 0]
    assert sums.played == 1
    assert running(3, hands) == [(6, -6, 0)] * 3
    assert extras(hands) == [ExtraHand(frozenset({0, 1}), {0: -8, 1: 4})]


def test_totals_of_several_hands_leave_wins_unknown() -> None:
    """C6.1, C8.1: who lacks data is not compared by it."""
    sums = sum_up(3, [line(1, 6, -6, 0, winners=(0,)), line(2, 2, -1, -1, hands=5)])
    assert sums.played == 6
    assert sums.seats[0] == SeatSum(0, 8, None, None)


def test_winner_deals_next_and_a_drawn_hand_keeps_the_dealer() -> None:
    """C2.3 `winner`, R9.5."""
    hands = [
        line(1, -2, 4, -2, winners=(1,), dealer=0),
        line(2, 0, 0, 0, winners=(), dealer=1),
    ]
    args = {"first": 0, "rotate": False, "seats": 3, "rules": RULES}
    assert next_dealer([], **args) == 0  # type: ignore[arg-type]
    assert next_dealer(hands[:1], **args) == 1  # type: ignore[arg-type]
    assert next_dealer(hands, **args) == 1  # type: ignore[arg-type]
    moving = {**args, "rules": preset("guangxi-app")}
    assert next_dealer(hands, **moving) == 2  # type: ignore[arg-type]


def test_dealer_after_totals_is_the_one_with_a_plus() -> None:
    args = {"first": 2, "rotate": False, "seats": 3, "rules": RULES}
    assert next_dealer([line(1, -2, 4, -2)], **args) == 1  # type: ignore[arg-type]
    assert next_dealer([line(1, 1, 1, -2)], **args) == 2  # type: ignore[arg-type]


def test_dealer_rotates_hand_by_hand() -> None:
    """C2.3 `rotate`: 轮庄, whoever wins; void hands do not move it."""
    hands = [
        line(1, -2, 4, -2, winners=(1,)),
        line(2, 0, 0, 0, is_void=True),
        line(3, 1, 1, -2, hands=3),
    ]
    assert next_dealer(hands, first=2, rotate=True, seats=3, rules=RULES) == 0
    assert next_dealer(hands[:1], first=2, rotate=True, seats=4, rules=RULES) == 3


def test_players_carry_what_ranks_them() -> None:
    """C8.1."""
    sums = sum_up(2, [line(1, 2, -2, winners=(0,), payer=1)])
    first, second = players(
        sums, [Sitter(0, lot=4, prelim=2), Sitter(1, filler=True, forfeit=False)]
    )
    assert (first.net, first.hands_won, first.discards) == (2, 1, 0)
    assert (first.lot, first.prelim, first.filler) == (4, 2, False)
    assert (second.net, second.discards, second.filler) == (-2, 1, True)
