"""The other kinds of draw: a preliminary's columns and a knock-out's pots (C4.5, C4.6, C5.3)."""

import json
import random
from collections import Counter
from itertools import combinations

import pytest

from tests.tournament.pairing.samples import lines_of, random_lines
from tests.tournament.pairing.test_document import changes, resealed
from tests.tournament.pairing.test_standalone import verify_draw
from tournament.pairing.document import draw, dump, verify
from tournament.pairing.errors import PairingError
from tournament.pairing.freeze import freeze
from tournament.pairing.kinds import Pots, Preliminary, terms_of
from tournament.pairing.rotation import column_of, rotation, rounds_possible


def preliminary(lines, rounds, steady=(), apart=(), words="三 六 九"):
    frozen = freeze(lines, Preliminary(rounds, tuple(steady)), secret=bytes(range(32)), apart=apart)
    return draw(frozen, words, {"competition": "测试赛", "draw": 1})


def knockout(lines, ranks, size=3, advance=1, words="三 六 九"):
    frozen = freeze(lines, Pots(size, advance, None, tuple(ranks)), secret=bytes(range(32)))
    return draw(frozen, words)


def at_tables(deal, round_number=1):
    return [
        {seat.entrant for seat in table.seats if seat.entrant is not None}
        for table in deal.rounds[round_number - 1].tables
    ]


def columns_of(deal):
    """Entrant's number → column."""
    return {
        number: column_of(place)
        for place, number in enumerate(deal.columns.places, 1)
        if number is not None
    }


@pytest.mark.parametrize("n", [6, 7, 8, 9, 12, 13, 14, 15, 50])
def test_a_preliminary_seats_everybody_in_all_rounds_by_the_rotation(n):
    """C5.1, C5.2: who has number k sits where the rotation says."""
    found = rotation(n, min(4, rounds_possible(n)))
    deal = preliminary(lines_of([""] * n), len(found.rounds)).deal
    places = deal.columns.places
    for round_, tables in zip(deal.rounds, found.rounds, strict=True):
        for table, numbers in zip(round_.tables, tables, strict=True):
            assert [seat.entrant for seat in table.seats] == [places[k - 1] for k in numbers]
            assert table.advance == 0
        assert sorted(number for here in at_tables(deal, round_.number) for number in here) == list(
            range(1, n + 1)
        )


def test_a_unit_sits_in_one_column_and_never_meets_itself():
    """C5.3: seventeen tables; units of 12, 10, 9, 8 and 7 and four without."""
    units = [
        unit
        for unit, size in zip("甲乙丙丁戊", (12, 10, 9, 8, 7), strict=True)
        for _ in range(size)
    ]
    for words in ("红", "黑", "黄"):
        drawn = preliminary(lines_of([*units, "", "", "", ""]), 6, words=words)
        column = columns_of(drawn.deal)
        for unit in "甲乙丙丁戊":
            assert len({column[k] for k, of in enumerate(units, 1) if of == unit}) == 1
        assert drawn.document["log"]["split"] == []
        assert drawn.document["log"]["together"] == []


def test_a_unit_that_no_column_holds_is_split_and_the_log_says_so():
    """C5.3: seven of one unit at five tables."""
    drawn = preliminary(lines_of(["甲"] * 7 + ["乙"] * 5 + [""] * 3), 3)
    column = columns_of(drawn.deal)
    (split,) = drawn.document["log"]["split"]
    assert split["unit"] == "甲"
    assert sorted(map(len, split["columns"].values())) == [2, 5]
    for name, numbers in split["columns"].items():
        assert {column[number] for number in numbers} == {name}
    assert len({column[number] for number in range(8, 13)}) == 1
    (said,) = drawn.deal.columns.split
    assert said.zh.startswith("“甲”一列坐不下：")
    assert "did not fit one column" in said.en


@pytest.mark.parametrize(("n", "rounds"), [(12, 4), (15, 3), (50, 6)])
def test_who_cannot_walk_keeps_his_table(n, rounds):
    """C5.3: column A."""
    steady = [2, 5, n]
    drawn = preliminary(lines_of(["甲队"] * n), rounds, steady)
    column = columns_of(drawn.deal)
    for number in steady:
        assert column[number] == "A"
        where = {
            table
            for round_number in range(1, rounds + 1)
            for table, numbers in enumerate(at_tables(drawn.deal, round_number))
            if number in numbers
        }
        assert len(where) == 1
    assert drawn.document["log"]["walks"] == []


def test_more_who_cannot_walk_than_tables_change_least_and_the_log_says_who():
    """C5.3: in the plan of nine only number 1 keeps a table."""
    drawn = preliminary(lines_of([""] * 9), 4, [3, 4])
    assert len(drawn.document["log"]["walks"]) == 1
    assert set(drawn.document["log"]["walks"]) < {3, 4}
    assert drawn.document["plan"]["steady"] == [3, 4]


def test_a_family_is_put_in_one_column_too():
    """C1.4: a further group counts where a column is chosen."""
    drawn = preliminary(lines_of([""] * 15), 5, apart=[[1, 9], [4, 5]])
    column = columns_of(drawn.deal)
    assert column[1] == column[9]
    assert column[4] == column[5]
    assert drawn.document["log"]["together"] == []


@pytest.mark.parametrize(
    ("n", "size", "advance"),
    [(3, 3, 1), (9, 3, 1), (27, 3, 1), (16, 4, 1), (16, 4, 2), (8, 2, 1), (81, 3, 1)],
)
def test_a_table_has_one_of_each_pot(n, size, advance):
    """C4.6."""
    rng = random.Random(f"pots {n}")
    lines = random_lines(n, rng)
    ranks = [line.number for line in lines]
    rng.shuffle(ranks)
    drawn = knockout(lines, ranks, size, advance)
    pots = [set(ranks[k * n // size : (k + 1) * n // size]) for k in range(size)]
    for numbers in at_tables(drawn.deal):
        assert [len(numbers & pot) for pot in pots] == [1] * size
    assert verify(dump(drawn.document)) == []


def test_pots_keep_a_unit_apart_where_they_can():
    """C4.4 within C4.6: three of one unit, each in another pot, at three tables."""
    units = ["甲", "乙", "丙", "甲", "乙", "丙", "甲", "乙", "丙"]
    for words in ("红", "黑", "黄", "蓝"):
        drawn = knockout(lines_of(units), range(1, 10), words=words)
        assert drawn.document["log"]["together"] == []


def test_pots_of_a_field_that_is_not_clean_are_even_and_byes_go_to_the_first():
    """C3.5, C4.6: two have left after the preliminary; of seven one has a bye."""
    drawn = knockout(lines_of([""] * 7), [7, 6, 5, 4, 3, 2, 1])
    assert drawn.document["plan"]["way"] == "byes"
    seated = {
        seat.entrant
        for table in drawn.deal.rounds[1].tables
        for seat in table.seats
        if seat.entrant is not None
    }
    assert len(seated) == 1
    assert seated < {7, 6, 5}
    assert verify(dump(drawn.document)) == []
    assert list(verify_draw.check(drawn.document)) == []


def samples():
    rng = random.Random("kinds")
    for n in (*range(6, 40), 50, 77, 100):
        lines = random_lines(n, rng)
        numbers = [line.number for line in lines]
        steady = rng.sample(numbers, rng.randint(0, 3))
        apart = [rng.sample(numbers, 3)] if n % 2 else []
        yield preliminary(
            lines, rng.randint(1, min(12, rounds_possible(n))), steady, apart
        ).document
        rng.shuffle(numbers)
        for size, advance in ((2, 1), (3, 1), (4, 1), (4, 2)):
            yield knockout(lines, numbers, size, advance).document


def test_all_kinds_redraw_on_the_site_and_by_the_script():
    """C4.5: two implementations draw alike."""
    kinds = Counter()
    for document in samples():
        kinds[document["plan"]["kind"]] += 1
        assert verify(dump(document)) == []
        assert list(verify_draw.check(json.loads(dump(document)))) == []
    assert kinds == {"rotation": 37, "pots": 148}


@pytest.mark.parametrize("kind", ["rotation", "pots"])
def test_every_single_change_is_found(kind):
    """C4.5: one value changed, dropped or added, also where the digest was made to fit."""
    lines = lines_of(["甲队", "甲队", "乙队", "", "", "丙队", "甲队"], {3: 1})
    document = (
        preliminary(lines, 3, [2], [[1, 5]]) if kind == "rotation" else knockout(lines, range(1, 8))
    ).document
    assert document["plan"]["kind"] == kind
    for path, changed in changes(document):
        assert verify(json.dumps(changed)), path
        if path and path[0] not in ("about", "digest"):
            assert verify(dump(resealed(changed))), path


def test_the_script_finds_one_changed_letter():
    document = preliminary(lines_of([""] * 12), 4).document
    table = document["result"]["rounds"][2][1]["seats"]
    table[0], table[1] = table[1], table[0]
    found = list(verify_draw.check(resealed(document)))
    assert any("round 3, table 2" in line for line in found)
    other = resealed(preliminary(lines_of([""] * 12), 4).document | {"words": "三 六 八"})
    assert any(line.startswith("seed") for line in verify_draw.check(other))


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        (Preliminary(3), "rotation-entrants"),
        (Pots(3, 1, None, (1, 2)), "pots-ranks"),
        (Pots(3, 1, None, (1, 2, 3, 4, 5, 5)), "pots-ranks"),
    ],
)
def test_terms_that_do_not_fit_say_why(terms, code):
    with pytest.raises(PairingError) as caught:
        freeze(lines_of([""] * 5), terms, secret=bytes(32))
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        (Preliminary(7), "rotation-rounds"),
        (Preliminary(0), "rotation-rounds"),
        (Preliminary(3, (99,)), "steady-number"),
    ],
)
def test_a_preliminary_that_cannot_be_says_why(terms, code):
    with pytest.raises(PairingError) as caught:
        freeze(lines_of([""] * 12), terms, secret=bytes(32))
    assert caught.value.code == code


def test_terms_are_read_as_they_were_published():
    for terms in (Preliminary(4, (1, 2)), Pots(3, 1, None, tuple(range(9, 0, -1)))):
        settled = (
            terms.settled(range(1, 10))
            if isinstance(terms, Preliminary)
            else terms.settled(list(range(1, 10)))
        )
        assert terms_of(settled.as_json(9)) == settled


def test_nobody_meets_twice():
    """C5.1: 50 entrants, six rounds."""
    deal = preliminary(lines_of([""] * 50), 6).deal
    met = Counter(
        pair
        for round_number in range(1, 7)
        for numbers in at_tables(deal, round_number)
        for pair in combinations(sorted(numbers), 2)
    )
    assert max(met.values()) == 1
