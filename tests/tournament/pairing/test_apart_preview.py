"""What the draw will keep apart, said before it: C1.4, C4.4. Never more than the deals keep."""

import hashlib
import random
import time
from collections import Counter

import pytest

from tests.tournament.pairing.samples import lines_of
from tournament.pairing.apart_preview import Member, apart_preview, met_in_trials
from tournament.pairing.deal import deal
from tournament.pairing.plan import Way, make_plan, ways
from tournament.pairing.words import WordStream

SEED = 20261205
PAIRS = [(3, 1), (2, 1), (4, 1), (4, 2)]


def preview(units, seeds=(), apart=(), **plan):
    people = [Member(i, unit, i in seeds) for i, unit in enumerate(units, 1)]
    return apart_preview(make_plan(len(units), **plan), people, apart)


def together(plan, dealt):
    """Round → number → the zone of the round he sits in, as a table of that round."""
    above = {
        (round_.number - 1, seat.table): table.number
        for round_ in plan.rounds
        for table in round_.tables
        for seat in table.seats
        if seat.table
    }
    zones = {round_.number: {} for round_ in plan.rounds}
    for number, (round_, table, _seat) in dealt.places().items():
        while table is not None:
            zones[round_][number] = table
            table, round_ = above.get((round_, table)), round_ + 1
    return zones


def most_in_deal(plan, dealt, numbers):
    """Round → the most of these numbers in one zone of the deal."""
    return {
        round_: max(Counter(zone[n] for n in numbers if n in zone).values(), default=0)
        for round_, zone in together(plan, dealt).items()
    }


def random_case(luck, n):
    """Units of many sizes, now and then seeds and further groups."""
    names = [f"单位{i}" for i in range(luck.randint(1, max(1, n // luck.randint(1, 6))))]
    units = [luck.choice([*names, "", ""]) for _ in range(n)]
    if luck.random() < 0.5:
        units = [name for name in units if name] or units
        units += [names[0]] * (n - len(units))
    numbers = range(1, n + 1)
    ranked = luck.sample(numbers, luck.choice([0, 0, 0, 1, 3, min(n, 9), n // 3]) if n > 3 else 0)
    seeds = {number: rank for rank, number in enumerate(ranked, 1)}
    families = luck.choice([0, 0, 1, 2])
    apart = [luck.sample(numbers, min(n, luck.randint(2, 4))) for _ in range(families)]
    return units, seeds, apart


@pytest.mark.parametrize(("table_size", "advance"), PAIRS)
def test_no_deal_brings_more_together_than_the_preview_says(table_size, advance):
    """C4.4: `most` is never exceeded and `fewest` always reached, whatever the words."""
    luck = random.Random(f"{SEED} {table_size} {advance}")
    print(f"seed {SEED} {table_size} {advance}")  # noqa: T201
    for case in range(40):
        n = luck.choice([luck.randint(2, 30), luck.randint(20, 130)])
        way = luck.choice(ways(n, table_size, advance))
        plan = make_plan(n, table_size, advance, way)
        units, seeds, apart = random_case(luck, n)
        people = [Member(i, unit, i in seeds) for i, unit in enumerate(units, 1)]
        groups = apart_preview(plan, people, apart)
        for deal_number in range(4):
            words = WordStream(hashlib.sha256(f"{case} {deal_number}".encode()).digest())
            dealt = deal(plan, lines_of(units, seeds), apart, words)
            for group in groups:
                found = most_in_deal(plan, dealt, group.numbers)
                for one in group.rounds:
                    told = (case, n, way, group, one, found[one.round], seeds, apart)
                    assert one.fewest <= one.most, told
                    assert found[one.round] <= one.most, told
                    assert one.round > 1 or one.fewest == 1 or found[1] >= one.fewest, told


def test_seven_of_a_unit_at_nine_tables_do_not_meet_in_the_first_round():
    """27 entrants, the unit of seven dealt first: apart at the tables, three in a zone of nine."""
    (unit,) = preview(["象山队"] * 7 + [""] * 20)
    assert [(one.round, one.tables, one.most, one.fewest) for one in unit.rounds] == [
        (1, 9, 1, 1),
        (2, 3, 3, 3),
        (3, 1, 7, 7),
    ]
    assert (unit.apart_for, unit.could_be_apart_for) == (1, 1)
    assert [one.at_a_table for one in unit.rounds] == [1, 3, 3]


def test_three_of_a_unit_meet_in_the_final_at_the_earliest():
    (unit,) = preview(["象山队"] * 3 + [""] * 24)
    assert unit.apart_for == 2


def test_more_of_a_unit_than_tables_share_one():
    """Eleven at nine tables: two of them sit together whatever is thrown."""
    (unit,) = preview(["象山队"] * 11 + [""] * 16)
    assert (unit.rounds[0].most, unit.rounds[0].fewest) == (2, 2)
    assert (unit.apart_for, unit.could_be_apart_for) == (0, 0)


def test_nine_units_of_three_at_27_are_all_promised_the_first_two_rounds():
    """C4.4: also the unit that is dealt last."""
    groups = preview([f"单位{i % 9}" for i in range(27)])
    assert [group.apart_for for group in groups] == [2] * 9


def test_unit_with_a_bye_counts_the_byes_as_places():
    """Seven entrants: one bye, two tables; three of a unit need not meet."""
    (unit,) = preview(["象山队"] * 3 + [""] * 4, way=Way.BYES)
    assert (unit.rounds[0].most, unit.rounds[0].fewest) == (1, 1)


def test_seeds_of_one_unit_are_not_promised_apart_beyond_what_seeding_does():
    """Four seeds of one unit at nine: two of them are in one zone, two at one table perhaps."""
    (unit,) = preview(["象山队"] * 4 + [""] * 5, seeds={1, 2, 3, 4})
    assert unit.rounds[0].most == 2


def test_further_group_is_promised_nothing_but_told_what_is_possible():
    """C1.4: a family is dealt piecemeal with its units."""
    (family,) = preview([""] * 9, apart=[[1, 2]])
    assert (family.unit, family.apart, family.numbers) == ("", 1, (1, 2))
    assert (family.apart_for, family.could_be_apart_for) == (0, 1)


def test_units_of_one_and_groups_of_one_are_not_listed():
    assert preview(["甲", "乙", ""], apart=[[2], [2, 2]]) == ()


def test_a_large_list_is_previewed_in_two_seconds():
    start = time.process_time()
    groups = preview([f"单位{i % 300}" for i in range(2187)], seeds=range(1, 28))
    assert len(groups) == 300
    assert time.process_time() - start < 2


def test_trials_say_how_likely_it_is_where_nothing_is_certain():
    """Five seeds at nine may leave two of 乙 no choice: C4.4 gives seeds their places first."""
    units = ["甲", "", "", "", "", "甲", "甲", "乙", "乙"]
    plan = make_plan(9)
    lines = lines_of(units, {n: n for n in range(1, 6)})
    groups = preview(units, seeds=range(1, 6))
    assert {group.unit: group.apart_for for group in groups} == {"甲": 0, "乙": 0}
    met = met_in_trials(plan, lines, [], 50)
    assert met == met_in_trials(plan, lines, [], 50)
    assert 0 < met["乙", 0] < 50


def test_trials_find_nobody_together_whom_the_preview_promises():
    units = [f"单位{i % 9}" for i in range(27)]
    assert met_in_trials(make_plan(27), lines_of(units), [], 20) == {}
