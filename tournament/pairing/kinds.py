"""The kinds of draw: each fixes its own terms at the freeze and deals them in its own way (C4.4).

A published plan names its kind; the first one, the fixed knock-out, has no name. A new kind is a
class here with all that `Kind` asks, and its line in `KINDS`. Whatever a kind deals depends on
its terms, the frozen lines, the apart groups and the word stream alone (C4.5).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, Self

from tournament.pairing.deal import Deal, deal
from tournament.pairing.freeze import Line, Terms
from tournament.pairing.plan import Way, make_plan
from tournament.pairing.words import WordStream


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


KINDS: Final[Mapping[str, type[Kind]]] = {"": Fixed}
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


def is_int(value: object) -> bool:
    """A whole number, and not a truth."""
    return type(value) is int


def as_int(value: object) -> int:
    """What `is_int` is true of."""
    assert isinstance(value, int)
    return value


def _kind(plan: Mapping[str, object]) -> type[Kind] | None:
    name = plan.get("kind", "")
    return KINDS.get(name) if isinstance(name, str) and ("kind" in plan) == bool(name) else None
