"""Everything that is stored of an account, as JSON for its holder; no secrets, nobody else."""

from __future__ import annotations

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession

from core.models import AuditRow, Job, User
from scoring.models import Collection, UploadedRecord
from tournament.models import ApiToken, Membership, Person, RefereeAway
from tournament.models.access import Invitation

FORMAT, VERSION = "duozhu-account", 1
ABOUT = [
    "这个网站存着的关于这个账号的全部内容；密码和密钥只有散列，不在里面。",
    "All that the site stores of this account; passwords and keys are kept as hashes and left out.",
]


def account_data(user: User) -> dict[str, Any]:
    """A fixed number of queries."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "about": ABOUT,
        "account": {
            "username": user.username,
            "display_name": user.display_name,
            "phone": user.phone,
            "mail": user.email,
            "made_at": user.date_joined,
            "last_login": user.last_login,
            "is_operator": user.is_superuser,
        },
        "roles": [
            {"competition": one.competition.name, "role": one.role, "units": one.units,
             "since": one.created_at}
            for one in Membership.objects.filter(user=user).select_related("competition")
        ],
        "away": [
            {"competition": one.referee.competition.name, "from": one.begins_at, "to": one.ends_at}
            for one in RefereeAway.objects.filter(referee__user=user).select_related(
                "referee__competition"
            )
        ],
        "invitations": [
            {"competition": one.competition.name, "role": one.role, "label": one.label,
             "accepted_at": one.used_at}
            for one in Invitation.objects.filter(used_by=user).select_related("competition")
        ],
        "tokens": [
            {"competition": one.competition.name, "label": one.label, "made_at": one.created_at,
             "expires_at": one.expires_at, "last_used_at": one.last_used_at}
            for one in ApiToken.objects.filter(created_by=user).select_related("competition")
        ],
        "entries": Person.objects.filter(user=user).count(),
        "second_locks": [
            {"kind": one.type, "made_at": one.created_at, "last_used_at": one.last_used_at}
            for one in Authenticator.objects.filter(user=user)
        ],
        "devices": [
            {"address": one.ip, "browser": one.user_agent, "since": one.created_at,
             "last_seen_at": one.last_seen_at}
            for one in UserSession.objects.filter(user=user)
        ],
        "collections": [
            {"name": one.name, "made_at": one.created_at, "public_since": one.published_at}
            for one in Collection.objects.filter(owner=user)
        ],
        "records": list(
            UploadedRecord.objects.filter(collection__owner=user)
            .order_by("pk")
            .values_list("text", flat=True)
        ),
        "jobs": [
            {"kind": one.kind, "at": one.created_at, "state": one.state}
            for one in Job.objects.filter(created_by=user)
        ],
        "log": [
            {"at": row.at, "action": row.action, "scope": row.scope, "subject": row.subject}
            for row in AuditRow.objects.filter(user_id=user.pk)
        ],
    }  # fmt: skip
