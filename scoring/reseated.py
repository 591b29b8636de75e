"""Columns of a hand swapped where the wrong people sat at the seats (C9.4): plain values.

A *seating* is a permutation of the seats: `seating[0]` is the column of who is written as 甲.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.events import SEATS
from scoring.counted import Claimed, Counted, EntryError


def seats_of(payload: Mapping[str, object], seats: int) -> tuple[int, ...]:
    """The payload's seating, each seat its own where it has none. Raises `EntryError`."""
    found = payload.get("seats")
    if found is None:
        return tuple(range(seats))
    if not isinstance(found, (list, tuple)) or sorted(found) != list(range(seats)):
        raise EntryError(
            "", "unknown-seat", "R2.2", "每个座位要正好换到一个座位", "each seat goes to one seat"
        )
    return tuple(found)


def after(first: Sequence[int], second: Sequence[int]) -> tuple[int, ...]:
    """The seating that does `first`, then `second`."""
    return tuple(second[seat] for seat in first)


def inverse(seating: Sequence[int]) -> tuple[int, ...]:
    """The seating that takes `seating` back."""
    return tuple(seating.index(seat) for seat in range(len(seating)))


def moved(values: Sequence[int], seating: Sequence[int]) -> tuple[int, ...]:
    """One value a seat, each at the seat it goes to; what is beyond the seating stays."""
    found = list(values)
    for seat, target in enumerate(seating):
        found[target] = values[seat]
    return tuple(found)


def reseated(counted: Counted, seating: Sequence[int]) -> Counted:
    """The hand with its columns swapped: points, winners, payer, dealer and the engine's result.

    The payload keeps what was entered, with the seating beside it.
    """
    if list(seating) == sorted(seating):
        return counted
    claimed = counted.claimed
    return replace(
        counted,
        payload={**counted.payload, "seats": list(seating)},
        deltas=moved(counted.deltas, seating),
        computed=None if counted.computed is None else _result(counted.computed, seating),
        dealer=None if counted.dealer is None else seating[counted.dealer],
        winners=None if counted.winners is None else tuple(seating[w] for w in counted.winners),
        payer=None if counted.payer is None else seating[counted.payer],
        claimed=None
        if claimed is None
        else Claimed(claimed.hu, claimed.total, tuple((seating[s], d) for s, d in claimed.deltas)),
    )


def _result(computed: Mapping[str, object], seating: Sequence[int]) -> dict[str, object]:
    """The engine's result as JSON (`Result.as_json`) with the seats renamed."""
    winners, payer, deltas = computed["winner"], computed["payer"], computed["deltas"]
    assert isinstance(winners, list)
    assert isinstance(deltas, list)
    return {
        **computed,
        "winner": [_renamed(name, seating) for name in winners],
        "payer": None if payer is None else _renamed(payer, seating),
        "deltas": list(moved(deltas, seating)),
        "next_dealer": _renamed(computed["next_dealer"], seating),
    }


def _renamed(name: object, seating: Sequence[int]) -> str:
    return SEATS[seating[SEATS.index(str(name))]]
