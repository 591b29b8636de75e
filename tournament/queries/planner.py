"""What the planner's page shows of a programme: rounds, the funnel, the day. No query."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.pairing.planner import Game, Part, PlannedEvent, PlannedRound
from tournament.pairing.timetable import DAY, Difference, Measure, Programme, Slot

GAMES: Final[Mapping[Game, str | Promise]] = {
    Game.ZIPAI: gettext_lazy("桂林字牌"),
    Game.CHESS: gettext_lazy("象棋"),
    Game.PAIRS: gettext_lazy("双升"),
}
MEASURES: Final[Mapping[Measure, str | Promise]] = {
    Measure.ROUNDS: gettext_lazy("轮数"),
    Measure.SUREST: gettext_lazy("每人至少打几轮"),
    Measure.SHEETS: gettext_lazy("总桌数"),
    Measure.AT_ONCE: gettext_lazy("同时最多几桌"),
    Measure.SHORT: gettext_lazy("要分批的轮"),
    Measure.BYES: gettext_lazy("轮空几人"),
    Measure.FOURS: gettext_lazy("四人桌"),
    Measure.FILLERS: gettext_lazy("陪打几人次"),
    Measure.EXTRA: gettext_lazy("第二名补位"),
    Measure.HANDS: gettext_lazy("总局数"),
    Measure.MINUTES: gettext_lazy("一共多长时间"),
    Measure.END: gettext_lazy("大约几点结束"),
}
WIDTH: Final = 160
"""The widest bar of the funnel, in the units of its drawing."""
LEAST_BAR: Final = 3
ROW: Final = 30
BAR: Final = 22


def programme_shown(of: Programme) -> dict[str, Any]:
    """A programme for the page: `events`, `day`, and its figures."""
    last = of.slots[-1]
    return {
        "events": [_event(of, index, event) for index, event in enumerate(of.events)],
        "is_several": len(of.events) > 1,
        "day": _day(of),
        "end": moment(last.end, last.day),
        "rounds": sum(len(event.rounds) for event in of.events),
        "sheets": sum(event.tables for event in of.events),
        "hands": sum(event.hands for event in of.events),
        "fillers": sum(event.fillers for event in of.events),
        "length": span(of.minutes),
        "at_once": of.most_at_once,
        "short": of.short_rounds,
        "most": of.hall.at_once,
        "days": of.days,
    }


def differences_shown(rows: tuple[Difference, ...]) -> list[dict[str, Any]]:
    """The rows of a comparison in words."""
    return [
        {
            "what": MEASURES[row.measure],
            "first": _value(row.measure, row.first),
            "second": _value(row.measure, row.second),
            "differs": row.differs,
        }
        for row in rows
    ]


def moment(minutes: int, day: int = 1) -> str:
    """A time of day, `09:00`; with the day from the second on."""
    clock = f"{minutes // 60 % 24:02}:{minutes % 60:02}"
    day += minutes // DAY
    return clock if day == 1 else _("第 %(day)d 天 %(time)s") % {"day": day, "time": clock}


def span(minutes: int) -> str:
    """A length: `6 小时 30 分`."""
    hours, rest = divmod(minutes, 60)
    if not hours:
        return _("%(n)d 分钟") % {"n": rest}
    if not rest:
        return _("%(n)d 小时") % {"n": hours}
    return _("%(hours)d 小时 %(minutes)d 分") % {"hours": hours, "minutes": rest}


def _event(of: Programme, index: int, event: PlannedEvent) -> dict[str, Any]:
    slots = [slot for slot in of.slots if slot.event == index]
    rounds = [
        _round(event, one, [slot for slot in slots if slot.round == number])
        for number, one in enumerate(event.rounds)
    ]
    return {
        "name": GAMES[event.terms.game],
        "entrants": event.terms.entrants,
        "is_pairs": event.terms.game is Game.PAIRS,
        "rounds": rounds,
        "funnel": _funnel(event),
        "has_skipped": event.has_skipped,
        "surest": event.surest,
        "byes": event.byes,
        "prizes": event.prizes,
        "has_byes": any(one.byes for one in event.rounds),
        "has_fours": any(one.four_seat_tables for one in event.rounds),
        "has_fillers": any(one.fillers for one in event.rounds),
        "has_extra": any(one.extra for one in event.rounds),
        "has_hands": any(one.hands for one in event.rounds),
    }


def _round(event: PlannedEvent, one: PlannedRound, slots: list[Slot]) -> dict[str, Any]:
    first, last = slots[0], slots[-1]
    return {
        "title": _title(event, one),
        "field": one.field,
        "tables": one.tables,
        "fours": one.four_seat_tables,
        "byes": one.byes,
        "fillers": one.fillers,
        "extra": one.extra,
        "left": one.left,
        "hands": one.hands,
        "minutes": one.minutes,
        "is_final": one.is_final,
        "has_third_table": one.has_third_table,
        "begin": moment(first.begin, first.day),
        "end": moment(last.end, last.day if last.day > first.day else 1),
        "batches": len(slots),
        "at_once": first.tables,
    }


def _title(event: PlannedEvent, one: PlannedRound) -> str:
    if one.part is Part.PRELIMINARY:
        return _("预赛第 %(n)d 轮") % {"n": one.number}
    if one.is_final:
        return _("决赛")
    has_preliminary = event.rounds[0].part is Part.PRELIMINARY
    words = _("淘汰第 %(n)d 轮") if has_preliminary else _("第 %(n)d 轮")
    return words % {"n": one.number}


def _funnel(event: PlannedEvent) -> dict[str, Any]:
    """Bars whose widths are the entrants still in, a preliminary as one, the champion last."""
    steps: list[tuple[str, int, int]] = []
    preliminary = sum(one.part is Part.PRELIMINARY for one in event.rounds)
    if preliminary:
        steps.append((_("预赛"), event.rounds[0].field, 0))
    steps += [(_title(event, one), one.field, one.byes) for one in event.rounds[preliminary:]]
    steps.append((_("冠军"), 1, 0))
    most = steps[0][1]
    bars: list[dict[str, Any]] = []
    for index, (title, field, byes) in enumerate(steps):
        width = _width(field, most)
        resting = 0 if not byes else max(LEAST_BAR, width * byes // field)
        bars.append(
            {
                "title": title,
                "field": field,
                "x": (WIDTH - width) // 2,
                "y": index * ROW,
                "width": width,
                "resting_x": (WIDTH - width) // 2 + width - resting,
                "resting": resting,
                "text_y": index * ROW + BAR // 2,
                "is_last": index == len(steps) - 1,
            }
        )
    slopes = [
        f"{a['x']},{a['y'] + BAR} {a['x'] + a['width']},{a['y'] + BAR} "
        f"{b['x'] + b['width']},{b['y']} {b['x']},{b['y']}"
        for a, b in pairwise(bars)
    ]
    return {
        "bars": bars,
        "slopes": slopes,
        "height": (len(steps) - 1) * ROW + BAR,
        "bar": BAR,
        "text_x": WIDTH + 12,
        "width": WIDTH + 175,
    }


def _width(field: int, most: int) -> int:
    return max(LEAST_BAR, WIDTH * field // most)


def _day(of: Programme) -> list[dict[str, Any]]:
    """What is when: a list a day, batches and lunch."""
    days: list[dict[str, Any]] = []
    before: Slot | None = None
    for slot in of.slots:
        if before is None or slot.day != before.day:
            days.append({"number": slot.day, "lines": []})
            before = None
        lines = days[-1]["lines"]
        if slot.after_lunch and before is not None:
            lines.append({"begin": moment(before.end), "end": moment(slot.begin), "is_lunch": True})
        event = of.events[slot.event]
        lines.append(
            {
                "begin": moment(slot.begin),
                "end": moment(slot.end),
                "event": GAMES[event.terms.game],
                "title": _title(event, event.rounds[slot.round]),
                "tables": slot.tables,
                "batch": slot.batch if slot.batches > 1 else 0,
            }
        )
        before = slot
    return days


def _value(measure: Measure, value: int) -> str:
    if measure is Measure.MINUTES:
        return span(value)
    if measure is Measure.END:
        return moment(value % DAY, value // DAY + 1)
    return str(value)
