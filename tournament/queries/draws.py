"""What the draw's pages show: the ways side by side, the digests, who sits where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournament.domain.preliminary import cut_of, knockout_of
from tournament.enums import EntrantStatus, EntryStatus, StageKind, Style
from tournament.models import Draw, Event, Stage
from tournament.pairing.deal import Split, Together
from tournament.pairing.plan import (
    PlanNumbers,
    RoundLength,
    Way,
    make_plan,
    plan_numbers,
    ways,
)
from tournament.pairing.rotation import fillers_of, table_count


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
    is_fixed = stage.style == Style.FIXED
    is_same = is_fixed and (stage.table_size, stage.advance) == (table_size, advance)
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
    return {
        "n": entrants,
        "size": size,
        "style": "redraw" if stage.style == Style.REDRAW else stage.way or "usual",
        "prelim": "usual" if has_preliminary(stage) else "0",
        "hands": stage.hands,
        "minutes": stage.minutes or 0,
        "final": stage.final_hands,
    }


@dataclass(frozen=True)
class Prelim:
    """A preliminary in figures, before it is drawn (C5); `fixed` are the names of those who cannot
    walk."""

    rounds: int
    tables: int
    fillers: int
    cut: int
    fixed: list[str]


def prelim_figures(stage: Stage, entrants: int) -> Prelim | None:
    """The figures of a preliminary for so many entrants; None for a knock-out. Two queries."""
    if stage.kind != StageKind.PRELIM:
        return None
    fixed = stage.event.entrants.filter(
        status=EntrantStatus.IN, entry__status=EntryStatus.CONFIRMED, entry__needs_fixed_table=True
    ).select_related("entry__person", "partner__person")
    return Prelim(
        stage.round_count or 0,
        table_count(entrants),
        len(fillers_of(entrants)),
        cut_of(stage, knockout_of(stage.event), entrants),
        [entrant.name for entrant in fixed],
    )


def has_preliminary(stage: Stage) -> bool:
    """Whether the stage's event has a preliminary. One query unless it is known."""
    if stage.event.has_preliminary is not None:
        return stage.event.has_preliminary
    return Stage.objects.filter(event=stage.event_id, kind=StageKind.PRELIM).exists()


def split_units(draw: Draw) -> list[str]:
    """Whom a preliminary's draw could not put in one column, and who has to walk (C5.3), a
    sentence each, in the language in use."""
    log: Mapping[str, Any] = draw.log if isinstance(draw.log, dict) else {}
    is_chinese = (get_language() or "zh").startswith("zh")
    splits = [Split(one["unit"], one["columns"]) for one in log.get("split", [])]
    lines = [one.zh if is_chinese else one.en for one in splits]
    walks = [str(number) for number in log.get("walks", [])]
    if walks:
        lines.append(_("%(who)s 号要固定桌，但有一轮要换桌。") % {"who": _("、").join(walks)})
    return lines


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
