"""The kinds of draw: each fixes its own terms at the freeze and deals them in its own way (C4.4).

A published plan names its kind; the first one, the fixed knock-out, has no name. A new kind is a
class here with all that `Kind` asks, and its line in `KINDS`. Whatever a kind deals depends on
its terms, the frozen lines, the apart groups and the word stream alone (C4.5).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Protocol, Self

from tournament.pairing.deal import Deal, deal
from tournament.pairing.errors import PairingError
from tournament.pairing.freeze import Line, Terms
from tournament.pairing.plan import Way, make_plan
from tournament.pairing.redraw import FIRST_ONLY, first_only, redraw_rounds
from tournament.pairing.redraw_deal import deal_round
from tournament.pairing.rotation import SEATS, check_rounds, rotation
from tournament.pairing.rotation_deal import deal_rotation
from tournament.pairing.words import WordStream

MOST_ROUNDS: Final = 12
"""Of a preliminary: nobody plays more, and a public page must not be kept busy with it."""

MOST_REDRAWN: Final = 2187
"""Of one round of `redraw`: every table is looked at for every entrant."""


class Kind(Terms, Protocol):
    """The terms of one kind of draw, and how it is dealt."""

    @property
    def table_size(self) -> int:
        """Seats of a table: the first dealer goes round by it (C2.1)."""

    @classmethod
    def fits(cls, plan: Mapping[str, object]) -> bool:
        """Whether a published plan has exactly the fields of this kind, of the right types."""

    @classmethod
    def read(cls, plan: Mapping[str, object]) -> Self:
        """The terms of a published plan that fits."""

    def deal(
        self, lines: Sequence[Line], apart: Sequence[Sequence[int]], stream: WordStream
    ) -> Deal:
        """Deals the entrants, `lines` in order of number; the terms are settled."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """The knock-out of style `fixed` (C3.1); without `way` the default one."""

    table_size: int = 3
    advance: int = 1
    way: Way | None = None

    def settled(self, numbers: Sequence[int]) -> Self:
        """Raises what `make_plan` does."""
        plan = make_plan(len(numbers), self.table_size, self.advance, self.way)
        return replace(self, way=plan.way)

    def as_json(self, entrants: int) -> Mapping[str, object]:
        """Without a name, as those that were published before there were kinds."""
        return {
            "entrants": entrants,
            "table_size": self.table_size,
            "advance": self.advance,
            "way": str(self.way),
        }

    @classmethod
    def fits(cls, plan: Mapping[str, object]) -> bool:
        """See `Kind`."""
        return (
            set(plan) == {"entrants", "table_size", "advance", "way"}
            and all(is_int(plan[field]) for field in ("entrants", "table_size", "advance"))
            and plan["way"] in list(Way)
        )

    @classmethod
    def read(cls, plan: Mapping[str, object]) -> Self:
        """See `Kind`."""
        return cls(as_int(plan["table_size"]), as_int(plan["advance"]), Way(str(plan["way"])))

    def deal(
        self, lines: Sequence[Line], apart: Sequence[Sequence[int]], stream: WordStream
    ) -> Deal:
        """Zone by zone from the final down (C4.4)."""
        plan = make_plan(len(lines), self.table_size, self.advance, self.way)
        return deal(plan, lines, apart, stream)


@dataclass(frozen=True, slots=True)
class Pots(Fixed):
    """A fixed knock-out after a preliminary (C4.6): `ranks` are the numbers, the best first."""

    ranks: tuple[int, ...] = ()

    @property
    def pots(self) -> tuple[tuple[int, ...], ...]:
        """See `pots_of`."""
        return pots_of(self.ranks, self.table_size)

    def settled(self, numbers: Sequence[int]) -> Self:
        """Raises what `make_plan` does, `pots-ranks` unless everybody has one rank."""
        check_ranks(self.ranks, numbers)
        plan = make_plan(len(numbers), self.table_size, self.advance, self.way)
        return replace(self, way=plan.way)

    def as_json(self, entrants: int) -> Mapping[str, object]:
        """See `Kind`."""
        return {
            "kind": "pots",
            "entrants": entrants,
            "table_size": self.table_size,
            "advance": self.advance,
            "way": str(self.way),
            "ranks": list(self.ranks),
        }

    @classmethod
    def fits(cls, plan: Mapping[str, object]) -> bool:
        """See `Kind`."""
        rest = {field: plan[field] for field in plan if field not in ("kind", "ranks")}
        return is_ints(plan.get("ranks")) and Fixed.fits(rest)

    @classmethod
    def read(cls, plan: Mapping[str, object]) -> Self:
        """See `Kind`."""
        way = Way(str(plan["way"]))
        size, advance = as_int(plan["table_size"]), as_int(plan["advance"])
        return cls(size, advance, way, as_ints(plan["ranks"]))

    def deal(
        self, lines: Sequence[Line], apart: Sequence[Sequence[int]], stream: WordStream
    ) -> Deal:
        """Pot by pot, zone by zone (C4.4, C4.6)."""
        plan = make_plan(len(lines), self.table_size, self.advance, self.way)
        return deal(plan, lines, apart, stream, self.pots)


@dataclass(frozen=True, slots=True)
class Preliminary:
    """A preliminary by rotation (C5): so many `rounds`, all seated at once; `steady` are the
    numbers of those who cannot walk from table to table (C5.3).
    """

    rounds: int
    steady: tuple[int, ...] = ()

    @property
    def table_size(self) -> int:
        """Three, as the rotation is made for."""
        return SEATS

    def settled(self, numbers: Sequence[int]) -> Self:
        """Raises what `check_rounds` does, `steady-number` where one is not on the list."""
        check_rounds(len(numbers), self.rounds)
        if self.rounds > MOST_ROUNDS:
            raise PairingError(
                "rotation-rounds",
                f"预赛最多打 {MOST_ROUNDS} 轮。",
                f"A preliminary has {MOST_ROUNDS} rounds at most.",
            )
        steady = tuple(sorted(set(self.steady)))
        for number in sorted(set(steady) - set(numbers)):
            raise PairingError(
                "steady-number",
                f"固定桌的 {number} 号不在名单上，请改正。",
                f"No. {number}, who should keep a table, is not on the list; correct it.",
            )
        return replace(self, steady=steady)

    def as_json(self, entrants: int) -> Mapping[str, object]:
        """See `Kind`."""
        return {
            "kind": "rotation",
            "entrants": entrants,
            "rounds": self.rounds,
            "steady": list(self.steady),
        }

    @classmethod
    def fits(cls, plan: Mapping[str, object]) -> bool:
        """See `Kind`."""
        return (
            set(plan) == {"kind", "entrants", "rounds", "steady"}
            and is_int(plan["entrants"])
            and is_int(plan["rounds"])
            and is_ints(plan["steady"])
        )

    @classmethod
    def read(cls, plan: Mapping[str, object]) -> Self:
        """See `Kind`."""
        return cls(as_int(plan["rounds"]), as_ints(plan["steady"]))

    def deal(
        self, lines: Sequence[Line], apart: Sequence[Sequence[int]], stream: WordStream
    ) -> Deal:
        """Who gets which number of the rotation (C5.3)."""
        return deal_rotation(rotation(len(lines), self.rounds), lines, apart, self.steady, stream)


@dataclass(frozen=True, slots=True)
class Redraw:
    """One round, `round` from 1, of the knock-out of style `redraw` (C3.2): `advance` go on from
    every table; (3,2) in the first round only. `ranks` are the numbers, the best first, where the
    first round follows a preliminary and is drawn by pots (C4.6).
    """

    table_size: int = 3
    advance: int = 1
    round: int = 1
    ranks: tuple[int, ...] = ()

    def settled(self, numbers: Sequence[int]) -> Self:
        """Raises what `redraw_rounds` does; `plan-first` for (3,2) in a later round."""
        is_first_two = (self.table_size, self.advance) == FIRST_ONLY
        first = self.advance if is_first_two else None
        redraw_rounds(
            len(numbers),
            self.table_size,
            1 if is_first_two else self.advance,
            first_advance=first,
        )
        if self.round < 1 or (is_first_two and self.round > 1):
            raise first_only()
        if self.ranks:
            check_ranks(self.ranks, numbers)
        if len(numbers) > MOST_REDRAWN:
            raise PairingError(
                "plan-most",
                f"每轮重抽最多 {MOST_REDRAWN} 人。",
                f"At most {MOST_REDRAWN} entrants can be drawn anew every round.",
            )
        return self

    def as_json(self, entrants: int) -> Mapping[str, object]:
        """See `Kind`."""
        return {
            "kind": "redraw",
            "entrants": entrants,
            "table_size": self.table_size,
            "advance": self.advance,
            "round": self.round,
            **({"ranks": list(self.ranks)} if self.ranks else {}),
        }

    @classmethod
    def fits(cls, plan: Mapping[str, object]) -> bool:
        """See `Kind`."""
        fields = ("entrants", "table_size", "advance", "round")
        rest = {field: plan[field] for field in plan if field != "ranks"}
        return (
            set(rest) == {"kind", *fields}
            and all(is_int(plan[field]) for field in fields)
            and is_ints(plan.get("ranks", []))
        )

    @classmethod
    def read(cls, plan: Mapping[str, object]) -> Self:
        """See `Kind`."""
        size, advance = as_int(plan["table_size"]), as_int(plan["advance"])
        return cls(size, advance, as_int(plan["round"]), as_ints(plan.get("ranks", [])))

    def deal(
        self, lines: Sequence[Line], apart: Sequence[Sequence[int]], stream: WordStream
    ) -> Deal:
        """Table by table, all at one level."""
        pots = pots_of(self.ranks, self.table_size)
        return deal_round(self.round, self.table_size, self.advance, lines, apart, stream, pots)


KINDS: Final[Mapping[str, type[Kind]]] = {
    "": Fixed,
    "pots": Pots,
    "rotation": Preliminary,
    "redraw": Redraw,
}
"""Kind's name in a published plan → the class."""


def is_plan(value: object) -> bool:
    """Whether a published plan is one of a known kind, with all its fields and no others."""
    if not isinstance(value, dict):
        return False
    kind = _kind(value)
    return kind is not None and kind.fits(value)


def terms_of(plan: Mapping[str, object]) -> Kind:
    """The terms of a published plan, or of a draw's row, which keeps further things beside it.

    The plan is of a known kind.
    """
    kind = _kind(plan)
    assert kind is not None
    return kind.read(plan)


def pots_of(ranks: Sequence[int], table_size: int) -> tuple[tuple[int, ...], ...]:
    """As many pots as a table has seats, as even as they can be, the better ones larger (C4.6)."""
    size, more = divmod(len(ranks), table_size)
    ends = [size * k + min(k, more) for k in range(table_size + 1)]
    return tuple(tuple(ranks[start:end]) for start, end in pairwise(ends) if start < end)


def check_ranks(ranks: Sequence[int], numbers: Sequence[int]) -> None:
    """Raises `PairingError` `pots-ranks` unless everybody has one rank."""
    if sorted(ranks) != list(numbers):
        raise PairingError(
            "pots-ranks",
            "分档要用预赛名次：名单上的每个人都要有一个，名单外的没有。",
            "The pots need a preliminary rank for everybody on the list, and for nobody else.",
        )


def is_int(value: object) -> bool:
    """A whole number, and not a truth."""
    return type(value) is int


def as_int(value: object) -> int:
    """What `is_int` is true of."""
    assert isinstance(value, int)
    return value


def is_ints(value: object) -> bool:
    """A list of whole numbers."""
    return isinstance(value, list) and all(map(is_int, value))


def as_ints(value: object) -> tuple[int, ...]:
    """What `is_ints` is true of."""
    assert isinstance(value, list)
    return tuple(map(as_int, value))


def _kind(plan: Mapping[str, object]) -> type[Kind] | None:
    name = plan.get("kind", "")
    return KINDS.get(name) if isinstance(name, str) and ("kind" in plan) == bool(name) else None
