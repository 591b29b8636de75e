"""Every request has a number and one line in the log, which tells nothing secret or personal."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from datetime import date

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone
from pytest_django import Settings
from structlog.contextvars import bound_contextvars, get_contextvars

from config.logs import without_secrets
from core.domain import jobs
from core.models import User
from tests.core.faulty_urls import SECRETS, TOKEN
from tests.core.lines import logged
from tests.scoring.clients import member
from tests.scoring.sheets import make_hall
from tournament.enums import Role
from tournament.models import Competition

pytestmark = pytest.mark.django_db
OWN = re.compile(r"[0-9a-f]{12}")
FAULTS = "tests.core.faulty_urls"


def done(job: jobs.Running) -> object:
    """A job that is done at once."""
    return None


def stumble(job: jobs.Running) -> object:
    """A job that fails, and quotes a name and a telephone number."""
    raise ValueError("张三丰 13912345678")


def test_every_answer_has_a_number_of_its_own(client: Client) -> None:
    paths = ("/", "/nothing/", "/manage/", "/api/v1/nothing", "/healthz")
    answers = [client.get(path) for path in paths]
    assert [answer.status_code for answer in answers] == [200, 404, 302, 404, 200]
    numbers = [answer["X-Request-ID"] for answer in answers]
    assert all(OWN.fullmatch(number) for number in numbers)
    assert len(set(numbers)) == len(paths)


@pytest.mark.parametrize(
    ("trusted", "given", "is_kept"),
    [
        (True, "4f1c-2b7A_9e", True),
        (True, "a" * 64, True),
        (False, "4f1c-2b7A_9e", False),
        (True, "short", False),
        (True, "a" * 65, False),
        (True, 'x"} {"level":"info', False),
        (True, "张三张三张三张三", False),
    ],
)
def test_the_number_of_a_trusted_proxy_is_kept_where_it_is_well_formed(
    client: Client, settings: Settings, trusted: bool, given: str, is_kept: bool
) -> None:
    settings.BEHIND_PROXY = trusted
    answer = client.get("/healthz", headers={"X-Request-ID": given})
    assert (answer["X-Request-ID"] == given) is is_kept


def test_a_request_is_one_line_with_its_address_by_name() -> None:
    Competition.objects.create(code="lijiang", name="漓江杯", starts_on=date(2026, 12, 5))
    with logged("INFO") as lines:
        answer = Client().get("/c/lijiang/", headers={"X-Request-ID": "from-a-stranger"})
    (line,) = lines.of("request")
    told = {key: line[key] for key in ("method", "route", "status", "of", "request_id", "level")}
    assert told == {
        "method": "GET",
        "route": "competition",
        "status": 404,
        "of": {"code": "lijiang"},
        "request_id": answer["X-Request-ID"],
        "level": "warning",
    }
    assert line["ms"] > 0
    assert lines.text.count("\n") == 1


def test_the_line_tells_who_by_id_and_with_which_roles() -> None:
    hall = make_hall(4)
    chief = member(hall, Role.CHIEF)
    with logged("INFO") as lines:
        chief.get(reverse("sheet", args=[hall.competition.code, hall.table.pk]))
        chief.get(reverse("account"))
    user = User.objects.get(pk=chief.session["_auth_user_id"])
    in_hall, elsewhere = lines.of("request")
    assert (in_hall["actor"], in_hall["roles"]) == (f"user:{user.pk}", ["chief"])
    assert in_hall["of"] == {"code": hall.competition.code, "pk": hall.table.pk}
    assert elsewhere["actor"] == f"user:{user.pk}"
    assert "roles" not in elsewhere
    assert user.username not in lines.text


@pytest.mark.parametrize(
    ("path", "level", "route"),
    [
        ("/healthz", "debug", "healthz"),
        ("/static/css/nothing.css", "warning", "static"),
        ("/robots.txt", "info", "robots"),
        ("/nothing/", "warning", "unknown"),
        ("/fail/broken/", "error", "broken"),
    ],
)
def test_what_comes_often_and_tells_nothing_is_only_logged_for_debugging(
    settings: Settings, path: str, level: str, route: str
) -> None:
    settings.ROOT_URLCONF = FAULTS
    with logged() as lines:
        Client(raise_request_exception=False).get(path)
    (line,) = lines.of("request")
    assert (line["level"], line["route"]) == (level, route)


def test_a_poll_that_finds_nothing_new_is_only_logged_for_debugging(client: Client) -> None:
    Competition.objects.create(
        code="lijiang", name="漓江杯", starts_on=date(2026, 12, 5), published_at=timezone.now()
    )
    path = reverse("competition_live", args=["lijiang"])
    shown = client.get(path)["X-Version"]
    with logged("INFO") as quiet:
        assert client.get(path, {"v": shown}).status_code == 204
    with logged("DEBUG") as all_lines:
        client.get(path, {"v": shown})
    assert quiet.text == ""
    assert [line["status"] for line in all_lines.of("request")] == [204]


def test_lines_inside_a_request_have_its_number_and_none_has_it_afterwards(
    settings: Settings,
) -> None:
    settings.ROOT_URLCONF = FAULTS
    with logged() as lines:
        answer = Client(raise_request_exception=False).get("/fail/broken/")
        logging.getLogger("afterwards").warning("later")
    (fault,) = lines.of("request.fault")
    assert (fault["request_id"], fault["route"]) == (answer["X-Request-ID"], "broken")
    assert "RuntimeError" in fault["exception"]
    (later,) = lines.of("later")
    assert "request_id" not in later
    assert get_contextvars() == {}


def test_no_line_shows_a_secret_of_any_request(settings: Settings) -> None:
    """Links, keys, tokens, passwords, numbers and names, in paths, queries, headers and bodies."""
    settings.ROOT_URLCONF = FAULTS
    browser = Client(raise_request_exception=False, enforce_csrf_checks=True)
    phone, mail, name, password = SECRETS[1:]
    with logged() as lines:
        for path in _secret_paths():
            for ask in (browser.get, browser.post, browser.put):
                assert ask(path).status_code < 500
        browser.get("/language/en/", {"next": f"/l/{TOKEN}/"})
        browser.get("/", {"q": name, "phone": phone})
        browser.get(
            f"/nothing/?token={TOKEN}", headers={"Referer": f"http://testserver/i/{TOKEN}/"}
        )
        browser.post("/accounts/login/", {"login": phone, "password": password})
        Client().post("/accounts/login/", {"login": mail, "password": password})
        Client().post("/api/v1/verify", name, content_type="application/json")
        Client().get("/api/v1/competitions", headers={"Authorization": f"Bearer dz_{TOKEN}"})
        Client().get("/", headers={"Host": mail})
        browser.get("/fail/broken/")
        browser.cookies["sessionid"] = TOKEN
        browser.get("/accounts/")
    assert len(lines.of("request")) >= 12
    assert [secret for secret in SECRETS if secret in lines.text] == []


def _secret_paths() -> list[str]:
    return [
        reverse("link", args=[TOKEN]),
        reverse("invitation", args=[TOKEN]),
        reverse("account_reset_password_from_key", kwargs={"uidb36": "3", "key": TOKEN}),
    ]


HARMLESS = {"code", "name", "kind", "rest"}
"""Arguments of addresses that are text and no secret: a competition's public code, the name of a
page or file, what follows /api/v1/."""
NUMBERS = {"draw", "entry", "event", "number", "round_id", "table"}
"""Ids in the API's addresses, which pydantic reads."""


def test_every_address_with_a_secret_is_hidden_in_every_text() -> None:
    """A new kind of argument has to be put on one of the two lists."""
    texts = set()
    for pattern in _patterns(get_resolver()):
        for name, converter in pattern.pattern.converters.items():
            if "Int" not in type(converter).__name__:
                texts.add(name)
    texts |= {name for one in _patterns(get_resolver()) for name in _groups(one)}
    assert texts - HARMLESS - NUMBERS == {"token", "uidb36", "key"}
    for path in _secret_paths():
        for text in (path, f"Not Found: {path}", f'"next": "{path}"', path.replace("/", "%2F")):
            assert TOKEN not in without_secrets(text)


def _patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLPattern):
            yield entry
        else:
            yield from _patterns(entry)


def _groups(pattern: URLPattern) -> list[str]:
    regex = getattr(pattern.pattern, "regex", None)
    is_route = bool(pattern.pattern.converters)
    return [] if regex is None or is_route else list(regex.groupindex)


def test_lines_of_a_job_name_it_and_the_request_that_asked_for_it(settings: Settings) -> None:
    settings.JOBS = {name: f"tests.core.test_request_ids.{name}" for name in ("done", "stumble")}
    with logged("INFO") as lines:
        with bound_contextvars(request_id="0123456789ab"):
            job = jobs.enqueue(kind="done", payload={})
        failing = jobs.enqueue(kind="stumble", payload={})
        assert jobs.sweep() == 2
    asked, _other = lines.of("job.enqueued")
    assert (asked["job"], asked["kind"], asked["request_id"]) == (job.pk, "done", "0123456789ab")
    ended, again = lines.of("job.ended")
    assert (ended["job"], ended["kind"], ended["state"]) == (job.pk, "done", "done")
    assert (again["job"], again["state"]) == (failing.pk, "waiting")
    (fault,) = lines.of("job.fault")
    assert (fault["job"], fault["kind"]) == (failing.pk, "stumble")
    assert fault["exception"].endswith("ValueError: … …")
    assert get_contextvars() == {}
