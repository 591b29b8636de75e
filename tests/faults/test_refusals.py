"""Requests that no view sees: each is refused with a sentence, and none breaks the site."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client
from pytest_django import Settings

from config.wsgi import application
from core import refusals
from core.models import User
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def ask(content_type: str, body: bytes = b"", path: str = "/accounts/login/") -> tuple[str, str]:
    """Status and body of the answer to a POST, as a server asks the site."""
    said: list[str] = []
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": path,
        "QUERY_STRING": "next=/",
        "SERVER_NAME": "testserver",
        "SERVER_PORT": "80",
        "CONTENT_TYPE": content_type,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": io.BytesIO(body),
        "wsgi.url_scheme": "http",
        "REMOTE_ADDR": "10.0.0.1",
    }
    ends = (request_started, request_finished)
    for signal in ends:
        signal.disconnect(close_old_connections)
    try:
        answer = application(environ, lambda status, _headers: said.append(status))
        return said[0], b"".join(answer).decode()
    finally:
        for signal in ends:
            signal.connect(close_old_connections)


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain; a*=foo''%41",
        "application/x-www-form-urlencoded; charset=hex",
        "multipart/form-data; charset=utf-7; boundary=x",
        "multipart/form-data; charset=undefined; boundary=x",
        "multipart/form-data; charset=gb18030; boundary=x",
        "multipart/form-data; charset*=hex''%ff; boundary=x",
    ],
)
def test_encoding_that_python_might_know_is_refused_before_it_is_tried(content_type: str) -> None:
    status, page = ask(content_type, b"--x\r\n\r\n+2AA-\r\n--x--\r\n")
    assert status.startswith("415 ")
    assert "内容要用 UTF-8 编码。" in page
    status, problem = ask(content_type, path="/api/v1/score")
    assert status.startswith("415 ")
    assert '"code": "wrong-charset"' in problem


@pytest.mark.parametrize("charset", ["", "; charset=utf-8", '; charset="UTF-8"'])
def test_forms_in_utf_8_get_through(charset: str) -> None:
    """To the check of their token, which they have not."""
    status, page = ask("application/x-www-form-urlencoded" + charset, b"username=x")
    assert status.startswith("403 ")
    assert "这张表单过期了" in page


def test_cookie_with_a_nul_is_no_cookie() -> None:
    """PostgreSQL would raise where it is asked for such a session."""
    client = Client(headers={"cookie": 'sessionid="\\000\\000\\000\\000\\000\\000\\000\\000"'})
    assert client.get("/manage/").status_code == 302
    assert client.get("/accounts/login/").status_code == 200


def test_address_with_a_nul_and_a_key_beyond_any_are_not_there() -> None:
    for path in ("/c/a%00b/", "/c/a%00b/manage/", "/library/record/9223372036854775808/"):
        answer = Client().get(path)
        assert answer.status_code == 404
        assert "地址可能抄错了，或者这场比赛还没有公布。" in answer.content.decode()


def test_wrong_method_is_told_on_a_page_or_as_a_fragment() -> None:
    answer = Client().post("/robots.txt")
    assert answer.status_code == 405
    assert set(answer["Allow"].split(", ")) == {"GET", "HEAD"}
    assert "这个地址不能这样用。请从网站的页面上重新打开。" in answer.content.decode()
    part = Client().post("/robots.txt", headers={"HX-Request": "true"}).content.decode()
    assert "这个地址不能这样用。" in part
    assert "<html" not in part


def test_more_fields_or_longer_text_than_any_form_has_is_too_large(settings: Settings) -> None:
    client = Client()
    client.force_login(make_user())
    many = {f"x{n}": "1" for n in range(settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + 1)}
    for data in (many, {"name": "长" * 1_000_000}):
        answer = client.post("/manage/new/", data)
        assert answer.status_code == 413
        assert "内容太大了，请分几次发。" in answer.content.decode()


def test_body_larger_than_any_file_is_refused_unread(settings: Settings) -> None:
    """By what it says of its length: nothing is written to the disk."""

    class Unread(io.BytesIO):
        """Nobody may read it."""

        def read(self, *_size: int) -> bytes:
            raise AssertionError

    answer = Client().generic(
        "POST",
        "/manage/import/",
        content_type="multipart/form-data; boundary=x",
        CONTENT_LENGTH=str(refusals.MOST_BODY + 1),
        **{"wsgi.input": Unread()},
    )
    assert answer.status_code == 413
    assert "内容太大了，请分几次发。" in answer.content.decode()


def test_body_that_is_no_form_is_told(settings: Settings) -> None:
    answer = Client().generic("POST", "/accounts/login/", b"x", content_type="multipart/form-data")
    assert answer.status_code == 400
    assert "看不懂发来的内容，没有保存。请回到上一页再试一次。" in answer.content.decode()


def test_host_that_is_not_ours_is_refused_with_a_page() -> None:
    answer = Client().get("/", headers={"host": "evil.example"})
    assert answer.status_code == 400
    assert "看不懂发来的内容" in answer.content.decode()


def test_account_without_a_password_is_told_how_to_get_one() -> None:
    user = User.objects.create_user("li")
    client = Client()
    client.force_login(user)
    answer = client.get("/accounts/password/")
    assert answer.status_code == 409
    assert "这个账号没有密码，改不了。" in answer.content.decode()
