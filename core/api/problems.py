"""Errors as `application/problem+json` (RFC 9457), with the codes and sentences of the pages."""

from __future__ import annotations

import json
from functools import singledispatch
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from pydantic import BaseModel, ConfigDict, Field

from core.errors import DomainError, TooLarge

MEDIA_TYPE = "application/problem+json"

TITLES = {
    400: _("请求不对"),
    401: _("需要令牌"),
    403: _("没有这个权限"),
    404: _("没有找到"),
    405: _("这个地址不能这样用"),
    409: _("和现在的状态不符"),
    413: _("请求太大"),
    415: _("请求的格式不对"),
    422: _("内容有错"),
    429: _("请求太多"),
    500: _("网站出错了"),
    503: _("网站暂时不能用"),
}
MISTAKES = {
    "missing": _("这一项要写。"),
    "extra_forbidden": _("没有这一项，请去掉。"),
    "string_too_long": _("太长了。"),
    "string_too_short": _("不能是空的。"),
    "string_type": _("要写文字。"),
    "int_type": _("要写整数。"),
    "int_parsing": _("要写整数。"),
    "bool_type": _("只能是 true 或 false。"),
    "literal_error": _("不能这样写，请看接口说明里可以写哪些。"),
    "too_long": _("太多了。"),
    "greater_than_equal": _("太小了。"),
    "less_than_equal": _("太大了。"),
}
OTHER_MISTAKE = _("这一项写得不对，请看接口说明。")


class Wrong(BaseModel):
    """A field that is wrong, and why."""

    field: str = Field(description="Where: `name`, `payload.hu`; empty for the whole body")
    code: str
    message: str


class Problem(BaseModel):
    """What went wrong and what to do (RFC 9457)."""

    model_config = ConfigDict(extra="allow")

    type: str = Field(description="`urn:duozhu:problem:` and the code")
    title: str
    status: int
    detail: str = Field(description="One sentence, as the pages say it, in the language asked for")
    code: str = Field(description="Stable, for programs")
    rule: str | None = Field(None, description="The number of the rule: R7.4, C6.3")
    fields: list[Wrong] | None = None


class TooMuch(DomainError):
    """More was asked for within a minute than one may; `wait` is in seconds."""

    code = "too-much"
    status = 429

    def __init__(self, wait: int) -> None:
        super().__init__(
            ngettext(
                "一下子请求得太多了，请过 %(n)d 秒再试。",
                "一下子请求得太多了，请过 %(n)d 秒再试。",
                wait,
            )
            % {"n": wait}
        )
        self.wait = wait


@singledispatch
def more_of(error: Exception) -> dict[str, Any]:
    """What a problem says besides its sentence. Each app registers what its errors know."""
    return {}


def problem(
    status: int, code: str, detail: str, *, headers: dict[str, str] | None = None, **more: Any
) -> HttpResponse:
    """The answer to a request that could not be done; what is None is left out."""
    content = {
        "type": f"urn:duozhu:problem:{code}",
        "title": str(TITLES.get(status, TITLES[400])),
        "status": status,
        "detail": detail,
        "code": code,
        **{key: value for key, value in more.items() if value is not None},
    }
    response = HttpResponse(
        json.dumps(content, ensure_ascii=False), status=status, content_type=MEDIA_TYPE
    )
    response["Cache-Control"] = "no-store"
    for name, value in (headers or {}).items():
        response[name] = value
    return response


def of_domain(request: HttpRequest, error: DomainError) -> HttpResponse:
    """The problem of an error of the domain."""
    headers = {}
    if isinstance(error, TooMuch):
        headers["Retry-After"] = str(error.wait)
    if error.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return problem(error.status, error.code, str(error), headers=headers, **more_of(error))


def _of_http(request: HttpRequest, error: HttpError) -> HttpResponse:
    """What ninja itself refuses: a body that is no JSON, whose reading may say more."""
    if isinstance(error.__cause__, DomainError):
        return of_domain(request, error.__cause__)
    return problem(error.status_code, "bad-json", str(_("内容不是能读的 JSON，请检查。")))


def _of_authentication(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    sentence = _("请在请求头里写上令牌：Authorization: Bearer …。令牌由比赛的成员在管理页上做。")
    return problem(401, "token-missing", str(sentence), headers={"WWW-Authenticate": "Bearer"})


def _of_absence(request: HttpRequest, error: Http404) -> HttpResponse:
    return problem(404, "not-found", str(_("没有这个地址上的内容，或者还没有公布。")))


def _of_size(request: HttpRequest, error: RequestDataTooBig) -> HttpResponse:
    return of_domain(request, TooLarge())


def _of_validation(request: HttpRequest, error: ValidationError) -> HttpResponse:
    wrong = error.errors
    if wrong and all(one["loc"][0] == "path" for one in wrong):
        return _of_absence(request, Http404())
    fields = [
        {
            "field": ".".join(map(str, one["loc"][2 if one["loc"][0] == "body" else 1 :])),
            "code": one["type"],
            "message": str(MISTAKES.get(one["type"], OTHER_MISTAKE)),
        }
        for one in wrong
    ]
    return problem(422, "invalid", str(_("请求里有写错的地方，请看每一项的说明。")), fields=fields)


def answer_with_problems(api: NinjaAPI) -> None:
    """From now on every error of the API is a problem."""
    handlers: dict[type[Exception], Any] = {
        DomainError: of_domain,
        HttpError: _of_http,
        AuthenticationError: _of_authentication,
        Http404: _of_absence,
        RequestDataTooBig: _of_size,
        ValidationError: _of_validation,
    }
    for kind, handler in handlers.items():
        api.add_exception_handler(kind, handler)
