"""Which draws the hall's screen may reveal."""

from __future__ import annotations

from tournament.models import Competition, Draw


def draws_to_show(competition: Competition) -> list[Draw]:
    """Each event's newest draw whose words are in, where it is published (C4.2). One query."""
    drawn = (
        Draw.objects.filter(stage__event__competition=competition, number__isnull=False)
        .select_related("stage__event")
        .order_by("stage__event__position", "stage__pk", "-round_number", "-number")
    )
    newest: dict[int, Draw] = {}
    for draw in drawn:
        newest.setdefault(draw.stage_id, draw)
    return [draw for draw in newest.values() if draw.published_at is not None]
