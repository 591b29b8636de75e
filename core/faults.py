"""What went wrong on the site's own side, and whether waiting helps."""

from __future__ import annotations

import sqlite3

import structlog
from django.db import InterfaceError, OperationalError

logger = structlog.get_logger(__name__)

PASSING = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
    }
)
"""SQLite's errors that say nothing against the statement; it raises the same class for both."""


def is_outage(error: BaseException | None) -> bool:
    """Whether the database cannot answer now, so that the same request may succeed later."""
    if isinstance(error, InterfaceError):
        return True
    if not isinstance(error, OperationalError):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF in PASSING
    return True


def note_outage(error: BaseException) -> None:
    """One line instead of a traceback a request, as everybody's requests fail at once."""
    cause = error.__cause__ or error
    told = {"sqlstate": getattr(cause, "sqlstate", None), "why": str(cause).split("\n")[0]}
    logger.error("database.away", error=type(cause).__name__, **told)
