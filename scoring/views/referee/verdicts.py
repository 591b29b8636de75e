"""Rulings of the chief referee, on a hand and on the places (C6.6)."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods, require_POST

from scoring.criteria import GAMES
from scoring.domain.verdicts import (
    drop_ruling,
    rule_on_hand,
    rule_on_table,
    ruling_before,
)
from scoring.forms.game import GameRulingForm
from scoring.forms.verdicts import HandRulingForm, TableRulingForm
from scoring.models import Protest, Ruling
from scoring.views.referee.hand import get_hand
from scoring.views.referee.one_form import form_page, of_sheet, sent, undo
from scoring.views.referee.pages import Page, late_of, sheet_page
from scoring.words import fitting
from tournament.permissions import Action


def _asked(page: Page) -> Protest | None:
    """The protest that the ruling is to answer, as the address or the form names it."""
    named = page.request.POST.get("protest") or page.request.GET.get("protest") or ""
    return of_sheet(page, Protest, int(named)) if named.isdecimal() and len(named) < 12 else None


def _told(protest: Protest | None) -> str:
    """Why the form opens: what was protested."""
    return "" if protest is None else _("申诉：%(text)s") % {"text": protest.text}


def _initial(protest: Protest | None) -> dict[str, object]:
    if protest is None:
        return {}
    return {"protest": protest.pk, "reason": protest.final_answer or protest.answer}


@require_http_methods(["GET", "HEAD", "POST"])
@sheet_page
def hand_ruling(page: Page, number: int) -> HttpResponse:
    """The chief referee's points for a hand."""
    page.need(Action.RULE)
    hand = get_hand(page, number)
    protest = _asked(page)
    current = next(v for v in page.board.versions if v.hand_id == hand.pk)
    initial: dict[str, object] = {
        f"delta_{seat}": delta for seat, delta in enumerate(current.deltas)
    }
    initial["won"] = current.winners or []
    kind = GameRulingForm if page.board.order is GAMES else HandRulingForm
    form = kind(sent(page), board=page.board, initial=initial | _initial(protest))
    stands = fitting(
        page.board.is_counted,
        _("裁决的分数在总分里代替算出的分数；算出的分数仍然看得到。"),
        _("裁决代替这一盘记下的胜负；记下的仍然看得到。"),
    )
    return form_page(
        page,
        form,
        title=(_("裁决第 %(n)d 局") if page.board.is_counted else _("裁决第 %(n)d 盘"))
        % {"n": number},
        verb=pgettext("button", "裁决"),
        lead=" ".join(filter(None, (_told(protest), stands))),
        act=lambda: rule_on_hand(
            acting=page.acting,
            hand=hand,
            deltas=form.deltas(),
            reason=form.cleaned_data["reason"],
            protest=protest,
            late=late_of(page.request.POST),
        ),
        done=_("裁决已生效。"),
        back=page.hand_url(number),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@sheet_page
def table_ruling(page: Page) -> HttpResponse:
    """The chief referee fixes the places of the table."""
    page.need(Action.RULE)
    protest = _asked(page)
    form = TableRulingForm(sent(page), board=page.board, initial=_initial(protest))
    return form_page(
        page,
        form,
        title=_("裁定名次"),
        verb=_("裁定"),
        lead=_told(protest),
        act=lambda: rule_on_table(
            acting=page.acting,
            sheet=page.saved_sheet(Action.RULE),
            places=form.places(),
            reason=form.cleaned_data["reason"],
            protest=protest,
            late=late_of(page.request.POST),
        ),
        done=_("名次已裁定。"),
        back=page.url,
    )


@require_POST
@sheet_page
def ruling_drop(page: Page, ruling_id: int) -> HttpResponse:
    """A ruling is taken back."""
    found = of_sheet(page, Ruling, ruling_id)
    back = page.hand_url(found.hand.number) if found.hand else page.url
    late = late_of(page.request.POST)
    if ruling_before(found) is not None:
        done = _("裁决已撤销，它代替的那条裁决又生效。")
    elif found.hand:
        done = fitting(
            page.board.is_counted,
            _("裁决已撤销，这一局又按算出来的分计。"),
            _("裁决已撤销，这一盘又按记下的胜负计。"),
        )
    else:
        done = _("裁决已撤销，名次又按记分表排。")
    return undo(page, lambda: drop_ruling(acting=page.acting, ruling=found, late=late), back, done)
