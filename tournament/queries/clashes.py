"""What does not go together in a schedule, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from tournament.domain.sittings import Schedule
from tournament.models import Entry
from tournament.pairing.venue import Clash, Clashes


@dataclass(frozen=True)
class Said:
    """A clash as people read it, and the tables (ids) it stands at; `round_id` the first one's."""

    is_severe: bool
    text: str
    tables: tuple[int, ...]
    round_id: int


def spoken_clashes(schedule: Schedule) -> list[Said]:
    """Every clash of the plan with its sentence, the severe first, in the active time zone. One
    query where people are named."""
    words = _Words(schedule)
    rounds = {one.table: one.round for one in schedule.sittings}
    return [
        Said(one.is_severe, words.say(one), one.tables, rounds[one.tables[0]])
        for one in schedule.clashes
    ]


def numbers(found: Iterable[int]) -> str:
    """Numbers of tables as people write them: 1–27、30."""
    parts: list[list[int]] = []
    for number in sorted(found):
        if parts and parts[-1][-1] == number - 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return _("、").join(
        f"{part[0]}–{part[-1]}" if len(part) > 1 else str(part[0]) for part in parts
    )


def moment(at: datetime | None) -> str:
    """An aware time in the active time zone, `12-05 09:00`."""
    return "" if at is None else localtime(at).strftime("%m-%d %H:%M")


class _Words:
    def __init__(self, schedule: Schedule) -> None:
        several = len({one.stage.event_id for one in schedule.rounds}) > 1
        self.titles = {
            one.pk: f"{one.stage.event.name} {one.title}" if several else str(one.title)
            for one in schedule.rounds
        }
        self.tables = {table.pk: table for table in schedule.tables}
        self.sittings = schedule.by_table
        self.rooms = {room.pk: room.name for room in schedule.rooms}
        self.sessions = {one.pk: one.name for one in schedule.sessions}
        self.referees = {one.pk: one.user.name for one in schedule.referees}
        people = {one.of or 0 for one in schedule.clashes if one.kind == Clashes.PERSON}
        found = Entry.objects.filter(pk__in=people).select_related("person") if people else ()
        self.people = {entry.pk: entry.name for entry in found}

    def say(self, clash: Clash) -> str:
        """The sentence."""
        return _SENTENCES[clash.kind](self, clash)

    def at(self, clash: Clash) -> str:
        """Its tables by round: 第 1 轮 1–3 桌."""
        of: dict[int, list[int]] = {}
        for pk in clash.tables:
            table = self.tables[pk]
            of.setdefault(table.round_id, []).append(table.number)
        return _("、").join(
            _("%(round)s第 %(tables)s 桌") % {"round": self.titles[pk], "tables": numbers(found)}
            for pk, found in of.items()
        )

    def values(self, clash: Clash) -> dict[str, object]:
        """All that a sentence may name."""
        first = clash.tables[0]
        return {
            "tables": self.at(clash),
            "round": self.titles[self.sittings[first].round],
            "begins": moment(self.sittings[first].begins),
            "time": moment(clash.at),
            "room": self.rooms.get(clash.room or 0, _("取消了的房间")),
            "place": clash.place,
            "count": clash.count,
            "most": clash.most,
            "name": self.referees.get(clash.of or 0, _("（已移除）")),
            "units": _("、").join(clash.units),
        }


def _plain(text: Callable[[], str]) -> Callable[[_Words, Clash], str]:
    return lambda words, clash: text() % words.values(clash)


def _person(words: _Words, clash: Clash) -> str:
    name = words.people.get(clash.of or 0, "")
    return _("%(name)s同时在两桌：%(tables)s。") % {"name": name, "tables": words.at(clash)}


def _before(words: _Words, clash: Clash) -> str:
    values = {**words.values(clash), "earlier": words.titles.get(clash.of or 0, "")}
    return _("%(tables)s %(begins)s 开打，前面的“%(earlier)s”要到 %(time)s 才打完。") % values


def _outside(words: _Words, clash: Clash) -> str:
    values = {**words.values(clash), "session": words.sessions.get(clash.of or 0, "")}
    if clash.of is None:
        return _("%(tables)s %(time)s 没有排进场次。") % values
    return _("%(tables)s %(time)s 开打，不全在场次“%(session)s”里。") % values


def _shared(words: _Words, clash: Clash) -> str:
    return _("场次“%(one)s”和“%(other)s”时间重叠，都用%(room)s。") % {
        "one": words.sessions[clash.of or 0],
        "other": words.sessions[clash.other or 0],
        "room": words.rooms[clash.room or 0],
    }


_SENTENCES: Mapping[Clashes, Callable[[_Words, Clash], str]] = {
    Clashes.PERSON: _person,
    Clashes.PLACE: _plain(lambda: _("%(room)s %(place)d 台 %(time)s 给了两桌：%(tables)s。")),
    Clashes.NO_PLACE: _plain(lambda: _("%(tables)s排在%(room)s %(place)d 台，没有这张台。")),
    Clashes.TOO_MANY: _plain(lambda: _("%(time)s 同时有 %(count)d 桌，只有 %(most)d 张台。")),
    Clashes.REFEREE: _plain(
        lambda: _("裁判%(name)s %(time)s 同时有 %(count)d 桌，最多 %(most)d 桌：%(tables)s。")
    ),
    Clashes.AWAY: _plain(lambda: _("裁判%(name)s那时不在：%(tables)s，%(time)s。")),
    Clashes.BEFORE: _before,
    Clashes.OWN_UNIT: _plain(lambda: _("裁判%(name)s和选手同单位（%(units)s）：%(tables)s。")),
    Clashes.STAIRS: _plain(lambda: _("%(tables)s有行动不便的选手，%(room)s要上楼梯，请换一张台。")),
    Clashes.OUTSIDE: _outside,
    Clashes.SHARED_ROOM: _shared,
}
