"""Penalties: who and what for, then which step of the ladder and what it costs (C6.5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import DomainError
from scoring.domain.hands import Late
from scoring.domain.rehearsal import rehearse
from scoring.domain.verdicts import levels_of, penalize, void_penalty
from scoring.enums import PenaltyLevel, SheetState
from scoring.forms.entry import names_of
from scoring.forms.verdicts import OffenceForm, PenaltyForm
from scoring.models import Hand, Penalty
from scoring.penalties import ANY_GAME, Offence, next_level
from scoring.queries_verdicts import Had, history_of, offences_of
from scoring.views.referee.mishaps import AGAIN, compared
from scoring.views.referee.one_form import form_page, of_sheet, undo
from scoring.views.referee.pages import Page, late_of, sheet_page
from scoring.words import fitting
from tournament.enums import BEFORE_PLAY
from tournament.permissions import Action, NotAllowed, is_chief


@require_http_methods(["GET", "HEAD", "POST"])
@sheet_page
def penalty(page: Page) -> HttpResponse:
    """Asks who and what for; `?position=&code=` proposes a penalty; POST gives it."""
    page.need(Action.PENALIZE)
    offences = [
        one
        for one in offences_of(page.competition)
        if page.board.is_counted or one.code in ANY_GAME
    ]
    if page.request.method == "POST":
        position = page.request.POST.get("position", "")
        code = page.request.POST.get("code", "")
        form = PenaltyForm(page.request.POST, board=page.board, is_chief=is_chief(page.acting))
        return _give(page, form, _offence(offences, code), _had(page, position))
    asked = OffenceForm(
        page.request.GET if "position" in page.request.GET or "code" in page.request.GET else None,
        board=page.board,
        offences=offences,
    )
    if not asked.is_bound or not asked.is_valid():
        return page.render(
            "referee/penalty_start.html",
            status=422 if asked.is_bound else 200,
            form=asked,
            offences=offences,
        )
    offence = _offence(offences, asked.cleaned_data["code"])
    had = _had(page, str(asked.cleaned_data["position"]))
    initial = _proposal(page, offence, had) | {"position": asked.cleaned_data["position"]}
    form = PenaltyForm(board=page.board, is_chief=is_chief(page.acting), initial=initial)
    return _give(page, form, offence, had)


def _give(page: Page, form: PenaltyForm, offence: Offence | None, had: list[Had]) -> HttpResponse:
    def act(late: Late | None = None) -> None:
        given = form.cleaned_data
        penalize(
            acting=page.acting,
            sheet=page.saved_sheet(Action.PENALIZE),
            position=given["position"],
            level=given["level"],
            kind=given["kind"],
            amount=given.get("amount", 0),
            code=offence.code if offence else "",
            reason=given["reason"],
            hand=_hand(page, given["hand"]),
            stop_from=given.get("stop_from"),
            stop_hands=given.get("stop_hands"),
            late=late or late_of(page.request.POST),
        )

    shown = _shown_first(page, form, act)
    if shown is not None:
        return shown
    return form_page(
        page,
        form,
        template="referee/penalty.html",
        title=pgettext("step", "判罚") if offence is None else offence.name,
        verb=_("罚"),
        offence=offence,
        had=had,
        next=None if offence is None else _next(page, offence, had).label,
        beyond=offence is not None and _is_beyond(page, offence, had),
        act=act,
        done=_("判罚已记。"),
        back=page.url,
    )


def _shown_first(
    page: Page, form: PenaltyForm, act: Callable[[Late], object]
) -> HttpResponse | None:
    """取消资格 is seen before it is done; None where there is nothing to see. A confirmed table
    has its own page of effects (C9.1)."""
    data, board = page.request.POST, page.board
    if not form.is_bound or not form.is_valid() or board.is_done or data.get("shown") == "1":
        return None
    given = form.cleaned_data
    if given["level"] != PenaltyLevel.DISQUALIFIED:
        return None
    try:
        found = rehearse(board, act, given["reason"])
    except NotAllowed:
        raise
    except DomainError:
        return None
    name = names_of(board)[given["position"]]
    lines = [_("%(name)s退出比赛，不能晋级；这一桌的名次见下表。") % {"name": name}]
    if not board.is_full and board.sheet.state != SheetState.SUBMITTED:
        said = fitting(
            board.is_counted,
            _("从第 %(n)d 局起由陪打代打，已打的局照算。"),
            _("他不再打，第 %(n)d 盘起不用再打，已打的盘照算。"),
        )
        lines.append(said % {"n": board.next_number})
    if board.table.state in BEFORE_PLAY:
        lines = [_("%(name)s退出比赛，他的座位由陪打坐下。") % {"name": name}]
    return page.render(
        "referee/mishap.html",
        form=form,
        form_title=_("取消%(name)s的资格") % {"name": name},
        verb=_("取消资格"),
        back=page.url,
        rows=compared(board, found),
        lines=lines,
        fields=[(k, v) for k in data if k not in AGAIN for v in data.getlist(k)],
    )


def _offence(offences: Sequence[Offence], code: str) -> Offence | None:
    return next((one for one in offences if one.code == code), None)


def _had(page: Page, position: str) -> list[Had]:
    """What he already has, at all his tables."""
    seats = page.board.seats
    if not position.isdecimal() or len(position) > 1 or int(position) >= len(seats):
        return []
    entrant = seats[int(position)].entrant
    return history_of(entrant.entry_id) if entrant else []


def _is_beyond(page: Page, offence: Offence, had: list[Had]) -> bool:
    """Whether the next step is the chief referee's alone, and he is not."""
    level = next_level(offence, [one.earlier for one in had], levels_of(page.board))
    return level == PenaltyLevel.DISQUALIFIED and not is_chief(page.acting)


def _next(page: Page, offence: Offence, had: list[Had]) -> PenaltyLevel:
    if _is_beyond(page, offence, had):
        return levels_of(page.board)[-2]
    return next_level(offence, [one.earlier for one in had], levels_of(page.board))


def _proposal(page: Page, offence: Offence | None, had: list[Had]) -> dict[str, Any]:
    """What the form begins with; everything can be changed."""
    steps = levels_of(page.board)
    usual = PenaltyLevel.POINTS if PenaltyLevel.POINTS in steps else PenaltyLevel.WARNING
    found: dict[str, Any] = {"stop_from": page.board.next_number, "level": usual}
    if offence is not None:
        level = _next(page, offence, had)
        found |= {
            "code": offence.code,
            "level": level,
            "kind": "none" if level.step > PenaltyLevel.POINTS.step else offence.kind,
            "amount": offence.amount,
            "stop_hands": offence.stop_hands,
            "reason": _("%(name)s：%(what)s") % {"name": offence.name, "what": offence.what},
        }
    return found


def _hand(page: Page, number: int | None) -> Hand | None:
    """The hand the penalty is about; a number that is not there is none."""
    if not number or page.board.sheet.pk is None:
        return None
    return Hand.objects.filter(sheet=page.board.sheet, number=number).first()


@require_POST
@sheet_page
def penalty_void(page: Page, penalty_id: int) -> HttpResponse:
    """A penalty is taken back."""
    found = of_sheet(page, Penalty, penalty_id)
    late = late_of(page.request.POST)
    return undo(page, lambda: void_penalty(acting=page.acting, penalty=found, late=late), page.url)
