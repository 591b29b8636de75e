"""People's data go when a competition's time is over: by the site itself, or by its operator."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from core.actors import SYSTEM
from core.domain.audit import audit
from core.domain.jobs import Running
from core.errors import Conflict
from scoring.domain.erasing import erase_everybody, hold_all, people_left, tell_all
from scoring.enums import UNDECIDED
from scoring.models import Protest
from tournament.domain.keeping import day_of, last_day, tell, today_in
from tournament.keeping import LEAST_DAYS
from tournament.models import Competition, Event, Registration


class NotOver(Conflict):
    """The competition has neither ended nor been over for long."""

    code = "not-over"


class Undecided(Conflict):
    """Somebody's protest waits for an answer, which speaks of people by name."""

    code = "protest-open"


def purge_competitions() -> dict[str, int]:
    """Tells of what is near and purges what is due, each competition in a transaction of its own;
    how many of each. One with an open protest waits until it is decided."""
    counts = {"told": 0, "purged": 0, "people": 0}
    counting = Q(results_on__isnull=False) | Q(ended_at__isnull=False)
    for competition in Competition.objects.filter(counting, purged_at=None).order_by("pk"):
        counts["told"] += tell(competition)
        if _is_due(competition):
            people = _purge_due(competition)
            counts["purged"] += people is not None
            counts["people"] += people or 0
    return counts


def run_purges(job: Running) -> Mapping[str, int]:
    """The periodic job of that name."""
    return purge_competitions()


@transaction.atomic
def purge_now(competition: Competition) -> int:
    """By the operator's command, whatever day was set: how many people were erased. Raises
    `NotOver` unless it has ended, its last day is over and its result book public, or its last day
    is `LEAST_DAYS` ago; `Undecided`.
    """
    competition, events = hold_all(competition)
    demand_over(competition)
    return _purge(competition, events)


def demand_over(competition: Competition) -> None:
    """Raises `NotOver` while people may still need their data, `Undecided`."""
    days = (today_in(competition) - last_day(competition)).days
    has_results = competition.results_on is not None and days > 0
    if not (competition.is_over or has_results or days >= LEAST_DAYS):
        raise NotOver(_("比赛还没有结束，现在不能清除个人信息。"))
    number = undecided(competition)
    if number:
        raise Undecided(
            ngettext(
                "还有 %(n)d 件申诉没有裁决，裁决以后才清除个人信息。",
                "还有 %(n)d 件申诉没有裁决，裁决以后才清除个人信息。",
                number,
            )
            % {"n": number}
        )


def undecided(competition: Competition) -> int:
    """How many protests and appeals of the competition wait for an answer. One query."""
    found = Protest.objects.filter(
        state__in=UNDECIDED, sheet__table__round__stage__event__competition=competition
    )
    return found.count()


def _is_due(competition: Competition) -> bool:
    day = day_of(competition)
    if day is None or competition.told_on is None or day > today_in(competition):
        return False
    return not undecided(competition)


@transaction.atomic
def _purge_due(competition: Competition) -> int | None:
    """How many people, None where it was put off or done meanwhile."""
    competition, events = hold_all(competition)
    if not _is_due(competition):
        return None
    return _purge(competition, events)


def _purge(competition: Competition, events: list[Event]) -> int:
    people = people_left(competition)
    erase_everybody(competition)
    Registration.objects.filter(competition=competition, is_on=True).update(is_on=False)
    competition.purged_at = timezone.now()
    competition.save(update_fields=["purged_at"])
    audit(
        actor=SYSTEM,
        action="competition.purge",
        scope=competition.scope,
        subject=competition,
        data={"people": people},
    )
    tell_all(competition, events)
    return people
