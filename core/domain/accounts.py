"""The first account of a fresh site."""

from __future__ import annotations

import secrets
from typing import NamedTuple

from core.models import User

ORGANIZER = "organizer"


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
    """The oldest account in use; on a site without any, `organizer` with a new password."""
    oldest = User.objects.filter(is_active=True).order_by("pk").first()
    if oldest is not None:
        return FirstAccount(oldest)
    password = secrets.token_urlsafe(9)
    user = User.objects.create_user(ORGANIZER, password=password, display_name="主办人")
    return FirstAccount(user, password)
