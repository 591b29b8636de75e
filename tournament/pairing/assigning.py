"""The automatic proposal: times, batches where physical tables are short, places, referees."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from tournament.pairing.timetable import batch_sizes
from tournament.pairing.venue import Judge, Sitting, Venue, overlap


def propose(sittings: Sequence[Sitting], venue: Venue, *, anew: bool = False) -> list[Sitting]:
    """The sittings, in their order, with batch, begin, session, physical table and referee.

    `sittings` come event by event, round by round. What has begun stays; what is set stays too
    unless `anew`. Rounds without a time get one in the sessions, or without any after the rounds
    that feed them; `anew` keeps times where there are no sessions. No referee judges more than
    `each` tables at once nor while away; his own units as few times as can be, and all referees
    about as often. Who cannot walk gets a room without stairs where one is free.
    """
    if anew:
        keeps_times = not venue.parts
        sittings = [one if one.is_fixed else _bare(one, keeps_times) for one in sittings]
    plan = _Plan(venue, sittings)
    for group in _rounds(sittings):
        plan.place(group)
    plan.judge()
    return [plan.now[one.table] for one in sittings]


def _bare(one: Sitting, keeps_times: bool) -> Sitting:
    begins = one.begins if keeps_times and one.batch == 1 else None
    return replace(one, batch=1, begins=begins, session=None, room=None, place=None, referee=None)


def _rounds(sittings: Sequence[Sitting]) -> Iterator[list[Sitting]]:
    """The sittings of each round, rounds in order."""
    groups: dict[int, list[Sitting]] = defaultdict(list)
    for one in sittings:
        groups[one.round].append(one)
    yield from groups.values()


class _Plan:
    """The proposal as it grows: `now` has every sitting as it stands."""

    def __init__(self, venue: Venue, sittings: Sequence[Sitting]) -> None:
        self.venue = venue
        self.now = {one.table: one for one in sittings}
        self.places = [place for space in venue.spaces for place in space.places]

    def place(self, group: Sequence[Sitting]) -> None:
        """Gives a round its batches: when, and at which physical tables.

        The batches that have a time are filled first, then new ones are made after them.
        """
        loose = [one for one in group if not one.is_fixed and not self._stands(one)]
        if not loose:
            return
        minutes, size = loose[0].minutes, batch_sizes(len(loose), len(self.places) or None)[0]
        known = {one.batch: one.begins for one in group if one.begins is not None}
        has_kept = len(loose) < len(group)
        for number, begins in sorted(known.items()):
            free = self._free(begins, minutes, loose)
            many = min(size, len(free)) if self.places else size
            if not many and not has_kept:
                return
            self._seat(loose[:many], number, begins, free)
            loose = loose[many:]
        number = max(known, default=0)
        least = self._earliest(loose)
        if known:
            after = max(known.values()) + timedelta(minutes=minutes + self.venue.pause)
            least = max(least or after, after)
        while loose:
            batch = loose[:size]
            at = self._slot(least, batch)
            if at is None:
                return
            number += 1
            self._seat(batch, number, at, self._free(at, minutes, batch))
            least = at + timedelta(minutes=minutes + self.venue.pause)
            loose = loose[size:]

    def _stands(self, one: Sitting) -> bool:
        return one.begins is not None and (not self.places or one.place is not None)

    def _seat(
        self, batch: Sequence[Sitting], number: int, at: datetime, free: Sequence[tuple[int, int]]
    ) -> None:
        """Puts a batch at that time to the first free places; without rooms to none."""
        spots = self._spots(batch, free)
        for one in batch:
            room, place = spots[one.table] if self.places else (None, None)
            session = self._session(at, one.minutes) or one.session
            self.now[one.table] = replace(
                one, batch=number, begins=at, session=session, room=room, place=place
            )

    def _spots(
        self, batch: Sequence[Sitting], free: Sequence[tuple[int, int]]
    ) -> dict[int, tuple[int, int]]:
        """Table → physical table, in order, those who need a room without stairs before all."""
        step_free = {space.room for space in self.venue.spaces if space.is_step_free}
        left = list(free)
        found = {}
        for one in sorted(batch, key=lambda one: not one.needs_step_free):
            if not left:
                break
            good = (spot for spot in left if not one.needs_step_free or spot[0] in step_free)
            found[one.table] = next(good, left[0])
            left.remove(found[one.table])
        return found

    def _session(self, at: datetime, minutes: int) -> int | None:
        end = at + timedelta(minutes=minutes)
        holding = (part.session for part in self.venue.parts if part.holds(at, end))
        touching = (part.session for part in self.venue.parts if part.begins <= at < part.ends)
        return next(holding, next(touching, None))

    def _busy(self, at: datetime, minutes: int) -> Iterator[Sitting]:
        end = at + timedelta(minutes=minutes)
        for one in self.now.values():
            if one.begins is not None and one.begins < end and at < one.span[1]:
                yield one

    def _free(self, at: datetime, minutes: int, loose: Sequence[Sitting]) -> list[tuple[int, int]]:
        """The physical tables that nobody has in that time."""
        own = {one.table for one in loose}
        taken = {(one.room, one.place) for one in self._busy(at, minutes) if one.table not in own}
        return [place for place in self.places if place not in taken]

    def _earliest(self, group: Sequence[Sitting]) -> datetime | None:
        """When all that feeds the round has ended."""
        rounds = {number for one in group for number in one.rounds_before}
        tables = {table for one in group for table in one.sources}
        ends = [
            one.span[1]
            for one in self.now.values()
            if one.begins is not None and (one.round in rounds or one.table in tables)
        ]
        return max(ends) + timedelta(minutes=self.venue.pause) if ends else None

    def _slot(self, least: datetime | None, batch: Sequence[Sitting]) -> datetime | None:
        """The first time from `least` on at which all of the batch can play together, in a
        session where there are any."""
        pause, minutes = timedelta(minutes=self.venue.pause), batch[0].minutes
        times = {part.begins for part in self.venue.parts}
        if least is not None:
            ends = {one.span[1] + pause for one in self.now.values() if one.begins is not None}
            times = {at for at in times | ends if at >= least} | {least}
        elif times:
            times |= {one.span[1] + pause for one in self.now.values() if one.begins is not None}
        return next((at for at in sorted(times) if self._fits(at, minutes, batch)), None)

    def _fits(self, at: datetime, minutes: int, batch: Sequence[Sitting]) -> bool:
        end = at + timedelta(minutes=minutes)
        if self.venue.parts and not any(part.holds(at, end) for part in self.venue.parts):
            return False
        if self.places and len(self._free(at, minutes, batch)) < len(batch):
            return False
        own = {one.table for one in batch}
        people = frozenset(who for one in batch for who in one.people)
        return all(
            people.isdisjoint(one.people) for one in self._busy(at, minutes) if one.table not in own
        )

    def judge(self) -> None:
        """Gives every table without one a referee, those that begin first first."""
        waiting: dict[datetime, list[Sitting]] = defaultdict(list)
        for one in self.now.values():
            if one.begins is not None and one.referee is None and not one.is_fixed:
                waiting[one.begins].append(one)
        for at in sorted(waiting):
            for table, referee in self._matched(waiting[at]).items():
                self.now[table] = replace(self.now[table], referee=referee)

    def _matched(self, group: Sequence[Sitting]) -> dict[int, int]:
        longest = max(group, key=lambda one: one.span[1])
        loads = Counter(one.referee for one in self.now.values() if one.referee is not None)
        taken = Counter(
            one.referee
            for one in self.now.values()
            if one.referee is not None and one.begins is not None and overlap(one, longest)
        )
        slots = sorted(
            (loads[judge.referee] + more, order, judge)
            for order, judge in enumerate(self.venue.judges)
            for more in range(self.venue.each - taken[judge.referee])
        )
        return _match([judge for _load, _order, judge in slots], group)


def _match(slots: Sequence[Judge], tables: Sequence[Sitting]) -> dict[int, int]:
    """Table → referee: as many tables as can be, of own units as few as can be, the first slots
    first (augmenting paths)."""
    can = [
        [index for index, one in enumerate(tables) if not slot.is_away(*one.span)] for slot in slots
    ]
    clean = [
        [index for index in of if slot.units.isdisjoint(tables[index].units)]
        for slot, of in zip(slots, can, strict=True)
    ]
    held: dict[int, int] = {}
    for edges in (clean, can):
        for slot in range(len(slots)):
            if len(held) == len(tables):
                break
            if slot not in held.values():
                _augment(slot, edges, held)
    return {tables[index].table: slots[slot].referee for index, slot in held.items()}


def _augment(start: int, edges: Sequence[Sequence[int]], held: dict[int, int]) -> bool:
    """Finds the slot a table, moving others where need be; breadth first, so as few as can be."""
    mine = {slot: table for table, slot in held.items()}
    came: dict[int, int] = {}
    queue = [start]
    for slot in queue:
        for table in edges[slot]:
            if table in came:
                continue
            came[table] = slot
            if table in held:
                queue.append(held[table])
                continue
            at: int | None = table
            while at is not None:
                held[at] = came[at]
                at = mine.get(came[at])
            return True
    return False
