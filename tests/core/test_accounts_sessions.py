"""Sessions: a key somebody else may know is never the key of who has logged in."""

from __future__ import annotations

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client

from core.models import User

pytestmark = pytest.mark.django_db
PASSWORD = "right-and-long"


@pytest.fixture
def li() -> User:
    """An account with a password."""
    return User.objects.create_user("li", password=PASSWORD)


def log_in(client: Client) -> str:
    """The session's key after logging in."""
    answer = client.post("/accounts/login/", {"username": "li", "password": PASSWORD})
    assert answer.status_code == 302
    return client.cookies["sessionid"].value


def test_session_planted_before_logging_in_is_not_the_one_after(li: User) -> None:
    planted = SessionStore()
    planted["x"] = 1
    planted.create()
    victim, attacker = Client(), Client()
    victim.cookies["sessionid"] = attacker.cookies["sessionid"] = str(planted.session_key)
    assert log_in(victim) != planted.session_key
    assert victim.get("/manage/").status_code == 200
    assert attacker.get("/manage/").status_code == 302


def test_key_that_nobody_gave_out_is_not_taken(li: User) -> None:
    client = Client()
    client.cookies["sessionid"] = "a" * 32
    assert log_in(client) != "a" * 32
    assert not SessionStore("a" * 32).exists("a" * 32)


def test_token_of_forms_is_another_after_logging_in(li: User) -> None:
    client = Client()
    client.get("/accounts/login/")
    before = client.cookies["csrftoken"].value
    log_in(client)
    assert client.cookies["csrftoken"].value != before


def test_logging_out_ends_the_session_for_whoever_has_its_key(li: User) -> None:
    client, thief = Client(), Client()
    thief.cookies["sessionid"] = log_in(client)
    assert thief.get("/manage/").status_code == 200
    client.post("/accounts/logout/")
    assert thief.get("/manage/").status_code == 302


def test_account_that_is_switched_off_is_out_at_once(li: User) -> None:
    client = Client()
    log_in(client)
    User.objects.filter(pk=li.pk).update(is_active=False)
    assert client.get("/manage/").status_code == 302


def test_session_holds_no_name_and_no_password(li: User) -> None:
    client = Client()
    held = dict(SessionStore(log_in(client)).items())
    assert "li" not in map(str, held.values())
    assert PASSWORD not in str(held)
    assert held["_auth_user_id"] == str(li.pk)
