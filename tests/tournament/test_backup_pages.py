"""The button before the draw, and the operator's page of backups."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from core.domain import jobs
from core.domain.backup_folder import kept
from core.domain.backups import make_backup
from core.enums import BackupWhy, JobState
from core.models import AuditRow, Job, User
from tests.factories import make_user
from tests.folders import own_folders as own_folders
from tests.tournament.competitions import Made, make, make_published
from tournament.domain.draws import freeze_draw

pytestmark = pytest.mark.django_db(transaction=True)


def organizer(client: Client, made: Made) -> Client:
    client.force_login(User.objects.get(pk=made.owner.user_id))
    return client


def address(made: Made, name: str = "manage_draw") -> str:
    return reverse(name, args=[made.competition.code])


def text(client: Client, url: str) -> str:
    return client.get(url).content.decode()


def test_button_before_the_draw_makes_a_backup_and_shows_how_far_it_is(client: Client) -> None:
    made = make(9)
    organizer(client, made)
    before = text(client, address(made))
    assert "还没有备份过。" in before
    assert "data-poll" not in before

    backup = address(made, "manage_backup")
    assert client.post(backup).headers["Location"] == address(made)
    assert client.post(backup).status_code == 302
    (job,) = Job.objects.filter(kind="backup")
    assert job.scope == made.competition.scope
    assert [row.action for row in AuditRow.objects.filter(action="backup.ask")] == [
        "backup.ask"
    ] * 2
    waiting = text(client, address(made))
    assert f'data-poll="{backup}" data-version="{job.pk}-waiting"' in waiting
    assert "正在备份" in waiting
    assert "开始备份了。" in waiting  # at the top, where one is after the button far below

    assert client.get(backup, {"v": f"{job.pk}-waiting"}).status_code == 204
    other = client.get(backup, {"v": "-"})
    assert [other.status_code, other["X-Version"]] == [200, f"{job.pk}-waiting"]
    assert jobs.run(job.pk)
    done = client.get(backup, {"v": f"{job.pk}-waiting"})
    assert done.status_code == 286
    (one,) = kept()
    assert one.digest in done.content.decode()
    after = text(client, address(made))
    assert one.digest in after
    assert "data-poll" not in after
    assert client.get(backup).headers["Location"] == address(made)


def test_backup_that_was_not_made_is_said_with_its_reason(
    client: Client, settings: Settings, tmp_path: Path
) -> None:
    made = make(9)
    organizer(client, made)
    last = make_backup(why=BackupWhy.DAILY)
    client.post(address(made, "manage_backup"))
    (tmp_path / "file").touch()
    folder, settings.BACKUP_DIR = settings.BACKUP_DIR, tmp_path / "file" / "backups"
    job = Job.objects.get(kind="backup")
    assert jobs.run(job.pk)
    settings.BACKUP_DIR = folder
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    said = text(client, address(made))
    assert "备份没有做成，请告诉网站管理员。" in said
    assert "备份没有写成：" in said
    assert last.manifest["digest"][:12] in said


def test_button_is_there_while_the_list_is_frozen_and_not_after_the_draw(client: Client) -> None:
    made = make(9)
    organizer(client, made)
    freeze_draw(acting=made.owner, stage=made.stage)
    assert "现在备份" in text(client, address(made))
    published = make_published(9)
    organizer(client, published)
    assert "现在备份" not in text(client, address(published))


def test_operator_sees_downloads_and_makes_backups(client: Client) -> None:
    operator = make_user("operator", is_superuser=True)
    client.force_login(operator)
    assert reverse("operator_backups") in text(client, reverse("operator"))
    assert client.post(reverse("operator_backups")).status_code == 302
    job = Job.objects.get(kind="backup")
    version = f"{job.pk}-waiting"
    assert f'data-version="{version}"' in text(client, reverse("operator_backups"))
    assert client.get(reverse("operator_backups"), {"v": version}).status_code == 204
    assert jobs.run(job.pk)
    (one,) = kept()
    assert one.why == BackupWhy.MANUAL

    link = reverse("operator_backup", args=[one.name])
    last = client.get(reverse("operator_backups"), {"v": version})
    assert last.status_code == 286
    assert f'href="{link}"' in last.content.decode().partition('<div data-into="kept">')[2]
    page = text(client, reverse("operator_backups"))
    assert link in page
    assert one.digest in page
    answer = client.get(link)
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{one.name}"'
    assert answer.headers["Content-Type"] == "application/zip"
    assert b"".join(answer.streaming_content) == one.path.read_bytes()  # type: ignore[arg-type]
    answer.close()
    row = AuditRow.objects.get(action="backup.download")
    assert [row.user_id, row.subject] == [operator.pk, f"backup:{one.name}"]
    assert client.get(reverse("operator_backup", args=["..%2fdb.sqlite3"])).status_code == 404


def test_organizer_cannot_take_a_backup_away(client: Client) -> None:
    made = make(9)
    organizer(client, made)
    one = make_backup(why=BackupWhy.BUTTON)
    for url in (
        reverse("operator_backups"),
        reverse("operator_backup", args=[one.path.name]),
    ):
        assert client.get(url).status_code == 404
    assert one.path.name not in text(client, address(made))
