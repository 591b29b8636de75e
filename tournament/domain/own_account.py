"""An account and all that is its holder's own go; what he did stays under its number."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.actors import Actor
from core.domain.accounts import SCOPE, hold_operators, operates_alone
from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict
from core.models import User
from tournament.enums import Role
from tournament.models import Competition, Membership


def alone_in(user: User) -> list[Competition]:
    """The competitions not yet over that have no owner besides him. Two queries."""
    owners = Membership.objects.filter(role=Role.OWNER)
    own = owners.filter(user=user).values("competition")
    shared = owners.exclude(user=user).values("competition")
    running = Competition.objects.filter(pk__in=own, ended_at=None, purged_at=None)
    return list(running.exclude(pk__in=shared).order_by("pk"))


@transaction.atomic
def delete_account(*, user: User) -> None:
    """The account goes, and with it roles, tokens, collections, passkeys and log-ins. Audit rows
    keep its number, as the seals hold for it.

    Raises `Conflict`: `last-owner` where a competition that is not over would have no owner,
    `last-operator` where nobody would look after the site, though others have accounts.
    """
    roles = Membership.objects.filter(user=user).values("competition")
    for competition in Competition.objects.filter(pk__in=roles).order_by("pk"):
        lock(competition)
    hold_operators()
    user = lock(user)
    if operates_alone(user):
        raise Conflict(
            _("本站只有您一位管理员。请先用命令 manage.py operator 另加一位，再删除账号。"),
            code="last-operator",
        )
    alone = alone_in(user)
    if alone:
        raise Conflict(
            _("这些比赛还没有结束，只有您一位主办人：%(names)s。请先在“成员”里加一位主办人。")
            % {"names": _("、").join(one.name for one in alone)},
            code="last-owner",
        )
    scopes = [Competition(pk=pk).scope for pk in roles.values_list("competition", flat=True)]
    audit(actor=Actor(user_id=user.pk), action="account.delete", scope=SCOPE, subject=user)
    user.delete()
    bump(*scopes)
