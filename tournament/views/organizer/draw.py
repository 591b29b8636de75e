"""The draw: choose a plan, freeze, write the words down, publish; and changes afterwards."""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import DomainError
from core.queries_backups import backup_state
from tournament.acting import Acting
from tournament.domain.apart import drop_group, keep_apart
from tournament.domain.draws import (
    cancel_freeze,
    enter_words,
    field_to_draw,
    freeze_draw,
    is_again,
    met_stage,
    not_here,
    publish_draw,
    round_to_draw,
)
from tournament.domain.settings import set_plan
from tournament.enums import StageKind, State, Style
from tournament.forms.draws import (
    SIZES,
    ApartForm,
    PlanForm,
    ReasonForm,
    WordsForm,
)
from tournament.forms.planner import planner_query
from tournament.models import Competition, Draw, Stage
from tournament.permissions import Action, leads, may, organizes
from tournament.queries.apart import apart_lines
from tournament.queries.draws import (
    as_planned,
    entrants_to_draw,
    has_preliminary,
    options,
    prelim_figures,
    split_units,
    together,
)
from tournament.queries.organizer import (
    draws_of,
    main_stage,
    stage_now,
    tables_of,
)
from tournament.views.organizer.common import attempt, page_of, tabs

TABLES = 60


@page_of(leads)
@require_safe
def draw(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Where the draw stands and the next step."""
    return _page(request, competition, acting, stage_now(competition))


@page_of(organizes)
@require_POST
def plan(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Chooses one of the plans shown."""
    stage = main_stage(competition)
    form = PlanForm(request.POST)
    if not form.is_valid():
        raise DomainError(_("请从列出的编排办法里选一种。"), code="plan")
    size, advance, way = form.terms()
    set_plan(
        acting=acting,
        stage=stage,
        table_size=size,
        advance=advance,
        way=way,
        entrants=entrants_to_draw(stage.event),
    )
    messages.success(request, _("编排办法已选定。"))
    return redirect("manage_draw", competition.code)


@page_of(organizes)
@require_POST
def freeze(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Freezes the list; with a reason where there has been a draw."""
    stage = stage_now(competition)
    form = ReasonForm(request.POST)
    form.fields["reason"].required = is_again(stage)
    if form.is_valid():
        reason = form.cleaned_data["reason"]
        marks_absent = "absent" in request.POST
        attempt(
            form,
            lambda: freeze_draw(
                acting=acting, stage=stage, reason=reason, marks_absent=marks_absent
            ),
        )
    if form.errors:
        return _page(request, competition, acting, stage, redraw_form=form)
    messages.success(request, _("名单已冻结，散列值已公布。现在可以当众掷骰子、喊话。"))
    return redirect("manage_draw", competition.code)


@page_of(organizes)
@require_POST
def unfreeze(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Lets the frozen list go."""
    frozen = _frozen(stage_now(competition))
    if frozen is not None:
        cancel_freeze(acting=acting, draw=frozen)
        messages.success(request, _("已取消冻结，名单又可以改了。"))
    return redirect("manage_draw", competition.code)


@page_of(organizes)
@require_POST
def words(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """The words from the hall: this is the draw."""
    stage = stage_now(competition)
    frozen = _frozen(stage)
    if frozen is None:
        raise DomainError(_("请先冻结名单，再写现场的话。"), code="not-frozen", status=409)
    form = WordsForm(request.POST)
    if form.is_valid():
        text = form.cleaned_data["words"]
        attempt(form, lambda: enter_words(acting=acting, draw=frozen, words=text), "words")
    if form.errors:
        return _page(request, competition, acting, stage, words_form=form)
    messages.success(request, _("抽签完成。请核对签表，然后公布。"))
    return redirect("manage_draw", competition.code)


@page_of(leads)
@require_POST
def publish(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Everyone may see who sits where."""
    publish_draw(acting=acting, stage=stage_now(competition))
    messages.success(request, _("签表已公布。"))
    return redirect("manage_draw", competition.code)


@page_of(organizes)
@require_http_methods(["GET", "HEAD", "POST"])
def apart(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Groups besides the units that the draw keeps apart."""
    event = stage_now(competition).event
    form = ApartForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        attempt(form, lambda: keep_apart(acting=acting, event=event, **data))
        if not form.errors:
            messages.success(request, _("已保存。"))
            return redirect("manage_apart", competition.code)
    context = {
        "competition": competition,
        "form": form,
        "groups": competition.apart_groups.prefetch_related("entries__person"),
        "tabs": tabs(competition, acting, "manage_draw"),
    }
    return render(request, "organizer/apart.html", context, status=400 if form.errors else 200)


@page_of(organizes)
@require_POST
def drop_apart(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """A group is no more."""
    group = competition.apart_groups.filter(pk=pk).first()
    if group is None:
        raise Http404(pk)
    drop_group(acting=acting, event=stage_now(competition).event, group=group)
    messages.success(request, _("已移除。"))
    return redirect("manage_apart", competition.code)


def _frozen(stage: Stage) -> Draw | None:
    return stage.draws.filter(number__isnull=True).first()


def _page(
    request: HttpRequest,
    competition: Competition,
    acting: Acting,
    stage: Stage,
    *,
    redraw_form: ReasonForm | None = None,
    words_form: WordsForm | None = None,
) -> HttpResponse:
    all_draws = list(draws_of(stage))
    frozen = all_draws[-1] if all_draws and not all_draws[-1].is_drawn else None
    drawn = [one for one in all_draws if one.is_drawn]
    size = request.GET.get("size", "")
    size = size if size in SIZES else f"{stage.table_size}-{stage.advance}"
    table_size, advance = map(int, size.split("-"))
    rounds = list(stage.rounds.all())
    number = round_to_draw(stage)
    is_next = bool(rounds) and number > rounds[-1].number
    is_open = not rounds or stage.kind == StageKind.PRELIM
    entrants = entrants_to_draw(stage.event) if is_open else 0
    met = met_stage(stage, reason=_("重抽"))
    context: dict[str, object] = {
        "competition": competition,
        "event": stage.event,
        "stage": stage,
        "entrants": entrants,
        "frozen": frozen,
        "drawn": drawn,
        "newest": drawn[-1] if drawn else None,
        "rounds": rounds,
        "can_draw": may(acting, Action.DRAW, met),
        "can_publish": any(one.state == State.DRAWN for one in rounds)
        and may(acting, Action.PUBLISH, met),
        # Tables without a hand can be changed while others of the round play (C7.3).
        "can_change": may(acting, Action.SWAP, replace(met, has_hands=False)),
        "words_form": words_form or WordsForm(),
        "redraw_form": redraw_form or ReasonForm(),
        "tabs": tabs(competition, acting, "manage_draw"),
    }
    prelim = prelim_figures(stage, entrants)
    context["has_prelim"] = prelim is not None or has_preliminary(stage)
    if not rounds and frozen is None and prelim is not None:
        context["prelim"] = prelim
    elif not rounds and frozen is None:
        context |= {
            "options": options(stage, entrants, table_size, advance),
            "planner_query": planner_query(as_planned(stage, entrants, size)),
            "sizes": _sizes(size, competition.event_more),
            "size": size,
            "apart": apart_lines(stage),
        }
    if context["can_draw"] and (frozen is not None or is_next or not rounds):
        context["backup"] = backup_state()
    if frozen is None and context["can_draw"] and not is_next:
        context["not_here"] = list(not_here(stage.event))
    if rounds:
        is_redrawn = stage.style == Style.REDRAW and stage.kind == StageKind.KNOCKOUT
        current = rounds[-1] if is_redrawn else rounds[0]
        wanted = request.GET.get("round", "")
        shown = next((one for one in rounds if str(one.number) == wanted), current)
        newest = (
            stage.draws.filter(number__isnull=False).order_by("-round_number", "-number").first()
        )
        context |= {
            "current": current,
            "next_number": number if is_next else 0,
            "next_field": list(field_to_draw(stage, number)) if is_next else [],
            "is_again": is_next and is_again(stage),
            "shown": shown,
            "page_obj": Paginator(tables_of(shown), TABLES).get_page(request.GET.get("page")),
            "query": f"&round={shown.number}{competition.event_more}",
            "together": [*split_units(newest), *together(newest)] if newest else [],
        }
    failed = any(form is not None and form.errors for form in (redraw_form, words_form))
    return render(request, "organizer/draw.html", context, status=400 if failed else 200)


def _sizes(current: str, more: str) -> list[dict[str, object]]:
    labels = (_("3 人桌，晋级 1 人"), _("2 人对局"), _("4 人桌，晋级 1 人"), _("4 人桌，晋级 2 人"))
    return [
        {"label": label, "url": f"?size={size}{more}", "current": size == current}
        for size, label in zip(SIZES, labels, strict=True)
    ]
