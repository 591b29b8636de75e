"""Files of many records verified in the background."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from pytest_django import Settings

from core.domain import jobs
from core.enums import JobState
from core.errors import DomainError
from core.models import Job
from scoring.domain import uploads
from scoring.domain.uploads import FileTooLarge, upload_records
from tests.factories import make_acting, make_competition
from tests.scoring.records import texts
from tournament.enums import Role
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media(tmp_path: Path, settings: Settings) -> Path:
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


def upload(data: bytes, *roles: Role) -> Job:
    competition = make_competition()
    acting = make_acting(competition, *(roles or (Role.REFEREE,)))
    return upload_records(
        acting=acting, competition=competition, name="决赛.zpr", file=io.BytesIO(data)
    )


def done(job: Job) -> Job:
    assert jobs.sweep() == 1
    job.refresh_from_db()
    assert job.state == JobState.DONE, job.last_error
    return job


def test_many_records_are_verified_with_progress_and_first_faults(media: Path) -> None:
    good = texts(30)
    wrong = good[0].replace("甲 打", "甲 摸", 1)
    line = wrong.splitlines().index(next(x for x in wrong.splitlines() if "甲 摸" in x)) + 1
    text = "\n".join([*good, wrong])
    before = "\n".join(good).count("\n") + 1

    job = done(upload(text.encode()))

    assert (job.done, job.total, job.percent) == (31, 31, 100)
    assert job.result["hands"] == 31
    assert job.result["statuses"] == {"valid": 30, "invalid": 1}
    assert job.result["rules"] == {"competition": 31}
    (fault,) = job.result["faults"]
    assert (fault["hand"], fault["line"], fault["column"]) == (31, before + line, 1)
    assert fault["zh"]
    assert fault["en"]
    assert list((media / "records").iterdir()) == []


def test_no_more_than_the_first_faults_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "FIRST_FAULTS", 2)
    text = "\n".join(text.replace("甲 打", "甲 摸", 1) for text in texts(5))
    job = done(upload(text.encode("gb18030")))
    assert job.result["statuses"] == {"invalid": 5}
    assert [fault["hand"] for fault in job.result["faults"]] == [1, 2]


def test_file_that_is_no_text_is_said_to_be_unreadable() -> None:
    job = done(upload(b"\xff\xfe\x00\x81"))
    assert "UTF-8" in job.result["unreadable"]["zh"]
    assert "UTF-8" in job.result["unreadable"]["en"]


def test_text_without_records_has_no_hands() -> None:
    assert done(upload("你好".encode())).result["hands"] in (0, 1)


def test_ten_megabytes_are_taken_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileTooLarge):
        upload(b"x" * (uploads.LIMIT_BYTES + 1))
    assert Job.objects.count() == 0
    upload(b"x" * uploads.LIMIT_BYTES)


def test_empty_file_is_refused() -> None:
    with pytest.raises(DomainError) as caught:
        upload(b" \n")
    assert caught.value.code == "file-empty"


def test_only_referees_and_organizers_upload() -> None:
    competition = make_competition()
    with pytest.raises(NotAllowed):
        upload_records(
            acting=make_acting(competition),
            competition=competition,
            name="a",
            file=io.BytesIO(b"a"),
        )
