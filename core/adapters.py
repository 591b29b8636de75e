"""What django-allauth asks of the site: limits, addresses to go to, codes as QR."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.backends import find_account
from core.domain.mails import ask_for_new_password
from core.domain.throttle import forget_attempts, take_attempt
from core.qr import qr_svg

TOO_MANY = "too-many"


class AccountAdapter(DefaultAccountAdapter):
    """Accounts come from invitations; wrong passwords are counted by account and address."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "incorrect_password": gettext_lazy("密码不对，请再输入一次。"),
        "too_many_login_attempts": gettext_lazy("试得太多了，请过五分钟再试。"),
        "rate_limited": gettext_lazy("试得太多了，请过几分钟再试。"),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never: an invitation makes an account (`tournament.domain.invitations`)."""
        return False

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """The account's page."""
        return reverse("account")

    def send_password_reset_mail(self, user: Any, email: str, context: dict[str, Any]) -> None:
        """A job sends it, and makes its token then: the one in `context` goes nowhere."""
        site = context["request"].build_absolute_uri("/").rstrip("/")
        ask_for_new_password(user=user, site=site)

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """The user whose name and password these are, or None.

        Raises `ValidationError` (`too-many`) while no further try is taken.
        """
        counted = {
            "account": _account(credentials["username"]),
            "address": self.get_client_ip(request),
        }
        until = take_attempt(**counted)
        if until is not None:
            raise ValidationError(_wait(until), code=TOO_MANY)
        user: AbstractBaseUser | None = super().authenticate(request, **credentials)
        if user is not None:
            forget_attempts(**counted)
        return user

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Nothing: `authenticate` has counted already."""


class MFAAdapter(DefaultMFAAdapter):
    """Codes are labelled by the site and the user name, and shown by the site's own QR."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": gettext_lazy("不对。请看验证器里现在的六位数字，再填一次。"),
    }

    def get_totp_label(self, user: Any) -> str:
        """The user name."""
        return str(user.get_username())

    def get_totp_issuer(self) -> str:
        """The site's name and host."""
        return f"{_('舵主')} {self._get_site_name()}"

    def generate_authenticator_name(self, user: Any, type: Authenticator.Type) -> str:
        """`通行密钥 2` for the second."""
        count = Authenticator.objects.filter(user_id=user.pk, type=type).count()
        return _("通行密钥 %(number)d") % {"number": count + 1}

    def build_totp_svg(self, url: str) -> str:
        """The QR as inline SVG."""
        return qr_svg(url, scale=5)


def _account(name: str) -> str:
    """One account is one key, whichever of its names was typed."""
    user = find_account(name)
    return f"user:{user.pk}" if user else f"name:{name.strip().lower()}"


def _wait(until: datetime) -> str:
    minutes = math.ceil((until - timezone.now()) / timedelta(minutes=1))
    return _(
        "这个账号在这里连着输错了很多次。为了安全，请等 %(minutes)d 分钟，"
        "到 %(time)s 以后再试；用通行密钥登录不用等。"
    ) % {"minutes": minutes, "time": date_format(timezone.localtime(until), "H:i")}
