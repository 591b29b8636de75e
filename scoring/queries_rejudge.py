"""What the pages of a rejudge show: the rules in force, earlier ones, the differences (C11)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch, QuerySet

from scoring.enums import RejudgeState
from scoring.models import Rejudge, RejudgedHand, RejudgedTable
from tournament.enums import Discipline
from tournament.models import Competition, Event, Seat


@dataclass(frozen=True)
class InForce:
    """Since when an event's rules are in force, and why: "" for those of its first hand."""

    since: datetime
    reason: str = ""


def rejudges_of(competition: Competition) -> QuerySet[Rejudge]:
    """The competition's rejudges, newest first, with event and job. One query."""
    return Rejudge.objects.filter(event__competition=competition).select_related(
        "event", "job", "author", "decided_by"
    )


def frozen_events(competition: Competition) -> list[Event]:
    """The events whose rules only a rejudge replaces. One query."""
    return list(
        competition.events.filter(discipline=Discipline.ZIPAI, frozen_at__isnull=False).order_by(
            "position", "pk"
        )
    )


def in_force(event: Event) -> InForce | None:
    """Since when the event's rules stand; None before its first hand. One query, or none."""
    if event.frozen_at is None or event.discipline != Discipline.ZIPAI:
        return None
    applied = event.rejudges.filter(state=RejudgeState.APPLIED).order_by("-decided_at")
    for rejudge in applied:
        if rejudge.changes_rules and rejudge.decided_at is not None:
            return InForce(rejudge.decided_at, rejudge.reason)
    return InForce(event.frozen_at)


def differences(rejudge: Rejudge) -> QuerySet[RejudgedTable]:
    """The tables at which something changes, by round and number, with seats, names and hands.
    Three queries."""
    hands = RejudgedHand.objects.select_related("version__hand").order_by("version__hand__number")
    seats = Seat.objects.select_related(
        "entrant__entry__person", "entrant__partner__person"
    ).order_by("position")
    return (
        rejudge.tables.select_related("table__round")
        .order_by("table__round__number", "table__number")
        .prefetch_related(Prefetch("hands", hands), Prefetch("table__seats", seats))
    )
