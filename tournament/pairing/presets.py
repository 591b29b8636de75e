"""The planner's presets: formats that many halls use as they are (C5.6)."""

from __future__ import annotations

from tournament.pairing.plan import RoundLength
from tournament.pairing.planner import Game, Terms
from tournament.pairing.rotation import rounds_possible


def standard(entrants: int) -> Terms:
    """桂林字牌·标准 (C5.6): three preliminary rounds, four for nine and fewer (seven: three, as
    C5.2 has it), 12 hands or 50 minutes, `fixed` with pots, final 24 hands.
    """
    return Terms(entrants, preliminary=standard_rounds(entrants))


def standard_rounds(entrants: int) -> int:
    """The preliminary rounds of the standard."""
    return min(4 if entrants <= 9 else 3, rounds_possible(entrants))


def single(entrants: int) -> Terms:
    """单淘汰: no preliminary."""
    return Terms(entrants)


def of_units(
    units: int, zipai: int = 3, chess: int = 2, pairs: int = 1, minutes: int = 60
) -> tuple[Terms, ...]:
    """单位赛: so many entrants (双升: pairs) a unit in each event, three prizes each.

    字牌 as the standard; 象棋 and 双升 at tables of two, `minutes` a round. 0 leaves an event out.
    """
    events = []
    if zipai:
        n = units * zipai
        events.append(Terms(n, preliminary=standard_rounds(n), prizes=3))
    for game, each in ((Game.CHESS, chess), (Game.PAIRS, pairs)):
        if each:
            events.append(
                Terms(
                    units * each,
                    table_size=2,
                    length=RoundLength(minutes=minutes),
                    final=None,
                    game=game,
                    prizes=3,
                )
            )
    return tuple(events)
