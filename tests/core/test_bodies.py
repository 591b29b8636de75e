"""Bodies are rendered once a version, language and process; polls get 204 (facts 1 and 2)."""

from __future__ import annotations

import gzip
import threading
from concurrent.futures import ThreadPoolExecutor

import brotli
import pytest
from django.test import RequestFactory
from django.utils import translation

from core import bodies
from core.domain import versions

pytestmark = pytest.mark.django_db
SCOPES = ["event:3", "sheet:9"]


class Page:
    """A page that counts how often it is rendered."""

    def __init__(self) -> None:
        self.renders = 0

    def __call__(self, version: str) -> str:
        """The HTML of a version."""
        self.renders += 1
        return f"<p>桌 {version}</p>"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1000.0]
    monkeypatch.setattr(bodies.time, "monotonic", lambda: now[0])
    return now


def test_one_version_is_rendered_once_and_sent_compressed(rf: RequestFactory) -> None:
    page = Page()
    sent = [
        bodies.respond(rf.get("/", headers={"Accept-Encoding": how}), "bracket:3", SCOPES, page)
        for how in ("gzip, deflate, br", "gzip", "identity")
    ]
    assert brotli.decompress(sent[0].content).decode() == "<p>桌 0-0</p>"
    assert gzip.decompress(sent[1].content).decode() == "<p>桌 0-0</p>"
    assert sent[2].content.decode() == "<p>桌 0-0</p>"
    assert [answer.headers.get("Content-Encoding") for answer in sent] == ["br", "gzip", None]
    assert sent[0]["Vary"] == "Accept-Encoding, Accept-Language, Cookie"
    assert page.renders == 1


def test_languages_and_fragments_have_bodies_of_their_own() -> None:
    page = Page()
    bodies.body("bracket:3", SCOPES, page)
    bodies.body("standings:3", SCOPES, page)
    with translation.override("en"):
        bodies.body("bracket:3", SCOPES, page)
    assert page.renders == 3


def test_a_new_version_is_rendered_after_two_seconds_and_not_before(clock: list[float]) -> None:
    page = Page()
    assert bodies.body("bracket:3", SCOPES, page).version == "0-0"
    versions.bump("sheet:9")
    clock[0] += 1.9
    assert bodies.body("bracket:3", SCOPES, page).version == "0-0"
    clock[0] += 0.1
    assert bodies.body("bracket:3", SCOPES, page).version == "0-1"
    assert page.renders == 2


def test_a_poll_of_the_current_version_is_204_without_rendering(rf: RequestFactory) -> None:
    page = Page()
    answer = bodies.respond(rf.get("/?v=0-0"), "bracket:3", SCOPES, page)
    assert (answer.status_code, answer.content, page.renders) == (204, b"", 0)


def test_a_poll_of_an_older_version_gets_the_body(rf: RequestFactory, clock: list[float]) -> None:
    versions.bump("event:3")
    answer = bodies.respond(rf.get("/?v=0-0"), "bracket:3", SCOPES, Page())
    assert (answer.status_code, answer["X-Version"]) == (200, "1-0")


def test_a_poll_that_has_the_body_still_given_out_is_204(
    rf: RequestFactory, clock: list[float]
) -> None:
    page = Page()
    bodies.body("bracket:3", SCOPES, page)
    versions.bump("event:3")
    answer = bodies.respond(rf.get("/?v=0-0"), "bracket:3", SCOPES, page)
    assert (answer.status_code, page.renders) == (204, 1)
    assert answer["X-Again"] == "2"


def test_polling_does_not_end_before_the_last_body_has_been_sent(
    rf: RequestFactory, clock: list[float]
) -> None:
    page = Page()
    bodies.body("bracket:3", SCOPES, page)
    versions.bump("event:3")
    older = bodies.respond(rf.get("/?v=9-9"), "bracket:3", SCOPES, page, over=True)
    assert (older.status_code, older["X-Version"], older["X-Again"]) == (200, "0-0", "2")
    clock[0] += 2
    last = bodies.respond(rf.get("/?v=0-0"), "bracket:3", SCOPES, page, over=True)
    assert (last.status_code, last["X-Version"], "X-Again" in last) == (286, "1-0", False)


def test_polling_ends_with_the_event(rf: RequestFactory) -> None:
    page = Page()
    current = bodies.respond(rf.get("/?v=0-0"), "bracket:3", SCOPES, page, over=True)
    assert (current.status_code, current["HX-Reswap"], current.content) == (286, "none", b"")
    versions.bump("event:3")
    last = bodies.respond(rf.get("/?v=0-0"), "bracket:3", SCOPES, page, over=True)
    assert (last.status_code, last.content.decode()) == (286, "<p>桌 1-0</p>")
    whole_page = bodies.respond(rf.get("/"), "bracket:3", SCOPES, page, over=True)
    assert whole_page.status_code == 200


def test_while_one_renders_the_others_get_the_previous_body(clock: list[float]) -> None:
    inside, leave = threading.Event(), threading.Event()
    bodies.body("bracket:3", [], lambda version: "old")
    clock[0] += 5
    bodies._slots[("bracket:3", "zh-hans")].body = bodies._compressed("before", "old")
    clock[0] += 5

    def slow(version: str) -> str:
        inside.set()
        assert leave.wait(10)
        return "new"

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(
            lambda: translation.activate("zh-hans") or bodies.body("bracket:3", [], slow)
        )
        assert inside.wait(10)
        assert bodies.body("bracket:3", [], slow).plain == b"old"
        leave.set()
        assert first.result().plain == b"new"


def test_the_first_fifty_at_once_are_one_render() -> None:
    page = Page()
    start = threading.Barrier(50)

    def ask(_index: int) -> bytes:
        start.wait()
        return bodies.body("bracket:3", [], page).plain

    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(ask, range(50)))
    assert set(answers) == {"<p>桌 </p>".encode()}
    assert page.renders == 1


def test_the_least_used_bodies_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "MAX_BODIES", 2)
    page = Page()
    for fragment in ("a", "b", "a", "c", "a", "b"):
        bodies.body(fragment, [], page)
    assert page.renders == 4
