"""Knock-out of style `redraw`: the fields from round to round (C3.2).

Each round has ⌈n/p⌉ tables as even as possible. Who advances is joined by the best of those who
were next at their tables (second places; third where two advance) up to the next field.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tournament.pairing.errors import PairingError
from tournament.pairing.plan import check_field, fillers_at

FIRST_ONLY: Final = (3, 2)
"""Three at a table, two advancing: in the first round only (C3)."""


@dataclass(frozen=True, slots=True)
class RedrawRound:
    """One round: its field, the entrants at each table, and how the next field is made.

    `advance` go on from every table, `extra` more are the best of the next places, `left` is
    the next field (1 after the final).
    """

    number: int
    field: int
    sizes: tuple[int, ...]
    fillers: int
    advance: int
    extra: int
    left: int


def table_sizes(field: int, table_size: int) -> tuple[int, ...]:
    """The entrants at each of ⌈n/p⌉ tables, as even as possible, the fuller ones first."""
    tables = -(-field // table_size)
    least, more = divmod(field, tables)
    return (least + 1,) * more + (least,) * (tables - more)


def allows_first_two(entrants: int) -> bool:
    """Whether two may advance from the first round's tables of three: somebody must go out."""
    if entrants <= FIRST_ONLY[0]:
        return False
    sizes = table_sizes(entrants, FIRST_ONLY[0])
    left, extra = next_field(sizes, *FIRST_ONLY)
    return left < entrants and extra <= sum(size > FIRST_ONLY[1] for size in sizes)


def redraw_rounds(
    entrants: int, table_size: int = 3, advance: int = 1, *, first_advance: int | None = None
) -> tuple[RedrawRound, ...]:
    """The rounds from n ≥ 2 entrants to the final.

    `first_advance` 2 with tables of three is (3,2) in the first round. Raises `PairingError`:
    `plan-size`, `plan-entrants`, `plan-first` ((3,2) where nobody would go out).
    """
    check_field(entrants, table_size, advance)
    first = first_advance or advance
    if first != advance and ((table_size, first) != FIRST_ONLY or not allows_first_two(entrants)):
        raise first_only()
    rounds: list[RedrawRound] = []
    field = entrants
    while field > 1:
        sizes = table_sizes(field, table_size)
        going = first if not rounds else advance
        left, extra = next_field(sizes, table_size, going) if len(sizes) > 1 else (1, 0)
        rounds.append(
            RedrawRound(
                number=len(rounds) + 1,
                field=field,
                sizes=sizes,
                fillers=sum(fillers_at(size, table_size) for size in sizes),
                advance=going if len(sizes) > 1 else 1,
                extra=extra,
                left=left,
            )
        )
        field = left
    return tuple(rounds)


def first_only() -> PairingError:
    """What is said where (3,2) cannot be (`plan-first`)."""
    return PairingError(
        "plan-first",
        "首轮 3 进 2 要用 3 人桌，至少 7 人。",
        "Two advancing in the first round needs tables of three and at least seven entrants.",
    )


def next_field(sizes: Sequence[int], table_size: int, advance: int) -> tuple[int, int]:
    """The next field and how many of the next places it takes (C3.2)."""
    winners = sum(min(advance, size) for size in sizes)
    there = sum(size > advance for size in sizes)
    power = table_size
    while power < winners:
        power *= table_size
    field = power if 2 * (power - winners) <= there else -(-winners // table_size) * table_size
    return field, field - winners
