"""Which events a row names, and with whom somebody plays where two play together (C10)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tournament.sheets.cells import Row
from tournament.sheets.fields import Field, plain
from tournament.sheets.reasons import Code, Reason

BETWEEN = "、"
_APART = re.compile(r"[、,，/／;；+＋|]+")
_SAID_APART = (Field.EVENTS, Field.PARTNER)


@dataclass(frozen=True)
class Offered:
    """An event of the competition; `is_open` that people may come into it still."""

    name: str
    is_open: bool = True
    is_pairs: bool = False


@dataclass(frozen=True)
class Offer:
    """The events of a competition, the one that a row is for which names none (`usual`), and how
    many one may play in (None: any number)."""

    events: tuple[Offered, ...]
    usual: str
    limit: int | None = None

    @property
    def has_several(self) -> bool:
        """Whether a list may say which."""
        return len(self.events) > 1

    @property
    def has_pairs(self) -> bool:
        """Whether a list may say with whom."""
        return any(one.is_pairs for one in self.events)

    def named(self, name: str) -> Offered | None:
        """The event of this name, however it is spaced or bracketed."""
        exact = [one for one in self.events if one.name == name]
        alike = exact or [one for one in self.events if plain(one.name) == plain(name)]
        return alike[0] if len(alike) == 1 else None


def fields_of(offer: Offer) -> list[Field]:
    """The columns that a list of this competition may have."""
    unused = set() if offer.has_several else {Field.EVENTS}
    unused |= set() if offer.has_pairs else {Field.PARTNER}
    return [field for field in Field if field not in unused]


def chosen_in(rows: Iterable[Row], offer: Offer | None) -> list[Row]:
    """The rows with `chosen`, the events that each names as the competition calls them, and what
    is wrong with that among their faults. The same person in several rows, each with another
    event, is in all of them."""
    found = [_chosen(row, offer) for row in rows]
    if offer is None or not offer.has_several:
        return found
    together: dict[tuple[str, str], list[str]] = {}
    first: dict[tuple[str, str], Row] = {}
    said: list[tuple[tuple[str, str], Row]] = []
    for row in found:
        key = row.name, row.unit
        if not row.faults and _repeats(row, first.setdefault(key, row)):
            names = together.setdefault(key, [])
            names += [name for name in row.chosen if name not in names]
            said.append((key, row))
    mates = {key: row.partner for key, row in reversed(said) if row.partner}
    return [
        replace(
            _with(row, together[row.name, row.unit], offer),
            partner=row.partner or mates.get((row.name, row.unit), ""),
        )
        if not row.faults and _repeats(row, first[row.name, row.unit])
        else row
        for row in found
    ]


def _chosen(row: Row, offer: Offer | None) -> Row:
    if offer is None:
        return replace(row, events="", partner="", chosen=())
    partner = row.partner if offer.has_pairs else ""
    if not offer.has_several:
        return replace(row, events="", partner=partner, chosen=(offer.usual,))
    names, unknown = _names(row.events, offer)
    faults = list(row.faults)
    if unknown:
        known = BETWEEN.join(one.name for one in offer.events)
        faults.append(Reason(Code.NO_EVENT, {"name": unknown[0], "known": known}))
    if row.seed and names and offer.usual not in names:
        faults.append(Reason(Code.SEED_ELSEWHERE, {"event": offer.usual}))
    row = replace(row, partner=partner, faults=tuple(faults))
    if unknown:
        return row
    return _with(row, names or [offer.usual], offer, is_said=bool(names))


def _with(row: Row, names: Sequence[str], offer: Offer, *, is_said: bool = True) -> Row:
    """The row for these events, in the competition's order."""
    chosen = tuple(one.name for one in offer.events if one.name in names)
    return replace(row, chosen=chosen, events=BETWEEN.join(chosen) if is_said else "")


def _names(text: str, offer: Offer) -> tuple[list[str], list[str]]:
    """The known names in a cell, and what is none."""
    whole = offer.named(text) if text else None
    if whole is not None:
        return [whole.name], []
    names: list[str] = []
    unknown: list[str] = []
    for part in filter(None, map(str.strip, _APART.split(text))):
        one = offer.named(part)
        if one is None:
            unknown.append(part)
        elif one.name not in names:
            names.append(one.name)
    return names, unknown


def _repeats(row: Row, first: Row) -> bool:
    """Whether it says nothing else than the first row of this person, his event aside."""
    if row is first:
        return True
    pairs = [(row.value(f), first.value(f)) for f in Field if f not in _SAID_APART]
    return bool(row.events) and all(value in (None, "", other) for value, other in pairs)


def refused(row: Row, offer: Offer, playing: Sequence[str]) -> Reason | None:
    """Why he cannot come into the events that are new to who is `playing` already; None where he
    can."""
    new = [one for one in offer.events if one.name in row.chosen and one.name not in playing]
    for one in new:
        if not one.is_open:
            return Reason(Code.EVENT_CLOSED, {"name": one.name})
    count = len(playing) + len(new)
    if new and offer.limit is not None and count > offer.limit:
        return Reason(Code.EVENTS_LIMIT, {"limit": offer.limit, "n": count})
    return None
