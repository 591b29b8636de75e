"""The day of a plan: batches where tables or referees are short, breaks, begin and end (C5.6).

All times are minutes, those of the day counted from midnight. Nothing here knows a calendar.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tournament.pairing.errors import PairingError
from tournament.pairing.planner import PlannedEvent

DAY: Final = 24 * 60
MOST_SLOTS: Final = 400
"""Batches of all rounds; a hall with a table for each hundred of a crowd is no plan."""


@dataclass(frozen=True, slots=True)
class Hall:
    """What there is: `tables`, `referees` who look after `tables_each`, and the day.

    None is as many as are needed. Play is from `begin` to `end`; what cannot end by then is on
    the next day, where a day is long enough for it. `pause` lies between rounds and batches,
    `lunch` near `lunch_at`; None is no lunch.
    """

    tables: int | None = None
    referees: int | None = None
    tables_each: int = 4
    begin: int = 9 * 60
    end: int = 18 * 60
    pause: int = 10
    lunch_at: int | None = 12 * 60
    lunch: int = 60

    @property
    def at_once(self) -> int | None:
        """The most tables that can play at the same time."""
        of_referees = None if self.referees is None else self.referees * self.tables_each
        known = [most for most in (self.tables, of_referees) if most is not None]
        return min(known) if known else None


@dataclass(frozen=True, slots=True)
class Slot:
    """A batch of a round: `event` and `round` are indices, `batch` of `batches` from 1.

    `day` counts from 1; `after_lunch` tells that lunch lies just before it.
    """

    event: int
    round: int
    batch: int
    batches: int
    tables: int
    day: int
    begin: int
    end: int
    after_lunch: bool = False


@dataclass(frozen=True, slots=True)
class Programme:
    """Events one after the other in one hall, and when each batch plays."""

    events: tuple[PlannedEvent, ...]
    hall: Hall
    slots: tuple[Slot, ...]

    @property
    def minutes(self) -> int:
        """From the first begin to the last end of every day, breaks counted, nights not."""
        total = 0
        for day in range(1, self.days + 1):
            of_day = [slot for slot in self.slots if slot.day == day]
            if of_day:
                total += of_day[-1].end - of_day[0].begin
        return total

    @property
    def days(self) -> int:
        """Days that are needed."""
        return self.slots[-1].day

    @property
    def most_at_once(self) -> int:
        """The most tables that play at the same time."""
        return max(slot.tables for slot in self.slots)

    @property
    def short_rounds(self) -> int:
        """Rounds that need more than one batch."""
        return sum(slot.batches > 1 and slot.batch == 1 for slot in self.slots)


class Measure(StrEnum):
    """What two programmes are compared by, in the order of the rows."""

    ROUNDS = "rounds"
    SUREST = "surest"
    SHEETS = "sheets"
    AT_ONCE = "at_once"
    SHORT = "short"
    BYES = "byes"
    FOURS = "fours"
    FILLERS = "fillers"
    EXTRA = "extra"
    HANDS = "hands"
    MINUTES = "minutes"
    END = "end"


@dataclass(frozen=True, slots=True)
class Difference:
    """One row of a comparison. `END` is minutes since the first midnight."""

    measure: Measure
    first: int
    second: int

    @property
    def differs(self) -> bool:
        """Whether the two are unlike."""
        return self.first != self.second


def arrange(events: Sequence[PlannedEvent], hall: Hall) -> Programme:
    """When every batch plays, one round after the other, one event after the other.

    Lunch is taken before the batch whose middle would lie behind `lunch_at`, once a day. Raises
    `PairingError`: `hall` (no table, no referee, or the day ends before it begins), `hall-short`
    (so few tables that no day could be made of it).
    """
    if not events:
        raise PairingError("plan-events", "请至少安排一个项目。", "Plan at least one event.")
    at_once = hall.at_once
    if (at_once is not None and at_once < 1) or hall.end <= hall.begin:
        raise PairingError(
            "hall",
            "至少要有一张桌、一名裁判，结束要晚于开始。",
            "There must be a table and a referee, and the day must end after it begins.",
        )
    parts = [
        (number, index, batch_sizes(one.tables, at_once), one.minutes)
        for number, event in enumerate(events)
        for index, one in enumerate(event.rounds)
    ]
    if sum(len(sizes) for _, _, sizes, _ in parts) > MOST_SLOTS:
        raise PairingError(
            "hall-short",
            "桌子或裁判太少，分的批太多。请多安排一些，或减少人数。",
            "Tables or referees are too few: there would be too many batches.",
        )
    slots: list[Slot] = []
    clock = _Clock(hall)
    for number, index, sizes, minutes in parts:
        for batch, tables in enumerate(sizes, 1):
            day, begin, after_lunch = clock.next(minutes)
            slots.append(
                Slot(
                    event=number,
                    round=index,
                    batch=batch,
                    batches=len(sizes),
                    tables=tables,
                    day=day,
                    begin=begin,
                    end=begin + minutes,
                    after_lunch=after_lunch,
                )
            )
    return Programme(tuple(events), hall, tuple(slots))


def compare(first: Programme, second: Programme) -> tuple[Difference, ...]:
    """Two programmes side by side, a row a measure; rows where both have nothing are left out."""
    rows = (
        Difference(measure, one, other)
        for (measure, one), other in zip(
            _measures(first).items(), _measures(second).values(), strict=True
        )
    )
    return tuple(row for row in rows if row.first or row.second)


def _measures(of: Programme) -> dict[Measure, int]:
    events = of.events
    last = of.slots[-1]
    return {
        Measure.ROUNDS: sum(len(event.rounds) for event in events),
        Measure.SUREST: min(event.surest for event in events),
        Measure.SHEETS: sum(event.tables for event in events),
        Measure.AT_ONCE: of.most_at_once,
        Measure.SHORT: of.short_rounds,
        Measure.BYES: sum(event.byes for event in events),
        Measure.FOURS: sum(event.four_seat_tables for event in events),
        Measure.FILLERS: sum(event.fillers for event in events),
        Measure.EXTRA: sum(event.extra for event in events),
        Measure.HANDS: sum(event.hands for event in events),
        Measure.MINUTES: of.minutes,
        Measure.END: (last.day - 1) * DAY + last.end,
    }


def batch_sizes(tables: int, at_once: int | None) -> list[int]:
    """The tables of each batch, as even as possible, the larger first; None: all at once."""
    count = 1 if at_once is None else -(-tables // at_once)
    least, more = divmod(tables, count)
    return [least + 1] * more + [least] * (count - more)


class _Clock:
    """Goes through the days of a hall."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._day = 1
        self._free = hall.begin
        self._has_eaten = False

    def next(self, minutes: int) -> tuple[int, int, bool]:
        """The day and the begin of so many minutes, and whether lunch is just before them."""
        hall = self._hall
        begin, eats = self._at(minutes)
        if begin + minutes > hall.end and self._free > hall.begin:
            self._day += 1
            self._free, self._has_eaten = hall.begin, False
            begin, eats = self._at(minutes)
        self._has_eaten = self._has_eaten or eats
        self._free = begin + minutes + hall.pause
        return self._day, begin, eats

    def _at(self, minutes: int) -> tuple[int, bool]:
        """When it would begin today, and whether after lunch."""
        hall = self._hall
        at = hall.lunch_at
        if at is None or at <= hall.begin or self._has_eaten or self._free == hall.begin:
            return self._free, False
        if 2 * self._free + minutes <= 2 * at:
            return self._free, False
        return max(self._free - hall.pause, 0) + max(hall.lunch, hall.pause), True
