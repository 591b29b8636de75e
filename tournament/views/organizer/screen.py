"""The hall's screen from the organizer's or chief referee's device: what rotates, the ceremony."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import DomainError
from tournament.acting import Acting
from tournament.domain.screen import (
    begin_ceremony,
    end_ceremony,
    move_ceremony,
    set_screen,
    settings_of,
    steps_of,
)
from tournament.enums import ScreenPart
from tournament.forms.screen import CeremonyForm, ScreenForm
from tournament.models import Competition
from tournament.permissions import leads
from tournament.queries.screen import draws_to_show
from tournament.views.organizer.common import attempt, page_of, tabs


@page_of(leads)
@require_http_methods(["GET", "HEAD", "POST"])
def screen(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """What every screen shows."""
    settings = settings_of(competition)
    form = ScreenForm(request.POST if request.method == "POST" else None, settings=settings)
    if form.is_bound and form.is_valid():
        attempt(
            form,
            lambda: set_screen(
                acting=acting,
                competition=competition,
                parts=form.parts(),
                pinned=form.cleaned_data["pinned"],
            ),
        )
        if not form.errors:
            messages.success(request, _("已保存，几秒后大屏幕跟着换。"))
            return redirect("manage_screen", competition.code)
    return _page(request, competition, acting, form, None)


@page_of(leads)
@require_POST
def ceremony(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Begins the ceremony of a published draw."""
    settings = settings_of(competition)
    form = CeremonyForm(request.POST, draws=draws_to_show(competition), settings=settings)
    if form.is_valid():
        attempt(
            form,
            lambda: begin_ceremony(
                acting=acting,
                competition=competition,
                draw=form.cleaned_data["draw"],
                step_seconds=form.cleaned_data["step_seconds"],
                auto=form.cleaned_data["auto"],
            ),
        )
        if not form.errors:
            return redirect("manage_screen", competition.code)
    return _page(request, competition, acting, ScreenForm(settings=settings), form)


@page_of(leads)
@require_POST
def step(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Moves the ceremony on (`move`: next, back, play, pause, all) or ends it (`end`)."""
    move = request.POST.get("move")
    if move == "end":
        end_ceremony(acting=acting, competition=competition)
    elif move in ("next", "back", "play", "pause", "all"):
        move_ceremony(acting=acting, competition=competition, move=move)  # type: ignore[arg-type]
    else:
        raise DomainError(_("没有这一步，请在抽签仪式的页面上重新点。"), code="unknown-move")
    return redirect(reverse("manage_screen", args=[competition.code]) + "#ceremony")


def _page(
    request: HttpRequest,
    competition: Competition,
    acting: Acting,
    form: ScreenForm,
    begin: CeremonyForm | None,
) -> HttpResponse:
    settings = settings_of(competition)
    draws = draws_to_show(competition)
    total = steps_of(settings.draw) if settings.draw else 0
    context = {
        "competition": competition,
        "tabs": tabs(competition, acting, "manage"),
        "form": form,
        "begin": begin or (CeremonyForm(draws=draws, settings=settings) if draws else None),
        "settings": settings,
        "alone": ScreenPart.choices,
        "total": total,
        "shown": settings.steps_at(timezone.now(), total),
    }
    status = 400 if form.errors or (begin is not None and begin.errors) else 200
    return render(request, "organizer/screen.html", context, status=status)
