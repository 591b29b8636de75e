"""A competition's schedule as planned, read whole, and as the plain values that are computed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from tournament.enums import BEFORE_PLAY, Role, StageKind, Style
from tournament.models import Batch, Competition, Membership, Room, Round, Seat, Session, Table
from tournament.pairing.plan import RoundLength
from tournament.pairing.venue import Clash, Judge, Part, Sitting, Space, Venue, clashes

PAUSE = 10
"""Minutes between rounds and batches that a proposal leaves."""


@dataclass(frozen=True)
class Schedule:
    """All that is planned: rounds in the order they are played, tables in that of their numbers.

    `batches` are the later ones by (round, number); `referees` one membership for each person.
    Rounds have `stage.event`, tables `round`, referees `user`.
    """

    competition: Competition
    rounds: tuple[Round, ...]
    tables: tuple[Table, ...]
    batches: dict[tuple[int, int], Batch]
    rooms: tuple[Room, ...]
    sessions: tuple[Session, ...]
    referees: tuple[Membership, ...]
    sittings: tuple[Sitting, ...]
    venue: Venue

    @cached_property
    def clashes(self) -> list[Clash]:
        """What does not go together."""
        return clashes(self.sittings, self.venue)

    @cached_property
    def by_table(self) -> dict[int, Sitting]:
        """Table's id → its sitting."""
        return {one.table: one for one in self.sittings}


def minutes_of(round_: Round) -> int:
    """How long a table of the round takes: its minutes, else as long as its hands usually do."""
    return round_.minutes or RoundLength(round_.hands).estimate()


def rounds_of(competition: Competition) -> list[Round]:
    """All rounds as they are played: by event, the preliminary's first. One query."""
    found = Round.objects.filter(stage__event__competition=competition)
    return sorted(
        found.select_related("stage__event"),
        key=lambda one: (
            one.stage.event.position,
            one.stage.event_id,
            one.stage.kind != StageKind.PRELIM,
            one.number,
        ),
    )


def referees_of(competition: Competition) -> list[Membership]:
    """One membership for each account that judges, the referee's before the chief's. Two
    queries, with the times they are away."""
    found = (
        competition.memberships.filter(role__in=[Role.REFEREE, Role.CHIEF])
        .select_related("user")
        .prefetch_related("away")
        .order_by("-role", "pk")
    )
    of: dict[int, Membership] = {}
    for one in found:
        of.setdefault(one.user_id, one)
    return sorted(of.values(), key=lambda one: one.pk)


def read_schedule(competition: Competition) -> Schedule:
    """The plan as it is now. Eight queries, however many tables."""
    rounds = rounds_of(competition)
    by_round = {one.pk: one for one in rounds}
    tables: dict[int, list[Table]] = defaultdict(list)
    for table in Table.objects.filter(round__in=by_round).order_by("number"):
        table.round = by_round[table.round_id]
        tables[table.round_id].append(table)
    ordered = [table for one in rounds for table in tables[one.pk]]
    batches = {(one.round_id, one.number): one for one in Batch.objects.filter(round__in=by_round)}
    rooms = tuple(competition.rooms.order_by("position", "pk"))
    sessions = tuple(competition.sessions.order_by("begins_at", "pk"))
    referees = tuple(referees_of(competition))
    venue = Venue(
        spaces=tuple(Space(one.pk, one.first_place, one.places, one.is_step_free) for one in rooms),
        judges=tuple(_judge(one) for one in referees),
        parts=tuple(Part(one.pk, one.begins_at, one.ends_at) for one in sessions),
        each=competition.tables_each,
        pause=PAUSE,
    )
    return Schedule(
        competition=competition,
        rounds=tuple(rounds),
        tables=tuple(ordered),
        batches=batches,
        rooms=rooms,
        sessions=sessions,
        referees=referees,
        sittings=tuple(_sittings(rounds, ordered, batches)),
        venue=venue,
    )


def begin_of(table: Table, batches: dict[tuple[int, int], Batch]) -> datetime | None:
    """When the table is planned to begin. Needs `round`."""
    later = batches.get((table.round_id, table.batch))
    return table.round.starts_at if later is None else later.starts_at


def _judge(membership: Membership) -> Judge:
    return Judge(
        membership.pk,
        frozenset(membership.units.splitlines()),
        tuple((one.begins_at, one.ends_at) for one in membership.away.all()),
    )


def _sittings(
    rounds: list[Round], tables: Iterable[Table], batches: dict[tuple[int, int], Batch]
) -> list[Sitting]:
    bare = {table.pk: _sitting(table, batches) for table in tables}
    people: dict[int, set[int]] = defaultdict(set)
    units: dict[int, set[str]] = defaultdict(set)
    sources: dict[int, set[int]] = defaultdict(set)
    seats = Seat.objects.filter(table__in=bare).order_by().values_list(
        "table_id", "source_id", "entrant__entry_id", "entrant__entry__unit",
        "entrant__partner_id", "entrant__partner__unit", "entrant__entry__needs_fixed_table",
        "entrant__partner__needs_fixed_table",
    )  # fmt: skip
    cannot_walk: set[int] = set()
    for table, source, entry, unit, partner, other_unit, first, second in seats:
        if first or second:
            cannot_walk.add(table)
        if source is not None:
            sources[table].add(source)
        people[table].update(pk for pk in (entry, partner) if pk is not None)
        units[table].update(filter(None, [unit, other_unit]))
    before = _rounds_before(rounds)
    return [
        replace(
            one,
            people=frozenset(people[one.table]),
            units=frozenset(units[one.table]),
            sources=frozenset(sources[one.table]),
            needs_step_free=one.table in cannot_walk,
            rounds_before=frozenset() if sources[one.table] else before[one.round],
        )
        for one in bare.values()
    ]


def _sitting(table: Table, batches: dict[tuple[int, int], Batch]) -> Sitting:
    later = batches.get((table.round_id, table.batch))
    return Sitting(
        table=table.pk,
        round=table.round_id,
        minutes=minutes_of(table.round),
        batch=table.batch,
        begins=begin_of(table, batches),
        session=table.round.session_id if later is None else later.session_id,
        room=table.room_id,
        place=table.place,
        referee=table.referee_id,
        is_fixed=table.state not in BEFORE_PLAY,
    )


def _rounds_before(rounds: list[Round]) -> dict[int, frozenset[int]]:
    """The round that has to end before one begins as a whole (C7.1): of a fixed knock-out only
    the preliminary's last before its first."""
    found = {}
    before: Round | None = None
    for one in rounds:
        same = before is not None and before.stage.event_id == one.stage.event_id
        is_fed_by_tables = (
            one.stage.kind == StageKind.KNOCKOUT
            and one.stage.style == Style.FIXED
            and one.number > 1
        )
        waits = same and before is not None and not is_fed_by_tables
        found[one.pk] = frozenset({before.pk} if waits and before is not None else ())
        before = one
    return found
