"""Whether this process can serve: what `/readyz` says, looked up at most every few seconds."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from celery import current_app
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.executor import MigrationExecutor

from core.queries import oldest_waiting_s

KEEP_S = 3.0
PATIENCE_S = 2.0
LATE_S = 120
"""A job that waits longer has nobody who does it: the lease of a vanished runner is as long."""
OK, AWAY, MISSING, UNWRITABLE, LATE, UNUSED = (
    "ok",
    "away",
    "missing",
    "unwritable",
    "late",
    "unused",
)
NEEDED = ("database", "migrations", "media")
"""Without these nobody is served. Jobs are rows and wait, so the rest is only worse than usual."""


@dataclass(frozen=True)
class Health:
    """What each check found (`ok` or what is wrong), and the oldest waiting job's age in seconds,
    None where the database is away."""

    checks: Mapping[str, str]
    oldest_waiting_s: int | None
    is_draining: bool = False

    @property
    def is_ready(self) -> bool:
        """Whether requests may be sent here."""
        return not self.is_draining and all(self.checks[name] == OK for name in NEEDED)

    @property
    def status(self) -> str:
        """In a word."""
        if not self.is_ready:
            return "draining" if self.is_draining else "not-ready"
        return "ready" if set(self.checks.values()) <= {OK, UNUSED} else "degraded"


class _Kept:
    """The last look of this process."""

    def __init__(self) -> None:
        self.looking = threading.Lock()
        self.health: Health | None = None
        self.at = 0.0
        self.is_migrated = False


_kept = _Kept()


def look() -> Health:
    """The state of things, at most `KEEP_S` seconds old; that it is to be drained, now."""
    known = _kept.health
    is_old = known is None or time.monotonic() - _kept.at > KEEP_S
    if is_old and _kept.looking.acquire(blocking=known is None):
        try:
            known = _kept.health = _look()
            _kept.at = time.monotonic()
        finally:
            _kept.looking.release()
    assert known is not None
    is_draining = Path(settings.DRAINING_FILE).exists()
    return Health(known.checks, known.oldest_waiting_s, is_draining)


def forget() -> None:
    """Looks anew the next time (tests)."""
    _kept.health = None
    _kept.is_migrated = False


def database_answers() -> bool:
    """Whether the database answers within two seconds, or what its driver needs on a file."""
    try:
        pool = getattr(connection, "pool", None)
        with connection.wrap_database_errors:
            if pool:
                pool.open()
                with pool.connection(timeout=PATIENCE_S) as raw:
                    raw.execute("SELECT 1")
            else:
                with connection.cursor() as cursor:
                    cursor.execute("SELECT 1")
    except (DatabaseError, InterfaceError):
        return False
    return True


def _look() -> Health:
    checks = {"database": OK, "migrations": OK, "media": _media(), "broker": _broker(), "jobs": OK}
    if not database_answers():
        return Health({**checks, "database": AWAY, "migrations": AWAY, "jobs": AWAY}, None)
    try:
        if not _is_migrated():
            return Health({**checks, "migrations": MISSING, "jobs": MISSING}, None)
        age = oldest_waiting_s()
    except (DatabaseError, InterfaceError):
        return Health({**checks, "database": AWAY, "migrations": AWAY, "jobs": AWAY}, None)
    checks["jobs"] = LATE if age > LATE_S else OK
    return Health(checks, int(age))


def _is_migrated() -> bool:
    """Whether every migration of this code has been applied; later ones of a newer code may be
    too. Once it is so, it stays so while the process runs."""
    if not _kept.is_migrated:
        executor = MigrationExecutor(connection)
        _kept.is_migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    return _kept.is_migrated


def _media() -> str:
    """Whether files can be kept: a byte is written, as a full disk takes new names."""
    try:
        Path(settings.MEDIA_ROOT).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=settings.MEDIA_ROOT, buffering=0) as file:
            file.write(b".")
    except OSError:
        return UNWRITABLE
    return OK


def _broker() -> str:
    if not settings.CELERY_BROKER_URL:
        return UNUSED
    try:
        with current_app.connection_for_write(connect_timeout=PATIENCE_S) as broker:
            broker.connect()
            broker.channel().close()
    except Exception:  # each transport has errors of its own
        return AWAY
    return OK
