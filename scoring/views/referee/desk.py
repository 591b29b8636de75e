"""The referee's home: the tables that can be played or wait for something."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from scoring.domain.closing import finalize_round
from scoring.queries import desk_rounds
from tournament.enums import Role, State
from tournament.models import Round
from tournament.permissions import demand, is_chief, leads, referees
from tournament.views.access import get_competition


@never_cache
@require_safe
def desk(request: HttpRequest, code: str) -> HttpResponse:
    """Every table of the rounds under way: state, hands done, what waits."""
    competition, acting = get_competition(request, code)
    demand(referees(acting) or leads(acting), Role.REFEREE, Role.CHIEF)
    rounds = desk_rounds(competition, acting)
    waiting = [
        line
        for group in rounds
        for line in group.tables
        if line.flagged or line.protests or line.sheet_state == "submitted"
    ]
    context = {
        "competition": competition,
        "rounds": rounds,
        "waiting": waiting,
        "is_chief": is_chief(acting),
        "is_leader": leads(acting),
        "who": "" if acting.user_id else _("裁判链接"),
        "confirmed_state": State.CONFIRMED,
    }
    with timezone.override(competition.tz):
        return render(request, "referee/desk.html", context)


@never_cache
@require_POST
def round_final(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """The chief referee declares the last round final (C7.1)."""
    competition, acting = get_competition(request, code)
    round_ = Round.objects.filter(pk=pk, stage__event__competition=competition).first()
    if round_ is None:
        raise Http404(pk)
    finalize_round(acting=acting, round_=round_)
    messages.success(request, _("最后一轮已定局。"))
    return redirect("desk", code)
