"""Somebody leaves, comes back or hands his place on, each seen before it is done (C9.3, C9.5)."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import DomainError
from scoring.domain.board import Board
from scoring.domain.errors import ShowEffects
from scoring.domain.hands import NOT_LATE, Late
from scoring.domain.leaving import come_back, leave, proposals
from scoring.domain.rehearsal import rehearse
from scoring.domain.sheets import open_sheet
from scoring.forms.mishaps import LeaveForm, ReplaceForm, why
from scoring.views.referee.mishaps import compared
from scoring.views.referee.pages import effect_lines, late_of
from tournament.acting import Acting
from tournament.domain.entries import free_places, reinstate, withdraw_before_draw
from tournament.domain.leaving import GONE, current_seat, last_seat, seat_to_return_to
from tournament.domain.playing import other_events
from tournament.domain.rehearsal import try_out
from tournament.domain.replacing import replace_person, take_back_replacement
from tournament.domain.tables import Depends
from tournament.enums import BEFORE_PLAY, EntrantStatus
from tournament.models import Competition, Entrant, Entry, Seat, Stage
from tournament.permissions import leads, organizes
from tournament.queries.changes import Meetings, Newcomer, Preview, public_pages
from tournament.views.organizer.common import attempt, page_of, tabs
from tournament.views.organizer.entrants import get_entrant

GET_OR_POST = ["GET", "HEAD", "POST"]


@page_of(leads)
@require_http_methods(GET_OR_POST)
def leave_page(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """How he leaves and who takes the seat; then what that changes; then it is done."""
    entrant = get_entrant(competition, pk)
    before = _is_before_draw(entrant)
    seat = current_seat(entrant)
    waits = seat is not None and seat.table.state in BEFORE_PLAY
    form = LeaveForm(
        request.POST or None,
        proposed=proposals(seat) if seat and waits else [],
        before_draw=before,
    )
    context: dict[str, object] = {
        "form": form,
        "entrant": entrant,
        "seat": seat,
        "waits": waits,
        "before_draw": before,
    }
    status = 200
    if form.is_bound and form.is_valid():
        act = _leaving(acting, entrant, form, before=before)
        try:
            if request.POST.get("shown") == "1":
                act(late_of(request.POST))
                messages.success(request, _("已记下。要撤销，请打开“改动与撤销”。"))
                return redirect(_home(competition, acting, pk))
            context |= _shown(entrant, seat, form, act)
            context["fields"] = _again(request)
        except DomainError as error:
            if error.status == 403:
                raise
            form.add_error(None, str(error))
            status = error.status
    elif form.is_bound:
        status = 400
    return _page(request, competition, acting, pk, "organizer/entrant_leave.html", context, status)


Act = Callable[[Late], object]


def _leaving(acting: Acting, entrant: Entrant, form: LeaveForm, *, before: bool) -> Act:
    """What the form asks for; before the draw it returns who moves up from the waiting list."""
    chosen, given = form.chosen(), form.cleaned_data
    status = EntrantStatus(given["status"])

    def act(late: Late) -> object:
        if before:
            return withdraw_before_draw(
                acting=acting, entrant=entrant, status=status, reason=given["reason"]
            )
        return leave(
            acting=acting,
            entrant=entrant,
            status=status,
            instead=chosen.entrant if chosen else None,
            reason=given["reason"],
            late=late,
        )

    return act


def _shown(entrant: Entrant, seat: Seat | None, form: LeaveForm, act: Act) -> dict[str, object]:
    """What the change would do: sentences, warnings, pages, and where hands are in the sums of
    his table. Raises what it does."""
    last = seat or last_seat(entrant)
    reason = form.cleaned_data["reason"]
    stage = stage_of(entrant, last)
    if last is None:
        return {"preview": Preview(_before_the_draw(entrant, act)), "is_shown": True}
    preview = Preview([], pages=public_pages(stage, [last.table], [entrant]))
    if last.table.state in BEFORE_PLAY:
        try_out(lambda: act(Late(reason=reason)))
        chosen = form.chosen()
        filler = last.table.seats.filter(is_filler=True).exclude(pk=last.pk).exists()
        if chosen is not None:
            one = chosen.entrant
            words = {"name": one.name, "why": why(chosen)}
            preview.lines.append(_("由%(name)s坐下：%(why)s。") % words)
            who = Newcomer(one.name, one.unit, one.entry_id)
            meetings = Meetings(stage, [last.table])
            preview.warnings = meetings.told(who, last.table, without={last.pk})
        elif filler:
            preview.lines.append(
                _("这一桌已有一名陪打：他的座位由另一名陪打代打，他排这一桌最后。")
            )
        else:
            preview.lines.append(_("由陪打坐下。"))
        return {"preview": preview, "is_shown": True}
    board = Board(open_sheet(last.table))
    found = rehearse(board, act, reason)
    lines = effect_lines(board, found.effects) if found.effects is not None else []
    if not board.is_done and not board.is_full:
        lines.append(
            _("从第 %(n)d 局起由陪打代打，他排这一桌最后；已打的局照算。")
            % {"n": board.next_number}
        )
    elif not board.is_done:
        lines.append(_("他排这一桌最后；已打的局照算。"))
    preview.lines = lines or [_("他的桌都已打完，名次不变。")]
    return {"preview": preview, "rows": compared(board, found), "is_shown": True}


def _before_the_draw(entrant: Entrant, act: Act) -> list[str]:
    moved: list[object] = []
    try_out(lambda: moved.append(act(NOT_LATE)))
    lines = [_("名单里不再有他。") if entrant.partner is None else _("名单里不再有这一对。")]
    if entrant.seed is not None:
        lines.append(_("他的 %(n)d 号种子空出来。") % {"n": entrant.seed})
    (entry,) = moved
    if isinstance(entry, Entry):
        lines.append(_("候补的%(name)s转正，他要回来就得另有名额。") % {"name": entry.name})
    else:
        lines.append(_("没有候补的人，他的名额空着。"))
    return lines


@page_of(leads)
@require_http_methods(GET_OR_POST)
def back_page(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """He comes back: before the draw to the list, after it to his seat while nobody has played on
    (C9.5)."""
    entrant = get_entrant(competition, pk)
    before_draw = _is_before_draw(entrant)
    if request.method == "POST":
        if before_draw:
            reinstate(acting=acting, entrant=entrant)
        else:
            try:
                come_back(acting=acting, entrant=entrant, late=late_of(request.POST))
            except (ShowEffects, Depends) as error:
                last = last_seat(entrant)
                assert last is not None
                board = Board(open_sheet(last.table))
                lines = effect_lines(board, error.effects)
                return _back(request, competition, acting, entrant, lines, error.status)
        messages.success(request, _("已恢复参赛。"))
        return redirect(_home(competition, acting, pk))
    seat = seat_to_return_to(entrant)
    lines = [_("没有可以恢复的座位，只恢复状态。")]
    if before_draw:
        full = free_places(competition) == 0
        lines = [_("名额已满，不能恢复；可以先增加名额。") if full else _("他回到名单上。")]
    if seat is not None:
        words = {"round": seat.table.round.title, "n": seat.table.number, "seat": seat.name}
        lines = [_("他坐回%(round)s第 %(n)d 桌%(seat)s。") % words]
        if seat.entrant is not None and seat.entrant_id != entrant.pk:
            lines.append(_("替补的%(name)s回到已淘汰。") % {"name": seat.entrant.name})
    return _back(request, competition, acting, entrant, lines, 200)


def _back(
    request: HttpRequest,
    competition: Competition,
    acting: Acting,
    entrant: Entrant,
    lines: list[str],
    status: int,
) -> HttpResponse:
    context = {"entrant": entrant, "lines": lines, "is_gone": entrant.status in GONE}
    return _page(
        request, competition, acting, entrant.pk, "organizer/entrant_back.html", context, status
    )


@page_of(leads)
@require_http_methods(GET_OR_POST)
def replace_page(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """Somebody else takes over his place; what stays is shown first."""
    entrant = get_entrant(competition, pk)
    form = ReplaceForm(request.POST or None, entrant=entrant)
    status = 200
    seat = current_seat(entrant)
    context: dict[str, object] = {"form": form, "entrant": entrant, "seat": seat}
    if form.is_bound and form.is_valid():

        def act() -> object:
            name = form.cleaned_data["name"]
            return replace_person(
                acting=acting, entrant=entrant, name=name, is_partner=form.is_partner
            )

        shown = request.POST.get("shown") == "1"
        attempt(form, act if shown else lambda: try_out(act))
        if shown and not form.errors:
            messages.success(request, _("已换人。"))
            return redirect(_home(competition, acting, pk))
        if not form.errors:
            last = seat or last_seat(entrant)
            tables = [last.table] if last is not None else []
            pages = public_pages(stage_of(entrant, last), tables, [entrant])
            was = form.replaced
            context |= {
                "entrant": get_entrant(competition, pk),
                "was": was,
                "elsewhere": _("、").join(other_events(was, entrant.event_id)),
                "is_shown": True,
                "fields": _again(request),
                "preview": Preview([], pages=pages),
            }
    if form.is_bound and form.errors:
        status = 400
    return _page(
        request, competition, acting, pk, "organizer/entrant_replace.html", context, status
    )


@page_of(leads)
@require_POST
def replace_back(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """The former person holds the place again."""
    take_back_replacement(
        acting=acting,
        entrant=get_entrant(competition, pk),
        is_partner="partner" in request.POST,
    )
    messages.success(request, _("已换回。"))
    return redirect(_home(competition, acting, pk))


def _is_before_draw(entrant: Entrant) -> bool:
    return not entrant.event.stages.filter(rounds__isnull=False).exists()


def stage_of(entrant: Entrant, seat: Seat | None) -> Stage:
    """The stage of a seat, else the knock-out of his event; with event and competition."""
    stages = Stage.objects.filter(event=entrant.event_id)
    found = stages.get(pk=seat.table.round.stage_id) if seat else stages.get(kind="knockout")
    found.event = entrant.event
    return found


def _home(competition: Competition, acting: Acting, pk: int) -> str:
    """Where who acts comes from: the entrant's page, which is the organizers', or his sheet."""
    if organizes(acting):
        return reverse("manage_entrant", args=[competition.code, pk])
    seat = Seat.objects.filter(Q(entrant=pk) | Q(stands_for=pk)).order_by("-round__number").first()
    if seat is None:
        return reverse("manage_entrants", args=[competition.code])
    return reverse("sheet", args=[competition.code, seat.table_id])


def _again(request: HttpRequest) -> list[tuple[str, str]]:
    """The request, to be sent once more with what was seen."""
    skipped = ("csrfmiddlewaretoken", "shown", "effects_shown")
    return [(k, v) for k in request.POST if k not in skipped for v in request.POST.getlist(k)]


def _page(
    request: HttpRequest,
    competition: Competition,
    acting: Acting,
    pk: int,
    template: str,
    context: dict[str, object],
    status: int,
) -> HttpResponse:
    shared = {
        "competition": competition,
        "tabs": tabs(competition, acting, "manage_entrants"),
        "can_organize": organizes(acting),
        "back_url": _home(competition, acting, pk),
    }
    return render(request, template, shared | context, status=status)
