"""Doing a client's request once (stack fact 6)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.db import IntegrityError, connection, transaction
from django.utils.translation import gettext_lazy as _

from core.errors import Conflict, DomainError
from core.metrics import REPLAYS
from core.models import IdempotencyKey


class KeyReused(DomainError):
    """The same key came with another request."""

    code = "key-reused"
    status = 422


@dataclass(frozen=True)
class Answer:
    """What was answered: HTTP status, JSON, and whether it is a repetition."""

    status: int
    json: object
    replayed: bool


def request_hash(request: Mapping[str, object]) -> str:
    """SHA-256 (hex) of the request's canonical JSON."""
    text = json.dumps(request, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def do_once(
    *,
    scope: str,
    key: str,
    request: Mapping[str, object],
    act: Callable[[], tuple[int, object]],
) -> Answer:
    """Does `act` unless a request with this key was answered before.

    `scope` says whose keys these are (`table:9`), `key` is the client's UUID, `request` what
    it asked (JSON values), `act` returns status and JSON answer. Key, action and answer are
    one transaction: an action that raises leaves no key behind and may be sent again.
    Raises `KeyReused` (422) for the same key with another request, `Conflict` `in-flight`
    (409) while the first is still at work.
    """
    asked = request_hash(request)
    with transaction.atomic():
        _claim(f"{scope} {key}")
        try:
            with transaction.atomic():
                row = IdempotencyKey.objects.create(scope=scope, key=key, request_hash=asked)
        except IntegrityError:
            stored = IdempotencyKey.objects.get(scope=scope, key=key)
            if stored.request_hash != asked:
                raise KeyReused(_("这个请求编号已用于另一次提交，请刷新页面再试。")) from None
            REPLAYS.inc()
            return Answer(stored.status, stored.answer, replayed=True)
        row.status, row.answer = act()
        row.save(update_fields=["status", "answer"])
    return Answer(row.status, row.answer, replayed=False)


def _claim(name: str) -> None:
    """On PostgreSQL says at once that the key is in use; SQLite has one writer at a time."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))", [name])
        (got,) = cursor.fetchone()
    if not got:
        raise Conflict(_("同一请求正在处理，请稍候。"), code="in-flight")
