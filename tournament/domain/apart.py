"""Groups that the draw keeps apart besides the units, such as a family (C1.4)."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.errors import DomainError
from tournament.acting import Acting
from tournament.domain.entries import demand_open_list
from tournament.enums import Role
from tournament.models import ApartGroup, Competition, Event
from tournament.permissions import demand, organizes


@transaction.atomic
def keep_apart(*, acting: Acting, event: Event, name: str, numbers: Sequence[int]) -> ApartGroup:
    """These numbers (编号) do not meet early if the draw can help it; the name is new or the
    group's members are replaced.

    Raises `NotAllowed`, `ListFrozen`, `DomainError` (`apart-number`, `apart-few`).
    """
    competition = _open(acting, event)
    entries = list(competition.entries.filter(number__in=set(numbers)))
    missing = sorted(set(numbers) - {entry.number for entry in entries})
    if missing:
        raise DomainError(
            _("没有编号 %(n)s 的选手，请改正。") % {"n": gettext("、").join(map(str, missing))},
            code="apart-number",
        )
    if len(entries) < 2:
        raise DomainError(_("回避组至少要有两个编号。"), code="apart-few")
    group, _is_new = ApartGroup.objects.get_or_create(competition=competition, name=name)
    group.entries.set(entries)
    audit(
        actor=acting,
        action="apart.keep",
        scope=competition.scope,
        subject=group,
        data={"numbers": sorted(set(numbers))},
    )
    return group


@transaction.atomic
def drop_group(*, acting: Acting, event: Event, group: ApartGroup) -> None:
    """The group is no more. Raises `NotAllowed`, `ListFrozen`."""
    competition = _open(acting, event)
    audit(actor=acting, action="apart.drop", scope=competition.scope, subject=group)
    group.delete()


def _open(acting: Acting, event: Event) -> Competition:
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    competition = lock(event.competition)
    lock(event)
    demand_open_list(event)
    return competition
