"""Somebody is erased: his name is nowhere, his number and results stay, draws and seals hold."""

from __future__ import annotations

import pytest

from core.domain import jobs
from core.models import AuditRow
from scoring.domain.erasing import erase_person
from tests.scoring.stored import stored_texts
from tests.tournament.competitions import make
from tests.worlds import build
from tournament.acting import Acting
from tournament.domain.erasing import PersonErased
from tournament.enums import EntryStatus
from tournament.models import Entry, Person

pytestmark = pytest.mark.django_db


def test_name_is_in_no_column_of_the_database() -> None:
    world = build("final")
    entry = Entry.objects.get(pk=world.own_entry_id)
    Person.objects.filter(pk=entry.person_id).update(name="秦小舵", phone="13877712345")
    assert stored_texts("秦小舵", "13877712345") == {
        "tournament_person.name", "tournament_person.phone"
    }  # fmt: skip
    erase_person(acting=world.made.owner, entry=entry)
    assert stored_texts("秦小舵", "13877712345") == set()
