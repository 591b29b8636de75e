"""Announcements (公告): written for now or later, changed, withdrawn, put back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import cast

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.jobs import Running, enqueue
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import DomainError
from tournament.acting import Acting
from tournament.enums import Role
from tournament.models import Announcement, Competition
from tournament.permissions import demand, leads

FIELDS = ("title", "text", "is_public", "for_entrants", "on_screen", "publish_at")
PLACES = ("is_public", "for_entrants", "on_screen")


@transaction.atomic
def announce(
    *, acting: Acting, competition: Competition, values: Mapping[str, object]
) -> Announcement:
    """A new announcement of these `FIELDS`; without `publish_at` it is out at once.

    Raises `NotAllowed`, `DomainError` (`announcement-nowhere`) where it is shown nowhere.
    """
    demand(leads(acting), Role.OWNER, Role.ORGANIZER, Role.CHIEF)
    announcement = Announcement(competition=competition, author_id=acting.user_id)
    return _write(acting, announcement, values, "announcement.write")


@transaction.atomic
def change_announcement(
    *, acting: Acting, announcement: Announcement, values: Mapping[str, object]
) -> Announcement:
    """Changes these `FIELDS`; what is out already says since when it reads so. Raises likewise."""
    demand(leads(acting), Role.OWNER, Role.ORGANIZER, Role.CHIEF)
    announcement = lock(announcement)
    if announcement.publish_at <= timezone.now():
        announcement.edited_at = timezone.now()
    return _write(acting, announcement, values, "announcement.change")


@transaction.atomic
def withdraw_announcement(*, acting: Acting, announcement: Announcement) -> Announcement:
    """Nobody sees it any more. Raises `NotAllowed`; twice changes nothing."""
    return _switch(acting, announcement, timezone.now(), "announcement.withdraw")


@transaction.atomic
def restore_announcement(*, acting: Acting, announcement: Announcement) -> Announcement:
    """Takes a withdrawal back (C9.5). Raises `NotAllowed`."""
    return _switch(acting, announcement, None, "announcement.restore")


def announce_due(job: Running) -> dict[str, bool]:
    """Lets the pages show what is due by now (payload: `announcement`, its id)."""
    found = Announcement.objects.filter(pk=cast(int, job.payload["announcement"])).first()
    if found is not None:
        with transaction.atomic():
            bump(f"competition:{found.competition_id}")
    return {"found": found is not None}


def _write(
    acting: Acting, announcement: Announcement, values: Mapping[str, object], action: str
) -> Announcement:
    for key in FIELDS:
        if key in values:
            setattr(announcement, key, values[key])
    if announcement.publish_at is None:
        announcement.publish_at = timezone.now()
    if not any(getattr(announcement, place) for place in PLACES):
        raise DomainError(_("请至少选一处显示的地方。"), code="announcement-nowhere")
    announcement.save()
    audit(
        actor=acting,
        action=action,
        scope=acting.scope,
        subject=announcement,
        data={place: getattr(announcement, place) for place in PLACES},
    )
    if announcement.publish_at > timezone.now():
        enqueue(
            kind="announce",
            payload={"announcement": announcement.pk},
            scope=acting.scope,
            actor=acting,
            run_after=announcement.publish_at + timedelta(seconds=1),
        )
    bump(acting.scope)
    return announcement


def _switch(
    acting: Acting, announcement: Announcement, withdrawn_at: datetime | None, action: str
) -> Announcement:
    demand(leads(acting), Role.OWNER, Role.ORGANIZER, Role.CHIEF)
    announcement = lock(announcement)
    if (announcement.withdrawn_at is None) != (withdrawn_at is None):
        announcement.withdrawn_at = withdrawn_at
        announcement.save(update_fields=["withdrawn_at"])
        audit(actor=acting, action=action, scope=acting.scope, subject=announcement)
        bump(acting.scope)
    return announcement
