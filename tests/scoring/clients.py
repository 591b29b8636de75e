"""Browsers of everybody who may come to a sheet."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_user
from tests.scoring.sheets import Hall
from tournament.domain.links import issue_link
from tournament.enums import Role
from tournament.models import Entrant, Membership, Table


def member(hall: Hall, *roles: Role) -> Client:
    """Somebody with an account and these roles; without any, with an account alone."""
    user = make_user()
    for role in roles:
        Membership.objects.create(user=user, competition=hall.competition, role=role)
    client = Client()
    client.force_login(user)
    return client


def with_link(
    hall: Hall, role: Role, *, table: Table | None = None, entrant: Entrant | None = None
) -> Client:
    """Somebody without an account who has opened a link."""
    issued = issue_link(
        acting=hall.chief, competition=hall.competition, role=role, table=table, entrant=entrant
    )
    client = Client()
    assert client.get(reverse("link", args=[issued.token])).status_code == 302
    return client


def publish(hall: Hall) -> None:
    """Spectators may see the competition."""
    hall.competition.published_at = timezone.now()
    hall.competition.save()


def url(hall: Hall, name: str, *args: object) -> str:
    """An address below the hall's table."""
    return reverse(name, args=[hall.competition.code, hall.table.pk, *args])
