"""Two states of a schedule side by side: what was moved from where to where.

A snapshot is plain JSON: `rounds` by id with event and title, `tables` by id with number, round,
begin, session, hall (the room's name), place and referee. Nothing here knows a calendar.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Snapshot = Mapping[str, Any]


class Moved(StrEnum):
    """What of a table is another than before."""

    NEW = "new"
    GONE = "gone"
    TIME = "time"
    PLACE = "place"
    REFEREE = "referee"


@dataclass(frozen=True, slots=True)
class Move:
    """Tables (numbers) of a round that were moved alike, `before` → `after`.

    Of a time both are ISO texts, of a place (hall, number), of a referee his id; None is nothing.
    """

    event: str
    round: str
    tables: tuple[int, ...]
    kind: Moved
    before: Any = None
    after: Any = None


def moves(before: Snapshot, after: Snapshot) -> list[Move]:
    """All differences, round by round, what is gone last."""
    found: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for key, table in after["tables"].items():
        round_ = after["rounds"][str(table["round"])]
        old = before["tables"].get(key)
        for kind, was, now in _changes(old, table):
            found[round_["event"], round_["title"], kind, was, now].append(table["number"])
    for key, table in before["tables"].items():
        if key not in after["tables"] and _is_planned(table):
            round_ = before["rounds"][str(table["round"])]
            found[round_["event"], round_["title"], Moved.GONE, None, None].append(table["number"])
    return [
        Move(event, title, tuple(sorted(numbers)), kind, was, now)
        for (event, title, kind, was, now), numbers in found.items()
    ]


def changed_tables(before: Snapshot, after: Snapshot) -> dict[int, tuple[Moved, ...]]:
    """Table's id → what everybody sees differently: new, another time, another place."""
    found: dict[int, tuple[Moved, ...]] = {}
    for key, table in after["tables"].items():
        kinds = [kind for kind, _was, _now in _changes(before["tables"].get(key), table)]
        seen = tuple(kind for kind in kinds if kind != Moved.REFEREE)
        if seen:
            found[int(key)] = seen
    return found


def _changes(old: Mapping[str, Any] | None, new: Mapping[str, Any]) -> list[tuple[Moved, Any, Any]]:
    if old is None or not _is_planned(old):
        return [(Moved.NEW, None, None)] if _is_planned(new) else []
    pairs = (
        (Moved.TIME, old["begins"], new["begins"]),
        (Moved.PLACE, _place(old), _place(new)),
        (Moved.REFEREE, old["referee"], new["referee"]),
    )
    return [(kind, was, now) for kind, was, now in pairs if was != now]


def _place(table: Mapping[str, Any]) -> tuple[str, int] | None:
    return None if table["place"] is None else (table["hall"], table["place"])


def _is_planned(table: Mapping[str, Any]) -> bool:
    return any(table[name] is not None for name in ("begins", "place", "referee"))
