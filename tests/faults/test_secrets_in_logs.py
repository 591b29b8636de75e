"""No address whose argument is a secret is ever logged whole, however a line comes to name it."""

from __future__ import annotations

import json
import logging
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import reverse

from config.logs import hide_tokens
from tests.faults.fuzz import ARGUMENT, routes
from tests.worlds import World, build
from tournament.domain.api_tokens import make_token
from tournament.domain.invitations import invite
from tournament.domain.links import issue_link
from tournament.enums import ApiScope, Role

SECRET = "Zk9-very_secret-0123456789"
SECRETS = {"token", "key"}
"""Arguments of addresses that let in whoever knows them."""
HARMLESS = {
    "code",
    "draw",
    "entry",
    "event",
    "kind",
    "name",
    "number",
    "rest",
    "round_id",
    "table",
    "uidb36",
}
"""All other arguments that are no plain number."""


def addresses() -> list[str]:
    """Every address with a secret in it, as a browser asks for it."""
    found = []
    for _name, pattern in routes():
        if {name for _converter, name in ARGUMENT.findall(pattern)} & SECRETS:
            told = ARGUMENT.sub(lambda one: SECRET if one[2] in SECRETS else "3", pattern)
            found.append(f"/{told}")
    return found


def test_every_argument_of_an_address_is_known_as_a_secret_or_as_none() -> None:
    names = {
        name
        for _name, pattern in routes()
        for converter, name in ARGUMENT.findall(pattern)
        if converter != "int"
    }
    assert names == SECRETS | HARMLESS
    assert len(addresses()) == 3


@pytest.mark.parametrize("url", addresses())
@pytest.mark.parametrize(
    "line",
    [
        "Not Found: {}",
        "{}",
        '10.0.0.1 "GET {} HTTP/1.1" 302 0',
        '10.0.0.1 "GET {}?x=1 HTTP/1.1" 302 0 "https://zipai.example{}" "Mozilla"',
        "Internal Server Error: {}",
        "Traceback (most recent call last):\n  File x\nValueError: '{}' is bad",
        "/accounts/login/?next={}",
        "/c/abc/check-in/3/?own=" + SECRET,
        "redirected to https://zipai.example{}#top",
    ],
)
def test_line_that_names_an_address_hides_its_secret(url: str, line: str) -> None:
    for told in (url, quote(url, safe=""), quote(url)):
        text = line.replace("{}", told)
        event = {"event": text, "path": told, "exception": text, "args": (text, {"url": told})}
        assert SECRET not in json.dumps(hide_tokens(None, "", event), default=str)


def asked(world: World, secrets: list[str]) -> None:
    """Every way in which somebody uses a secret, rightly and wrongly."""
    link, invitation, token = secrets
    client = Client()
    for url in (reverse("link", args=[link]), reverse("invitation", args=[invitation])):
        for ending in ("", "x/", "?next=" + quote(url), "%00"):
            client.get(url + ending)
            client.post(url + ending)
            client.get("/accounts/login/", {"next": url + ending})
            client.get("/", headers={"referer": f"http://testserver{url}{ending}"})
    for sent in (f"Bearer {token}", f"bearer  {token}x", f"Basic {token}", token):
        client.get(f"/api/v1/competitions/{world.competition.code}/entries?token={token}",
                   headers={"authorization": sent})  # fmt: skip


@pytest.mark.django_db
def test_no_secret_is_logged_by_using_it(caplog: pytest.LogCaptureFixture) -> None:
    world = build("published")
    made = world.made
    link = issue_link(
        acting=made.owner, competition=made.competition, role=Role.REFEREE, label="李"
    )
    invitation = invite(
        acting=made.owner, competition=made.competition, role=Role.REFEREE, label="王", days=7
    )
    token = make_token(
        acting=made.owner,
        competition=made.competition,
        label="机",
        scopes={ApiScope.CHECKIN},
        days=7,
    )
    secrets = [link.token, invitation.token, token.token]
    caplog.set_level(logging.DEBUG)
    asked(world, secrets)
    assert caplog.records
    lines = [
        json.dumps(hide_tokens(None, "", {"event": one.getMessage(), **vars(one)}), default=str)
        for one in caplog.records
    ]
    for secret in secrets:
        assert not [line for line in lines if secret in line]
