"""The operator's pages of jobs: what failed and why, again, cancelled."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, Settings

from core.domain import jobs, periodic
from core.enums import JobState
from core.job_words import KINDS
from core.models import AuditRow, Job, User
from tests.factories import make_user

pytestmark = pytest.mark.django_db
SECRET = "13800138000"


def stumble(job: jobs.Running) -> object:
    """A job that never succeeds."""
    raise ValueError("第 3 行看不懂")


def write(job: jobs.Running) -> object:
    """A job with a result."""
    return {"phone": SECRET}


@pytest.fixture(autouse=True)
def kinds(settings: Settings) -> None:
    here = "tests.core.test_operator_jobs"
    settings.JOBS = {"seal": f"{here}.stumble", "write": f"{here}.write"}
    settings.JOB_ATTEMPTS = {"seal": 1}
    settings.PERIODIC = {"forget": ("core.domain.forgetting.forget", 3600)}


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(make_user("op", is_superuser=True))
    return client


def failed(number: int = 1) -> list[Job]:
    """So many failed jobs."""
    made = [
        jobs.enqueue(kind="seal", payload={"phone": SECRET}, scope="competition:7")
        for _turn in range(number)
    ]
    for job in made:
        jobs.run(job.pk)
        job.refresh_from_db()
        assert job.state == JobState.FAILED
    return made


def shown(client: Client, name: str, *args: int, **asked: str) -> str:
    """The text of a page, without its tags."""
    answer = client.get(reverse(name, args=args), asked)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def test_every_kind_has_words() -> None:
    from config import settings as real

    assert set(KINDS) == {*real.JOBS, *real.PERIODIC}


def test_lists_count_jobs_by_state_and_begin_with_what_failed(operator: Client) -> None:
    failed(2)
    jobs.enqueue(kind="write", payload={})
    text = shown(operator, "operator_jobs")
    assert "失败 2 进行中 0 等待中 1 已取消 0 已完成 0" in text
    assert "封记 #" in text
    assert "ValueError: 第 3 行看不懂" in text
    assert "competition:7" in text
    assert "write #" not in text
    assert "write #" in shown(operator, "operator_jobs", state="waiting")
    assert "没有这样的任务。" in shown(operator, "operator_jobs", state="waiting", kind="seal")


def test_pages_show_neither_payload_nor_result(operator: Client) -> None:
    (job,) = failed()
    done = jobs.enqueue(kind="write", payload={})
    jobs.run(done.pk)
    pages = [
        shown(operator, "operator_jobs", state="failed"),
        shown(operator, "operator_jobs", state="done"),
        shown(operator, "operator_job", job.pk),
        shown(operator, "operator_job", done.pk),
    ]
    assert not any(SECRET in page for page in pages)


def test_a_jobs_page_folds_its_traceback(operator: Client) -> None:
    (job,) = failed()
    answer = operator.get(reverse("operator_job", args=[job.pk])).content.decode()
    before, _summary, folded = answer.partition("<details>")
    assert "ValueError: 第 3 行看不懂" in before
    assert "Traceback" not in before
    assert "Traceback (most recent call last)" in folded
    assert "1 / 1" in before


def test_a_failed_job_waits_again_with_all_its_attempts_and_is_audited(operator: Client) -> None:
    (job,) = failed()
    operator.post(reverse("operator_job_again", args=[job.pk]))
    job.refresh_from_db()
    assert (job.state, job.attempts, job.finished_at) == (JobState.WAITING, 0, None)
    row = AuditRow.objects.get(action="job.again")
    user = User.objects.get(username="op")
    assert (row.user_id, row.scope, row.subject) == (user.pk, "competition:7", f"job:{job.pk}")
    assert row.data == {"kind": "seal"}
    again = operator.post(reverse("operator_job_again", args=[job.pk]), follow=True)
    assert "这项任务没有失败，请刷新后再看。" in again.content.decode()
    assert AuditRow.objects.filter(action="job.again").count() == 1


@pytest.mark.parametrize("kind", ["seal", "nothing", "", "x" * 300, "<b>"])
def test_a_kind_of_which_none_has_failed_is_not_done_again_and_the_page_says_so(
    operator: Client, kind: str
) -> None:
    done = jobs.enqueue(kind="write", payload={})
    answer = operator.post(reverse("operator_jobs_again"), {"kind": kind}, follow=True)
    assert answer.redirect_chain == [(reverse("operator_jobs"), 302)]
    assert "没有失败的这种任务，可能已经又做过了，或者已经清掉。" in answer.content.decode()
    assert Job.objects.get() == done


def test_all_failed_of_a_kind_wait_again(operator: Client) -> None:
    made = failed(3)
    other = jobs.enqueue(kind="write", payload={})
    Job.objects.filter(pk=other.pk).update(state=JobState.FAILED)
    assert "失败的“封记”全部再做一次" in shown(operator, "operator_jobs", kind="seal")
    answer = operator.post(reverse("operator_jobs_again"), {"kind": "seal"}, follow=True)
    assert "3 项任务再做一次。" in answer.content.decode()
    states = Job.objects.filter(pk__in=[job.pk for job in made]).values_list("state", flat=True)
    assert set(states) == {JobState.WAITING}
    other.refresh_from_db()
    assert other.state == JobState.FAILED


def test_a_waiting_job_is_cancelled_at_once_and_a_running_one_is_asked_to_stop(
    operator: Client,
) -> None:
    waiting, running = (jobs.enqueue(kind="write", payload={}) for _turn in range(2))
    jobs.claim(running.pk)
    for job, said in ((waiting, "已取消。"), (running, "会在下一步停下。")):
        answer = operator.post(reverse("operator_job_cancel", args=[job.pk]), follow=True)
        assert said in answer.content.decode()
        job.refresh_from_db()
    assert (waiting.state, running.state) == (JobState.CANCELLED, JobState.RUNNING)
    assert running.is_stopping
    assert "正在停下" in shown(operator, "operator_job", running.pk)
    assert list(AuditRow.objects.values_list("action", "scope")) == [("job.cancel", "site")] * 2
    over = operator.post(reverse("operator_job_cancel", args=[waiting.pk]), follow=True)
    assert "这项任务已经结束，请刷新后再看。" in over.content.decode()


def test_regular_work_tells_when_it_was_done_and_is_due(operator: Client) -> None:
    assert "清理过期的登录、请求和任务 还没有做过" in shown(operator, "operator_jobs")
    periodic.tick()
    jobs.sweep()
    text = shown(operator, "operator_jobs")
    assert re.search(r"清理过期的登录、请求和任务 上一次 \d\d-\d\d \d\d:\d\d · 下一次", text)


@pytest.mark.parametrize("asked", [{"state": "lost"}, {"kind": "dance"}])
def test_a_list_there_is_not_is_404(operator: Client, asked: dict[str, str]) -> None:
    assert operator.get(reverse("operator_jobs"), asked).status_code == 404


def test_a_list_asks_as_many_queries_for_many_jobs_as_for_one(
    operator: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in (1, 30):
        failed(number)
        with django_assert_num_queries(7):
            operator.get(reverse("operator_jobs"))
