"""Versions of scopes: bumped last in a writing transaction, read through a 1 s cache (fact 1)."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable

from django.db import connection

from core.models import Version

MAX_AGE_S = 1.0

_NEVER = (-math.inf, 0)
_seen: dict[str, tuple[float, int]] = {}

_UPSERT = (
    "INSERT INTO core_version (scope, number) VALUES (%s, 1) "
    "ON CONFLICT (scope) DO UPDATE SET number = core_version.number + 1"
)


def bump(*scopes: str) -> None:
    """Raises the version of each scope by one. The last thing a writing transaction does.

    Rows are locked in the order of their names, so writers of several never wait in a circle.
    """
    with connection.cursor() as cursor:
        for scope in sorted(set(scopes)):
            cursor.execute(_UPSERT, [scope])
            _seen.pop(scope, None)


def fresh(scopes: Iterable[str]) -> tuple[int, ...]:
    """The versions in the database now, in the order asked; 0 for one never bumped."""
    wanted = tuple(scopes)
    found = dict(Version.objects.filter(scope__in=wanted).values_list("scope", "number"))
    return tuple(found.get(scope, 0) for scope in wanted)


def current(scopes: Iterable[str]) -> tuple[int, ...]:
    """The versions as this process knew them at most a second ago. Read before the data."""
    wanted = tuple(scopes)
    now = time.monotonic()
    # Another thread's bump takes a scope out at any moment, so each is looked up once.
    seen = {scope: _seen.get(scope, _NEVER) for scope in wanted}
    missing = [scope for scope, (at, _number) in seen.items() if now - at > MAX_AGE_S]
    for scope, number in zip(missing, fresh(missing) if missing else (), strict=True):
        seen[scope] = _seen[scope] = (now, number)
    return tuple(seen[scope][1] for scope in wanted)


def forget() -> None:
    """Empties this process's cache (tests, and after a fork)."""
    _seen.clear()
