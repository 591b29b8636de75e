"""What somebody who is still in needs: tables before the final, and where he is at his own now.

Pure: plain whole numbers, seats are positions from 0 = 甲.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AtTable:
    """Where somebody is at a running table: `gap` in 舵 before (+) or behind (−) the line between
    who goes on and who does not, 0 level with it, None where nobody can take his place; `left` is
    how many hands are still to be played.
    """

    gap: int | None
    left: int


@dataclass(frozen=True, slots=True)
class Need:
    """`tables` is at how many tables, this one counted, he has still to go on before he sits in
    the final (0: he does); `now` how he stands at his table where it is running; `is_third` that
    he plays for third place beside the final."""

    tables: int
    now: AtTable | None = None
    is_third: bool = False


def at_table(nets: Mapping[int, int], position: int, *, advance: int, left: int) -> AtTable:
    """How the seat `position` stands at a table of which `advance` go on.

    `nets` has the net 舵 of those who can go on: fillers (C1.3) and who has left (C9.3) have no
    part in it. `left` is how many hands are missing, less than none where more were played.
    """
    others = sorted((net for seat, net in nets.items() if seat != position), reverse=True)
    gap = nets[position] - others[advance - 1] if len(others) >= advance else None
    return AtTable(gap, max(left, 0))


def need(round_: int, last: int, now: AtTable | None = None) -> Need:
    """What somebody needs whose next or present table is in round `round_` of `last`."""
    return Need(last - round_, now)
