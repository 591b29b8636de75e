"""Announcements (公告): written, changed, withdrawn, put back."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournament.acting import Acting
from tournament.domain.announcements import (
    announce,
    change_announcement,
    restore_announcement,
    withdraw_announcement,
)
from tournament.forms.announcements import AnnouncementForm
from tournament.models import Announcement, Competition
from tournament.permissions import leads
from tournament.queries.announcements import all_announcements
from tournament.views.organizer.common import attempt, page_of, tabs

MOST_LISTED = 200


@page_of(leads)
@require_http_methods(["GET", "HEAD", "POST"])
def announcements(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """All of them, and the form for a new one."""
    form = AnnouncementForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        values = dict(form.cleaned_data)
        attempt(form, lambda: announce(acting=acting, competition=competition, values=values))
        if not form.errors:
            messages.success(request, _("已保存。"))
            return redirect("manage_announcements", competition.code)
    context = {
        "competition": competition,
        "form": form,
        "announcements": all_announcements(competition)[:MOST_LISTED],
        "now": timezone.now(),
        "tabs": tabs(competition, acting, "manage_announcements"),
    }
    return _page(request, "organizer/announcements.html", context, form)


@page_of(leads)
@require_http_methods(["GET", "HEAD", "POST"])
def announcement(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """Changes one."""
    found = _announcement(competition, pk)
    form = AnnouncementForm(request.POST if request.method == "POST" else None, instance=found)
    if request.method == "POST" and form.is_valid():
        values = dict(form.cleaned_data)
        attempt(form, lambda: change_announcement(acting=acting, announcement=found, values=values))
        if not form.errors:
            messages.success(request, _("已保存。"))
            return redirect("manage_announcements", competition.code)
    context = {
        "competition": competition,
        "form": form,
        "announcement": found,
        "tabs": tabs(competition, acting, "manage_announcements"),
    }
    return _page(request, "organizer/announcement.html", context, form)


@page_of(leads)
@require_POST
def withdraw(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """Nobody sees it any more, until it is put back."""
    withdraw_announcement(acting=acting, announcement=_announcement(competition, pk))
    messages.success(request, _("公告已收回。"))
    return redirect("manage_announcements", competition.code)


@page_of(leads)
@require_POST
def restore(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """It is out again."""
    restore_announcement(acting=acting, announcement=_announcement(competition, pk))
    messages.success(request, _("公告已恢复。"))
    return redirect("manage_announcements", competition.code)


def _announcement(competition: Competition, pk: int) -> Announcement:
    found = Announcement.objects.filter(competition=competition, pk=pk).first()
    if found is None:
        raise Http404(pk)
    return found


def _page(
    request: HttpRequest, template: str, context: dict[str, object], form: AnnouncementForm
) -> HttpResponse:
    return render(request, template, context, status=400 if form.errors else 200)
