"""Tokens of programs: made, used, taken back."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.tokens import new_token, token_hash
from core.errors import DomainError
from tournament.acting import Acting
from tournament.enums import ApiScope, Role
from tournament.models import ApiToken, Competition, Membership
from tournament.models.access import MEMBER_ROLES
from tournament.permissions import demand, organizes

PREFIX = "dz_"
"""Before every token, so that people and scanners of published code know what it is."""
MOST_DAYS = 90
USED_WITHIN = timedelta(hours=1)
"""`last_used_at` is no nearer to the truth, so that hardly any request writes it."""


class TokenMade(NamedTuple):
    """A new token's row and the token itself, which is known only now."""

    row: ApiToken
    token: str


class TokenWrong(DomainError):
    """The token is unknown, expired or taken back, or its maker is no member any more; which of
    these is not said."""

    code = "token-wrong"
    status = 401


class ScopeMissing(DomainError):
    """The token is not for this."""

    code = "scope-missing"
    status = 403

    def __init__(self, scope: ApiScope) -> None:
        super().__init__(
            _("这个令牌不能用来“%(scope)s”，请另做一个勾选了它的令牌。") % {"scope": scope.label}
        )
        self.scope = scope


@transaction.atomic
def make_token(
    *,
    acting: Acting,
    competition: Competition,
    label: str,
    scopes: Collection[ApiScope],
    days: int,
) -> TokenMade:
    """A token that acts as who makes it, within these scopes, for `days` days (1 … 90).

    For members by account; a link makes none. Raises `NotAllowed`, `DomainError` (`no-scope`,
    `days`).
    """
    is_member = Membership.objects.filter(user=acting.user_id, competition=competition).exists()
    demand(acting.user_id is not None and is_member, *MEMBER_ROLES)
    if not scopes:
        raise DomainError(_("请至少选一样它可以做的事。"), code="no-scope")
    if not 1 <= days <= MOST_DAYS:
        raise DomainError(_("有效期是 1 到 %(n)d 天。") % {"n": MOST_DAYS}, code="days")
    assert acting.user_id is not None
    token = PREFIX + new_token()
    row = ApiToken.objects.create(
        competition=competition,
        label=label.strip()[:40],
        token_hash=token_hash(token),
        created_by_id=acting.user_id,
        expires_at=timezone.now() + timedelta(days=days),
        **{f"for_{scope}": True for scope in scopes},
    )
    audit(
        actor=acting,
        action="api-token.make",
        scope=competition.scope,
        subject=row,
        data={"scopes": sorted(map(str, scopes)), "days": days},
    )
    return TokenMade(row, token)


@transaction.atomic
def revoke_token(*, acting: Acting, token: ApiToken) -> None:
    """It stops working at once. For its maker and for organizers. Raises `NotAllowed`."""
    is_own = acting.user_id is not None and token.created_by_id == acting.user_id
    demand(is_own or organizes(acting), Role.OWNER, Role.ORGANIZER)
    unused = ApiToken.objects.filter(pk=token.pk, revoked_at=None)
    if unused.update(revoked_at=timezone.now()):
        audit(actor=acting, action="api-token.revoke", scope=acting.scope, subject=token)


def good_tokens(now: datetime | None = None) -> QuerySet[ApiToken]:
    """The tokens that work: not expired, not taken back, their makers still members."""
    member = Membership.objects.filter(
        user=OuterRef("created_by"), competition=OuterRef("competition")
    )
    return ApiToken.objects.filter(
        Q(expires_at__gt=now or timezone.now()) & Q(Exists(member)),
        revoked_at=None,
        created_by__is_active=True,
    )


def find_token(token: str) -> ApiToken:
    """The token's row, with its competition. One query, and now and then one to note that it was
    used. Raises `TokenWrong`."""
    now = timezone.now()
    row = (
        good_tokens(now).select_related("competition").filter(token_hash=token_hash(token)).first()
    )
    if row is None:
        raise TokenWrong(_("令牌不对或已失效，请换一个新的。"))
    if row.last_used_at is None or row.last_used_at <= now - USED_WITHIN:
        ApiToken.objects.filter(pk=row.pk).update(last_used_at=now)
    return row


def acting_by(token: ApiToken, competition: Competition) -> Acting:
    """Whom the token acts for in this competition: its maker with all roles that he has there as
    a member; in another competition than its own nobody. One query at most."""
    if token.competition_id != competition.pk:
        return Acting(competition_id=competition.pk)
    held = Membership.objects.filter(user=token.created_by_id, competition=competition)
    return Acting(
        user_id=token.created_by_id,
        token_id=token.pk,
        competition_id=competition.pk,
        roles=frozenset(Role(role) for role in held.values_list("role", flat=True)),
    )


def need_scope(token: ApiToken, scope: ApiScope) -> None:
    """Raises `ScopeMissing` where the token is not for this."""
    if scope not in token.scopes:
        raise ScopeMissing(scope)
