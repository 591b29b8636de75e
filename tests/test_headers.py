"""What every answer tells browsers, at every address of tests/rights.py; and CSRF at each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from core.models import User
from tests.api.callers import Caller
from tests.api.rights import OPERATIONS
from tests.rights import LIST
from tests.test_rights import address, ask, undone
from tests.worlds import World, build, rows_digest
from tournament.domain.invitations import invite
from tournament.domain.links import issue_link
from tournament.enums import Role

pytestmark = pytest.mark.django_db

POLICY = {
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
}
FIXED = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
}
KEPT = {
    "api",
    "bracket",
    "bracket_live",
    "bracket_svg",
    "calendar",
    "competition",
    "competition_live",
    "draws",
    "entrant",
    "entrant_calendar",
    "entrant_live",
    "entrants",
    "event_records",
    "event_records_live",
    "hand_questions",
    "home",
    "library",
    "library_statistics",
    "openapi",
    "privacy",
    "replay",
    "replay_steps",
    "schedule",
    "schedule_live",
    "screen",
    "screen_part",
    "sheets_worker",
    "standings",
    "standings_live",
    "table",
    "table_live",
    "unit_ranking",
    "unit_ranking_live",
}
"""What browsers may keep, and ask again whether it still holds: it shows everybody the same."""


@pytest.fixture(autouse=True)
def without_zeal(settings: Settings) -> None:
    """Queries are counted elsewhere."""
    settings.MIDDLEWARE = [one for one in settings.MIDDLEWARE if not one.startswith("zeal")]


OF_MACHINES = {"healthz", "readyz", "metrics"}
"""Answered before anything else is asked, a line or a table of numbers; to whom one of them is not
there, as by every other address that is not there."""
INLINE = re.compile(r"<script(?![^>]*\bsrc=)[^>]*>|<style|\son\w+=\"|\sstyle=\"|javascript:")


def answers(world: World) -> Iterator[tuple[str, str, HttpResponseBase]]:
    """Every address asked by a stranger, the owner, the table's device and an entrant's."""
    for name, row in LIST.items():
        url = address(name, row, world)
        for role in ".OTE":
            for method in ("GET", "POST") if role in ".O" else ("GET",):
                data = row.data(world) if callable(row.data) else row.data
                with undone():
                    yield (
                        name,
                        f"{name} {method} {role}",
                        ask(world.clients[role], method, url, data),
                    )


def _content(answer: HttpResponseBase) -> bytes:
    return answer.content if isinstance(answer, HttpResponse) else b""


def faults(name: str, answer: HttpResponseBase) -> Iterator[str]:
    """What an answer does not tell as it should."""
    if name in OF_MACHINES and answer.status_code != 404:
        is_page = answer.get("Content-Type", "").startswith("text/html")
        if answer.cookies or (is_page and _content(answer)):
            yield "more than a line or a table"
        return
    if answer.get("Content-Type", "").startswith("text/html"):
        found = INLINE.search(_content(answer).decode())
        if found:
            yield f"what the policy does not run: {found[0]}"
    if set(answer.get("Content-Security-Policy", "").split("; ")) != POLICY:
        yield "policy"
    for header, value in FIXED.items():
        if answer.get(header) != value:
            yield header
    if answer.get("Referrer-Policy") not in ("same-origin", "no-referrer", "strict-origin"):
        yield "referrer"
    cache = answer.get("Cache-Control", "")
    if name in KEPT and answer.status_code == 200:
        if cache not in ("no-cache", "max-age=300"):
            yield f"cache {cache}"
        if answer.cookies:
            yield "a cookie with what everybody gets"
    elif "no-store" not in cache:
        yield f"may be kept: {cache}"


def test_every_answer_tells_browsers_what_it_allows() -> None:
    """Pages, fragments, files, redirects and refusals alike; and no page has a script or style
    of its own, which the policy would not run."""
    world = build("submitted")
    wrong = [
        f"{where}: {answer.status_code} {fault}"
        for name, where, answer in answers(world)
        for fault in faults(name, answer)
    ]
    assert not wrong, "\n".join(wrong)


def test_answers_of_the_api_tell_it_too() -> None:
    world = build("submitted")
    code = world.competition.code
    for path in (f"/competitions/{code}", "/competitions/none", "/nothing"):
        answer = Caller().get(path)
        found = list(faults("api" if answer.status_code == 200 else "", answer))
        assert not found, (path, found)


def test_pages_whose_address_is_a_secret_do_not_pass_it_on() -> None:
    world = build("published")
    link = issue_link(
        acting=world.made.owner, competition=world.competition, role=Role.REFEREE, label="李"
    )
    opened = Client().get(reverse("link", args=[link.token]))
    assert (opened.status_code, opened["Referrer-Policy"]) == (302, "no-referrer")
    assert link.token not in opened["Location"]
    invited = invite(
        acting=world.made.owner,
        competition=world.competition,
        role=Role.REFEREE,
        label="王",
        days=7,
    )
    shown = Client().get(reverse("invitation", args=[invited.token]))
    assert (shown.status_code, shown["Referrer-Policy"]) == (200, "strict-origin")
    assert "no-store" in shown["Cache-Control"]


def posts(world: World) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every address that takes a POST, with what it takes."""
    for name, row in LIST.items():
        if row.answers("POST") and not name.startswith("api") and name not in OF_MACHINES:
            data = row.data(world) if callable(row.data) else row.data
            yield name, address(name, row, world), data


def test_no_form_is_taken_without_its_token() -> None:
    """From a page of somebody else's, in the browser of whoever may do it."""
    world = build("submitted")
    before = rows_digest()
    wrong = []
    for role in "OCAT":
        client = Client(enforce_csrf_checks=True)
        client.cookies = world.clients[role].cookies
        for name, url, data in posts(world):
            answer = ask(client, "POST", url, data)
            if answer.status_code != 403 or "这张表单过期了" not in answer.content.decode():
                wrong.append(f"{name} {role}: {answer.status_code}")
    assert not wrong, "\n".join(wrong)
    assert rows_digest() == before


def test_api_takes_no_cookie_for_a_token() -> None:
    """Whatever account or link the browser has, a write without a token is refused."""
    world = build("submitted")
    before = rows_digest()
    for role, client in world.clients.items():
        for name, operation in OPERATIONS.items():
            answer = client.generic(
                operation.method,
                "/api/v1" + operation.address(world),
                '{"name": "新二"}',
                content_type="application/json",
            )
            assert answer.status_code == 401, (name, role)
            assert not answer.cookies
    assert rows_digest() == before


@pytest.mark.parametrize(
    "to",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "javascript:alert(1)",
        "https:evil.example",
        "/%09/evil.example",
        "\t//evil.example",
        "http://testserver@evil.example/",
        "https://testserver.evil.example/",
    ],
)
def test_nothing_leads_to_another_site(to: str) -> None:
    """`?next=` of the language and of logging in."""
    spoken = Client().get("/language/en/", {"next": to})
    assert re.fullmatch(r"/([^/\\].*)?", spoken["Location"]), spoken["Location"]
    User.objects.create_user("li", password="right-and-long")
    for where, data in (({"next": to}, {}), ({}, {"next": to})):
        url = "/accounts/login/" + ("?next=" + to.replace("\t", "%09") if where else "")
        entered = Client().post(url, {"username": "li", "password": "right-and-long", **data})
        assert entered.status_code == 302
        assert re.fullmatch(r"/([^/\\].*)?", entered["Location"]), entered["Location"]


def test_cookies_are_this_sites_alone(settings: Settings) -> None:
    """Over https: session, token of forms, language, links of this device."""
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    world = build("published")
    User.objects.create_user("li", password="right-and-long")
    client = Client()
    client.get("/accounts/login/")
    client.post("/accounts/login/", {"username": "li", "password": "right-and-long"})
    client.get("/language/en/")
    client.get(reverse("link", args=[world.token]))
    found = {
        name: (one["samesite"], bool(one["secure"]), bool(one["httponly"]))
        for name, one in client.cookies.items()
    }
    assert found == {
        "csrftoken": ("Lax", True, False),
        "sessionid": ("Lax", True, True),
        "django_language": ("Lax", True, True),
        "links": ("Lax", True, True),
    }


def test_https_is_kept_for_a_year(settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT, settings.SECURE_HSTS_SECONDS = True, 365 * 24 * 3600
    sent = Client().get("/", secure=True)
    assert sent["Strict-Transport-Security"] == "max-age=31536000"
    turned = Client().get("/library/")
    assert (turned.status_code, turned["Location"]) == (301, "https://testserver/library/")
