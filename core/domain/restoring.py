"""Restoring a backup: into an empty database of either kind, whole or not at all.

Rows go in inside one transaction, which is committed once the database gives back just what the
backup holds. Uploaded files wait beside their place and are moved there after the commit. The site
must be stopped meanwhile.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DatabaseError, connection, transaction
from django.db.migrations.exceptions import IrreversibleError
from django.db.migrations.executor import MigrationExecutor
from django.db.models import F
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.domain.backup_files import BackupError, Reader
from core.domain.backup_folder import keep_newest
from core.domain.backups import Made, checked_schema, make_backup, media_files
from core.domain.rows import Node, Schema, Table
from core.enums import BackupWhy

MADE_BY_MIGRATE = frozenset({"contenttypes.ContentType", "auth.Permission"})
"""Tables that migrating fills: their rows are nothing to lose."""
VERSIONS = "core.Version"
AHEAD = 1_000_000
"""So far the numbers of pages go on, as more changes than that were never made since a backup."""


@dataclass(frozen=True)
class Restored:
    """What came back; `before` is the backup of what it replaced, None where there was nothing."""

    rows: int
    files: int
    digest: str
    before: Made | None


def restore(
    path: Path, *, replace: str = "", tell: Callable[[str], object] = lambda text: None
) -> Restored:
    """Fills the database and the folder of uploads from a backup.

    `replace`: the name of this database, as its contents are to be lost; they are kept in a backup
    first. A backup of an older version is restored as it was and then migrated. `tell` gets a
    sentence for each step. Raises `BackupError`; then nothing is changed, but that the tables may
    have been made.
    """
    with Reader(path) as backup:
        wanted = _wanted(backup)
        schema = checked_schema()
        newer = sorted(wanted - schema.known)
        if newer:
            raise BackupError(
                _("备份是更新版本的网站做的（有 %(name)s）：请先升级网站程序，再恢复。")
                % {"name": ".".join(newer[0])},
                code="backup-newer",
            )
        has_content = _has_content(schema)
        if has_content:
            _check_replace(replace)
            if schema.applied != wanted:
                raise BackupError(
                    _("备份和这个数据库不是同一版本，不能直接替换：请恢复到一个新的空数据库。"),
                    code="backup-state",
                )
        tell(gettext("核对备份的校验值……"))
        backup.verify()
        before = None
        if has_content:
            tell(gettext("先备份现在的内容……"))
            before = make_backup(why=BackupWhy.RESTORE)
        if schema.applied != wanted:
            tell(gettext("建立数据表……"))
            _migrate(schema, wanted)
        tables = _fitting(Schema().tables(wanted), backup)
        with _staged(backup) as place_files:
            tell(gettext("写入数据……"))
            _fill(tables, backup)
            place_files()
        call_command("migrate", interactive=False, verbosity=0)
        # Only now, as the one that is restored may be the oldest of its kind.
        keep_newest()
        rows = sum(int(table["rows"]) for table in backup.tables.values())
        return Restored(rows, len(backup.media), backup.manifest["digest"], before)


def database_name() -> str:
    """What a database is called: its file's name, or its name on the server."""
    return Path(str(connection.settings_dict["NAME"])).name


def _wanted(backup: Reader) -> set[Node]:
    migrations: Mapping[str, Iterable[str]] = backup.manifest["migrations"]
    return {(app, name) for app, names in migrations.items() for name in names}


def _has_content(schema: Schema) -> bool:
    tables = schema.tables(schema.applied)
    rows = any(not one.is_empty() for one in tables if one.label not in MADE_BY_MIGRATE)
    return rows or any(True for _file in media_files())


def _check_replace(replace: str) -> None:
    name = database_name()
    if not replace:
        raise BackupError(
            _(
                "数据库 %(name)s 不是空的，没有恢复。要用备份替换它，请先停掉网站，"
                "再加上 --replace %(name)s。"
            )
            % {"name": name},
            code="not-empty",
        )
    if replace != name:
        raise BackupError(
            _("--replace 后面要写这个数据库的名字 %(name)s，没有恢复。") % {"name": name},
            code="not-empty",
        )


def _migrate(schema: Schema, wanted: set[Node]) -> None:
    """Takes the empty tables to the state that the backup was made in, be it an older one."""
    apps = {app for app, _name in schema.loader.graph.nodes}
    targets: list[Any] = [
        node
        for node in schema.loader.graph.nodes
        if node in wanted and not _followers(schema, node) & wanted
    ]
    targets += [(app, None) for app in sorted(apps - {app for app, _name in wanted})]
    try:
        executor = MigrationExecutor(connection)
        back = {step[0] for step in executor.migration_plan(targets) if step[1]}
        if back:
            # Each finds the tables as it left them only in just the reverse order.
            every = executor.migration_plan(schema.loader.graph.leaf_nodes(), clean_start=True)
            plan = [(one, True) for one, _back in reversed(every) if one in back]
            executor.migrate(targets, plan=plan)
        MigrationExecutor(connection).migrate(targets)
    except IrreversibleError as error:
        raise BackupError(
            _("这个空数据库的数据表比备份新，退不回去：请换一个没有数据表的新数据库。"),
            code="backup-state",
        ) from error


def _followers(schema: Schema, node: Node) -> set[Node]:
    """The migrations of the same app that come right after one."""
    children = schema.loader.graph.node_map[node].children
    return {(one.key[0], one.key[1]) for one in children if one.key[0] == node[0]}


def _fitting(tables: list[Table], backup: Reader) -> list[Table]:
    """The tables, if the backup has just these with just these columns."""
    ours = {table.label: table.columns for table in tables}
    theirs = {label: list(table["columns"]) for label, table in backup.tables.items()}
    if ours != theirs:
        labels = sorted(set(ours) ^ set(theirs)) or sorted(
            label for label in ours if ours[label] != theirs[label]
        )
        raise BackupError(
            _("备份里的表 %(table)s 和这里的不一样，没有恢复。") % {"table": labels[0]},
            code="backup-state",
        )
    return tables


@transaction.atomic(durable=True)
def _fill(tables: list[Table], backup: Reader) -> None:
    """Empties the tables, writes the rows, and compares what the database gives back."""
    names = [table.name for table in tables]
    flush = connection.ops.sql_flush(no_style(), names, reset_sequences=False)
    with connection.cursor() as cursor:
        for statement in flush:
            cursor.execute(statement)
    for table in tables:
        try:
            with closing(backup.lines(table.label)) as lines:
                table.insert(lines)
        except (DatabaseError, TypeError, ValidationError, ValueError) as error:
            raise _unfit(table.label, error) from error
    try:
        connection.check_constraints()
    except DatabaseError as error:
        raise _unfit("", error) from error
    for table in tables:
        told, found = backup.tables[table.label], table.read()
        if (found.rows, found.sha256) != (told["rows"], told["sha256"]):
            raise _unfit(table.label, _("写进去的和备份里的不一样"))
        table.count_from(max(int(told["last"]), found.last))
        if table.label == VERSIONS:
            table.model._base_manager.update(number=F("number") + AHEAD)


def _unfit(table: str, error: object) -> BackupError:
    words = {"table": table, "error": " ".join(str(error).split())[:300]}
    return BackupError(_("没有恢复，数据库没有变：%(table)s %(error)s") % words, code="backup-rows")


@contextmanager
def _staged(backup: Reader) -> Any:
    """Unpacks the uploaded files beside their place; gives what moves them there."""
    root = Path(settings.MEDIA_ROOT)
    staging = root / f".restoring-{secrets.token_hex(4)}"
    try:
        try:
            staging.mkdir(parents=True)
            for name in backup.media:
                target = staging / name
                target.parent.mkdir(parents=True, exist_ok=True)
                with target.open("xb") as file, backup.file(name) as blocks:
                    file.writelines(blocks)
        except OSError as error:
            raise BackupError(
                _("上传的文件写不进 %(folder)s：%(error)s。没有恢复。")
                % {"folder": root, "error": error.strerror or error},
                code="backup-disk",
            ) from error

        def place() -> None:
            for old in root.iterdir():
                if not old.name.startswith("."):
                    shutil.rmtree(old) if old.is_dir() else old.unlink()
            for new in staging.iterdir():
                new.rename(root / new.name)

        yield place
    finally:
        # What is left begins with a dot and is no upload; an error here would hide the reason.
        shutil.rmtree(staging, ignore_errors=True)
