"""Units by the prizes of their people over all events of a competition (团体名次). Pure.

As in a table of medals: more first prizes before fewer, then more second ones, and so on; equal is
并列. A prize of a pair whose two are of different units counts for both units. Who has no unit
counts for none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scoring.standings import Prize


@dataclass(frozen=True, slots=True)
class Won:
    """A prize and the units of who has won it."""

    prize: Prize
    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnitPlace:
    """A line: how many of each prize the unit has, in the order of the prizes; `shared` is 并列."""

    unit: str
    counts: tuple[int, ...]
    place: int
    shared: bool

    @property
    def total(self) -> int:
        """All its prizes."""
        return sum(self.counts)


def unit_places(won: Iterable[Won], prizes: Sequence[Prize]) -> list[UnitPlace]:
    """The units with a prize, best first, equals by name; `prizes` are those that are given."""
    counted: dict[str, Counter[Prize]] = defaultdict(Counter)
    for one in won:
        for unit in dict.fromkeys(filter(None, one.units)):
            counted[unit][one.prize] += 1
    counts = {unit: tuple(found[prize] for prize in prizes) for unit, found in counted.items()}
    order = sorted(counts, key=lambda unit: ([-n for n in counts[unit]], unit))
    level = Counter(counts.values())
    return [
        UnitPlace(
            unit,
            counts[unit],
            1 + sum(other > counts[unit] for other in counts.values()),
            level[counts[unit]] > 1,
        )
        for unit in order
    ]
