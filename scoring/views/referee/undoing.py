"""What is taken back at a sheet (C9.5): the bell, a submission, a confirmation, a closed table, a
correction, an answer, finality."""

from __future__ import annotations

from collections.abc import Callable

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import DomainError
from scoring.domain.errors import ShowEffects
from scoring.domain.hands import restore_hand
from scoring.domain.undo import (
    reopen_sheet,
    take_back_answer,
    uncall_time,
    unfinalize_round,
    unsubmit_sheet,
    withdraw_confirmation,
)
from scoring.models import Protest
from scoring.views.referee.hand import get_hand, show_hand
from scoring.views.referee.one_form import form_page, of_sheet, sent
from scoring.views.referee.pages import Page, Problem, effects_page, late_of, sheet_page
from scoring.views.referee.sheet import show as show_sheet
from scoring.words import fitting
from tournament.domain.reopening import sitting_after
from tournament.domain.tables import Depends
from tournament.enums import Role
from tournament.models import Round
from tournament.permissions import Action, NotAllowed, demand, is_chief
from tournament.views.access import get_competition


def _take_back(page: Page, act: Callable[[], object], done: str) -> HttpResponse:
    try:
        act()
    except NotAllowed:
        raise
    except DomainError as error:
        return show_sheet(page.fresh(), status=error.status, problem=Problem("undo", error))
    messages.success(page.request, done)
    return redirect(page.url)


@require_POST
@sheet_page
def uncall(page: Page) -> HttpResponse:
    """The bell is taken back."""
    sheet = page.saved_sheet(Action.CALL_TIME)
    return _take_back(
        page, lambda: uncall_time(acting=page.acting, sheet=sheet), _("到点已撤销，接着打。")
    )


@require_POST
@sheet_page
def unsubmit(page: Page) -> HttpResponse:
    """The sheet is open again."""
    sheet = page.saved_sheet(Action.SUBMIT_SHEET)
    return _take_back(
        page, lambda: unsubmit_sheet(acting=page.acting, sheet=sheet), _("提交已撤回，可以接着记。")
    )


@require_POST
@sheet_page
def disagree(page: Page) -> HttpResponse:
    """A confirmation is taken back by who gave it."""
    sheet = page.saved_sheet(Action.SEND_BACK)
    named = page.request.POST.get("position", "")
    position = int(named) if named.isdecimal() and len(named) < 3 else None
    return _take_back(
        page,
        lambda: withdraw_confirmation(acting=page.acting, sheet=sheet, position=position),
        _("确认已收回。"),
    )


class ReopenForm(forms.Form):
    """Why a confirmed table is open again."""

    reason = forms.CharField(label=gettext_lazy("原因"), max_length=200)


@require_http_methods(["GET", "HEAD", "POST"])
@sheet_page
def reopen(page: Page) -> HttpResponse:
    """A confirmed table is open again, its effects shown first."""
    demand(is_chief(page.acting), Role.CHIEF)
    sheet = page.board.sheet
    if sheet.pk is None:
        raise Http404
    form = ReopenForm(sent(page))
    names = _("、").join(
        _("%(name)s（%(table)s）") % {"name": seat.entrant.name, "table": seat.table}
        for seat in sitting_after(page.board.table)
        if seat.entrant is not None
    )
    lead = _("这一桌的名次和晋级都收回，改好后要重新确认。")
    if names:
        lead += _("已坐进下一轮的先离座：%(names)s。") % {"names": names}
    return form_page(
        page,
        form,
        title=_("重新打开这一桌"),
        verb=_("重新打开"),
        lead=lead,
        act=lambda: reopen_sheet(
            acting=page.acting, sheet=sheet, reason=form.cleaned_data["reason"]
        ),
        done=_("这一桌已重新打开。"),
        back=page.url,
    )


@require_POST
@sheet_page
def restore(page: Page, number: int) -> HttpResponse:
    """An earlier version of a hand counts again."""
    hand = get_hand(page, number)
    data = page.request.POST
    version = data.get("version", "")
    try:
        restore_hand(
            acting=page.acting,
            hand=hand,
            version=int(version) if version.isdecimal() and len(version) < 5 else 0,
            late=late_of(data),
        )
    except NotAllowed:
        raise
    except (ShowEffects, Depends) as error:
        winners = hand.versions.get(version=int(version)).winners or []
        may_not = page.board.stopped(number)
        seats = page.board.seats
        stopped = _("、").join(seats[seat].name for seat in winners if seat in may_not)
        return effects_page(page, error, data, stopped=stopped)
    except DomainError as error:
        page = page.fresh()
        problem = Problem("restore", error)
        return show_hand(page, get_hand(page, number), status=error.status, problem=problem)
    said = fitting(page.board.is_counted, _("第 %(n)d 局已恢复。"), _("第 %(n)d 盘已恢复。"))
    messages.success(page.request, said % {"n": number})
    return redirect(page.hand_url(number))


@require_POST
@sheet_page
def unanswer(page: Page, protest_id: int) -> HttpResponse:
    """A protest is open again."""
    found = of_sheet(page, Protest, protest_id)
    return _take_back(
        page, lambda: take_back_answer(acting=page.acting, protest=found), _("答复已收回。")
    )


@never_cache
@require_POST
def round_unfinal(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """The last round is not final any more; its minutes begin anew."""
    competition, acting = get_competition(request, code)
    round_ = Round.objects.filter(pk=pk, stage__event__competition=competition).first()
    if round_ is None:
        raise Http404(pk)
    unfinalize_round(acting=acting, round_=round_)
    messages.success(request, _("定局已收回，重新计时。"))
    return redirect("desk", code)
