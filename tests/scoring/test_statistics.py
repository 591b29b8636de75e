"""Records and a player's numbers from plain hands (C6.6, C8.2, C9.3)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from scoring.charts import Line, bar, line
from scoring.statistics import (
    Best,
    Fact,
    Kind,
    Sitting,
    events_of,
    numbers,
    records,
    tenths,
)
from scoring.sums import HandLine
from tests.scoring.records import texts


def won(table: int, number: int, deltas: tuple[int, ...], winner: int, **more: Any) -> Fact:
    ruled, payer = more.pop("ruled", None), more.pop("payer", None)
    hand = HandLine(number, deltas, (winner,), payer=payer, ruled=ruled)
    source = "discard" if payer is not None else "own-flip"
    return Fact(table, hand, **{"source": source, "hu": 15, "xing": 0, "total": 3, **more})


def drawn(table: int, number: int, **more: Any) -> Fact:
    return Fact(
        table, HandLine(number, (0, 0, 0), ()), source="draw", hu=0, xing=0, total=0, **more
    )


def totals(table: int, number: int, deltas: tuple[int, ...], hands: int) -> Fact:
    return Fact(table, HandLine(number, deltas, hands=hands))


def sat(*nets: int, table: int = 1, left: dict[int, int] | None = None) -> list[Sitting]:
    """Entrants 10, 11, 12 … of a table (20 … of the second), best net first in place."""
    order = sorted(nets, reverse=True)
    return [
        Sitting(table * 10 + p, table, p, net, order.index(net) + 1, (left or {}).get(p))
        for p, net in enumerate(nets)
    ]


FACTS = [
    won(1, 1, (-2, 4, -2), 1, hu=17, xing=2, total=2),
    won(1, 2, (-20, 40, -20), 1, hu=40, xing=9, total=20, ruled=(0, 4, -4)),
    won(1, 3, (30, -15, -15), 0, hu=21, xing=1, total=15),
    won(2, 1, (-3, 3, 0), 1, payer=0, hu=21, xing=2, total=3),
    drawn(2, 2),
]
SITTINGS = [*sat(28, -7, -21), *sat(-3, 3, 0, table=2)]


def test_records_name_who_holds_them_and_ties_beside_each_other() -> None:
    """The hand of 40 胡 was ruled on: no record, its points in the comeback (2 − 0 − 6 …)."""
    assert records(FACTS, SITTINGS) == {
        Kind.HU: (Best(21, 1, 3, (10,)), Best(21, 2, 1, (21,))),
        Kind.XING: (Best(2, 1, 1, (11,)), Best(2, 2, 1, (21,))),
        Kind.TOTAL: (Best(15, 1, 3, (10,)),),
        Kind.WON: (Best(2, 1, None, (11,)),),
        Kind.NET: (Best(28, 1, None, (10,)),),
        Kind.COMEBACK: (Best(10, 1, 2, (10,)),),
    }
    assert records([], []) == {}


def test_fillers_hands_and_tables_known_by_points_only_hold_no_record() -> None:
    """C9.3: from hand 3 on a filler plays for 甲; C8.1: hands won are unknown at table 2."""
    gone = sat(28, -7, -21, left={0: 3})
    found = records([*FACTS[:3], *FACTS[3:], totals(2, 3, (0, 0, 0), 4)], [*gone, SITTINGS[4]])
    assert found[Kind.HU] == (Best(21, 2, 1, (21,)),)
    assert found[Kind.TOTAL] == (Best(3, 2, 1, (21,)),)
    assert found[Kind.WON] == (Best(2, 1, None, (11,)),)
    assert found[Kind.NET] == (Best(3, 2, None, (21,)),)
    assert Kind.COMEBACK not in found


def test_longest_hand_is_found_by_its_events_not_by_its_text() -> None:
    """Keys that say nothing make a text longer and no hand; a ruled hand is no record."""
    few, many = sorted(texts(2), key=events_of)
    wordy = few.replace("\n\n", "".join(f"\nX-K{n}: a" for n in range(99)) + "\n\n", 1)
    assert (events_of(wordy), wordy.count("\n") > many.count("\n")) == (events_of(few), True)
    facts = [
        won(1, 1, (2, -1, -1), 0, record=wordy),
        won(1, 2, (2, -1, -1), 0, record=many),
        drawn(1, 3, record=many),
        won(1, 4, (2, -1, -1), 0, record=many, ruled=(0, 0, 0)),
    ]
    assert events_of(few) < events_of(many)
    assert records(facts, sat(4, -2, -2))[Kind.EVENTS] == (
        Best(events_of(many), 1, 2, (10,)),
        Best(events_of(many), 1, 3, ()),
    )


def test_numbers_of_a_player_over_two_tables() -> None:
    """甲 of table 1, then seat 1 of four at table 2, where hand 2 is played without him."""
    facts = [
        won(1, 1, (6, -3, -3), 0, hu=17, xing=2),
        won(1, 2, (-4, 4, 0), 1, payer=0),
        totals(1, 3, (5, -5, 0), 2),
        won(2, 1, (-4, 4, 0, 0), 1, payer=0, hu=20, xing=3, total=4),
        won(2, 2, (3, 0, -3, 0), 0, payer=2, out=1),
        won(2, 3, (0, -2, 2, 0), 2, payer=1, ruled=(2, -2, 0, 0)),
        won(2, 4, (-9, 9, 0, 0), 1, payer=0, hu=99),
    ]
    mine = [Sitting(7, 1, 0, 7, 1), Sitting(7, 2, 1, -3, 4, left=4)]
    found = numbers(facts, mine)
    assert (found.hands, found.unknown, found.known) == (6, 2, 4)
    assert (found.won, found.own_flips, found.discards) == (2, 1, 2)
    assert (found.mean_hu, found.mean_xing) == (Fraction(37, 2), Fraction(5, 2))
    assert found.best == Best(4, 2, 1, (7,))
    assert found.running == (6, 2, 7, 11, 9)
    assert found.ends == (3, 5)


def test_a_ruling_decides_who_has_won_and_who_discarded() -> None:
    """C6.6: 甲 was written down as the winner by 自摸; the ruling gives the hand to 乙."""
    facts = [won(1, 1, (6, -3, -3), 0, hu=17, ruled=(-3, 6, -3))]
    first, second = (numbers(facts, [Sitting(7, 1, seat, 0, 1)]) for seat in (0, 1))
    assert (first.won, first.own_flips, first.mean_hu, first.best) == (0, 0, None, None)
    assert (second.won, second.own_flips, second.mean_hu, second.best) == (1, 0, None, None)


def test_nobody_has_numbers_without_a_hand() -> None:
    assert numbers([], []).hands == 0
    assert numbers([], []).running == ()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(47, 3), "15.7"),
        (Fraction(0), "0.0"),
        (Fraction(1, 20), "0.1"),
        (Fraction(15), "15.0"),
    ],
)
def test_means_have_one_place(value: Fraction, text: str) -> None:
    assert tenths(value) == text


def test_line_of_a_running_net() -> None:
    assert line((6, 2, -3), (2, 3)) == Line("0,200 333,0 666,133 1000,300", 200, (666,), 6, -3, -3)
    assert line((0, 0)) == Line("0,0 500,0 1000,0", 0, (), 0, 0, 0)
    assert line(()) is None


def test_bars_are_parts_of_all() -> None:
    assert [bar(1, 3), bar(3, 3), bar(0, 0)] == [333, 1000, 0]
