"""A game that is not 字牌 (C10) in words: who won, and what stands in a column of the ledger."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from scoring.enums import Evidence
from scoring.games import ranked
from scoring.models import HandVersion, Sheet
from scoring.reseated import moved
from scoring.sums import HandLine
from tournament.enums import CountedBy, Discipline
from tournament.models import Event


def is_game(version: HandVersion) -> bool:
    """Whether the row is a game of another discipline."""
    return version.evidence == Evidence.GAME


def is_counted(sheet: Sheet) -> bool:
    """Whether the sheet is of 字牌, which the engine counts. Needs `table.round.stage.event`."""
    return sheet.table.round.stage.event.discipline == Discipline.ZIPAI


def event_word(event: Event) -> str:
    """The event's name, "" for the competition's first of 字牌, which needs none."""
    return event.name if event.position > 1 or event.discipline != Discipline.ZIPAI else ""


def counted_name(event: Event) -> str:
    """What the event's tables are decided by: the head of the sums."""
    if event.discipline == Discipline.ZIPAI:
        return _("净舵")
    return _("总分") if event.counted_by == CountedBy.POINTS else _("胜局")


def places_of(version: HandVersion) -> list[int]:
    """The places by seat as they count, a seating (C9.4) applied; none for a void game."""
    places = version.payload.get("places") or []
    return list(moved(places, version.payload.get("seats") or range(len(places))))


def points_of(version: HandVersion) -> list[int]:
    """The points by seat where they were typed."""
    points = version.payload.get("points") or []
    return list(moved(points, version.payload.get("seats") or range(len(points))))


def cell(version: HandVersion, line: HandLine, seat: int) -> str:
    """A seat's column: 胜, 负 or 和 at a table of two, else its place; with the points."""
    places = places_of(version)
    points = [] if line.ruled is not None else points_of(version)
    if line.ruled is not None:
        places = ranked([-value for value in line.ruled])
    word = _word(places, seat)
    between = " · " if len(places) > 2 else " "
    return f"{word}{between}{points[seat]}" if points else word


def _word(places: Sequence[int], seat: int) -> str:
    if len(places) > 2:
        return _("第 %(n)d") % {"n": places[seat]}
    if places.count(1) > 1:
        return _("和")
    return _("胜") if places[seat] == 1 else _("负")


def outcome(version: HandVersion, names: Sequence[str]) -> str:
    """One sentence: `张三 胜 30：18`, `和`, `张三 第 1（30）、李四 第 2（20） …`."""
    if version.is_void:
        return _("这一盘作废，不计")
    places, points = places_of(version), points_of(version)
    if len(places) > 2:
        order = sorted(range(len(places)), key=lambda seat: places[seat])
        said = _("%(name)s 第 %(n)d（%(points)s）") if points else _("%(name)s 第 %(n)d")
        return _("、").join(
            said
            % {"name": names[seat], "n": places[seat], "points": points[seat] if points else ""}
            for seat in order
        )
    level = places[0] == places[1]
    who = _("和") if level else _("%(name)s 胜") % {"name": _first(places, names)}
    score = _("：").join(map(str, points))
    return f"{who} {score}".strip()


def _first(places: Sequence[int], names: Sequence[str]) -> str:
    return names[list(places).index(1)]
