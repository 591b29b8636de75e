"""What the page of formats shows beside the choices: the planner's figures. No query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from tournament.domain.formats import Format
from tournament.domain.settings import spoken
from tournament.pairing.errors import PairingError
from tournament.pairing.planner import Game, Part, PlannedEvent, Style, plan_event


def figures(
    wanted: Format,
    entrants: int,
    game: Game = Game.ZIPAI,
    *,
    styles: Sequence[tuple[str, str | Promise]],
) -> dict[str, Any]:
    """`problem`, or the format's `rounds` and totals; `ways` are the `styles`, value and label,
    side by side."""
    ways = _ways(wanted, entrants, game, styles)
    shown: dict[str, Any] = {"ways": ways, "entrants": entrants}
    try:
        planned = plan_event(wanted.terms(entrants, game))
    except PairingError as error:
        return {**shown, "problem": spoken(error)}
    return {**shown, **_totals(planned), "rounds": _rounds(planned)}


def _totals(planned: PlannedEvent) -> dict[str, Any]:
    return {
        "count": len(planned.rounds),
        "byes": planned.byes,
        "fillers": planned.fillers,
        "tables": planned.tables,
        "most_tables": planned.most_tables,
        "fours": planned.four_seat_tables,
        "extra": planned.extra,
        "minutes": sum(one.minutes for one in planned.rounds),
        "has_skipped": planned.has_skipped,
    }


def _rounds(planned: PlannedEvent) -> list[dict[str, Any]]:
    has_preliminary = planned.rounds[0].part is Part.PRELIMINARY
    rounds = []
    for one in planned.rounds:
        if one.part is Part.PRELIMINARY:
            title = _("预赛第 %(n)d 轮") % {"n": one.number}
        elif one.is_final:
            title = _("决赛")
        else:
            words = _("淘汰第 %(n)d 轮") if has_preliminary else _("第 %(n)d 轮")
            title = words % {"n": one.number}
        rounds.append({"title": title, "of": one})
    return rounds


def _ways(
    wanted: Format, entrants: int, game: Game, styles: Sequence[tuple[str, str | Promise]]
) -> list[dict[str, Any]]:
    """Every style with the other terms as they are; `problem` where it cannot be."""
    found = []
    for value, label in styles:
        style = Style(value)
        other = replace(wanted, style=style, first_two=wanted.first_two and style is Style.REDRAW)
        row: dict[str, Any] = {"label": label, "is_chosen": style is wanted.style}
        try:
            row |= _totals(plan_event(other.terms(entrants, game)))
        except PairingError as error:
            row["problem"] = spoken(error)
        found.append(row)
    return found
