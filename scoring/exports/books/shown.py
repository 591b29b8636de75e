"""The text of an edition as somebody may see it: masked, or without who has been erased."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from xml.sax.saxutils import escape as escape_xml

from django.utils.html import escape
from django.utils.translation import gettext as _

from scoring.models import BookEdition
from tournament.models import Person
from tournament.queries.public import masked

_TAG = re.compile(r"(<[^>]*>)")


def shown_body(edition: BookEdition, *, mask: bool) -> str:
    """The body with the middle of names hidden where `mask`, and the names of people who have
    been erased since left out. One query."""
    names = [(int(pk), str(name)) for pk, name in edition.names if name]
    erased = Person.objects.filter(pk__in=[pk for pk, _name in names], erased_at__isnull=False)
    gone = set(erased.values_list("pk", flat=True))
    words = {name: masked(name) for _pk, name in names} if mask else {}
    words |= {name: _("（已删除）") for pk, name in names if pk in gone}
    return replaced(edition.body, words)


def replaced(html: str, words: Mapping[str, str]) -> str:
    """The HTML with each of these words replaced in its text, longer ones first; tags stay."""
    pairs = {}
    for word, other in words.items():
        for write in (escape, escape_xml):
            pairs[str(write(word))] = str(write(other))
    if not pairs:
        return html
    found = re.compile("|".join(map(re.escape, sorted(pairs, key=len, reverse=True))))
    swap: Callable[[re.Match[str]], str] = lambda match: pairs[match[0]]  # noqa: E731
    pieces = _TAG.split(html)
    pieces[::2] = [found.sub(swap, piece) for piece in pieces[::2]]
    return "".join(pieces)
