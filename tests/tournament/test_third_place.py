"""At tables of two the losers before the final play for third place (C8.5, C9.1)."""

from __future__ import annotations

import pytest

from tests.tournament.competitions import Made, draw, make, out, play, play_out, results
from tournament.domain.draws import publish_draw
from tournament.domain.finality import finalize_round
from tournament.domain.formats import Format, set_format
from tournament.domain.reopening import reopen_table
from tournament.domain.results import SeatResult
from tournament.domain.starting import NotReady, start_table
from tournament.domain.tables import Depends, correct_table, effects_of
from tournament.enums import EntrantStatus, State
from tournament.models import Round, Seat, Table
from tournament.queries.organizer import overview

pytestmark = pytest.mark.django_db

TWO = Format(table_size=2, third_table=True)


def make_two(entrants: int) -> Made:
    made = make(entrants)
    set_format(acting=made.owner, stage=made.stage, wanted=TWO, entrants=entrants)
    made.stage.refresh_from_db()
    draw(made)
    publish_draw(acting=made.owner, stage=made.stage)
    return made


def last(made: Made) -> Round:
    return made.stage.rounds.get(is_last=True)


def third(made: Made) -> Table:
    return last(made).tables.get(is_third=True)


def who(table: Table) -> list[int | None]:
    return list(table.seats.order_by("position").values_list("entrant", flat=True))


def placed(table: Table) -> dict[int | None, int | None]:
    return dict(table.seats.values_list("entrant", "place"))


def mirrored(table: Table) -> list[SeatResult]:
    """The other one has won."""
    return [
        SeatResult(seat.position, 3 - (seat.place or 0), seat.place == 2 and not table.is_third)
        for seat in table.seats.order_by("position")
    ]


@pytest.mark.parametrize("entrants", [4, 5, 8, 12])
def test_whole_competition_has_one_champion_and_a_third_place(entrants: int) -> None:
    """C3.4: n − 1 are eliminated, who has come third too."""
    made = make_two(entrants)
    champion = play_out(made)
    assert out(made) == entrants - 1
    final = last(made).tables.get(is_third=False)
    sat = {pk for table in (final, third(made)) for pk in who(table)}
    assert len(sat) == 4
    assert overview(made.stage).champion == made.event.entrants.get(status=EntrantStatus.IN)
    assert champion is None, "the table for third place, played last, makes no champion"
    assert last(made).state == State.CONFIRMED
    assert sorted(placed(third(made)).values()) == [1, 2]
    assert not third(made).seats.filter(advances=True).exists()


@pytest.mark.parametrize("entrants", [2, 3])
def test_without_two_losers_there_is_none(entrants: int) -> None:
    made = make_two(entrants)
    assert not Table.objects.filter(is_third=True).exists()
    play_out(made)
    assert out(made) == entrants - 1


def test_loser_sits_again_and_is_still_in() -> None:
    made = make_two(4)
    first, second = made.tables(1)
    with pytest.raises(NotReady, match="第 1、2 桌"):
        start_table(acting=made.owner, table=third(made))
    play(made, first)
    play(made, second)
    losers = [who(table)[1] for table in (first, second)]
    assert who(third(made)) == losers
    assert made.event.entrants.filter(status=EntrantStatus.IN).count() == 4

    play(made, third(made))
    assert made.event.entrants.filter(status=EntrantStatus.IN).count() == 2
    assert last(made).state != State.CONFIRMED, "the final is still to be played"
    assert [table.state for table in made.tables(1)] == [State.FINAL] * 2
    play(made, last(made).tables.get(is_third=False))
    assert last(made).state == State.CONFIRMED
    finals = finalize_round(acting=made.owner, round_=last(made))
    assert len(finals) == 2


def test_correction_swaps_at_both_tables() -> None:
    """C9.1: the loser takes the seat in the final, the former winner that for third place."""
    made = make_two(4)
    first, second = made.tables(1)
    play(made, first)
    play(made, second)
    winner, loser = who(first)
    other = mirrored(first)
    found = effects_of(first, other)
    assert [(move.feed.entrant_id, move.after) for move in found.moves] == [
        (winner, loser),
        (loser, winner),
    ]
    correct_table(acting=made.owner, table=first, results=other)
    assert loser in who(last(made).tables.get(is_third=False))
    assert winner in who(third(made))
    assert made.event.entrants.filter(status=EntrantStatus.IN).count() == 4


def test_correction_after_third_place_was_played_asks_the_chief() -> None:
    made = make_two(4)
    first, second = made.tables(1)
    play(made, first)
    play(made, second)
    play(made, third(made))
    other = mirrored(first)
    with pytest.raises(Depends):
        correct_table(acting=made.owner, table=first, results=other)
    sat = who(last(made).tables.get(is_third=False))
    correct_table(acting=made.owner, table=first, results=other, as_played=True)
    assert who(last(made).tables.get(is_third=False)) == sat


def test_confirmation_is_taken_back_from_both_tables() -> None:
    """C9.5."""
    made = make_two(4)
    first, second = made.tables(1)
    play(made, first)
    play(made, second)
    reopen_table(acting=made.owner, table=first)
    gone = set(who(first))
    assert not Seat.objects.filter(round=last(made), entrant__in=gone).exists()
    assert results(first)


def test_correction_of_third_place_makes_no_champion() -> None:
    made = make_two(4)
    play_out(made)
    before = placed(third(made))
    found = correct_table(acting=made.owner, table=third(made), results=mirrored(third(made)))
    assert found.champion is None
    assert placed(third(made)) == {pk: 3 - (place or 0) for pk, place in before.items()}
    assert made.event.entrants.filter(status=EntrantStatus.IN).count() == 1
