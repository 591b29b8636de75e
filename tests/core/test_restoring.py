"""Restoring a backup: into what it goes, what is refused, and that nothing is half done."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from core.domain import restoring
from core.domain.backup_files import BackupError, digest_of
from core.domain.backup_folder import kept
from core.domain.backups import make_backup, make_before_upgrade, manifest_now
from core.domain.restoring import AHEAD, database_name, restore
from core.domain.rows import Schema, Table
from core.domain.versions import bump
from core.enums import BackupWhy
from core.models import AuditRow, IdempotencyKey, User, Version
from tests.factories import make_acting, make_competition, make_user
from tests.folders import own_folders as own_folders
from tests.folders import upload
from tournament.enums import Role
from tournament.models import Competition

pytestmark = pytest.mark.django_db(transaction=True)

OLDER = {"scoring": "0007_books", "tournament": "0016_api_tokens", "core": "0002_attempts"}
"""A state of the tables that an older version left."""


def uploads(settings: Settings) -> dict[str, bytes]:
    """Every file that is there now."""
    root = Path(settings.MEDIA_ROOT)
    files = (path for path in root.rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def forge(path: Path, change: Callable[[dict[str, bytes], dict[str, object]], None]) -> Path:
    """The backup with its parts and manifest changed, and every digest as it should then be."""
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    manifest = json.loads(parts.pop("manifest.json"))
    change(parts, manifest)
    for label, table in manifest["tables"].items():
        data = parts[f"tables/{label}.jsonl"]
        table |= {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        table["rows"] = data.count(b"\n")
    manifest["digest"] = digest_of(manifest["tables"], {})
    forged = path.with_name("forged.zip")
    with zipfile.ZipFile(forged, "w") as package:
        for name, data in parts.items():
            package.writestr(name, data)
        package.writestr("manifest.json", json.dumps(manifest))
    return forged


def test_nothing_is_restored_over_what_is_there_without_its_name(settings: Settings) -> None:
    make_user("甲")
    made = make_backup(why=BackupWhy.MANUAL)
    make_user("乙")
    before = manifest_now()["digest"]
    for replace, said in (
        ("", f"再加上 --replace {database_name()}"),
        ("else", "要写这个数据库的名字"),
    ):
        with pytest.raises(BackupError, match=said):
            restore(made.path, replace=replace)
    assert manifest_now()["digest"] == before
    assert len(kept()) == 1


def test_files_alone_are_something_to_lose(settings: Settings) -> None:
    made = make_backup(why=BackupWhy.MANUAL)
    upload(settings, "a", b"1")
    with pytest.raises(BackupError, match="不是空的"):
        restore(made.path)
    assert uploads(settings) == {"a": b"1"}


def test_replacing_brings_back_every_row_and_file_and_keeps_what_was_there(
    settings: Settings,
) -> None:
    competition = make_competition()
    answers = [None, [], {"手": "🎴", "n": 1.5}, "text"]
    for number, answer in enumerate(answers):
        IdempotencyKey.objects.create(scope="s", key=f"{number}", request_hash="", answer=answer)
    bump(competition.scope)
    upload(settings, "records/一", b"1")
    upload(settings, "books/b", b"2")
    made = make_backup(why=BackupWhy.MANUAL)
    number = Version.objects.get(scope=competition.scope).number

    gone = make_user("乙")
    AuditRow.objects.create(action="a", subject="s", scope="s", user_id=gone.pk)
    gone_pk, audit_pk = gone.pk, AuditRow.objects.get().pk
    Competition.objects.update(name="改了")
    upload(settings, "records/一", b"changed")
    upload(settings, "new/c", b"3")
    later = manifest_now()["digest"]

    out = StringIO()
    call_command("restore", str(made.path), "--replace", database_name(), stdout=out)
    assert manifest_now()["digest"] == made.manifest["digest"]
    assert Competition.objects.get() == competition
    assert Competition.objects.get().name == "漓江杯"
    keys = IdempotencyKey.objects.order_by("key")
    assert [key.answer for key in keys] == answers
    assert keys.filter(answer__isnull=True).count() == 1
    assert uploads(settings) == {"records/一": b"1", "books/b": b"2"}
    # Pages cached before are never taken for the newest.
    assert Version.objects.get(scope=competition.scope).number == number + AHEAD
    # What audit rows elsewhere say of a number is never said of another row.
    assert make_user("丙").pk > gone_pk
    assert AuditRow.objects.create(action="a", subject="s", scope="s").pk > audit_pk

    before = next(one for one in kept() if one.why == BackupWhy.RESTORE)
    assert str(before.path) in out.getvalue()
    assert later.startswith(before.digest)
    restore(before.path, replace=database_name())
    assert uploads(settings)["records/一"] == b"changed"
    assert User.objects.filter(username="乙").exists()
    assert manifest_now()["digest"] == later


def test_numbers_go_on_where_the_backup_was_though_the_rows_are_gone() -> None:
    users = [make_user() for _number in range(3)]
    highest = users[-1].pk
    User.objects.all().delete()
    made = make_backup(why=BackupWhy.MANUAL)
    assert made.manifest["tables"]["core.User"]["last"] == highest
    table = Table(User)
    table.count_from(highest - 1)
    assert table.last() == highest
    table.count_from(highest + 7)
    assert table.last() == highest + 7
    assert make_user().pk == highest + 8


def test_backup_of_a_newer_version_is_refused_before_anything_is_changed() -> None:
    make_user()
    made = make_backup(why=BackupWhy.MANUAL)

    def change(parts: dict[str, bytes], manifest: dict[str, object]) -> None:
        migrations = manifest["migrations"]
        assert isinstance(migrations, dict)
        migrations["scoring"].append("9999_next")

    forged = forge(made.path, change)
    before = manifest_now()["digest"]
    with pytest.raises(BackupError, match=r"scoring\.9999_next.*请先升级网站程序"):
        restore(forged, replace=database_name())
    assert manifest_now()["digest"] == before


def test_spoilt_backup_changes_nothing(settings: Settings) -> None:
    make_user()
    upload(settings, "a", b"1")
    made = make_backup(why=BackupWhy.MANUAL)
    with zipfile.ZipFile(made.path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    parts["media/a"] = b"2"
    with zipfile.ZipFile(made.path, "w") as package:
        for name, data in parts.items():
            package.writestr(name, data)
    make_user()
    before = manifest_now()["digest"]
    with pytest.raises(CommandError, match="“media/a”和校验值不符"):
        call_command("restore", str(made.path), "--replace", database_name())
    assert manifest_now()["digest"] == before
    assert [one.why for one in kept()] == [BackupWhy.MANUAL]


MEMBERSHIP = "tournament.Membership"


@pytest.mark.parametrize("fault", ["of nothing", "too short", "of another kind", "no row", "twice"])
def test_rows_that_do_not_fit_leave_everything_as_it_was(settings: Settings, fault: str) -> None:
    make_acting(make_competition(), Role.OWNER)
    made = make_backup(why=BackupWhy.MANUAL)

    def change(parts: dict[str, bytes], manifest: dict[str, object]) -> None:
        name = f"tables/{MEMBERSHIP}.jsonl"
        row = json.loads(parts[name])
        columns = made.manifest["tables"][MEMBERSHIP]["columns"]
        there = dict(zip(columns, row, strict=True))
        parts[name] = {
            "of nothing": json.dumps([*{**there, "competition_id": 99}.values()]).encode(),
            "too short": json.dumps(row[:2]).encode(),
            "of another kind": json.dumps([[one] for one in row]).encode(),
            "no row": b"nonsense",
            "twice": parts[name] + parts[name].rstrip(b"\n"),
        }[fault] + b"\n"

    forged = forge(made.path, change)
    make_user("since")
    upload(settings, "a", b"1")
    before = manifest_now()["digest"]
    with pytest.raises(BackupError) as caught:
        restore(forged, replace=database_name())
    said = str(caught.value)
    assert said.startswith("没有恢复，数据库没有变：")
    assert fault == "of nothing" or MEMBERSHIP in said
    assert manifest_now()["digest"] == before
    assert set(uploads(settings)) == {"a"}


def test_backup_that_is_restored_goes_only_after_all_went_well(settings: Settings) -> None:
    """It may be the oldest of those that are kept of what was replaced."""
    settings.BACKUP_KEEP = 1
    make_user("then")
    made = make_backup(why=BackupWhy.RESTORE)

    def change(parts: dict[str, bytes], manifest: dict[str, object]) -> None:
        parts["tables/core.User.jsonl"] = b"nonsense\n"

    forged = forge(made.path, change).replace(made.path)
    make_user("since")
    with pytest.raises(BackupError):
        restore(forged, replace=database_name())
    assert forged.exists()
    forged.unlink()

    with time_machine.travel(timezone.now() - timedelta(hours=1)):
        good = make_backup(why=BackupWhy.RESTORE)
    done = restore(good.path, replace=database_name())
    assert done.before is not None
    assert [one.path for one in kept()] == [done.before.path]


def test_backup_with_other_columns_is_refused() -> None:
    make_user()
    made = make_backup(why=BackupWhy.MANUAL)

    def change(parts: dict[str, bytes], manifest: dict[str, object]) -> None:
        tables = manifest["tables"]
        assert isinstance(tables, dict)
        tables["core.User"]["columns"][-1] = "other"

    with pytest.raises(BackupError, match=r"core\.User"):
        restore(forge(made.path, change), replace=database_name())
    assert User.objects.count() == 1


def test_uploads_that_cannot_be_written_leave_the_rows_as_they_were(
    settings: Settings, tmp_path: Path
) -> None:
    upload(settings, "a", b"1")
    made = make_backup(why=BackupWhy.MANUAL)
    settings.MEDIA_ROOT = tmp_path / "file" / "media"
    (tmp_path / "file").touch()
    make_user("since")
    with pytest.raises(BackupError, match="写不进"):
        restore(made.path, replace=database_name())
    assert User.objects.get().username == "since"


def test_backup_of_an_older_version_is_restored_as_it_was_and_then_upgraded(
    settings: Settings,
) -> None:
    for app, name in OLDER.items():
        call_command("migrate", app, name, verbosity=0)
    try:
        schema = Schema()
        old = {table.label: table for table in schema.tables(schema.applied)}
        assert "is_slow" not in old["core.Job"].columns
        old["core.User"].model._base_manager.create(username="organizer", display_name="甲")
        made = make_before_upgrade()
        assert made is not None
        assert made.manifest["why"] == "upgrade"
        assert made.manifest["tables"]["core.Job"]["columns"] == old["core.Job"].columns
        old["core.User"].model._base_manager.all().delete()
    finally:
        call_command("migrate", verbosity=0)
    upgraded = manifest_now()
    assert upgraded["migrations"] != made.manifest["migrations"]

    done = restore(made.path)
    assert done.digest == made.manifest["digest"]
    assert manifest_now()["migrations"] == upgraded["migrations"]
    assert User.objects.get().display_name == "甲"
    make_competition()


def test_other_version_does_not_replace_what_is_there(settings: Settings) -> None:
    make_user("甲")
    made = make_backup(why=BackupWhy.MANUAL)

    def change(parts: dict[str, bytes], manifest: dict[str, object]) -> None:
        migrations = manifest["migrations"]
        assert isinstance(migrations, dict)
        migrations["scoring"].pop()

    with pytest.raises(BackupError, match="新的空数据库"):
        restore(forge(made.path, change), replace=database_name())
    assert User.objects.get().username == "甲"


def test_database_newer_than_the_site_is_not_touched() -> None:
    make_user()
    made = make_backup(why=BackupWhy.MANUAL)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES (%s, %s, %s)",
            ["scoring", "9999_next", "2026-12-05 00:00:00+00:00"],
        )
    try:
        for act in (
            lambda: make_backup(why=BackupWhy.MANUAL),
            lambda: restore(made.path, replace=restoring.database_name()),
        ):
            with pytest.raises(BackupError, match=r"scoring\.9999_next.*请先升级网站程序"):
                act()
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM django_migrations WHERE name = '9999_next'")
    assert len(kept()) == 1
