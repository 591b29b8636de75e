"""Knock-out plans of style `fixed`: how many tables, byes and fillers, and who feeds whom (C3).

A plan is a function of the number of entrants n, the table size p, how many advance a, and the
way. It is a tree: every round is a row of tables, and a table's feeders are neighbours in the row
before (C3.5), so the tree splits into p / a zones, each again into as many. With two of four
advancing both go on to the same table.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from tournament.pairing.errors import PairingError

ALLOWED = frozenset({(2, 1), (3, 1), (4, 1), (4, 2)})
"""The pairs (table size p, advancing a) a fixed plan may have (C3)."""

DOZEN = 50
"""Minutes that twelve hands take (C5.6)."""


class Way(StrEnum):
    """The two ways to a clean field: an extra first round with byes (轮空), or tables of four
    (C3.1).
    """

    BYES = "byes"
    COMPACT = "compact"


class SeatKind(StrEnum):
    """Who will sit in a seat: an entrant, a filler (陪打), or who comes from a table before."""

    ENTRANT = "entrant"
    FILLER = "filler"
    FEEDER = "feeder"


class Seat(NamedTuple):
    """One seat of a table.

    `entrant` is the number of the entrant drawn there, None in a plan not yet drawn and for other
    kinds. `table` and `place` are set for a feeder: place 1 … a of that table of the round before.
    """

    kind: SeatKind
    entrant: int | None = None
    table: int | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class PlanTable:
    """A table: its number in the round (from 1), its seats 甲 乙 丙 (丁), and how many advance."""

    number: int
    seats: tuple[Seat, ...]
    advance: int

    @property
    def players(self) -> int:
        """Seats that are not fillers."""
        return sum(seat.kind is not SeatKind.FILLER for seat in self.seats)


@dataclass(frozen=True, slots=True)
class PlanRound:
    """A round: its number (from 1) and its tables in order."""

    number: int
    tables: tuple[PlanTable, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole knock-out from the first round to the final."""

    entrants: int
    table_size: int
    advance: int
    way: Way
    rounds: tuple[PlanRound, ...]

    @property
    def byes(self) -> int:
        """Entrants who sit out the first round (轮空): entrant seats of the second round."""
        return sum(
            seat.kind is SeatKind.ENTRANT
            for round_ in self.rounds[1:2]
            for table in round_.tables
            for seat in table.seats
        )


@dataclass(frozen=True, slots=True)
class RoundLength:
    """How long a table plays: a number of hands, a number of minutes, or whichever is first."""

    hands: int | None = None
    minutes: int | None = None

    def estimate(self, dozen: int = DOZEN) -> int:
        """Minutes to expect, where twelve hands take `dozen`; raises without either."""
        known = [] if self.minutes is None else [self.minutes]
        if self.hands is not None:
            known.append(-(-self.hands * dozen // 12))
        if not known:
            raise PairingError(
                "round-length",
                "请填每轮的手数或分钟数。",
                "Give the hands or the minutes of a round.",
            )
        return min(known)


@dataclass(frozen=True, slots=True)
class RoundNumbers:
    """One round in figures: what the organizer sees of it before choosing."""

    number: int
    tables: int
    four_seat_tables: int
    short_tables: int
    fillers: int
    players: int
    eliminated: int
    minutes: int


@dataclass(frozen=True, slots=True)
class PlanNumbers:
    """A plan in figures: byes, fillers, all tables, the most at once, minutes, and each round."""

    byes: int
    fillers: int
    tables: int
    most_tables: int
    minutes: int
    rounds: tuple[RoundNumbers, ...]


def first_dealer(round_number: int, table_size: int) -> int:
    """The seat (甲 = 0) that deals the first hand in this round, counted from 1 (C2.1)."""
    return (round_number - 1) % table_size


def ways(entrants: int, table_size: int = 3, advance: int = 1) -> tuple[Way, ...]:
    """The ways that exist for these numbers, the default first (C3.1)."""
    check_field(entrants, table_size, advance)
    field = _clean_field(entrants, table_size, advance)
    if table_size == 3 and field < entrants <= field * 4 // 3:
        return Way.COMPACT, Way.BYES
    return (Way.BYES,)


def first_tables(entrants: int, table_size: int, advance: int, way: Way) -> list[int]:
    """How many entrants sit at each table of the first round (C3.1); the way is possible."""
    if entrants <= table_size:
        return [entrants]
    field = _clean_field(entrants, table_size, advance)
    extra = entrants - field
    if extra == 0 or way is Way.COMPACT:
        return [table_size + fourth for fourth in _spread(extra, field // table_size)]
    full, rest = divmod(extra, table_size - advance)
    return [table_size] * full + ([advance + rest] if rest else [])


def fillers_at(entrants: int, table_size: int) -> int:
    """Fillers at a table of so many: up to three where the size is 3 or 4, else to two (C3.1)."""
    return max(0, min(3, table_size) - entrants)


def make_plan(entrants: int, table_size: int = 3, advance: int = 1, way: Way | None = None) -> Plan:
    """The plan for n ≥ 2 entrants; without `way` the default one (C3.1).

    Raises `PairingError`: `plan-size` (table size and advancing do not go together),
    `plan-entrants` (fewer than two), `plan-way` (no compact plan for this number).
    """
    possible = ways(entrants, table_size, advance)
    chosen = possible[0] if way is None else way
    if chosen not in possible:
        raise no_such_way(entrants)
    rows = _opening(entrants, table_size, advance, chosen)
    while len(rows[-1]) > 1:
        branch = table_size // advance
        rows.append(
            [
                [seat for feeder in range(branch) for seat in _feeder(first + feeder, advance)]
                for first in range(1, len(rows[-1]) + 1, branch)
            ]
        )
    return Plan(entrants, table_size, advance, chosen, _rounds(rows, advance))


def plan_numbers(plan: Plan, length: RoundLength, final: RoundLength | None = None) -> PlanNumbers:
    """The figures of a plan; `length` is that of every round, `final` of the last if it differs."""
    rounds = []
    for round_ in plan.rounds:
        is_last = round_.number == len(plan.rounds)
        sizes = [len(table.seats) for table in round_.tables]
        players = sum(table.players for table in round_.tables)
        rounds.append(
            RoundNumbers(
                number=round_.number,
                tables=len(sizes),
                four_seat_tables=sizes.count(4),
                short_tables=sum(table.players < plan.table_size for table in round_.tables),
                fillers=sum(sizes) - players,
                players=players,
                eliminated=players - sum(table.advance for table in round_.tables),
                minutes=(final if is_last and final else length).estimate(),
            )
        )
    return PlanNumbers(
        byes=plan.byes,
        fillers=sum(round_.fillers for round_ in rounds),
        tables=sum(round_.tables for round_ in rounds),
        most_tables=max(round_.tables for round_ in rounds),
        minutes=sum(round_.minutes for round_ in rounds),
        rounds=tuple(rounds),
    )


def no_such_way(entrants: int) -> PairingError:
    """What is said where tables of four do not lead to a clean field (`plan-way`)."""
    return PairingError(
        "plan-way",
        f"{entrants} 人不能用四人桌的办法，请选轮空的办法。",
        f"There is no plan with tables of four for {entrants}; choose the one with byes.",
    )


def check_field(entrants: int, table_size: int, advance: int) -> None:
    """Raises `PairingError`: `plan-size` where C3 has no such tables, `plan-entrants` below 2."""
    if (table_size, advance) not in ALLOWED:
        raise PairingError(
            "plan-size",
            f"{table_size} 人桌晋级 {advance} 人的办法没有；可选 2 进 1、3 进 1、4 进 1、4 进 2。",
            f"Tables of {table_size} with {advance} advancing do not exist; "
            "choose 2 to 1, 3 to 1, 4 to 1 or 4 to 2.",
        )
    if entrants < 2:
        raise PairingError(
            "plan-entrants",
            "至少要有两名选手才能编排，请先添加选手。",
            "A knock-out needs at least two entrants; add some first.",
        )


def _clean_field(entrants: int, table_size: int, advance: int) -> int:
    """The largest clean field that is not above n; the table size where n is smaller still."""
    field = table_size
    while field * table_size // advance <= entrants:
        field = field * table_size // advance
    return field


def _spread(items: int, tables: int) -> list[int]:
    """How many of the items each table gets, so that any block of neighbours has its even share."""
    return [(i + 1) * items // tables - i * items // tables for i in range(tables)]


def _entrants(count: int) -> list[Seat]:
    return [Seat(SeatKind.ENTRANT)] * count


def _feeder(table: int, advance: int) -> list[Seat]:
    return [Seat(SeatKind.FEEDER, table=table, place=k + 1) for k in range(advance)]


def _filled(count: int, table_size: int) -> list[Seat]:
    """A first-round table of `count` entrants, filled up to three where the size is 3 or 4
    (C3.1).
    """
    return _entrants(count) + [Seat(SeatKind.FILLER)] * fillers_at(count, table_size)


def _opening(entrants: int, table_size: int, advance: int, way: Way) -> list[list[list[Seat]]]:
    """The rounds in which entrants appear: one, or two where some have a bye."""
    first = [
        _filled(count, table_size) for count in first_tables(entrants, table_size, advance, way)
    ]
    field = _clean_field(entrants, table_size, advance)
    if entrants <= field or way is Way.COMPACT:
        return [first]
    second = []
    feeder = 1
    for count in _spread(len(first), field // table_size):
        seats = _entrants(table_size - count * advance)
        for table in range(feeder, feeder + count):
            seats += _feeder(table, advance)
        feeder += count
        second.append(seats)
    return [first, second]


def _rounds(rows: list[list[list[Seat]]], advance: int) -> tuple[PlanRound, ...]:
    return tuple(
        PlanRound(
            number,
            tuple(
                PlanTable(index, tuple(seats), advance if number < len(rows) else 1)
                for index, seats in enumerate(row, 1)
            ),
        )
        for number, row in enumerate(rows, 1)
    )
