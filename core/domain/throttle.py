"""How often somebody may guess a password.

Counted by account and address together. By address alone a whole hall would be locked out, as
its phones share one (stack fact 5); by account alone anybody could lock out its owner.
"""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from core.domain.locks import lock
from core.models import Attempts

MOST = 8
WITHIN = timedelta(minutes=15)
WAIT = timedelta(minutes=5)
KEEP = timedelta(days=1)


@transaction.atomic
def take_attempt(*, account: str, address: str) -> datetime | None:
    """Counts one try before the password is looked at; None where it may be made.

    Otherwise when the next one may. After `MOST` tries within `WITHIN` none is taken for `WAIT`.
    Parallel tries wait for each other, so no more get through than one after the other.
    """
    now = timezone.now()
    row, is_new = Attempts.objects.get_or_create(
        key=_key(account, address), defaults={"since": now}
    )
    if is_new:
        Attempts.objects.filter(since__lt=now - KEEP).delete()
    row = lock(row)
    if row.until is not None and now < row.until:
        return row.until
    if row.until is not None or row.since <= now - WITHIN:
        row.tries, row.since, row.until = 0, now, None
    row.tries += 1
    if row.tries >= MOST:
        row.until = now + WAIT
    row.save()
    return None


def forget_attempts(*, account: str, address: str) -> None:
    """The password was right: the tries before it no longer count."""
    Attempts.objects.filter(key=_key(account, address)).delete()


def _key(account: str, address: str) -> str:
    return hashlib.sha256(f"{account}\n{address}".encode()).hexdigest()
