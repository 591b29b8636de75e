"""Tables of other disciplines (C10), for tests."""

from __future__ import annotations

from typing import Any

from scoring.domain.hands import Entered, enter_hand
from scoring.enums import Evidence
from scoring.models import HandVersion
from tests.scoring.sheets import Hall, make_hall
from tournament.enums import ConfirmationMode, CountedBy, Discipline

LEFT, RIGHT, DRAW = [1, 2], [2, 1], [1, 1]
"""甲 wins, 乙 wins, a draw."""


def game(places: list[int] | None = None, points: list[int] | None = None) -> Entered:
    """What a referee typed."""
    return Entered(Evidence.GAME, {"places": places, "points": points})


def make_games(
    games: int = 3, seats: int = 2, by: CountedBy = CountedBy.GAMES, **more: Any
) -> Hall:
    """A published table of a manual event; 加赛 is on, the referee's word is enough."""
    table_size = {2: 2, 3: 3, 4: 4}[seats]
    return make_hall(
        games,
        more.pop("mode", ConfirmationMode.NONE),
        seats=seats,
        stage={"table_size": table_size, **more.pop("stage", {})},
        event={
            "name": "象棋",
            "discipline": Discipline.MANUAL,
            "preset": "",
            "games": games,
            "counted_by": by,
            **more.pop("event", {}),
        },
        **more,
    )


def play(hall: Hall, *games: Entered, **more: Any) -> list[HandVersion]:
    """These games, entered by the referee."""
    return [enter_hand(acting=hall.referee, sheet=hall.sheet, entered=one, **more) for one in games]
