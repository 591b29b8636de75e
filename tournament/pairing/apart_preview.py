"""What a draw will keep apart, said before it (C1.4, C4.4).

Two figures a group and round: `most`, which no deal of C4.4 exceeds, and `fewest`, below which no
deal can go because there are not enough tables (pigeonholes). Between them the deal does its best.

How `most` is known. A member goes to the zone with the fewest of his group that has a free seat,
so m members of one group are spread over c zones with at most ⌈m/c⌉ in each as long as no zone is
full before its share. Zones stay level in free seats, as ties go to the freest: where nobody is
seeded or in two groups, and the zones' sizes differ by at most one, free seats never differ by
more than one, and then a zone is full only when what is left of the group fits the others. Else
the free seats of sibling zones differ by at most a `slack` counted from the sizes, the seeds and
the members of further groups; the groups are dealt largest first, so from who was dealt before
follows how many seats every zone still has when the group's turn comes. Where that is less than
the share, nothing is promised from there down. Further groups are dealt piecemeal with the units:
for them only `fewest` says something.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from tournament.pairing.deal import Group, deal
from tournament.pairing.freeze import Line
from tournament.pairing.plan import Plan, SeatKind
from tournament.pairing.words import WordStream


class Member(NamedTuple):
    """Somebody to be drawn: number (编号), unit (may be empty), whether he is seeded."""

    number: int
    unit: str
    is_seed: bool


@dataclass(frozen=True, slots=True)
class RoundApart:
    """A group in one round: `most` and `fewest` of it in the zone of one of the round's `tables`.

    In the first round the zone is the table itself, `seats` that of the largest.
    """

    round: int
    tables: int
    seats: int
    most: int
    fewest: int

    @property
    def at_a_table(self) -> int:
        """The most of the group that may sit at one table of this round."""
        return min(self.most, self.seats)


@dataclass(frozen=True, slots=True)
class GroupApart:
    """A unit (`apart` 0) or a further group (its index from 1), and its rounds."""

    unit: str
    apart: int
    numbers: tuple[int, ...]
    rounds: tuple[RoundApart, ...]

    @property
    def apart_for(self) -> int:
        """Rounds, from the first, in which no two of the group can meet."""
        count = 0
        for one in self.rounds:
            if one.most > 1:
                break
            count += 1
        return count

    @property
    def could_be_apart_for(self) -> int:
        """Rounds, from the first, for which there are zones enough for each of the group."""
        count = 0
        for one in self.rounds:
            if one.fewest > 1:
                break
            count += 1
        return count


def apart_preview(
    plan: Plan, people: Sequence[Member], apart: Sequence[Sequence[int]] = ()
) -> tuple[GroupApart, ...]:
    """The groups of two and more, the units by size and name, then the further groups.

    `people` are as many as the plan has, in order of number; `apart` holds numbers among them.
    """
    units: dict[str, list[Member]] = {}
    for one in people:
        if one.unit:
            units.setdefault(one.unit, []).append(one)
    irregular = {number for group in apart if len(set(group)) > 1 for number in group}
    field = _Field(plan, people, units, irregular)
    found = [
        GroupApart(name, 0, tuple(one.number for one in members), tuple(field.of_unit(members)))
        for name, members in sorted(units.items(), key=lambda item: (-len(item[1]), item[0]))
        if len(members) > 1
    ]
    found += [
        GroupApart("", index, tuple(sorted(set(group))), tuple(field.of_group(len(set(group)))))
        for index, group in enumerate(apart, 1)
        if len(set(group)) > 1
    ]
    return tuple(found)


def met_in_trials(
    plan: Plan, lines: Sequence[Line], apart: Sequence[Sequence[int]], times: int
) -> Counter[Group]:
    """In how many of so many deals by made-up words two of a group shared a first-round table.

    Says how likely it is where nothing is certain; the words are always the same ones.
    """
    met: Counter[Group] = Counter()
    for number in range(times):
        stream = WordStream(hashlib.sha256(f"{number}".encode()).digest())
        dealt = deal(plan, lines, apart, stream)
        met.update({(one.unit, one.apart) for one in dealt.together if one.round == 1})
    return met


@dataclass(frozen=True, eq=False)
class _Zone:
    """A table with all that feeds it, or a bye (round 0). Zones of one shape are one object."""

    round: int
    free: int
    byes: int
    children: tuple["_Zone", ...]


class _Turn(NamedTuple):
    """A group's turn at a zone: bounds of what is there.

    `free` seats at least, `before` people dealt there at most, `members` of the group at most and
    among them `seeded`, `unseeded` and `irregular`; `seeds` of anybody, `loose` members of further
    groups.
    """

    free: int
    before: int
    members: int
    seeded: int
    unseeded: int
    irregular: int
    seeds: int
    loose: int


class _Field:
    def __init__(
        self,
        plan: Plan,
        people: Sequence[Member],
        units: Mapping[str, Sequence[Member]],
        irregular: set[int],
    ) -> None:
        self.plan = plan
        self.root = _root(plan)
        self.units = units
        self.irregular = irregular
        self.total = len(people)
        self.seeds = sum(one.is_seed for one in people)
        self.singles = sum(not one.unit for one in people)
        self.seats = [max(len(table.seats) for table in one.tables) for one in plan.rounds]
        self.most_in = lru_cache(maxsize=None)(self._most_in)

    def of_unit(self, members: Sequence[Member]) -> Iterator[RoundApart]:
        """The rounds of a unit."""
        size = len(members)
        seeded = sum(one.is_seed for one in members)
        others = sum(
            sum(not one.is_seed for one in other)
            for other in self.units.values()
            if other is not members and len(other) >= size
        )
        before = self.seeds + others
        turn = _Turn(
            free=self.total - before,
            before=before,
            members=size,
            seeded=seeded,
            unseeded=size - seeded,
            irregular=sum(one.number in self.irregular for one in members),
            seeds=self.seeds,
            loose=len(self.irregular),
        )
        yield from self._rounds(size, self.most_in(self.root, turn))

    def of_group(self, size: int) -> Iterator[RoundApart]:
        """The rounds of a further group: as many as the zone holds may be there."""
        largest = _largest(self.root)
        yield from self._rounds(size, {one: min(size, free) for one, free in largest.items()})

    def _rounds(self, size: int, most: Mapping[int, int]) -> Iterator[RoundApart]:
        for round_ in self.plan.rounds:
            tables = len(round_.tables)
            places = tables + (self.plan.byes if round_.number == 1 else 0)
            fewest = -(-size // places)
            yield RoundApart(
                round=round_.number,
                tables=tables,
                seats=self.seats[round_.number - 1],
                most=max(fewest, most.get(round_.number, 1)),
                fewest=fewest,
            )

    def _most_in(self, zone: _Zone, turn: _Turn) -> dict[int, int]:
        """Round → the most of the group in one zone of it, in this zone and below."""
        found: Counter[int] = Counter({zone.round: min(turn.members, zone.free)})
        shares = _shares(zone, turn) if zone.children else {}
        for child, share in shares.items():
            for round_number, most in self.most_in(child, share).items():
                found[round_number] = max(found[round_number], most)
        return dict(found)


def _shares(zone: _Zone, turn: _Turn) -> dict[_Zone, _Turn]:
    """What of the group's turn each child may get at the worst."""
    count = len(zone.children)
    sizes = [child.free for child in zone.children]
    share = -(-turn.members // count)
    seeds, spread = _seed_share(zone, turn.seeds)
    level = max(sizes) - min(sizes)
    slack = min(max(sizes), max(1, level + spread) + 2 * turn.loose + turn.seeds)
    is_tight = turn.loose == 0 and turn.seeds == 0 and level <= 1
    at_least = max(
        0,
        -(-(turn.free - (count - 1) * slack) // count),
        min(sizes) - turn.before,
    )
    if turn.unseeded == 0:
        most = min(turn.seeded, seeds)
    elif is_tight or at_least >= share:
        most = max(share, min(turn.seeded, seeds)) + turn.irregular
    else:
        most = turn.members
    shares = {}
    for child in set(zone.children):
        members = min(most, turn.members, child.free)
        shares[child] = _Turn(
            free=min(child.free, at_least),
            before=min(turn.before, child.free),
            members=members,
            seeded=min(turn.seeded, seeds, members),
            unseeded=min(turn.unseeded, members),
            irregular=min(turn.irregular, members),
            seeds=min(seeds, child.free),
            loose=min(turn.loose, child.free),
        )
    return shares


def _seed_share(zone: _Zone, seeds: int) -> tuple[int, int]:
    """The most seeds in one child, and by how many the children's may differ.

    Seeds are level over the children as long as none runs out of byes before the others (C4.4).
    """
    if not seeds:
        return 0, 0
    share = -(-seeds // len(zone.children))
    byes = [child.byes for child in zone.children]
    if (max(byes) == 0 or share <= min(byes)) and share <= min(c.free for c in zone.children):
        return share, 1
    return seeds, seeds


def _root(plan: Plan) -> _Zone:
    """The plan's tree; zones of one shape are one and the same."""
    known: dict[tuple[_Zone | int, ...], _Zone] = {}
    row: list[_Zone] = []
    for round_ in plan.rounds:
        below, row = row, []
        for table in round_.tables:
            own = sum(seat.kind is SeatKind.ENTRANT for seat in table.seats)
            feeders = [seat.table for seat in table.seats if seat.table and seat.place == 1]
            byes = own if round_.number > 1 else 0
            children = (_BYE,) * byes + tuple(below[feeder - 1] for feeder in feeders)
            zone = _Zone(
                round_.number,
                sum(child.free for child in children) if children else own,
                sum(child.byes for child in children),
                children,
            )
            row.append(known.setdefault((round_.number, zone.free, *children), zone))
    return row[0]


_BYE = _Zone(0, 1, 1, ())


def _largest(root: _Zone) -> dict[int, int]:
    """Round → the seats of its largest zone."""
    found: dict[int, int] = {}
    waiting = {root}
    while waiting:
        for zone in waiting:
            found[zone.round] = max(found.get(zone.round, 0), zone.free)
        waiting = {child for zone in waiting for child in zone.children}
    return found
