"""What an organizer sets about penalties and protests: usual amounts, and who decides appeals."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import DomainError
from scoring.enums import PenaltyKind
from scoring.models import VerdictSettings
from scoring.penalties import differing
from tournament.acting import Acting
from tournament.enums import Role
from tournament.models import Competition
from tournament.permissions import demand, organizes


@transaction.atomic
def set_verdicts(
    *,
    acting: Acting,
    competition: Competition,
    amounts: Mapping[str, tuple[PenaltyKind, int]],
    committee: str = "",
) -> VerdictSettings:
    """The usual amounts (code of `scoring.penalties` → who gets them, 舵), and the names of the
    仲裁 who decide appeals, "" for the chief referee.

    They are proposals: penalties given before stay as they are, and no rules digest changes.
    Raises `NotAllowed`, `DomainError` `bad-amount`.
    """
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    competition = lock(competition)
    try:
        kept = differing(amounts)
    except ValueError as error:
        raise DomainError(_("罚几舵？写 1 到 999。"), code="bad-amount", status=422) from error
    found, _made = VerdictSettings.objects.update_or_create(
        competition=competition,
        defaults={"amounts": kept, "committee": committee.strip()[:120]},
    )
    audit(
        actor=acting,
        action="verdicts.set",
        scope=competition.scope,
        subject=found,
        data={"amounts": kept},
    )
    bump(competition.scope)
    return found


def committee_of(competition: Competition) -> str:
    """The names of the 仲裁, "" where the chief referee decides appeals."""
    found = VerdictSettings.objects.filter(competition=competition)
    return found.values_list("committee", flat=True).first() or ""
