"""The chief referee's pages of rejudging (C11): propose, see the differences, decide."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import DomainError
from engine import __version__ as engine_version
from engine.options import OPTIONS
from engine.rules import PRESET_TITLES, PRESETS, preset
from scoring.domain.rejudge_decisions import apply_rejudge, dismiss_rejudge
from scoring.domain.rejudging import (
    has_older_engine,
    propose_rejudge,
    read_effects,
    recompute_rejudge,
)
from scoring.enums import RejudgeState
from scoring.forms.rejudge import DecisionForm
from scoring.models import Rejudge, RejudgedHand, RejudgedTable
from scoring.queries_rejudge import differences, frozen_events, in_force, rejudges_of
from scoring.views.referee.pages import effect_sentences
from tournament.acting import Acting
from tournament.enums import Role
from tournament.forms.rules import RulesForm, preset_choices, spoken
from tournament.models import Competition, Event
from tournament.permissions import NotAllowed, demand, is_chief
from tournament.views.access import get_competition

ON_A_PAGE = 20
"""Tables on a page of differences."""


@never_cache
@require_safe
def rejudges(request: HttpRequest, code: str) -> HttpResponse:
    """The events' rules in force, what can be proposed, and the rejudges so far."""
    competition, _acting = _get(request, code)
    events = [
        {
            "event": event,
            "title": spoken(PRESET_TITLES[event.preset]),
            "in_force": in_force(event),
            "is_older": has_older_engine(event),
        }
        for event in frozen_events(competition)
    ]
    found = list(rejudges_of(competition))
    waiting = {rejudge.event_id for rejudge in found if rejudge.is_open}
    return _render(
        request, competition, "referee/rejudges.html",
        events=events, rejudges=found, waiting=waiting, engine_version=engine_version,
    )  # fmt: skip


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def propose(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """The rules' form; `?preset=` shows another preset before it is proposed."""
    competition, acting = _get(request, code)
    event = _event(competition, pk)
    wanted = request.POST.get("preset") or request.GET.get("preset") or event.preset
    preset_id = wanted if wanted in PRESETS else event.preset
    stands = event.options if preset_id == event.preset else PRESETS[preset_id].as_json()
    form = RulesForm(request.POST or None, preset_id=preset_id, options=stands)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                made = propose_rejudge(
                    acting=acting, event=event, preset_id=preset_id, options=form.options()
                )
            except NotAllowed:
                raise
            except DomainError as error:
                form.add_error(None, str(error))
                status = error.status
            else:
                return redirect("rejudge", code, made.pk)
    return _render(
        request, competition, "referee/rejudge_propose.html", status=status,
        event=event, form=form, presets=preset_choices(), preset_id=preset_id,
        is_other=preset_id != event.preset,
    )  # fmt: skip


@never_cache
@require_POST
def propose_engine(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """The same rules, counted by the engine of today."""
    competition, acting = _get(request, code)
    event = _event(competition, pk)
    made = propose_rejudge(
        acting=acting, event=event, preset_id=event.preset, options=event.options
    )
    return redirect("rejudge", code, made.pk)


@never_cache
@require_safe
def show(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """Progress while it is computed, then the differences. `?v=` asks for the progress alone and
    gets 204 while nothing is new."""
    competition, _acting = _get(request, code)
    rejudge = _rejudge(competition, pk)
    job = rejudge.job
    is_failed = rejudge.state == RejudgeState.COMPUTING and (job is None or job.is_undone)
    is_waiting = rejudge.state == RejudgeState.COMPUTING and not is_failed
    version = f"{rejudge.state}-{job.done if job else 0}-{int(is_failed)}"
    asked = request.GET.get("v")
    context: dict[str, Any] = {"version": version, "is_failed": is_failed}
    if asked is not None:
        if asked == version and is_waiting:
            return HttpResponse(status=204)
        context |= {"competition": competition, "rejudge": rejudge}
        answer = render(request, "referee/rejudge.html#progress", context)
        answer["X-Version"] = version
        answer.status_code = 200 if is_waiting else 286
        return answer
    return _page(request, competition, rejudge, DecisionForm(), **context)


@never_cache
@require_POST
def apply(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """All of it counts."""
    return _decide(request, code, pk, apply_rejudge, _("已采用，规则和记分都已换过。"))


@never_cache
@require_POST
def dismiss(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """None of it counts."""
    return _decide(request, code, pk, dismiss_rejudge, _("已放弃，什么都没有改。"))


@never_cache
@require_POST
def again(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """The differences computed anew."""
    competition, acting = _get(request, code)
    recompute_rejudge(acting=acting, rejudge=_rejudge(competition, pk))
    return redirect("rejudge", code, pk)


def _decide(
    request: HttpRequest, code: str, pk: int, act: Callable[..., Rejudge], done: str
) -> HttpResponse:
    competition, acting = _get(request, code)
    rejudge = _rejudge(competition, pk)
    form = DecisionForm(request.POST)
    status = 422
    if form.is_valid():
        try:
            act(acting=acting, rejudge=rejudge, reason=form.cleaned_data["reason"])
        except NotAllowed:
            raise
        except DomainError as error:
            form.add_error(None, str(error))
            status = error.status
        else:
            messages.success(request, done)
            return redirect("rejudge", code, pk)
    return _page(request, competition, _rejudge(competition, pk), form, status=status)


def _page(
    request: HttpRequest,
    competition: Competition,
    rejudge: Rejudge,
    form: DecisionForm,
    *,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    page = Paginator(differences(rejudge), ON_A_PAGE).get_page(request.GET.get("page"))
    context |= {
        "rejudge": rejudge,
        "form": form,
        "options": _options(rejudge),
        "title": spoken(PRESET_TITLES[rejudge.preset]),
        "page_obj": page,
        "tables": [_shown(row) for row in page],
    }
    return _render(request, competition, "referee/rejudge.html", status=status, **context)


def _options(rejudge: Rejudge) -> list[dict[str, str]]:
    """The options that differ, as people read them."""
    before = preset(rejudge.before_preset).with_options(rejudge.before_options)
    after = preset(rejudge.preset).with_options(rejudge.options)
    old = before.options()
    return [
        {
            "label": spoken((OPTIONS[name].zh, OPTIONS[name].en)),
            "rule": OPTIONS[name].rule,
            "before": spoken(OPTIONS[name].describe(old[name])),
            "after": spoken(OPTIONS[name].describe(value)),
        }
        for name, value in after.differences(before).items()
        if name != "seats"
    ]


def _shown(row: RejudgedTable) -> dict[str, Any]:
    seats = list(row.table.seats.all())
    names = {seat.entrant_id: seat.entrant.name for seat in seats if seat.entrant is not None}
    return {
        "row": row,
        "table": row.table,
        "seats": [
            {
                "name": seat.entrant.name if seat.entrant else seat.word_for_nobody,
                "before": row.nets_before[seat.position],
                "after": row.nets_after[seat.position],
            }
            for seat in seats
        ],
        "effects": effect_sentences(names, read_effects(row.effects)) if row.effects else [],
        "hands": [_shown_hand(hand, len(seats)) for hand in row.hands.all()],
    }


def _shown_hand(hand: RejudgedHand, seats: int) -> dict[str, Any]:
    """Old and new 胡 and points; the sentence of one that is not legal any more."""
    old, new = hand.version, hand.after or {}
    return {
        "number": old.hand.number,
        "is_extra": old.hand.is_extra,
        "hu": (old.hu, new.get("hu", old.hu)),
        "seats": list(zip(old.deltas, new.get("deltas", old.deltas), strict=True))[:seats],
        "sentence": spoken((hand.sentence_zh, hand.sentence_en)),
    }


def _get(request: HttpRequest, code: str) -> tuple[Competition, Acting]:
    competition, acting = get_competition(request, code)
    demand(is_chief(acting), Role.CHIEF)
    return competition, acting


def _event(competition: Competition, pk: int) -> Event:
    for event in frozen_events(competition):
        if event.pk == pk:
            return event
    raise Http404(pk)


def _rejudge(competition: Competition, pk: int) -> Rejudge:
    found = rejudges_of(competition).filter(pk=pk).first()
    if found is None:
        raise Http404(pk)
    return found


def _render(
    request: HttpRequest,
    competition: Competition,
    template: str,
    *,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    context["competition"] = competition
    with timezone.override(competition.tz):
        return render(request, template, context, status=status)
