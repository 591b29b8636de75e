"""A game of an event that is not 字牌 (C10): places and points typed by the referee. Pure.

Where games are counted (`CountedBy.GAMES`), a game is worth `WHOLE` = 12: all of it for the one
winner, shared evenly by those who are level in first place (a draw of two: 6 each). So halves and
thirds stay whole numbers, as in C5.4. Where points are counted, what was typed counts.

The payload: `{"places": [1, 2], "points": [30, 18]}`, one value a seat. `places` say who came
where (equal numbers are level) and may be left out where there are points: more is better;
`points` may be left out (None) where games are counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.counted import Counted, EntryError

WHOLE = 12
"""What a game is worth; 2, 3 and 4 players can share it."""
MOST_GAME_POINTS = 9999


@dataclass(frozen=True)
class GameTerms:
    """What a table plays under: how many sit, and whether points (else games won) count."""

    seats: int
    by_points: bool = False


def count_game(payload: Mapping[str, object], terms: GameTerms) -> Counted:
    """The game as it counts: `deltas` are shares of the game, or points; `winners` who came
    first, none where all are level. Raises `EntryError`."""
    points = _numbers(payload.get("points"), terms.seats, "points")
    places = _numbers(payload.get("places"), terms.seats, "places")
    if terms.by_points and points is None:
        raise EntryError(
            "points",
            "syntax",
            "C10",
            "请写上每一家的得分，没有写 0",
            "give every seat's points, 0 for none",
        )
    if places is None:
        if points is None:
            raise EntryError("places", "syntax", "C10", "请选这一盘谁赢", "say who won the game")
        places = [-one for one in points]
    places = ranked(places)
    first = [seat for seat, place in enumerate(places) if place == 1]
    shares = shares_of(places)
    return Counted(
        evidence="game",
        payload={"places": places, "points": points},
        deltas=tuple(points) if terms.by_points and points else shares,
        winners=tuple(first) if len(first) < terms.seats else (),
    )


def _numbers(value: object, seats: int, field: str) -> list[int] | None:
    if value is None or value == []:
        return None
    found = list(value) if isinstance(value, (list, tuple)) else []
    good = [
        one
        for one in found
        if isinstance(one, int) and not isinstance(one, bool) and abs(one) <= MOST_GAME_POINTS
    ]
    if len(found) != seats or len(good) != seats:
        raise EntryError(
            field,
            "syntax",
            "C10",
            f"每个座位写一个整数，共 {seats} 个",
            f"one whole number a seat, {seats} in all",
        )
    return good


def ranked(values: Sequence[int]) -> list[int]:
    """Places from 1 by these values, less is better, level ones share: [3, 5, 3] → [1, 3, 1]."""
    return [1 + sum(other < one for other in values) for one in values]


def shares_of(places: Sequence[int]) -> tuple[int, ...]:
    """Each seat's share of the game, in `WHOLE`ths of it."""
    first = places.count(1)
    return tuple(WHOLE // first if place == 1 else 0 for place in places)


def among_shares(places: Sequence[int], among: Sequence[int]) -> dict[int, int]:
    """The shares of a game as if only the seats `among` had played it: a 加赛 (C8.2)."""
    seats = sorted(among)
    shares = shares_of(ranked([places[seat] for seat in seats]))
    return dict(zip(seats, shares, strict=True))


def second_of(payload: Mapping[str, object], terms: GameTerms) -> tuple[int, ...] | None:
    """What is compared after what counts first: points where games count, shares where points
    do. None where the points were not typed."""
    places, points = payload.get("places"), payload.get("points")
    if terms.by_points:
        return shares_of(places) if isinstance(places, list) else None
    return tuple(points) if isinstance(points, list) else None


def is_decided(won: Sequence[int], left: int) -> bool:
    """Whether `left` more games cannot change who of two leads (best of k)."""
    best, worst = max(won), min(won)
    return best - worst > left * WHOLE


class Figure(int):
    """What counts first at a table of another discipline, as pages write it: points, no sign."""

    @property
    def shown(self) -> str:
        """As people write it."""
        return str(int(self)).replace("-", "−")


class Share(Figure):
    """Games won, in `WHOLE`ths."""

    @property
    def shown(self) -> str:
        """`1½`."""
        return share_text(self)


def figure(value: int, *, by_points: bool) -> Figure:
    """The number as it is written."""
    return Figure(value) if by_points else Share(value)


def share_text(value: int) -> str:
    """A number of games as people write it: 18 → `1½`, 4 → `1/3`, 12 → `1`."""
    whole, part = divmod(int(value), WHOLE)
    if not part:
        return str(whole)
    rest = "½" if part * 2 == WHOLE else str(Fraction(part, WHOLE))
    if not whole:
        return rest
    return f"{whole}{rest}" if rest == "½" else f"{whole} {rest}"
