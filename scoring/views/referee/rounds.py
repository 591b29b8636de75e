"""Pages of one round for its referees: the clock, extra time, the bell, the roll."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import DomainError
from scoring.domain.bells import call_time_everywhere, still_called, uncall_time_everywhere
from scoring.forms.floor import ClockForm, ExtraTimeForm
from tournament.acting import Acting
from tournament.domain.attendance import mark_attendance
from tournament.domain.clock import BEGUN, give_time, start_clock, stop_clock, take_time_back
from tournament.enums import Role
from tournament.models import Competition, ExtraTime, Round
from tournament.permissions import NotAllowed, demand, is_chief, leads, referees, visible_states
from tournament.queries.clock import clock_of
from tournament.queries.floor import roll
from tournament.views.access import get_competition, get_round


def round_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Wraps `(request, competition, acting, round_, …)` for referees and who leads; drafts are
    not there for the others (C7.4)."""

    @never_cache
    @wraps(view)
    def inner(request: HttpRequest, code: str, pk: int, **kwargs: Any) -> HttpResponse:
        competition, acting = get_competition(request, code)
        demand(referees(acting) or leads(acting), Role.CHIEF, Role.REFEREE)
        round_ = get_round(competition, pk)
        if round_.state not in visible_states(acting):
            raise Http404(pk)
        with timezone.override(competition.tz):
            return view(request, competition, acting, round_, **kwargs)

    return inner


@require_http_methods(["GET", "HEAD", "POST"])
@round_page
def clock(
    request: HttpRequest, competition: Competition, acting: Acting, round_: Round
) -> HttpResponse:
    """The round's clock, who has extra time; POST starts the clock."""
    sent = request.POST if request.method == "POST" else None
    form = ClockForm(sent, initial={"minutes": round_.minutes})

    def act() -> object:
        minutes = form.cleaned_data["minutes"]
        return start_clock(acting=acting, round_=round_, minutes=minutes)

    if form.is_bound and _done(form, act):
        messages.success(request, _("开始计时。"))
        return redirect("round_clock", competition.code, round_.pk)
    return _clock_page(request, competition, acting, round_, form=form)


@require_POST
@round_page
def extra(
    request: HttpRequest, competition: Competition, acting: Acting, round_: Round
) -> HttpResponse:
    """One table, or every one, plays longer."""
    form = ExtraTimeForm(request.POST, tables=_tables(round_))

    def act() -> object:
        return give_time(
            acting=acting,
            round_=round_,
            tables=form.tables(),
            minutes=form.cleaned_data["extra"],
            reason=form.cleaned_data["reason"],
        )

    if _done(form, act):
        messages.success(request, _("已加时。"))
        return redirect("round_clock", competition.code, round_.pk)
    return _clock_page(request, competition, acting, round_, more=form)


@require_POST
@round_page
def stop(
    request: HttpRequest, competition: Competition, acting: Acting, round_: Round
) -> HttpResponse:
    """The clock was started by mistake."""
    stop_clock(acting=acting, round_=round_)
    messages.success(request, _("已取消计时。"))
    return redirect("round_clock", competition.code, round_.pk)


@require_POST
@round_page
def extra_back(
    request: HttpRequest, competition: Competition, acting: Acting, round_: Round, extra_id: int
) -> HttpResponse:
    """Extra time was given by mistake."""
    found = ExtraTime.objects.filter(pk=extra_id, table__round=round_).first()
    if found is None:
        raise Http404(extra_id)
    take_time_back(acting=acting, extra=found)
    messages.success(request, _("已撤销这次加时。"))
    return redirect("round_clock", competition.code, round_.pk)


@require_POST
@round_page
def bell(
    request: HttpRequest, competition: Competition, acting: Acting, round_: Round
) -> HttpResponse:
    """全场到点."""
    rung = call_time_everywhere(acting=acting, round_=round_)
    count, longer = len(rung.called), len(rung.longer)
    text = ngettext(
        "%(n)d 桌已到点：打完这一局，不再发新牌。",
        "%(n)d 桌已到点：打完这一局，不再发新牌。",
        count,
    ) % {"n": count}
    if longer:
        text += ngettext("%(n)d 桌有加时，接着打。", "%(n)d 桌有加时，接着打。", longer) % {
            "n": longer
        }
    text += _("按错了，可以在“计时”里撤销。")
    messages.success(request, text)
    return redirect("desk", competition.code)


@require_POST
@round_page
def bell_back(
    request: HttpRequest, competition: Competition, acting: Acting, round_: Round
) -> HttpResponse:
    """全场到点 was a mistake."""
    count = len(uncall_time_everywhere(acting=acting, round_=round_))
    text = ngettext("%(n)d 桌接着打。", "%(n)d 桌接着打。", count)
    messages.success(request, _("全场到点已撤销，") + text % {"n": count})
    return redirect("round_clock", competition.code, round_.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@round_page
def call_list(
    request: HttpRequest, competition: Competition, acting: Acting, round_: Round
) -> HttpResponse:
    """Who is at his table; whom to call out. POST marks some: 在, 不在, or neither."""
    if request.method == "POST":
        return _mark(request, competition, acting, round_)
    everybody = roll(round_)
    tables: dict[int, list[object]] = {}
    for one in everybody:
        tables.setdefault(one.table_number, []).append(one)
    context = {
        "competition": competition,
        "round": round_,
        "absent": [one for one in everybody if one.is_absent],
        "tables": tables.items(),
        "seen": sum(one.seated_at is not None for one in everybody),
        "count": len(everybody),
        "may_mark": round_.state in BEGUN,
        "who": "" if acting.user_id else _("裁判链接"),
    }
    return render(request, "referee/call_list.html", context)


MARKS: dict[str, bool | None] = {"here": True, "away": False, "clear": None}


def _mark(
    request: HttpRequest, competition: Competition, acting: Acting, round_: Round
) -> HttpResponse:
    back, named = reverse("call_list", args=[competition.code, round_.pk]), 0
    for name, here in MARKS.items():
        seats = [int(text) for text in request.POST.get(name, "").split() if text.isdecimal()]
        if seats:
            mark_attendance(acting=acting, round_=round_, seats=seats, here=here)
            named = seats[0]
    table = round_.tables.filter(seats=named).first()
    return redirect(f"{back}#table-{table.number}" if table else back)


def _done(form: forms.Form, act: Callable[[], object]) -> bool:
    """Whether the form was right and `act` did it; what is wrong becomes the form's."""
    if not form.is_valid():
        return False
    try:
        act()
    except NotAllowed:
        raise
    except DomainError as error:
        form.add_error(None, str(error))
        return False
    return True


def _tables(round_: Round) -> list[Any]:
    return list(round_.tables.filter(state__in=BEGUN).order_by("number"))


def _clock_page(
    request: HttpRequest,
    competition: Competition,
    acting: Acting,
    round_: Round,
    *,
    form: ClockForm | None = None,
    more: ExtraTimeForm | None = None,
) -> HttpResponse:
    tables = _tables(round_)
    wrong = (form is not None and form.errors) or (more is not None and more.errors)
    context = {
        "competition": competition,
        "round": round_,
        "clock": clock_of(round_),
        "now": timezone.now(),
        "form": form or ClockForm(initial={"minutes": round_.minutes}),
        "more": more or ExtraTimeForm(tables=tables),
        "extras": ExtraTime.objects.filter(table__round=round_, voided_at=None)
        .select_related("table", "author", "link")
        .order_by("table__number", "pk"),
        "has_tables": bool(tables),
        "is_on": round_.state in BEGUN,
        "may_start": leads(acting),
        "may_give": referees(acting),
        "may_ring": is_chief(acting),
        "rung": still_called(round_) if is_chief(acting) else [],
        "who": "" if acting.user_id else _("裁判链接"),
    }
    return render(request, "referee/clock.html", context, status=422 if wrong else 200)
