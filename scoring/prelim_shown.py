"""A preliminary as pages show it: the standings (C8.3) and the whole seating (C5.1).

Drafts are told apart by the states that the caller may see (C7.4); nothing else of the viewer.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection
from typing import Any, NamedTuple

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from core.templatetags.look import signed
from scoring.bracket import Urls
from scoring.domain.preliminary import Standing, standing_of
from scoring.finishes import spoken as spoken_prize
from scoring.preliminary import Step, points_text
from scoring.standings import prizes_to
from tournament.domain.leaving import GONE
from tournament.domain.preliminary import preliminary_of
from tournament.enums import DONE, Discipline, EntrantStatus
from tournament.models import Event, Seat, Stage
from tournament.models.play import SEAT_NAMES, round_title
from tournament.queries.public import name_of, shown_name, unit_of

_MINUS = re.compile(r"-(?=\d)")


def preliminary_context(event: Event, urls: Urls, *, mask: bool) -> dict[str, Any] | None:
    """The standings of the event's preliminary beside those of its knock-out. Some ten queries."""
    stage = preliminary_of(event)
    if stage is None:
        return None
    stage.event = event
    return {"standings": standings_table(stage, standing_of(stage), urls, mask=mask)}


def standings_table(
    stage: Stage, standing: Standing, urls: Urls, *, mask: bool
) -> dict[str, Any] | None:
    """The context of `partials/standings.html`; None before a table is confirmed."""
    rows = standing.ranking.rows
    if not any(row.result.rounds for row in rows):
        return None
    going = len(standing.going_on)
    level = {row.rank for row in rows if sum(one.rank == row.rank for one in rows) > 1}
    lines = []
    for index, row in enumerate(rows):
        entrant = standing.entrants[row.result.key]
        step = standing.ranking.steps[index] if index < len(standing.ranking.steps) else None
        cut = index + 1 == going < len(rows)
        lines.append(
            {
                "place": str(row.rank),
                "tied": row.rank in level,
                "prize": _prize(stage, row.rank, going),
                "name": shown_name(entrant.name, entrant.number, mask=mask),
                "unit": entrant.unit,
                "url": urls.entrant(entrant.pk),
                "reason": spoken(step) if step else "",
                "note": str(EntrantStatus(entrant.status).label) if entrant.status in GONE else "",
                "cells": [
                    points_text(row.result.points),
                    signed(row.result.net),
                    str(row.result.tables_won),
                    str(row.result.rounds),
                ],
                "first": False,
                "cut": cut,
                "below": _below(stage, going) if cut else "",
            }
        )
    is_zipai = stage.event.discipline == Discipline.ZIPAI
    return {
        "caption": "",
        "columns": [_("积分"), _("净舵") if is_zipai else _("得分"), _("赢的桌数"), _("轮数")],
        "rows": lines,
    }


def _prize(stage: Stage, rank: int, going: int) -> str:
    """The prize of who has not gone on: those before him play for theirs in the knock-out."""
    if stage.closed_at is None or rank <= going:
        return ""
    prizes = prizes_to(stage.event.prizes)
    prize = next((one for one in prizes if one.first <= rank <= one.last), None)
    return spoken_prize(prize) if prize else ""


def _below(stage: Stage, going: int) -> str:
    if stage.closed_at is None:
        return ngettext("以上 %(n)d 人在线内", "以上 %(n)d 人在线内", going) % {"n": going}
    return ngettext("以上 %(n)d 人进淘汰赛", "以上 %(n)d 人进淘汰赛", going) % {"n": going}


def spoken(step: Step) -> str:
    """Why somebody stands before the next, in the language in use."""
    is_chinese = (get_language() or "zh").startswith("zh")
    return _MINUS.sub("−", step.zh if is_chinese else step.en)


class PlanSeat(NamedTuple):
    """A seat of the seating; `entrant` None is a filler."""

    round: int
    title: str
    table: int
    table_id: int
    position: int
    entrant: int | None
    number: int | None
    name: str
    unit: str
    points: str


def plan_seats(stage: Stage, states: Collection[str], *, mask: bool) -> list[PlanSeat]:
    """The seats of the preliminary in these states, by round, table and position. One query."""
    found = (
        Seat.objects.filter(
            round__stage=stage, round__state__in=states, table__state__in=states
        )
        .order_by("round__number", "table__number", "position")
        .annotate(who=name_of("entrant__"), where=unit_of("entrant__"))
        .values_list(
            "round__number", "round__name", "round__is_tie_break", "table__number", "table_id",
            "table__state", "position", "entrant_id", "entrant__entry__number", "who", "where",
            "points",
        )
    )  # fmt: skip
    return [
        PlanSeat(
            number,
            _("预赛加赛")
            if is_tie_break
            else round_title(number, title, is_last=False, is_prelim=True),
            table,
            table_id,
            position,
            entrant,
            entry,
            shown_name(name or "", entry, mask=mask) if entrant else _("陪打"),
            unit or "",
            points_text(points) if state in DONE and points is not None and entrant else "",
        )
        for number, title, is_tie_break, table, table_id, state, position, entrant, entry, name,
        unit, points in found
    ]  # fmt: skip


def seating(seats: Collection[PlanSeat], urls: Urls | None) -> dict[str, Any] | None:
    """The whole seating twice, by table and by number; None where there is no seat. With `urls`
    tables and entrants are links."""
    if not seats:
        return None
    rounds: dict[int, dict[int, list[PlanSeat]]] = defaultdict(lambda: defaultdict(list))
    people: dict[int, dict[int, PlanSeat]] = defaultdict(dict)
    for seat in seats:
        rounds[seat.round][seat.table].append(seat)
        if seat.entrant is not None:
            people[seat.entrant][seat.round] = seat
    titles = {seat.round: seat.title for seat in seats}
    ordered = sorted(people.items(), key=lambda item: next(iter(item[1].values())).number or 0)
    return {
        "rounds": [
            {
                "number": number,
                "title": titles[number],
                "tables": [
                    {
                        "number": table,
                        "url": urls.table(here[0].table_id) if urls else "",
                        "seats": here,
                    }
                    for table, here in tables.items()
                ],
                "names": list(SEAT_NAMES[: max(len(here) for here in tables.values())]),
            }
            for number, tables in rounds.items()
        ],
        "titles": [titles[number] for number in rounds],
        "people": [_person(pk, at, list(rounds), urls) for pk, at in ordered],
    }


def _person(
    pk: int, at: dict[int, PlanSeat], rounds: list[int], urls: Urls | None
) -> dict[str, Any]:
    one = next(iter(at.values()))
    return {
        "number": one.number,
        "name": one.name,
        "unit": one.unit,
        "url": urls.entrant(pk) if urls else "",
        "cells": [
            {
                "words": _("%(n)d 桌%(seat)s")
                % {"n": at[number].table, "seat": SEAT_NAMES[at[number].position]},
                "points": at[number].points,
            }
            if number in at
            else None
            for number in rounds
        ],
    }
