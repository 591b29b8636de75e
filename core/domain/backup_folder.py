"""The folder of the site's backups: what is in it, and how many stay."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings

from core.domain.backup_files import UNFINISHED
from core.enums import BackupWhy

SHORT = 12
"""So many hex digits of a digest stand in a file's name and on pages."""
STALE_S = 24 * 3600
_NAME = re.compile(r"duozhu-(\d{8}T\d{6}Z)-([a-z]+)-([0-9a-f]{12})\.zip")
_TIME = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True)
class Kept:
    """A backup in the folder, as its name says; `digest` is the short one, `size` in bytes."""

    path: Path
    made_at: datetime
    why: BackupWhy
    digest: str
    size: int

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.name


def folder() -> Path:
    """Where the site keeps its backups."""
    return Path(settings.BACKUP_DIR)


def name_of(made_at: datetime, why: BackupWhy, digest: str) -> str:
    """`duozhu-20261130T134838Z-daily-1a2b3c4d5e6f.zip`."""
    return f"duozhu-{made_at.astimezone(UTC):{_TIME}}-{why}-{digest[:SHORT]}.zip"


def kept() -> list[Kept]:
    """The backups that are there, newest first. Files of other names are somebody else's."""
    found = []
    for path in folder().glob("duozhu-*.zip"):
        match = _NAME.fullmatch(path.name)
        if match is None or match[2] not in BackupWhy.values:
            continue
        try:
            size = path.stat().st_size
        except FileNotFoundError:
            continue
        made_at = datetime.strptime(match[1], _TIME).replace(tzinfo=UTC)
        found.append(Kept(path, made_at, BackupWhy(match[2]), match[3], size))
    return sorted(found, key=lambda one: (one.made_at, one.name), reverse=True)


def find(name: str) -> Kept | None:
    """The backup of this name, if it is there."""
    return next((one for one in kept() if one.name == name), None)


def keep_newest() -> list[Kept]:
    """Removes all but the newest `BACKUP_KEEP` of each kind that the site makes by itself, and what
    a process that was killed left unfinished a day ago; those that went. One that somebody made by
    hand stays until somebody removes it."""
    gone: list[Kept] = []
    for why in BackupWhy:
        if why != BackupWhy.MANUAL:
            gone += [one for one in kept() if one.why == why][settings.BACKUP_KEEP :]
    for one in gone:
        one.path.unlink(missing_ok=True)
    for part in folder().glob(f".*{UNFINISHED}"):
        try:
            is_stale = time.time() - part.stat().st_mtime > STALE_S
        except FileNotFoundError:  # another one, which is whole now and has its name
            continue
        if is_stale:
            part.unlink(missing_ok=True)
    return gone
