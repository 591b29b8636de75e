"""Invitations: an organizer gives out a link, one person takes the role by account."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actors import Actor
from core.domain.accounts import make_account
from core.domain.audit import audit
from core.domain.tokens import new_token, token_hash
from core.errors import DomainError
from core.models import User
from tournament.acting import Acting
from tournament.enums import Role
from tournament.models import Competition, Membership
from tournament.models.access import Invitation
from tournament.permissions import demand, organizes


class Invited(NamedTuple):
    """A new invitation and its token, which is known only now."""

    invitation: Invitation
    token: str


class InvitationGone(DomainError):
    """The invitation is unknown, used, expired or taken back; which of these is not said."""

    code = "invitation-gone"
    status = 404

    def __init__(self) -> None:
        super().__init__(_("这个邀请已经用过或失效，请向主办人要一个新的。"))


@transaction.atomic
def invite(
    *, acting: Acting, competition: Competition, role: Role, label: str, days: int
) -> Invited:
    """A new invitation, good for `days` days. Raises `NotAllowed`."""
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    token = new_token()
    invitation = Invitation.objects.create(
        competition=competition,
        role=role,
        label=label,
        token_hash=token_hash(token),
        created_by_id=acting.user_id,
        expires_at=timezone.now() + timedelta(days=days),
    )
    audit(
        actor=acting,
        action="invitation.make",
        scope=competition.scope,
        subject=invitation,
        data={"role": str(role), "days": days},
    )
    return Invited(invitation, token)


@transaction.atomic
def revoke_invitation(*, acting: Acting, invitation: Invitation) -> None:
    """It can no longer be used; one used already stays so. Raises `NotAllowed`."""
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    unused = Invitation.objects.filter(pk=invitation.pk, used_at=None, revoked_at=None)
    if unused.update(revoked_at=timezone.now()):
        audit(actor=acting, action="invitation.revoke", scope=acting.scope, subject=invitation)


def open_invitations(competition: Competition) -> QuerySet[Invitation]:
    """Those of a competition that can still be used."""
    return _open().filter(competition=competition)


def find_invitation(token: str) -> Invitation:
    """The open invitation with this token. Raises `InvitationGone`."""
    found = _open().select_related("competition", "created_by").filter(token_hash=token_hash(token))
    invitation = found.first()
    if invitation is None:
        raise InvitationGone
    return invitation


@transaction.atomic
def accept(*, invitation: Invitation, user: User) -> Membership:
    """The account gets the role and the invitation is used, once.

    Who has the role already leaves it to somebody else. Raises `InvitationGone`.
    """
    membership, is_new = Membership.objects.get_or_create(
        user=user, competition_id=invitation.competition_id, role=invitation.role
    )
    if not is_new:
        return membership
    taken = _open().filter(pk=invitation.pk).update(used_at=timezone.now(), used_by=user)
    if not taken:
        raise InvitationGone
    audit(
        actor=Actor(user_id=user.pk),
        action="invitation.accept",
        scope=invitation.competition.scope,
        subject=invitation,
        data={"role": invitation.role, "user": user.pk, "by": invitation.created_by_id},
    )
    return membership


@transaction.atomic
def accept_with_new_account(
    *, invitation: Invitation, username: str, password: str, display_name: str
) -> User:
    """A new account with the role; neither without the other. As `accept` and `make_account`."""
    user = make_account(username=username, password=password, display_name=display_name)
    accept(invitation=invitation, user=user)
    return user


def _open() -> QuerySet[Invitation]:
    return Invitation.objects.filter(used_at=None, revoked_at=None, expires_at__gt=timezone.now())
