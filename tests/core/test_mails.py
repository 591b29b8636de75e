"""Mails go out by jobs, which hold neither token nor address nor text."""

from __future__ import annotations

import ast
import json
import re
import smtplib
from pathlib import Path

import pytest
from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend
from django.test import Client
from pytest_django import Settings

from core.domain import jobs
from core.domain.mails import ask_for_new_password
from core.enums import JobState
from core.models import Job, User
from tests.factories import make_user

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[2]
ADDRESS = "chen@example.org"


@pytest.fixture
def chen() -> User:
    return make_user("chen", email=ADDRESS)


class Refusing(BaseEmailBackend):
    """A mail server that fails as it is told."""

    error: Exception

    def send_messages(self, email_messages: object) -> int:
        """Raises what was told."""
        raise self.error


@pytest.fixture
def refusing(settings: Settings) -> type[Refusing]:
    settings.EMAIL_BACKEND = f"{__name__}.Refusing"
    return Refusing


def asked(user: User) -> Job:
    """A mail for a new password, enqueued."""
    ask_for_new_password(user=user, site="http://testserver")
    return Job.objects.latest("pk")


def test_the_token_stands_in_no_row_before_or_after_it_is_sent(
    client: Client, chen: User, settings: Settings
) -> None:
    settings.MAIL_IS_SET = True
    client.post("/accounts/password/reset/", {"email": ADDRESS})
    (before,) = Job.objects.values()
    assert before["payload"] == {
        "user": chen.pk,
        "site": "http://testserver",
        "language": "zh-hans",
    }
    jobs.sweep()
    (message,) = mail.outbox
    token = re.search(r"/reset/key/(\S+)/", message.body)
    assert token is not None
    (after,) = Job.objects.values()
    assert (after["state"], after["result"]) == (JobState.DONE, {"sent": True})
    for row in (before, after):
        said = json.dumps(row, default=str)
        assert token[1] not in said
        assert ADDRESS not in said


def test_the_mail_is_in_the_language_in_which_it_was_asked_for(
    client: Client, chen: User, settings: Settings
) -> None:
    settings.MAIL_IS_SET = True
    client.post("/accounts/password/reset/", {"email": ADDRESS}, HTTP_ACCEPT_LANGUAGE="en")
    jobs.sweep()
    assert mail.outbox[0].subject == "Duozhu: set a new password"


def test_nothing_is_sent_to_an_account_out_of_use(chen: User) -> None:
    job = asked(chen)
    User.objects.filter(pk=chen.pk).update(is_active=False)
    jobs.sweep()
    job.refresh_from_db()
    assert (job.state, job.result) == (JobState.DONE, {"sent": False})
    assert mail.outbox == []


def test_a_mail_sent_again_has_the_same_id(chen: User) -> None:
    job = asked(chen)
    jobs.run(job.pk)
    Job.objects.filter(pk=job.pk).update(state=JobState.WAITING)
    jobs.run(job.pk)
    first, second = (message.extra_headers["Message-ID"] for message in mail.outbox)
    assert first == second
    assert first.startswith(f"<job-{job.pk}-")
    assert first.endswith("@localhost>")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ConnectionRefusedError(111, "refused"), "MailNotSent: ConnectionRefusedError"),
        (TimeoutError(f"to {ADDRESS}"), "MailNotSent: TimeoutError"),
        (
            smtplib.SMTPRecipientsRefused({ADDRESS: (450, b"busy")}),
            "MailNotSent: SMTPRecipientsRefused 450",
        ),
        (smtplib.SMTPDataError(451, b"later"), "MailNotSent: SMTPDataError 451"),
    ],
)
def test_a_mail_that_no_server_takes_now_is_tried_later_and_tells_no_address(
    chen: User, refusing: type[Refusing], error: Exception, said: str
) -> None:
    refusing.error = error
    job = asked(chen)
    jobs.sweep()
    job.refresh_from_db()
    assert (job.state, job.attempts, job.max_attempts) == (JobState.WAITING, 1, 8)
    assert job.last_error.splitlines()[-1] == f"core.domain.mails.{said}"
    assert ADDRESS not in job.last_error


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (smtplib.SMTPRecipientsRefused({ADDRESS: (550, b"no such user")}), 550),
        (smtplib.SMTPAuthenticationError(535, b"wrong password"), 535),
    ],
)
def test_a_mail_that_is_refused_for_good_has_failed_at_once(
    chen: User, refusing: type[Refusing], error: Exception, code: int
) -> None:
    refusing.error = error
    job = asked(chen)
    jobs.sweep()
    job.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.FAILED, 1)
    assert job.sentence["zh"].startswith(f"邮件服务器拒收（{type(error).__name__} {code}）")
    assert ADDRESS not in json.dumps(job.sentence) + job.last_error


def test_no_other_module_sends_mail() -> None:
    senders = {"send_mail", "send_mass_mail", "mail_admins", "mail_managers", "EmailMessage"}
    found = set()
    for app in ("core", "tournament", "scoring", "config"):
        for path in (ROOT / app).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module == "django.core.mail":
                    found |= {(path.name, alias.name) for alias in node.names}
    assert {name for _path, name in found} <= senders
    assert {path for path, _name in found} == {"mails.py"}
    assert ("mails.py", "EmailMessage") in found
