"""Mails, each sent by a job of its own.

A job holds neither address nor text nor token, only ids: what is written is made when it is sent,
the token of a new password too, and so it stands in no row, no backup and on no page of the jobs.
An error that a mail server gives back is kept without the address that is in it. Who died between
sending and saying so sends again, under the same Message-ID, by which mailboxes know a repetition.
"""

from __future__ import annotations

import smtplib
from typing import cast

from allauth.account import app_settings as allauth
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from core.domain.jobs import Running, enqueue
from core.errors import DomainError
from core.models import User

RESET = "mail-password"
_TEMPLATE = "account/email/password_reset_key"


class MailRefused(DomainError):
    """A mail server will not take it, however often it is asked."""

    code = "mail-refused"
    status = 502


class MailNotSent(Exception):
    """No mail server has taken it yet; says how it failed, not to whom it was to go."""


def send(job: Running, *, subject: str, text: str, to: str) -> None:
    """Sends one mail for a job. Raises `MailRefused`, `MailNotSent`."""
    host = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].rstrip("> ")
    known = {"Message-ID": f"<job-{job.job.pk}-{job.job.created_at:%Y%m%d%H%M%S%f}@{host}>"}
    try:
        EmailMessage(subject, text, None, [to], headers=known).send()
    except (smtplib.SMTPException, OSError) as error:
        codes = _codes(error)
        said = f"{type(error).__name__} {' '.join(map(str, codes))}".rstrip()
        if codes and min(codes) >= 500:
            raise MailRefused(
                _("邮件服务器拒收（%(said)s），请检查收件人和邮件设置。") % {"said": said}
            ) from None
        raise MailNotSent(said) from None


def _codes(error: Exception) -> list[int]:
    """The codes with which a server refused; empty where none answered."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return [code for code, _text in error.recipients.values()]
    if isinstance(error, smtplib.SMTPResponseException):
        return [error.smtp_code]
    return []


def ask_for_new_password(*, user: User, site: str) -> None:
    """Enqueues the mail by which an account gets a new password, in the language of now.

    `site`: where the site is, as the request came (`https://duozhu.example`).
    """
    enqueue(
        kind=RESET,
        payload={"user": user.pk, "site": site, "language": translation.get_language()},
    )


def send_new_password(job: Running) -> dict[str, bool]:
    """The job of that mail. Nothing is sent where the account has no address or is out of use."""
    user = User.objects.filter(pk=cast(int, job.payload["user"]), is_active=True).first()
    if user is None or not user.email:
        return {"sent": False}
    key = allauth.PASSWORD_RESET_TOKEN_GENERATOR().make_token(user)
    path = reverse("account_reset_password_from_key", args=[user_pk_to_url_str(user), key])
    with translation.override(cast(str, job.payload["language"])):
        context = {
            "password_reset_url": f"{job.payload['site']}{path}",
            "username": user.username,
        }
        subject = render_to_string(f"{_TEMPLATE}_subject.txt", context).strip()
        text = render_to_string(f"{_TEMPLATE}_message.txt", context).strip()
    send(job, subject=subject, text=text, to=user.email)
    return {"sent": True}
