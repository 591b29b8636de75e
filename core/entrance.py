"""Letting an account in."""

from __future__ import annotations

from allauth.account.internal.flows.login import perform_password_login
from allauth.account.models import Login
from django.http import HttpRequest, HttpResponse

from core.models import User


def let_in(request: HttpRequest, user: User, *, redirect_url: str | None = None) -> HttpResponse:
    """The answer after a password was right (or just chosen): in, or to the second lock.

    `redirect_url` is an address of this site; without it, LOGIN_REDIRECT_URL.
    """
    login = Login(user=user, redirect_url=redirect_url)
    return perform_password_login(request, {"username": user.username}, login)
