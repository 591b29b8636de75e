"""The referee's home, and the sheet of a table that cannot start yet (C7.1)."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from core.models import User
from scoring.queries_desk import desk_rounds
from tests.factories import make_user
from tests.tournament.competitions import Made, make_published
from tournament.domain.links import issue_link
from tournament.domain.results import SeatResult
from tournament.domain.starting import start_table
from tournament.domain.tables import finish_table
from tournament.enums import Role
from tournament.models import Membership

pytestmark = pytest.mark.django_db


@pytest.fixture
def nine() -> Made:
    """Nine entrants: three tables and a final."""
    return make_published(9)


def browser(made: Made) -> Client:
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id))
    return client


def titles(made: Made) -> list[str]:
    return [group.round.title for group in desk_rounds(made.competition, made.owner)]


def play(made: Made, number: int) -> None:
    for table in made.tables(number):
        start_table(acting=made.owner, table=table)
        results = [SeatResult(p, p + 1, p == 0) for p in range(3)]
        finish_table(acting=made.owner, table=table, results=results)


def test_rounds_under_way_come_first_and_those_to_come_last(nine: Made) -> None:
    assert titles(nine) == ["第 1 轮", "决赛"]
    page = browser(nine).get(reverse("desk", args=[nine.competition.code])).content.decode()
    assert page.index("第 1 轮") < page.index("决赛")
    assert re.search(r"<details [^>]*><summary>还没轮到的桌</summary>", page)
    assert "已打完的桌" not in page


def test_members_by_account_find_their_tokens(nine: Made) -> None:
    code = nine.competition.code
    tokens = reverse("manage_tokens", args=[code])
    member = Membership.objects.create(
        user=make_user(), competition=nine.competition, role=Role.REFEREE
    )
    client = Client()
    client.force_login(member.user)
    assert f'href="{tokens}"' in client.get(reverse("desk", args=[code])).content.decode()
    assert client.get(tokens).status_code == 200
    issued = issue_link(
        acting=nine.owner, competition=nine.competition, role=Role.REFEREE, label="记分台"
    )
    by_link = Client()
    opened = by_link.get(reverse("link", args=[issued.token]))
    assert opened.status_code in (200, 302)
    page = by_link.get(reverse("desk", args=[code]))
    assert page.status_code == 200
    assert tokens not in page.content.decode()


def test_rounds_that_are_done_stand_below_the_one_to_play(nine: Made) -> None:
    play(nine, 1)
    assert titles(nine) == ["决赛", "第 1 轮"]
    page = browser(nine).get(reverse("desk", args=[nine.competition.code])).content.decode()
    assert re.search(r"<details [^>]*><summary>已打完的桌</summary>", page)
    assert "还没轮到的桌" not in page


def test_sheet_of_a_table_without_players_says_what_it_waits_for(nine: Made) -> None:
    """C7.1: its feeders are confirmed first; no form is offered, no seat is called 陪打."""
    (final,) = nine.tables(2)
    sheet = reverse("sheet", args=[nine.competition.code, final.pk])
    page = browser(nine).get(sheet).content.decode()
    assert "要等上一轮第 1、2、3 桌确认后，这一桌才能开打。" in page
    assert "待定" in page
    assert "陪打" not in page
    assert 'id="entry"' not in page
    play(nine, 1)
    page = browser(nine).get(sheet).content.decode()
    assert "这一桌才能开打" not in page
    assert 'id="entry"' in page
