"""What a finished table hands on: places, who advances, and what a correction would change."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from core.errors import DomainError


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat's outcome. `position` 0 is 甲; `place` counts entrants only (None for a filler).

    Who advances has the places 1 … a, without a gap: place k goes to the seat whose source is
    place k of this table. `points` are the preliminary's, in twelfths (C5.4).
    """

    position: int
    place: int | None
    advances: bool = False
    points: int | None = None


@dataclass(frozen=True, slots=True)
class Sitting:
    """A seat as the results meet it: who sits there (None: a filler) and whether he can advance."""

    position: int
    entrant_id: int | None
    can_advance: bool = True


@dataclass(frozen=True, slots=True)
class Feed:
    """A seat of the next round that place `place` of this table fills, and whether a hand has
    been played there."""

    seat_id: int
    table_id: int
    place: int
    entrant_id: int | None
    has_begun: bool


@dataclass(frozen=True, slots=True)
class PlaceChange:
    """An entrant whose place at this table changes."""

    entrant_id: int
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class Move:
    """A seat of the next round that would get another entrant."""

    feed: Feed
    after: int | None


@dataclass(frozen=True, slots=True)
class Effects:
    """What a correction changes (C9.1): places, seats that depend on it, the champion.

    `champion` is (before, after) as entrant ids where the table is the final and that changes.
    """

    places: tuple[PlaceChange, ...] = ()
    moves: tuple[Move, ...] = ()
    champion: tuple[int | None, int | None] | None = None

    @property
    def changes_advance(self) -> bool:
        """Whether somebody else would go on, or be champion."""
        return bool(self.moves) or self.champion is not None

    @property
    def is_blocked(self) -> bool:
        """Whether a table that depends on it has a hand already."""
        return any(move.feed.has_begun for move in self.moves)


class BadResults(DomainError):
    """The results do not fit the table: a fault of the program that made them."""

    code = "bad-results"


def check_results(sittings: Sequence[Sitting], results: Sequence[SeatResult], advance: int) -> None:
    """Raises `BadResults` unless there is one result a seat, no filler advances, and the places
    1 … a advance (fewer only where fewer can)."""
    here = {sitting.position: sitting for sitting in sittings}
    if sorted(result.position for result in results) != sorted(here):
        raise BadResults(_("每个座位要有一个名次，请刷新后再试。"))
    for result in results:
        sitting = here[result.position]
        if (result.place is None) != (sitting.entrant_id is None):
            raise BadResults(_("选手都要有名次，陪打不排名次。"))
        if result.advances and not sitting.can_advance:
            raise BadResults(_("陪打和退出的选手不能晋级。"))
    expected = min(advance, sum(sitting.can_advance for sitting in sittings))
    advancing = sorted(result.place or 0 for result in results if result.advances)
    if advancing != list(range(1, expected + 1)):
        raise BadResults(_("这一桌应有 %(n)d 人晋级，名次要连着从 1 起。") % {"n": expected})


def winners(sittings: Sequence[Sitting], results: Sequence[SeatResult]) -> dict[int, int]:
    """Place → entrant id of those who advance."""
    who = {sitting.position: sitting.entrant_id for sitting in sittings}
    found: dict[int, int] = {}
    for result in results:
        entrant_id = who[result.position]
        if result.advances and result.place is not None and entrant_id is not None:
            found[result.place] = entrant_id
    return found


def seated(
    sittings: Sequence[Sitting], results: Sequence[SeatResult], feeds: Collection[int]
) -> dict[int, int]:
    """Place → entrant id of who takes a seat by it: who advances, and at those places of `feeds`
    that do not (the table for third place takes them) whoever has it and can still play."""
    found = winners(sittings, results)
    here = {sitting.position: sitting for sitting in sittings}
    for result in results:
        sitting = here[result.position]
        if result.place in feeds and not result.advances and sitting.can_advance:
            found.setdefault(result.place or 0, sitting.entrant_id or 0)
    return found


def effects(
    sittings: Sequence[Sitting],
    before: Mapping[int, SeatResult],
    after: Sequence[SeatResult],
    feeds: Sequence[Feed],
    *,
    is_last: bool,
) -> Effects:
    """What replacing the results `before` (by position) by `after` would change (C9.1).

    `is_last` is that of the final, which finds the champion."""
    new_winners = winners(sittings, after)
    sit = seated(sittings, after, {feed.place for feed in feeds})
    who = {sitting.position: sitting.entrant_id for sitting in sittings}
    places = []
    for result in sorted(after, key=lambda result: result.position):
        entrant_id, old = who[result.position], before[result.position].place
        if entrant_id is not None and old != result.place:
            places.append(PlaceChange(entrant_id, old, result.place))
    moves = tuple(
        Move(feed, sit.get(feed.place))
        for feed in sorted(feeds, key=lambda feed: feed.place)
        if feed.entrant_id != sit.get(feed.place)
    )
    champions = winners(sittings, list(before.values())).get(1), new_winners.get(1)
    changed = is_last and champions[0] != champions[1]
    return Effects(tuple(places), moves, champions if changed else None)
