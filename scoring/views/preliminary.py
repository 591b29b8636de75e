"""The organizer's page of a preliminary: the seating on paper, 加赛, closed and opened again."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from scoring.domain.preliminary import (
    cancel_tie_breaks,
    close_preliminary,
    open_tie_breaks,
    reopen_preliminary,
    standing_of,
    tie_words,
)
from scoring.prelim_shown import plan_seats, seating, standings_table
from scoring.views.public import urls_of
from tournament.acting import Acting
from tournament.domain.preliminary import has_next, preliminary_of
from tournament.enums import DONE, State
from tournament.models import Competition, Stage
from tournament.permissions import leads, visible_states
from tournament.queries.organizer import main_stage
from tournament.views.organizer.common import page_of, tabs


@page_of(leads)
@require_safe
def show_preliminary(
    request: HttpRequest, competition: Competition, acting: Acting
) -> HttpResponse:
    """How the preliminary stands and what can be done next."""
    stage = _stage(competition)
    rounds = list(stage.rounds.order_by("number"))
    standing = standing_of(stage) if rounds else None
    waiting = next((one for one in rounds if one.is_tie_break and one.state not in DONE), None)
    is_done = bool(rounds) and all(one.state in DONE for one in rounds)
    ties = tie_words(standing) if standing and is_done else []
    is_closed = stage.closed_at is not None
    context = {
        "competition": competition,
        "event": stage.event,
        "stage": stage,
        "rounds": rounds,
        "is_public": any(one.state not in (State.PLANNED, State.DRAWN) for one in rounds),
        "is_closed": is_closed,
        "cut": standing.cut if standing else 0,
        "ties": ties,
        "waiting": waiting,
        "can_cancel": waiting is not None and waiting.state == State.PUBLISHED,
        "can_close": is_done and not ties and not is_closed,
        "can_reopen": is_closed and not has_next(stage.event),
        "standings": standings_table(stage, standing, urls_of(competition), mask=False)
        if standing
        else None,
        "tabs": tabs(competition, acting, "manage_draw"),
    }
    return render(request, "organizer/preliminary.html", context)


@page_of(leads)
@require_safe
def print_seating(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """预赛总座位表 for paper: all rounds, by table and by number; a draft for who leads only."""
    stage = _stage(competition)
    context = {
        "competition": competition,
        "event": stage.event,
        "is_draft": stage.rounds.filter(state__in=(State.PLANNED, State.DRAWN)).exists(),
        "seating": seating(plan_seats(stage, visible_states(acting), mask=False), None),
        "edition": f"{competition.name} · {stage.event.name}",
        "printed_at": timezone.now(),
    }
    return render(request, "print/seating.html", context)


@page_of(leads)
@require_POST
def close(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """The preliminary is over."""
    going = close_preliminary(acting=acting, stage=_stage(competition))
    words = ngettext("预赛结束，%(n)d 人进淘汰赛。", "预赛结束，%(n)d 人进淘汰赛。", len(going)) % {
        "n": len(going)
    }
    messages.success(request, words)
    return redirect("manage_preliminary", competition.code)


@page_of(leads)
@require_POST
def reopen(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """It is not over after all."""
    reopen_preliminary(acting=acting, stage=_stage(competition))
    messages.success(request, _("预赛重新打开了。"))
    return redirect("manage_preliminary", competition.code)


@page_of(leads)
@require_POST
def tie_break(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """A table of 加赛 for each tie at a line."""
    open_tie_breaks(acting=acting, stage=_stage(competition))
    messages.success(request, _("加赛桌已排好，裁判台上可以记分了。"))
    return redirect("manage_preliminary", competition.code)


@page_of(leads)
@require_POST
def no_tie_break(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """The 加赛 that nobody has begun is taken back."""
    round_ = _stage(competition).rounds.filter(is_tie_break=True).exclude(state__in=DONE).first()
    if round_ is None:
        raise Http404(competition.code)
    cancel_tie_breaks(acting=acting, round_=round_)
    messages.success(request, _("加赛已撤销。"))
    return redirect("manage_preliminary", competition.code)


def _stage(competition: Competition) -> Stage:
    """The preliminary of the event that the page is about. Raises `Http404`."""
    event = main_stage(competition).event
    stage = preliminary_of(event)
    if stage is None:
        raise Http404(competition.code)
    stage.event = event
    return stage
