"""The preliminary by rotation: who meets whom in which round, fillers, and the cut (C5).

Places of the plan are numbers from 1. With m = ⌈n/3⌉ tables column A holds 1, 4, 7 …, column B
2, 5, 8 … and column C 3, 6, 9 …, so that round one reads 123 456 789 … for every n. Who sits at
which number is not said here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from tournament.pairing.errors import PairingError

LEAST: Final = 6
"""With fewer entrants there is no preliminary (C5.1)."""
SEATS: Final = 3
COLUMNS: Final = "ABC"

Tables = tuple[tuple[int, ...], ...]
"""A round: the numbers at each table, in the order of the seats 甲 乙 丙."""

OF_SIX: Final[tuple[Tables, ...]] = (
    ((1, 2, 3), (4, 5, 6)),
    ((1, 2, 4), (3, 5, 6)),
    ((1, 3, 5), (2, 4, 6)),
    ((1, 4, 5), (2, 3, 6)),
)
OF_NINE: Final[tuple[Tables, ...]] = (
    ((1, 2, 3), (4, 5, 6), (7, 8, 9)),
    ((1, 4, 7), (2, 5, 8), (3, 6, 9)),
    ((1, 5, 9), (2, 6, 7), (3, 4, 8)),
    ((1, 6, 8), (2, 4, 9), (3, 5, 7)),
)
_SQUARES: Final = (
    ((0, 0, 0), (1, 1, 1), (2, 2, 2), (3, 3, 3)),
    ((0, 1, 2), (1, 0, 3), (2, 3, 0), (3, 2, 1)),
    ((0, 2, 3), (1, 3, 2), (2, 0, 1), (3, 1, 0)),
    ((0, 3, 1), (1, 2, 0), (2, 1, 3), (3, 0, 2)),
)
"""Four tables: the rows of A, B and C at each table of each round (C5.1)."""
_MEET_IN_FOURTH: Final = frozenset({6, 8})
"""The fillers of seven entrants at the plan of nine: apart for three rounds (C5.2)."""


class Cuts(NamedTuple):
    """How many go on: the usual number, and one power down or up where that can be (C5.5)."""

    usual: int
    down: int | None
    up: int | None


@dataclass(frozen=True, slots=True)
class Rotation:
    """The whole seating before round one.

    `fillers` are the numbers at which nobody is entered; `entrants` counts the others.
    """

    entrants: int
    rounds: tuple[Tables, ...]
    fillers: frozenset[int]

    @property
    def tables(self) -> int:
        """Tables a round."""
        return len(self.rounds[0])

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers that entrants take, ascending."""
        return tuple(n for n in range(1, SEATS * self.tables + 1) if n not in self.fillers)

    @property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of entrants in A, B and C. Nobody meets his own column, the plan of nine
        and that of six excepted (C5.3).
        """
        return tuple(tuple(n for n in self.numbers if column_of(n) == column) for column in COLUMNS)


def column_of(number: int) -> str:
    """A, B or C. Who sits in A has the same table all day, the plans of six and nine excepted."""
    return COLUMNS[(number - 1) % SEATS]


def table_count(entrants: int) -> int:
    """m = ⌈n/3⌉."""
    return -(-entrants // SEATS)


def rounds_possible(entrants: int) -> int:
    """The most rounds before a pair would meet again (with six: a third time); 0 below six.

    m for an odd number m of tables, m/2 for an even one, four for four tables; n = 6, 8 and 9
    four rounds, n = 7 three (C5.1, C5.2).
    """
    if entrants < LEAST:
        return 0
    if entrants in (6, 8, 9):
        return 4
    tables = table_count(entrants)
    if tables == len(_SQUARES):
        return len(_SQUARES)
    return tables if tables % 2 else tables // 2


def fillers_of(entrants: int) -> frozenset[int]:
    """The numbers of the plan that fillers (陪打) take, at most two, never at one table (C5.2)."""
    if entrants == 7:
        return _MEET_IN_FOURTH
    last = SEATS * table_count(entrants)
    missing = last - entrants
    return frozenset(last - SEATS * k for k in range(missing))


def check_rounds(entrants: int, rounds: int | None = None) -> int:
    """The number of rounds, all that are possible without `rounds`. Raises as `rotation` does."""
    most = rounds_possible(entrants)
    if not most:
        raise PairingError(
            "rotation-entrants",
            f"预赛至少要 {LEAST} 人；人少就直接打淘汰赛。",
            f"A preliminary needs at least {LEAST} entrants; with fewer play the knock-out only.",
        )
    wanted = most if rounds is None else rounds
    if not 1 <= wanted <= most:
        raise PairingError(
            "rotation-rounds",
            f"{entrants} 人的预赛可以打 1 到 {most} 轮，再多就要重复同桌。",
            f"With {entrants} entrants the preliminary has 1 to {most} rounds; "
            "more would seat people together again.",
        )
    return wanted


def rotation(entrants: int, rounds: int | None = None) -> Rotation:
    """The seating of so many rounds, all that are possible without `rounds` (C5.1).

    Raises `PairingError`: `rotation-entrants` (fewer than six), `rotation-rounds` (more than can
    be played without meeting again, or none).
    """
    wanted = check_rounds(entrants, rounds)
    return Rotation(entrants, _seatings(entrants, wanted), fillers_of(entrants))


def cuts(entrants: int, table_size: int = 3) -> Cuts | None:
    """How many of n go on to the knock-out: the largest p^j ≤ n/2, at least p (C5.5).

    `up` is the next power where it leaves somebody out. None where there is no preliminary.
    """
    if entrants < LEAST:
        return None
    usual = table_size
    while usual * table_size * 2 <= entrants:
        usual *= table_size
    down = usual // table_size
    up = usual * table_size
    return Cuts(usual, down if down >= table_size else None, up if up < entrants else None)


def _seatings(entrants: int, rounds: int) -> tuple[Tables, ...]:
    tables = table_count(entrants)
    if entrants == LEAST:
        return OF_SIX[:rounds]
    if tables == SEATS:
        return OF_NINE[:rounds]
    if tables == len(_SQUARES):
        rows: tuple[tuple[tuple[int, ...], ...], ...] = _SQUARES[:rounds]
    else:
        rows = tuple(
            tuple((j, (j + r) % tables, (j + 2 * r) % tables) for j in range(tables))
            for r in range(rounds)
        )
    return tuple(
        tuple(tuple(SEATS * row + k + 1 for k, row in enumerate(table)) for table in round_)
        for round_ in rows
    )
