"""How many games a table of another discipline plays (C10): best of k wants an odd k for two."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from core.errors import DomainError
from tournament.enums import CountedBy, Discipline
from tournament.models import Event

PAIR = 2
"""Players at a table where one wins against the other."""
MOST_GAMES = 99


def check_games(
    discipline: str, counted_by: str, table_size: int, games: int, final_games: int
) -> None:
    """Raises `DomainError` (`event-games`) where the numbers of games do not fit: not 1 … 99, or
    an even one where two play and games are counted. Where k odd games still end level because
    one was drawn, one more is played (C8.2). 字牌 has hands and is not asked."""
    if discipline != Discipline.MANUAL:
        return
    if not all(1 <= one <= MOST_GAMES for one in (games, final_games)):
        raise DomainError(_("每桌几盘？写 1 到 99。"), code="event-games")
    is_even = games % 2 == 0 or final_games % 2 == 0
    if counted_by == CountedBy.GAMES and table_size == PAIR and is_even:
        raise DomainError(
            _("两人对局看胜局，盘数要是单数：一盘、三盘两胜、五盘三胜。"), code="event-games"
        )


def note_games(event: Event, games: int) -> None:
    """A manual event is called by the number of games that its tables play."""
    if event.discipline == Discipline.MANUAL and event.games != games:
        event.games = games
        event.save(update_fields=["games"])
