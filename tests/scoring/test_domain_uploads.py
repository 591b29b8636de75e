"""Files of many records verified in the background."""

from __future__ import annotations

import io
import os
import time
from functools import partial
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import Settings

from core.actors import SYSTEM
from core.domain import jobs
from core.domain.job_control import cancel_job, run_again
from core.enums import JobState
from core.errors import DomainError
from core.models import Job
from engine.portions import portions
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


@pytest.fixture
def in_small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are divided after every fourth hand."""
    monkeypatch.setattr(uploads, "portions", partial(portions, most=4))


def faulty(count: int) -> str:
    """A file in which every third hand is not legal."""
    found = [
        text.replace("甲 打", "甲 摸", 1) if number % 3 == 1 else text
        for number, text in enumerate(texts(count))
    ]
    return "\n".join(found)


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "gb18030"])
@pytest.mark.usefixtures("in_small_parts")
def test_a_large_file_verified_in_parts_says_what_it_says_as_a_whole(
    media: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    data = faulty(10).replace("\n", "\r\n").encode(code)
    job = upload(data)
    assert jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.done, job.total) == (JobState.PARTS, 0, 10)
    assert [part.total for part in job.parts.order_by("pk")] == [4, 4, 2]
    seen = []
    while jobs.sweep(limit=1):
        job.refresh_from_db()
        seen.append((job.state, job.done))
    assert seen == [
        (JobState.PARTS, 4),
        (JobState.PARTS, 8),
        (JobState.WAITING, 10),
        (JobState.DONE, 10),
    ]
    assert Job.objects.filter(parent=job).count() == 0
    assert list((media / "records").iterdir()) == []
    monkeypatch.setattr(uploads, "portions", portions)
    assert done(upload(data)).result == job.result
    assert job.result["statuses"] == {"valid": 7, "invalid": 3}
    assert [fault["hand"] for fault in job.result["faults"]] == [2, 5, 8]


@pytest.mark.usefixtures("in_small_parts")
def test_a_part_whose_worker_vanished_is_done_again_and_counted_once() -> None:
    job = upload(faulty(10).encode())
    jobs.run(job.pk)
    second = job.parts.order_by("pk")[1]
    claimed = jobs.claim(second.pk)
    assert claimed is not None
    late = jobs.Running(claimed)
    late.progress(3, 4)
    assert jobs.sweep() == 2
    Job.objects.filter(pk=second.pk).update(leased_until=timezone.now())
    assert jobs.sweep() == 2
    with pytest.raises(jobs.LeaseLost):
        late.finish(JobState.DONE, result={"statuses": {"valid": 99}})
    job.refresh_from_db()
    assert (job.state, job.result["hands"], job.done) == (JobState.DONE, 10, 10)


@pytest.mark.usefixtures("in_small_parts")
def test_a_part_that_fails_fails_the_whole_and_is_done_when_it_is_tried_again(
    media: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = upload(faulty(10).encode())
    jobs.run(job.pk)
    first, second, third = job.parts.order_by("pk")
    jobs.run(first.pk)
    monkeypatch.setattr(uploads, "replay", None)
    Job.objects.filter(pk=second.pk).update(attempts=2)
    jobs.run(second.pk)
    job.refresh_from_db()
    third.refresh_from_db()
    assert (job.state, third.state) == (JobState.FAILED, JobState.CANCELLED)
    assert "TypeError" in job.last_error
    assert len(list((media / "records").iterdir())) == 1
    monkeypatch.undo()
    run_again(actor=SYSTEM, job=job)
    job.refresh_from_db()
    assert (job.state, job.done) == (JobState.PARTS, 4)
    assert jobs.sweep() == 3
    job.refresh_from_db()
    assert (job.state, job.result["hands"]) == (JobState.DONE, 10)


def test_files_that_no_job_will_read_go_after_an_hour(media: Path) -> None:
    kept, cancelled, failed = (upload(texts(1)[0].encode()) for _turn in range(3))
    cancel_job(actor=SYSTEM, job=cancelled)
    Job.objects.filter(pk=failed.pk).update(state=JobState.FAILED)
    nobodys = uploads.stored(io.BytesIO(b"x"))[0]
    running = jobs.Running(jobs.enqueue(kind="forget-uploads", payload={}))
    assert uploads.forget_files(running) == {"files": 0}
    for file in (media / "records").iterdir():
        os.utime(file, times=(time.time() - 3700,) * 2)
    assert uploads.forget_files(running) == {"files": 2}
    left = {f"records/{file.name}" for file in (media / "records").iterdir()}
    assert left == {kept.payload["path"], failed.payload["path"]}
    assert nobodys not in left


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
