"""robots.txt and sitemap.xml: published competitions, and nothing that stands behind a role."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.rights import LIST
from tests.scoring.public_pages import drafted, stranger
from tests.tournament.competitions import make

pytestmark = pytest.mark.django_db

CODE = "abcdef"
OPEN_DOORS = ("open", "public", "public table", "public draw", "login")
HARMLESS = ("healthz", "sheets_worker", "language", "records", "records_job", "records_job_change")
"""The last three would take the records of an event with them; they ask for a role anyway."""


def path_of(name: str, args: tuple[str, ...], *, of_competition: bool) -> str:
    given = ["1" if not arg.isdecimal() and arg not in ("rota", "token") else arg for arg in args]
    return reverse(name, args=[CODE, *given] if of_competition else given)


def matches(rule: str, path: str) -> bool:
    """RFC 9309, 2.2.2 and 2.2.3: a prefix, with `*` for anything."""
    rest = path
    for index, piece in enumerate(rule.split("*")):
        at = rest.find(piece)
        if at < 0 or (index == 0 and at > 0):
            return False
        rest = rest[at + len(piece) :]
    return True


def test_robots_keep_out_of_everything_behind_a_role_and_find_what_is_public() -> None:
    text = stranger(reverse("robots")).content.decode()
    rules = [line.removeprefix("Disallow: ") for line in text.splitlines() if "Disallow" in line]
    assert "Sitemap: http://testserver/sitemap.xml" in text.splitlines()
    for name, row in LIST.items():
        if name in ("link", "invitation", *HARMLESS) or row.door == "login":
            continue
        is_public = row.door in OPEN_DOORS
        path = path_of(name, row.args, of_competition=row.door not in ("open", "operator"))
        kept_out = any(matches(rule, path) for rule in rules)
        assert kept_out == (not is_public or "live" in name or "screen" in name), path
    for path in ("/l/abc/", "/i/abc/", "/accounts/login/", "/manage/new/"):
        assert any(matches(rule, path) for rule in rules)


def test_sitemap_has_the_pages_of_published_competitions_and_no_person() -> None:
    shown, hidden = drafted(3), make(3)
    text = stranger(reverse("sitemap")).content.decode()
    code, event = shown.competition.code, shown.event.pk
    for path in (f"c/{code}/", f"c/{code}/event/{event}/", f"c/{code}/event/{event}/standings/"):
        assert f"<loc>http://testserver/{path}</loc>" in text
    assert hidden.competition.code not in text
    assert "/entrant/" not in text
    assert stranger(reverse("sitemap"))["Content-Type"] == "application/xml; charset=utf-8"
