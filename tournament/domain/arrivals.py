"""Many people arrive at once, or did not after all (C1.2)."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.utils import timezone

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from tournament.acting import Acting
from tournament.enums import EntryStatus, Role
from tournament.models import Competition
from tournament.permissions import checks_in, demand

BATCH = 500


@transaction.atomic
def check_in_many(
    *, acting: Acting, competition: Competition, ids: Collection[int], here: bool = True
) -> int:
    """Marks these entries (ids) as arrived, or takes the marks back; says how many changed.

    Who is marked so already, has withdrawn or belongs elsewhere is left alone. Raises
    `NotAllowed`.
    """
    demand(checks_in(acting), Role.OWNER, Role.ORGANIZER, Role.CHIEF, Role.REFEREE)
    competition = lock(competition)
    entries = competition.entries.filter(checked_in_at__isnull=here)
    if here:
        entries = entries.exclude(status=EntryStatus.WITHDRAWN)
    wanted = set(ids)
    known = entries.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True)
    changed = [pk for pk in known if pk in wanted]
    for start in range(0, len(changed), BATCH):
        competition.entries.filter(pk__in=changed[start : start + BATCH]).update(
            checked_in_at=timezone.now() if here else None
        )
    if changed:
        audit(
            actor=acting,
            action="entry.check-in-many" if here else "entry.check-out-many",
            scope=competition.scope,
            subject=competition,
            data={"entries": changed},
        )
        bump(competition.scope)
    return len(changed)
