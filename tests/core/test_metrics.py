"""/metrics: what is counted, under which names, for whom."""

from __future__ import annotations

import json
import os
import re
import signal
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from core.domain.idempotency import do_once
from core.models import Job
from tests.core.outage import in_outage
from tests.core.test_up import free_port
from tests.scoring.clients import member
from tests.scoring.sheets import make_hall
from tests.serving import HOST, answers, gunicorn, until
from tests.worlds import WIN
from tournament.enums import Role

pytestmark = pytest.mark.django_db

TOKEN = "right-token"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(autouse=True)
def token(settings: Settings) -> None:
    settings.METRICS_TOKEN = TOKEN


def read(client: Client, **headers: str) -> dict[tuple[str, tuple[str, ...]], float]:
    """The figures: (name, values of the labels by name) → value."""
    answer = client.get("/metrics", headers={**BEARER, **headers})
    assert answer.status_code == 200
    return parsed(answer.content.decode())


def parsed(text: str) -> dict[tuple[str, tuple[str, ...]], float]:
    return {
        (sample.name, tuple(value for _name, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_requests_are_counted_by_address_method_and_class_of_status(client: Client) -> None:
    before = read(client)
    for path in ("/robots.txt", "/robots.txt", "/nothing/", "/nothing/else/", "/i/x/"):
        client.get(path)
    client.post("/robots.txt")
    client.generic("BREW", "/robots.txt")
    client.generic("EXPLODE", "/robots.txt")
    after = read(client)
    grown = {
        key[1]: after[key] - before.get(key, 0)
        for key in after
        if key[0] == "duozhu_requests_total" and after[key] != before.get(key, 0)
    }
    assert grown == {
        ("GET", "robots", "2xx"): 2,
        ("GET", "unknown", "4xx"): 2,
        ("GET", "invitation", "4xx"): 1,
        ("POST", "robots", "4xx"): 1,
        ("other", "robots", "4xx"): 2,
        ("GET", "metrics", "2xx"): 1,
    }
    timed = ("duozhu_request_seconds_count", ("GET", "robots"))
    assert after[timed] - before.get(timed, 0) == 2


def test_seconds_are_counted_in_few_steps(client: Client) -> None:
    client.get("/robots.txt")
    steps = [
        labels[0]
        for name, labels in read(client)
        if name == "duozhu_request_seconds_bucket" and labels[1:] == ("GET", "robots")
    ]
    assert steps == ["0.005", "0.025", "0.1", "0.25", "1.0", "5.0", "+Inf"]


def test_conflicts_are_counted_by_the_error_s_code(client: Client, settings: Settings) -> None:
    settings.ROOT_URLCONF = "tests.core.faulty_urls"
    codes = [("duozhu_conflicts_total", (code,)) for code in ("tested-conflict", "key-reused")]
    before = read(client)
    assert client.get("/fail/taken/").status_code == 409
    assert client.get("/fail/taken/").status_code == 409
    assert client.get("/fail/reused/").status_code == 422
    client.get("/nothing/")
    after = read(client)
    assert [after[key] - before.get(key, 0) for key in codes] == [2, 1]


@pytest.mark.django_db(transaction=True)
def test_a_conflict_that_its_page_shows_itself_is_counted_too() -> None:
    hall = make_hall(4)
    referee = member(hall, Role.REFEREE)
    path = reverse("sheet", args=[hall.competition.code, hall.table.pk])
    assert referee.post(path, {"evidence": "result", **WIN}).status_code == 302
    before = read(referee)
    assert referee.post(f"{path}submit/").status_code == 409
    after = read(referee)
    grown = [
        labels[0]
        for name, labels in after
        if name == "duozhu_conflicts_total" and after[name, labels] > before.get((name, labels), 0)
    ]
    assert grown == ["sheet-not-full"]


def test_a_request_sent_again_with_its_key_is_counted_as_a_replay(client: Client) -> None:
    replays = ("duozhu_replayed_requests_total", ())
    before = read(client)[replays]
    for _time in range(3):
        do_once(scope="sheet:1", key="a", request={"hu": 10}, act=lambda: (201, {"pk": 1}))
    assert read(client)[replays] - before == 2


@pytest.mark.django_db(transaction=True)
def test_hands_are_counted_by_evidence_when_they_are_saved() -> None:
    hall = make_hall(4)
    chief = member(hall, Role.CHIEF)
    entered = ("duozhu_hand_entries_total", ("result",))
    before = read(chief).get(entered, 0)
    path = reverse("sheet", args=[hall.competition.code, hall.table.pk])
    assert chief.post(path, {"evidence": "result"}).status_code == 422
    assert chief.post(path, {"evidence": "result", **WIN}).status_code == 302
    assert read(chief)[entered] - before == 1


def test_jobs_are_looked_up_in_their_table(client: Client) -> None:
    for state in ("waiting", "done", "done", "failed"):
        Job.objects.create(kind="seal", state=state, run_after=timezone.now())
    found = read(client)
    jobs = {key[1]: value for key, value in found.items() if key[0] == "duozhu_jobs"}
    assert jobs == {("seal", "waiting"): 1, ("seal", "done"): 2, ("seal", "failed"): 1}
    assert 0 <= found[("duozhu_oldest_waiting_job_seconds", ())] < 60
    assert found[("duozhu_database_up", ())] == 1


def test_figures_of_the_processes_are_told_while_the_database_is_away(client: Client) -> None:
    found = in_outage(lambda: read(client))
    assert found[("duozhu_database_up", ())] == 0
    assert not any(name == "duozhu_jobs" for name, _labels in found)
    assert any(name == "duozhu_requests_total" for name, _labels in found)


def test_no_label_holds_an_id_an_address_or_what_was_typed(client: Client) -> None:
    hall = make_hall(4)
    code, table = hall.competition.code, hall.table.pk
    chief = member(hall, Role.CHIEF)
    chief.get(reverse("sheet", args=[code, table]))
    for path in (f"/c/{code}/", "/c/typed/", "/l/secret-token/", "/typed/", "/?q=typed"):
        client.get(path)
    values = {value for _name, labels in read(client) for value in labels}
    assert not values & {code, str(table), "typed", "secret-token"}
    assert all(re.fullmatch(r"[\w:.+-]+", value) for value in values)


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "192.168.1.7", ""])
@pytest.mark.parametrize("given", [None, "Bearer ", "Bearer right-token"])
def test_where_no_token_is_set_nobody_may_read(
    client: Client, settings: Settings, address: str, given: str | None
) -> None:
    """Nor this machine: a proxy on it may send no header that tells for whom it asks."""
    settings.METRICS_TOKEN = ""
    headers = {} if given is None else {"Authorization": given}
    assert client.get("/metrics", headers=headers, REMOTE_ADDR=address).status_code == 404


@pytest.mark.parametrize(
    ("address", "given", "status"),
    [
        ("192.168.1.7", "Bearer right-token", 200),
        ("127.0.0.1", "Bearer right-token", 200),
        ("192.168.1.7", "Bearer wrong-token", 404),
        ("192.168.1.7", "Bearer ", 404),
        ("192.168.1.7", "right-token", 404),
        ("127.0.0.1", "", 404),
        ("127.0.0.1", "Bearer 令牌", 404),
    ],
)
def test_only_who_has_the_token_may_read(
    client: Client, address: str, given: str, status: int
) -> None:
    answer = client.get("/metrics", headers={"Authorization": given}, REMOTE_ADDR=address)
    assert answer.status_code == status


def test_a_stranger_learns_no_more_than_of_an_address_that_is_not_there(client: Client) -> None:
    refused = client.get("/metrics", REMOTE_ADDR="192.168.1.7")
    nothing = client.get("/nothing/", REMOTE_ADDR="192.168.1.7")
    assert refused.content == nothing.content.replace(b"/nothing/", b"/metrics")


@pytest.mark.django_db(transaction=True)
def test_the_processes_of_gunicorn_are_summed_and_one_that_ended_stays_counted(
    tmp_path: Path,
) -> None:
    counts = tmp_path / "counts"
    counts.mkdir()
    port = free_port()
    told = {"PROMETHEUS_MULTIPROC_DIR": str(counts), "WEB_CONCURRENCY": "2",
            "VAR_DIR": str(tmp_path), "LOG_LEVEL": "INFO", "METRICS_TOKEN": TOKEN}  # fmt: skip
    with gunicorn(port, tmp_path / "log", **told) as server:
        until(lambda: answers(port), "the site answers")
        asked = 0

        def ask(_number: int) -> bool:
            return answers(port, "/robots.txt")

        while len(_processes(counts)) < 2:
            with ThreadPoolExecutor(16) as phones:
                assert all(phones.map(ask, range(32)))
            asked += 32
            assert asked < 3200, "one process gets all requests"
        assert _counted(port) == asked
        ended = min(server.workers())
        os.kill(ended, signal.SIGKILL)
        until(lambda: len(server.workers() - {ended}) == 2, "a process in its place")
        assert all(ask(number) for number in range(8))
        assert _counted(port) == asked + 8
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert {line["route"] for line in lines if line["event"] == "request"} == {"robots", "metrics"}
    assert [line["event"] for line in lines if line["logger"] == "gunicorn.error"] == [
        f"Worker (pid:{ended}) was sent SIGKILL! Perhaps out of memory?"
    ]


def _processes(counts: Path) -> set[str]:
    """The processes that have counted a request for robots.txt."""
    found = set()
    for file in counts.glob("counter_*.db"):
        for key, value, _at, _position in MmapedDict.read_all_values_from_file(str(file)):
            if '"robots"' in key and value:
                found.add(file.stem.removeprefix("counter_"))
    return found


def _counted(port: int) -> float:
    request = urllib.request.Request(f"http://{HOST}:{port}/metrics", headers=BEARER)
    with urllib.request.urlopen(request, timeout=10) as page:
        found = parsed(page.read().decode())
    return found["duozhu_requests_total", ("GET", "robots", "2xx")]


@pytest.mark.django_db(transaction=True)
def test_a_server_keeps_its_counts_over_a_reload_and_leaves_no_folder(tmp_path: Path) -> None:
    """It counts in a folder of its own, and takes away a file that said to send nothing here."""
    folder, draining = tmp_path / "tmp", tmp_path / "draining"
    folder.mkdir()
    draining.touch()
    port = free_port()
    told = {"PROMETHEUS_MULTIPROC_DIR": "", "TMPDIR": str(folder), "VAR_DIR": str(tmp_path),
            "METRICS_TOKEN": TOKEN}  # fmt: skip
    with gunicorn(port, tmp_path / "log", **told) as server:
        until(lambda: answers(port), "the site answers")
        assert not draining.exists()
        assert all(answers(port, "/robots.txt") for _time in range(5))
        server.reload()
        until(lambda: answers(port), "the site answers again")
        assert all(answers(port, "/robots.txt") for _time in range(3))
        assert _counted(port) == 8
        assert len(list(folder.glob("duozhu-metrics-*"))) == 1
        server.stop()
    assert list(folder.glob("duozhu-metrics-*")) == []
