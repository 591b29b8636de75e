"""A table calls for a referee; a referee goes there."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import DomainError
from scoring.forms.floor import CallForm
from scoring.views.referee.pages import Page, sheet_page
from tournament.domain.calls import answer_call, call_referee, reopen_call, take_call_back
from tournament.enums import CallKind, Role
from tournament.models import Call
from tournament.permissions import NotAllowed, demand, is_at_table
from tournament.queries.floor import open_call
from tournament.views.access import get_competition


def may_call(page: Page) -> bool:
    """Whether he is at this table, by its link or his own."""
    seats = page.board.seats
    seated = frozenset(seat.entrant_id for seat in seats if seat.entrant_id is not None)
    return is_at_table(page.acting, page.board.table.pk, seated)


@require_http_methods(["GET", "HEAD", "POST"])
@sheet_page
def call(page: Page) -> HttpResponse:
    """What for; POST calls."""
    demand(may_call(page), Role.TABLE, Role.ENTRANT)
    form = CallForm(page.request.POST if page.request.method == "POST" else None)
    status = 200
    if form.is_bound and form.is_valid():
        try:
            call_referee(
                acting=page.acting,
                table=page.board.table,
                kind=CallKind(form.cleaned_data["kind"]),
                text=form.cleaned_data["text"],
            )
        except NotAllowed:
            raise
        except DomainError as error:
            form.add_error(None, str(error))
            status = error.status
        else:
            messages.success(page.request, _("已呼叫裁判，请在桌上等一下。"))
            return redirect(page.url)
    elif form.is_bound:
        status = 422
    return page.render(
        "referee/call.html", status=status, form=form, call=open_call(page.board.table.pk)
    )


@require_POST
@sheet_page
def back(page: Page) -> HttpResponse:
    """The table needs nobody any more."""
    demand(may_call(page), Role.TABLE, Role.ENTRANT)
    found = open_call(page.board.table.pk)
    if found is not None:
        take_call_back(acting=page.acting, call=found)
    messages.success(page.request, _("已取消呼叫。"))
    return redirect(page.url)


@never_cache
@require_POST
def answer(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """A referee goes there; the desk then offers to take this back."""
    competition, acting = get_competition(request, code)
    found = Call.objects.filter(pk=pk, table__round__stage__event__competition=competition).first()
    if found is None:
        raise Http404(pk)
    answer_call(acting=acting, call=found)
    return redirect(f"{reverse('desk', args=[code])}?answered={found.pk}")


@never_cache
@require_POST
def reopen(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """Nobody goes there after all."""
    competition, acting = get_competition(request, code)
    found = Call.objects.filter(pk=pk, table__round__stage__event__competition=competition).first()
    if found is None:
        raise Http404(pk)
    reopen_call(acting=acting, call=found)
    messages.success(request, _("这次呼叫又在等裁判了。"))
    return redirect("desk", code)
