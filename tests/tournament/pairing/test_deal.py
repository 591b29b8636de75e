"""Dealing entrants into a plan: C4.4, C3.5, C8.1; every draw also checked by `checker.py`."""

import hashlib
import time
from collections import Counter

import pytest

from tests.tournament.pairing.checker import PAIRS, check_draw
from tests.tournament.pairing.samples import lines_of, random_draw
from tournament.pairing.deal import Together, deal
from tournament.pairing.document import draw, dump, verify
from tournament.pairing.freeze import freeze
from tournament.pairing.kinds import Fixed
from tournament.pairing.plan import SeatKind, Way, make_plan, ways
from tournament.pairing.words import WordStream


def stream(text):
    return WordStream(hashlib.sha256(text.encode()).digest())


def dealt(units, text="舵主", seeds=None, apart=(), **plan):
    return deal(make_plan(len(units), **plan), lines_of(units, seeds), apart, stream(text))


def zone_of(result, number, tables):
    """Which of the final's zones a first-round table belongs to, with `tables` of them in each."""
    round_, table, _ = result.places()[number]
    assert round_ == 1
    return (table - 1) // tables


@pytest.mark.parametrize(("table_size", "advance"), PAIRS)
@pytest.mark.parametrize("block", range(6))
def test_every_number_of_entrants_is_dealt_as_promised(table_size, advance, block):
    """C4.4 for every n to 300, both ways: random units, seeds and groups."""
    for n in range(max(2, block * 50 + 1), block * 50 + 51):
        for way in ways(n, table_size, advance):
            document = random_draw(n, table_size, advance, way, seed=f"deal {n}")
            check_draw(document, make_plan(n, table_size, advance, way))


@pytest.mark.parametrize("n", [730, 972, 1024, 1500, 2187])
def test_large_draws_are_dealt_as_promised(n):
    for way in ways(n):
        document = random_draw(n, 3, 1, way, seed=f"deal {n}")
        check_draw(document, make_plan(n, 3, 1, way))
        assert verify(dump(document)) == []


def test_2187_entrants_are_drawn_in_two_seconds():
    lines = lines_of([f"单位{i % 300}" for i in range(2187)], {n: n for n in range(1, 28)})
    frozen = freeze(lines, Fixed(), secret=bytes(32))
    start = time.process_time()
    draw(frozen, "三 六 九")
    assert time.process_time() - start < 2


def test_a_unit_as_large_as_the_tables_never_meets_itself():
    """C4.4: nine units of nine at 81: every table three units, every zone of 27 three of each."""
    units = [f"单位{number % 9}" for number in range(81)]
    result = dealt(units)
    assert result.together == ()
    (tables,) = [round_.tables for round_ in result.rounds[:1]]
    assert all(len({units[seat.entrant - 1] for seat in table.seats}) == 3 for table in tables)
    zones = Counter((units[number - 1], zone_of(result, number, 9)) for number in range(1, 82))
    assert set(zones.values()) == {3}
    assert len(zones) == 27


def test_largest_unit_is_spread_evenly_over_every_zone():
    """C4.4: fourteen of one unit at nine tables: one or two a table, four or five a zone."""
    result = dealt(["桂林"] * 14 + [""] * 13)
    tables = Counter(result.places()[number][1] for number in range(1, 15))
    zones = Counter(zone_of(result, number, 3) for number in range(1, 15))
    assert sorted(tables.values()) == [1, 1, 1, 1, 2, 2, 2, 2, 2]
    assert sorted(zones.values()) == [4, 5, 5]
    assert sorted(line.numbers for line in result.together) == sorted(
        tuple(n for n in range(1, 15) if result.places()[n][1] == table)
        for table, count in tables.items()
        if count == 2
    )


def test_log_says_who_could_not_be_kept_apart():
    """C4.4, C1.4: units and further groups, in both languages."""
    result = dealt(["桂林", "桂林", ""], apart=[[1, 3]])
    assert result.together == (
        Together(1, 1, "", 1, (1, 3)),
        Together(1, 1, "桂林", 0, (1, 2)),
    )
    family, unit = result.together
    assert family.zh == "第 1 轮第 1 桌：1、3 号同属第 1 回避组，未能分开。"
    assert family.en == "Round 1, table 1: nos. 1, 3, all of group 1, could not be kept apart."
    assert unit.zh == "第 1 轮第 1 桌：1、2 号同属“桂林”，未能分开。"
    assert unit.en == "Round 1, table 1: nos. 1, 2, all of 桂林, could not be kept apart."


def test_further_groups_are_kept_apart_like_units():
    """C1.4: a family from three units never shares a table, nor do the units."""
    for text in map(str, range(20)):
        units = [f"单位{number % 9}" for number in range(27)]
        assert dealt(units, text=text, apart=[[1, 2, 3]]).together == ()
        assert dealt([""] * 27, text=text, apart=[[1, 2, 3]]).together == ()


def test_seeds_fill_zones_and_sub_zones():
    """C4.4: seed 1 and the next two in three zones, nine seeds at nine tables."""
    for text in map(str, range(20)):
        result = dealt([""] * 27, text=text, seeds={n: n for n in range(1, 11)})
        assert {zone_of(result, number, 3) for number in (1, 2, 3)} == {0, 1, 2}
        assert {result.places()[number][1] for number in range(1, 10)} == set(range(1, 10))
        assert set(result.order[:1]) == {1}
        assert set(result.order[1:3]) == {2, 3}
        assert set(result.order[3:9]) == set(range(4, 10))
        assert result.order[9] == 10


def test_the_zones_of_the_next_seeds_are_drawn():
    """C4.4: each group in shuffled order: seed 4 is not always in the zone of the same seed."""
    met = set()
    for text in map(str, range(40)):
        result = dealt([""] * 27, text=text, seeds={n: n for n in range(1, 5)})
        zones = [zone_of(result, number, 3) for number in range(1, 5)]
        met.add(zones.index(zones[3]))
    assert met == {0, 1, 2}


def test_byes_go_to_the_best_seeds():
    """C3.5: 23 entrants have two byes; seeds 1 and 2 get them, in different zones."""
    plan = make_plan(23)
    assert plan.byes == 2
    for text in map(str, range(20)):
        result = dealt([""] * 23, text=text, seeds={n: n for n in range(1, 6)})
        places = result.places()
        assert [places[number][0] for number in range(1, 6)] == [2, 2, 1, 1, 1]
        assert places[1][1] != places[2][1]


def test_with_two_of_four_a_bye_goes_before_a_zone():
    """C3.5: 14 entrants at 4 to 2 have two byes, both at one table; seeds 1 and 2 get them."""
    plan = make_plan(14, 4, 2)
    assert plan.byes == 2
    result = dealt([""] * 14, seeds={1: 1, 2: 2, 3: 3}, table_size=4, advance=2)
    assert [result.places()[number][0] for number in (1, 2, 3)] == [2, 2, 1]


def test_a_group_that_is_not_full_is_spread_over_the_zones():
    """C4.4: of six sub-zones seeds 4 to 6 take one in each zone."""
    for text in map(str, range(20)):
        result = dealt([""] * 27, text=text, seeds={n: n for n in range(1, 7)})
        assert {zone_of(result, number, 3) for number in (4, 5, 6)} == {0, 1, 2}


def test_seeds_go_to_zones_still_empty_where_zones_differ():
    """C4.4: 13 entrants at 4 to 2: seeds 1 and 2 have byes, the three tables get one seed each."""
    for text in map(str, range(20)):
        seeds = {n: n for n in range(1, 6)}
        result = dealt([""] * 13, text=text, seeds=seeds, table_size=4, advance=2)
        assert {result.places()[number][:2] for number in (3, 4, 5)} == {(1, 1), (1, 2), (1, 3)}


def test_everybody_may_be_a_seed():
    result = dealt([""] * 28, seeds={n: n for n in range(1, 29)}, way=Way.BYES)
    assert len(result.places()) == 28
    assert {result.places()[n][0] for n in range(1, 27)} == {2}
    assert {result.places()[n][0] for n in (27, 28)} == {1}


def test_seats_of_every_table_are_shuffled():
    """C4.4: fillers and feeders too, so that no way into a table fixes the seat."""
    first, final = set(), set()
    for text in map(str, range(60)):
        result = dealt([""] * 4, text=text, way=Way.BYES)
        first.add(tuple(seat.kind for seat in result.rounds[0].tables[0].seats))
        final.add(tuple(seat.kind for seat in result.rounds[1].tables[0].seats))
    entrant, filler, feeder = SeatKind.ENTRANT, SeatKind.FILLER, SeatKind.FEEDER
    assert first == {
        (entrant, entrant, filler),
        (entrant, filler, entrant),
        (filler, entrant, entrant),
    }
    assert final == {
        (entrant, entrant, feeder),
        (entrant, feeder, entrant),
        (feeder, entrant, entrant),
    }


def test_lots_come_last_from_the_same_words():
    """C8.1: every entrant has one public lot, 1 is best."""
    result = dealt([""] * 9)
    assert sorted(result.lots) == sorted(result.lots.values()) == list(range(1, 10))
    assert dealt([""] * 9).lots == result.lots
    assert dealt([""] * 9, text="别的").lots != result.lots


def test_nobody_is_favoured():
    """Without units and seeds each of four entrants has the one short table equally often."""
    count = Counter()
    for text in map(str, range(600)):
        places = dealt([""] * 4, text=text, way=Way.BYES).places()
        count.update(number for number in places if places[number][0] == 1)
    assert sum(count.values()) == 1200
    assert all(250 < times < 350 for times in count.values()), count


def test_a_draw_pinned():
    """The order in which words are used may never change: published draws must redraw for ever."""
    units = ["甲队", "甲队", "乙队", "乙队", "", "甲队", "", "乙队", "丙队", "丙队"]
    result = dealt(units, seeds={5: 1, 9: 2}, apart=[[1, 7]], way=Way.BYES)
    assert result.order == PINNED_ORDER
    assert result.places() == PINNED_PLACES
    assert [number for number, _ in sorted(result.lots.items(), key=lambda x: x[1])] == PINNED_LOTS


PINNED_ORDER = (5, 9, 8, 4, 3, 1, 6, 2, 10, 7)
PINNED_PLACES = {
    1: (2, 3, 1),
    2: (2, 1, 2),
    3: (2, 2, 0),
    4: (2, 1, 0),
    5: (2, 2, 1),
    6: (2, 2, 2),
    7: (2, 3, 0),
    8: (1, 1, 2),
    9: (2, 1, 1),
    10: (1, 1, 1),
}
PINNED_LOTS = [8, 5, 3, 10, 6, 2, 1, 9, 7, 4]
