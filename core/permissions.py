"""Who looks after the site as a whole. Rights in a competition are `tournament.permissions`'."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser, AnonymousUser


def is_operator(user: AbstractUser | AnonymousUser) -> bool:
    """Whether this is an operator of the site: an active account marked so, as the first one is.

    It gives no right in any competition.
    """
    return bool(user.is_active and user.is_superuser)
