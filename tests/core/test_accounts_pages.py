"""One's own account: name, phone, mail, password, devices; a new password by mail."""

import re

import pytest
from django.core import mail
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from core.domain import jobs
from core.models import AuditRow, Job, User
from tests.factories import make_user

pytestmark = pytest.mark.django_db

PASSWORD = "gui-lin-2026"


@pytest.fixture
def chen() -> User:
    return make_user("chen", password=PASSWORD, email="Chen@example.org")


def enter(name: str = "chen", password: str = PASSWORD, **extra: str) -> Client:
    client = Client(**extra)
    client.post("/accounts/login/", {"username": name, "password": password})
    return client


def is_in(client: Client) -> bool:
    return client.get("/accounts/").status_code == 200


def test_the_own_page_changes_name_phone_and_mail(client: Client, chen: User) -> None:
    client.force_login(chen)
    given = {"display_name": "陈裁判", "phone": "13800138000", "email": ""}
    assert client.post("/accounts/", given)["Location"] == "/accounts/"
    chen.refresh_from_db()
    assert (chen.display_name, chen.phone, chen.email) == ("陈裁判", "13800138000", None)
    row = AuditRow.objects.get()
    assert (row.user, row.action, row.data) == (
        chen,
        "account.change",
        {"fields": ["display_name", "email", "phone"]},
    )


def test_a_mail_or_phone_of_another_account_is_refused_and_kept_in_the_form(
    client: Client, chen: User
) -> None:
    make_user("liu", phone="13800138000", email="liu@example.org")
    client.force_login(chen)
    given = {"display_name": "陈", "phone": "13800138000", "email": "LIU@example.org"}
    answer = client.post("/accounts/", given)
    assert answer.status_code == 400
    page = answer.content.decode()
    assert "别的账号已经用了这个手机号。" in page
    assert "别的账号已经用了这个邮箱。" in page
    assert 'value="LIU@example.org"' in page


def test_a_new_password_logs_the_other_devices_out(chen: User) -> None:
    here, there = enter(), enter()
    given = {"oldpassword": PASSWORD, "password1": "yang-shuo-27", "password2": "yang-shuo-27"}
    assert here.post("/accounts/password/", given)["Location"] == "/accounts/"
    assert (is_in(here), is_in(there)) == (True, False)
    assert is_in(enter(password="yang-shuo-27"))


def test_a_new_password_needs_the_old_one(chen: User) -> None:
    here = enter()
    given = {"oldpassword": "wrong", "password1": "yang-shuo-27", "password2": "yang-shuo-27"}
    assert here.post("/accounts/password/", given).status_code == 200
    chen.refresh_from_db()
    assert chen.check_password(PASSWORD)


def test_the_devices_are_listed_and_the_others_can_be_logged_out(chen: User) -> None:
    here = enter(HTTP_USER_AGENT="This phone")
    there = enter(HTTP_USER_AGENT="The office's computer")
    page = here.get("/accounts/devices/").content.decode()
    assert "The office&#x27;s computer" in page
    assert page.count("这台设备") == 1
    assert here.post("/accounts/devices/").status_code == 302
    assert (is_in(here), is_in(there)) == (True, False)
    assert "The office" not in here.get("/accounts/devices/").content.decode()


def test_logging_out_needs_a_click(chen: User) -> None:
    here = enter()
    assert "这台设备以后要重新登录。" in here.get("/accounts/logout/").content.decode()
    assert is_in(here)
    assert here.post("/accounts/logout/")["Location"] == "/"
    assert not is_in(here)


def test_nobody_signs_up_without_an_invitation(client: Client) -> None:
    assert client.get("/accounts/signup/").status_code == 404
    assert client.get("/accounts/login/").content.decode().count("signup") == 0


@pytest.mark.parametrize("path", ["reset/", "reset/sent/", "reset/done/", "reset/key/1-x/"])
def test_without_mail_there_is_no_reset(client: Client, path: str) -> None:
    assert client.get(f"/accounts/password/{path}").status_code == 404
    page = client.get("/accounts/login/").content.decode()
    assert "忘了密码？请找给您账号的人。" in page
    assert "/accounts/password/reset/" not in page


def test_with_mail_a_link_sets_a_new_password_once(
    client: Client, chen: User, settings: Settings
) -> None:
    settings.MAIL_IS_SET = True
    assert "/accounts/password/reset/" in client.get("/accounts/login/").content.decode()
    answer = client.post("/accounts/password/reset/", {"email": "chen@example.org"})
    assert answer["Location"] == "/accounts/password/reset/sent/"
    assert mail.outbox == []
    assert jobs.sweep() == 1
    [message] = mail.outbox
    assert (message.to, message.subject) == (["Chen@example.org"], "舵主：设新密码")
    link = re.search(r"http://testserver(/\S+)", message.body)[1]
    form = client.get(client.get(link)["Location"]).wsgi_request.path
    given = {"password1": "yang-shuo-27", "password2": "yang-shuo-27"}
    assert client.post(form, given)["Location"] == "/accounts/password/reset/done/"
    assert is_in(enter(password="yang-shuo-27"))
    assert "这个链接已经用过或过期了。" in Client().get(link).content.decode()


def test_mail_does_not_tell_who_has_an_account(client: Client, settings: Settings) -> None:
    settings.MAIL_IS_SET = True
    answer = client.post("/accounts/password/reset/", {"email": "nobody@example.org"})
    assert answer["Location"] == "/accounts/password/reset/sent/"
    assert not Job.objects.exists()


def test_a_request_is_no_slower_for_the_second_lock(
    client: Client, chen: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """Session, account, the account again for its form."""
    client.force_login(chen)
    with django_assert_num_queries(3):
        client.get("/accounts/")
