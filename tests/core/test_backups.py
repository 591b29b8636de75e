"""Backups: what is in a file, how it is written and kept, and that a spoilt one is noticed."""

from __future__ import annotations

import hashlib
import json
import os
import resource
import stat
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
import time_machine
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from core.actors import SYSTEM
from core.domain import jobs
from core.domain.backup_files import BackupError, Reader
from core.domain.backup_folder import Kept, find, keep_newest, kept, name_of
from core.domain.backups import (
    ask_by_hand,
    ask_for_backup,
    make_backup,
    make_before_upgrade,
    manifest_now,
)
from core.domain.rows import Table, snapshot
from core.enums import BackupWhy, JobState
from core.models import IdempotencyKey, Job, User, Version
from tests.concurrency import at_once
from tests.factories import make_competition, make_user
from tests.folders import own_folders as own_folders
from tests.folders import upload
from tests.serving import ROOT, database_url

pytestmark = pytest.mark.django_db(transaction=True)


def spoil(path: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """The backup with its parts changed."""
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    change(parts)
    spoilt = path.with_name("spoilt.zip")
    with zipfile.ZipFile(spoilt, "w") as package:
        for name, data in parts.items():
            package.writestr(name, data)
    return spoilt


def refusal(path: Path) -> str:
    """What is said of a backup that cannot be used."""
    with pytest.raises(BackupError) as caught, Reader(path) as backup:
        backup.verify()
    return str(caught.value)


def test_backup_holds_every_row_and_file_with_its_digest(settings: Settings) -> None:
    competition = make_competition(name="漓江杯 “一”")
    upload(settings, "books/甲.pdf", b"%PDF")
    upload(settings, ".restoring-1/left", b"no upload")
    made = make_backup(why=BackupWhy.MANUAL)

    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(made.path.parent.stat().st_mode) == 0o700
    assert made.path.parent == settings.BACKUP_DIR
    assert [path.name for path in made.path.parent.iterdir()] == [made.path.name]
    manifest = made.manifest
    models = apps.get_models(include_auto_created=True)
    zeal_has_none = [model for model in models if model._meta.managed and not model._meta.proxy]
    assert set(manifest["tables"]) == {model._meta.label for model in zeal_has_none}
    assert manifest["media"] == {
        "books/甲.pdf": {"size": 4, "sha256": hashlib.sha256(b"%PDF").hexdigest()}
    }
    assert manifest["database"]["kind"] == connection.vendor
    assert manifest["why"] == "manual"
    assert "0001_initial" in manifest["migrations"]["scoring"]
    told = manifest["tables"]["tournament.Competition"]
    assert (told["rows"], told["last"]) == (1, competition.pk)
    with zipfile.ZipFile(made.path) as package:
        line = package.read("tables/tournament.Competition.jsonl")
        assert package.read("media/books/甲.pdf") == b"%PDF"
    assert hashlib.sha256(line).hexdigest() == told["sha256"]
    row = dict(zip(told["columns"], json.loads(line), strict=True))
    assert row["name"] == "漓江杯 “一”"
    assert row["starts_on"] == "2026-12-05"
    assert row["created_at"] == competition.created_at.astimezone(UTC).isoformat()
    with Reader(made.path) as backup:
        backup.verify()
        assert backup.manifest == manifest


def test_digest_is_of_all_rows_and_files_but_for_the_numbers_of_pages(settings: Settings) -> None:
    user = make_user("甲")
    seen = [manifest_now()["digest"]]
    assert make_backup(why=BackupWhy.MANUAL).manifest["digest"] == seen[0]
    Version.objects.create(scope="competition:1", number=3)
    assert manifest_now()["digest"] == seen[0]

    user.display_name = "乙"
    user.save()
    seen.append(manifest_now()["digest"])
    upload(settings, "a", b"1")
    seen.append(manifest_now()["digest"])
    upload(settings, "a", b"2")
    seen.append(manifest_now()["digest"])
    User.objects.filter(pk=user.pk).delete()
    seen.append(manifest_now()["digest"])
    assert len(set(seen)) == 5
    out = StringIO()
    call_command("digest", "--tables", stdout=out)
    assert out.getvalue().splitlines()[-1] == seen[-1]
    assert "         0  core.User" in out.getvalue()


def test_values_read_the_same_however_a_database_spells_them() -> None:
    answer = {"b": 1.0, "a": [1e20, 2.5, -0.0], "x": "1.0e5", "half": "\ud83c"}
    if connection.vendor == "postgresql":
        answer["half"] = "🎴"
    key = IdempotencyKey.objects.create(scope="s", key="k", request_hash="h", answer=answer)
    (line,) = Table(IdempotencyKey).lines()
    half = "\ud83c" if connection.vendor == "sqlite" else "🎴"
    text = line.decode("utf-8", "surrogatepass")
    made_at = key.created_at.astimezone(UTC).isoformat()
    assert text == (
        f'[{key.pk},"s","k","h",200,{{"a":[100000000000000000000,2.5,0],"b":1,'
        f'"half":"{half}","x":"1.0e5"}},"{made_at}"]\n'
    )


def test_text_keys_are_in_order_of_their_bytes() -> None:
    scopes = ["event:10", "Event:1", "event:2", "event_1", "舵:1", "event:1"]
    for scope in scopes:
        Version.objects.create(scope=scope)
    found = [json.loads(line)[0] for line in Table(Version).lines()]
    assert found == sorted(scopes, key=str.encode)


def test_snapshot_sees_nothing_written_since_and_holds_up_nobody() -> None:
    make_user("before")

    def write(index: int) -> int:
        with connection.cursor() as cursor:
            assert cursor
        return make_user(f"meanwhile{index}").pk

    with snapshot():
        first = list(Table(User).lines())
        written = at_once(2, write)
        assert all(isinstance(pk, int) for pk in written)
        assert list(Table(User).lines()) == first
    assert len(list(Table(User).lines())) == 3


def test_newest_of_each_kind_are_kept_and_what_was_made_by_hand(settings: Settings) -> None:
    settings.BACKUP_KEEP = 2
    folder = Path(settings.BACKUP_DIR)
    folder.mkdir()
    day = datetime(2026, 12, 5, 8, tzinfo=UTC)
    for why in BackupWhy:
        for hour in range(4):
            name = name_of(day + timedelta(hours=hour), why, f"{hour}" * 64)
            (folder / name).write_bytes(b"x" * hour)
    (folder / "duozhu-notes.zip").touch()
    old, new = folder / ".aa.part", folder / ".bb.part"
    old.touch()
    new.touch()
    os.utime(old, (time.time() - 90_000,) * 2)

    gone = keep_newest()
    assert len(gone) == 8
    left = kept()
    assert [one.why for one in left if one.made_at.hour < 10] == [BackupWhy.MANUAL] * 2
    assert len(left) == 4 + 2 * 4
    assert left[-1] == Kept(
        folder / "duozhu-20261205T080000Z-manual-000000000000.zip",
        day,
        BackupWhy.MANUAL,
        "0" * 12,
        0,
    )
    assert find("duozhu-notes.zip") is None
    assert find("../x") is None
    assert (folder / "duozhu-notes.zip").exists()
    assert [old.exists(), new.exists()] == [False, True]


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights on Windows")
def test_unfinished_file_that_gets_its_name_meanwhile_is_no_fault(settings: Settings) -> None:
    folder = Path(settings.BACKUP_DIR)
    folder.mkdir()
    (folder / ".aa.part").symlink_to(folder / "gone")  # listed, and not there when it is looked at
    assert keep_newest() == []


def test_backup_by_hand_does_not_become_one_that_is_removed() -> None:
    button = ask_for_backup(why=BackupWhy.BUTTON)
    by_hand = ask_by_hand(actor=SYSTEM)
    assert by_hand.pk != button.pk
    assert ask_for_backup(why=BackupWhy.BUTTON) == button
    assert ask_by_hand(actor=SYSTEM) == by_hand
    assert jobs.run(button.pk)
    assert jobs.run(by_hand.pk)
    assert sorted(one.why for one in kept()) == [BackupWhy.BUTTON, BackupWhy.MANUAL]


def test_job_makes_the_backup_and_says_what_is_in_it(settings: Settings) -> None:
    job = ask_for_backup(why=BackupWhy.BUTTON, scope="competition:1", actor=SYSTEM)
    assert ask_for_backup(why=BackupWhy.BUTTON) == job
    assert jobs.run(job.pk)
    job.refresh_from_db()
    (made,) = kept()
    assert job.state == JobState.DONE
    assert made.why == BackupWhy.BUTTON
    assert job.result["name"] == made.name
    assert job.result["digest"].startswith(made.digest)
    with Reader(made.path) as backup:
        assert job.result["rows"] == sum(table["rows"] for table in backup.tables.values())
    assert ask_for_backup(why=BackupWhy.BUTTON) != job


def test_daily_job_makes_one_of_its_kind() -> None:
    job = jobs.enqueue(kind="daily-backup", payload={})
    assert jobs.run(job.pk)
    assert [one.why for one in kept()] == [BackupWhy.DAILY]


def test_job_that_cannot_write_fails_with_a_sentence_and_leaves_nothing(
    settings: Settings, tmp_path: Path
) -> None:
    settings.BACKUP_DIR = tmp_path / "file" / "backups"
    (tmp_path / "file").touch()
    job = ask_for_backup(why=BackupWhy.BUTTON)
    assert jobs.run(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert job.said.startswith("备份没有写成：")
    assert str(settings.BACKUP_DIR) in job.said


@pytest.mark.skipif(sys.platform == "win32", reason="limits of processes are POSIX")
def test_full_disk_leaves_no_half_file_and_says_so(settings: Settings, tmp_path: Path) -> None:
    upload(settings, "records/large", os.urandom(3_000_000))
    folder = tmp_path / "to"
    ended = subprocess.run(
        [sys.executable, "manage.py", "backup", "--to", str(folder)],
        cwd=ROOT,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "DATABASE_URL": database_url(),
            "VAR_DIR": str(tmp_path),
        },
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, 2_000_000)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith("CommandError: 备份没有写成：File too large。")
    assert str(folder) in ended.stderr
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda parts: parts.pop("manifest.json"), "不是备份"),
        (lambda parts: parts.update({"manifest.json": b"[1]"}), "不是备份"),
        (lambda parts: parts.pop("tables/core.User.jsonl"), "“tables/core.User.jsonl”"),
        (lambda parts: parts.update({"tables/core.User.jsonl": b""}), "“tables/core.User.jsonl”"),
        (lambda parts: parts.update({"media/a": b"2"}), "“media/a”"),
        (lambda parts: parts.update({"media/b": b"1"}), "“media/b”"),
        (
            lambda parts: parts.update(
                {"manifest.json": parts["manifest.json"].replace(b'"rows": 1,', b'"rows": 2,')}
            ),
            "“manifest.json”",
        ),
    ],
)
def test_spoilt_backup_is_noticed_and_the_part_named(
    settings: Settings, change: Callable[[dict[str, bytes]], None], said: str
) -> None:
    make_user()
    upload(settings, "a", b"1")
    made = make_backup(why=BackupWhy.MANUAL)
    assert said in refusal(spoil(made.path, change))


def test_names_that_lead_out_of_the_folder_are_refused(settings: Settings) -> None:
    upload(settings, "a", b"1")
    made = make_backup(why=BackupWhy.MANUAL)

    def change(parts: dict[str, bytes]) -> None:
        parts["media/../../evil"] = parts.pop("media/a")
        manifest = json.loads(parts["manifest.json"])
        manifest["media"] = {"../../evil": manifest["media"]["a"]}
        parts["manifest.json"] = json.dumps(manifest).encode()

    assert "“../../evil”" in refusal(spoil(made.path, change))


def test_cut_off_missing_and_newer_files_are_refused(tmp_path: Path) -> None:
    made = make_backup(why=BackupWhy.MANUAL)
    cut = tmp_path / "cut.zip"
    cut.write_bytes(made.path.read_bytes()[:-100])
    assert "不是备份，或者不完整" in refusal(cut)
    assert "没有文件" in refusal(tmp_path / "none.zip")

    def newer(parts: dict[str, bytes]) -> None:
        manifest = parts["manifest.json"]
        parts["manifest.json"] = manifest.replace(b'"version": 1,', b'"version": 2,')

    spoilt = spoil(made.path, newer)
    assert refusal(spoilt) == "备份是第 2 版格式，这里只能读到第 1 版。请先升级网站。"
    with pytest.raises(CommandError, match="请先升级网站"):
        call_command("backup", "--verify", str(spoilt))


def test_flipped_bit_is_noticed(tmp_path: Path) -> None:
    make_user("甲乙丙")
    made = make_backup(why=BackupWhy.MANUAL)
    with zipfile.ZipFile(made.path) as package:
        info = package.getinfo("tables/auth.Permission.jsonl")
    data = bytearray(made.path.read_bytes())
    data[info.header_offset + 200] ^= 1
    flipped = tmp_path / "flipped.zip"
    flipped.write_bytes(bytes(data))
    assert refusal(flipped)


def test_command_says_what_it_made_and_verifies_it(tmp_path: Path) -> None:
    out = StringIO()
    call_command("backup", "--to", str(tmp_path / "usb"), stdout=out)
    path, rows, digest = out.getvalue().splitlines()
    assert Path(path).parent == tmp_path / "usb"
    assert kept() == []
    said = StringIO()
    call_command("backup", "--verify", path, stdout=said)
    assert said.getvalue().startswith("备份完好：")
    assert said.getvalue().splitlines()[1] == digest
    assert "0 个文件" in rows


def test_nothing_is_backed_up_before_an_upgrade_that_there_is_not() -> None:
    make_user()
    assert make_before_upgrade() is None
    call_command("backup", "--before-upgrade")
    assert kept() == []


@time_machine.travel(datetime(2026, 12, 5, 1, 2, 3, tzinfo=UTC), tick=False)
def test_name_tells_when_and_why() -> None:
    made = make_backup(why=BackupWhy.UPGRADE)
    short = made.manifest["digest"][:12]
    assert made.path.name == f"duozhu-20261205T010203Z-upgrade-{short}.zip"
    assert Job.objects.count() == 0
