"""What a reader, a phone and a program are told when something fails."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from django.db import InterfaceError, OperationalError, ProgrammingError
from django.http import HttpResponse
from django.test import Client
from django.utils.translation import override
from pytest_django import Settings

from core.faults import is_outage
from core.models import User
from core.views.errors import ABSENT, AWAY, BROKEN, EXPIRED, FORBIDDEN, TOO_OFTEN, Fault
from tests.core.lines import logged
from tests.core.outage import in_outage

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def addresses(settings: Settings) -> None:
    settings.ROOT_URLCONF = "tests.core.faulty_urls"


@pytest.fixture
def browser() -> Client:
    """As a browser sees it: a fault is an answer."""
    return Client(raise_request_exception=False, enforce_csrf_checks=True)


def fails(browser: Client, fault: Fault, **headers: str) -> HttpResponse:
    """The answer to a request that meets this fault."""
    if fault is AWAY:
        return in_outage(lambda: browser.get("/fail/asking/", headers=headers))
    if fault is EXPIRED:
        return browser.post("/accounts/login/", {"login": "x"}, headers=headers)
    paths = {403: "/fail/forbidden/", 404: "/nothing/", 429: "/fail/often/", 500: "/fail/broken/"}
    return browser.get(paths[fault.status], headers=headers)


FAULTS = {"403": FORBIDDEN, "csrf": EXPIRED, "404": ABSENT, "429": TOO_OFTEN, "500": BROKEN,
          "503": AWAY}  # fmt: skip


def visible(page: str) -> str:
    """The text of a page's main part."""
    main = re.search(r"<main.*?</main>", page, re.S)
    assert main
    return " ".join(re.sub(r"<[^>]+>", " ", main[0]).split())


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_page_says_what_happened_and_what_to_do_in_the_reader_s_language(
    browser: Client, fault: Fault, language: str
) -> None:
    browser.cookies["django_language"] = language
    answer = fails(browser, fault)
    page = answer.content.decode()
    with override(language):
        assert visible(page).startswith(f"{fault.title} {fault.text}")
    assert answer.status_code == fault.status
    assert f'lang="{language}"' in page
    assert page.count("<h1>") == 1
    assert 'name="viewport"' in page
    assert "css/site.css" in page
    assert "<script>" not in page


@pytest.mark.parametrize("fault", [BROKEN, AWAY], ids=["500", "503"])
def test_the_site_s_own_fault_tells_its_number(browser: Client, fault: Fault) -> None:
    answer = fails(browser, fault)
    assert f"编号 {answer['X-Request-ID']} 回到首页" in visible(answer.content.decode())
    assert answer["Cache-Control"] == "no-store"


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_htmx_gets_the_sentence_alone(browser: Client, fault: Fault) -> None:
    answer = fails(browser, fault, **HTMX)
    text = " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())
    number = f" 编号 {answer['X-Request-ID']}" if fault.status >= 500 else ""
    assert text == f"{fault.title} {fault.text}{number}"
    assert 'role="alert"' in answer.content.decode()
    assert (answer.status_code, answer["X-Error-Code"]) == (fault.status, fault.code)


@pytest.mark.parametrize(
    ("path", "fault"), [("/api/v1/fail/broken/", BROKEN), ("/api/v1/fail/asking/", AWAY)]
)
def test_a_program_gets_a_problem_with_the_number(browser: Client, path: str, fault: Fault) -> None:
    def ask() -> HttpResponse:
        return browser.get(path)

    answer = in_outage(ask) if fault is AWAY else ask()
    assert (answer.status_code, answer["Content-Type"]) == (
        fault.status, "application/problem+json",
    )  # fmt: skip
    assert answer.json() == {
        "type": f"urn:duozhu:problem:{fault.code}",
        "title": {500: "网站出错了", 503: "网站暂时不能用"}[fault.status],
        "status": fault.status,
        "detail": fault.text,
        "code": fault.code,
        "request_id": answer["X-Request-ID"],
    }
    assert answer.get("Retry-After") == ("5" if fault is AWAY else None)


def test_the_api_itself_says_that_the_database_is_away(browser: Client) -> None:
    answer = in_outage(lambda: browser.get("/api/v1/competitions"))
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer.json()["code"] == "unavailable"


def test_an_outage_is_503_for_pages_and_for_who_is_logged_in(
    browser: Client, client: Client
) -> None:
    """Views, and what asks before and after them: the session, who it is."""
    client.force_login(User.objects.create_user("chief", password="x"))
    browser.cookies = client.cookies
    for path in ("/", "/manage/", "/accounts/", "/fail/asking/"):
        answer = in_outage(lambda path=path: browser.get(path))
        assert (answer.status_code, answer["Retry-After"]) == (503, "5"), path
    assert browser.get("/fail/asking/").status_code == 200


def test_a_page_that_was_only_read_comes_again_by_itself(client: Client) -> None:
    """The hall's screen has nobody who would reload it; what was sent is not sent twice."""

    def ask() -> list[HttpResponse]:
        path = "/fail/asking/"
        return [client.get(path), client.post(path), client.get(f"/api/v1{path}")]

    assert [answer.get("Refresh") for answer in in_outage(ask)] == ["20", None, None]


def test_an_outage_is_one_short_line_a_request(browser: Client) -> None:
    with logged("INFO") as lines:
        in_outage(lambda: browser.get("/fail/asking/"))
    (away,), (request,) = lines.of("database.away"), lines.of("request")
    assert away["error"] == "OperationalError"
    assert (away["route"], away["request_id"]) == ("asking", request["request_id"])
    assert (request["status"], request["level"]) == (503, "error")
    assert lines.text.count("\n") == 2
    assert "Traceback" not in lines.text


def test_a_statement_that_is_wrong_is_no_outage(browser: Client) -> None:
    """SQLite says both by the same class."""
    answer = browser.get("/fail/wrong/")
    assert answer.status_code == 500
    assert "Retry-After" not in answer


def _locked(folder: Path) -> Exception:
    first, second = (sqlite3.connect(folder / "x", timeout=0) for _each in range(2))
    first.execute("BEGIN IMMEDIATE")
    try:
        second.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        return error
    finally:
        first.close()
        second.close()
    raise AssertionError("not locked")


def _no_table(folder: Path) -> Exception:
    here = sqlite3.connect(folder / "x")
    try:
        here.execute("SELECT 1 FROM nowhere")
    except sqlite3.OperationalError as error:
        return error
    finally:
        here.close()
    raise AssertionError("found")


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (_locked, True),
        (_no_table, False),
        (lambda _folder: psycopg.errors.AdminShutdown("terminating connection"), True),
        (lambda _folder: psycopg.errors.CannotConnectNow("starting up"), True),
        (lambda _folder: psycopg.errors.DiskFull("no space left"), True),
    ],
)
def test_what_waiting_helps_against(
    tmp_path: Path, make: Callable[[Path], Exception], expected: bool
) -> None:
    error = OperationalError("as Django raises it")
    error.__cause__ = make(tmp_path)
    assert is_outage(error) is expected


def test_what_is_no_error_of_the_connection_is_no_outage() -> None:
    assert is_outage(InterfaceError("connection already closed")) is True
    assert is_outage(ProgrammingError("no such column")) is False
    assert is_outage(ValueError("x")) is False
    assert is_outage(None) is False


def test_a_fault_whose_page_fails_too_still_tells_the_number(
    browser: Client, settings: Settings, tmp_path: Path
) -> None:
    """Files that were never collected break every page that names one."""
    settings.STATIC_ROOT = str(tmp_path)
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
    }
    with logged("INFO") as lines:
        answer = browser.get("/nothing/")
    page = answer.content.decode()
    assert answer.status_code == 500
    assert f"编号 / Number: {answer['X-Request-ID']}" in page
    assert "请过一会儿再试" in page
    assert "Please try again in a moment" in page
    (fault,) = lines.of("request.fault")
    assert "Missing staticfiles manifest entry" in fault["exception"]


def test_the_page_of_a_fault_asks_nothing_of_the_database(
    browser: Client, client: Client, django_assert_num_queries: object
) -> None:
    client.force_login(User.objects.create_user("chief", password="x"))
    browser.cookies = client.cookies
    with django_assert_num_queries(0):  # type: ignore[operator]
        assert browser.get("/fail/broken/").status_code == 500


def test_a_body_that_is_too_large_is_refused_with_a_sentence(
    client: Client, settings: Settings
) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    answer = client.post("/accounts/login/", {"login": "x" * 2000})
    assert answer.status_code == 413
    assert "内容太大了，请分几次发。" in answer.content.decode()
