"""What every page of the organizer does first: who is asking, in which competition."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django import forms
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.cache import never_cache

from core.errors import DomainError
from tournament.acting import Acting
from tournament.enums import Role
from tournament.models import Competition
from tournament.permissions import checks_in, demand, leads, organizes
from tournament.views.access import get_competition

WHO: dict[Callable[[Acting], bool], tuple[Role, ...]] = {
    organizes: (Role.OWNER, Role.ORGANIZER),
    leads: (Role.OWNER, Role.ORGANIZER, Role.CHIEF),
    checks_in: (Role.OWNER, Role.ORGANIZER, Role.CHIEF, Role.REFEREE),
}

View = Callable[..., HttpResponse]
T = TypeVar("T")
MOST_DIGITS = 12


def page_of(allowed: Callable[[Acting], bool]) -> Callable[[View], View]:
    """Wraps a view `(request, competition, acting, …)` of an address with `code`.

    Whoever is not logged in and looks at a page is sent to the log-in; everybody else without
    the role gets `NotAllowed`. Times are shown in the competition's zone; nothing is cached.
    """

    def wrap(view: View) -> View:
        @never_cache
        @wraps(view)
        def inner(request: HttpRequest, code: str, **kwargs: Any) -> HttpResponse:
            try:
                competition, acting = get_competition(request, code)
            except Http404:
                if _should_log_in(request):
                    return redirect_to_login(request.get_full_path())
                raise
            if not acting.roles and _should_log_in(request):
                return redirect_to_login(request.get_full_path())
            demand(allowed(acting), *WHO[allowed])
            choose_event(request, competition)
            with timezone.override(competition.tz):
                return kept_event(view(request, competition, acting, **kwargs), competition)

        return inner

    return wrap


def choose_event(request: HttpRequest, competition: Competition) -> None:
    """`?event=` says which event the page is about; its addresses carry it on. Raises `Http404`
    for none of the competition's."""
    asked = request.GET.get("event", "")
    if not asked:
        return
    if not asked.isdecimal() or len(asked) > MOST_DIGITS:
        raise Http404(asked)
    if not competition.events.filter(pk=int(asked)).exists():
        raise Http404(asked)
    competition.chosen = int(asked)


def kept_event(response: HttpResponse, competition: Competition) -> HttpResponse:
    """The answer; where it leads to another page of the organizer the event goes along."""
    address = response.headers.get("Location", "")
    is_ours = address.startswith(reverse("manage", args=[competition.code]))
    if competition.chosen and is_ours and "event=" not in address:
        more = f"event={competition.chosen}"
        response.headers["Location"] = f"{address}{'&' if '?' in address else '?'}{more}"
    return response


def attempt(form: forms.BaseForm, act: Callable[[], T], field: str | None = None) -> T | None:
    """What `act` returns; None where a domain error became the form's, at `field` or above it.

    What a role or a state forbids is not the form's and goes on as an error.
    """
    try:
        return act()
    except DomainError as error:
        if error.status == 403:
            raise
        form.add_error(field, str(error.message))
        return None


def tabs(competition: Competition, acting: Acting, current: str) -> list[dict[str, object]]:
    """The organizer's pages that this actor may see."""
    pages = [
        ("manage", _("概况"), leads(acting)),
        ("manage_entrants", pgettext("page", "选手"), checks_in(acting)),
        ("manage_draw", _("抽签"), leads(acting)),
        ("manage_schedule", _("日程"), leads(acting)),
        ("manage_announcements", _("公告"), leads(acting)),
        ("manage_links", _("链接"), leads(acting)),
        ("manage_members", _("成员"), organizes(acting)),
        ("manage_books", _("打印"), leads(acting)),
        ("manage_data", _("数据"), organizes(acting)),
        ("manage_settings", _("设置"), organizes(acting)),
    ]
    return [
        {
            "label": label,
            "url": reverse(name, args=[competition.code]) + competition.event_query,
            "current": name == current,
        }
        for name, label, is_shown in pages
        if is_shown
    ]


def settings_tabs(competition: Competition, current: str) -> list[dict[str, object]]:
    """The pages under 设置."""
    pages = [
        ("manage_settings", _("资料")),
        ("manage_events", pgettext("page", "项目")),
        ("manage_registration", pgettext("page", "报名")),
        ("manage_rules", _("规则")),
        ("manage_format", _("编排办法")),
        ("manage_play", _("赛制")),
        ("manage_penalties", _("判罚")),
        ("manage_regulation", _("竞赛规程")),
        ("manage_privacy", _("个人信息")),
    ]
    return [
        {
            "label": label,
            "url": reverse(name, args=[competition.code]) + competition.event_query,
            "current": name == current,
        }
        for name, label in pages
    ]


def _should_log_in(request: HttpRequest) -> bool:
    return request.method in ("GET", "HEAD") and not request.user.is_authenticated
