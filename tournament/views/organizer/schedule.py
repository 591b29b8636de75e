"""The schedule as a draft: proposed, moved, published."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import DomainError
from tournament.acting import Acting
from tournament.domain.arranging import arrange_table, move_batch, propose_schedule
from tournament.domain.publications import (
    NOTHING,
    ClashesUnseen,
    current_publication,
    publish_schedule,
    snapshot,
)
from tournament.domain.sittings import Schedule, read_schedule
from tournament.forms.schedule import BatchForm, PublishForm, TableForm
from tournament.models import Competition, Table
from tournament.permissions import leads
from tournament.queries.clashes import spoken_clashes
from tournament.queries.schedule import batch_lines, by_session, differences, table_lines
from tournament.views.access import get_round
from tournament.views.organizer.common import attempt, page_of, tabs

MOST_SHOWN = 60
"""Clashes and differences that one page lists."""


@page_of(leads)
@require_safe
def schedule(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """The plan by day and session, its clashes, what is not published yet."""
    return _page(request, competition, acting, None)


def _page(
    request: HttpRequest, competition: Competition, acting: Acting, form: PublishForm | None
) -> HttpResponse:
    plan = read_schedule(competition)
    said = spoken_clashes(plan)
    shown = current_publication(competition)
    moved = differences(competition, shown.snapshot if shown else NOTHING, snapshot(plan))
    has_severe = any(one.is_severe for one in said)
    context = {
        "competition": competition,
        "tabs": tabs(competition, acting, "manage_schedule"),
        "schedule": plan,
        "sessions": by_session(plan),
        "said": said[:MOST_SHOWN],
        "severe": sum(one.is_severe for one in said),
        "clash_count": len(said),
        "shown": shown,
        "moved": moved[:MOST_SHOWN],
        "moved_count": len(moved),
        "form": form or PublishForm(has_severe=has_severe),
        "is_ready": bool(plan.rooms or plan.sessions),
    }
    status = 400 if form is not None and form.errors else 200
    return render(request, "organizer/schedule.html", context, status=status)


@page_of(leads)
@require_POST
def propose(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Plans what is open, or everything anew."""
    count = propose_schedule(acting=acting, competition=competition, anew="anew" in request.POST)
    text = ngettext("排好了，改动 %(n)d 桌。", "排好了，改动 %(n)d 桌。", count) % {"n": count}
    messages.success(request, text if count else _("没有要排的：先加房间、场次和裁判。"))
    return redirect("manage_schedule", competition.code)


@page_of(leads)
@require_POST
def publish(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Everybody sees the plan as it is."""
    has_severe = any(one.is_severe for one in read_schedule(competition).clashes)
    form = PublishForm(request.POST, has_severe=has_severe)
    if form.is_valid():
        try:
            made = publish_schedule(
                acting=acting,
                competition=competition,
                note=form.cleaned_data["note"],
                clashes_seen=bool(form.cleaned_data.get("seen")),
            )
        except ClashesUnseen as error:
            form.add_error("seen" if "seen" in form.fields else None, str(error))
        except DomainError as error:
            if error.status == 403:
                raise
            form.add_error(None, str(error))
        else:
            messages.success(request, _("第 %(n)d 版已公布。") % {"n": made.number})
            return redirect("manage_schedule", competition.code)
    return _page(request, competition, acting, form)


@page_of(leads)
@require_safe
def of_round(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """A round's batches and tables. `?table=` opens the form of one of them."""
    asked = request.GET.get("table", "")
    return _round_page(
        request, competition, acting, pk, open_table=int(asked) if asked.isdecimal() else None
    )


def _round_page(
    request: HttpRequest,
    competition: Competition,
    acting: Acting,
    pk: int,
    *,
    open_table: int | None = None,
    form: TableForm | None = None,
    batch_form: tuple[int, BatchForm] | None = None,
) -> HttpResponse:
    plan = read_schedule(competition)
    round_ = next((one for one in plan.rounds if one.pk == pk), None)
    if round_ is None:
        raise Http404(pk)
    said = spoken_clashes(plan)
    tables = [table for table in plan.tables if table.round_id == pk]
    chosen = next((one for one in tables if one.pk == open_table), None)
    if chosen is not None and form is None and not plan.by_table[chosen.pk].is_fixed:
        form = TableForm(schedule=plan, table=chosen)
    batches = batch_lines(plan, round_)
    context = {
        "competition": competition,
        "tabs": tabs(competition, acting, "manage_schedule"),
        "round": round_,
        "several": len({one.stage.event_id for one in plan.rounds}) > 1,
        "batches": [
            {"line": line, "form": _batch_form(plan, line, batch_form)} for line in batches
        ],
        "lines": table_lines(plan, tables, said),
        "has_batches": len(batches) > 1,
        "open_table": chosen.pk if chosen else None,
        "form": form,
    }
    is_wrong = (form is not None and form.errors) or (batch_form and batch_form[1].errors)
    return render(
        request, "organizer/schedule_round.html", context, status=400 if is_wrong else 200
    )


def _batch_form(plan: Schedule, line: Any, bound: tuple[int, BatchForm] | None) -> BatchForm | None:
    if line.is_fixed:
        return None
    if bound is not None and bound[0] == line.number:
        return bound[1]
    initial = {"session": line.session_id, "starts_at": line.begins}
    return BatchForm(sessions=plan.sessions, initial=initial, auto_id=f"id_{line.number}_%s")


@page_of(leads)
@require_POST
def batch(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int, number: int
) -> HttpResponse:
    """Another session or start for a batch."""
    round_ = get_round(competition, pk)
    sessions = list(competition.sessions.order_by("begins_at", "pk"))
    form = BatchForm(request.POST, sessions=sessions, auto_id=f"id_{number}_%s")
    if form.is_valid():
        attempt(
            form,
            lambda: move_batch(
                acting=acting,
                round_=round_,
                batch=number,
                session=form.cleaned_data["session"],
                starts_at=form.cleaned_data["starts_at"],
            ),
        )
    if form.errors:
        return _round_page(request, competition, acting, pk, batch_form=(number, form))
    messages.success(request, _("已保存，还没有公布。"))
    return redirect("manage_schedule_round", competition.code, pk)


@page_of(leads)
@require_http_methods(["POST"])
def table(request: HttpRequest, competition: Competition, acting: Acting, pk: int) -> HttpResponse:
    """Another batch, place or referee for a table."""
    found = Table.objects.filter(pk=pk, round__stage__event__competition=competition).first()
    if found is None:
        raise Http404(pk)
    plan = read_schedule(competition)
    form = TableForm(request.POST, schedule=plan, table=found)
    if form.is_valid():
        changed = attempt(
            form,
            lambda: arrange_table(
                acting=acting,
                table=found,
                batch=form.cleaned_data["batch"],
                room=form.chosen_room,
                place=form.chosen_place,
                referee=form.chosen_referee,
            ),
        )
    if form.errors:
        return _round_page(request, competition, acting, found.round_id, open_table=pk, form=form)
    others = [one for one in changed or [] if one.pk != pk]
    if others:
        swapped = _("、").join(str(one.number) for one in others)
        messages.success(request, _("已保存，第 %(n)s 桌跟着换了。") % {"n": swapped})
    else:
        messages.success(request, _("已保存，还没有公布。"))
    address = reverse("manage_schedule_round", args=[competition.code, found.round_id])
    return redirect(f"{address}#table-{pk}")


@page_of(leads)
@require_safe
def on_paper(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """The whole plan for paper: every table with place and referee."""
    plan = read_schedule(competition)
    lines = {one.table.pk: one for one in table_lines(plan, plan.tables, ())}
    by_batch: dict[tuple[int, int], list[Any]] = {}
    for one in plan.sittings:
        by_batch.setdefault((one.round, one.batch), []).append(lines[one.table])
    shown = current_publication(competition)
    edition = _("草稿，还没有公布")
    if shown is not None and shown.snapshot == snapshot(plan):
        edition = _("第 %(n)d 版") % {"n": shown.number}
    context = {
        "competition": competition,
        "several": len({one.stage.event_id for one in plan.rounds}) > 1,
        "sessions": [
            {
                "session": group,
                "batches": [
                    {"line": line, "tables": by_batch[line.round.pk, line.number]}
                    for line in group.lines
                ],
            }
            for group in by_session(plan)
        ],
        "edition": edition,
        "printed_at": timezone.now(),
    }
    return render(request, "organizer/schedule_paper.html", context)
