"""Refusals that no view makes: each gets a page with a sentence too, or the API's problem."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from typing import Any

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.http.request import parse_header_parameters
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from core.api.problems import of_domain
from core.errors import DomainError

API = "/api/v1/"
UTF_8 = codecs.lookup("utf-8").name


class BadRequest(DomainError):
    """What was sent cannot be read at all."""

    code = "bad-request"


class TooLarge(DomainError):
    """More was sent than the site takes at once."""

    code = "too-large"
    status = 413


class WrongMethod(DomainError):
    """The address is there and takes other methods."""

    code = "method-not-allowed"
    status = 405


class WrongCharset(DomainError):
    """Text in another encoding than UTF-8, which every browser sends and every form is in."""

    code = "wrong-charset"
    status = 415


class RefusalMiddleware:
    """Refuses text that is not UTF-8 before anything reads it, and says why an address was used
    in a way that it does not know.

    Python knows encodings that give no text at all (`hex`) or lone surrogates (`utf-7`), which no
    database keeps.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The answer, or the refusal."""
        if not _is_utf_8((request.content_params or {}).get("charset")):
            return refuse(request, WrongCharset(_("内容要用 UTF-8 编码。")))
        response = self.get_response(request)
        if response.status_code == 405 and not response.streaming and not response.content:
            allow = response.get("Allow", "")
            told = _("这个地址不能这样用。请从网站的页面上重新打开。")
            response = refuse(request, WrongMethod(told))
            response["Allow"] = allow
        return response


def refuse(request: HttpRequest, error: DomainError) -> HttpResponse:
    """The error's page, its fragment for htmx, or the API's problem."""
    if request.path.startswith(API):
        return of_domain(request, error)
    template = "error.html#note" if request.headers.get("HX-Request") == "true" else "error.html"
    response = render(request, template, {"error": error}, status=error.status)
    response["X-Error-Code"] = error.code
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler of whatever it finds suspicious or cannot parse."""
    too_large = (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)
    if isinstance(exception, too_large):
        return refuse(request, TooLarge(_("内容太大了，请分几次发。")))
    return refuse(request, BadRequest(_("看不懂发来的内容，没有保存。请回到上一页再试一次。")))


def with_readable_type(application: Callable[..., Any]) -> Callable[..., Any]:
    """The WSGI application, for which a Content-Type that Django cannot parse is none at all:
    it would raise before any handler of errors is there."""

    def inner(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        """Passes the request on."""
        environ["CONTENT_TYPE"] = readable_type(environ.get("CONTENT_TYPE", ""))
        return application(environ, start_response)

    return inner


def readable_type(content_type: str) -> str:
    """The Content-Type where Django can parse it, else an empty one."""
    try:
        parse_header_parameters(content_type)
    except (ValueError, LookupError):
        return ""
    return content_type


def _is_utf_8(charset: str | None) -> bool:
    """Whether nothing is said of the encoding, or just this."""
    if not charset:
        return True
    try:
        return codecs.lookup(charset).name == UTF_8
    except (LookupError, ValueError):
        return False
