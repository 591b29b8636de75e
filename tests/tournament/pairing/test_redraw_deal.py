"""The draw of one round of `redraw`: even tables, units apart, redrawn from its JSON (C3.2, C4)."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.tournament.pairing.samples import lines_of, random_lines
from tests.tournament.pairing.test_document import resealed
from tests.tournament.pairing.test_standalone import verify_draw
from tournament.pairing.document import Drawn, draw, dump, verify
from tournament.pairing.errors import PairingError
from tournament.pairing.freeze import Line, freeze
from tournament.pairing.kinds import Redraw
from tournament.pairing.plan import SeatKind


def redraw(lines: list[Line], terms: Redraw, **more: object) -> Drawn:
    frozen = freeze(lines, terms, secret=bytes(range(32)), **more)  # type: ignore[arg-type]
    return draw(frozen, "三 六 九")


@pytest.mark.parametrize(
    ("n", "sizes", "fillers"),
    [(4, [2, 2], 2), (5, [3, 2], 1), (28, [3] * 8 + [2] * 2, 2), (3, [3], 0)],
)
def test_tables_are_even_and_short_ones_filled(n: int, sizes: list[int], fillers: int) -> None:
    dealt = redraw(lines_of([""] * n), Redraw(round=2)).deal
    (round_,) = dealt.rounds
    assert round_.number == 2
    assert [table.players for table in round_.tables] == sizes
    kinds = Counter(seat.kind for table in round_.tables for seat in table.seats)
    assert kinds == Counter({SeatKind.ENTRANT: n, SeatKind.FILLER: fillers}) - Counter()
    assert sorted(dealt.places()) == list(range(1, n + 1))


def test_units_and_seeds_sit_apart() -> None:
    """C4.4: four of a unit at four tables, the seeds too."""
    units = ["漓江"] * 4 + [""] * 8
    dealt = redraw(lines_of(units, {5: 1, 6: 2, 7: 3, 8: 4}), Redraw()).deal
    places = dealt.places()
    for group in ((1, 2, 3, 4), (5, 6, 7, 8)):
        assert len({places[number][1] for number in group}) == 4
    assert dealt.together == ()


@pytest.mark.parametrize(
    ("size", "advance", "number"),
    [(2, 1, 3), (3, 1, 1), (3, 1, 4), (3, 2, 1), (4, 1, 4), (4, 2, 2)],
)
def test_document_redraws_and_the_script_agrees(size: int, advance: int, number: int) -> None:
    for n in (2, 3, 4, 7, 10, 28, 50):
        if (size, advance) == (3, 2) and n < 7:
            continue
        rng = random.Random(f"{n} {size} {advance}")
        lines = random_lines(n, rng)
        numbers = [line.number for line in lines]
        apart = [rng.sample(numbers, 2)]
        document = redraw(lines, Redraw(size, advance, number), apart=apart).document
        assert verify(dump(document)) == []
        assert list(verify_draw.check(document)) == []


def test_changed_table_is_found() -> None:
    document = redraw(lines_of([""] * 9), Redraw(round=2)).document
    seats = document["result"]["rounds"][0][1]["seats"]  # type: ignore[index]
    seats[0], seats[1] = seats[1], seats[0]
    assert [fault.code for fault in verify(dump(resealed(document)))] == ["result"]
    assert "round 2, table 2" in "".join(verify_draw.check(resealed(document)))


@pytest.mark.parametrize("terms", [Redraw(3, 2, 2), Redraw(3, 3), Redraw(2, 2), Redraw(3, 1, 0)])
def test_terms_that_cannot_be_are_refused(terms: Redraw) -> None:
    with pytest.raises(PairingError):
        redraw(lines_of([""] * 9), terms)


def test_two_go_on_in_the_first_round_of_seven_at_least() -> None:
    with pytest.raises(PairingError, match="at least seven"):
        redraw(lines_of([""] * 6), Redraw(3, 2))
    dealt = redraw(lines_of([""] * 7), Redraw(3, 2)).deal
    assert [table.advance for table in dealt.rounds[0].tables] == [2, 2, 2]


def test_pots_of_a_preliminary_meet_at_every_table() -> None:
    """C4.6: one of each third of the ranks at every table; redrawn by site and script."""
    ranks = (9, 1, 8, 2, 7, 3, 6, 4, 5)
    drawn = redraw(lines_of([""] * 9), Redraw(ranks=ranks))
    pot = {number: place // 3 for place, number in enumerate(ranks)}
    for table in drawn.deal.rounds[0].tables:
        assert sorted(pot[seat.entrant or 0] for seat in table.seats) == [0, 1, 2]
    assert verify(dump(drawn.document)) == []
    assert list(verify_draw.check(drawn.document)) == []
    with pytest.raises(PairingError, match="rank for everybody"):
        redraw(lines_of([""] * 9), Redraw(ranks=ranks[1:]))
