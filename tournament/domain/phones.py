"""Private data are shown to organizers one person at a time, and each time on record."""

from __future__ import annotations

from django.db import transaction

from core.domain.audit import audit
from tournament.acting import Acting
from tournament.enums import Role
from tournament.models import Entry
from tournament.permissions import demand, organizes


@transaction.atomic
def reveal_phone(*, acting: Acting, entry: Entry) -> str:
    """The whole number, for an organizer; who looked is kept. Raises `NotAllowed`."""
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    audit(actor=acting, action="phone.reveal", scope=acting.scope, subject=entry)
    return entry.person.phone


@transaction.atomic
def note_personal_export(*, acting: Acting, entry: Entry) -> None:
    """An organizer takes all that is stored of somebody, who has asked for it; who took it is kept.
    Raises `NotAllowed`."""
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    audit(actor=acting, action="entry.export", scope=acting.scope, subject=entry)
