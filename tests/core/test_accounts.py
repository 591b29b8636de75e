"""Accounts: three names for logging in, each unique, none needed but the user name."""

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from core.models import User
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def chen() -> User:
    return make_user("chen", password="gui-lin-2026", phone="13800138000", email="Chen@example.org")


@pytest.mark.parametrize("name", ["chen", "13800138000", "chen@EXAMPLE.org"])
def test_logging_in_by_user_name_phone_or_mail(client: Client, chen: User, name: str) -> None:
    answer = client.post("/accounts/login/", {"username": name, "password": "gui-lin-2026"})
    assert (answer.status_code, answer["Location"]) == (302, "/manage/")
    assert client.session["_auth_user_id"] == str(chen.pk)


@pytest.mark.parametrize(
    ("name", "password"), [("chen", "wrong"), ("nobody", "gui-lin-2026"), ("", "")]
)
def test_a_wrong_name_or_password_says_so_and_keeps_the_name(
    client: Client, chen: User, name: str, password: str
) -> None:
    answer = client.post("/accounts/login/", {"username": name, "password": password})
    assert answer.status_code == 200
    assert "_auth_user_id" not in client.session
    if name:
        page = answer.content.decode()
        assert "名称或密码不对，请再输入一次。" in page
        assert f'value="{name}"' in page


def test_a_user_name_goes_before_anothers_phone(client: Client, chen: User) -> None:
    other = make_user("13800138000", password="another-one-1")
    client.post("/accounts/login/", {"username": "13800138000", "password": "another-one-1"})
    assert client.session["_auth_user_id"] == str(other.pk)


def test_an_inactive_account_cannot_log_in(client: Client, chen: User) -> None:
    User.objects.filter(pk=chen.pk).update(is_active=False)
    client.post("/accounts/login/", {"username": "chen", "password": "gui-lin-2026"})
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("field", ["phone", "email"])
def test_phone_and_mail_belong_to_one_account_but_many_have_none(chen: User, field: str) -> None:
    make_user()
    make_user()
    with pytest.raises(IntegrityError), transaction.atomic():
        make_user(**{field: getattr(chen, field)})


def test_empty_phone_and_mail_become_none() -> None:
    user = make_user("a", phone="", email="")
    user.refresh_from_db()
    assert (user.phone, user.email) == (None, None)


def test_a_user_is_called_by_the_display_name_else_the_user_name() -> None:
    assert str(make_user("a", display_name="陈裁判")) == "陈裁判"
    assert str(make_user("b")) == "b"


@pytest.mark.parametrize(
    ("asked", "leads_to"),
    [("/c/abc/", "/c/abc/"), ("https://evil.example/", "/"), ("", "/")],
)
def test_the_language_is_kept_in_a_cookie_and_leads_back(
    client: Client, asked: str, leads_to: str
) -> None:
    answer = client.get("/language/en/", {"next": asked})
    assert answer["Location"] == leads_to
    assert answer.cookies["django_language"].value == "en"


def test_a_language_there_is_not_is_404(client: Client) -> None:
    assert client.get("/language/fr/").status_code == 404


def test_health_needs_the_database_and_nothing_else(client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok")
    assert not answer.cookies
