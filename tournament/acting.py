"""Who acts in a competition, and with which roles."""

from __future__ import annotations

from dataclasses import dataclass

from structlog.contextvars import bind_contextvars

from core.actors import Actor
from tournament.enums import Role


@dataclass(frozen=True)
class Acting(Actor):
    """An actor in one competition.

    `roles` are all he has there, by account and by links; `table_ids` the tables of his table
    links, `entrant_ids` the entrants of his entrant's links, `entry_ids` the entries. Without
    roles he is a spectator.
    """

    competition_id: int = 0
    roles: frozenset[Role] = frozenset()
    table_ids: frozenset[int] = frozenset()
    entrant_ids: frozenset[int] = frozenset()
    entry_ids: frozenset[int] = frozenset()

    @property
    def scope(self) -> str:
        """The competition's name for audit rows and versions."""
        return f"competition:{self.competition_id}"

    def is_any(self, *roles: Role) -> bool:
        """Whether he has one of these roles."""
        return not self.roles.isdisjoint(roles)


def noted(acting: Acting) -> Acting:
    """The same; from here on the lines logged for this request tell his id and roles."""
    if acting.roles:
        bind_contextvars(actor=acting.key, roles=sorted(map(str, acting.roles)))
    return acting
