"""Personal data: what is stored, to take away, to delete, and when it goes by itself."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core import bodies
from core.api.problems import TooMuch
from core.domain.accounts import operates_alone
from core.errors import DomainError
from core.models import User
from core.pace import spend
from scoring.domain.erasing import erase_person
from scoring.domain.own_account import close_account
from scoring.domain.purging import undecided
from scoring.exports.own_account import account_data
from scoring.exports.personal import as_json, personal_data
from scoring.forms.privacy import KeepDaysForm, PutOffForm, SureForm
from tournament.acting import Acting
from tournament.domain.erasing import may_leave
from tournament.domain.keeping import day_of, put_off, set_keep_days
from tournament.domain.own_account import alone_in
from tournament.domain.phones import note_personal_export
from tournament.keeping import KEEP_DAYS
from tournament.models import Competition, Entry
from tournament.permissions import organizes, owns
from tournament.views.organizer.common import attempt, page_of, settings_tabs, tabs
from tournament.views.registration import own

GET_OR_POST = ["GET", "HEAD", "POST"]
COST = 12
"""Units of a person's file (`core.pace`): ten a minute for one browser."""


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What is stored of players, why, who sees it, how long."""

    def body(version: str) -> str:
        return render_to_string("public/privacy.html", {"keep_days": KEEP_DAYS}, request=request)

    return bodies.respond(request, "privacy", [], body)


@own
@require_safe
def own_data(
    request: HttpRequest, competition: Competition, acting: Acting, entry: Entry
) -> HttpResponse:
    """Everything stored of him, to take away; it is read from all of his events' sheets."""
    if wait := spend(request, COST):
        raise TooMuch(wait)
    return _file(personal_data(entry), f"{competition.code}-{entry.number or entry.pk}")


@own
@require_http_methods(GET_OR_POST)
def own_erase(
    request: HttpRequest, competition: Competition, acting: Acting, entry: Entry
) -> HttpResponse:
    """Asks once and says what stays; then his link is good for nothing more."""
    form = SureForm(request.POST if request.method == "POST" else None)
    context: dict[str, Any] = {"competition": competition, "entry": entry, "form": form}
    if request.method == "POST" and form.is_valid():
        erased = erase_person(acting=acting, entry=entry)
        context = {"competition": competition, "number": entry.number, "erased": erased}
        return render(request, "public/mine_erased.html", context)
    context["leaves"] = may_leave(entry)
    return render(request, "public/mine_erase.html", context, status=_status(form))


@page_of(organizes)
@require_POST
def entry_data(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """The same for an organizer whom somebody has asked for it; that he took it is kept."""
    entry = _entry(competition, pk)
    note_personal_export(acting=acting, entry=entry)
    return _file(personal_data(entry), f"{competition.code}-{entry.number or entry.pk}")


@page_of(organizes)
@require_http_methods(GET_OR_POST)
def entry_erase(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """An organizer erases somebody who has asked for it; `?former`: who held the entry before."""
    entry = _entry(competition, pk)
    is_former = "former" in request.GET
    person = entry.person_before if is_former else entry.person
    if person is None or person.erased_at is not None:
        raise Http404(pk)
    form = SureForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        erase_person(acting=acting, entry=entry, is_former=is_former)
        messages.success(request, _("个人信息已经删除。"))
        return redirect("manage_entrants", competition.code)
    context = {
        "competition": competition,
        "entry": entry,
        "person": person,
        "is_former": is_former,
        "leaves": not is_former and may_leave(entry),
        "form": form,
        "tabs": tabs(competition, acting, "manage_entrants"),
    }
    return render(request, "organizer/entry_erase.html", context, status=_status(form))


@page_of(organizes)
@require_http_methods(GET_OR_POST)
def keeping(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """How long people's data are kept; the owner puts the day off."""
    data = request.POST if request.method == "POST" else None
    is_delay = data is not None and "put_off" in data
    days = KeepDaysForm(None if is_delay else data, initial={"keep_days": competition.keep_days})
    delay = PutOffForm(data if is_delay else None, initial={"until": competition.keep_until})
    if days.is_bound and days.is_valid():
        wanted = days.cleaned_data["keep_days"]
        attempt(
            days,
            lambda: set_keep_days(acting=acting, competition=competition, days=wanted),
            "keep_days",
        )
    if delay.is_bound and delay.is_valid():
        until = delay.cleaned_data["until"]
        attempt(
            delay, lambda: put_off(acting=acting, competition=competition, until=until), "until"
        )
    if data is not None and not days.errors and not delay.errors:
        messages.success(request, _("已保存。"))
        return redirect("manage_privacy", competition.code)
    context = {
        "competition": competition,
        "form": days,
        "delay": delay if owns(acting) and competition.purged_at is None else None,
        "day": day_of(competition),
        "undecided": 0 if competition.purged_at else undecided(competition),
        "tabs": tabs(competition, acting, "manage_settings"),
        "subtabs": settings_tabs(competition, "manage_privacy"),
    }
    status = 400 if days.errors or delay.errors else 200
    return render(request, "organizer/privacy.html", context, status=status)


@never_cache
@login_required
@require_safe
def own_account_data(request: HttpRequest) -> HttpResponse:
    """Everything stored of one's account, to take away."""
    user = get_object_or_404(User, pk=request.user.pk)
    return _file(account_data(user), user.username)


@never_cache
@login_required
@reauthentication_required
@require_http_methods(GET_OR_POST)
def own_account_delete(request: HttpRequest) -> HttpResponse:
    """The account goes; asked once, by somebody who has just shown that it is his."""
    user = get_object_or_404(User, pk=request.user.pk)
    form = SureForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            close_account(user=user)
        except DomainError as error:
            form.add_error(None, str(error.message))
        else:
            logout(request)
            messages.success(request, _("账号已经删除。"))
            return redirect("login")
    context = {
        "form": form,
        "alone": alone_in(user),
        "operates_alone": operates_alone(user),
    }
    return render(request, "account/delete.html", context, status=_status(form))


def _entry(competition: Competition, pk: int) -> Entry:
    found = competition.entries.select_related("person", "person_before").filter(pk=pk).first()
    if found is None:
        raise Http404(pk)
    found.competition = competition
    return found


def _file(data: dict[str, Any], name: str) -> HttpResponse:
    response = HttpResponse(as_json(data), content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(name)}.json"
    return response


def _status(form: SureForm) -> int:
    return 400 if form.errors else 200
