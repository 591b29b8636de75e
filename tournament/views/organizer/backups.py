"""A backup of the site, asked for on the page of the draw."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from core.queries_backups import backup_state
from tournament.acting import Acting
from tournament.domain.backups import back_up
from tournament.models import Competition
from tournament.permissions import organizes
from tournament.views.organizer.common import page_of


@page_of(organizes)
@require_http_methods(["GET", "HEAD", "POST"])
def backup(request: HttpRequest, competition: Competition, acting: Acting) -> HttpResponse:
    """Asks for one. `?v=` asks how far it is: the region of that page, or 204 while nothing is
    new."""
    if request.method == "POST":
        back_up(acting=acting, competition=competition)
        messages.success(request, _("开始备份了。"))
        return redirect("manage_draw", competition.code)
    asked = request.GET.get("v")
    if asked is None:
        return redirect("manage_draw", competition.code)
    backup = backup_state()
    if asked == backup.version and backup.is_running:
        return HttpResponse(status=204)
    answer = render(request, "partials/backup_state.html", {"backup": backup})
    answer["X-Version"] = backup.version
    answer.status_code = 200 if backup.is_running else 286
    return answer
