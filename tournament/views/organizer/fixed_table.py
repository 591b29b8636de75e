"""Who stays at one table: what that does, then the mark; the same page takes it back."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.acting import Acting
from tournament.domain.fixed_tables import mark_fixed_table
from tournament.models import Competition
from tournament.permissions import leads, organizes
from tournament.queries.fixed_tables import fixed_table_lines
from tournament.views.organizer.common import page_of, tabs
from tournament.views.organizer.entrants import get_entrant


@page_of(leads)
@require_http_methods(["GET", "HEAD", "POST"])
def fixed_table(
    request: HttpRequest, competition: Competition, acting: Acting, pk: int
) -> HttpResponse:
    """What the mark changes, or its end; POST `fixed` (1 or 0) does it."""
    entrant = get_entrant(competition, pk)
    if request.method == "POST":
        fixed = request.POST.get("fixed") == "1"
        mark_fixed_table(acting=acting, entry=entrant.entry, fixed=fixed)
        messages.success(request, _("已标记。") if fixed else _("已取消标记。"))
        return redirect("manage_draw_changes", competition.code)
    context = {
        "competition": competition,
        "entrant": entrant,
        "lines": fixed_table_lines(entrant),
        "can_organize": organizes(acting),
        "tabs": tabs(competition, acting, "manage_entrants"),
    }
    return render(request, "organizer/entrant_fixed.html", context)
