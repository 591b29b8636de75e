"""Dealing the entrants into the seats of a plan (C4.4), and the public lots (C8.1).

All chance comes from one word stream, used in this order:

1. Seeds. The zones of depth 0, 1, 2 … of the plan's tree give the groups: seed 1, then as many
   seeds as there are still empty zones one level down, and so on; what is left after the tables
   is the last group. In each group the best b seeds (b = byes still free) are shuffled, then the
   others are; in that order each walks down from the final to a seat. At every table on the way
   the zones behind it are shuffled; of those with a free seat he takes one with a free bye, else
   any; among these one that still holds an empty zone of the group's level, else any; among these
   the one with the fewest seeds. With one advancing, byes never stand against zones; with two of
   four they come in pairs, and then the bye goes first (C3.5).
2. The units (代表单位) in order of their lowest number are shuffled, people without one being
   units of one, then sorted by size (seeds included), largest first. Unit by unit the members who
   are not seeds, in order of number, are shuffled and walk down likewise: the zone with the
   fewest of his apart groups, then the most free seats, then the first.
   With pots (C4.6) these two are one: pot by pot, the best first, the units are put in order as
   above, by their size in the whole list; the members in the pot are shuffled and each goes to
   the zone with the fewest of his pot, then one with a free bye, then the fewest of his apart
   groups, then the most free seats, then the first. In a clean field a table gets one of each
   pot by it. Seeds have no part in it.
3. Seats: round by round, table by table, the seats (entrants in the order they came, fillers and
   feeders in their places of the plan) are shuffled.
4. Lots: the numbers in order are shuffled; the first has lot 1, the best.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tournament.pairing.freeze import Line
from tournament.pairing.plan import Plan, PlanRound, PlanTable, Seat, SeatKind
from tournament.pairing.words import WordStream

Group = tuple[str, int]
"""A unit (name, 0), or a further apart group ("", index from 1)."""


@dataclass(frozen=True, slots=True)
class Together:
    """Members of one apart group at one table although they should be apart: a line of the log
    (C4.4).

    `unit` is the unit's name and `apart` 0, or `unit` is empty and `apart` says which further group
    it was (from 1).
    """

    round: int
    table: int
    unit: str
    apart: int
    numbers: tuple[int, ...]

    @property
    def zh(self) -> str:
        """The line in Chinese."""
        who = "、".join(map(str, self.numbers))
        group = f"第 {self.apart} 回避组" if self.apart else f"“{self.unit}”"
        return f"第 {self.round} 轮第 {self.table} 桌：{who} 号同属{group}，未能分开。"

    @property
    def en(self) -> str:
        """The line in English."""
        who = ", ".join(map(str, self.numbers))
        group = f"group {self.apart}" if self.apart else self.unit
        return (
            f"Round {self.round}, table {self.table}: nos. {who}, all of {group}, "
            "could not be kept apart."
        )


@dataclass(frozen=True, slots=True)
class Split:
    """A unit that no column of a preliminary could hold whole (C5.3): column → its numbers."""

    unit: str
    columns: Mapping[str, tuple[int, ...]]

    @property
    def zh(self) -> str:
        """The line in Chinese."""
        parts = "；".join(f"{c} 列 {'、'.join(map(str, n))} 号" for c, n in self.columns.items())
        return f"“{self.unit}”一列坐不下：{parts}。"

    @property
    def en(self) -> str:
        """The line in English."""
        parts = "; ".join(
            f"column {c} has nos. {', '.join(map(str, n))}" for c, n in self.columns.items()
        )
        return f"{self.unit} did not fit one column: {parts}."


@dataclass(frozen=True, slots=True)
class Columns:
    """How a preliminary was seated: `places` says who has which number of the rotation (the first
    has number 1, None is a filler), `walks` who should keep his table and cannot in all rounds.
    """

    places: tuple[int | None, ...]
    split: tuple[Split, ...]
    walks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """A plan dealt: the rounds with every seat in its final order, and how it came about.

    `order` holds the numbers in the order they were dealt, `together` whom the dealing could not
    keep apart, `lots` number → public lot (1 is best), `columns` what only a preliminary has.
    """

    rounds: tuple[PlanRound, ...]
    order: tuple[int, ...]
    together: tuple[Together, ...]
    lots: Mapping[int, int]
    columns: Columns | None = None

    def places(self) -> dict[int, tuple[int, int, int]]:
        """Number → (round, table, seat), rounds and tables from 1, seats from 0 (甲)."""
        return {
            seat.entrant: (round_.number, table.number, index)
            for round_ in self.rounds
            for table in round_.tables
            for index, seat in enumerate(table.seats)
            if seat.entrant is not None
        }


def deal(
    plan: Plan,
    lines: Sequence[Line],
    apart: Sequence[Sequence[int]],
    stream: WordStream,
    pots: Sequence[Sequence[int]] = (),
) -> Deal:
    """Deals the entrants of `lines` (in order of number, as many as the plan has) by C4.4; by
    C4.6 where there are `pots`, the best first, everybody in one of them.
    """
    return _Dealer(plan, lines, apart, stream).deal(pots)


def groups_of(lines: Sequence[Line], apart: Sequence[Sequence[int]]) -> dict[int, list[Group]]:
    """Number → his apart groups: his unit, and further ones."""
    groups: dict[int, list[Group]] = {
        line.number: [(line.unit, 0)] if line.unit else [] for line in lines
    }
    for index, group in enumerate(apart, 1):
        for number in group:
            groups[number].append(("", index))
    return groups


def units_of(lines: Sequence[Line], stream: WordStream) -> list[list[Line]]:
    """The units, largest first, equals and people without one in shuffled order (C4.4)."""
    units: dict[tuple[str, int], list[Line]] = {}
    for line in lines:
        units.setdefault((line.unit, 0 if line.unit else line.number), []).append(line)
    return sorted(stream.shuffled(list(units.values())), key=len, reverse=True)


def found_together(
    tables: Mapping[tuple[int, int], Sequence[int]], groups: Mapping[int, Sequence[Group]]
) -> Iterator[Together]:
    """Members of one group at one table; `tables` are numbers by (round, table)."""
    for (round_number, table), numbers in sorted(tables.items()):
        met: dict[Group, list[int]] = {}
        for number in sorted(numbers):
            for group in groups[number]:
                met.setdefault(group, []).append(number)
        for (unit, index), members in sorted(met.items()):
            if len(members) > 1:
                yield Together(round_number, table, unit, index, tuple(members))


@dataclass(slots=True)
class _Zone:
    """A table with all that feeds it, or a bye: a node of the plan's tree."""

    table: tuple[int, int]
    children: list["_Zone"]
    free: int
    byes: int
    seeds: int = 0
    empty: int = 0
    held: dict[Group, int] = field(default_factory=dict)
    of_pot: int = 0


class _Dealer:
    def __init__(
        self,
        plan: Plan,
        lines: Sequence[Line],
        apart: Sequence[Sequence[int]],
        stream: WordStream,
    ) -> None:
        self.plan = plan
        self.lines = lines
        self.stream = stream
        self.groups = groups_of(lines, apart)
        self.root = self._zone(len(plan.rounds), 1)
        self.order: list[int] = []
        self.seated: dict[tuple[int, int], list[int]] = {}

    def deal(self, pots: Sequence[Sequence[int]]) -> Deal:
        if pots:
            self._deal_pots(pots)
        else:
            self._deal_seeds()
            self._deal_units()
        rounds = tuple(
            PlanRound(
                round_.number,
                tuple(self._seats(round_.number, table) for table in round_.tables),
            )
            for round_ in self.plan.rounds
        )
        lots = self.stream.shuffled([line.number for line in self.lines])
        return Deal(
            rounds=rounds,
            order=tuple(self.order),
            together=tuple(found_together(self.seated, self.groups)),
            lots={number: lot for lot, number in enumerate(lots, 1)},
        )

    def _zone(self, round_number: int, table_number: int) -> _Zone:
        seats = self.plan.rounds[round_number - 1].tables[table_number - 1].seats
        here = (round_number, table_number)
        own = sum(seat.kind is SeatKind.ENTRANT for seat in seats)
        if round_number == 1:
            return _Zone(here, [], free=own, byes=0)
        feeders = [seat.table for seat in seats if seat.table and seat.place == 1]
        children = [_Zone(here, [], free=1, byes=1) for _ in range(own)]
        children += [self._zone(round_number - 1, feeder) for feeder in feeders]
        return _Zone(
            here,
            children,
            free=sum(child.free for child in children),
            byes=sum(child.byes for child in children),
        )

    def _deal_seeds(self) -> None:
        seeds = sorted((line.seed, line.number) for line in self.lines if line.seed is not None)
        waiting = [number for _, number in seeds]
        level = 0
        while waiting:
            size = _count_empty(self.root, level) or len(waiting)
            group, waiting = waiting[:size], waiting[size:]
            byes = self.root.byes
            for number in self.stream.shuffled(group[:byes]) + self.stream.shuffled(group[byes:]):
                self._seat_seed(number)
            level += 1

    def _seat_seed(self, number: int) -> None:
        path = self._way(lambda child: (child.byes == 0, child.empty == 0, child.seeds))
        for step in path:
            step.seeds += 1
            step.empty = max(0, step.empty - 1)
        self._sit(number, path)

    def _deal_units(self) -> None:
        for unit in units_of(self.lines, self.stream):
            members = [line.number for line in unit if line.seed is None]
            for number in self.stream.shuffled(members):
                self._seat_member(number)

    def _deal_pots(self, pots: Sequence[Sequence[int]]) -> None:
        for pot in pots:
            here = set(pot)
            _forget_pot(self.root)
            for unit in units_of(self.lines, self.stream):
                members = [line.number for line in unit if line.number in here]
                for number in self.stream.shuffled(members):
                    self._seat_of_pot(number)

    def _seat_of_pot(self, number: int) -> None:
        path = self._way(lambda child: (child.of_pot, child.byes == 0, *self._apart(number, child)))
        for step in path:
            step.of_pot += 1
        self._sit(number, path)

    def _seat_member(self, number: int) -> None:
        self._sit(number, self._way(lambda child: self._apart(number, child)))

    def _apart(self, number: int, child: _Zone) -> tuple[int, int]:
        """The fewer of his groups first, then the more free seats."""
        return sum([child.held.get(group, 0) for group in self.groups[number]]), -child.free

    def _way(self, order: Callable[[_Zone], tuple[int, ...]]) -> list[_Zone]:
        """From the root down to a table: each time the zone with a free seat that comes first by
        `order`, equals in a shuffled one."""
        zone, path = self.root, [self.root]
        while zone.children:
            shuffled = self.stream.shuffled(zone.children)
            zone = min((child for child in shuffled if child.free), key=order)
            path.append(zone)
        return path

    def _sit(self, number: int, path: Sequence[_Zone]) -> None:
        bye = path[-1].byes
        for zone in path:
            zone.free -= 1
            zone.byes -= bye
            for group in self.groups[number]:
                zone.held[group] = zone.held.get(group, 0) + 1
        self.order.append(number)
        self.seated.setdefault(path[-1].table, []).append(number)

    def _seats(self, round_number: int, table: PlanTable) -> PlanTable:
        arrived = iter(self.seated.get((round_number, table.number), ()))
        filled = [
            Seat(SeatKind.ENTRANT, next(arrived)) if seat.kind is SeatKind.ENTRANT else seat
            for seat in table.seats
        ]
        return PlanTable(table.number, tuple(self.stream.shuffled(filled)), table.advance)


def _forget_pot(zone: _Zone) -> None:
    """Nobody of the next pot is in any zone yet."""
    zone.of_pot = 0
    for child in zone.children:
        _forget_pot(child)


def _count_empty(zone: _Zone, level: int) -> int:
    """Marks on every zone how many zones of that level under it hold no seed; returns it for this
    one.
    """
    if level == 0 or not zone.children:
        zone.empty = int(zone.seeds == 0)
    else:
        zone.empty = sum(_count_empty(child, level - 1) for child in zone.children)
    return zone.empty
