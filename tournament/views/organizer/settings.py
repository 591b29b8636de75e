"""A competition's data, rules, how tables play, regulations."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from engine.rules import PRESETS
from tournament.acting import Acting
from tournament.domain.competitions import change_competition, write_regulation
from tournament.domain.settings import set_play, set_rules
from tournament.enums import Discipline
from tournament.forms.competitions import ZONES, CompetitionForm, PlayForm, RegulationForm
from tournament.forms.rules import RulesForm, points_to_confirm, preset_choices
from tournament.models import Competition
from tournament.permissions import organizes
from tournament.queries.organizer import main_stage
from tournament.views.organizer.common import attempt, page_of, settings_tabs, tabs

GET_OR_POST = ["GET", "HEAD", "POST"]


@page_of(organizes)
@require_http_methods(GET_OR_POST)
def data(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Name, dates, place, time zone, capacity …"""
    name = competition.name
    form = CompetitionForm(request.POST or None, instance=competition)
    if request.method == "POST" and form.is_valid():
        details = dict(form.cleaned_data)
        attempt(
            form,
            lambda: change_competition(acting=acting, competition=competition, details=details),
        )
        if not form.errors:
            messages.success(request, _("已保存。"))
            return redirect("manage_settings", competition.code)
    competition.name = name
    return _page(request, competition, acting, "manage_settings", form, {"zones": ZONES})


@page_of(organizes)
@require_http_methods(GET_OR_POST)
def play(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Hands, minutes, who confirms, who deals, extra hands."""
    stage = main_stage(competition)
    form = PlayForm(request.POST or None, instance=main_stage(competition))
    if request.method == "POST" and form.is_valid():
        values = dict(form.cleaned_data)
        attempt(form, lambda: set_play(acting=acting, stage=stage, values=values))
        if not form.errors:
            messages.success(request, _("已保存。"))
            return redirect("manage_play", competition.code)
    return _page(request, competition, acting, "manage_play", form, {})


@page_of(organizes)
@require_http_methods(GET_OR_POST)
def rules(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """A preset with its options; `?preset=` shows another one before it is saved. What is not 字牌
    has its games and how they are counted on the event's own page."""
    event = main_stage(competition).event
    if event.discipline != Discipline.ZIPAI:
        return redirect("manage_event", competition.code, event.pk)
    wanted = request.POST.get("preset") or request.GET.get("preset") or event.preset
    preset_id = wanted if wanted in PRESETS else event.preset
    stands = event.options if preset_id == event.preset else PRESETS[preset_id].as_json()
    form = RulesForm(request.POST or None, preset_id=preset_id, options=stands)
    if request.method == "POST" and form.is_valid():
        options = form.options()
        attempt(
            form,
            lambda: set_rules(acting=acting, event=event, preset_id=preset_id, options=options),
        )
        if not form.errors:
            messages.success(request, _("规则已保存。"))
            return redirect("manage_rules", competition.code)
    context = {
        "event": event,
        "presets": preset_choices(),
        "preset_id": preset_id,
        "is_other": preset_id != event.preset,
        "points": points_to_confirm(preset_id),
    }
    return _page(request, competition, acting, "manage_rules", form, context)


@page_of(organizes)
@require_http_methods(GET_OR_POST)
def regulation(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """The newest 竞赛规程 to change, and the earlier versions."""
    versions = list(competition.regulations.select_related("author").order_by("-version"))
    form = RegulationForm(
        request.POST or None, initial={"text": versions[0].text if versions else ""}
    )
    if request.method == "POST" and form.is_valid():
        text = form.cleaned_data["text"]
        written = attempt(
            form,
            lambda: write_regulation(acting=acting, competition=competition, text=text),
            "text",
        )
        if written is not None:
            messages.success(request, _("已保存为第 %(n)d 版。") % {"n": written.version})
            return redirect("manage_regulation", competition.code)
    return _page(request, competition, acting, "manage_regulation", form, {"versions": versions})


def _page(
    request: HttpRequest,
    competition: Competition,
    acting: Acting,
    name: str,
    form: CompetitionForm | PlayForm | RulesForm | RegulationForm,
    context: dict[str, object],
) -> HttpResponse:
    shared = {
        "competition": competition,
        "form": form,
        "tabs": tabs(competition, acting, "manage_settings"),
        "subtabs": settings_tabs(competition, name),
    }
    template = f"organizer/{name.removeprefix('manage_')}.html"
    return render(request, template, {**shared, **context}, status=400 if form.errors else 200)
