"""The day of a plan: batches, breaks, days; two programmes side by side."""

import pytest

from tournament.pairing.errors import PairingError
from tournament.pairing.planner import Style, Terms, plan_event
from tournament.pairing.presets import of_units, single, standard
from tournament.pairing.timetable import Difference, Hall, Measure, arrange, compare


def times(programme):
    """`1 09:00–09:50 17` for every batch: day, times, tables; L where lunch is just before."""
    return [
        f"{s.day} {s.begin // 60:02}:{s.begin % 60:02}–{s.end // 60:02}:{s.end % 60:02} {s.tables}"
        + " L" * s.after_lunch
        for s in programme.slots
    ]


def test_fifty_by_the_standard_in_one_day():
    """50 minutes a round, 10 between, lunch for an hour, the final of 24 hands 100 minutes."""
    found = arrange([plan_event(standard(50))], Hall())
    assert times(found) == [
        "1 09:00–09:50 17",
        "1 10:00–10:50 17",
        "1 11:00–11:50 17",
        "1 12:50–13:40 3 L",
        "1 13:50–15:30 1",
    ]
    assert (found.minutes, found.days, found.most_at_once, found.short_rounds) == (390, 1, 17, 0)


def test_few_tables_make_batches():
    """Twelve tables of the first round in a hall of ten: six and six."""
    found = arrange([plan_event(single(50))], Hall(tables=10, lunch_at=None))
    assert times(found)[:3] == ["1 09:00–09:50 6", "1 10:00–10:50 6", "1 11:00–11:50 9"]
    assert [(s.batch, s.batches) for s in found.slots][:3] == [(1, 2), (2, 2), (1, 1)]
    assert (found.short_rounds, found.most_at_once) == (1, 9)


def test_few_referees_make_batches_too():
    """Two referees with three tables each look after six."""
    hall = Hall(tables=10, referees=2, tables_each=3)
    assert hall.at_once == 6
    found = arrange([plan_event(Terms(27))], hall)
    assert [s.tables for s in found.slots] == [5, 4, 3, 1]


def test_what_cannot_end_today_is_on_the_next_day():
    """The final of 100 minutes would end at 15:30."""
    found = arrange([plan_event(standard(50))], Hall(end=15 * 60))
    assert times(found)[-1] == "2 09:00–10:40 1"
    assert (found.days, found.minutes) == (2, 280 + 100)


def test_no_lunch_where_the_day_begins_after_it():
    found = arrange([plan_event(standard(9))], Hall(begin=13 * 60, end=20 * 60))
    assert times(found)[:2] == ["1 13:00–13:50 3", "1 14:00–14:50 3"]


def test_events_of_units_follow_each_other():
    found = arrange([plan_event(terms) for terms in of_units(4)], Hall())
    assert [slot.event for slot in found.slots] == sorted(slot.event for slot in found.slots)
    begins = [(slot.day, slot.begin) for slot in found.slots]
    assert begins == sorted(begins)


def test_two_formats_side_by_side():
    """Twenty-eight: an extra round of one table against one table of four."""
    byes, fours = (
        arrange([plan_event(Terms(28, style=style))], Hall())
        for style in (Style.BYES, Style.COMPACT)
    )
    assert compare(byes, fours) == (
        Difference(Measure.ROUNDS, 4, 3),
        Difference(Measure.SUREST, 1, 1),
        Difference(Measure.SHEETS, 14, 13),
        Difference(Measure.AT_ONCE, 9, 9),
        Difference(Measure.BYES, 26, 0),
        Difference(Measure.FOURS, 0, 1),
        Difference(Measure.FILLERS, 1, 0),
        Difference(Measure.HANDS, 13 * 12 + 24, 12 * 12 + 24),
        Difference(Measure.MINUTES, 330, 220),
        Difference(Measure.END, 14 * 60 + 30, 12 * 60 + 40),
    )


@pytest.mark.parametrize(
    ("events", "hall", "code"),
    [
        ([], Hall(), "plan-events"),
        ([27], Hall(tables=0), "hall"),
        ([27], Hall(begin=600, end=600), "hall"),
        ([2187], Hall(tables=1), "hall-short"),
    ],
)
def test_a_hall_that_cannot_be_is_refused(events, hall, code):
    with pytest.raises(PairingError) as caught:
        arrange([plan_event(Terms(n)) for n in events], hall)
    assert caught.value.code == code
