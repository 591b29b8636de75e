"""Nobody is left to play against: the chief referee sends on who is there (C9.3)."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.domain.walkovers import walk_over
from scoring.forms.mishaps import WalkoverForm
from scoring.views.referee.one_form import form_page, sent
from scoring.views.referee.pages import Page, sheet_page
from tournament.enums import Role
from tournament.permissions import demand, is_chief


@require_http_methods(["GET", "HEAD", "POST"])
@sheet_page
def walkover(page: Page) -> HttpResponse:
    """Who goes on without play is named first; a reason is asked for."""
    demand(is_chief(page.acting), Role.CHIEF)
    form = WalkoverForm(sent(page))
    left = [seat.entrant for seat in page.board.seats if seat.entrant and not seat.forfeits]
    names = _("、").join(entrant.name for entrant in left)
    lead = _("这一桌不打：%(names)s直接算赢。前面的桌随之定局；打错了可以重新打开。")
    return form_page(
        page,
        form,
        title=_("不打，直接算赢"),
        verb=_("确认不打"),
        lead=lead % {"names": names} if left else _("这一桌没有人了：关掉这一桌，没有人晋级。"),
        act=lambda: walk_over(
            acting=page.acting, table=page.board.table, reason=form.cleaned_data["reason"]
        ),
        done=_("这一桌已关，没有打。"),
        back=page.url,
    )
