"""How it stands with backups, for the pages that offer to make one."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.backup_folder import Kept, kept
from core.domain.backups import KIND
from core.models import Job


@dataclass(frozen=True)
class BackupState:
    """The newest backup that is there, and the job that was asked for last, where it is not over or
    has failed."""

    last: Kept | None
    job: Job | None

    @property
    def is_running(self) -> bool:
        """Whether one is being made."""
        return self.job is not None and not self.job.is_over

    @property
    def version(self) -> str:
        """What a poll compares."""
        return f"{self.job.pk}-{self.job.state}" if self.job else "-"


def backup_state() -> BackupState:
    """One query, and a look at the folder."""
    job = Job.objects.filter(kind=KIND).order_by("-pk").first()
    last = next(iter(kept()), None)
    ended = job.finished_at if job is not None else None
    is_past = ended is not None and last is not None and ended < last.made_at
    return BackupState(last, None if is_past else job)
