"""Logging in by user name, phone or mail."""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.db.models import Q
from django.http import HttpRequest

from core.models import User


def find_account(name: str) -> User | None:
    """The account that has this as user name, else as phone or mail; None where none has."""
    named = Q(username=name) | Q(phone=name) | Q(email__iexact=name)
    found = sorted(User.objects.filter(named), key=lambda user: user.username != name)
    return found[0] if found else None


class NamePhoneOrMailBackend(ModelBackend):
    """Finds the account by whichever of the three was typed; a user name goes first."""

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **kwargs: Any,
    ) -> User | None:
        """The user, or None. Takes as long for an unknown name as for a wrong password."""
        if not username or password is None:
            return None
        user = find_account(username)
        if user is None:
            User().set_password(password)
            return None
        if user.check_password(password) and self.user_can_authenticate(user):
            return user
        return None
