"""Device links: made, opened, taken back."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.tokens import new_token, token_hash
from core.errors import DomainError
from tournament.acting import Acting
from tournament.enums import Role
from tournament.models import Competition, DeviceLink, Entrant, Entry, Table
from tournament.permissions import demand, leads, organizes


class Issued(NamedTuple):
    """A new link and its token, which is known only now."""

    link: DeviceLink
    token: str


class LinkGone(DomainError):
    """The link is unknown, expired or taken back; which of these is not said."""

    code = "link-gone"
    status = 404


def issue_link(
    *,
    acting: Acting,
    competition: Competition,
    role: Role,
    table: Table | None = None,
    entrant: Entrant | None = None,
    label: str = "",
    expires_at: datetime | None = None,
) -> Issued:
    """A new link for a role; `table` or `entrant` with the roles of that name.

    Owners and organizers give out every role, the chief referee all but owner's. An entrant's
    and a table's older links stop working. Raises `NotAllowed`.
    """
    if role == Role.OWNER:
        demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    demand(leads(acting), Role.OWNER, Role.ORGANIZER, Role.CHIEF)
    token = new_token()
    with transaction.atomic():
        if table is not None or entrant is not None:
            DeviceLink.objects.filter(
                competition=competition, table=table, entrant=entrant, revoked_at=None
            ).update(revoked_at=timezone.now())
        link = DeviceLink.objects.create(
            competition=competition,
            role=role,
            table=table,
            entrant=entrant,
            entry_id=entrant.entry_id if entrant else None,
            label=label,
            token_hash=token_hash(token),
            created_by_id=acting.user_id,
            expires_at=expires_at,
        )
        audit(
            actor=acting,
            action="link.issue",
            scope=competition.scope,
            subject=link,
            data={
                "role": str(role),
                "table": table.pk if table else None,
                "entrant": entrant.pk if entrant else None,
            },
        )
    return Issued(link, token)


def give_entry_link(*, entry: Entry, entrant: Entrant | None, token: str) -> DeviceLink:
    """The link of somebody who has just registered; `token` is his request's own (`register`).

    Part of the caller's transaction, which writes the audit row.
    """
    return DeviceLink.objects.create(
        competition_id=entry.competition_id,
        role=Role.ENTRANT,
        entry=entry,
        entrant=entrant,
        token_hash=token_hash(token),
    )


def revoke_link(*, acting: Acting, link: DeviceLink) -> DeviceLink:
    """The link stops working at once, also where it has been opened. Raises `NotAllowed`."""
    demand(leads(acting), Role.OWNER, Role.ORGANIZER, Role.CHIEF)
    with transaction.atomic():
        if DeviceLink.objects.filter(pk=link.pk, revoked_at=None).update(revoked_at=timezone.now()):
            audit(actor=acting, action="link.revoke", scope=acting.scope, subject=link)
    link.refresh_from_db()
    return link


def good_links() -> Q:
    """What a link that works now fulfils."""
    now = timezone.now()
    return Q(revoked_at=None) & (Q(expires_at=None) | Q(expires_at__gt=now))


def find_link(token: str) -> DeviceLink:
    """The link that this token opens. Raises `LinkGone`."""
    link = (
        DeviceLink.objects.select_related("competition")
        .filter(good_links(), token_hash=token_hash(token))
        .first()
    )
    if link is None:
        raise LinkGone(_("这个链接已经失效，请向裁判或组织者要一个新的。"))
    return link
