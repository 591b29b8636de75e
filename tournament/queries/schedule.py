"""The schedule as who leads sees it: by day, session and batch; a round's tables; differences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby

from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from tournament.domain.sittings import Schedule
from tournament.models import Competition, Membership, Round, SchedulePublication, Seat, Table
from tournament.models.play import SEAT_NAMES
from tournament.pairing.venue import Sitting
from tournament.pairing.versions import Move, Moved, Snapshot, moves
from tournament.queries.clashes import Said, moment, numbers


@dataclass(frozen=True)
class BatchLine:
    """A batch of a round: when, how many tables, how many without a place or a referee."""

    round: Round
    number: int
    count: int
    begins: datetime | None
    ends: datetime | None
    session_id: int | None
    tables: str
    table_count: int
    placeless: int
    unjudged: int
    is_fixed: bool

    @property
    def day(self) -> date | None:
        """The day on which it begins, in the active time zone."""
        return None if self.begins is None else localtime(self.begins).date()


@dataclass(frozen=True)
class SessionLines:
    """The batches of a session on a day; `name` is "" outside all sessions."""

    day: date | None
    name: str
    lines: tuple[BatchLine, ...]


def batch_lines(schedule: Schedule, round_: Round | None = None) -> list[BatchLine]:
    """The batches of all rounds or of one, in order. No query."""
    groups: dict[tuple[int, int], list[Sitting]] = defaultdict(list)
    for one in schedule.sittings:
        groups[one.round, one.batch].append(one)
    tables = {table.pk: table for table in schedule.tables}
    rounds = {one.pk: one for one in schedule.rounds}
    counts = {pk: max(b for r, b in groups if r == pk) for pk, _batch in groups}
    return [
        BatchLine(
            round=rounds[pk],
            number=number,
            count=counts[pk],
            begins=group[0].begins,
            ends=group[0].ends,
            session_id=group[0].session,
            tables=numbers(tables[one.table].number for one in group),
            table_count=len(group),
            placeless=sum(one.place is None for one in group),
            unjudged=sum(one.referee is None for one in group),
            is_fixed=any(one.is_fixed for one in group),
        )
        for (pk, number), group in groups.items()
        if round_ is None or pk == round_.pk
    ]


def by_session(schedule: Schedule) -> list[SessionLines]:
    """The batches by day and session as they begin; those without a time last. No query."""
    names = {one.pk: one.name for one in schedule.sessions}
    begins = {one.pk: one.begins_at for one in schedule.sessions}

    def key(line: BatchLine) -> tuple[date | None, int | None]:
        return line.day, line.session_id

    def order(line: BatchLine) -> tuple[bool, date, float, int, float]:
        at = line.begins.timestamp() if line.begins else 0
        session = begins.get(line.session_id or 0)
        part = session.timestamp() if session else at
        return line.day is None, line.day or date.max, part, line.session_id or 0, at

    lines = sorted(batch_lines(schedule), key=order)
    return [
        SessionLines(group[0].day, names.get(group[0].session_id or 0, ""), tuple(group))
        for group in (list(found) for _key, found in groupby(lines, key))
    ]


@dataclass(frozen=True)
class TableLine:
    """A table of a round as it is planned. `said` are its clashes."""

    table: Table
    begins: datetime | None
    room: str
    place: int | None
    referee: str
    people: tuple[tuple[str, str, str], ...]
    is_fixed: bool
    said: tuple[Said, ...]


def table_lines(
    schedule: Schedule, tables: Sequence[Table], said: Iterable[Said]
) -> list[TableLine]:
    """Tables with who sits there as (seat, name, unit), their places and clashes. One query."""
    people: dict[int, list[tuple[str, str, str]]] = defaultdict(list)
    seats = (
        Seat.objects.filter(table__in=tables)
        .select_related("table", "entrant__entry__person", "entrant__partner__person")
        .order_by("table", "position")
    )
    for seat in seats:
        if seat.entrant is not None:
            who, unit = seat.entrant.name, seat.entrant.unit
        else:
            who, unit = seat.word_for_nobody, ""
        people[seat.table_id].append((SEAT_NAMES[seat.position], who, unit))
    by_table: dict[int, list[Said]] = defaultdict(list)
    for one in said:
        for pk in one.tables:
            by_table[pk].append(one)
    rooms = {room.pk: room.name for room in schedule.rooms}
    referees = {one.pk: one.user.name for one in schedule.referees}
    return [
        TableLine(
            table=table,
            begins=schedule.by_table[table.pk].begins,
            room=rooms.get(table.room_id or 0, ""),
            place=table.place,
            referee=referees.get(table.referee_id or 0, ""),
            people=tuple(people[table.pk]),
            is_fixed=schedule.by_table[table.pk].is_fixed,
            said=tuple(by_table[table.pk]),
        )
        for table in tables
    ]


@dataclass(frozen=True)
class Difference:
    """A line of what differs between two versions."""

    where: str
    text: str


def differences(competition: Competition, before: Snapshot, after: Snapshot) -> list[Difference]:
    """What was moved from where to where, in sentences. One query where referees changed."""
    found = moves(before, after)
    names: dict[int, str] = {}
    if any(one.kind == Moved.REFEREE for one in found):
        held = Membership.objects.filter(competition=competition).select_related("user")
        names = {one.pk: one.user.name for one in held}
    several = len({one.event for one in found}) > 1
    return [_difference(one, names, several=several) for one in found]


def _difference(move: Move, names: dict[int, str], *, several: bool) -> Difference:
    title = f"{move.event} {move.round}" if several else move.round
    where = _("%(round)s第 %(tables)s 桌") % {"round": title, "tables": numbers(move.tables)}
    if move.kind == Moved.NEW:
        return Difference(where, _("新排"))
    if move.kind == Moved.GONE:
        return Difference(where, _("撤下"))
    words = {
        Moved.TIME: lambda value: moment(datetime.fromisoformat(value)),
        Moved.PLACE: lambda value: (
            _("%(room)s %(place)d 台") % {"room": value[0], "place": value[1]}
        ),
        Moved.REFEREE: lambda value: (
            _("裁判%(name)s") % {"name": names.get(value, _("（已移除）"))}
        ),
    }[move.kind]
    nothing = {Moved.REFEREE: _("没有裁判"), Moved.TIME: _("没有时间")}.get(move.kind, _("没有台"))
    before, after = (nothing if one is None else words(one) for one in (move.before, move.after))
    return Difference(where, _("%(before)s → %(after)s") % {"before": before, "after": after})


def publications(competition: Competition) -> list[SchedulePublication]:
    """All versions, the newest first, without their snapshots. One query."""
    return list(
        competition.schedule_publications.select_related("published_by", "again")
        .defer("snapshot", "again__snapshot")
        .order_by("-number")
    )
