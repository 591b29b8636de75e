"""How long people's data are kept after a competition, and the day on which they go: pure."""

from __future__ import annotations

from datetime import date, timedelta

KEEP_DAYS, LEAST_DAYS, MOST_DAYS = 180, 30, 1095
"""Days after the result book where nobody says otherwise; the fewest and most that can be set."""
NOTICE = timedelta(days=14)
"""The organizers see the day at least so long before it."""
SOON = timedelta(days=30)
"""So long before it, the page of the competition tells them by itself."""
MOST_DELAY = timedelta(days=365)
"""It can be put off so far from today, as often as needed: nothing is kept for ever by mistake."""


def purge_day(
    base: date | None, *, days: int, until: date | None, told: date | None, today: date
) -> date | None:
    """The day on which the data go; None while nothing has begun to count.

    `base` is the day of the result book or of the end, `until` to when it was put off, `told` the
    day on which the organizers were first told, today where they have not been.
    """
    if base is None:
        return None
    planned = max(base + timedelta(days=days), until or date.min)
    noticed = (told or today) + NOTICE
    return max(planned, noticed)


def is_soon(day: date | None, today: date) -> bool:
    """Whether the organizers are told of it by themselves from today on."""
    return day is not None and day - today <= SOON
