"""Protests: made, taken back, answered, appealed against, answered for good (C7.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.domain.protests import (
    answer_appeal,
    answer_protest,
    appeal,
    need_own,
    protest,
    take_back_final_answer,
    withdraw_appeal,
    withdraw_protest,
)
from scoring.domain.verdict_settings import committee_of
from scoring.enums import ProtestState
from scoring.forms.verdicts import AnswerForm, AppealForm, ProtestForm
from scoring.models import Protest
from scoring.queries_verdicts import WAITING, protests_in
from scoring.views.referee.one_form import form_page, of_sheet, sent, undo
from scoring.views.referee.pages import Page, sheet_page
from scoring.views.referee.protest_rows import row, row_of, ruling_url
from tournament.acting import Acting
from tournament.enums import Role, State
from tournament.models import Competition
from tournament.permissions import Action, Met, demand, is_chief, leads, referees
from tournament.views.access import get_competition

FILTERS = ("waiting", "answered", "all")


@require_http_methods(["GET", "HEAD", "POST"])
@sheet_page
def new_protest(page: Page) -> HttpResponse:
    """A protest from the table, an entrant or a referee; `?about=` says about what."""
    page.need(Action.PROTEST)
    about = page.request.GET.get("about", "")
    form = ProtestForm(sent(page), board=page.board, initial={"about": about})
    return form_page(
        page,
        form,
        template="referee/protest.html",
        title=_("申诉"),
        verb=_("交给裁判长"),
        act=lambda: protest(
            acting=page.acting,
            sheet=page.saved_sheet(Action.PROTEST),
            text=form.cleaned_data["text"],
            **form.subject(),
        ),
        done=_("申诉已交给裁判长。"),
        back=page.url,
    )


@require_POST
@sheet_page
def protest_withdraw(page: Page, protest_id: int) -> HttpResponse:
    """Who made it takes it back."""
    found = of_sheet(page, Protest, protest_id)
    return undo(page, lambda: withdraw_protest(acting=page.acting, protest=found), page.url)


@require_http_methods(["GET", "HEAD", "POST"])
@sheet_page
def protest_answer(page: Page, protest_id: int) -> HttpResponse:
    """The chief referee answers; an upheld one leads on to the ruling."""
    page.need(Action.RULE)
    found = of_sheet(page, Protest, protest_id)
    form = AnswerForm(sent(page))
    return _answering(
        page,
        found,
        form,
        title=_("答复申诉"),
        lead="",
        act=lambda: answer_protest(
            acting=page.acting,
            protest=found,
            state=ProtestState(form.cleaned_data["state"]),
            answer=form.cleaned_data["answer"],
        ),
        done=_("申诉已答复。"),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@sheet_page
def protest_appeal(page: Page, protest_id: int) -> HttpResponse:
    """Who protested does not accept the answer."""
    page.need(Action.PROTEST)
    found = of_sheet(page, Protest, protest_id)
    need_own(page.acting, found, page.board)
    form = AppealForm(sent(page))
    return form_page(
        page,
        form,
        template="referee/protest_answer.html",
        title=_("上诉"),
        verb=_("上诉"),
        protest=row_of(page, found),
        act=lambda: appeal(acting=page.acting, protest=found, text=form.cleaned_data["text"]),
        done=_("上诉已交上。"),
        back=page.url,
    )


@require_POST
@sheet_page
def protest_unappeal(page: Page, protest_id: int) -> HttpResponse:
    """Who appealed takes it back."""
    found = of_sheet(page, Protest, protest_id)
    done = _("上诉已撤回。")
    return undo(page, lambda: withdraw_appeal(acting=page.acting, protest=found), page.url, done)


@require_POST
@sheet_page
def protest_unfinal(page: Page, protest_id: int) -> HttpResponse:
    """The last word on an appeal is taken back."""
    found = of_sheet(page, Protest, protest_id)
    done = _("上诉的答复已收回。")
    return undo(
        page, lambda: take_back_final_answer(acting=page.acting, protest=found), page.url, done
    )


@require_http_methods(["GET", "HEAD", "POST"])
@sheet_page
def protest_final(page: Page, protest_id: int) -> HttpResponse:
    """The last word on an appeal."""
    page.need(Action.RULE)
    found = of_sheet(page, Protest, protest_id)
    form = AnswerForm(sent(page))
    committee = committee_of(page.competition)
    return _answering(
        page,
        found,
        form,
        title=_("答复上诉"),
        lead=_("这是最后的答复，以仲裁的名义：%(who)s") % {"who": committee} if committee else "",
        act=lambda: answer_appeal(
            acting=page.acting,
            protest=found,
            state=ProtestState(form.cleaned_data["state"]),
            answer=form.cleaned_data["answer"],
        ),
        done=_("上诉已答复。"),
    )


def _answering(page: Page, found: Protest, form: AnswerForm, **shown: Any) -> HttpResponse:
    return form_page(
        page,
        form,
        template="referee/protest_answer.html",
        verb=_("答复"),
        protest=row_of(page, found),
        back=page.url,
        onward=lambda: _onward(page, of_sheet(page, Protest, found.pk)),
        **shown,
    )


def _onward(page: Page, answered: Protest) -> str:
    """Where an answer leads: to the ruling that an upheld protest wants, else to the sheet."""
    return ruling_url(answered, page.competition) or f"{page.url}#protests"


@never_cache
@require_safe
def protests(request: HttpRequest, code: str) -> HttpResponse:
    """All protests of the competition; `?show=` waiting, answered or all."""
    competition, acting = get_competition(request, code)
    demand(referees(acting) or leads(acting), Role.REFEREE, Role.CHIEF)
    asked = request.GET.get("show", "")
    shown = asked if asked in FILTERS else "waiting"
    states: dict[str, Sequence[ProtestState]] = {
        "waiting": WAITING,
        "answered": [one for one in ProtestState if one not in WAITING],
    }
    found = list(protests_in(competition, acting, states.get(shown, ())))
    url = reverse("protests", args=[code])
    labels = {"waiting": _("等答复"), "answered": _("已答复"), "all": _("全部")}
    context = {
        "competition": competition,
        "rows": [_line(one, competition, acting) for one in found],
        "tabs": [
            {"label": labels[one], "url": f"{url}?show={one}", "current": one == shown}
            for one in FILTERS
        ],
        "is_chief": is_chief(acting),
        "is_leader": leads(acting),
        "who": "" if acting.user_id else _("裁判链接"),
    }
    with timezone.override(competition.tz):
        return render(request, "referee/protests.html", context)


def _line(found: Protest, competition: Competition, acting: Acting) -> dict[str, Any]:
    table = found.sheet.table
    met = Met(state=State(table.state), table_id=table.pk, has_hands=True)
    return {
        "table": table,
        **row(found, competition, acting, (), met),
        "appeal_url": "",
        "withdraw_url": "",
        "unappeal_url": "",
    }
