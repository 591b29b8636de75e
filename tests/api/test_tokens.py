"""Tokens: made and shown once, good for what their maker may do, dead when he is gone."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.contrib.auth.hashers import make_password
from django.core.cache import cache
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from core.models import AuditRow, User
from scoring.exports.archive import archive
from tests.api.callers import ROOT, Caller, said, token_of
from tests.scoring.archives import opened
from tests.tournament.competitions import Made, make
from tournament.acting import Acting
from tournament.api import tokens as limits
from tournament.domain.api_tokens import make_token, revoke_token
from tournament.enums import ApiScope, Role
from tournament.models import ApiToken, Membership
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 12, 5, 4, tzinfo=UTC)


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    """The limits of one test are not another's."""
    cache.clear()


def entries(made: Made) -> str:
    return f"/competitions/{made.competition.code}/entries"


def owner_of(made: Made) -> Client:
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id))
    return client


def test_token_is_shown_once_and_kept_as_a_hash() -> None:
    made = make(3)
    client, url = owner_of(made), reverse("manage_tokens", args=[made.competition.code])
    given = {"label": "签到机", "scopes": ["checkin", "entrants"], "days": "7"}
    shown = client.post(url, given).content.decode()
    found = re.search(r'value="(dz_[\w-]{27})"', shown)
    assert found
    token, row = found[1], ApiToken.objects.get()
    assert token not in client.get(url).content.decode()
    assert token not in str(ApiToken.objects.values())
    assert row.scopes == {ApiScope.CHECKIN, ApiScope.ENTRANTS}
    assert Caller(token).get(entries(made)).status_code == 200
    (audit,) = AuditRow.objects.filter(action="api-token.make")
    assert audit.data == {"scopes": ["checkin", "entrants"], "days": 7}


def test_page_without_a_scope_or_label_keeps_what_was_typed() -> None:
    made = make(3)
    url = reverse("manage_tokens", args=[made.competition.code])
    answer = owner_of(made).post(url, {"label": "签到机", "days": "30"})
    assert answer.status_code == 400
    assert "请至少选一样它可以做的事。" in answer.content.decode()
    assert 'value="签到机"' in answer.content.decode()
    assert not ApiToken.objects.exists()


def test_token_taken_back_works_no_more_and_leaves_an_audit_row() -> None:
    made = make(3)
    caller = Caller(token_of(made.owner, made.competition))
    row = ApiToken.objects.get()
    page = owner_of(made)
    page.post(reverse("manage_token_revoke", args=[made.competition.code, row.pk]))
    assert said(caller.get(entries(made)))["code"] == "token-wrong"
    assert AuditRow.objects.filter(action="api-token.revoke", subject=f"apitoken:{row.pk}").exists()
    list_page = page.get(reverse("manage_tokens", args=[made.competition.code]))
    assert "还没有令牌。" in list_page.content.decode()


def test_audit_rows_of_what_a_token_did_name_it_besides_its_maker() -> None:
    made = make(3)
    caller = Caller(token_of(made.owner, made.competition, label="报名表"))
    row = ApiToken.objects.get()
    assert caller.post(entries(made), {"name": "新人"}).status_code == 201
    audit = AuditRow.objects.get(action="entry.add")
    assert (audit.user_id, audit.data["token"]) == (made.owner.user_id, row.pk)
    assert not AuditRow.objects.exclude(pk=audit.pk).filter(data__has_key="token").exists()
    url = reverse("manage_audit", args=[made.competition.code])
    assert "用接口令牌“报名表”" in owner_of(made).get(url).content.decode()
    document, _records = opened(archive(made.competition, is_full=True))
    by_token = [one["data"] for one in document["parts"]["audit"] if "token" in one["data"]]
    assert by_token == [{"token": -1}]
    row.delete()
    assert "用接口令牌“" not in owner_of(made).get(url).content.decode()


def test_token_expires() -> None:
    made = make(3)
    with time_machine.travel(NOON, tick=False) as clock:
        caller = Caller(token_of(made.owner, made.competition))
        clock.shift(timedelta(days=7) - timedelta(seconds=1))
        assert caller.get(entries(made)).status_code == 200
        clock.shift(timedelta(seconds=1))
        answer = caller.get(entries(made))
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")


def test_token_dies_with_its_makers_membership_and_account() -> None:
    made = make(3)
    caller = Caller(token_of(made.owner, made.competition))
    maker = User.objects.get(pk=made.owner.user_id)
    maker.is_active = False
    maker.save()
    assert caller.get(entries(made)).status_code == 401
    maker.is_active = True
    maker.save()
    assert caller.get(entries(made)).status_code == 200
    Membership.objects.filter(user=maker).delete()
    assert caller.get(entries(made)).status_code == 401


def test_token_has_the_roles_that_its_maker_has_now() -> None:
    """Made by an owner who is only a referee by now, it enters nobody any more."""
    made = make(3)
    caller = Caller(token_of(made.owner, made.competition))
    assert caller.post(entries(made), {"name": "新人"}).status_code == 201
    Membership.objects.filter(user=made.owner.user_id).delete()
    Membership.objects.create(
        user_id=made.owner.user_id, competition=made.competition, role=Role.REFEREE
    )
    assert said(caller.post(entries(made), {"name": "新新"}))["code"] == "not-allowed"


def test_links_make_no_tokens_and_members_take_back_only_their_own() -> None:
    made = make(3)
    link = Acting(link_id=1, competition_id=made.competition.pk, roles=frozenset({Role.CHIEF}))
    with pytest.raises(NotAllowed):
        make_token(
            acting=link,
            competition=made.competition,
            label="x",
            scopes=[ApiScope.HANDS],
            days=1,
        )
    token_of(made.owner, made.competition)
    referee = Acting(user_id=0, competition_id=made.competition.pk, roles=frozenset({Role.REFEREE}))
    with pytest.raises(NotAllowed):
        revoke_token(acting=referee, token=ApiToken.objects.get())


def test_member_sees_his_own_tokens_and_an_organizer_all() -> None:
    made = make(3)
    token_of(made.owner, made.competition, label="主办的")
    user = User.objects.create(username="judge", password=make_password(None))
    Membership.objects.create(user=user, competition=made.competition, role=Role.REFEREE)
    judge = Acting(user_id=user.pk, competition_id=made.competition.pk)
    token_of(judge, made.competition, label="裁判的")
    client, url = Client(), reverse("manage_tokens", args=[made.competition.code])
    client.force_login(user)
    mine, all_of_them = client.get(url).content.decode(), owner_of(made).get(url).content.decode()
    assert ("裁判的" in mine, "主办的" in mine) == (True, False)
    assert ("裁判的" in all_of_them, "主办的" in all_of_them) == (True, True)


def test_page_takes_as_many_queries_for_thirty_tokens_as_for_three() -> None:
    made = make(3)
    client, url = owner_of(made), reverse("manage_tokens", args=[made.competition.code])
    counts = []
    for more in (3, 27):
        for _token in range(more):
            token_of(made.owner, made.competition)
        client.get(url)
        with CaptureQueriesContext(connection) as seen:
            assert client.get(url).status_code == 200
        counts.append(len(seen))
    assert counts[0] == counts[1] <= 8


def test_entries_take_as_many_queries_for_thirty_as_for_three() -> None:
    counts = []
    for many in (3, 30):
        made = make(many)
        caller = Caller(token_of(made.owner, made.competition))
        caller.get(entries(made))
        with CaptureQueriesContext(connection) as seen:
            assert said(caller.get(entries(made)))["count"] == many
        counts.append(len(seen))
    assert counts[0] == counts[1] <= 6


def test_last_use_is_noted_by_the_hour() -> None:
    made = make(3)
    with time_machine.travel(NOON, tick=False) as clock:
        caller = Caller(token_of(made.owner, made.competition))
        for minutes, noted in ((0, NOON), (59, NOON), (1, NOON + timedelta(hours=1))):
            clock.shift(timedelta(minutes=minutes))
            caller.get(entries(made))
            assert ApiToken.objects.get().last_used_at == noted


def test_database_holds_no_token_for_nothing() -> None:
    made = make(3)
    with pytest.raises(IntegrityError), transaction.atomic():
        ApiToken.objects.create(
            competition=made.competition,
            label="x",
            token_hash="x",
            created_by_id=made.owner.user_id,
            expires_at=timezone.now() + timedelta(days=1),
        )


def test_wrong_tokens_are_slowed_down_and_good_ones_of_the_same_hall_are_not() -> None:
    """Stack fact 5: all of a hall are one address."""
    made = make(3)
    wrong, good = Caller("dz_wrong"), Caller(token_of(made.owner, made.competition))
    answers = [wrong.get(entries(made)).status_code for _try in range(limits.WRONG_ONE + 1)]
    assert answers == [401] * limits.WRONG_ONE + [429]
    slowed = wrong.get(entries(made))
    assert int(slowed["Retry-After"]) <= 60
    assert Caller("dz_other").get(entries(made)).status_code == 401
    assert good.get(entries(made)).status_code == 200


def test_one_token_has_a_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "OF_TOKEN", 2)
    made = make(3)
    caller = Caller(token_of(made.owner, made.competition))
    assert [caller.get(entries(made)).status_code for _try in range(3)] == [200, 200, 429]


@pytest.mark.parametrize("header", ["", "Basic abc", "Bearer", "Bearer ", "dz_abc"])
def test_only_a_bearer_token_in_the_header_counts(header: str) -> None:
    made = make(3)
    token = token_of(made.owner, made.competition)
    client = owner_of(made)  # a logged-in browser is nobody to the API
    url = f"{ROOT}{entries(made)}"
    headers = {"Authorization": header} if header else {}
    for address in (url, f"{url}?token={token}", f"{url}?access_token={token}"):
        assert client.get(address, headers=headers).status_code == 401


def test_token_is_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    made = make(3)
    caller = Caller(token_of(made.owner, made.competition))
    with caplog.at_level("DEBUG"):
        caller.get(entries(made))
        caller.post(entries(made), {"name": ""})
        Caller("dz_secret").get(entries(made))
    assert caplog.records
    for record in caplog.records:
        assert caller.token not in record.getMessage()
        assert "dz_secret" not in record.getMessage()
