"""What does not go together, one by one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from tournament.pairing.venue import (
    Clash,
    Clashes,
    Judge,
    Part,
    Sitting,
    Space,
    Venue,
    clashes,
)

NINE = datetime(2026, 12, 5, 1, tzinfo=UTC)
HALF = NINE + timedelta(minutes=30)
TEN = NINE + timedelta(hours=1)


def sit(table: int, begins: datetime | None = NINE, **more: Any) -> Sitting:
    return Sitting(**{"table": table, "round": 1, "minutes": 50, "begins": begins, **more})


def test_a_person_at_two_tables_at_once() -> None:
    both = [sit(1, people=frozenset({5, 6})), sit(2, HALF, people=frozenset({6}))]
    assert clashes(both, Venue()) == [Clash(Clashes.PERSON, (1, 2), of=6, at=HALF)]
    later = [both[0], sit(2, TEN, people=frozenset({6}))]
    assert clashes(later, Venue()) == []
    assert clashes([both[0], sit(2, None, people=frozenset({6}))], Venue()) == []


def test_a_physical_table_twice_and_one_that_is_not_there() -> None:
    venue = Venue(spaces=(Space(3, 1, 2),))
    both = [sit(1, room=3, place=2), sit(2, HALF, room=3, place=2)]
    assert clashes(both, venue) == [Clash(Clashes.PLACE, (1, 2), room=3, place=2, at=HALF)]
    gone = [sit(1, room=3, place=3), sit(2, room=4, place=1)]
    assert clashes(gone, venue) == [
        Clash(Clashes.NO_PLACE, (1,), room=3, place=3),
        Clash(Clashes.NO_PLACE, (2,), room=4, place=1),
    ]


def test_more_tables_than_there_are() -> None:
    venue = Venue(spaces=(Space(3, 1, 2),))
    many = [sit(1), sit(2), sit(3, HALF), sit(4, TEN)]
    assert clashes(many, venue) == [Clash(Clashes.TOO_MANY, (1, 2, 3), at=HALF, count=3, most=2)]


def test_a_referee_at_too_many_tables_away_and_with_his_own_unit() -> None:
    judge = Judge(7, frozenset({"甲队"}), ((HALF, TEN),))
    both = [sit(1, referee=7), sit(2, referee=7)]
    assert clashes(both, Venue(judges=(Judge(7),))) == [
        Clash(Clashes.REFEREE, (1, 2), of=7, at=NINE, count=2, most=1)
    ]
    assert clashes(both, Venue(judges=(Judge(7),), each=2)) == []
    one = [sit(1, referee=7, units=frozenset({"甲队", "乙队"}))]
    found = clashes(one, Venue(judges=(judge,)))
    assert found == [
        Clash(Clashes.AWAY, (1,), of=7, at=NINE),
        Clash(Clashes.OWN_UNIT, (1,), of=7, units=("甲队",)),
    ]
    assert [clash.is_severe for clash in found] == [True, False]


def test_a_round_before_the_tables_or_rounds_that_feed_it_end() -> None:
    """Said once for all tables of a round that begin at that time, with the last end."""
    first = [sit(1), sit(2, HALF)]
    second = [
        sit(3, HALF, round=2, sources=frozenset({1})),
        sit(4, HALF, round=2, sources=frozenset({2})),
    ]
    end = HALF + timedelta(minutes=50)
    assert clashes([*first, *second], Venue()) == [Clash(Clashes.BEFORE, (3, 4), of=1, at=end)]
    whole = sit(5, TEN, round=3, rounds_before=frozenset({1}))
    assert clashes([*first, whole], Venue()) == [Clash(Clashes.BEFORE, (5,), of=1, at=end)]
    assert clashes([*first, sit(3, TEN, round=2, sources=frozenset({1}))], Venue()) == []


def test_outside_its_session_and_a_room_in_two_sessions_at_once() -> None:
    noon = NINE + timedelta(hours=3)
    parts = (Part(1, NINE, noon), Part(2, TEN, noon))
    venue = Venue(spaces=(Space(3, 1, 9),), parts=parts)
    late = [sit(1, noon - timedelta(minutes=10), session=1), sit(2)]
    assert clashes(late, venue) == [
        Clash(Clashes.OUTSIDE, (2,), at=NINE),
        Clash(Clashes.OUTSIDE, (1,), of=1, at=noon - timedelta(minutes=10)),
    ]
    both = [sit(1, session=1, room=3, place=1), sit(2, TEN, session=2, room=3, place=2)]
    assert clashes(both, venue) == [Clash(Clashes.SHARED_ROOM, (1, 2), of=1, other=2, room=3)]


def test_somebody_who_cannot_walk_up_the_stairs() -> None:
    venue = Venue(spaces=(Space(3, 1, 2, is_step_free=False), Space(4, 1, 2)))
    both = [
        sit(1, room=3, place=1, needs_step_free=True),
        sit(2, room=4, place=1, needs_step_free=True),
        sit(3, room=3, place=2),
    ]
    found = clashes(both, venue)
    assert found == [Clash(Clashes.STAIRS, (1,), room=3, place=1)]
    assert not found[0].is_severe


def test_what_has_begun_is_said_no_more_and_the_severe_come_first() -> None:
    people = frozenset({6})
    begun = [sit(1, people=people, is_fixed=True), sit(2, people=people, is_fixed=True)]
    assert clashes(begun, Venue()) == []
    venue = Venue(parts=(Part(1, TEN, TEN + timedelta(hours=1)),))
    one = [sit(1, people=people), sit(2, people=people, is_fixed=True)]
    assert [clash.kind for clash in clashes(one, venue)] == [Clashes.PERSON, Clashes.OUTSIDE]
