"""Phone numbers are revealed to organizers one by one, and each time on record."""

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
