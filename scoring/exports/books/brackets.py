"""An empty bracket on sheets of paper: a large one is cut into the ways to a round, and the top."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from scoring.bracket import bracket
from scoring.exports.books.parts import NO_URLS
from scoring.exports.bracket_svg import INK, RED, bracket_svg
from scoring.queries_public import RoundRow, SeatRow
from tournament.enums import State
from tournament.models.people import name_by_number

_SIZE = re.compile(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"')
MOST_SEATS = 30
"""Seats of the first column on one sheet."""
LONGEST = 14
"""Characters of a name that a line of the drawing holds; longer ones are written as the number,
so that no half of a name is drawn that could not be masked."""


def empty_brackets(rounds: Sequence[RoundRow], seats: Sequence[SeatRow]) -> list[dict[str, Any]]:
    """Sheets `{title, svg}` of the bracket as it was drawn, without results; none of a redraw, as
    there no table leads to another."""
    if not rounds or any(one.is_redrawn for one in rounds):
        return []
    drawn = [_as_drawn(seat) for seat in seats]
    tables: dict[int, list[SeatRow]] = defaultdict(list)
    for seat in drawn:
        tables[seat.table].append(seat)
    cut = _cut(tables, len(rounds))
    if cut == len(rounds):
        return [{"title": "", "svg": _drawing(rounds, drawn)}]
    sheets = []
    for root in _roots(tables, cut):
        below = _below(root, tables)
        own = [seat for seat in drawn if seat.table in below]
        title = _("到%(round)s第 %(n)d 桌") % {
            "round": rounds[cut - 1].title,
            "n": tables[root][0].number,
        }
        sheets.append({"title": title, "svg": _drawing(rounds[:cut], own, zones=False)})
    top = [one._replace(number=one.number - cut) for one in rounds[cut:]]
    own = [seat._replace(round=seat.round - cut) for seat in drawn if seat.round > cut]
    sheets.append({"title": _("以后各轮"), "svg": _drawing(top, own, zones=False)})
    return sheets


def is_wide(sheets: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the drawing wants its paper across: there is one, and it is wider than high."""
    found = _SIZE.search(sheets[0]["svg"])
    return len(sheets) == 1 and found is not None and float(found[1]) > float(found[2])


def _as_drawn(seat: SeatRow) -> SeatRow:
    """The seat as it was drawn: who comes from another table is not known yet."""
    seat = seat._replace(state=str(State.PUBLISHED), place=None, advances=None)
    if seat.source is not None and not seat.is_filler:
        return seat._replace(entrant=None, name="", unit="", gap_filled=False)
    if len(seat.name) > LONGEST:
        return seat._replace(name=name_by_number(seat.entry))
    return seat


def _roots(tables: Mapping[int, Sequence[SeatRow]], number: int) -> list[int]:
    """The tables of a round in order."""
    found = [pk for pk, seats in tables.items() if seats[0].round == number]
    return sorted(found, key=lambda pk: tables[pk][0].number)


def _below(root: int, tables: Mapping[int, Sequence[SeatRow]]) -> set[int]:
    """The table and all that lead to it."""
    found, waiting = {root}, [root]
    while waiting:
        for seat in tables[waiting.pop()]:
            source = seat.source
            if source is not None and source in tables and source not in found:
                found.add(source)
                waiting.append(source)
    return found


def _cut(tables: Mapping[int, Sequence[SeatRow]], last: int) -> int:
    """The last round whose tables' ways fit on a sheet each."""
    for number in range(last, 1, -1):
        ways = [_below(root, tables) for root in _roots(tables, number)]
        if all(_first_seats(way, tables) <= MOST_SEATS for way in ways):
            return number
    return 1


def _first_seats(way: set[int], tables: Mapping[int, Sequence[SeatRow]]) -> int:
    return sum(seat.source is None for pk in way for seat in tables[pk])


def _drawing(rounds: Sequence[RoundRow], seats: Sequence[SeatRow], *, zones: bool = True) -> str:
    plain = [one._replace(state=str(State.PUBLISHED)) for one in rounds]
    context = bracket(plain, seats, {}, NO_URLS, _("对阵图"))
    for round_ in context["rounds"]:
        round_["state_label"] = ""
        for feed in round_["feeds"]:
            if not zones:
                _without_zones(feed)
    text = bracket_svg(context, "", "")
    return mark_safe(text.partition("\n")[2].replace(RED, INK))


def _without_zones(feed: dict[str, Any]) -> None:
    feed["zone"] = ""
    for slot in feed["slots"]:
        if slot.get("zone"):
            slot |= {"zone": "", "span": slot["span"] - 1}
