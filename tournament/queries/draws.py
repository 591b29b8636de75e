"""What the draw's pages show: the ways side by side, the digests, who sits where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language

from tournament.enums import EntrantStatus, EntryStatus, StageKind, Style
from tournament.models import Draw, Event, Stage
from tournament.pairing.deal import Together
from tournament.pairing.plan import (
    PlanNumbers,
    RoundLength,
    Way,
    make_plan,
    plan_numbers,
    ways,
)


@dataclass(frozen=True)
class Option:
    """One way to a clean field in figures, before it is chosen (C3.1)."""

    way: Way
    is_default: bool
    is_chosen: bool
    numbers: PlanNumbers


def entrants_to_draw(event: Event) -> int:
    """How many a freeze would put on the list now. One query."""
    return event.entrants.filter(
        status=EntrantStatus.IN, entry__status=EntryStatus.CONFIRMED
    ).count()


def options(stage: Stage, entrants: int, table_size: int, advance: int) -> list[Option]:
    """The ways for so many entrants at these tables, the default first; [] below two. No query."""
    if entrants < 2:
        return []
    every = RoundLength(stage.hands, stage.minutes)
    final = RoundLength(stage.final_hands)
    possible = ways(entrants, table_size, advance)
    is_same = (stage.table_size, stage.advance) == (table_size, advance)
    chosen = (stage.way if stage.way in possible else possible[0]) if is_same else None
    return [
        Option(
            way,
            way is possible[0],
            way == chosen,
            plan_numbers(make_plan(entrants, table_size, advance, way), every, final),
        )
        for way in possible
    ]


def as_planned(stage: Stage, entrants: int, size: str) -> dict[str, object]:
    """The stage as the planner's form writes it: so many entrants, tables `size` ("3-1"). One
    query.
    """
    has_preliminary = stage.event.stages.filter(kind=StageKind.PRELIM).exists()
    return {
        "n": entrants,
        "size": size,
        "style": "redraw" if stage.style == Style.REDRAW else stage.way or "usual",
        "prelim": "usual" if has_preliminary else "0",
        "hands": stage.hands,
        "minutes": stage.minutes or 0,
        "final": stage.final_hands,
    }


def together(draw: Draw) -> list[str]:
    """Who could not be kept apart, a sentence each, in the language in use (C4.4)."""
    log: Mapping[str, Any] = draw.log if isinstance(draw.log, dict) else {}
    lines = [
        Together(line["round"], line["table"], line["unit"], line["apart"], tuple(line["numbers"]))
        for line in log.get("together", [])
    ]
    is_chinese = (get_language() or "zh").startswith("zh")
    return [line.zh if is_chinese else line.en for line in lines]


def lots(draw: Draw) -> dict[int, int]:
    """Number → public lot, 1 the best (C8.1), of a draw whose words are in."""
    numbers = draw.result["lots"] if isinstance(draw.result, dict) else []
    return {number: lot for lot, number in enumerate(numbers, 1)}
