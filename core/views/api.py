"""The page that says what the API can do."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_safe

from core import bodies

C = "/competitions/{code}"
E = C + "/events/{event}"
T = C + "/tables/{table}"
GROUPS = [
    {
        "id": "public",
        "title": _("读公开的内容，不用令牌"),
        "rows": [
            ("GET", "/competitions", _("公布了的比赛")),
            ("GET", C, _("一场比赛和它的项目")),
            ("GET", C + "/events", _("项目")),
            ("GET", E, _("一个项目")),
            ("GET", E + "/entrants", pgettext_lazy("page", "选手")),
            ("GET", E + "/draws", _("各次冻结和抽签")),
            ("GET", C + "/draws/{draw}", _("一次抽签的文件，谁都可以重算")),
            ("GET", E + "/rounds", _("各轮")),
            ("GET", E + "/rounds/{round_id}/tables", _("一轮的桌和座位")),
            ("GET", T, _("一桌的记分表和每一局")),
            ("GET", E + "/standings", pgettext_lazy("page", "名次")),
            ("GET", E + "/preliminary", _("预赛名次")),
            ("GET", E + "/records", _("纪录")),
        ],
    },
    {
        "id": "entries",
        "title": _("报名和签到，要令牌"),
        "rows": [
            ("GET", C + "/entries", _("报名名单和签到")),
            ("POST", C + "/entries", _("添加选手")),
            ("POST", C + "/entries/{entry}/confirm", _("确认报名")),
            ("POST", C + "/entries/{entry}/check-in", _("签到")),
        ],
    },
    {
        "id": "sheets",
        "title": _("记分表，要令牌"),
        "rows": [
            ("GET", T + "/sheet", _("记分表现在的样子")),
            ("POST", T + "/hands", _("记一局")),
            ("PUT", T + "/hands/{number}", _("更正一局，If-Match 写第几版")),
            ("POST", T + "/sheet/submit", _("提交")),
            ("POST", T + "/sheet/confirm", pgettext_lazy("api", "确认")),
            ("POST", T + "/sheet/send-back", _("退回")),
        ],
    },
    {
        "id": "tools",
        "title": _("算牌，不用令牌，什么都不留"),
        "rows": [
            ("POST", "/score", _("算胡、算舵")),
            ("POST", "/waits", _("听哪些牌")),
            ("POST", "/replay", _("查牌谱")),
        ],
    },
]
"""Every operation of the document, by what it is for."""


@require_safe
def api(request: HttpRequest) -> HttpResponse:
    """What there is, how to ask, and the document for programs."""

    def body(version: str) -> str:
        root = reverse("openapi").removesuffix("/openapi.json")
        context = {"groups": GROUPS, "root": root}
        return render_to_string("public/api.html", context, request=request)

    return bodies.respond(request, "api", [], body)
