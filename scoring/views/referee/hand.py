"""A hand's page: explained, its versions, and corrections (C6.2, C9.1)."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any, cast

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import DomainError
from scoring.differences import differences
from scoring.domain.errors import ShowEffects
from scoring.domain.hands import clear_flag, correct_hand, flag_hand, void_hand
from scoring.domain.room import who_wrote
from scoring.enums import Evidence
from scoring.models import Hand, HandVersion
from scoring.queries import find_hand
from scoring.queries_history import seated_at_replay
from scoring.shown import ShownSheet
from scoring.views.referee.entry import (
    answer_context,
    correcting_form,
    marked_lines,
    posted_form,
    refused,
)
from scoring.views.referee.pages import Page, Problem, effects_page, late_of, sheet_page
from scoring.views.referee.sheet import tabs
from scoring.words import fitting
from tournament.domain.tables import Depends
from tournament.permissions import Action, NotAllowed, may


def get_hand(page: Page, number: int) -> Hand:
    """The hand with this number. Raises `Http404`."""
    hand = find_hand(page.board.sheet, number) if page.board.sheet.pk else None
    if hand is None:
        raise Http404(number)
    hand.sheet = page.board.sheet
    return hand


@require_safe
@sheet_page
def hand(page: Page, number: int) -> HttpResponse:
    """The hand explained, with all its versions and rulings."""
    return show_hand(page, get_hand(page, number))


def show_hand(
    page: Page, hand: Hand, *, status: int = 200, problem: Problem | None = None
) -> HttpResponse:
    """The hand's page."""
    board = page.board
    shown = ShownSheet(board, mask=False, urls={})
    index = next(i for i, v in enumerate(board.versions) if v.hand_id == hand.pk)
    current = board.versions[index]
    met = board.met(reason="-", effects_shown=True)
    may_enter = may(page.acting, Action.ENTER_HAND, met)
    return page.render(
        "referee/hand.html",
        status=status,
        hand=hand,
        current=current,
        explained={**shown.hands("")[index], "record": ""},
        record=current.payload.get("text", "") if current.evidence == Evidence.RECORD else "",
        versions=_version_rows(
            _as_seated(page, shown, current), list(hand.versions.all()), may_restore=may_enter
        ),
        rulings=[
            {
                "ruling": ruling,
                "who": who_wrote(ruling),
                "deltas": _points(shown, ruling.deltas),
            }
            for ruling in hand.rulings.all()
        ],
        problem=problem,
        late=board.is_done,
        can={
            "enter": may_enter,
            "flag": may_enter and not current.is_void and not current.is_flagged,
            "clear": may_enter and current.is_flagged,
            "void": may_enter and not current.is_void,
            "rule": may(page.acting, Action.RULE, met),
            "protest": may(page.acting, Action.PROTEST, met),
        },
    )


def _as_seated(page: Page, shown: ShownSheet, current: HandVersion) -> ShownSheet:
    """The names of who sat there where a replay has made the hand void (C9.1)."""
    names = seated_at_replay(page.board.sheet) if current.is_void else []
    if not names:
        return shown
    then = copy(shown)
    then.names = names
    return then


def _version_rows(
    shown: ShownSheet, versions: list[HandVersion], *, may_restore: bool
) -> list[dict[str, Any]]:
    """The chain, newest first, each with what it changed of the one before."""
    before = [*versions[1:], None]
    return [
        {
            "version": version,
            "who": who_wrote(version),
            "outcome": shown.outcome(version),
            "changes": [] if old is None else differences(old, version, shown.names),
            "deltas": _points(shown, version.deltas),
            "restore": may_restore and not version.is_current and not version.is_void,
        }
        for version, old in zip(versions, before, strict=True)
    ]


def _points(shown: ShownSheet, deltas: tuple[int, ...]) -> list[dict[str, Any]]:
    return [
        {"name": name, "delta": shown.board.figure(delta)}
        for name, delta in zip(shown.names, deltas, strict=False)
    ]


@require_http_methods(["GET", "HEAD", "POST"])
@sheet_page
def correct(page: Page, number: int) -> HttpResponse:
    """The form of a correction; POST makes a new version."""
    page.need(Action.ENTER_HAND)
    hand = get_hand(page, number)
    current = next(v for v in page.board.versions if v.hand_id == hand.pk)
    if page.request.method != "POST":
        form = correcting_form(page.board, current, page.request.GET.get("tab", ""))
        return _correcting(page, hand, current, form=form)
    form = posted_form(page)
    seen = page.request.POST.get("seen", "")
    if not form.is_valid():
        return _correcting(page, hand, current, form=form, status=422)
    try:
        correct_hand(
            acting=page.acting,
            hand=hand,
            entered=form.entered(),
            seen=int(seen) if seen.isdigit() else None,
            late=form.late(),
        )
    except NotAllowed:
        raise
    except (ShowEffects, Depends) as error:
        stopped = answer_context(page.board, form).get("stopped", "")
        return effects_page(page, error, cast(QueryDict, form.data), stopped=stopped)
    except DomainError as error:
        page = page.fresh()
        more = refused(page, form, error)
        return _correcting(page, hand, current, form=form, status=error.status, **more)
    said = fitting(page.board.is_counted, _("第 %(n)d 局已更正。"), _("第 %(n)d 盘已更正。"))
    messages.success(page.request, said % {"n": number})
    return redirect(page.hand_url(number))


def _correcting(
    page: Page, hand: Hand, current: HandVersion, *, form: Any, status: int = 200, **more: Any
) -> HttpResponse:
    url = f"{page.hand_url(hand.number)}correct/"
    faults = more.get("faults")
    if faults:
        more["record_lines"] = marked_lines(str(form.data.get("text", "")), faults)
    return page.render(
        "referee/correct.html",
        status=status,
        hand=hand,
        current=current,
        hand_url=page.hand_url(hand.number),
        form=form,
        level=str(form.evidence),
        tabs=tabs(page.board, form, url),
        **more,
    )


def _act(page: Page, number: int, at: str, act: Callable[[Hand, str], object]) -> HttpResponse:
    """Does something short to the hand; an error is shown beside its button."""
    hand = get_hand(page, number)
    reason = page.request.POST.get("reason", "")
    try:
        act(hand, reason)
    except NotAllowed:
        raise
    except (ShowEffects, Depends) as error:
        return effects_page(page, error, page.request.POST)
    except DomainError as error:
        page = page.fresh()
        problem = Problem(at, error, reason)
        return show_hand(page, get_hand(page, number), status=error.status, problem=problem)
    return redirect(page.hand_url(number))


@require_POST
@sheet_page
def void(page: Page, number: int) -> HttpResponse:
    """The hand counts for nothing."""
    late = late_of(page.request.POST)
    return _act(
        page,
        number,
        "void",
        lambda hand, reason: void_hand(acting=page.acting, hand=hand, reason=reason, late=late),
    )


@require_POST
@sheet_page
def flag(page: Page, number: int) -> HttpResponse:
    """待裁."""
    return _act(
        page,
        number,
        "flag",
        lambda hand, reason: flag_hand(acting=page.acting, hand=hand, reason=reason),
    )


@require_POST
@sheet_page
def clear(page: Page, number: int) -> HttpResponse:
    """No longer 待裁."""
    return _act(
        page, number, "clear", lambda hand, _reason: clear_flag(acting=page.acting, hand=hand)
    )
