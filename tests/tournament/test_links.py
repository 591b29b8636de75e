"""Device links: random, hashed, taken back at once, and never an address for long."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from core.models import AuditRow
from core.qr import qr_svg
from tests.factories import (
    make_acting,
    make_competition,
    make_entrant,
    make_table,
    make_user,
)
from tournament.domain.links import Issued, LinkGone, find_link, issue_link, revoke_link
from tournament.enums import Role
from tournament.models import Competition, DeviceLink, Membership, Table
from tournament.permissions import NotAllowed
from tournament.views.access import COOKIE, get_acting, get_competition

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Table:
    return make_table()


@pytest.fixture
def competition(table: Table) -> Competition:
    return table.round.stage.event.competition


def issue(competition: Competition, role: Role, **about: object) -> Issued:
    """A link given out by the owner."""
    owner = make_acting(competition, Role.OWNER)
    return issue_link(acting=owner, competition=competition, role=role, **about)  # type: ignore[arg-type]


def opened(client: Client, issued: Issued) -> HttpRequest:
    """A later request of the device that opened the link."""
    answer = client.get(reverse("link", args=[issued.token]))
    assert answer.status_code == 302
    request = RequestFactory().get("/")
    request.COOKIES = {name: morsel.value for name, morsel in client.cookies.items()}
    return request


def test_a_token_has_160_random_bits_and_is_stored_as_a_hash(competition: Competition) -> None:
    one, two = issue(competition, Role.REFEREE), issue(competition, Role.REFEREE)
    assert len(one.token) == 27
    assert one.token != two.token
    assert len(one.link.token_hash) == 64
    assert one.token not in str(DeviceLink.objects.values())
    assert one.token not in str(AuditRow.objects.values())
    assert find_link(one.token) == one.link


@pytest.mark.parametrize(
    ("giver", "role", "good"),
    [
        (Role.OWNER, Role.OWNER, True),
        (Role.ORGANIZER, Role.CHIEF, True),
        (Role.CHIEF, Role.REFEREE, True),
        (Role.CHIEF, Role.OWNER, False),
        (Role.REFEREE, Role.REFEREE, False),
        (None, Role.REFEREE, False),
    ],
)
def test_who_may_give_out_which_link(
    competition: Competition, giver: Role | None, role: Role, good: bool
) -> None:
    acting = make_acting(competition, *([giver] if giver else []))
    if good:
        assert issue_link(acting=acting, competition=competition, role=role).link.role == role
    else:
        with pytest.raises(NotAllowed):
            issue_link(acting=acting, competition=competition, role=role)
        assert not DeviceLink.objects.exists()


def test_a_new_link_of_a_table_ends_the_one_before(competition: Competition, table: Table) -> None:
    first = issue(competition, Role.TABLE, table=table)
    second = issue(competition, Role.TABLE, table=table)
    with pytest.raises(LinkGone, match="这个链接已经失效，请向裁判或组织者要一个新的。"):
        find_link(first.token)
    assert find_link(second.token) == second.link


def test_an_expired_link_opens_nothing(competition: Competition) -> None:
    soon = timezone.now() + timedelta(seconds=60)
    issued = issue(competition, Role.REFEREE, expires_at=soon)
    assert find_link(issued.token)
    DeviceLink.objects.update(expires_at=timezone.now())
    with pytest.raises(LinkGone):
        find_link(issued.token)


def test_opening_a_link_gives_its_role_on_this_device(
    client: Client, competition: Competition, table: Table
) -> None:
    issued = issue(competition, Role.TABLE, table=table)
    request = opened(client, issued)
    acting = get_acting(request, competition)
    assert (acting.roles, acting.table_ids) == ({Role.TABLE}, {table.pk})
    assert acting.key == f"link:{issued.link.pk}"
    assert get_acting(RequestFactory().get("/"), competition).roles == set()
    assert get_acting(request, make_competition()).roles == set()


@pytest.mark.parametrize(
    ("role", "page"),
    [
        (Role.TABLE, "sheet"),
        (Role.ENTRANT, "my_entry"),
        (Role.REFEREE, "desk"),
        (Role.CHIEF, "desk"),
        (Role.OWNER, "manage"),
    ],
)
def test_a_link_leads_to_the_page_of_its_role_without_the_token(
    client: Client, competition: Competition, table: Table, role: Role, page: str
) -> None:
    entrant = make_entrant(table.round.stage.event)
    about = {Role.TABLE: {"table": table}, Role.ENTRANT: {"entrant": entrant}}.get(role, {})
    issued = issue(competition, role, **about)
    ids = [entrant.entry_id if one == entrant else one.pk for one in about.values()]
    answer = client.get(reverse("link", args=[issued.token]))
    assert answer["Location"] == reverse(page, args=[competition.code, *ids])
    assert answer["Referrer-Policy"] == "no-referrer"
    assert "no-store" in answer["Cache-Control"]
    morsel = answer.cookies[COOKIE]
    assert (morsel["httponly"], morsel["samesite"]) == (True, "Lax")
    assert issued.token not in morsel.value


def test_a_link_taken_back_stops_at_once_where_it_was_opened(
    client: Client, competition: Competition
) -> None:
    issued = issue(competition, Role.REFEREE)
    request = opened(client, issued)
    assert get_acting(request, competition).roles == {Role.REFEREE}
    chief = make_acting(competition, Role.CHIEF)
    assert revoke_link(acting=chief, link=issued.link).revoked_at is not None
    assert get_acting(request, competition).roles == set()
    revoke_link(acting=chief, link=issued.link)
    assert AuditRow.objects.filter(action="link.revoke").count() == 1


def test_only_who_leads_takes_links_back(competition: Competition) -> None:
    issued = issue(competition, Role.REFEREE)
    with pytest.raises(NotAllowed):
        revoke_link(acting=make_acting(competition, Role.REFEREE), link=issued.link)


def test_a_forged_cookie_gives_nothing(competition: Competition) -> None:
    issued = issue(competition, Role.CHIEF)
    request = RequestFactory().get("/")
    request.COOKIES = {COOKIE: f"{issued.link.pk}:forged"}
    assert get_acting(request, competition).roles == set()


def test_a_device_keeps_the_newest_twelve_links(client: Client, competition: Competition) -> None:
    tables = [make_table(entrants=[], seat_count=3) for _n in range(14)]
    for table in tables:
        theirs = table.round.stage.event.competition
        request = opened(client, issue(theirs, Role.TABLE, table=table))
    known = [
        bool(get_acting(request, table.round.stage.event.competition).roles) for table in tables
    ]
    assert known == [False] * 2 + [True] * 12


def test_an_unknown_link_says_what_to_do(client: Client) -> None:
    answer = client.get(reverse("link", args=["nonsense"]))
    assert (answer.status_code, answer["X-Error-Code"]) == (404, "link-gone")
    assert "请向裁判或组织者要一个新的。" in answer.content.decode()
    fragment = client.get(reverse("link", args=["nonsense"]), headers={"HX-Request": "true"})
    assert fragment.content.decode().startswith('<div class="note bad" role="alert">')


def test_account_and_link_add_up(client: Client, competition: Competition, table: Table) -> None:
    user = make_user()
    Membership.objects.create(user=user, competition=competition, role=Role.ORGANIZER)
    issued = issue(competition, Role.TABLE, table=table)
    client.force_login(user)
    request = opened(client, issued)
    request.user = user
    acting = get_acting(request, competition)
    assert acting.roles == {Role.ORGANIZER, Role.TABLE}
    assert (acting.key, acting.link_id) == (f"user:{user.pk}", issued.link.pk)


def test_a_bare_spectator_costs_no_query_for_his_role(
    rf: RequestFactory,
    competition: Competition,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    with django_assert_num_queries(0):
        assert get_acting(rf.get("/"), competition).roles == set()
    with pytest.raises(Exception, match=competition.code), django_assert_num_queries(1):
        get_competition(rf.get("/"), competition.code)
    Competition.objects.update(published_at=timezone.now())
    assert get_competition(rf.get("/"), competition.code)[0] == competition


def test_a_qr_code_is_an_inline_svg_without_styles_or_scripts() -> None:
    svg = qr_svg("http://192.168.1.5:8000/l/abcdefghijklmnopqrstuvwxyzA/")
    assert svg.startswith("<svg ")
    assert 'class="qr"' in svg
    assert "style" not in svg
    assert "<script" not in svg
