"""Announcements (公告): now, later, changed, withdrawn; seen only where they should be."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from core.domain import jobs, versions
from core.errors import DomainError
from core.models import AuditRow
from tests.factories import make_acting, make_user
from tests.scoring.public_pages import page, published, stranger, text_of
from tests.scoring.test_views_public_leaks import DIGEST, addresses, assert_silent, plant
from tests.tournament.competitions import Made
from tests.tournament.registrations import own_acting, registered, taking
from tournament.domain.announcements import (
    announce,
    change_announcement,
    restore_announcement,
    withdraw_announcement,
)
from tournament.domain.registration import set_registration, withdraw_own
from tournament.enums import Ask, Role
from tournament.models import Announcement, Entrant, Membership, Person
from tournament.permissions import NotAllowed
from tournament.queries.announcements import announced

pytestmark = pytest.mark.django_db

NINE = datetime(2026, 12, 1, 1, tzinfo=UTC)
"""Nine in the morning at Guilin."""
EVERYWHERE = {"is_public": True, "for_entrants": True, "on_screen": True}


def said(made: Made, title: str = "改到二楼", **values: object) -> Announcement:
    """An announcement on the competition's and the entrants' pages."""
    return announce(
        acting=made.owner,
        competition=made.competition,
        values={"title": title, "text": "请走东门。", "publish_at": None, **values},
    )


def entrant_url(made: Made) -> str:
    entrant = made.event.entrants.first()
    assert entrant is not None
    return reverse("entrant", args=[made.competition.code, entrant.pk])


def titles(made: Made, where: str) -> list[str]:
    return [one.title for one in announced(made.competition, where)]  # type: ignore[arg-type]


def test_announcement_is_on_the_competitions_and_the_entrants_pages_at_once() -> None:
    made = published(3)
    with time_machine.travel(NINE, tick=False):
        said(made)
        for address in (made.competition.get_absolute_url(), entrant_url(made)):
            assert "公告 改到二楼 12-01 09:00 请走东门。" in page(address)


@pytest.mark.parametrize(
    ("places", "public", "entrants", "screen"),
    [
        ({"is_public": True, "for_entrants": False, "on_screen": False}, True, True, False),
        ({"is_public": False, "for_entrants": True, "on_screen": False}, False, True, False),
        ({"is_public": False, "for_entrants": False, "on_screen": True}, False, False, True),
        (EVERYWHERE, True, True, True),
    ],
)
def test_announcement_is_shown_where_it_was_ticked(
    places: dict[str, bool], public: bool, entrants: bool, screen: bool
) -> None:
    made = published(3)
    said(made, **places)
    assert ("改到二楼" in page(made.competition.get_absolute_url())) is public
    assert ("改到二楼" in page(entrant_url(made))) is entrants
    found = [bool(titles(made, where)) for where in ("public", "entrants", "screen")]
    assert found == [public, entrants, screen]


def test_later_announcement_comes_out_at_its_time() -> None:
    """The pages' bodies are cached: a job lets them know (stack fact 1)."""
    made = published(3)
    address = made.competition.get_absolute_url()
    live = reverse("competition_live", args=[made.competition.code])
    with time_machine.travel(NINE, tick=False) as clock:
        said(made, publish_at=NINE + timedelta(hours=1))
        assert "改到二楼" not in page(address)
        version = stranger(live)["X-Version"]
        clock.shift(timedelta(minutes=59, seconds=59))
        assert jobs.sweep() == 0
        assert "改到二楼" not in page(address)
        clock.shift(timedelta(seconds=2))
        assert jobs.sweep() == 1
        answer = stranger(live, v=version)
        assert answer.status_code == 200
        assert "改到二楼" in answer.content.decode()


def test_change_says_since_when_only_after_it_was_out() -> None:
    made = published(3)
    with time_machine.travel(NINE, tick=False) as clock:
        early = said(made, "晚些", publish_at=NINE + timedelta(hours=1))
        out = said(made)
        clock.shift(timedelta(minutes=20))
        for one in (early, out):
            change_announcement(acting=made.owner, announcement=one, values={"text": "请走西门。"})
        assert "改到二楼 12-01 09:00 · 改于 12-01 09:20 请走西门。" in page(entrant_url(made))
    early.refresh_from_db()
    assert early.edited_at is None


def test_put_off_announcement_disappears_until_then() -> None:
    made = published(3)
    one = said(made)
    later = timezone.now() + timedelta(hours=1)
    change_announcement(acting=made.owner, announcement=one, values={"publish_at": later})
    assert titles(made, "public") == []


def test_withdrawn_announcement_is_gone_and_can_be_put_back() -> None:
    """C9.5."""
    made = published(3)
    one = said(made)
    withdraw_announcement(acting=made.owner, announcement=one)
    withdraw_announcement(acting=made.owner, announcement=one)
    for address in (made.competition.get_absolute_url(), entrant_url(made)):
        assert "改到二楼" not in page(address)
    restore_announcement(acting=made.owner, announcement=one)
    assert "改到二楼" in page(entrant_url(made))
    actions = AuditRow.objects.filter(action__startswith="announcement").order_by("pk")
    assert list(actions.values_list("action", flat=True)) == [
        "announcement.write",
        "announcement.withdraw",
        "announcement.restore",
    ]


def test_newest_twenty_are_shown_the_newest_first() -> None:
    made = published(3)
    for number in range(22):
        said(made, f"公告{number:02}", publish_at=NINE + timedelta(minutes=number))
    with time_machine.travel(NINE + timedelta(days=1), tick=False):
        assert titles(made, "public") == [f"公告{number:02}" for number in range(21, 1, -1)]


def test_announcement_is_shown_somewhere() -> None:
    made = published(3)
    with pytest.raises(DomainError, match="请至少选一处显示的地方。"):
        said(made, is_public=False, for_entrants=False)
    one = said(made)
    with pytest.raises(IntegrityError), transaction.atomic():
        Announcement.objects.filter(pk=one.pk).update(is_public=False, for_entrants=False)


@pytest.mark.parametrize(
    ("role", "may"),
    [
        (Role.OWNER, True),
        (Role.ORGANIZER, True),
        (Role.CHIEF, True),
        (Role.REFEREE, False),
        (None, False),
    ],
)
def test_who_may_announce(role: Role | None, may: bool) -> None:
    made = published(3)
    one = said(made)
    acting = make_acting(made.competition, *([role] if role else []))
    values = {"title": "新的", "publish_at": None}
    if may:
        announce(acting=acting, competition=made.competition, values=values)
        withdraw_announcement(acting=acting, announcement=one)
        assert titles(made, "public") == ["新的"]
        return
    for act in (
        lambda: announce(acting=acting, competition=made.competition, values=values),
        lambda: change_announcement(acting=acting, announcement=one, values=values),
        lambda: withdraw_announcement(acting=acting, announcement=one),
        lambda: restore_announcement(acting=acting, announcement=one),
    ):
        with pytest.raises(NotAllowed):
            act()
    assert titles(made, "public") == ["改到二楼"]


def test_every_verb_raises_the_competitions_version() -> None:
    made = published(3)
    scope = made.competition.scope
    (before,) = versions.fresh([scope])
    one = said(made)
    change_announcement(acting=made.owner, announcement=one, values={"title": "新"})
    withdraw_announcement(acting=made.owner, announcement=one)
    restore_announcement(acting=made.owner, announcement=one)
    assert versions.fresh([scope]) == (before + 4,)


def chief(made: Made) -> Client:
    user = make_user()
    Membership.objects.create(user=user, competition=made.competition, role=Role.CHIEF)
    client = Client()
    client.force_login(user)
    return client


def test_chief_writes_changes_withdraws_and_restores_on_the_page() -> None:
    made = published(3)
    client, code = chief(made), made.competition.code
    address = reverse("manage_announcements", args=[code])
    assert "还没有公告。" in text_of(client.get(address).content.decode())
    nowhere = client.post(address, {"title": "改到二楼", "text": "请走东门。"})
    assert nowhere.status_code == 400
    assert "请至少选一处显示的地方。" in text_of(nowhere.content.decode())
    assert 'value="改到二楼"' in nowhere.content.decode()
    data = {"title": "改到二楼", "for_entrants": "on", "publish_at": "2030-01-01T09:00"}
    assert client.post(address, data).status_code == 302
    one = Announcement.objects.get()
    assert one.publish_at == datetime(2030, 1, 1, 1, tzinfo=UTC)
    assert "改到二楼 ◇ 到时发布" in text_of(client.get(address).content.decode())
    own = reverse("manage_announcement", args=[code, one.pk])
    assert 'value="2030-01-01T09:00"' in client.get(own).content.decode()
    assert client.post(own, {"title": "改到三楼", "is_public": "on"}).status_code == 302
    assert titles(made, "public") == ["改到三楼"]
    client.post(reverse("manage_announcement_withdraw", args=[code, one.pk]))
    assert "改到三楼 × 已收回" in text_of(client.get(address).content.decode())
    client.post(reverse("manage_announcement_restore", args=[code, one.pk]))
    assert "改到三楼 ✓ 已发布" in text_of(client.get(address).content.decode())


def test_text_of_an_announcement_is_text() -> None:
    made = published(3)
    said(made, "<b>急</b>", text="<script>alert(1)</script>")
    html = stranger(entrant_url(made)).content.decode()
    assert "&lt;b&gt;急&lt;/b&gt;" in html
    assert "<script>alert" not in html


@pytest.mark.parametrize("many", [1, 30])
def test_organizers_page_needs_the_same_queries_for_many(
    many: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    made = published(3)
    client = chief(made)
    for number in range(many):
        said(made, f"公告{number}")
    address = reverse("manage_announcements", args=[made.competition.code])
    with django_assert_num_queries(5):
        client.get(address)


def test_no_public_page_json_or_file_shows_what_is_not_out_or_private() -> None:
    """C1.1, C7.4: future and withdrawn announcements, what people gave when they registered,
    who waits and who has left."""
    made = published(9)
    secrets = plant(made)
    said(made, "还没到时候", text="明天才说", publish_at=timezone.now() + timedelta(days=1))
    withdraw_announcement(acting=made.owner, announcement=said(made, "收回了的", text="说错了"))
    said(made, "屏幕上的", is_public=False, for_entrants=False, on_screen=True)
    said(made, "给大家的", text="欢迎。")
    Person.objects.filter(entries__competition=made.competition).update(mail="si@example.org")
    secrets += ["还没到时候", "明天才说", "收回了的", "说错了", "si@example.org"]
    draw_json = reverse("draw_json", args=[made.competition.code, made.stage.draws.get().pk])
    assert_silent(Client(), made, secrets)
    for secret in secrets:
        assert secret not in stranger(draw_json).content.decode()
    home = page(made.competition.get_absolute_url())
    assert ("给大家的" in home, "屏幕上的" in home) == (True, False)
    assert "屏幕上的" in page(reverse("screen", args=[made.competition.code]))


def test_who_registered_waits_or_left_before_the_draw_is_on_no_public_page() -> None:
    made = taking(3, capacity=4, ask_note=Ask.MAY, ask_mail=Ask.MAY)
    private = {
        "phone": "13811112222", "mail": "mi@example.org", "birth_year": 1947, "note": "拄拐"
    }  # fmt: skip
    registered(made, "在场人", **private)
    registered(made, "候补人", **private)
    left = registered(made, "离开人", **private)
    set_registration(
        acting=made.owner, competition=made.competition, values={"auto_confirm": False}
    )
    registered(made, "待定人", **private)
    withdraw_own(acting=own_acting(left), entry=left)
    secrets = ["候补人", "离开人", "待定人", *(str(value) for value in private.values())]
    found = 0
    for address in addresses(made):
        text = DIGEST.sub("", stranger(address).content.decode())
        found += "在场人" in text
        for secret in secrets:
            assert secret not in text, address
    assert found >= 2
    assert Entrant.objects.filter(entry__person__name="在场人").count() == 1
    search = reverse("entrants", args=[made.competition.code])
    for secret in ("候补人", "13811112222", "mi@example.org", "拄拐"):
        assert "没有找到" in page(search, q=secret)
