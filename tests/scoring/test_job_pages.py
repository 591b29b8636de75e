"""Who started a background job stops it from its page, or has it tried again."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from core.domain import jobs
from core.enums import JobState
from core.models import AuditRow, Job
from scoring.models import BookEdition, Collection, Rejudge
from tests.factories import make_user
from tests.rights import rules_of
from tests.scoring.clients import member, with_link
from tests.scoring.records import texts
from tests.scoring.sheets import FLIP, Hall, make_hall
from tournament.enums import Role

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media(tmp_path: Path, settings: Settings) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def hall() -> Hall:
    return make_hall()


def upload(client: Client, hall: Hall) -> str:
    """The page of an upload."""
    file = SimpleUploadedFile("a.zpr", texts(1)[0].encode())
    answer = client.post(reverse("records", args=[hall.competition.code]), {"file": file})
    return str(answer["Location"])


def fail(job: Job | None, **fields: object) -> None:
    assert job is not None
    Job.objects.filter(pk=job.pk).update(state=JobState.FAILED, **fields)


def page(answer: HttpResponse) -> str:
    assert answer.status_code == 200
    return answer.content.decode()


def test_who_uploaded_cancels_and_the_page_says_so(hall: Hall) -> None:
    client = member(hall, Role.REFEREE)
    url = upload(client, hall)
    assert "取消核验" in page(client.get(url))
    assert client.post(f"{url}change/", {"do": "cancel"}).status_code == 302
    assert Job.objects.get().state == JobState.CANCELLED
    text = page(client.get(url))
    assert "已取消" in text
    assert "要核验，请再上传一次。" in text
    assert "取消核验" not in text
    assert "data-poll" not in text
    assert "已取消" in page(client.get(reverse("records", args=[hall.competition.code])))
    row = AuditRow.objects.get(action="job.cancel")
    assert row.scope == hall.competition.scope
    again = page(client.post(f"{url}change/", {"do": "cancel"}, follow=True))
    assert "已取消" in again


def test_a_link_that_uploaded_cancels_and_another_does_not(hall: Hall) -> None:
    ours, other = (with_link(hall, Role.REFEREE) for _turn in range(2))
    url = upload(ours, hall)
    assert "取消核验" not in page(other.get(url))
    assert other.post(f"{url}change/", {"do": "cancel"}).status_code == 403
    assert "取消核验" in page(ours.get(url))
    assert ours.post(f"{url}change/", {"do": "cancel"}).status_code == 302
    assert Job.objects.get().state == JobState.CANCELLED


def test_another_referee_neither_cancels_nor_tries_again_and_an_organizer_does(hall: Hall) -> None:
    url = upload(member(hall, Role.REFEREE), hall)
    other, organizer = member(hall, Role.REFEREE), member(hall, Role.ORGANIZER)
    for do in ("cancel", "again"):
        assert other.post(f"{url}change/", {"do": do}).status_code == 403
    assert organizer.post(f"{url}change/", {"do": "dance"}).status_code == 404
    assert organizer.post(f"{url}change/", {"do": "cancel"}).status_code == 302
    assert Job.objects.get().state == JobState.CANCELLED


def test_a_failed_upload_is_tried_again_with_its_file(hall: Hall) -> None:
    client = member(hall, Role.REFEREE)
    url = upload(client, hall)
    fail(Job.objects.get(), attempts=3, sentence={"zh": "存不下了。", "en": "No room."})
    text = page(client.get(url))
    assert "没有做成" in text
    assert "存不下了。" in text
    assert "再试一次" in text
    client.post(f"{url}change/", {"do": "again"})
    assert jobs.sweep() == 1
    job = Job.objects.get()
    assert (job.state, job.attempts) == (JobState.DONE, 1)
    assert "没有发现错处。" in page(client.get(url))


def test_a_running_upload_tells_that_it_is_stopping_and_its_poll_hears_of_it(hall: Hall) -> None:
    client = member(hall, Role.REFEREE)
    url = upload(client, hall)
    jobs.claim(Job.objects.get().pk)
    assert client.get(url, {"v": "running-0"}).status_code == 204
    client.post(f"{url}change/", {"do": "cancel"})
    told = client.get(url, {"v": "running-0"})
    assert told["X-Version"] == "running-0-stop"
    assert "正在停下" in page(told)


def test_a_collection_whose_file_failed_is_verified_again_by_its_owner(client: Client) -> None:
    user = make_user()
    client.force_login(user)
    file = SimpleUploadedFile("a.zpr", texts(1)[0].encode())
    url = client.post(reverse("collections"), {"name": "谱", "file": file})["Location"]
    made = Collection.objects.get()
    fail(made.job)
    assert "再试一次" in page(client.get(url))
    other = Client()
    other.force_login(make_user())
    again = reverse("collection_again", args=[made.pk])
    assert other.post(again).status_code == 404
    assert "正在重新核验。" in page(client.post(again, follow=True))
    assert jobs.sweep() == 1
    assert "收进了 1 副" in page(client.get(url))
    assert "这项任务没有失败" in page(client.post(again, follow=True))


def test_dismissing_a_rejudge_stops_its_counting() -> None:
    hall = make_hall()
    hall.enter(FLIP)
    event = hall.table.round.stage.event
    client, code = member(hall, Role.CHIEF), hall.competition.code
    client.post(reverse("rejudge_propose", args=[code, event.pk]), rules_of("local"))
    made = Rejudge.objects.get()
    client.post(reverse("rejudge_dismiss", args=[code, made.pk]), {"reason": "不改了"})
    assert Job.objects.get(kind="rejudge").state == JobState.CANCELLED


def test_a_rejudge_whose_counting_was_cancelled_is_counted_again() -> None:
    hall = make_hall()
    hall.enter(FLIP)
    event = hall.table.round.stage.event
    client, code = member(hall, Role.CHIEF), hall.competition.code
    client.post(reverse("rejudge_propose", args=[code, event.pk]), rules_of("local"))
    made = Rejudge.objects.get()
    Job.objects.update(state=JobState.CANCELLED)
    url = reverse("rejudge", args=[code, made.pk])
    assert "请重算一次" in page(client.get(url))
    client.post(reverse("rejudge_again", args=[code, made.pk]))
    assert jobs.sweep() == 1
    made.refresh_from_db()
    assert made.state == "shown"


def test_a_pdf_is_not_made_after_all(hall: Hall) -> None:
    client, code = member(hall, Role.ORGANIZER), hall.competition.code
    client.post(reverse("manage_books", args=[code]), {"kind": "programme"})
    edition = BookEdition.objects.get()
    change = reverse("manage_book_change", args=[code, edition.pk])
    books = reverse("manage_books", args=[code])
    assert "不做 PDF 了" in page(client.get(books))
    assert "不做这份 PDF 了。" in page(client.post(change, {"do": "stop"}, follow=True))
    text = page(client.get(books))
    assert "已取消" in text
    assert "重新做 PDF" in text
    assert client.post(change, {"do": "stop"}).status_code == 409
