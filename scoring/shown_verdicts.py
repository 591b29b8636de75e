"""Penalties and protests as pages show them (C6.5, C7.3): plain values for the templates."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from scoring.domain.board import Board
from scoring.enums import PenaltyKind, PenaltyLevel, ProtestAbout, ProtestState
from scoring.models import Penalty, Protest
from scoring.shown import ShownSheet
from scoring.shown_games import is_counted
from scoring.words import amount, numbered


def penalties(shown: ShownSheet) -> list[dict[str, Any]]:
    """The penalties in force, each with its step of the ladder and its reason."""
    counted = shown.board.is_counted
    return [
        {
            "pk": penalty.pk,
            "name": shown.names[penalty.position],
            "level": str(PenaltyLevel(penalty.level).label),
            "kind": str(PenaltyKind(penalty.kind).label),
            "hand": numbered(penalty.hand.number, is_counted=counted) if penalty.hand else "",
            "points": amount(taken, is_counted=counted) if taken else "",
            "stop": _stop(penalty),
            "reason": shown.public(penalty.reason),
            "can_void": penalty.level != PenaltyLevel.DISQUALIFIED,
        }
        for penalty in shown.board.penalties
        for taken in [penalty.deducted or -penalty.deltas[penalty.position]]
    ]


def _stop(penalty: Penalty) -> str:
    """Which hands he may not win."""
    if penalty.stop_from is None:
        return ""
    if penalty.stop_hands is None:
        return _("第 %(first)d 局起不能胡") % {"first": penalty.stop_from}
    last = penalty.stop_from + penalty.stop_hands - 1
    if last == penalty.stop_from:
        return _("第 %(first)d 局不能胡") % {"first": penalty.stop_from}
    return _("第 %(first)d–%(last)d 局不能胡") % {"first": penalty.stop_from, "last": last}


def stopped(board: Board, names: list[str]) -> str:
    """Who may not win the next hand, "" where everybody may (停和)."""
    found = [names[position] for position in sorted(board.stopped(board.next_number))]
    if not found or board.is_done:
        return ""
    words = {"who": _("、").join(found), "n": board.next_number}
    return _("%(who)s 第 %(n)d 局不能胡。") % words


def stopped_here(board: Board, names: list[str]) -> str:
    """Who was or is not allowed to win some hands of this sheet, "" for nobody (停和)."""
    found = [one for one in board.penalties if one.stop_from is not None]
    return _("；").join(
        _("%(who)s：%(which)s") % {"who": names[one.position], "which": _stop(one)} for one in found
    )


def public_protests(found: Iterable[Protest]) -> list[dict[str, str]]:
    """What spectators see of protests: what about, and how it stands. No text and no name."""
    return [
        {
            "about": numbered(one.hand.number, is_counted=is_counted(one.sheet))
            if one.hand
            else str(ProtestAbout(one.about).label),
            "state": str(one.state),
            "label": str(ProtestState(one.state).label),
        }
        for one in found
        if one.state != ProtestState.WITHDRAWN
    ]
