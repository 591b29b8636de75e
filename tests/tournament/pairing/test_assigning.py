"""The proposal: batches, places, referees; what holds for every hall that chance makes."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from datetime import UTC, datetime, timedelta

from tournament.pairing.assigning import propose
from tournament.pairing.venue import (
    Clashes,
    Judge,
    Part,
    Sitting,
    Space,
    Venue,
    clashes,
    overlap,
)

NINE = datetime(2026, 12, 5, 1, tzinfo=UTC)
SEED = random.SystemRandom().randrange(10**6)


def at(hours: float) -> datetime:
    return NINE + timedelta(hours=hours)


def knock_out(tables: int, *, begins: datetime | None = None, first: int = 1) -> list[Sitting]:
    """A round of so many tables of 50 minutes, then a third of them fed by three each."""
    found = []
    number, before, pk = first, [], first * 1000
    while tables:
        row = [
            Sitting(
                pk + i,
                number,
                50,
                begins=begins if not before else None,
                sources=frozenset(one.table for one in before[3 * i : 3 * i + 3]),
                people=frozenset({pk + i}) if not before else frozenset(),
            )
            for i in range(tables)
        ]
        found += row
        pk, number, before, tables = pk + tables, number + 1, row, tables // 3
    return found


def day(*hours: tuple[float, float]) -> tuple[Part, ...]:
    return tuple(Part(i, at(a), at(b)) for i, (a, b) in enumerate(hours, 1))


def times(found: list[Sitting]) -> list[tuple[int, int, float | None, int]]:
    """Round, batch, hours after nine, tables."""
    counted = Counter((one.round, one.batch, one.begins) for one in found)
    return [
        (number, batch, None if begins is None else (begins - NINE).total_seconds() / 3600, tables)
        for (number, batch, begins), tables in counted.items()
    ]


def test_rounds_follow_each_other_in_the_sessions_and_are_split_where_places_are_short() -> None:
    """27 tables at 10 places: three batches of nine; what does not end by noon waits till two."""
    venue = Venue(spaces=(Space(1, 1, 6), Space(2, 21, 4)), parts=day((0, 3), (5, 9)))
    found = propose(knock_out(27), venue)
    assert times(found) == [(1, 1, 0, 9), (1, 2, 1, 9), (1, 3, 2, 9), (2, 1, 5, 9), (3, 1, 6, 3),
                            (4, 1, 7, 1)]  # fmt: skip
    first = [(one.room, one.place) for one in found[:9]]
    assert first == [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (2, 21), (2, 22), (2, 23)]
    assert {one.session for one in found[:27]} == {1}
    assert {one.session for one in found[27:]} == {2}
    assert clashes(found, venue) == []


def test_two_events_share_the_hall_and_their_people() -> None:
    """The second event's round waits for its own people, not for the tables that are free."""
    venue = Venue(spaces=(Space(1, 1, 20),), parts=day((0, 9)))
    one, other = knock_out(3), knock_out(3, first=5)
    same = [
        Sitting(s.table, s.round, s.minutes, people=o.people)
        for s, o in zip(other, one, strict=True)
    ]
    assert times(propose([*one, *other], venue))[2:] == [(5, 1, 0, 3), (6, 1, 1, 1)]
    assert times(propose([*one, *same], venue))[2] == (5, 1, 1, 3)


def test_what_is_set_stays_unless_all_is_asked_anew() -> None:
    venue = Venue(
        spaces=(Space(1, 1, 3),), judges=(Judge(7), Judge(8), Judge(9)), parts=day((0, 9))
    )
    by_hand = knock_out(3, begins=at(2))
    by_hand[1] = Sitting(by_hand[1].table, 1, 50, begins=at(2), room=1, place=1, referee=9)
    found = propose(by_hand, venue)
    assert [(one.place, one.begins) for one in found] == [
        (2, at(2)), (1, at(2)), (3, at(2)), (1, at(3)),
    ]  # fmt: skip
    assert found[1].referee == 9
    assert {one.referee for one in found[:3]} == {7, 8, 9}
    assert propose(found, venue) == found
    anew = propose(found, venue, anew=True)
    assert [one.begins for one in anew] == [NINE, NINE, NINE, at(1)]
    assert [one.place for one in anew] == [1, 2, 3, 1]


def test_who_cannot_walk_gets_a_room_without_stairs() -> None:
    venue = Venue(spaces=(Space(1, 1, 2, is_step_free=False), Space(2, 9, 2)))
    needs = (False, True, False, True)
    row = [Sitting(i, 1, 50, begins=NINE, needs_step_free=one) for i, one in enumerate(needs)]
    found = propose(row, venue)
    assert [(one.room, one.place) for one in found] == [(1, 1), (2, 9), (1, 2), (2, 10)]
    short = propose([*row, Sitting(4, 1, 50, begins=NINE, needs_step_free=True)], venue)
    assert len([one for one in short if one.place]) == 5
    assert {one.kind for one in clashes(short, venue)} <= {Clashes.STAIRS}


def test_without_sessions_times_follow_the_first_and_what_has_begun_stays() -> None:
    venue = Venue(spaces=(Space(1, 1, 2),))
    assert times(propose(knock_out(3), venue)) == [(1, 1, None, 3), (2, 1, None, 1)]
    assert times(propose(knock_out(3, begins=NINE), venue)) == [
        (1, 1, 0, 2), (1, 2, 1, 1), (2, 1, 2, 1),
    ]  # fmt: skip
    begun = [Sitting(1, 1, 50, begins=NINE, room=1, place=2, is_fixed=True)]
    assert propose(begun, venue, anew=True) == begun


def test_any_proposal_keeps_what_must_hold() -> None:
    """Nobody judges more at once than he may, or while he is away; no place is had twice."""
    print(f"seed {SEED}")  # noqa: T201
    luck = random.Random(SEED)
    for _case in range(30):
        venue, sittings = _case_of(luck)
        found = propose(sittings, venue, anew=luck.random() < 0.5)
        kinds = {one.kind for one in clashes(found, venue)}
        assert kinds <= {Clashes.OWN_UNIT}
        loads = Counter(one.referee for one in found if one.referee)
        if not any(judge.away or judge.units for judge in venue.judges) and len(loads) > 1:
            of_all = [loads[judge.referee] for judge in venue.judges]
            assert max(of_all) - min(of_all) <= venue.each + 1


def test_own_units_are_met_as_rarely_as_can_be() -> None:
    """Against every possible assignment of up to five referees to one batch."""
    print(f"seed {SEED}")  # noqa: T201
    luck = random.Random(SEED)
    for _case in range(60):
        judges = [
            Judge(i, frozenset(luck.sample("甲乙丙丁", luck.randint(0, 3))))
            for i in range(1, luck.randint(2, 6))
        ]
        tables = [
            Sitting(i, 1, 50, begins=NINE, units=frozenset(luck.sample("甲乙丙丁", 3)))
            for i in range(1, luck.randint(2, 6))
        ]
        found = propose(tables, Venue(judges=tuple(judges)))
        units = {judge.referee: judge.units for judge in judges}
        judged = [one for one in found if one.referee]
        assert len(judged) == min(len(judges), len(tables))
        own = sum(not units[one.referee or 0].isdisjoint(one.units) for one in judged)
        assert own == _fewest([judge.units for judge in judges], [one.units for one in tables])


def _fewest(judges: list[frozenset[str]], tables: list[frozenset[str]]) -> int:
    short, long = sorted((judges, tables), key=len)
    return min(
        sum(not one.isdisjoint(other) for one, other in zip(short, chosen, strict=True))
        for chosen in itertools.permutations(long, len(short))
    )


def _case_of(luck: random.Random) -> tuple[Venue, list[Sitting]]:
    judges = tuple(
        Judge(
            number,
            frozenset(luck.sample("甲乙丙丁", luck.randint(0, 2))),
            tuple((at(h), at(h + 1.5)) for h in luck.sample(range(8), luck.randint(0, 2))),
        )
        for number in range(1, luck.randint(2, 12))
    )
    venue = Venue(
        spaces=(Space(1, 1, luck.randint(1, 9)), Space(2, 50, luck.randint(1, 9))),
        judges=judges,
        parts=day((0, 4), (5, 9), (24, 30)),
        each=luck.randint(1, 3),
    )
    sittings = [
        *knock_out(luck.choice([1, 3, 9, 27])),
        *knock_out(luck.choice([1, 3, 9]), first=6),
    ]
    return venue, [
        Sitting(
            one.table, one.round, one.minutes, people=one.people, sources=one.sources,
            units=frozenset(luck.sample("甲乙丙丁戊己", 2)),
        )
        for one in sittings
    ]  # fmt: skip


def test_a_large_round_is_proposed_in_good_time() -> None:
    """243 tables, 60 places, 40 referees of three tables each: nothing is had twice."""
    venue = Venue(
        spaces=(Space(1, 1, 60),),
        judges=tuple(Judge(i) for i in range(1, 41)),
        parts=day((0, 10), (24, 34)),
        each=2,
    )
    found = propose(knock_out(243), venue)
    assert clashes(found, venue) == []
    assert all(one.referee and one.place for one in found)
    assert not any(overlap(a, b) for a, b in itertools.combinations(found, 2) if a.place == b.place)
