"""Mishaps at one table: who is late, the wrong people at the seats (C9.2, C9.4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from core.errors import DomainError
from scoring.domain.board import Board
from scoring.domain.errors import ShowEffects
from scoring.domain.hands import Late
from scoring.domain.lateness import mark_late, step_of, steps_of
from scoring.domain.rehearsal import Rehearsal, rehearse
from scoring.domain.reseating import BadSwap, swap_seats, swapped
from scoring.forms.entry import names_of
from scoring.forms.mishaps import LateForm, SwapForm
from scoring.views.referee.pages import ANSWERED, Page, effects_page, late_of, sheet_page
from scoring.words import amount
from tournament.domain.tables import Depends
from tournament.models.play import SEAT_NAMES
from tournament.permissions import Action

GET_OR_POST = ["GET", "HEAD", "POST"]


@require_http_methods(GET_OR_POST)
@sheet_page
def late(page: Page) -> HttpResponse:
    """Somebody is late: what it costs by the stage's steps, shown before it is saved."""
    page.need(Action.PENALIZE)
    form = LateForm(page.request.POST or None, board=page.board)

    def act(late: Late) -> None:
        mark_late(
            acting=page.acting,
            table=page.board.table,
            position=form.cleaned_data["position"],
            minutes=form.cleaned_data["minutes"],
            late=late,
        )

    return _seen_first(
        page,
        form,
        title=_("迟到"),
        verb=_("记下"),
        done=_("迟到已记。"),
        act=act,
        lines=lambda: [_cost(page.board, form)],
        steps=[
            (until, amount(points, is_counted=page.board.is_counted) if points else "")
            for until, points in steps_of(page.board)
        ],
    )


@require_http_methods(GET_OR_POST)
@sheet_page
def seats(page: Page) -> HttpResponse:
    """The wrong people sat there: columns are swapped for some hands, shown before it is saved."""
    page.need(Action.ENTER_HAND)
    board = page.board
    last = max(board.next_number - 1, 1)
    form = SwapForm(page.request.POST or None, board=board, initial={"first": 1, "last": last})
    won: list[str] = []

    def act(late: Late) -> None:
        if board.sheet.pk is None:
            raise BadSwap(_("这一桌还没有记分。"))
        swap_seats(
            acting=page.acting,
            sheet=board.sheet,
            seating=form.seating(),
            first=form.cleaned_data["first"],
            last=form.cleaned_data["last"],
            reason=form.cleaned_data["reason"],
            late=late,
        )
        won[:] = _stopped_wins(Board(board.sheet))

    return _seen_first(
        page,
        form,
        title=_("坐错座位"),
        verb=_("对换"),
        done=_("已对换，总分已重算。"),
        act=act,
        lines=lambda: [*_moves(board, form), *won],
        swapped=_swapped(board),
    )


def _seen_first(
    page: Page,
    form: forms.Form,
    *,
    title: str,
    verb: str,
    done: str,
    act: Callable[[Late], None],
    lines: Callable[[], list[str]],
    **more: Any,
) -> HttpResponse:
    """A form, then what it would change, then it is done; a confirmed table has its own page of
    effects (C9.1)."""
    data, status, shown = page.request.POST, 200, None
    if form.is_bound and not form.is_valid():
        status = 422
    elif form.is_bound:
        try:
            if page.board.is_done or data.get("shown") == "1":
                act(late_of(data))
                messages.success(page.request, done)
                return redirect(page.url)
            shown = rehearse(page.board, act, data.get("reason", ""))
        except (ShowEffects, Depends) as error:
            return effects_page(page, error, data)
        except DomainError as error:
            form.add_error(None, str(error))
            status = error.status
    return page.render(
        "referee/mishap.html",
        status=status,
        form=form,
        form_title=title,
        verb=verb,
        back=page.url,
        rows=compared(page.board, shown) if shown else [],
        lines=lines() if shown else [],
        fields=[(k, v) for k in data if k not in AGAIN for v in data.getlist(k)],
        **more,
    )


AGAIN = {*ANSWERED, "shown"} - {"reason"}
"""What is not sent once more with what was seen."""


def compared(board: Board, shown: Rehearsal) -> list[dict[str, Any]]:
    """Each seat's net 舵 and place, before and after."""
    return [
        {"seat": SEAT_NAMES[position], "name": name, "before": before, "after": after}
        for position, (name, before, after) in enumerate(
            zip(names_of(board), shown.before, shown.after, strict=True)
        )
    ]


def _cost(board: Board, form: forms.Form) -> str:
    name = names_of(board)[form.cleaned_data["position"]]
    minutes = form.cleaned_data["minutes"]
    points = step_of(steps_of(board), minutes)
    words = {"name": name, "minutes": minutes, "points": points, "hand": board.next_number}
    if points is None:
        return (
            _("%(name)s迟到 %(minutes)d 分钟，算缺席：第 %(hand)d 局起由陪打代打，他排最后。")
            % words
        )
    if points == 0:
        return _("%(name)s迟到 %(minutes)d 分钟：警告，不扣分。") % words
    words["points"] = amount(points, is_counted=board.is_counted)
    return _("%(name)s迟到 %(minutes)d 分钟：警告，扣罚 %(points)s。") % words


def _stopped_wins(board: Board) -> list[str]:
    """The hands that somebody has won although he may not (停和), a sentence each."""
    names = names_of(board)
    return [
        _("注意：第 %(n)d 局算作%(name)s胡，而他这一局停和。对换后请交裁判长裁决。")
        % {"n": line.number, "name": names[position]}
        for line in board.lines
        if not line.is_void
        for position in line.winners or ()
        if position in board.stopped(line.number)
    ]


def _moves(board: Board, form: SwapForm) -> list[str]:
    names = names_of(board)
    return [
        _("记在%(was)s的，改记给%(now)s。")
        % {
            "was": f"{SEAT_NAMES[seat]} {names[seat]}",
            "now": f"{SEAT_NAMES[target]} {names[target]}",
        }
        for seat, target in enumerate(form.seating())
        if seat != target
    ]


def _swapped(board: Board) -> list[dict[str, Any]]:
    """The swaps that stand, each with the form that takes it back."""
    return [
        {
            "first": one.first,
            "last": one.last,
            "moves": _("，").join(
                f"{SEAT_NAMES[seat]}→{SEAT_NAMES[target]}"
                for seat, target in enumerate(one.seating)
                if seat != target
            ),
            "fields": [
                ("first", one.first),
                ("last", one.last),
                *((f"seat_{seat}", target) for seat, target in enumerate(one.back)),
                ("reason", _("撤销对换")),
            ],
        }
        for one in swapped(board)
    ]
