"""By what a table ranks, and what the criteria are called (C8.1, C8.3, C10). Pure."""

from dataclasses import dataclass
from enum import StrEnum


class Criterion(StrEnum):
    """What put one player before another, in the order in which it is asked."""

    FORFEIT = "forfeit"
    MATCH = "match"
    NET = "net"
    GAMES = "games"
    POINTS = "points"
    EXTRA = "extra"
    EXTRA_GAME = "extra_game"
    HANDS_WON = "hands_won"
    DISCARDS = "discards"
    TABLES_WON = "tables_won"
    BEST_ROUND = "best_round"
    EXTRA_TABLE = "extra_table"
    PRELIM = "prelim"
    LOT = "lot"
    LEVEL = "level"

    @property
    def zh(self) -> str:
        """The criterion's Chinese name."""
        return _NAMES[self][0]

    @property
    def en(self) -> str:
        """The criterion's English name."""
        return _NAMES[self][1]


_NAMES = {
    Criterion.FORFEIT: ("弃权或退赛，列最后", "forfeited or withdrew, ranks last"),
    Criterion.MATCH: ("积分", "points"),
    Criterion.NET: ("净舵", "net 舵"),
    Criterion.GAMES: ("胜局", "games won"),
    Criterion.POINTS: ("得分", "points"),
    Criterion.EXTRA: ("加赛", "extra hand"),
    Criterion.EXTRA_GAME: ("加赛一盘", "extra game"),
    Criterion.HANDS_WON: ("胡牌手数", "hands won"),
    Criterion.DISCARDS: ("点炮次数（少者先）", "discards to a winner (fewer first)"),
    Criterion.TABLES_WON: ("赢的桌数", "tables won"),
    Criterion.BEST_ROUND: ("最好的一轮净舵", "best round, net 舵"),
    Criterion.EXTRA_TABLE: ("加赛桌净舵", "net 舵 of the extra table"),
    Criterion.PRELIM: ("预赛名次", "preliminary rank"),
    Criterion.LOT: ("公开签", "public lot"),
    Criterion.LEVEL: ("完全相同", "level in everything"),
}


@dataclass(frozen=True, slots=True)
class Order:
    """By what a table ranks: `first` is the name of `Player.net`, then, where there is one,
    `second` that of `Player.second`, then the 加赛, called `extra`, and the rest of C8.1."""

    first: Criterion = Criterion.NET
    second: Criterion | None = None
    extra: Criterion = Criterion.EXTRA


HANDS = Order()
"""字牌: net 舵, and 加赛 at once (C8.1)."""
GAMES = Order(Criterion.GAMES, Criterion.POINTS, Criterion.EXTRA_GAME)
"""Another discipline, games counted (C10): points are asked before one more game is played."""
POINTS = Order(Criterion.POINTS, Criterion.GAMES)
"""Another discipline, points counted (C10)."""
