"""A hand as counted, and why an entry cannot be: the values of `scoring.evidence`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.errors import ZipaiError
from engine.faults import Fault
from engine.melds import SOURCE_NAMES, Meld
from engine.result import DRAW_KIND, Result
from engine.rules import Rules
from engine.slip import SlipError


@dataclass(frozen=True)
class Terms:
    """What a table plays under: `rules` with the table's seats, and whose turn it is to deal."""

    rules: Rules
    dealer: int

    @property
    def seats(self) -> int:
        """How many sit at the table, 2 … 4."""
        return self.rules.seats


@dataclass(frozen=True)
class Claimed:
    """What was said at the table where it differs from what was computed, None where not said."""

    hu: int | None = None
    total: int | None = None
    deltas: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Counted:
    """A hand as counted.

    `payload` is what was entered, in canonical form; `computed` the engine's result as JSON,
    None for totals. Seats are numbers from 0 = 甲. `winners` is empty after 荒庄 and None where
    unknown. `hu` is in 胡, `xing` a count, `total` and `deltas` in 舵 (胡 points where the unit
    is `hu`); `deltas` has one number a seat, summing to zero. `claimed` is there where the table
    said something else (C6.3).
    """

    evidence: str
    payload: Mapping[str, object]
    deltas: tuple[int, ...]
    computed: Mapping[str, object] | None = None
    dealer: int | None = None
    winners: tuple[int, ...] | None = None
    source: str = ""
    special: str = ""
    payer: int | None = None
    hu: int | None = None
    xing: int | None = None
    total: int | None = None
    claimed: Claimed | None = None
    hands: int = 1


class EntryError(ZipaiError):
    """What was entered cannot be, and which field of the payload it is about ("" the whole).

    `melds` and `left` are the grouping that comes closest to a win, where that helps.
    """

    def __init__(self, field: str, code: str, rule: str, zh: str, en: str) -> None:
        super().__init__(code, rule, zh, en)
        self.field = field
        self.melds: tuple[Meld, ...] = ()
        self.left: tuple[int, ...] = ()

    @classmethod
    def of(cls, field: str, error: ZipaiError) -> EntryError:
        """The engine's error, about `field`."""
        made = cls(field, error.code, error.rule, error.zh, error.en)
        if isinstance(error, SlipError) and error.nearest is not None:
            made.melds, made.left = error.nearest.melds, error.nearest.left
        return made


class RecordError(EntryError):
    """A record that is not valid; `faults` say where, the first one first."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        first = faults[0]
        super().__init__("text", first.code, first.rule, first.zh, first.en)
        self.faults = tuple(faults)


def as_counted(
    evidence: str,
    payload: Mapping[str, object],
    dealer: int,
    result: Result,
    claimed: Claimed | None,
) -> Counted:
    """The engine's result for what was entered."""
    return Counted(
        evidence=evidence,
        payload=payload,
        deltas=result.deltas,
        computed=result.as_json(),
        dealer=dealer,
        winners=result.winners,
        source=DRAW_KIND if result.source is None else SOURCE_NAMES[result.source],
        special=str(result.special or ""),
        payer=result.payer,
        hu=result.hu,
        xing=result.xing,
        total=result.total,
        claimed=claimed,
    )
