"""What people type stays text wherever it is shown: pages, drawings, calendars, lists."""

from __future__ import annotations

import re

import pytest
from django.http import HttpResponse
from pytest_django import Settings

from tests.rights import LIST
from tests.test_rights import address, ask
from tests.worlds import build
from tournament.models import Competition, Entry, Event, Person

pytestmark = pytest.mark.django_db
MARKUP = "<b onx=1>\"'&;</b>"
LINE = "唐\r\nX-EVIL:1\r\n"


@pytest.fixture(autouse=True)
def without_zeal(settings: Settings) -> None:
    """Queries are counted elsewhere."""
    settings.MIDDLEWARE = [one for one in settings.MIDDLEWARE if not one.startswith("zeal")]


def test_names_and_texts_are_never_tags_or_lines() -> None:
    """Put where the forms would have cleaned them, so that only the showing is looked at."""
    world = build("final")
    Person.objects.update(name=MARKUP)
    Entry.objects.update(unit=MARKUP)
    Competition.objects.update(name=MARKUP, place=LINE, about=MARKUP)
    Event.objects.update(name=LINE)
    wrong, shown = [], 0
    for name, row in LIST.items():
        if row.get is None or name.startswith("api"):
            continue
        for role in ".O":
            answer = ask(world.clients[role], "GET", address(name, row, world), {})
            if answer.status_code != 200 or not isinstance(answer, HttpResponse):
                continue
            kind, text = answer.get("Content-Type", ""), answer.content.decode("utf-8", "replace")
            shown += "&lt;b onx=1&gt;" in text
            if kind.startswith(("text/html", "image/svg", "application/xml")):
                if "<b onx" in text:
                    wrong.append(f"{name} {role}: a tag")
            elif kind.startswith("text/calendar") and re.search(r"^X-EVIL", text, re.MULTILINE):
                wrong.append(f"{name} {role}: a line")
    assert shown > 40
    assert not wrong, "\n".join(wrong)
