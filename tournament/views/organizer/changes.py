"""Changes after the draw: swap and late entry, seen before they are done; all of them undone."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from core.models import AuditRow
from tournament.acting import Acting
from tournament.domain.rehearsal import try_out
from tournament.domain.seating import LATE_ENTRY, SWAP, seat_late_entry, swap_entrants
from tournament.domain.seating_undo import take_back_late_entry, take_back_swap
from tournament.forms.draws import LateForm, SwapForm
from tournament.models import Competition, Seat, Stage
from tournament.permissions import leads, organizes
from tournament.queries.changes import Preview, changes_of, late_preview, swap_preview
from tournament.queries.organizer import drawn_seat, late_seats, main_stage, stage_now
from tournament.views.organizer.common import attempt, page_of, tabs

Step = tuple[Callable[[], object], Preview]


@page_of(leads)
@require_http_methods(["GET", "HEAD", "POST"])
def changes(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Two entrants swap seats, or somebody late sits down: shown first, then done. What has been
    changed stands below, each with its undo."""
    stage = stage_now(competition)
    seats = [seat.pk for seat in late_seats(stage)]
    is_swap = "first" in request.POST
    swap = SwapForm(request.POST if is_swap else None)
    late = LateForm(request.POST if request.POST and not is_swap else None, seats=seats)
    form = swap if is_swap else late
    preview = None
    if request.method == "POST" and form.is_valid():
        step = _swap(acting, stage, swap) if is_swap else _late(acting, stage, late)
        if step is not None:
            act, preview = step
            shown = request.POST.get("shown") == "1"
            attempt(form, act if shown else lambda: try_out(act))
            if shown and not form.errors:
                messages.success(request, _("签表已更新。"))
                return redirect("manage_draw_changes", competition.code)
    context = {
        "competition": competition,
        "swap_form": swap,
        "late_form": late,
        "has_seats": bool(seats),
        "is_drawn": stage.rounds.exists(),
        "preview": None if form.errors else preview,
        "fields": [
            (name, value)
            for name, value in request.POST.items()
            if name not in ("csrfmiddlewaretoken", "shown")
        ],
        "is_swap": is_swap,
        "changes": changes_of(stage),
        "can_organize": organizes(acting),
        "tabs": tabs(competition, acting, "manage_draw"),
    }
    status = 400 if swap.errors or late.errors else 200
    return render(request, "organizer/draw_changes.html", context, status=status)


@page_of(leads)
@require_POST
def undo(request: HttpRequest, competition: Competition, acting: Acting, pk: int) -> HttpResponse:
    """A swap or a late entry is taken back; what forbids it is told on the page."""
    change = AuditRow.objects.filter(
        pk=pk, scope=competition.scope, action__in=(SWAP, LATE_ENTRY)
    ).first()
    if change is None:
        raise Http404(pk)
    event = main_stage(competition).event
    act = take_back_swap if change.action == SWAP else take_back_late_entry
    act(acting=acting, event=event, change=change)
    messages.success(request, _("已撤销，签表已恢复。"))
    return redirect("manage_draw_changes", competition.code)


def _swap(acting: Acting, stage: Stage, form: SwapForm) -> Step | None:
    seats: dict[str, Seat] = {}
    for field in ("first", "second"):
        number = form.cleaned_data[field]
        seat = drawn_seat(stage, number)
        if seat is None:
            form.add_error(field, _("签表上没有 %(n)d 号。") % {"n": number})
        else:
            seats[field] = seat
    if len(seats) < 2:
        return None
    first, second = seats["first"], seats["second"]

    def act() -> object:
        return swap_entrants(acting=acting, first=first, second=second)

    return act, swap_preview(stage, first, second)


def _late(acting: Acting, stage: Stage, form: LateForm) -> Step:
    data = form.cleaned_data

    def act() -> object:
        return seat_late_entry(acting=acting, **data)

    return act, late_preview(stage, data["seat"], data["name"], data["unit"])
