"""How much anybody may have computed for him within a minute: a limit for tools without account.

Counted in units by what a browser's cookie tells apart, and, more generously, by address: a whole
hall shares one (stack fact 5). Nothing is stored but two numbers in the cache for a minute or two;
where processes share no cache, each has limits of its own.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

MINUTE = 60
OF_BROWSER = 120
"""Units a minute for one browser, where it has a cookie."""
OF_ADDRESS = 2400
"""Units a minute for an address: two hundred phones at twelve each."""


def spend(request: HttpRequest, cost: int = 1) -> int:
    """Counts `cost` units; 0 where they may be spent, else the seconds until more may be."""
    spent = [(f"address {address_of(request)}", OF_ADDRESS)]
    cookie = request.COOKIES.get(settings.SESSION_COOKIE_NAME) or request.COOKIES.get(
        settings.CSRF_COOKIE_NAME
    )
    if cookie:
        spent.append((f"browser {cookie}", OF_BROWSER))
    return spend_of(spent, cost)


def spend_of(spent: Iterable[tuple[str, int]], cost: int = 1) -> int:
    """As `spend`, counted by these names, each with its units a minute."""
    now = int(time.time())
    minute = now // MINUTE
    allowed = [_count(f"{minute} {who}", cost) <= most for who, most in spent]
    return 0 if all(allowed) else MINUTE - now % MINUTE


def address_of(request: HttpRequest) -> str:
    """The address that asks, behind a trusted proxy the one that asked it; "" where the server
    knows none, as behind a socket file."""
    try:
        return str(get_adapter().get_client_ip(request))
    except PermissionDenied:
        return ""


def _count(who: str, cost: int) -> int:
    """What has been spent with this, under a key that tells nothing of whom it is about."""
    key = f"pace:{hashlib.sha256(who.encode()).hexdigest()}"
    cache.add(key, 0, 2 * MINUTE)
    try:
        return cache.incr(key, cost)
    except ValueError:  # dropped between the two lines by a full cache
        return cost
