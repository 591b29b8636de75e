"""Who is seeded, and who could be."""

from __future__ import annotations

from tournament.domain.draws import to_draw
from tournament.models import Entrant, Event


def seeded(event: Event) -> list[Entrant]:
    """The seeds, the best first, with their people. One query."""
    return list(to_draw(event).filter(seed__isnull=False).order_by("seed"))


def to_choose(event: Event) -> list[Entrant]:
    """Who would be drawn, by number, to be suggested in a field. One query."""
    return list(to_draw(event))
