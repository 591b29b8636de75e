"""Writing audit rows."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from django.db import models

from core.actors import Actor
from core.models import AuditRow
from core.models.audit import SALT_BYTES, commitment

SITE = "site"
"""The scope of what belongs to no competition."""


def audit(
    *,
    actor: Actor,
    action: str,
    scope: str,
    subject: models.Model | str,
    data: Mapping[str, object] | None = None,
    said: Mapping[str, str] | None = None,
) -> AuditRow:
    """One row in the running transaction.

    `action` is `thing.verb` (`hand.enter`); `scope` the competition (`competition:3`);
    `subject` the row acted on, stored as `hand:17`. `data` holds ids and non-personal values
    only: never a name, a phone number or a token. Its `token` is the id of the token by which a
    program acted. `said` is what somebody typed, by key: empty texts are left out.
    """
    named = subject if isinstance(subject, str) else f"{subject._meta.model_name}:{subject.pk}"
    by_token = {} if actor.token_id is None else {"token": actor.token_id}
    texts = {
        key: [secrets.token_hex(SALT_BYTES), text] for key, text in (said or {}).items() if text
    }
    kept = {"said": {key: commitment(*pair) for key, pair in texts.items()}} if texts else {}
    return AuditRow.objects.create(
        user_id=actor.user_id,
        link_id=actor.link_id,
        scope=scope,
        action=action,
        subject=named,
        data={**(data or {}), **kept, **by_token},
        said=texts,
    )
