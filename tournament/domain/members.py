"""Who works at a competition by account (C7.3)."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.errors import Conflict, DomainError
from core.models import User
from tournament.acting import Acting
from tournament.enums import Role
from tournament.models import Competition, Membership
from tournament.permissions import demand, organizes


@transaction.atomic
def add_member(
    *, acting: Acting, competition: Competition, username: str, role: Role
) -> Membership:
    """Gives an account (by user name, phone or mail) a role; having it already is no error.

    Owners alone make owners. Raises `NotAllowed`, `DomainError` (`no-such-user`).
    """
    _demand(acting, role)
    username = username.strip()
    user = User.objects.filter(
        Q(username__iexact=username) | Q(phone=username) | Q(email__iexact=username),
        is_active=True,
    ).first()
    if not username or user is None:
        raise DomainError(
            _("没有叫“%(name)s”的账号；请核对用户名，或给他一个链接。") % {"name": username},
            code="no-such-user",
        )
    membership, is_new = Membership.objects.get_or_create(
        user=user, competition=competition, role=role
    )
    if is_new:
        audit(
            actor=acting,
            action="member.add",
            scope=competition.scope,
            subject=membership,
            data={"user": user.pk, "role": str(role)},
        )
    return membership


@transaction.atomic
def remove_member(*, acting: Acting, membership: Membership) -> None:
    """Takes a role away. Raises `NotAllowed`, `Conflict` for the last owner."""
    _demand(acting, Role(membership.role))
    competition = lock(membership.competition)
    owners = competition.memberships.filter(role=Role.OWNER)
    if membership.role == Role.OWNER and owners.count() == 1:
        raise Conflict(_("比赛至少要有一名主办人，请先添加另一名。"), code="last-owner")
    audit(
        actor=acting,
        action="member.remove",
        scope=competition.scope,
        subject=membership,
        data={"user": membership.user_id, "role": membership.role},
    )
    membership.delete()


def _demand(acting: Acting, role: Role) -> None:
    if role == Role.OWNER:
        demand(acting.is_any(Role.OWNER), Role.OWNER)
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
