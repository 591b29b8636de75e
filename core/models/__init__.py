"""Rows that every part needs."""

from core.models.attempts import Attempts
from core.models.audit import AuditRow
from core.models.idempotency import IdempotencyKey
from core.models.job import Job
from core.models.schedule import Schedule
from core.models.user import User
from core.models.version import Version

__all__ = ["Attempts", "AuditRow", "IdempotencyKey", "Job", "Schedule", "User", "Version"]
