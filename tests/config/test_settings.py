"""What the environment decides, and what production refuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from config.embedded import lan_hosts, prepare
from config.logs import hide_tokens

ROOT = Path(__file__).resolve().parents[2]
ASK = """
import json, django
from config import settings as s
print(json.dumps({"db": s.DATABASES["default"], "secure": s.SECURE_SSL_REDIRECT,
  "cookie": s.SESSION_COOKIE_SECURE, "csp": s.CONTENT_SECURITY_POLICY["DIRECTIVES"],
  "mail": [s.MAIL_IS_SET, getattr(s, "EMAIL_PORT", 0), getattr(s, "EMAIL_USE_TLS", False)],
  "folders": [s.VAR_DIR, s.STATIC_ROOT, s.BACKUP_DIR, s.DRAINING_FILE],
  "broker": s.CELERY_BROKER_URL, "languages": s.LANGUAGES, "zone": s.TIME_ZONE}, default=str))
"""


def ask(**environment: str) -> subprocess.CompletedProcess[str]:
    """The settings that an otherwise empty environment gives."""
    return subprocess.run(
        [sys.executable, "-c", ASK],
        env={"PATH": os.environ["PATH"], **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


PRODUCTION = {"SECRET_KEY": "x" * 60, "ALLOWED_HOSTS": "zipai.example.org"}


@pytest.mark.parametrize("missing", ["SECRET_KEY", "ALLOWED_HOSTS"])
def test_production_does_not_start_without(missing: str) -> None:
    given = {name: value for name, value in PRODUCTION.items() if name != missing}
    ended = ask(**given)
    assert ended.returncode == 1
    assert f"ImproperlyConfigured: {missing} is not set." in ended.stderr


def test_sqlite_is_set_as_measured(tmp_path: Path) -> None:
    """Stack fact 3."""
    found = json.loads(ask(**PRODUCTION, VAR_DIR=str(tmp_path / "var")).stdout)
    assert {name: found["db"][name] for name in ("NAME", "CONN_MAX_AGE", "OPTIONS")} == {
        "NAME": str(tmp_path / "var" / "db.sqlite3"),
        "CONN_MAX_AGE": 60,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        },
    }
    assert (found["languages"][0], found["zone"]) == (["zh-hans", "简体中文"], "Asia/Shanghai")


def test_folders_that_are_set_to_nothing_are_where_they_are_by_default(tmp_path: Path) -> None:
    """Else `/readyz` would take the folder that there always is for the file that drains it."""
    var = tmp_path / "var"
    empty = {"STATIC_ROOT": "", "BACKUP_DIR": "", "DRAINING_FILE": ""}
    found = json.loads(ask(**PRODUCTION, **empty, VAR_DIR=str(var)).stdout)
    static = str(ROOT / "staticfiles")
    assert found["folders"] == [str(var), static, str(var / "backups"), str(var / "draining")]
    url = "postgres://zipai@db.example/zipai"  # nothing is made in the folder
    found = json.loads(ask(**PRODUCTION, VAR_DIR="", DATABASE_URL=url).stdout)
    assert found["folders"][0] == str(ROOT / "var")


def test_a_database_url_switches_to_postgresql_with_a_pool(tmp_path: Path) -> None:
    """Stack fact 3."""
    url = "postgres://zipai:pw@db.example:5433/zipai"
    found = json.loads(ask(**PRODUCTION, DATABASE_URL=url, REDIS_URL="redis://r:6379/0").stdout)
    assert (found["db"]["ENGINE"], found["db"]["PORT"]) == ("django.db.backends.postgresql", 5433)
    pool = {"min_size": 2, "max_size": 8, "timeout": 5, "reconnect_timeout": 3}
    assert found["db"]["OPTIONS"] == {"connect_timeout": 5, "pool": pool}
    assert found["db"]["CONN_MAX_AGE"] == 0
    assert found["broker"] == "redis://r:6379/0"


def test_production_is_https_and_runs_no_foreign_or_inline_script(tmp_path: Path) -> None:
    found = json.loads(ask(**PRODUCTION, VAR_DIR=str(tmp_path)).stdout)
    assert (found["secure"], found["cookie"]) == (True, True)
    assert found["csp"]["script-src"] == ["'self'"]
    assert found["csp"]["style-src"] == ["'self'"]


def test_every_answer_forbids_foreign_scripts_and_frames(client: object) -> None:
    from django.test import Client

    assert isinstance(client, Client)
    answer = client.get("/language/en/")
    policy = answer["Content-Security-Policy"]
    assert "script-src 'self';" in f"{policy};"
    assert "unsafe" not in policy
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"


@pytest.fixture
def empty_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    names = ("SECRET_KEY", "ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "SITE_HTTPS", "LOG_LEVEL")
    for name in names:
        monkeypatch.setenv(name, "kept for the end of the test")
        monkeypatch.delenv(name)
    monkeypatch.setenv("VAR_DIR", str(tmp_path))
    return tmp_path


def test_without_up_ever_run_nothing_is_supplied(empty_environment: Path) -> None:
    prepare(["migrate"])
    assert "SECRET_KEY" not in os.environ
    assert not (empty_environment / "secret").exists()


def test_up_makes_a_secret_once_and_every_later_command_uses_it(empty_environment: Path) -> None:
    prepare(["up", "--port", "9001"])
    secret = os.environ.pop("SECRET_KEY")
    assert len(secret) == 64
    assert os.environ["ALLOWED_HOSTS"] == "localhost,127.0.0.1,[::1]"
    assert os.environ["CSRF_TRUSTED_ORIGINS"].startswith("http://localhost:9001,")
    assert os.environ["SITE_HTTPS"] == "false"
    assert os.environ["LOG_LEVEL"] == "WARNING"
    prepare(["runner"])
    assert os.environ["SECRET_KEY"] == secret


def test_lan_adds_the_addresses_of_this_machine(empty_environment: Path) -> None:
    prepare(["up", "--lan", "--port=9001"])
    hosts = os.environ["ALLOWED_HOSTS"].split(",")
    assert hosts == ["localhost", "127.0.0.1", "[::1]", *lan_hosts()]
    assert f"http://{hosts[-1]}:9001" in os.environ["CSRF_TRUSTED_ORIGINS"].split(",")


def test_what_the_environment_sets_is_left_alone(
    empty_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_KEY", "mine")
    monkeypatch.setenv("ALLOWED_HOSTS", "zipai.example.org")
    prepare(["up"])
    assert os.environ["SECRET_KEY"] == "mine"
    assert os.environ["ALLOWED_HOSTS"] == "zipai.example.org"
    assert not (empty_environment / "secret").exists()


def test_no_log_line_shows_the_token_of_a_link() -> None:
    event = {"event": "Not Found: /l/Zk9-secret_token/?x=1", "status": 404}
    assert hide_tokens(None, "", event) == {"event": "Not Found: /l/…/?x=1", "status": 404}


@pytest.mark.parametrize("path", ["/i/Zk9-secret_token/", "/accounts/password/reset/key/3-x-y/"])
def test_no_log_line_shows_the_token_of_an_invitation_or_a_reset(path: str) -> None:
    shown = hide_tokens(None, "", {"event": f"Not Found: {path}"})["event"]
    assert shown.endswith("/…/")


@pytest.mark.parametrize(
    ("url", "mail"),
    [("", [False, 0, False]), ("submission://u:p@mail.example", [True, 587, True])],
)
def test_mail_is_sent_only_where_it_is_set(tmp_path: Path, url: str, mail: list[object]) -> None:
    found = json.loads(ask(**PRODUCTION, VAR_DIR=str(tmp_path), EMAIL_URL=url).stdout)
    assert found["mail"] == mail


def test_mail_that_nobody_understands_is_refused(tmp_path: Path) -> None:
    ended = ask(**PRODUCTION, VAR_DIR=str(tmp_path), EMAIL_URL="smtp+tls://u:p@mail.example:587")
    assert "ImproperlyConfigured: EMAIL_URL begins with" in ended.stderr
