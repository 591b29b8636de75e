"""Accounts: the first of a fresh site, those of invited people, what one says about oneself."""

from __future__ import annotations

import secrets
from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from core.actors import SYSTEM, Actor
from core.domain.audit import audit
from core.domain.locks import lock
from core.errors import Conflict
from core.models import User
from core.permissions import is_operator

ORGANIZER = "organizer"
SCOPE = "accounts"


class FirstAccount(NamedTuple):
    """The site's first account; `password` is there only when it has just been made."""

    user: User
    password: str | None = None

    @property
    def greeting(self) -> str:
        """What the command that made it prints, both languages; empty where it was there."""
        if self.password is None:
            return ""
        return (
            f"第一个账号 / first account: {self.user.username}\n"
            f"密码（只显示这一次）/ password (shown only now): {self.password}\n"
            f"忘了就用 / if forgotten: manage.py changepassword {self.user.username}"
        )


def first_account() -> FirstAccount:
    """The oldest account in use; on a site without any, `organizer` with a new password, who
    also looks after the site (`core.permissions.is_operator`)."""
    oldest = User.objects.filter(is_active=True).order_by("pk").first()
    if oldest is not None:
        return FirstAccount(oldest)
    password = secrets.token_urlsafe(9)
    user = User.objects.create_user(
        ORGANIZER, password=password, display_name="主办人", is_superuser=True
    )
    return FirstAccount(user, password)


def make_account(*, username: str, password: str, display_name: str) -> User:
    """A new account, checked by `core.forms.NewAccountForm`. Raises `Conflict` (`name-taken`)."""
    try:
        with transaction.atomic():
            user = User.objects.create_user(username, password=password, display_name=display_name)
            audit(actor=Actor(user_id=user.pk), action="account.make", scope=SCOPE, subject=user)
    except IntegrityError as error:
        raise Conflict(_("刚刚有人用了这个名字，请换一个。"), code="name-taken") from error
    return user


@transaction.atomic
def set_operator(*, user: User, is_operator: bool) -> User:
    """The account looks after the site from now on, or no longer; twice changes nothing. For the
    command line, where one already has the whole site."""
    user = lock(user)
    if user.is_superuser != is_operator:
        user.is_superuser = is_operator
        user.save(update_fields=["is_superuser"])
        action = "account.operator" if is_operator else "account.no-operator"
        audit(actor=SYSTEM, action=action, scope=SCOPE, subject=user)
    return user


def operates_alone(user: User) -> bool:
    """Whether nobody else looks after the site, while others have accounts. Two queries."""
    others = User.objects.filter(is_active=True).exclude(pk=user.pk)
    return is_operator(user) and others.exists() and not others.filter(is_superuser=True).exists()


def hold_operators() -> None:
    """Locks who looks after the site, so that of two who leave at once the second sees it."""
    operators = User.objects.filter(is_superuser=True).order_by("pk")
    list(operators.select_for_update(no_key=True).values_list("pk"))


@transaction.atomic
def change_profile(*, user: User, display_name: str, phone: str | None, email: str | None) -> User:
    """What its owner says about the account; the audit row names the fields, not their values."""
    given = {"display_name": display_name, "phone": phone or None, "email": email or None}
    before = User.objects.values(*given).get(pk=user.pk)
    changed = sorted(name for name in given if given[name] != before[name])
    for name in changed:
        setattr(user, name, given[name])
    user.save(update_fields=changed)
    audit(
        actor=Actor(user_id=user.pk),
        action="account.change",
        scope=SCOPE,
        subject=user,
        data={"fields": changed},
    )
    return user
