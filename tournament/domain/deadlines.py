"""What happens by itself when registration opens or closes: the pages say so.

Whether somebody may register is asked of the clock at that moment (`registration.register`) and
needs nobody; but pages are kept as they were rendered until their version moves.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from core.actors import SYSTEM
from core.domain import jobs
from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from tournament.models import Competition, Registration

KIND = "registration-turns"


def plan_turns(competition: Competition, registration: Registration) -> None:
    """Wakes the site when the form opens and closes; the pages know of all before now. The caller
    has locked the competition and saves the registration."""
    now = timezone.now()
    registration.turned_at = now
    payload = {"competition": competition.pk}
    jobs.drop_waiting(kind=KIND, payload=payload)
    for moment in (registration.opens_at, registration.closes_at):
        if registration.is_on and moment is not None and moment > now:
            later = moment + timedelta(seconds=1)
            jobs.enqueue(kind=KIND, payload=payload, scope=competition.scope, run_after=later)


def turn_registrations(job: jobs.Running) -> dict[str, int]:
    """The job, planned and periodic: every form that has opened or closed since it was looked at.
    Returns how many."""
    now = timezone.now()
    turned = sum(_turn(pk) for pk in _due(now).values_list("competition", flat=True))
    return {"turned": turned}


def _due(now: datetime) -> QuerySet[Registration]:
    since = Q(turned_at__isnull=True)
    opened = Q(opens_at__lte=now) & (since | Q(turned_at__lt=F("opens_at")))
    closed = Q(closes_at__lte=now) & (since | Q(turned_at__lt=F("closes_at")))
    running = Registration.objects.filter(is_on=True, competition__ended_at__isnull=True)
    return running.filter(opened | closed)


@transaction.atomic
def _turn(competition_id: int) -> bool:
    competition = lock(Competition(pk=competition_id))
    now = timezone.now()
    registration = _due(now).filter(competition=competition).first()
    if registration is None:
        return False
    is_open = registration.is_open_at(now)
    registration.turned_at = now
    registration.save(update_fields=["turned_at"])
    audit(
        actor=SYSTEM,
        action="registration.opens" if is_open else "registration.closes",
        scope=competition.scope,
        subject=registration,
    )
    bump(competition.scope)
    return True
