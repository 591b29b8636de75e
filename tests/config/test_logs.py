"""What a log line hides."""

from __future__ import annotations

import json
import logging

import psycopg
import pytest

from config.logs import hide_tokens, without_secrets
from tests.core.lines import logged

T = "Zk9-secret_token-0123456789abcdef"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"/l/{T}/", "/l/…/"),
        (f"/i/{T}/?x=1", "/i/…/?x=1"),
        (f"/accounts/password/reset/key/3-{T}/", "/accounts/password/reset/key/…/"),
        (f"/language/en/?next=%2Fl%2F{T}%2F", "/language/en/?next=%2Fl%2F…%2F"),
        (f"Authorization: Bearer {T}", "Authorization: Bearer …"),
        (f"token dz_{T} is gone", "token dz_… is gone"),
        (f"sessionid={T}; csrftoken={T}", "sessionid=…; csrftoken=…"),
        ("login=x&password=geheim&next=/", "login=x&password=…&next=/"),
        ("postgres://site:pw-1@db.example:5432/x", "postgres://site:…@db.example:5432/x"),
        ("redis://:pw-1@cache:6379/0", "redis://:…@cache:6379/0"),
        ("to zhang.san+1@mail.example, now", "to …@…, now"),
        ("call 13912345678 or +86 139 1234 5678", "call … or …"),
        ("took 1391234567890 ns at 2026-11-30T14:05:00.123456Z", None),
        ("/c/lijiang/table/17/sheet/ and /library/3/", None),
        ("static/css/site.css", None),
    ],
)
def test_secrets_are_hidden_and_the_rest_stays(text: str, shown: str | None) -> None:
    assert without_secrets(text) == (text if shown is None else shown)


def test_every_value_of_a_line_is_looked_at_however_deep() -> None:
    event = {"event": "x", "asked": {"path": [f"/l/{T}/"]}, "why": ValueError(f"/i/{T}/"), "n": 3}
    shown = hide_tokens(None, "", event)
    assert T not in str(shown)
    assert (shown["n"], shown["asked"]) == (3, {"path": ["/l/…/"]})


def test_the_database_s_row_in_an_error_is_hidden_and_the_code_that_failed_is_not() -> None:
    said = (
        'duplicate key value violates unique constraint "core_user_phone_key"\n'
        "DETAIL:  Key (phone)=(0773 5551234) already exists.\n"
        "CONTEXT:  unnamed portal parameter $1 = '李四'\n"
        "LINE 1: SELECT 1 WHERE name = '李四'"
    )
    with logged() as lines:
        try:
            raise psycopg.errors.UniqueViolation(said)
        except psycopg.Error:
            logging.getLogger("a").exception("failed")
    (line,) = lines.of("failed")
    assert "李四" not in line["exception"]
    assert "5551234" not in line["exception"]
    assert 'unique constraint "core_user_phone_key"' in line["exception"]
    assert "raise psycopg.errors.UniqueViolation(said)" in line["exception"]
    assert __file__ in line["exception"]


def test_names_in_the_message_of_an_error_are_hidden() -> None:
    with logged() as lines:
        try:
            raise ValueError("no seat for 欧阳·娜娜 at table 3")
        except ValueError:
            logging.getLogger("a").exception("failed")
    assert "ValueError: no seat for … at table 3" in lines.of("failed")[0]["exception"]


def test_a_line_is_one_json_object_whatever_is_in_it() -> None:
    with logged() as lines:
        logging.getLogger("a").warning('two\nlines and a "quote"')
    assert lines.text.count("\n") == 1
    assert json.loads(lines.text)["event"] == 'two\nlines and a "quote"'
