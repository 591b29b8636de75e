"""Choosing an event's format: preliminary, tables, style, lengths, prizes, with their figures."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tournament.acting import Acting
from tournament.domain.formats import format_of, is_fixed, set_format
from tournament.enums import Discipline
from tournament.forms.formats import FormatForm
from tournament.forms.planner import STYLES
from tournament.models import Competition
from tournament.pairing.planner import Game
from tournament.permissions import organizes
from tournament.queries.draws import entrants_to_draw
from tournament.queries.formats import figures
from tournament.queries.organizer import main_stage, organized_by
from tournament.views.organizer.common import attempt, page_of, settings_tabs, tabs


@page_of(organizes)
@require_http_methods(["GET", "HEAD", "POST"])
def show_format(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """The format with its figures; an address of the planner fills the form in. To htmx the
    figures alone."""
    stage = main_stage(competition)
    entrants = entrants_to_draw(stage.event)
    stands = format_of(stage)
    sent = request.POST if request.method == "POST" else request.GET
    form = FormatForm(sent or None, stands=stands, entrants=entrants)
    is_good = form.is_valid()
    if request.method == "POST" and is_good:
        wanted, count = form.wanted(), form.cleaned_data["n"]
        attempt(form, lambda: set_format(acting=acting, stage=stage, wanted=wanted, entrants=count))
        if not form.errors:
            messages.success(request, _("赛制已保存。"))
            return redirect("manage_format", competition.code)
    game = Game.ZIPAI if stage.event.discipline == Discipline.ZIPAI else Game.CHESS
    is_kept = is_good and not form.errors
    context = {
        "competition": competition,
        "form": form,
        "entrants": entrants,
        "is_fixed": is_fixed(stage.event),
        "is_new": is_kept and form.wanted() != stands,
        "figures": figures(form.wanted(), form.cleaned_data["n"], game, styles=STYLES)
        if is_good
        else None,
        "tabs": tabs(competition, acting, "manage_settings"),
        "subtabs": settings_tabs(competition, "manage_format"),
    }
    part = "#figures" if request.headers.get("HX-Request") else ""
    status = 400 if form.errors and not part else 200
    return render(request, f"organizer/format.html{part}", context, status=status)


@never_cache
@login_required
@require_safe
def choose_competition(request: HttpRequest) -> HttpResponse:
    """One's competitions whose draw is still to come, for which a plan of the planner is taken."""
    assert request.user.pk is not None
    context = {
        "competitions": organized_by(request.user.pk)[:200],
        "query": request.GET.urlencode(),
    }
    return render(request, "organizer/format_into.html", context)
