"""The schedule of tables in plain values, and where it does not go together.

A `Sitting` is one table of one round with its time, physical table and referee; ids are those of
whoever calls. What a clash is called in words is not said here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import combinations

Span = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True)
class Space:
    """A room: `count` physical tables, numbered from `first`; reached without stairs or not."""

    room: int
    first: int
    count: int
    is_step_free: bool = True

    def has(self, place: int) -> bool:
        """Whether it has a physical table of that number."""
        return self.first <= place < self.first + self.count

    @property
    def places(self) -> Iterator[tuple[int, int]]:
        """Its physical tables as (room, number)."""
        return ((self.room, number) for number in range(self.first, self.first + self.count))


@dataclass(frozen=True, slots=True)
class Judge:
    """A referee: the units he belongs to, and when he is away."""

    referee: int
    units: frozenset[str] = frozenset()
    away: tuple[Span, ...] = ()

    def is_away(self, begins: datetime, ends: datetime) -> bool:
        """Whether he is away for a part of that time."""
        return any(start < ends and begins < end for start, end in self.away)


@dataclass(frozen=True, slots=True)
class Part:
    """A session (场次)."""

    session: int
    begins: datetime
    ends: datetime

    def holds(self, begins: datetime, ends: datetime) -> bool:
        """Whether all of that time lies in it."""
        return self.begins <= begins and ends <= self.ends


@dataclass(frozen=True, slots=True)
class Sitting:
    """One table of one round. `people` are those who are known to sit there, partners too, `units`
    theirs. It may begin when the tables `sources` and the whole rounds `rounds_before` have ended.
    `is_fixed`: it has begun, and nothing of it is moved any more. `needs_step_free`: somebody
    there cannot walk.
    """

    table: int
    round: int
    minutes: int
    batch: int = 1
    begins: datetime | None = None
    session: int | None = None
    room: int | None = None
    place: int | None = None
    referee: int | None = None
    people: frozenset[int] = frozenset()
    units: frozenset[str] = frozenset()
    sources: frozenset[int] = frozenset()
    rounds_before: frozenset[int] = frozenset()
    is_fixed: bool = False
    needs_step_free: bool = False

    @property
    def ends(self) -> datetime | None:
        """When it ends as planned."""
        return None if self.begins is None else self.begins + timedelta(minutes=self.minutes)

    @property
    def span(self) -> Span:
        """From begin to end. Needs a begin."""
        assert self.begins is not None
        return self.begins, self.begins + timedelta(minutes=self.minutes)


@dataclass(frozen=True, slots=True)
class Venue:
    """What there is. A referee judges at most `each` tables at the same time; `pause` minutes lie
    between rounds and batches."""

    spaces: tuple[Space, ...] = ()
    judges: tuple[Judge, ...] = ()
    parts: tuple[Part, ...] = ()
    each: int = 1
    pause: int = 10

    @property
    def count(self) -> int:
        """How many physical tables there are."""
        return sum(space.count for space in self.spaces)


class Clashes(StrEnum):
    """What does not go together; those of `SEVERE` cannot be played so."""

    PERSON = "person"
    PLACE = "place"
    NO_PLACE = "no-place"
    TOO_MANY = "too-many"
    REFEREE = "referee"
    AWAY = "away"
    BEFORE = "before"
    OWN_UNIT = "own-unit"
    STAIRS = "stairs"
    OUTSIDE = "outside"
    SHARED_ROOM = "shared-room"


SEVERE = frozenset(Clashes) - {
    Clashes.OWN_UNIT,
    Clashes.STAIRS,
    Clashes.OUTSIDE,
    Clashes.SHARED_ROOM,
}


@dataclass(frozen=True, slots=True)
class Clash:
    """One clash and the `tables` it is at, in order.

    `of` is the person, referee, session or earlier round it is about; `other` the second session;
    `room` and `place` a physical table; `at` the time; `count` and `most` how many there are and
    may be; `units` the common ones.
    """

    kind: Clashes
    tables: tuple[int, ...]
    of: int | None = None
    other: int | None = None
    room: int | None = None
    place: int | None = None
    at: datetime | None = None
    count: int = 0
    most: int = 0
    units: tuple[str, ...] = field(default=())

    @property
    def is_severe(self) -> bool:
        """Whether it cannot be played so."""
        return self.kind in SEVERE


def clashes(sittings: Sequence[Sitting], venue: Venue) -> list[Clash]:
    """Everything that does not go together, the severe first, else in the order of `Clashes`.

    What has begun at all its tables is left out.
    """
    timed = sorted((one for one in sittings if one.begins), key=lambda one: one.span)
    found = [
        *_persons(timed),
        *_places(timed, venue),
        *_referees(timed, venue),
        *_before(timed),
        *_sessions(timed, venue),
    ]
    fixed = {one.table for one in sittings if one.is_fixed}
    order = list(Clashes)
    return sorted(
        (one for one in found if not fixed.issuperset(one.tables)),
        key=lambda one: (not one.is_severe, order.index(one.kind)),
    )


def overlap(first: Sitting, second: Sitting) -> bool:
    """Whether both are played at some same time. Needs their begins."""
    (begins, ends), (start, end) = first.span, second.span
    return begins < end and start < ends


def _pairs(
    timed: Iterable[Sitting], keys: Callable[[Sitting], Iterable[Hashable]]
) -> Iterator[tuple[Hashable, Sitting, Sitting]]:
    """Two at the same time that share a key."""
    groups: dict[Hashable, list[Sitting]] = defaultdict(list)
    for one in timed:
        for key in keys(one):
            groups[key].append(one)
    for key, group in groups.items():
        for first, second in combinations(group, 2):
            if overlap(first, second):
                yield key, first, second


def _persons(timed: Sequence[Sitting]) -> Iterator[Clash]:
    for who, first, second in _pairs(timed, lambda one: one.people):
        assert isinstance(who, int)
        yield Clash(Clashes.PERSON, (first.table, second.table), of=who, at=second.begins)


def _places(timed: Sequence[Sitting], venue: Venue) -> Iterator[Clash]:
    seated = [one for one in timed if one.room is not None and one.place is not None]
    for _key, first, second in _pairs(seated, lambda one: ((one.room, one.place),)):
        yield Clash(
            Clashes.PLACE, (first.table, second.table),
            room=second.room, place=second.place, at=second.begins,
        )  # fmt: skip
    spaces = {space.room: space for space in venue.spaces}
    for one in seated:
        space = spaces.get(one.room or 0)
        if one.place is not None and (space is None or not space.has(one.place)):
            yield Clash(Clashes.NO_PLACE, (one.table,), room=one.room, place=one.place)
        elif space is not None and one.needs_step_free and not space.is_step_free:
            yield Clash(Clashes.STAIRS, (one.table,), room=one.room, place=one.place)
    if venue.count:
        for at, group in _crowds(timed, venue.count):
            tables = tuple(one.table for one in group)
            yield Clash(Clashes.TOO_MANY, tables, at=at, count=len(group), most=venue.count)


def _crowds(timed: Sequence[Sitting], most: int) -> Iterator[tuple[datetime, list[Sitting]]]:
    """The moments at which more than `most` play, and who; not the same ones twice."""
    known: set[frozenset[int]] = set()
    for at in sorted({one.span[0] for one in timed}):
        group = [one for one in timed if one.span[0] <= at < one.span[1]]
        key = frozenset(one.table for one in group)
        if len(group) > most and not any(key <= other for other in known):
            known.add(key)
            yield at, group


def _referees(timed: Sequence[Sitting], venue: Venue) -> Iterator[Clash]:
    judges = {judge.referee: judge for judge in venue.judges}
    of: dict[int, list[Sitting]] = defaultdict(list)
    for one in timed:
        if one.referee is not None:
            of[one.referee].append(one)
    for referee, group in of.items():
        for at, crowd in _crowds(group, venue.each):
            tables = tuple(one.table for one in crowd)
            yield Clash(
                Clashes.REFEREE, tables, of=referee, at=at, count=len(crowd), most=venue.each
            )
        judge = judges.get(referee, Judge(referee))
        for one in group:
            if judge.is_away(*one.span):
                yield Clash(Clashes.AWAY, (one.table,), of=referee, at=one.begins)
            if common := judge.units & one.units:
                yield Clash(Clashes.OWN_UNIT, (one.table,), of=referee, units=tuple(sorted(common)))


def _before(timed: Sequence[Sitting]) -> Iterator[Clash]:
    by_table = {one.table: one for one in timed}
    by_round: dict[int, list[Sitting]] = defaultdict(list)
    for one in timed:
        by_round[one.round].append(one)
    late: dict[tuple[int, datetime], tuple[int, datetime, list[int]]] = {}
    ends = {number: max(one.span[1] for one in group) for number, group in by_round.items()}
    for one in timed:
        feeding = [by_table[pk] for pk in one.sources if pk in by_table]
        waits = [(feeder.span[1], feeder.round) for feeder in feeding]
        waits += [(ends[number], number) for number in one.rounds_before if number in ends]
        if waits and max(waits)[0] > one.span[0]:
            until, earlier = max(waits)
            key = (one.round, one.span[0])
            known = late.get(key, (earlier, until, []))
            late[key] = (earlier, max(known[1], until), [*known[2], one.table])
    for earlier, until, tables in late.values():
        yield Clash(Clashes.BEFORE, tuple(tables), of=earlier, at=until)


def _sessions(timed: Sequence[Sitting], venue: Venue) -> Iterator[Clash]:
    parts = {part.session: part for part in venue.parts}
    outside: dict[tuple[int, datetime, int | None], list[int]] = defaultdict(list)
    rooms: dict[tuple[int, int], list[int]] = defaultdict(list)
    for one in timed:
        part = parts.get(one.session or 0)
        if venue.parts and (part is None or not part.holds(*one.span)):
            outside[one.round, one.span[0], one.session].append(one.table)
        if one.room is not None and part is not None:
            rooms[one.room, part.session].append(one.table)
    for (_round, at, session), tables in outside.items():
        yield Clash(Clashes.OUTSIDE, tuple(tables), of=session, at=at)
    for first, second in combinations(venue.parts, 2):
        if first.begins < second.ends and second.begins < first.ends:
            for space in venue.spaces:
                both = (
                    rooms.get((space.room, first.session)),
                    rooms.get((space.room, second.session)),
                )
                if both[0] and both[1]:
                    yield Clash(
                        Clashes.SHARED_ROOM, (*both[0], *both[1]),
                        of=first.session, other=second.session, room=space.room,
                    )  # fmt: skip
