"""The second lock: one-time codes, recovery codes, and the pages around them."""

import re
import time

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core.cache import cache
from django.test import Client

from core.models import User
from tests.factories import make_user

pytestmark = pytest.mark.django_db

PASSWORD = "gui-lin-2026"


@pytest.fixture(autouse=True)
def no_tries() -> None:
    cache.clear()


@pytest.fixture
def chen() -> User:
    return make_user("chen", password=PASSWORD)


def code_of(secret: str) -> str:
    """What an authenticator shows now for this secret."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def confirm(client: Client, then: str) -> None:
    """Passes the page that asks for the password again on the way to `then`."""
    answer = client.get(then)
    assert answer["Location"] == f"/accounts/confirm/?next={then.replace('/', '%2F')}"
    answer = client.post("/accounts/confirm/", {"password": PASSWORD, "next": then})
    assert answer["Location"] == then


def switch_on(client: Client, user: User) -> str:
    """Sets codes up as the pages ask for it; the secret."""
    client.force_login(user)
    confirm(client, "/accounts/locks/totp/activate/")
    page = client.get("/accounts/locks/totp/activate/").content.decode()
    assert 'class="qr"' in page
    secret = re.search(r'id="totp_secret">(\w+)<', page)[1]
    answer = client.post("/accounts/locks/totp/activate/", {"code": code_of(secret)})
    assert answer["Location"] == "/accounts/locks/recovery-codes/"
    return secret


def log_in(client: Client, password: str = PASSWORD) -> str:
    return client.post("/accounts/login/?next=/c/x/", {"username": "chen", "password": password})[
        "Location"
    ]


def test_with_codes_on_the_password_alone_does_not_let_in(client: Client, chen: User) -> None:
    secret = switch_on(client, chen)
    other = Client()
    assert log_in(other) == "/accounts/locks/authenticate/"
    assert "_auth_user_id" not in other.session
    wrong = other.post("/accounts/locks/authenticate/", {"code": "000000"})
    assert wrong.status_code == 200
    assert "_auth_user_id" not in other.session
    cache.clear()  # a code is good once, and this one switched the lock on
    right = other.post("/accounts/locks/authenticate/", {"code": code_of(secret)})
    assert right["Location"] == "/c/x/"
    assert other.session["_auth_user_id"] == str(chen.pk)


def test_a_recovery_code_lets_in_once(client: Client, chen: User) -> None:
    switch_on(client, chen)
    page = client.get("/accounts/locks/recovery-codes/").content.decode()
    codes = re.findall(r"<code>(\w+)</code>", page)
    assert len(codes) == 10
    for expected in (302, 200):
        other = Client()
        log_in(other)
        answer = other.post("/accounts/locks/authenticate/", {"code": codes[0]})
        assert answer.status_code == expected


def test_six_wrong_codes_are_not_all_looked_at(client: Client, chen: User) -> None:
    secret = switch_on(client, chen)
    cache.clear()
    other = Client()
    log_in(other)
    for _ in range(5):
        other.post("/accounts/locks/authenticate/", {"code": "000000"})
    answer = other.post("/accounts/locks/authenticate/", {"code": code_of(secret)})
    assert "试得太多了，请过五分钟再试。" in answer.content.decode()


def test_codes_can_be_switched_off_again(client: Client, chen: User) -> None:
    switch_on(client, chen)
    assert client.get("/accounts/locks/totp/deactivate/").status_code == 200
    client.post("/accounts/locks/totp/deactivate/")
    assert not Authenticator.objects.filter(user=chen).exists()
    assert log_in(Client()) == "/c/x/"


def test_locks_are_changed_only_after_the_password_again(client: Client, chen: User) -> None:
    client.force_login(chen)
    for page in ("totp/activate", "webauthn/add", "recovery-codes/generate"):
        assert client.get(f"/accounts/locks/{page}/")["Location"].startswith("/accounts/confirm/")
    answer = client.post("/accounts/confirm/", {"password": "wrong", "next": "/"})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "page", ["", "locks/", "locks/webauthn/", "devices/", "password/", "confirm/"]
)
@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_the_pages_of_an_account_are_whole(
    client: Client, chen: User, page: str, language: str
) -> None:
    client.force_login(chen)
    client.cookies["django_language"] = language
    answer = client.get(f"/accounts/{page}")
    assert answer.status_code == 200
    text = answer.content.decode()
    assert "<script>" not in text
    assert " style=" not in text
    assert "onclick" not in text


def test_pages_of_an_account_ask_a_stranger_to_log_in(client: Client) -> None:
    for page in ("", "locks/", "locks/webauthn/", "devices/", "password/", "confirm/"):
        assert client.get(f"/accounts/{page}")["Location"].startswith("/accounts/login/")
