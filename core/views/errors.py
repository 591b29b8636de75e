"""Pages of faults: what happened, what to do, and where the site is to blame the number to tell.

Each is a page, a fragment for htmx or a problem of the API. Those of the site's own faults need
neither database nor session nor context processors.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from core.api.problems import problem
from core.faults import is_outage, note_outage
from core.refusals import API
from core.requests import number_of

RETRY_AFTER_S = 5
REFRESH_S = 20

logger = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Fault:
    """A kind of fault in words: what happened, and what to do."""

    status: int
    code: str
    title: str | Promise
    text: str | Promise
    asks_to_log_in: bool = False
    leads_home: bool = True


FORBIDDEN = Fault(
    403,
    "not-allowed",
    _("这里要有权限"),
    _("请用主办方给您的链接打开，或者先登录。"),
    asks_to_log_in=True,
)
EXPIRED = Fault(
    403,
    "form-expired",
    _("这张表单过期了"),
    _("刚才的内容没有保存。请返回上一页，刷新后再保存一次。"),
    leads_home=False,
)
ABSENT = Fault(404, "not-found", _("没有这一页"), _("地址可能抄错了，或者这场比赛还没有公布。"))
TOO_OFTEN = Fault(429, "too-much", _("请稍等"), _("试得太多了，请过几分钟再试。"))
BROKEN = Fault(
    500,
    "fault",
    _("出错了"),
    _("这次没有做成，已保存的内容都在。请过一会儿再试；还不行，请把编号告诉主办方。"),
)
AWAY = Fault(
    503,
    "unavailable",
    _("网站暂时不能用"),
    _("可能正在重启或维护，一般几分钟就好。已保存的内容都在，请过一会儿再试。"),
)

LAST_RESORT = """<!doctype html>
<html lang="zh-hans"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>出错了 · 舵主</title></head><body>
<h1>出错了</h1><p>这次没有做成，已保存的内容都在。请过一会儿再试；还不行，请把编号告诉主办方。</p>
<p lang="en">Something went wrong. What was saved is safe. Please try again in a moment; if it fails
again, tell the organizer this number.</p><p>编号 / Number: {number}</p>
<p><a href="/">回到首页 / Front page</a></p></body></html>
"""


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Something that the viewer may not do."""
    return _answer(request, FORBIDDEN)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form whose token is gone."""
    return _answer(request, EXPIRED)


def absent(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """An address that leads nowhere."""
    return _answer(request, ABSENT)


def too_often(request: HttpRequest) -> HttpResponse:
    """What django-allauth limits was done too often."""
    return _answer(request, TOO_OFTEN)


def broken(request: HttpRequest) -> HttpResponse:
    """Django's handler of what nobody caught, called while it is being handled."""
    error = sys.exc_info()[1]
    if error is not None and is_outage(error):
        return away(request, error)
    logger.error("request.fault", exc_info=error)
    return _own(request, BROKEN)


def away(request: HttpRequest, error: BaseException) -> HttpResponse:
    """503 while the database cannot answer: phones wait and send again."""
    note_outage(error)
    response = _own(request, AWAY)
    response.headers["Retry-After"] = str(RETRY_AFTER_S)
    if request.method == "GET" and not _is_for_program(request):
        # The hall's screen has nobody who would reload it.
        response.headers["Refresh"] = str(REFRESH_S)
    return response


def _answer(request: HttpRequest, fault: Fault) -> HttpResponse:
    """What a reader may have done: a page with all around it."""
    if _is_for_program(request):
        return problem(fault.status, fault.code, str(fault.text))
    with override(_language(request)):
        if _is_for_htmx(request):
            return _fragment(fault, "")
        response = render(request, "fault.html", {"fault": fault}, status=fault.status)
    response.headers["X-Error-Code"] = fault.code
    return response


def _own(request: HttpRequest, fault: Fault) -> HttpResponse:
    """What the site has done: nothing but the page itself, which must not fail too."""
    response = _own_answer(request, fault)
    # Django would log it once more, with the path.
    response._has_been_logged = True  # type: ignore[attr-defined]
    return response


def _own_answer(request: HttpRequest, fault: Fault) -> HttpResponse:
    number = number_of(request)
    try:
        with override(_language(request)):
            if _is_for_program(request):
                return problem(fault.status, fault.code, str(fault.text), request_id=number)
            if _is_for_htmx(request):
                return _fragment(fault, number)
            page: str = render_to_string("fault_own.html", {"fault": fault, "number": number})
    except Exception:  # a template that cannot be read may be the fault
        page = LAST_RESORT.format(number=number)
    response = HttpResponse(page, status=fault.status)
    response.headers["Cache-Control"] = "no-store"
    return response


def _fragment(fault: Fault, number: str) -> HttpResponse:
    """The sentence for `static/js/faults.js`, which shows it on the page that asked."""
    context = {"fault": fault, "number": number}
    text = render_to_string("fault_note.html", context)
    return HttpResponse(text, status=fault.status, headers={"X-Error-Code": fault.code})


def _is_for_program(request: HttpRequest) -> bool:
    return request.path_info.startswith(API)


def _is_for_htmx(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def _language(request: HttpRequest) -> str:
    """The reader's, also where the request failed before anybody asked for it."""
    try:
        return translation.get_language_from_request(request)
    except Exception:  # headers that cannot be read may be the fault
        return settings.LANGUAGE_CODE
