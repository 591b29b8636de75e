"""A backup of the whole site, asked for by who organizes a competition, as before a draw."""

from __future__ import annotations

from django.db import transaction

from core.domain.audit import audit
from core.domain.backups import ask_for_backup
from core.domain.locks import lock
from core.enums import BackupWhy
from core.models import Job
from tournament.acting import Acting
from tournament.enums import Role
from tournament.models import Competition
from tournament.permissions import demand, organizes


@transaction.atomic
def back_up(*, acting: Acting, competition: Competition) -> Job:
    """Has a job make one, after the running transaction. Raises `NotAllowed`."""
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    competition = lock(competition)
    job = ask_for_backup(actor=acting, why=BackupWhy.BUTTON, scope=competition.scope)
    audit(actor=acting, action="backup.ask", scope=competition.scope, subject=competition)
    return job
