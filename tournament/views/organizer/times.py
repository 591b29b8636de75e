"""When rounds begin."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import Conflict
from tournament.acting import Acting
from tournament.domain.publications import ClashesUnseen, publish_schedule, unpublish_schedule
from tournament.domain.schedule import (
    RoundsOutOfOrder,
    in_order,
    set_round_times,
    unpublished_times,
)
from tournament.enums import BEFORE_PLAY
from tournament.forms.times import RoundTimesForm, field_of
from tournament.models import Competition, Round
from tournament.permissions import leads
from tournament.views.organizer.common import page_of, tabs


@page_of(leads)
@require_http_methods(["GET", "HEAD", "POST"])
def times(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """The start of each round, of all events."""
    rounds = _rounds(competition)
    several = len({one.stage.event_id for one in rounds}) > 1
    sent = request.POST if request.method == "POST" else None
    form = RoundTimesForm(sent, rounds=rounds, several=several)
    if form.is_bound and form.is_valid():
        try:
            set_round_times(
                acting=acting,
                competition=competition,
                times=form.times(),
            )
        except RoundsOutOfOrder as error:
            form.add_error(field_of(error.round_id), str(error))
        except Conflict as error:
            form.add_error(None, str(error))
        if not form.errors and "publish" in request.POST:
            return _publish(request, competition, acting)
        if not form.errors:
            messages.success(request, _("已保存，还没有公布。"))
            return redirect("manage_times", competition.code)
    context = {
        "competition": competition,
        "form": form,
        "rounds": rounds,
        "is_unpublished": unpublished_times(competition),
        "is_public": any(one.public_starts_at and one.state in BEFORE_PLAY for one in rounds),
        "tabs": tabs(competition, acting, "manage_schedule"),
    }
    status = 400 if form.errors else 200
    return render(request, "organizer/times.html", context, status=status)


@page_of(leads)
@require_POST
def unpublish(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Takes the public times of rounds to come back."""
    unpublish_schedule(acting=acting, competition=competition)
    messages.success(request, _("公布的日程已收回，排好的还在这里。"))
    return redirect("manage_schedule", competition.code)


def _publish(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Publishes what is saved; where tables clash, they are shown first."""
    try:
        publish_schedule(acting=acting, competition=competition)
    except ClashesUnseen as error:
        messages.warning(request, str(error))
        return redirect("manage_schedule", competition.code)
    messages.success(request, _("已公布。秩序册、选手页和日历已经更新。"))
    return redirect("manage", competition.code)


def _rounds(competition: Competition) -> list[Round]:
    """The rounds of each event in order, with their stage and event."""
    found = []
    for event in competition.events.order_by("position", "pk"):
        for round_ in in_order(event):
            round_.stage.event = event
            found.append(round_)
    return found
