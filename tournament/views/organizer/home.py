"""What to do next in one competition; one's competitions; a new one."""

from __future__ import annotations

from datetime import date

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.models import User
from tournament.acting import Acting
from tournament.domain.competitions import (
    create_competition,
    publish_competition,
    unpublish_competition,
)
from tournament.domain.keeping import day_of, today_in
from tournament.enums import State
from tournament.forms.competitions import ZONES, NewCompetitionForm
from tournament.keeping import is_soon
from tournament.models import Competition
from tournament.permissions import is_chief, leads, organizes
from tournament.queries.organizer import (
    Overview,
    active_tables,
    my_competitions,
    overview,
    stage_now,
)
from tournament.views.organizer.common import page_of, tabs


@never_cache
@login_required
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """The competitions in which one has a role."""
    user = request.user
    assert user.pk is not None
    return render(
        request, "organizer/competitions.html", {"competitions": my_competitions(user.pk)[:200]}
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Name and date make a competition; whoever makes it is its owner. A plan in the address
    is carried on to its format."""
    form = NewCompetitionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        assert isinstance(request.user, User)
        data = dict(form.cleaned_data)
        competition = create_competition(
            user=request.user,
            name=data.pop("name"),
            starts_on=data.pop("starts_on"),
            also_chief=data.pop("also_chief"),
            details=data,
        )
        messages.success(request, _("比赛建好了。接下来添加选手。"))
        planned = request.GET.urlencode()
        if planned:
            return redirect(f"{reverse('manage_format', args=[competition.code])}?{planned}")
        return redirect("manage", competition.code)
    context = {"form": form, "zones": ZONES}
    return render(request, "organizer/competition_new.html", context, status=_status(form))


@page_of(leads)
@require_safe
def manage(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """The steps from registration to the end, and the tables that are on."""
    stage = stage_now(competition)
    seen = overview(stage)
    last = seen.rounds[-1].round if seen.rounds else None
    return render(
        request,
        "organizer/manage.html",
        {
            "competition": competition,
            "event": stage.event,
            "overview": seen,
            "steps": steps(competition, seen),
            "tables": active_tables(stage) if seen.is_published else [],
            "can_organize": organizes(acting),
            "purge_day": _purge_day(competition) if organizes(acting) else None,
            "last_to_finalize": last
            if last and last.is_last and last.state == State.CONFIRMED and is_chief(acting)
            else None,
            "tabs": tabs(competition, acting, "manage"),
        },
    )


def _purge_day(competition: Competition) -> date | None:
    """The day on which people's data go, where it is near."""
    day = day_of(competition)
    return day if is_soon(day, today_in(competition)) else None


@page_of(organizes)
@require_POST
def publish(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Everyone may see the competition."""
    publish_competition(acting=acting, competition=competition)
    messages.success(request, _("比赛已公布，所有人都能看到。"))
    return redirect("manage", competition.code)


@page_of(organizes)
@require_POST
def unpublish(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Hides it again."""
    unpublish_competition(acting=acting, competition=competition)
    messages.success(request, _("比赛已收回，现在只有有身份的人能看到。"))
    return redirect("manage", competition.code)


def steps(competition: Competition, seen: Overview) -> list[dict[str, object]]:
    """登记 → 抽签 → 发布 → 比赛 → 结束: each with where it stands; one of them is current."""
    played = sum(state.done for state in seen.rounds)
    tables = sum(state.tables for state in seen.rounds)
    is_over = competition.is_over
    has_last = bool(seen.rounds) and seen.rounds[-1].round.is_last
    everything = has_last and played == tables
    waits = bool(tables) and played == tables and not has_last
    done = [
        seen.is_drawn or seen.is_frozen,
        seen.is_drawn,
        competition.is_published and seen.is_published,
        everything,
        is_over,
    ]
    texts = [
        ngettext("%(n)d 名选手", "%(n)d 名选手", seen.entrants) % {"n": seen.entrants}
        + _("，已签到 %(n)d") % {"n": seen.checked_in}
        + (_("，待确认 %(n)d") % {"n": seen.pending} if seen.pending else "")
        + (_("，候补 %(n)d") % {"n": seen.waiting} if seen.waiting else ""),
        _draw_text(seen),
        _publish_text(competition, seen),
        (_("%(done)d / %(all)d 桌已确认") % {"done": played, "all": tables} if tables else "")
        + (_("，等待下一步：抽签，或结束预赛") if waits else ""),
        _("已定局") if is_over else "",
    ]
    labels = [_("登记"), _("抽签"), _("发布"), pgettext("step", "比赛"), _("结束")]
    current = done.index(False) if False in done else len(done) - 1
    return [
        {
            "key": key,
            "label": label,
            "text": text,
            "done": is_done,
            "current": index == current,
        }
        for index, (key, label, text, is_done) in enumerate(
            zip(("entries", "draw", "publish", "play", "end"), labels, texts, done, strict=True)
        )
    ]


def _draw_text(seen: Overview) -> str:
    if seen.is_frozen:
        return _("名单已冻结，等现场的话")
    if seen.draw is None:
        return ""
    return _("已抽第 %(n)d 次签") % {"n": seen.draw.number}


def _publish_text(competition: Competition, seen: Overview) -> str:
    first = _("比赛已公布") if competition.is_published else _("比赛未公布")
    second = _("签表已公布") if seen.is_published else _("签表未公布")
    return f"{first} · {second}"


def _status(form: NewCompetitionForm) -> int:
    return 400 if form.is_bound else 200
