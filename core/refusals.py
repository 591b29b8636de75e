"""Refusals that no view makes: each gets a page with a sentence too, or the API's problem."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from typing import Any

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.utils.http import parse_header_parameters
from django.utils.translation import gettext_lazy as _

from core.api.problems import of_domain
from core.errors import DomainError, TooLarge

API = "/api/v1/"
UTF_8 = codecs.lookup("utf-8").name
UNREADABLE = "application/x-unreadable"
"""A Content-Type that nobody sends."""
CONTENT_TYPE = b"content-type"
LAST_KEY = 2**63 - 1
MOST_BODY = 40_000_000
"""Bytes of a request: an archive, the largest file that anybody sends, and what is around it."""


class BadRequest(DomainError):
    """What was sent cannot be read at all."""

    code = "bad-request"


class WrongMethod(DomainError):
    """The address is there and takes other methods."""

    code = "method-not-allowed"
    status = 405


class WrongCharset(DomainError):
    """Text in another encoding than UTF-8."""

    code = "wrong-charset"
    status = 415


class NoSuchAddress(DomainError):
    """An address that cannot be one."""

    code = "not-found"
    status = 404


class RefusalMiddleware:
    """Refuses what nothing here can read before a view tries to, and says why where an address
    was used in a way that it does not know. Nothing is kept by browsers or proxies of which its
    view does not say so."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The answer, or the refusal."""
        if request.content_type == UNREADABLE:
            return refuse(request, WrongCharset(_("内容要用 UTF-8 编码。")))
        if _length(request) > MOST_BODY:
            return refuse(request, TooLarge())
        if "\0" in request.path_info:
            return refuse(request, NoSuchAddress(_("地址可能抄错了，或者这场比赛还没有公布。")))
        response = self.get_response(request)
        if response.status_code == 405 and not response.streaming and not response.content:
            allow = response.get("Allow", "")
            told = _("这个地址不能这样用。请从网站的页面上重新打开。")
            response = refuse(request, WrongMethod(told))
            response["Allow"] = allow
        if "Cache-Control" not in response:
            add_never_cache_headers(response)
        return response

    def process_view(
        self, request: HttpRequest, view: object, args: object, keys: dict[str, Any]
    ) -> None:
        """Raises `Http404` for a key that no row has, as no database keeps it: its name in an
        address has no limit."""
        if any(isinstance(key, int) and key > LAST_KEY for key in keys.values()):
            raise Http404


class CookieMiddleware:
    """Drops cookies that hold a NUL, which no cookie of this site does and PostgreSQL does not
    even look up."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Passes the request on."""
        for name, value in list(request.COOKIES.items()):
            if "\0" in value:
                del request.COOKIES[name]
        return self.get_response(request)


def _length(request: HttpRequest) -> int:
    """How long the body is said to be, which is as far as servers read it."""
    told = request.META.get("CONTENT_LENGTH") or ""
    return int(told[:20]) if told.isascii() and told.isdecimal() else 0


def refuse(request: HttpRequest, error: DomainError) -> HttpResponse:
    """The error's page, its fragment for htmx, or the API's problem."""
    if request.path.startswith(API):
        return of_domain(request, error)
    template = "error.html#note" if request.headers.get("HX-Request") == "true" else "error.html"
    response = render(request, template, {"error": error}, status=error.status)
    response["X-Error-Code"] = error.code
    add_never_cache_headers(response)
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler of whatever it finds suspicious or cannot parse."""
    too_large = (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)
    if isinstance(exception, too_large):
        return refuse(request, TooLarge())
    return refuse(request, BadRequest(_("看不懂发来的内容，没有保存。请回到上一页再试一次。")))


def with_readable_type(application: Callable[..., Any]) -> Callable[..., Any]:
    """The WSGI application, for which a Content-Type that Django fails at is `UNREADABLE`: it
    would raise before any handler of errors is there."""

    def inner(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        """Passes the request on."""
        environ["CONTENT_TYPE"] = readable_type(environ.get("CONTENT_TYPE", ""))
        return application(environ, start_response)

    return inner


def with_readable_type_asgi(application: Callable[..., Any]) -> Callable[..., Any]:
    """The ASGI application likewise; repeated headers count as Django joins them."""

    async def inner(scope: dict[str, Any], receive: Any, send: Any) -> Any:
        """Passes the request on."""
        if scope["type"] == "http":
            types = [value for name, value in scope["headers"] if name == CONTENT_TYPE]
            others = [one for one in scope["headers"] if one[0] != CONTENT_TYPE]
            told = readable_type(b",".join(types).decode("latin-1")).encode("latin-1")
            scope = {**scope, "headers": [*others, (CONTENT_TYPE, told)] if types else others}
        return await application(scope, receive, send)

    return inner


def readable_type(content_type: str) -> str:
    """The Content-Type where it can be parsed and says nothing of the encoding but UTF-8, which
    every form is in; else `UNREADABLE`.

    Python knows encodings that give no text at all (`hex`) or lone surrogates (`utf-7`), which no
    database keeps.
    """
    try:
        charset = parse_header_parameters(content_type)[1].get("charset")
        is_utf_8 = not charset or codecs.lookup(charset).name == UTF_8
    except (ValueError, LookupError):
        return UNREADABLE
    return content_type if is_utf_8 else UNREADABLE
