"""Badges (胸牌) and seat cards (座位卡) with each one's own link, many at once (C1)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.tokens import new_token, token_hash
from core.errors import DomainError
from tournament.acting import Acting
from tournament.enums import EntryStatus, Role
from tournament.models import Competition, DeviceLink, Entry, Event
from tournament.permissions import demand, leads

MOST = 300
"""Cards at once: a page that a phone's browser can still print."""


@dataclass(frozen=True)
class Badge:
    """Somebody's card; `token` opens his own link and is known only now."""

    entry: Entry
    token: str


@transaction.atomic
def issue_badges(
    *, acting: Acting, competition: Competition, event: Event, ids: Collection[int]
) -> list[Badge]:
    """A new link for each of these entries (ids), in order of number; their older ones stop.

    They count as printed. Who has withdrawn or belongs elsewhere is left out. Raises
    `NotAllowed`, `DomainError`: `badges-none`, `badges-many` (above `MOST`).
    """
    demand(leads(acting), Role.OWNER, Role.ORGANIZER, Role.CHIEF)
    competition = lock(competition)
    if len(set(ids)) > MOST:
        raise DomainError(_("一次最多印 %(n)d 张，请分几次。") % {"n": MOST}, code="badges-many")
    entries = list(
        competition.entries.filter(pk__in=set(ids))
        .exclude(status=EntryStatus.WITHDRAWN)
        .select_related("person")
    )
    if not entries:
        raise DomainError(_("请先勾选要印的人。"), code="badges-none")
    now, known = timezone.now(), [entry.pk for entry in entries]
    DeviceLink.objects.filter(
        Q(entry__in=known) | Q(entrant__entry__in=known), competition=competition, revoked_at=None
    ).update(revoked_at=now)
    entrants = dict(event.entrants.filter(entry__in=known).values_list("entry", "pk"))
    badges = [Badge(entry, new_token()) for entry in entries]
    DeviceLink.objects.bulk_create(
        [
            DeviceLink(
                competition=competition,
                role=Role.ENTRANT,
                entry=badge.entry,
                entrant_id=entrants.get(badge.entry.pk),
                token_hash=token_hash(badge.token),
                created_by_id=acting.user_id,
            )
            for badge in badges
        ]
    )
    competition.entries.filter(pk__in=known).update(badge_printed_at=now)
    audit(
        actor=acting,
        action="link.issue-badges",
        scope=competition.scope,
        subject=competition,
        data={"entries": known},
    )
    return badges
