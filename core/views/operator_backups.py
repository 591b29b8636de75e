"""The operator's page of backups: those that are kept, one more, and taking one away from here."""

from __future__ import annotations

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from core.actors import Actor
from core.domain.backup_folder import find, folder, kept
from core.domain.backups import ask_by_hand, note_download
from core.models import User
from core.queries_backups import backup_state
from core.views.operator import PAGES, Page, operator_page

PAGES.append(
    Page(
        "operator_backups",
        gettext_lazy("备份"),
        gettext_lazy("整个网站的备份：做一份、下载到别处保存。"),
    )
)


@operator_page
@require_http_methods(["GET", "HEAD", "POST"])
def backups(request: HttpRequest, user: User) -> HttpResponse:
    """What there is; asks for one more. `?v=` is the poll of the one being made."""
    if request.method == "POST":
        ask_by_hand(actor=Actor(user_id=user.pk))
        messages.success(request, _("开始备份了。"))
        return redirect("operator_backups")
    state = backup_state()
    asked = request.GET.get("v")
    if asked is not None and asked == state.version and state.is_running:
        return HttpResponse(status=204)
    context = {"backup": state, "backups": kept(), "folder": folder()}
    if asked is not None:
        answer = render(request, "operator/backups_live.html", context)
        answer["X-Version"] = state.version
        answer.status_code = 200 if state.is_running else 286
        return answer
    return render(request, "operator/backups.html", context)


@operator_page
@require_safe
def download(request: HttpRequest, user: User, name: str) -> HttpResponseBase:
    """One of them, as a file. It is noted who took it, as everything is in it."""
    found = find(name)
    if found is None:
        raise Http404(name)
    try:
        file = found.path.open("rb")
    except FileNotFoundError as error:  # its turn to go came in between
        raise Http404(name) from error
    if request.method == "GET":
        note_download(actor=Actor(user_id=user.pk), name=found.name)
    return FileResponse(
        file,
        as_attachment=True,
        filename=found.name,
        content_type="application/zip",
    )
