"""Competitions that take registrations, and people who register as a phone does."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import time_machine
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.scoring.public_pages import publish
from tests.tournament.competitions import Made, make
from tournament.acting import Acting
from tournament.domain.registration import Applicant, register, set_registration, token_of
from tournament.enums import Role
from tournament.forms.registration import new_ticket
from tournament.models import Competition, DeviceLink, Entry


def taking(entrants: int = 0, *, capacity: int | None = None, **values: Any) -> Made:
    """A published competition whose public form is on."""
    made = make(entrants)
    publish(made.competition)
    Competition.objects.filter(pk=made.competition.pk).update(capacity=capacity)
    made.competition.refresh_from_db()
    set_registration(
        acting=made.owner, competition=made.competition, values={"is_on": True, **values}
    )
    return made


def registered(made: Made, name: str, *, key: str = "", **said: Any) -> Entry:
    """Somebody registers, whoever has the same name."""
    return register(
        competition=made.competition,
        applicant=Applicant(name, **said),
        token=token_of(key or f"{name}{said}"),
        agrees=True,
        is_another=True,
    )


def own_acting(entry: Entry) -> Acting:
    """Who acts with the entry's own link."""
    link = DeviceLink.objects.get(entry=entry)
    return Acting(
        link_id=link.pk,
        competition_id=entry.competition_id,
        roles=frozenset({Role.ENTRANT}),
        entry_ids=frozenset({entry.pk}),
    )


def ticket(seconds: int = 30) -> str:
    """A form's ticket, made so many seconds ago."""
    with time_machine.travel(timezone.now() - timedelta(seconds=seconds), tick=False):
        return new_ticket()


def send(made: Made, client: Client | None = None, **data: Any) -> HttpResponse:
    """The form as a phone sends it, thirty seconds after it was opened."""
    data = {"ticket": ticket(), "website": "", **data}
    address = reverse("register", args=[made.competition.code])
    response = (client or Client()).post(address, data)
    assert isinstance(response, HttpResponse)
    return response
