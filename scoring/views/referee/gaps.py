"""A seat that nobody has won: somebody is put there, or a filler; taken back (C9.3, C9.5)."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from scoring.domain.leaving import proposals
from scoring.forms.mishaps import GapForm
from scoring.views.referee.one_form import form_page, sent, undo
from scoring.views.referee.pages import Page, sheet_page
from tournament.domain.gaps import fill_gap, gaps, open_gap, stays_empty
from tournament.domain.seating import met_table
from tournament.permissions import Action, require


@require_http_methods(["GET", "HEAD", "POST"])
@sheet_page
def fill(page: Page) -> HttpResponse:
    """Who sits down at the first empty seat; the next one follows."""
    table = page.board.table
    require(page.acting, Action.LATE_ENTRY, met_table(table))
    empty = gaps(table)
    if not empty:
        messages.info(page.request, _("这一桌没有要补的空位。"))
        return redirect(page.url)
    seat = empty[0]
    form = GapForm(
        sent(page),
        proposed=proposals(seat),
        filler=not any(one.is_filler for one in page.board.seats),
        stays_empty=stays_empty(seat, page.board.seats),
    )
    lead = _("上一轮第 %(table)d 桌没有人晋级，%(seat)s空着。补上以后这一桌才能开打。")
    source = next(one.source for one in page.board.seats if one.pk == seat.pk)
    return form_page(
        page,
        form,
        title=_("补空位"),
        verb=_("补上"),
        lead=lead % {"table": source.number if source else 0, "seat": seat.name},
        act=lambda: fill_gap(acting=page.acting, seat=seat, instead=form.chosen()),
        done=_("%(seat)s已补上。") % {"seat": seat.name},
        back=page.url,
        onward=lambda: reverse("sheet_fill", args=page.args) if empty[1:] else page.url,
    )


@require_POST
@sheet_page
def empty(page: Page) -> HttpResponse:
    """The seat is empty again."""
    named = page.request.POST.get("position", "")
    seat = next((one for one in page.board.seats if str(one.position) == named), None)
    if seat is None:
        raise Http404(named)
    return undo(page, lambda: open_gap(acting=page.acting, seat=seat), page.url)
