"""Pages about personal data: taken away, deleted, and in no answer of any address afterwards."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from core.domain.accounts import set_operator
from core.models import AuditRow, User
from scoring.domain.erasing import erase_person
from scoring.exports.personal import as_json, personal_data
from scoring.models import Collection, HandVersion
from tests.factories import make_user
from tests.rights import LIST
from tests.scoring.personal import (
    HALF,
    NAMES,
    entry_of,
    filled,
    mail_of,
    phone_of,
    words_of,
)
from tests.scoring.public_pages import forget, stranger
from tests.scoring.test_views_public_leaks import asked
from tests.test_rights import address, check
from tests.tournament.competitions import Made, draw, make
from tests.tournament.registrations import taking
from tests.worlds import build
from tournament.domain.entries import check_in
from tournament.domain.links import issue_link
from tournament.domain.replacing import replace_person
from tournament.enums import Role
from tournament.models import Competition, Entry, Membership, Person

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


def holder(made: Made, number: int) -> Client:
    """Whoever has opened the entrant's own link."""
    entry = entry_of(made.competition, number)
    issued = issue_link(
        acting=made.owner,
        competition=made.competition,
        role=Role.ENTRANT,
        entrant=entry.entrants.get(),
    )
    client = Client()
    assert client.get(reverse("link", args=[issued.token])).status_code == 302
    return client


def owner_of(made: Made) -> Client:
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id))
    return client


def url(made: Made, name: str, number: int) -> str:
    return reverse(name, args=[made.competition.code, entry_of(made.competition, number).pk])


OWN = (
    "privacy", "my_entry_data", "my_entry_erase", "manage_entry_data", "manage_entry_erase",
    "manage_privacy",
)  # fmt: skip


@pytest.mark.parametrize("state", ["planned", "hidden", "open", "final"])
def test_rights_are_as_listed(state: str) -> None:
    check(build(state), {name: LIST[name] for name in OWN})


def test_one_takes_away_all_that_is_stored_of_him_and_nobody_else() -> None:
    made = filled()
    check_in(acting=made.owner, entry=entry_of(made.competition, 6))
    response = holder(made, 6).get(url(made, "my_entry_data", 6))
    assert response.status_code == 200
    assert response["Content-Type"] == "application/json; charset=utf-8"
    assert f"{made.competition.code}-6.json" in response["Content-Disposition"]
    text = response.content.decode()
    data = json.loads(text)
    assert data["person"] == {
        "name": NAMES[5], "reading": data["person"]["reading"], "phone": phone_of(6),
        "mail": mail_of(6), "birth_year": 1906, "note": "住八里街", "has_account": False,
    }  # fmt: skip
    assert data["entry"]["number"] == 6
    assert data["entry"]["needs_fixed_table"] is True
    assert data["consents"][0]["text"] == "同意公布成绩。"
    (line,) = data["draws"]
    assert line["line"].startswith("6\t")
    table = data["tables"][0]
    assert len(table["hands"]) >= 1
    assert sum(hand["points"] for hand in table["hands"]) is not None
    assert data["lists"][0]["imported_at"] is None
    assert [row["action"] for row in data["log"]] == ["entry.check-in"]
    others = [number for number in range(1, 10) if number != 6]
    assert [word for word in words_of(*others) if word in text] == []


def test_who_took_a_place_over_finds_nobody_in_his_file_who_held_it_before() -> None:
    made = filled()
    entry = entry_of(made.competition, 2)
    entry.person_before_id, entry.person = entry.person_id, Person.objects.create(name="全兴安")
    entry.save()
    text = as_json(personal_data(entry))
    assert "全兴安" in text
    assert [word for word in words_of(*range(1, 10)) if word in text] == []


def test_numbers_of_hands_are_his_own() -> None:
    made = filled()
    for number in range(1, 10):
        entry = entry_of(made.competition, number)
        for table in personal_data(entry)["tables"]:
            seat = entry.entrants.get().seats.get(table__number=table["table"],
                                                  round__stage=made.stage,
                                                  table__round__number=_round(table))  # fmt: skip
            versions = HandVersion.objects.filter(
                hand__sheet__table=seat.table, is_current=True
            ).order_by("hand__number")
            expected = [version.deltas[seat.position] for version in versions]
            assert [hand["points"] for hand in table["hands"]] == expected


def _round(table: dict[str, Any]) -> int:
    return 2 if table["round"] == "决赛" else 1


def test_his_file_takes_as_many_queries_for_two_tables_as_for_one() -> None:
    made = filled()
    counts = {}
    for number in range(1, 10):
        entry = entry_of(made.competition, number)
        with CaptureQueriesContext(connection) as seen:
            tables = personal_data(entry)["tables"]
        counts.setdefault(len(tables), set()).add(len(seen))
    assert counts.keys() == {1, 2}
    assert counts[1] == counts[2]
    assert max(counts[2]) <= 30


def test_one_phone_does_not_keep_the_site_busy_with_its_file() -> None:
    made = make(2)
    client = holder(made, 1)
    client.cookies["csrftoken"] = "a" * 32
    with time_machine.travel(timezone.now(), tick=False):
        asked = [client.get(url(made, "my_entry_data", 1)).status_code for _turn in range(11)]
    assert asked == [200] * 10 + [429]
    assert holder(made, 2).get(url(made, "my_entry_data", 2)).status_code == 200


def test_one_deletes_himself_and_his_link_is_good_for_nothing_more() -> None:
    made = filled()
    client, page = holder(made, 4), url(made, "my_entry_erase", 4)
    shown = client.get(page).content.decode()
    assert "4 号" in shown
    refused = client.post(page)
    assert refused.status_code == 400
    assert "请先勾选：删除以后不能恢复。" in refused.content.decode()
    assert entry_of(made.competition, 4).person.name == NAMES[3]
    done = client.post(page, {"sure": "on"})
    assert done.status_code == 200
    assert "您的信息已经删除" in done.content.decode()
    assert "4 号" in done.content.decode()
    assert entry_of(made.competition, 4).person.name == ""
    assert client.get(url(made, "my_entry", 4)).status_code == 403


def test_an_organizer_takes_and_deletes_for_him_on_record() -> None:
    made = filled()
    client = owner_of(made)
    page = client.get(
        reverse("manage_entrant", args=[made.competition.code,
                                        entry_of(made.competition, 4).entrants.get().pk])
    ).content.decode()  # fmt: skip
    assert url(made, "manage_entry_data", 4) in page
    assert url(made, "manage_entry_erase", 4) in page
    taken = client.post(url(made, "manage_entry_data", 4))
    assert json.loads(taken.content)["person"]["name"] == NAMES[3]
    assert AuditRow.objects.filter(action="entry.export").count() == 1
    erase = url(made, "manage_entry_erase", 4)
    assert NAMES[3] in client.get(erase).content.decode()
    assert client.post(erase).status_code == 400
    assert client.post(erase, {"sure": "on"}).status_code == 302
    assert client.get(erase).status_code == 404
    assert entry_of(made.competition, 4).name == "4 号"


@pytest.mark.parametrize("days", ["29", "1096", "99999999999999999999"])
def test_days_that_cannot_be_set_are_refused_with_those_that_can(days: str) -> None:
    made = make(1)
    page = reverse("manage_privacy", args=[made.competition.code])
    response = owner_of(made).post(page, {"keep_days": days})
    assert response.status_code == 400
    text = response.content.decode()
    assert "请填 30 到 1095 天。" in text
    assert f'value="{days}"' in text
    assert 'min="30" max="1095"' in text


def test_pages_of_who_is_erased_say_his_number_once() -> None:
    made = make(3)
    entrant = entry_of(made.competition, 1).entrants.get()
    draw(made)
    erase_person(acting=made.owner, entry=entry_of(made.competition, 1))
    client, code = owner_of(made), made.competition.code
    for name, pk in (("manage_entry", entrant.entry_id), ("manage_entrant", entrant.pk)):
        text = client.get(reverse(name, args=[code, pk])).content.decode()
        assert "<h2>1 号 " in text, name


def test_an_organizer_deletes_who_held_a_place_before() -> None:
    made = make(3)
    entrant = made.event.entrants.get(entry__number=1)
    replace_person(acting=made.owner, entrant=entrant, name="接替人")
    client, erase = owner_of(made), url(made, "manage_entry_erase", 1) + "?former"
    page = client.get(reverse("manage_entrant", args=[made.competition.code, entrant.pk]))
    assert erase in page.content.decode()
    assert "选手1" in client.get(erase).content.decode()
    assert client.post(erase, {"sure": "on"}).status_code == 302
    assert client.get(erase).status_code == 404
    assert entry_of(made.competition, 1).person.name == "接替人"


def test_no_address_for_everybody_has_an_erased_name() -> None:
    made = filled()
    for number in HALF:
        erase_person(acting=made.owner, entry=entry_of(made.competition, number))
    answered: Counter[str] = Counter()
    for name, path in asked(made):
        for language in ("zh-hans", "en"):
            forget()
            response = Client().get(path, headers={"Accept-Language": language})
            answered[name] += response.status_code == 200
            text = _text(response).replace(NAMES[0], "")
            assert [word for word in words_of(*HALF) if word in text] == [], path
    assert sum(count > 0 for count in answered.values()) > 30


@pytest.mark.parametrize("letter", ["O", "C", "R", "T", "E"])
def test_no_address_at_all_has_an_erased_name(letter: str) -> None:
    """Every address that the list of rights lets one get, for staff and for links too."""
    world = build("final")
    competition = world.made.competition
    kept = world.own_entry_id  # else his link is good for nothing
    gone = []
    for index, entry in enumerate(Entry.objects.filter(competition=competition)):
        name = f"阳朔{'甲乙丙丁戊己庚辛壬癸子丑'[index]}人"
        Person.objects.filter(pk=entry.person_id).update(name=name, phone=phone_of(index))
        if entry.pk != kept:
            gone += [name, phone_of(index)]
    for entry in Entry.objects.filter(competition=competition).exclude(pk=kept):
        erase_person(acting=world.made.owner, entry=entry)
    found = 0
    for name, row in LIST.items():
        if row.get is None:
            continue
        forget()
        response = world.clients[letter].get(address(name, row, world))
        found += response.status_code == 200
        text = _text(response)
        assert [word for word in gone if word in text] == [], name
    assert found > 40


def _text(response: Any) -> str:
    parts = response.streaming_content if response.streaming else [response.content]
    return b"".join(parts).decode("utf-8", "replace")


def test_the_page_on_privacy_is_there_for_everybody_and_linked() -> None:
    forget()
    for language, title in (("zh-hans", "隐私说明"), ("en", "")):
        response = stranger(reverse("privacy"), language)
        assert response.status_code == 200
        assert title in response.content.decode()
        assert "180" in response.content.decode()
    assert f'href="{reverse("privacy")}"' in stranger(reverse("home")).content.decode()


def test_the_form_of_registration_says_what_for_and_how_long() -> None:
    made = taking()
    Competition.objects.filter(pk=made.competition.pk).update(keep_days=45)
    page = Client().get(reverse("register", args=[made.competition.code])).content.decode()
    assert "成绩册公布 45 天以后清除" in page
    assert reverse("privacy") in page


def test_a_holder_takes_away_his_account_without_secrets() -> None:
    made = make(2)
    user = User.objects.get(pk=made.owner.user_id)
    Collection.objects.create(name="我的谱", owner=user)
    other = make_user("laomo", email="laomo@example.org", phone="13900000001")
    Membership.objects.create(user=other, competition=made.competition, role=Role.REFEREE)
    client = owner_of(made)
    text = client.get(reverse("account_data")).content.decode()
    data = json.loads(text)
    assert data["account"]["username"] == user.username
    assert sorted(role["role"] for role in data["roles"]) == ["chief", "owner"]
    assert data["collections"][0]["name"] == "我的谱"
    assert {row["action"] for row in data["log"]} >= {"competition.create", "entry.paste"}
    for secret in (user.password, "laomo", "13900000001", "选手1"):
        assert secret not in text
    assert Client().get(reverse("account_data")).status_code == 302


def sure_client(user: User, password: str) -> Client:
    """Logged in, and has just shown again that it is he."""
    client = Client()
    client.post(reverse("login"), {"username": user.username, "password": password})
    again = reverse("account_reauthenticate")
    assert client.post(again, {"password": password}).status_code == 302
    return client


def test_a_holder_deletes_his_account_and_the_log_keeps_its_number() -> None:
    user = make_user("laomo", password="Li-Jiang-2026")
    made = make(2)
    Membership.objects.create(user=user, competition=made.competition, role=Role.REFEREE)
    AuditRow.objects.create(
        scope=made.competition.scope, action="hand.enter", subject="hand:1", user=user
    )
    client, page = sure_client(user, "Li-Jiang-2026"), reverse("account_delete")
    assert client.get(page).status_code == 200
    assert client.post(page).status_code == 400
    assert client.post(page, {"sure": "on"}).status_code == 302
    assert not User.objects.filter(username="laomo").exists()
    assert not Membership.objects.filter(competition=made.competition, role=Role.REFEREE).exists()
    assert AuditRow.objects.get(action="hand.enter").user_id == user.pk
    assert AuditRow.objects.get(action="account.delete").subject == f"user:{user.pk}"
    assert client.get(reverse("account")).status_code == 302


def test_the_only_owner_of_what_is_not_over_stays() -> None:
    made = make(2)
    user = User.objects.get(pk=made.owner.user_id)
    user.set_password("Li-Jiang-2026")
    user.save()
    client, page = sure_client(user, "Li-Jiang-2026"), reverse("account_delete")
    assert "漓江杯" in client.get(page).content.decode()
    assert client.post(page, {"sure": "on"}).status_code == 400
    assert User.objects.filter(pk=user.pk).exists()
    second = make_user()
    Membership.objects.create(user=second, competition=made.competition, role=Role.OWNER)
    assert client.post(page, {"sure": "on"}).status_code == 302


def test_the_only_operator_stays_while_others_have_accounts() -> None:
    user = make_user("laomo", password="Li-Jiang-2026", is_superuser=True)
    second = make_user(password="Li-Jiang-2027")
    client, page = sure_client(user, "Li-Jiang-2026"), reverse("account_delete")
    assert "manage.py operator" in client.get(page).content.decode()
    assert client.post(page, {"sure": "on"}).status_code == 400
    assert User.objects.filter(pk=user.pk).exists()
    set_operator(user=second, is_operator=True)
    assert client.post(page, {"sure": "on"}).status_code == 302
    client = sure_client(second, "Li-Jiang-2027")
    assert client.post(page, {"sure": "on"}).status_code == 302
    assert not User.objects.exists()


def test_deleting_asks_for_the_password_again() -> None:
    user = make_user("laomo", password="Li-Jiang-2026")
    client = Client()
    client.force_login(user)
    response = client.get(reverse("account_delete"))
    assert response.status_code == 302
    assert reverse("account_reauthenticate") in response["Location"]


def test_times_in_the_file_are_as_others_read_them() -> None:
    made = make(1)
    text = as_json(personal_data(entry_of(made.competition, 1)))
    assert json.loads(text)["competition"] == {"name": "漓江杯", "starts_on": "2026-12-05"}
    assert "+00:00" in json.loads(text)["entry"]["entered_at"]
