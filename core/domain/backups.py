"""Backups: one file of everything, made while the site runs.

In it are all rows of all tables, with accounts, sessions and audit rows, as they were at one
moment, and the uploaded files. The secret by which cookies are signed is not in it.
"""

from __future__ import annotations

import hashlib
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Any, cast

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actors import SYSTEM, Actor
from core.domain import jobs
from core.domain.audit import SITE, audit
from core.domain.backup_files import FORMAT, VERSION, BackupError, Manifest, Writer, digest_of
from core.domain.backup_folder import folder, keep_newest, name_of
from core.domain.patience import patiently
from core.domain.rows import Contents, Schema, Table, snapshot
from core.enums import BackupWhy, JobState
from core.models import Job

KIND = "backup"


@dataclass(frozen=True)
class Made:
    """A backup just made; `size` in bytes."""

    path: Path
    manifest: Manifest
    size: int
    seconds: float

    @property
    def rows(self) -> int:
        """Rows of all tables."""
        return sum(table["rows"] for table in self.manifest["tables"].values())


def make_backup(*, why: BackupWhy, into: Path | None = None) -> Made:
    """Writes a file of everything as it is at this moment; it is whole or not there at all.

    Uploaded files are read right after that moment: one removed in between is left out, one added
    may be in it. `into`: another folder than the site's. Raises `BackupError` where the disk is
    full or cannot be written, or the database is newer than the site.
    """
    began, made_at, place = time.monotonic(), timezone.now().astimezone(UTC), into or folder()
    try:
        with Writer(place) as writer:
            with snapshot():
                schema = checked_schema()
                for name, path in media_files():
                    _add_file(writer, name, path)
                tables = []
                for table in schema.tables(schema.applied):
                    with writer.table(table.label) as write:
                        tables.append((table, table.read(write)))
                manifest = _manifest(schema, tables, writer.media)
            manifest |= {"made_at": made_at.isoformat(), "why": str(why)}
            path = place / name_of(made_at, why, manifest["digest"])
            writer.finish(manifest, path)
        size = path.stat().st_size
    except OSError as error:
        words = {"folder": place, "error": error.strerror or error}
        raise BackupError(
            _("备份没有写成：%(error)s。请看看 %(folder)s 的磁盘空间和权限。") % words,
            code="backup-disk",
        ) from error
    return Made(path, manifest, size, time.monotonic() - began)


def make_before_upgrade() -> Made | None:
    """A backup where migrations wait and there is something to lose by them, else None."""
    schema = Schema()
    if not schema.applied or not schema.pending:
        return None
    if all(table.is_empty() for table in schema.tables(schema.applied)):
        return None
    made = make_backup(why=BackupWhy.UPGRADE)
    keep_newest()
    return made


def manifest_now() -> Manifest:
    """What the manifest of a backup of this moment would be; nothing is written."""
    with snapshot():
        schema = checked_schema()
        tables = [(table, table.read()) for table in schema.tables(schema.applied)]
        media = {}
        for name, path in media_files():
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            media[name] = {"size": path.stat().st_size, "sha256": digest}
        return _manifest(schema, tables, media)


def media_files() -> Iterator[tuple[str, Path]]:
    """The uploaded files by name. What begins with a dot is no upload."""
    root = Path(settings.MEDIA_ROOT)
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        if not name.parts[0].startswith(".") and path.is_file() and not path.is_symlink():
            yield name.as_posix(), path


def checked_schema() -> Schema:
    """The migrations of this database. Raises `BackupError` where it has newer ones than the
    site."""
    schema = Schema()
    newer = sorted(schema.applied - schema.known)
    if newer:
        raise BackupError(
            _("数据库比网站程序新（有 %(name)s）：请先升级网站程序。")
            % {"name": ".".join(newer[0])},
            code="database-newer",
        )
    return schema


def ask_for_backup(*, actor: Actor = SYSTEM, why: BackupWhy, scope: str = "") -> Job:
    """Has a backup made after the running transaction, by the job that waits for it already if
    there is one that keeps it as long."""
    payload = {"why": str(why)}
    waiting = Job.objects.filter(kind=KIND, state=JobState.WAITING, payload=payload).first()
    return waiting or jobs.enqueue(kind=KIND, payload=payload, scope=scope, actor=actor)


@transaction.atomic
def ask_by_hand(*, actor: Actor) -> Job:
    """The same for who looks after the site."""
    job = ask_for_backup(actor=actor, why=BackupWhy.MANUAL)
    audit(actor=actor, action="backup.ask", scope=SITE, subject=SITE)
    return job


def note_download(*, actor: Actor, name: str) -> None:
    """Somebody takes a backup away: everything that the site knows is in it."""
    audit(actor=actor, action="backup.download", scope=SITE, subject=f"backup:{name}")


def run_backup(job: jobs.Running) -> Mapping[str, object]:
    """The job of `ask_for_backup`, and the daily one, which nobody asks for."""
    why = BackupWhy(cast(str, job.payload.get("why", BackupWhy.DAILY)))
    made = patiently(lambda: make_backup(why=why), job)
    keep_newest()
    return {
        "name": made.path.name,
        "digest": made.manifest["digest"],
        "size": made.size,
        "rows": made.rows,
        "files": len(made.manifest["media"]),
        "seconds": round(made.seconds, 1),
    }


def _add_file(writer: Writer, name: str, path: Path) -> None:
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return
    with file:
        writer.add_media(name, file)


def _manifest(
    schema: Schema, tables: Sequence[tuple[Table, Contents]], media: Mapping[str, Any]
) -> Manifest:
    migrations: dict[str, list[str]] = {}
    for app, name in sorted(schema.applied):
        migrations.setdefault(app, []).append(name)
    told = {
        table.label: {
            "columns": table.columns,
            "rows": contents.rows,
            "size": contents.size,
            "sha256": contents.sha256,
            "last": contents.last,
        }
        for table, contents in tables
    }
    return {
        "format": FORMAT,
        "version": VERSION,
        "site": site_version(),
        "database": {
            "kind": connection.vendor,
            "version": ".".join(map(str, connection.get_database_version())),
        },
        "migrations": migrations,
        "tables": told,
        "media": dict(media),
        "digest": digest_of(told, {name: file["sha256"] for name, file in media.items()}),
    }


def site_version() -> str:
    """The version of the site, empty where its pyproject.toml is not there."""
    path = Path(settings.BASE_DIR) / "pyproject.toml"
    if not path.exists():
        return ""
    return str(tomllib.loads(path.read_text(encoding="utf-8"))["project"]["version"])
