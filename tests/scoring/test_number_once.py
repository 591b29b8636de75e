"""Who is erased is called by his number, which does not stand beside itself (C1.1)."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.models import User
from scoring.domain.erasing import erase_person
from scoring.enums import BookKind
from scoring.exports.books.render import render_book
from tests.scoring.personal import entry_of
from tests.scoring.preliminaries import draw_and_publish, make_preliminary
from tests.scoring.public_pages import publish
from tests.tournament.competitions import Made, make_published
from tournament.models.people import is_number, numbered

pytestmark = pytest.mark.django_db

TWICE = re.compile(
    r'(?<!\d)1(?:</span>|</td>)?\s*(?:<(?:b|strong|th scope="row"|a [^>]*)>)*\s*1 号'
    r'|1 号</h1><p class="under"><span>1 号'
)


def texts(made: Made, *names: str) -> dict[str, str]:
    """Pages with their entrant 1 erased, and the programme."""
    publish(made.competition)
    entry = entry_of(made.competition, 1)
    entrant = entry.entrants.get()
    erase_person(acting=made.owner, entry=entry)
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id))
    own = {"entrant", "manage_entrant_leave", "manage_entrant_replace", "manage_entrant_fixed"}
    found = {}
    for name in names:
        more = {"preliminary": [made.event.pk]}.get(name, [entrant.pk] if name in own else [])
        page = client.get(reverse(name, args=[made.competition.code, *more]))
        assert page.status_code == 200, name
        found[name] = page.content.decode()
    book = render_book(made.competition, BookKind.PROGRAMME, 1, "", timezone.now())
    found["programme"] = book.body
    return found


@pytest.mark.parametrize("is_preliminary", [False, True])
def test_pages_and_books_say_the_number_of_who_is_erased_once(is_preliminary: bool) -> None:
    if is_preliminary:
        made = make_preliminary(6)
        draw_and_publish(made)
        found = texts(made, "preliminary", "manage_draw")
    else:
        found = texts(
            make_published(4), "manage_draw", "manage_entrants", "manage_entrant_leave",
            "manage_entrant_replace", "manage_entrant_fixed", "entrants", "entrant",
        )  # fmt: skip
    for name, text in found.items():
        assert "1 号" in text, name
        assert not TWICE.search(text), (name, TWICE.findall(text))


@pytest.mark.parametrize(
    ("name", "number", "is_only", "line"),
    [
        ("12 号", 12, True, "12 号"),
        ("12 号/莫家骏", 12, True, "12 号/莫家骏"),
        ("莫家骏/12 号", 12, False, "12 号 莫家骏/12 号"),
        ("12 号", 1, False, "1 号 12 号"),
        ("莫家骏", None, False, "– 号 莫家骏"),
    ],
)
def test_a_name_that_is_its_own_number_has_none_before_it(
    name: str, number: int | None, is_only: bool, line: str
) -> None:
    assert is_number(name, number) == is_only
    assert numbered(number, name) == line
