"""Pages whose rows the tests of their own views do not multiply: as many queries for 30 as for 3.

Every other page has its count beside its view's tests.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from core.domain import jobs
from core.models import User
from scoring.domain.sheets import open_sheet
from tests.factories import make_hand, make_user
from tests.scoring.public_pages import forget, published
from tests.tournament.competitions import Made, draw, make, make_published
from tournament.domain.apart import keep_apart
from tournament.domain.links import issue_link
from tournament.enums import Role
from tournament.models import Membership

pytestmark = pytest.mark.django_db

MOST = 15


def mine(made: Made, rows: int) -> str:
    """So many competitions of one organizer."""
    for _more in range(rows - 1):
        make().competition.memberships.update(user=made.owner.user_id)
    return reverse("manage_home")


def links(made: Made, rows: int) -> str:
    for number in range(rows):
        issue_link(
            acting=made.owner,
            competition=made.competition,
            role=Role.REFEREE,
            label=f"裁判 {number}",
        )
    return reverse("manage_links", args=[made.competition.code])


def members(made: Made, rows: int) -> str:
    for _row in range(rows):
        Membership.objects.create(user=make_user(), competition=made.competition, role=Role.REFEREE)
    return reverse("manage_members", args=[made.competition.code])


def apart(made: Made, rows: int) -> str:
    for row in range(rows):
        keep_apart(acting=made.owner, event=made.event, name=f"第{row}家", numbers=[1, 2, row + 3])
    return reverse("manage_apart", args=[made.competition.code])


def draws(made: Made, rows: int) -> str:
    for row in range(rows):
        draw(made, reason="重抽" if row else "")
    return reverse("draws", args=[made.competition.code, made.event.pk])


def records(made: Made, rows: int) -> str:
    for row in range(rows):
        jobs.enqueue(
            kind="verify-records",
            payload={"name": f"{row}.zpr"},
            scope=made.competition.scope,
            actor=made.owner,
        )
    return reverse("records", args=[made.competition.code])


PAGES: dict[str, Callable[[Made, int], str]] = {
    "manage_home": mine,
    "manage_links": links,
    "manage_members": members,
    "manage_apart": apart,
    "draws": draws,
    "records": records,
}


def count(made: Made, url: str) -> int:
    """The queries of a page, asked for by the owner a second time, from nothing cached."""
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id))
    client.get(url)
    forget()
    with CaptureQueriesContext(connection) as seen:
        assert client.get(url).status_code == 200
    return len(seen)


@pytest.mark.parametrize("page", PAGES)
def test_page_takes_as_many_queries_for_thirty_rows_as_for_three(page: str) -> None:
    few, many = make(33), make(33)
    small = count(few, PAGES[page](few, 3))
    large = count(many, PAGES[page](many, 30))
    assert small == large <= MOST


def test_confirmation_takes_as_many_queries_for_thirty_hands_as_for_three() -> None:
    counts = []
    for hands in (3, 30):
        made = published(3, hands=hands)
        sheet = open_sheet(made.tables(1)[0])
        for _hand in range(hands):
            make_hand(sheet, 4, -2, -2)
        url = reverse("sheet_confirm", args=[made.competition.code, sheet.table_id])
        counts.append(count(made, url))
    assert counts[0] == counts[1] <= MOST


def test_cards_of_table_links_take_as_many_queries_for_thirty_tables_as_for_three() -> None:
    """They are written in one go; the page adds a transaction's own statements."""
    counts = []
    for entrants in (9, 90):
        made = make_published(entrants)
        client = Client()
        client.force_login(User.objects.get(pk=made.owner.user_id))
        url = reverse("manage_table_cards", args=[made.competition.code, 1])
        with CaptureQueriesContext(connection) as seen:
            assert client.post(url, {"first": 1, "last": 30}).status_code == 200
        counts.append(len(seen))
    assert counts[0] == counts[1] <= MOST
