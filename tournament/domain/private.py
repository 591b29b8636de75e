"""A person's private data, held to be changed: never where they have been erased."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from core.domain.locks import lock
from core.errors import Conflict
from tournament.models import Entry, Person


class PersonErased(Conflict):
    """His data have been erased; nothing can be put in their place."""

    code = "person-erased"


def held_person(entry: Entry) -> Person:
    """The person of an entry, locked, to be changed. Raises `PersonErased`."""
    person = lock(Person.objects.get(pk=entry.person_id))
    demand_kept(person)
    return person


def demand_kept(person: Person) -> None:
    """Raises `PersonErased` where his data are gone."""
    if person.erased_at is not None:
        raise PersonErased(_("这名选手的个人信息已经删除，不能再改，也不能恢复。"))
