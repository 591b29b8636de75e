"""Clocks that go: when a round and each of its tables come to their end (C6.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Sum

from tournament.domain.clock import BEGUN
from tournament.models import Competition, ExtraTime, Round, Table


@dataclass(frozen=True)
class Clock:
    """A round's clock. `extra` holds the minutes that tables (ids) got beyond it."""

    round_id: int
    minutes: int
    started_at: datetime
    extra: Mapping[int, int] = field(default_factory=dict)

    @property
    def ends_at(self) -> datetime:
        """When it ends for tables without extra time."""
        return self.started_at + timedelta(minutes=self.minutes)

    def ends_at_of(self, table_id: int) -> datetime:
        """When it ends for this table."""
        return self.ends_at + timedelta(minutes=self.extra.get(table_id, 0))

    def is_over(self, now: datetime, table_id: int | None = None) -> bool:
        """Whether the bell has gone, for a table where one is named."""
        return (self.ends_at if table_id is None else self.ends_at_of(table_id)) <= now

    def left(self, now: datetime, table_id: int | None = None) -> timedelta:
        """What is left, nothing after the bell."""
        end = self.ends_at if table_id is None else self.ends_at_of(table_id)
        return max(end - now, timedelta())


def clock_of(round_: Round) -> Clock | None:
    """The round's clock, None while it does not go. At most one query."""
    return clocks_of([round_]).get(round_.pk)


@dataclass(frozen=True)
class TableClock:
    """When a table's time ends, and the minutes in it beyond the round's."""

    ends_at: datetime
    extra: int


def table_clock(table: Table) -> TableClock | None:
    """The clock of a table while it matters: it is not done and time has not been called there.
    Needs `table.round`; at most one query."""
    bare = _bare(table.round)
    if bare is None or table.state not in BEGUN or table.called_at is not None:
        return None
    minutes = ExtraTime.objects.filter(table=table, voided_at=None).aggregate(n=Sum("minutes"))
    extra = minutes["n"] or 0
    return TableClock(bare.ends_at + timedelta(minutes=extra), extra)


def clocks(competition: Competition) -> dict[int, Clock]:
    """Round's id → clock, of the rounds that are on. At most two queries."""
    rounds = Round.objects.filter(
        stage__event__competition=competition,
        state__in=BEGUN,
        clock_started_at__isnull=False,
    )
    return clocks_of(rounds.order_by("stage__event__position", "-stage__kind", "number"))


def clocks_of(rounds: Iterable[Round]) -> dict[int, Clock]:
    """Round's id → clock, of those of these rounds whose clock goes. At most one query."""
    going = [round_ for round_ in rounds if _bare(round_)]
    if not going:
        return {}
    extra: dict[int, dict[int, int]] = {round_.pk: {} for round_ in going}
    rows = (
        ExtraTime.objects.filter(table__round__in=extra, voided_at=None)
        .order_by()
        .values_list("table__round_id", "table_id")
        .annotate(Sum("minutes"))
    )
    for round_id, table_id, minutes in rows:
        extra[round_id][table_id] = minutes
    found = {round_.pk: _bare(round_, extra[round_.pk]) for round_ in going}
    return {pk: clock for pk, clock in found.items() if clock is not None}


def with_extra(round_: Round, extra: Mapping[int, int]) -> Clock | None:
    """As `clock_of`, for who has read the tables' extra minutes (table's id → minutes)."""
    return _bare(round_, extra)


def _bare(round_: Round, extra: Mapping[int, int] | None = None) -> Clock | None:
    if round_.clock_started_at is None or round_.minutes is None or round_.state not in BEGUN:
        return None
    return Clock(round_.pk, round_.minutes, round_.clock_started_at, dict(extra or {}))
