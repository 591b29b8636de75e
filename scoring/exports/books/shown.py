"""The text of an edition as somebody may see it: masked, or without who has been erased."""

from __future__ import annotations

from django.utils.translation import gettext as _

from scoring.models import BookEdition
from scoring.replaced import replaced
from tournament.models import Person
from tournament.queries.public import masked


def shown_body(edition: BookEdition, *, mask: bool) -> str:
    """The body with the middle of names hidden where `mask`, and the names of people who have
    been erased since left out. One query."""
    names = [(int(pk), str(name)) for pk, name in edition.names if name]
    erased = Person.objects.filter(pk__in=[pk for pk, _name in names], erased_at__isnull=False)
    gone = set(erased.values_list("pk", flat=True))
    words = {name: masked(name) for _pk, name in names} if mask else {}
    words |= {name: _("（已删除）") for pk, name in names if pk in gone}
    return replaced(edition.body, words)
