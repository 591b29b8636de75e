"""Who takes which number of a rotation (C5.3), and the seats of all its rounds.

All chance comes from one word stream, used in this order:

1. Who cannot walk, in order of number, are shuffled; they take the numbers that change tables
   least (column A: never, the plans of six and nine excepted), the lowest first.
2. The units in order of their lowest number are shuffled, people without one being units of one,
   then sorted by size, largest first, of equal ones those with somebody of a further group first.
   Unit by unit the members who are left, in order of number, are shuffled. As long as some are
   waiting, the columns with a free number are shuffled; of those that hold all who wait it is the
   one with the most of their apart groups, then the fullest, then the first; where none holds
   all, the emptiest takes as many as it can. Each takes one of the column's free numbers,
   ascending: the one that the next word below their count points at.
3. Lots: the entrants' numbers in order are shuffled; the first has lot 1, the best.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from tournament.pairing.deal import (
    Columns,
    Deal,
    Group,
    Split,
    found_together,
    groups_of,
    units_of,
)
from tournament.pairing.freeze import Line
from tournament.pairing.plan import PlanRound, PlanTable, Seat, SeatKind
from tournament.pairing.rotation import COLUMNS, Rotation, column_of
from tournament.pairing.words import WordStream


def deal_rotation(
    found: Rotation,
    lines: Sequence[Line],
    apart: Sequence[Sequence[int]],
    steady: Sequence[int],
    stream: WordStream,
) -> Deal:
    """Seats the entrants of `lines` (in order of number, as many as the rotation has)."""
    return _Seating(found, lines, apart, stream).deal(steady)


def moves_of(found: Rotation) -> dict[int, int]:
    """Number of the rotation → how often it goes to another table from one round to the next."""
    at = [
        {number: table for table, numbers in enumerate(round_) for number in numbers}
        for round_ in found.rounds
    ]
    return {
        number: sum(here[number] != there[number] for here, there in pairwise(at))
        for number in found.numbers
    }


class _Seating:
    def __init__(
        self,
        found: Rotation,
        lines: Sequence[Line],
        apart: Sequence[Sequence[int]],
        stream: WordStream,
    ) -> None:
        self.found = found
        self.lines = lines
        self.stream = stream
        self.groups = groups_of(lines, apart)
        self.free = {
            column: list(numbers) for column, numbers in zip(COLUMNS, found.columns, strict=True)
        }
        self.held: dict[str, Counter[Group]] = {column: Counter() for column in COLUMNS}
        self.places: dict[int, int] = {}
        self.column: dict[int, str] = {}
        self.order: list[int] = []

    def deal(self, steady: Sequence[int]) -> Deal:
        walks = self._seat_steady(steady)
        units = sorted(units_of(self.lines, self.stream), key=self._rank, reverse=True)
        split = [split for unit in units for split in self._unit(unit)]
        lots = self.stream.shuffled([line.number for line in self.lines])
        return Deal(
            rounds=tuple(self._round(index) for index in range(len(self.found.rounds))),
            order=tuple(self.order),
            together=tuple(found_together(self._tables(), self.groups)),
            lots={number: lot for lot, number in enumerate(lots, 1)},
            columns=Columns(
                places=tuple(
                    self.places.get(place) for place in range(1, 3 * self.found.tables + 1)
                ),
                split=tuple(split),
                walks=tuple(walks),
            ),
        )

    def _seat_steady(self, steady: Sequence[int]) -> list[int]:
        """Seats who cannot walk; returns who has to, ascending."""
        moves = moves_of(self.found)
        spots = sorted(moves, key=lambda place: (moves[place], place))
        walks = []
        for number, place in zip(self.stream.shuffled(sorted(steady)), spots, strict=False):
            self._sit(number, place)
            if moves[place]:
                walks.append(number)
        return sorted(walks)

    def _rank(self, unit: Sequence[Line]) -> tuple[int, bool]:
        """What decides when a unit is seated."""
        further = any(index for line in unit for _name, index in self.groups[line.number])
        return len(unit), further

    def _unit(self, unit: Sequence[Line]) -> list[Split]:
        """Seats the rest of a unit; says where it did not get into one column."""
        waiting = self.stream.shuffled(
            [line.number for line in unit if line.number not in self.column]
        )
        while waiting:
            column = self._column(waiting)
            free = self.free[column]
            now, waiting = waiting[: len(free)], waiting[len(free) :]
            for number in now:
                self._sit(number, free[self.stream.below(len(free))])
        columns: dict[str, tuple[int, ...]] = {}
        for column in COLUMNS:
            here = tuple(line.number for line in unit if self.column[line.number] == column)
            if here:
                columns[column] = here
        return [Split(unit[0].unit, columns)] if len(columns) > 1 else []

    def _column(self, waiting: Sequence[int]) -> str:
        shuffled = self.stream.shuffled([column for column in COLUMNS if self.free[column]])
        fits = [column for column in shuffled if len(self.free[column]) >= len(waiting)]
        if not fits:
            return max(shuffled, key=lambda column: len(self.free[column]))
        groups = {group for number in waiting for group in self.groups[number]}
        return min(
            fits,
            key=lambda column: (
                -sum(self.held[column][group] for group in groups),
                len(self.free[column]),
            ),
        )

    def _sit(self, number: int, place: int) -> None:
        column = column_of(place)
        self.free[column].remove(place)
        self.held[column].update(self.groups[number])
        self.places[place], self.column[number] = number, column
        self.order.append(number)

    def _round(self, index: int) -> PlanRound:
        return PlanRound(
            index + 1,
            tuple(
                PlanTable(number, tuple(self._seat(place) for place in places), advance=0)
                for number, places in enumerate(self.found.rounds[index], 1)
            ),
        )

    def _seat(self, place: int) -> Seat:
        entrant = self.places.get(place)
        return Seat(SeatKind.FILLER) if entrant is None else Seat(SeatKind.ENTRANT, entrant)

    def _tables(self) -> Mapping[tuple[int, int], list[int]]:
        return {
            (round_number, table): [self.places[p] for p in places if p in self.places]
            for round_number, tables in enumerate(self.found.rounds, 1)
            for table, places in enumerate(tables, 1)
        }
