"""An edition's text: cover, contents and parts as one piece of HTML."""

from __future__ import annotations

import copy
from datetime import datetime
from typing import Any

from django.template.loader import render_to_string
from django.utils import timezone

from scoring.domain.books import Printed
from scoring.enums import BookKind
from scoring.exports.books.parts import events_of
from scoring.exports.books.programme import programme_parts
from scoring.exports.books.results import results_parts
from tournament.enums import EntryStatus
from tournament.models import Competition, Person

PARTS = {BookKind.PROGRAMME: programme_parts, BookKind.RESULTS: results_parts}


def render_book(
    competition: Competition, kind: BookKind, number: int, note: str, at: datetime
) -> Printed:
    """The text of edition `number`, made `at`, in the language in use and the competition's time
    zone, with whole names; and the names in it."""
    shown = copy.copy(competition)
    shown.mask_names = False
    with timezone.override(shown.tz):
        parts = PARTS[kind](shown)
        named = [(f"part-{index}", part) for index, part in enumerate(parts, 1)]
        pieces = [
            render_to_string("print/book/cover.html", _cover(shown, kind, number, note, at)),
            render_to_string("print/book/contents.html", {"parts": named}),
        ]
        for anchor, part in named:
            context = {
                "anchor": anchor,
                "title": part.title,
                "is_major": part.is_major,
            }
            context |= part.context
            pieces.append(render_to_string(f"print/book/{part.template}", context))
    people = Person.objects.filter(entries__competition=competition).exclude(name="")
    names = people.distinct().order_by("pk").values_list("pk", "name")
    return Printed("\n".join(pieces), [list(one) for one in names])


def _cover(
    competition: Competition, kind: BookKind, number: int, note: str, at: datetime
) -> dict[str, Any]:
    return {
        "competition": competition,
        "kind": kind.label,
        "number": number,
        "note": note,
        "at": at,
        "events": events_of(competition),
        "entrants": competition.entries.filter(status=EntryStatus.CONFIRMED).count(),
    }
