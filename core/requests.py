"""What is noted of each request: its number, one line in the log, one count.

The number (`X-Request-ID`) stands in every line that is logged meanwhile, on the page of a fault
and in the API's problems, so that what somebody tells of can be found.
"""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any

import structlog
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

from core.errors import last_code
from core.metrics import CONFLICTS, count_answer
from core.views.probes import PROBES

HEADER = "X-Request-ID"
QUIET = frozenset({204, 286, 304})
"""Answers to polls and to those who have what they ask for."""
CONFLICT_CODES = frozenset({"key-reused"})
"""Conflicts that are answered with another status than 409."""
_WELL_FORMED = re.compile(r"[A-Za-z0-9_-]{8,64}")
_CODE = re.compile(r"[0-9a-z]{1,12}")

_name = __name__
logger = structlog.get_logger(_name)
_levels = logging.getLogger(_name)


def number_of(request: HttpRequest) -> str:
    """The request's number; empty where the middleware has not seen it."""
    return str(getattr(request, "number", ""))


class RequestMiddleware:
    """Outermost, so that it sees every answer; and gives the probes their answers itself, as
    those ask by whatever host name and over plain http."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The answer, with its number."""
        began = time.perf_counter()
        number = _number(request)
        request.number = number  # type: ignore[attr-defined]
        last_code.set("")
        bind_contextvars(request_id=number, method=request.method)
        try:
            response = self._answer(request)
            response.headers[HEADER] = number
            _note(request, response, time.perf_counter() - began)
        finally:
            clear_contextvars()
        return response

    def _answer(self, request: HttpRequest) -> HttpResponse:
        probe = PROBES.get(request.path_info)
        if probe is not None:
            try:
                return probe(request)
            except Http404:  # then it gets the page that every unknown address gets
                pass
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: object, args: object, kwargs: object
    ) -> None:
        """From here on lines name the address."""
        bind_contextvars(route=_route(request))


def _number(request: HttpRequest) -> str:
    """A new one, or the trusted proxy's, which its own log has."""
    given = request.META.get("HTTP_X_REQUEST_ID")
    if given and settings.BEHIND_PROXY and _WELL_FORMED.fullmatch(given):
        return str(given)
    return secrets.token_hex(6)


def _route(request: HttpRequest) -> str:
    """The name of the address: `sheet`, `api:enter_hand`; `static`, and `unknown` where there is
    none. Never the path, as paths carry tokens."""
    match = request.resolver_match
    if match is not None:
        return match.view_name or "unnamed"
    path = request.path_info
    if path in PROBES:
        return path[1:]
    return "static" if path.startswith(settings.STATIC_URL) else "unknown"


def _note(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    route, status, method = _route(request), response.status_code, request.method or ""
    count_answer(route=route, method=method, status=status, seconds=seconds)
    code = last_code.get() if status >= 400 else ""
    if status == 409 or code in CONFLICT_CODES:
        CONFLICTS.labels(code or "other").inc()
    level = _level(route, status)
    if _levels.isEnabledFor(level):
        told = {"route": route, "status": status, "ms": round(seconds * 1000, 1)}
        logger.log(level, "request", **told, **_more(request, code))


def _level(route: str, status: int) -> int:
    if status >= 500:
        return logging.ERROR
    if status >= 400:
        return logging.WARNING
    is_quiet = status in QUIET or route == "static" or route == "healthz" or route == "readyz"
    return logging.DEBUG if is_quiet else logging.INFO


def _more(request: HttpRequest, code: str) -> dict[str, Any]:
    """What of it is known without asking: the error's code, the account, and which thing by the
    numbers of its address."""
    user = getattr(request.__dict__.get("_cached_user"), "pk", None)
    actor = f"user:{user}" if user and "actor" not in get_contextvars() else None
    match = request.resolver_match
    of = {} if match is None else _harmless(match.kwargs)
    told = {"code": code, "actor": actor, "of": of}
    return {name: value for name, value in told.items() if value}


def _harmless(kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Ids and a competition's public code; nothing else, as it may be a token."""
    return {
        name: value
        for name, value in kwargs.items()
        if isinstance(value, int) or (name == "code" and _CODE.fullmatch(str(value)))
    }
