"""The events of a competition: added, renamed, put in order, removed; who plays in which."""

from __future__ import annotations

from django.contrib import messages
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournament.acting import Acting
from tournament.domain.events import (
    add_event,
    change_event,
    make_unit_competition,
    move_event,
    remove_event,
    set_events_limit,
)
from tournament.domain.playing import (
    events_of,
    lone,
    pair_by_unit,
    pair_up,
    part_pair,
    set_events,
)
from tournament.enums import EntrantStatus, StageKind
from tournament.forms.events import (
    ChangeEventForm,
    EntryEventsForm,
    EventForm,
    LimitForm,
    PairForm,
)
from tournament.models import Competition, Entrant, Event
from tournament.permissions import organizes
from tournament.queries.organizer import main_stage
from tournament.views.organizer.common import attempt, page_of, settings_tabs, tabs

GET_OR_POST = ["GET", "HEAD", "POST"]


@page_of(organizes)
@require_http_methods(GET_OR_POST)
def events(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """The events in order; POST adds one."""
    form = EventForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        terms = form.terms()
        made = attempt(
            form, lambda: add_event(acting=acting, competition=competition, terms=terms), None
        )
        if made is not None:
            messages.success(request, _("已添加“%(name)s”。") % {"name": made.name})
            return redirect("manage_events", competition.code)
    return _events(request, competition, acting, form=form)


def _events(
    request: HttpRequest,
    competition: Competition,
    acting: Acting,
    *,
    form: EventForm | None = None,
    limit_form: LimitForm | None = None,
) -> HttpResponse:
    playing = ~Q(entrants__status=EntrantStatus.WITHDRAWN)
    found = list(
        competition.events.annotate(here=Count("entrants", filter=playing)).order_by(
            "position", "pk"
        )
    )
    limit = LimitForm(initial={"limit": competition.events_limit})
    bad = any(one is not None and one.errors for one in (form, limit_form))
    return render(
        request,
        "organizer/events.html",
        {
            "competition": competition,
            "events": found,
            "form": form or EventForm(),
            "limit_form": limit_form or limit,
            "can_be_units": not any(one.here for one in found),
            "tabs": tabs(competition, acting, "manage_settings"),
            "subtabs": settings_tabs(competition, "manage_events"),
        },
        status=400 if bad else 200,
    )


@page_of(organizes)
@require_POST
def limit(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """How many events one entry may play in."""
    form = LimitForm(request.POST)
    if form.is_valid():
        most = form.cleaned_data["limit"]
        attempt(
            form,
            lambda: set_events_limit(acting=acting, competition=competition, limit=most),
            "limit",
        )
    if form.errors:
        return _events(request, competition, acting, limit_form=form)
    messages.success(request, _("已保存。"))
    return redirect("manage_events", competition.code)


@page_of(organizes)
@require_POST
def units(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """The preset 单位赛."""
    make_unit_competition(acting=acting, competition=competition)
    messages.success(request, _("单位赛建好了：字牌、象棋、双升，各奖前三名。"))
    return redirect("manage_events", competition.code)


@page_of(organizes)
@require_http_methods(GET_OR_POST)
def event(request: HttpRequest, competition: Competition, acting: Acting, pk: int) -> HttpResponse:
    """One event to change."""
    found = _event(competition, pk)
    stage = found.stages.get(kind=StageKind.KNOCKOUT)
    form = ChangeEventForm(request.POST or None, event=found, stage=stage)
    if request.method == "POST" and form.is_valid():
        terms = form.terms()
        attempt(form, lambda: change_event(acting=acting, event=found, terms=terms))
        if not form.errors:
            messages.success(request, _("已保存。"))
            return redirect("manage_events", competition.code)
    context = {
        "competition": competition,
        "event": found,
        "form": form,
        "tabs": tabs(competition, acting, "manage_settings"),
        "subtabs": settings_tabs(competition, "manage_events"),
    }
    return render(request, "organizer/event.html", context, status=400 if form.errors else 200)


@page_of(organizes)
@require_POST
def move(request: HttpRequest, competition: Competition, acting: Acting, pk: int) -> HttpResponse:
    """Earlier or later in the order."""
    move_event(acting=acting, event=_event(competition, pk), earlier="earlier" in request.POST)
    return redirect("manage_events", competition.code)


@page_of(organizes)
@require_POST
def remove(request: HttpRequest, competition: Competition, acting: Acting, pk: int) -> HttpResponse:
    """The event goes."""
    found = _event(competition, pk)
    remove_event(acting=acting, event=found)
    messages.success(request, _("已删除“%(name)s”。") % {"name": found.name})
    return redirect("manage_events", competition.code)


@page_of(organizes)
@require_http_methods(GET_OR_POST)
def entry_events(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """In which events an entry plays."""
    entry = competition.entries.select_related("person", "competition").filter(pk=pk).first()
    if entry is None:
        raise Http404(pk)
    chosen = events_of(entry) or list(entry.wants.values_list("pk", flat=True))
    form = EntryEventsForm(
        request.POST or None,
        events=competition.events.order_by("position", "pk"),
        limit=competition.events_limit,
        initial={"events": chosen},
    )
    if request.method == "POST" and form.is_valid():
        wanted = list(form.cleaned_data["events"])
        attempt(form, lambda: set_events(acting=acting, entry=entry, events=wanted), "events")
        if not form.errors:
            messages.success(request, _("已保存。"))
            return redirect("manage_entrants", competition.code)
    context = {
        "competition": competition,
        "entry": entry,
        "form": form,
        "tabs": tabs(competition, acting, "manage_entrants"),
    }
    return render(
        request, "organizer/entry_events.html", context, status=400 if form.errors else 200
    )


@page_of(organizes)
@require_http_methods(GET_OR_POST)
def pairs(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Who plays with whom in an event of pairs."""
    event = main_stage(competition).event
    if not event.is_pairs:
        raise Http404(event.pk)
    alone = lone(event)
    form = PairForm(request.POST if "pair" in request.POST else None, lone=alone)
    if request.method == "POST":
        if "units" in request.POST:
            made = pair_by_unit(acting=acting, event=event)
            messages.success(request, _("配成了 %(n)d 对。") % {"n": made})
            return redirect("manage_pairs", competition.code)
        if "part" in request.POST:
            pk = request.POST["part"]
            part_pair(acting=acting, entrant=_entrant(event, pk))
            messages.success(request, _("已拆开。"))
            return redirect("manage_pairs", competition.code)
        if form.is_valid():
            by_pk = {one.pk: one for one in alone}
            first, second = (by_pk[form.cleaned_data[name]] for name in ("first", "second"))
            attempt(form, lambda: pair_up(acting=acting, entrant=first, partner=second), "second")
            if not form.errors:
                messages.success(request, _("配好了。"))
                return redirect("manage_pairs", competition.code)
    found = (
        event.entrants.exclude(partner=None)
        .filter(status=EntrantStatus.IN)
        .select_related("entry__person", "partner__person")
        .order_by("entry__number", "pk")
    )
    context = {
        "competition": competition,
        "event": event,
        "form": form,
        "alone": alone,
        "pairs": found,
        "tabs": tabs(competition, acting, "manage_entrants"),
    }
    return render(request, "organizer/pairs.html", context, status=400 if form.errors else 200)


def _event(competition: Competition, pk: int) -> Event:
    found = competition.events.filter(pk=pk).first()
    if found is None:
        raise Http404(pk)
    found.competition = competition
    return found


def _entrant(event: Event, pk: str) -> Entrant:
    found = None
    if pk.isdecimal() and len(pk) < 12:
        found = event.entrants.select_related("event__competition").filter(pk=int(pk)).first()
    if found is None:
        raise Http404(pk)
    return found
