"""Announcements that are out now, and all of them for those who write them."""

from __future__ import annotations

from typing import Literal

from django.db.models import Q, QuerySet
from django.utils import timezone

from tournament.models import Announcement, Competition

MOST_SHOWN = 20

Where = Literal["public", "entrants", "screen"]
_FITS: dict[Where, Q] = {
    "public": Q(is_public=True),
    "entrants": Q(is_public=True) | Q(for_entrants=True),
    "screen": Q(on_screen=True),
}


def announced(competition: Competition, where: Where) -> list[Announcement]:
    """What is out and not withdrawn, the newest first, at most 20. One query.

    `public` is the competition's page, `entrants` the pages of its entrants, `screen` the big
    screen.
    """
    return list(
        Announcement.objects.filter(
            _FITS[where],
            competition=competition,
            withdrawn_at=None,
            publish_at__lte=timezone.now(),
        ).order_by("-publish_at", "-pk")[:MOST_SHOWN]
    )


def all_announcements(competition: Competition) -> QuerySet[Announcement]:
    """Every one, also those that are not out yet or were withdrawn. One query."""
    return (
        Announcement.objects.filter(competition=competition)
        .select_related("author")
        .order_by("-publish_at", "-pk")
    )
