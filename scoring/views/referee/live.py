"""What a sheet's page asks every few seconds: is there something new, and who else is here."""

from __future__ import annotations

import re

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from scoring.domain.editing import note_editing
from scoring.domain.room import who_wrote
from scoring.models import Editing
from scoring.queries import find_table, read_board
from scoring.queries_editing import Watch, editings, watch
from scoring.views.referee.pages import Page, sees
from scoring.views.referee.sheet import seen
from tournament.acting import Acting
from tournament.enums import Role
from tournament.models import Competition
from tournament.permissions import Action, demand, leads, may, referees
from tournament.views.access import get_competition

DEVICE = re.compile(r"[0-9a-f]{32}")


@never_cache
@require_GET
def live(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """The parts of the sheet's page around its form, 204 while `?v=` is their version.

    `?entering=1` says that the page has a form, `?device=` on which device: others are then
    told, and this page of them. Two queries besides who is asking while nothing is new.
    """
    competition, acting = get_competition(request, code)
    device = request.GET.get("device", "")
    found = watch(competition, pk, acting, device, timezone.now())
    if found is None:
        raise Http404(pk)
    enters = "entering" in request.GET and DEVICE.fullmatch(device) is not None
    knows = referees(acting) or leads(acting) or pk in acting.table_ids
    is_new = request.GET.get("v") != found.version
    if knows and not is_new and (found.is_noted or not enters):
        return HttpResponse(status=204)
    page = _page(request, competition, acting, pk)
    if enters and not found.is_noted:
        _note(page, device)
    return _parts(page, found) if is_new else HttpResponse(status=204)


def _page(request: HttpRequest, competition: Competition, acting: Acting, pk: int) -> Page:
    table = find_table(competition, pk, acting)
    if table is None:
        raise Http404(pk)
    board = read_board(table)
    demand(sees(acting, board), Role.CHIEF, Role.REFEREE, Role.TABLE)
    return Page(request, competition, acting, board)


def _note(page: Page, device: str) -> None:
    """A sheet that may no longer be changed has nobody at it."""
    if may(page.acting, Action.ENTER_HAND, page.board.met(reason="-", effects_shown=True)):
        note_editing(acting=page.acting, board=page.board, device=device)


def _parts(page: Page, found: Watch) -> HttpResponse:
    others = [
        {"name": "" if one.actor == page.acting.key else _name(one), "since": one.created_at}
        for one in editings(found.others)
    ]
    response = page.render("referee/sheet_live.html", others=others, **seen(page))
    response["X-Version"] = found.version
    return response


def _name(one: Editing) -> str:
    """A table's link has no name of its own."""
    is_table = one.author is None and one.link is not None and one.link.role == Role.TABLE
    return _("这一桌的手机") if is_table else who_wrote(one)
