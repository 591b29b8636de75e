"""Numbers given anew, seen before they are; and the seeds."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from core.errors import Conflict
from tournament.acting import Acting
from tournament.domain.entries import ListFrozen, demand_open_list
from tournament.domain.numbers import Order, digest_of, give_numbers, number_changes
from tournament.domain.seeds import set_seeds
from tournament.forms.checkin import MORE_SEEDS, OrderForm, SeedsForm
from tournament.models import Competition, Event
from tournament.permissions import organizes
from tournament.queries.organizer import main_stage
from tournament.queries.seeds import seeded, to_choose
from tournament.views.organizer.common import attempt, page_of, tabs

PAGE = 200


@page_of(organizes)
@require_http_methods(["GET", "HEAD", "POST"])
def numbers(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """An order is chosen, its changes are shown, then given as shown."""
    event = main_stage(competition).event
    asked = request.GET if "order" in request.GET else None
    form = OrderForm(request.POST or asked)
    order = Order(form.cleaned_data["order"]) if form.is_bound and form.is_valid() else None
    if request.method == "POST" and order is not None:
        chosen, digest = order, request.POST.get("digest", "")
        changed = attempt(
            form,
            lambda: give_numbers(acting=acting, event=event, order=chosen, digest=digest),
        )
        if changed is not None:
            messages.success(
                request,
                ngettext("%(n)d 人有了新编号。", "%(n)d 人有了新编号。", changed) % {"n": changed},
            )
            return redirect("manage_entrants", competition.code)
    context = {
        "competition": competition,
        "form": form,
        "order": order,
        "frozen": _why_frozen(event),
        "tabs": tabs(competition, acting, "manage_entrants"),
    }
    if order is not None:
        changes = number_changes(competition, order)
        context |= {
            "changes": changes,
            "digest": digest_of(changes),
            "printed": sum(one.was_printed for one in changes),
            "page_obj": Paginator(changes, PAGE).get_page(request.GET.get("page")),
            "query": f"&order={order}",
        }
    return render(request, "organizer/numbers.html", context, status=400 if form.errors else 200)


@page_of(organizes)
@require_http_methods(["GET", "HEAD", "POST"])
def seeds(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """The seeds as a list of numbers; saved as a whole, or cleared."""
    event = main_stage(competition).event
    now = seeded(event)
    rows = max(len(now) + MORE_SEEDS, len(request.POST.getlist("number")))
    form = SeedsForm(
        request.POST or None, rows=rows, initial={"numbers": [one.number for one in now]}
    )
    if request.method == "POST":
        clears = "clear" in request.POST
        if clears or form.is_valid():
            wanted = [] if clears else form.cleaned_data["numbers"]
            saved = attempt(form, lambda: set_seeds(acting=acting, event=event, numbers=wanted))
            if saved is not None:
                messages.success(request, _("种子已清空。") if not saved else _("种子已保存。"))
                return redirect("manage_seeds", competition.code)
    context = {
        "competition": competition,
        "form": form,
        "rows": form.rows({one.number: one for one in now}),
        "seeded": now,
        "entrants": to_choose(event),
        "frozen": _why_frozen(event),
        "tabs": tabs(competition, acting, "manage_draw"),
    }
    return render(request, "organizer/seeds.html", context, status=400 if form.errors else 200)


def _why_frozen(event: Event) -> str:
    """Why the list may not be changed now; empty where it may."""
    try:
        demand_open_list(event)
    except (ListFrozen, Conflict) as error:
        return str(error.message)
    return ""
