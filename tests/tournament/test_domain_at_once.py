"""Several people at the same instant, on whichever database the tests run."""

from __future__ import annotations

import pytest

from core.errors import Conflict
from tests.concurrency import at_once
from tests.tournament.competitions import make, make_published, results
from tournament.domain.draws import enter_words, freeze_draw
from tournament.domain.entries import add_entry, withdraw_before_draw
from tournament.domain.starting import Started, start_table
from tournament.domain.tables import Finished, finish_table
from tournament.enums import EntrantStatus, State
from tournament.models import Draw, Entry, Seat

pytestmark = pytest.mark.django_db(transaction=True)


def test_words_entered_twice_at_once_are_one_draw() -> None:
    """C4.2: entering the words is the draw; who comes second is told so."""
    made = make(9)
    frozen = freeze_draw(acting=made.owner, stage=made.stage)
    answers = at_once(4, lambda i: enter_words(acting=made.owner, draw=frozen, words=f"红{i}"))
    drawn = [answer for answer in answers if isinstance(answer, Draw)]
    assert len(drawn) == 1
    assert all(isinstance(answer, Draw | Conflict) for answer in answers)
    assert Seat.objects.filter(round__number=1).count() == 9
    assert Draw.objects.get().words == drawn[0].words


def test_all_tables_of_a_round_start_and_end_at_once() -> None:
    """C7.1: the seats of the final are filled whoever is last."""
    made = make_published(9)
    tables = made.tables(1)
    started = at_once(3, lambda i: start_table(acting=made.owner, table=tables[i]))
    assert all(isinstance(answer, Started) for answer in started)
    wanted = [results(table) for table in tables]
    ended = at_once(
        3, lambda i: finish_table(acting=made.owner, table=tables[i], results=wanted[i])
    )
    assert all(isinstance(answer, Finished) for answer in ended)
    assert Seat.objects.filter(round__number=2, entrant__isnull=False).count() == 3
    assert made.stage.rounds.get(number=1).state == State.CONFIRMED


def test_table_is_confirmed_once_by_many_at_once() -> None:
    made = make_published(3)
    (table,) = made.tables(1)
    start_table(acting=made.owner, table=table)
    wanted = results(table)
    ended = at_once(6, lambda _i: finish_table(acting=made.owner, table=table, results=wanted))
    assert sum(isinstance(answer, Finished) for answer in ended) == 1
    assert sum(isinstance(answer, Conflict) for answer in ended) == 5


def test_numbers_of_entries_added_at_once_are_different() -> None:
    made = make()
    answers = at_once(
        8,
        lambda i: add_entry(
            acting=made.owner, event=made.event, name=f"选手{'甲乙丙丁戊己庚辛'[i]}"
        ),
    )
    assert all(isinstance(answer, Entry) for answer in answers)
    assert sorted(Entry.objects.values_list("number", flat=True)) == list(range(1, 9))


def test_one_of_the_waiting_list_moves_up_for_each_who_leaves_at_once() -> None:
    """C1.2."""
    made = make()
    made.competition.capacity = 4
    made.competition.save()
    for name in "甲乙丙丁戊己":
        add_entry(acting=made.owner, event=made.event, name=name)
    leaving = list(made.event.entrants.order_by("entry__number")[:2])
    at_once(2, lambda i: withdraw_before_draw(acting=made.owner, entrant=leaving[i]))
    playing = made.event.entrants.filter(status=EntrantStatus.IN)
    assert sorted(playing.values_list("entry__number", flat=True)) == [3, 4, 5, 6]
