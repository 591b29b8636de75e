"""The referee's home: who calls, what waits, every table of the rounds under way."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from scoring.domain.closing import finalize_round
from scoring.overview import ONLY, SORTS, chosen, tally
from scoring.queries_desk import desk_rounds, desk_version
from tournament.acting import Acting
from tournament.enums import Role, State
from tournament.models import Competition
from tournament.permissions import checks_in, demand, is_chief, leads, referees
from tournament.queries.duties import duties
from tournament.views.access import get_competition, get_round


@never_cache
@require_safe
def desk(request: HttpRequest, code: str, part: str = "") -> HttpResponse:
    """Every table of the rounds under way: state, hands done, what waits. `?only=` and `?sort=`
    choose among them; a poll with the current version gets 204."""
    competition, acting = get_competition(request, code)
    demand(referees(acting) or leads(acting), Role.REFEREE, Role.CHIEF)
    version = desk_version(competition, timezone.now())
    if part and request.GET.get("v") == version:
        return HttpResponse(status=204)
    with timezone.override(competition.tz):
        context = _context(request, competition, acting)
        context["version"] = version
        response = render(request, f"referee/desk.html{part}", context)
    response["X-Version"] = version
    return response


def _context(request: HttpRequest, competition: Competition, acting: Acting) -> dict[str, Any]:
    only, sort = request.GET.get("only", ""), request.GET.get("sort", "")
    only, sort = only if only in ONLY else "", sort if sort in SORTS else ""
    now, rounds = timezone.now(), desk_rounds(competition, acting)
    home = reverse("desk", args=[competition.code])
    lines = [line for group in rounds for line in group.tables]
    answered = request.GET.get("answered", "")
    return {
        "competition": competition,
        "groups": chosen(rounds, now, only, sort),
        "has_tables": bool(lines),
        "has_several": len({group.round.stage.event_id for group in rounds}) > 1,
        "duties": duties(competition, acting.user_id),
        "calls": sorted(
            (line for line in lines if line.call),
            key=lambda line: line.call.called_at if line.call else now,
        ),
        "tally": [
            {"one": one, "url": _url(home, one.key, sort), "current": one.key == only}
            for one in tally(rounds, now)
        ],
        "sorts": [
            {"label": label, "url": _url(home, only, key), "current": key == (sort or "table")}
            for key, (label, _order) in SORTS.items()
        ],
        "all_url": _url(home, "", sort),
        "only": only,
        "over": {line.table.pk for line in lines if line.is_over(now)},
        "now": now,
        "live_url": _url(reverse("desk_live", args=[competition.code]), only, sort),
        "answered": answered if answered.isdecimal() else "",
        "is_chief": is_chief(acting),
        "is_leader": leads(acting),
        "is_referee": referees(acting),
        "has_tokens": acting.user_id is not None and checks_in(acting),
        "who": "" if acting.user_id else _("裁判链接"),
        "confirmed_state": State.CONFIRMED,
    }


def _url(address: str, only: str, sort: str) -> str:
    query = {"only": only, "sort": "" if sort == "table" else sort}
    asked = urlencode({key: value for key, value in query.items() if value})
    return f"{address}?{asked}" if asked else address


@never_cache
@require_POST
def round_final(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """The chief referee declares the last round final (C7.1)."""
    competition, acting = get_competition(request, code)
    finalize_round(acting=acting, round_=get_round(competition, pk))
    messages.success(request, _("最后一轮已定局。"))
    return redirect("desk", code)
