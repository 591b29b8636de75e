"""Penalties, rulings, protests (C6.5, C6.6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import DomainError
from scoring.domain.errors import ShowEffects
from scoring.domain.hands import Late
from scoring.domain.protests import answer_protest, protest
from scoring.domain.verdicts import drop_ruling, penalize, rule_on_hand, rule_on_table, void_penalty
from scoring.enums import PenaltyKind, ProtestState
from scoring.forms.verdicts import (
    AnswerForm,
    HandRulingForm,
    PenaltyForm,
    ProtestForm,
    TableRulingForm,
)
from scoring.models import Hand, Penalty, Protest, Ruling
from scoring.views.referee.hand import get_hand
from scoring.views.referee.pages import Page, Problem, effects_page, late_of, sheet_page
from scoring.views.referee.sheet import show as show_sheet
from tournament.domain.tables import Depends
from tournament.permissions import Action, NotAllowed


def _late(page: Page) -> Late:
    return late_of(page.request.POST)


def _form_page(
    page: Page,
    form: forms.Form,
    *,
    title: str,
    verb: str,
    act: Callable[[], object],
    done: str,
    back: str,
    lead: str = "",
) -> HttpResponse:
    """A page with one form: shows it, does `act` with what was sent, or says what is wrong."""
    status = 200
    if form.is_bound:
        if form.is_valid():
            try:
                act()
            except NotAllowed:
                raise
            except (ShowEffects, Depends) as error:
                return effects_page(page, error, page.request.POST)
            except DomainError as error:
                form.add_error(None, str(error))
                status = error.status
            else:
                messages.success(page.request, done)
                return redirect(back)
        else:
            status = 422
    return page.render(
        "referee/form.html",
        status=status,
        form=form,
        form_title=title,
        verb=verb,
        back=back,
        lead=lead,
    )


def _data(page: Page) -> Any:
    return page.request.POST if page.request.method == "POST" else None


def _hand(page: Page, number: int | None) -> Hand | None:
    """The hand a penalty or protest is about; a number that is not there is none."""
    if not number or page.board.sheet.pk is None:
        return None
    return Hand.objects.filter(sheet=page.board.sheet, number=number).first()


@require_http_methods(["GET", "HEAD", "POST"])
@sheet_page
def penalty(page: Page) -> HttpResponse:
    """Takes points from a player."""
    page.need(Action.PENALIZE)
    form = PenaltyForm(_data(page), board=page.board)

    def act() -> None:
        given = form.cleaned_data
        penalize(
            acting=page.acting,
            sheet=page.saved_sheet(Action.PENALIZE),
            position=given["position"],
            kind=PenaltyKind(given["kind"]),
            amount=given["amount"],
            reason=given["reason"],
            hand=_hand(page, given["hand"]),
            late=_late(page),
        )

    return _form_page(
        page, form, title=_("罚分"), verb=_("罚分"), act=act, done=_("罚分已记。"), back=page.url
    )


@require_http_methods(["GET", "HEAD", "POST"])
@sheet_page
def hand_ruling(page: Page, number: int) -> HttpResponse:
    """The chief referee's points for a hand."""
    page.need(Action.RULE)
    hand = get_hand(page, number)
    current = next(v for v in page.board.versions if v.hand_id == hand.pk)
    initial = {f"delta_{seat}": delta for seat, delta in enumerate(current.deltas)}
    form = HandRulingForm(_data(page), board=page.board, initial=initial)
    return _form_page(
        page,
        form,
        title=_("裁决第 %(n)d 局") % {"n": number},
        verb=_("裁决"),
        lead=_("裁决的分数在总分里代替算出的分数；算出的分数仍然看得到。"),
        act=lambda: rule_on_hand(
            acting=page.acting,
            hand=hand,
            deltas=form.deltas(),
            reason=form.cleaned_data["reason"],
            late=_late(page),
        ),
        done=_("裁决已生效。"),
        back=page.hand_url(number),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@sheet_page
def table_ruling(page: Page) -> HttpResponse:
    """The chief referee fixes the places of the table."""
    page.need(Action.RULE)
    form = TableRulingForm(_data(page), board=page.board)
    return _form_page(
        page,
        form,
        title=_("裁定名次"),
        verb=_("裁定"),
        act=lambda: rule_on_table(
            acting=page.acting,
            sheet=page.saved_sheet(Action.RULE),
            places=form.places(),
            reason=form.cleaned_data["reason"],
            late=_late(page),
        ),
        done=_("名次已裁定。"),
        back=page.url,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@sheet_page
def new_protest(page: Page) -> HttpResponse:
    """A protest from the table, an entrant or a referee."""
    page.need(Action.PROTEST)
    form = ProtestForm(_data(page))
    return _form_page(
        page,
        form,
        title=_("申诉"),
        verb=_("交给裁判长"),
        act=lambda: protest(
            acting=page.acting,
            sheet=page.saved_sheet(Action.PROTEST),
            text=form.cleaned_data["text"],
            hand=_hand(page, form.cleaned_data["hand"]),
        ),
        done=_("申诉已交给裁判长。"),
        back=page.url,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@sheet_page
def protest_answer(page: Page, protest_id: int) -> HttpResponse:
    """The chief referee answers."""
    page.need(Action.RULE)
    found = _of_sheet(page, Protest, protest_id)
    form = AnswerForm(_data(page))
    return _form_page(
        page,
        form,
        title=_("答复申诉"),
        verb=_("答复"),
        lead=found.text,
        act=lambda: answer_protest(
            acting=page.acting,
            protest=found,
            state=ProtestState(form.cleaned_data["state"]),
            answer=form.cleaned_data["answer"],
        ),
        done=_("申诉已答复。"),
        back=page.url,
    )


@require_POST
@sheet_page
def penalty_void(page: Page, penalty_id: int) -> HttpResponse:
    """A penalty is taken back."""
    found = _of_sheet(page, Penalty, penalty_id)
    return _undo(
        page, lambda: void_penalty(acting=page.acting, penalty=found, late=_late(page)), page.url
    )


@require_POST
@sheet_page
def ruling_drop(page: Page, ruling_id: int) -> HttpResponse:
    """A ruling is taken back."""
    found = _of_sheet(page, Ruling, ruling_id)
    back = page.hand_url(found.hand.number) if found.hand else page.url
    return _undo(
        page, lambda: drop_ruling(acting=page.acting, ruling=found, late=_late(page)), back
    )


def _of_sheet(page: Page, model: Any, pk: int) -> Any:
    found = model.objects.filter(sheet__table=page.board.table, pk=pk).first()
    if found is None:
        raise Http404(pk)
    return found


def _undo(page: Page, act: Callable[[], object], back: str) -> HttpResponse:
    try:
        act()
    except NotAllowed:
        raise
    except (ShowEffects, Depends) as error:
        return effects_page(page, error, page.request.POST)
    except DomainError as error:
        problem = Problem("verdict", error, page.request.POST.get("reason", ""))
        return show_sheet(page.fresh(), status=error.status, problem=problem)
    messages.success(page.request, _("已撤销。"))
    return redirect(back)
