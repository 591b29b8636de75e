"""A competition's and an entrant's calendar: published tables with a time, else the days."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.db.models import QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.exports.icalendar import Day, Happening, Span, calendar
from tournament.models import Competition, Seat, Table
from tournament.models.play import SEAT_NAMES
from tournament.queries.public import OPEN_STATES

MOST_TABLES = 2000

Urls = Callable[[int | None], str]
"""The address of a table's page, or with None of the competition's."""


def competition_calendar(competition: Competition, url: Urls) -> str:
    """Every published table that has a start time; none has: the days. One query."""
    tables = _timed(Table.objects.filter(round__stage__event__competition=competition))
    seats = [(table, None) for table in tables[:MOST_TABLES]]
    return _calendar(competition, competition.name, seats, url)


def entrant_calendar(competition: Competition, entrant_pk: int, name: str, url: Urls) -> str:
    """The entrant's own published tables with his seat, likewise. Two queries."""
    seated = dict(
        Seat.objects.filter(entrant=entrant_pk, round__state__in=OPEN_STATES).values_list(
            "table_id", "position"
        )
    )
    tables = _timed(Table.objects.filter(pk__in=seated))
    seats = [(table, SEAT_NAMES[seated[table.pk]]) for table in tables]
    return _calendar(competition, f"{competition.name} · {name}", seats, url)


def _timed(tables: QuerySet[Table]) -> QuerySet[Table]:
    """The published ones that have started or have a time, in order of it."""
    return (
        tables.filter(state__in=OPEN_STATES, round__state__in=OPEN_STATES)
        .annotate(start=Coalesce("started_at", "public_starts_at", "round__public_starts_at"))
        .filter(start__isnull=False)
        .select_related("round")
        .order_by("start", "round__number", "number")
    )


def _calendar(
    competition: Competition, name: str, seats: Sequence[tuple[Table, str | None]], url: Urls
) -> str:
    happenings = [_of_table(competition, table, seat, url) for table, seat in seats]
    if not happenings:
        happenings = [_of_days(competition, url)]
    return calendar(name, happenings, made_at=timezone.now())


def _of_table(competition: Competition, table: Table, seat: str | None, url: Urls) -> Happening:
    title = table.round.title
    parts = [competition.name, title, _("第 %(n)d 桌") % {"n": table.number}]
    if seat:
        parts.append(_("%(seat)s座") % {"seat": seat})
    start = table.started_at or table.public_starts_at or table.round.public_starts_at
    assert start is not None
    return Happening(
        uid=f"{competition.code}-table-{table.pk}@duozhu",
        when=Span(start, table.round.minutes),
        summary=" · ".join(parts),
        place=" · ".join(filter(None, [competition.place, table.public_spot])),
        url=url(table.pk),
    )


def _of_days(competition: Competition, url: Urls) -> Happening:
    return Happening(
        uid=f"{competition.code}@duozhu",
        when=Day(competition.starts_on, competition.ends_on or competition.starts_on),
        summary=competition.name,
        place=competition.place,
        url=url(None),
    )
