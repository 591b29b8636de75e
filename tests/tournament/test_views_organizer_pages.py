"""Every page of the organizer opens, for whom it should, with a constant number of queries."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

from core.models import User
from tests.factories import make_competition, make_user
from tests.tournament.competitions import Made, draw, make, make_published, play_out
from tournament.domain.draws import freeze_draw
from tournament.enums import Role
from tournament.models import Competition, Membership

pytestmark = pytest.mark.django_db

PAGES = [
    "manage",
    "manage_settings",
    "manage_rules",
    "manage_play",
    "manage_regulation",
    "manage_entrants",
    "manage_entrants_paste",
    "manage_entrant_new",
    "manage_draw",
    "manage_draw_changes",
    "manage_apart",
    "manage_links",
    "manage_members",
]
CHIEF = {"manage", "manage_entrants", "manage_draw", "manage_draw_changes", "manage_links"}
REFEREE = {"manage_entrants"}
MOST_QUERIES = 15


def log_in(client: Client, made: Made) -> Client:
    client.force_login(User.objects.get(pk=made.owner.user_id))
    return client


def member(client: Client, competition: Competition, role: Role) -> Client:
    user = make_user()
    Membership.objects.create(user=user, competition=competition, role=role)
    client.force_login(user)
    return client


def queries_of(client: Client, url: str, counter: object) -> int:
    client.get(url)
    with counter() as seen:  # type: ignore[operator]
        assert client.get(url).status_code == 200
    return len(seen.captured_queries)


@pytest.fixture
def counter(django_assert_max_num_queries: object) -> object:
    return lambda: django_assert_max_num_queries(MOST_QUERIES)  # type: ignore[operator]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("stage", ["new", "frozen", "drawn", "published", "over"])
def test_page_opens_in_every_state(client: Client, page: str, stage: str) -> None:
    made = make(9 if stage != "new" else 0) if stage in ("new", "frozen", "drawn") else None
    if made is None:
        made = make_published(9)
    if stage == "frozen":
        freeze_draw(acting=made.owner, stage=made.stage)
    if stage == "drawn":
        draw(made)
    if stage == "over":
        play_out(made)
    response = log_in(client, made).get(reverse(page, args=[made.competition.code]))
    assert response.status_code == 200
    assert "no-cache" in response["Cache-Control"]


@pytest.mark.parametrize("page", PAGES)
def test_query_count_does_not_grow_with_the_rows(
    client: Client, page: str, counter: object
) -> None:
    counts = []
    for entrants in (3, 30):
        made = make_published(entrants)
        log_in(client, made)
        counts.append(queries_of(client, reverse(page, args=[made.competition.code]), counter))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("entrants", [3, 30])
def test_draw_page_before_the_draw_stays_within_the_budget(
    client: Client, entrants: int, counter: object
) -> None:
    made = make(entrants)
    url = reverse("manage_draw", args=[made.competition.code])
    assert queries_of(log_in(client, made), url, counter) <= MOST_QUERIES


@pytest.mark.parametrize("role", [Role.OWNER, Role.ORGANIZER, Role.CHIEF, Role.REFEREE])
@pytest.mark.parametrize("page", PAGES)
def test_page_is_for_its_roles_only(client: Client, page: str, role: Role) -> None:
    """C7.4: drafts and the organizer's data are for O and C, checking in for R too."""
    made = make(3)
    allowed = {
        Role.OWNER: set(PAGES),
        Role.ORGANIZER: set(PAGES),
        Role.CHIEF: CHIEF,
        Role.REFEREE: REFEREE,
    }[role]
    response = member(client, made.competition, role).get(
        reverse(page, args=[made.competition.code])
    )
    assert response.status_code == (200 if page in allowed else 403)


@pytest.mark.parametrize("page", PAGES)
def test_stranger_is_sent_to_the_log_in_and_refused_after_it(client: Client, page: str) -> None:
    made = make(3)
    url = reverse(page, args=[made.competition.code])
    assert client.get(url).status_code == 302
    client.force_login(make_user())
    assert client.get(url).status_code == 404
    made.competition.published_at = made.competition.created_at
    made.competition.save()
    assert client.get(url).status_code == 403


def test_unknown_competition_asks_for_the_log_in_too(client: Client) -> None:
    """Whether a hidden competition exists is not told."""
    assert client.get(reverse("manage", args=["nosuch"])).status_code == 302


def test_my_competitions_are_those_with_a_role(client: Client) -> None:
    made = make()
    make_competition(name="别人的比赛")
    log_in(client, made)
    page = client.get(reverse("manage_home")).content.decode()
    assert "漓江杯" in page
    assert "别人的比赛" not in page


def test_name_and_date_make_a_competition(client: Client) -> None:
    """The creator is owner; the ticked box makes him chief referee too."""
    client.force_login(make_user())
    response = client.post(
        reverse("competition_new"),
        {
            "name": "象山杯",
            "starts_on": "2026-12-06",
            "timezone": "asia/shanghai",
            "also_chief": "on",
        },
    )
    competition = Competition.objects.get(name="象山杯")
    assert response["Location"] == reverse("manage", args=[competition.code])
    assert competition.starts_on == date(2026, 12, 6)
    assert competition.timezone == "Asia/Shanghai"
    assert set(competition.memberships.values_list("role", flat=True)) == {"owner", "chief"}
    assert competition.events.get().stages.get().table_size == 3


def test_wrong_date_and_zone_are_told_beside_their_fields(client: Client) -> None:
    client.force_login(make_user())
    response = client.post(
        reverse("competition_new"),
        {"name": "象山杯", "starts_on": "六月", "timezone": "Asia/Guilin"},
    )
    page = response.content.decode()
    assert response.status_code == 400
    assert "Asia/Guilin" in page
    assert "六月" in page
    assert Competition.objects.count() == 0


def test_chief_can_end_a_confirmed_final_from_the_overview(client: Client) -> None:
    """C7.1: the button posts to the address that makes the last round final."""
    made = make_published(3)
    play_out(made)
    last = made.stage.rounds.get(is_last=True)
    page = log_in(client, made).get(reverse("manage", args=[made.competition.code]))
    address = reverse("round_final", args=[made.competition.code, last.pk])
    assert f'action="{address}"' in page.content.decode()
    client.post(address)
    last.refresh_from_db()
    assert last.state == "final"
