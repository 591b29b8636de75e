"""The schedule as everybody sees it: what was published last, of tables whose draw is out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby

from django.db.models import Q
from django.db.models.functions import Coalesce
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from tournament.domain.publications import current_publication
from tournament.models import Competition, SchedulePublication, Seat, Table
from tournament.models.play import SEAT_NAMES, is_vacant, word_for_nobody
from tournament.pairing.versions import Moved, changed_tables
from tournament.queries.public import OPEN_STATES, shown_name


@dataclass(frozen=True)
class TableShown:
    """A table: where, who sits there as (seat, name), what is another than before."""

    pk: int
    number: int
    room: str
    place: int | None
    people: tuple[tuple[str, str], ...]
    changed: str


@dataclass(frozen=True)
class BatchShown:
    """What of a round begins at one time."""

    event: str
    title: str
    begins: datetime | None
    tables: tuple[TableShown, ...]


@dataclass(frozen=True)
class SessionShown:
    """A session of a day; `name` is "" outside all, `day` None without a time."""

    day: date | None
    name: str
    batches: tuple[BatchShown, ...]


@dataclass(frozen=True)
class ScheduleShown:
    """A published version."""

    publication: SchedulePublication
    sessions: tuple[SessionShown, ...]
    changes: int


def schedule_shown(
    competition: Competition, *, event_id: int | None = None, entrant_id: int | None = None
) -> ScheduleShown | None:
    """The version that everybody sees, of one event or for one entrant where asked; None where
    there is none. At most four queries."""
    shown = current_publication(competition)
    if shown is None:
        return None
    before = (
        competition.schedule_publications.filter(number__lt=shown.number)
        .order_by("-number")
        .first()
    )
    changed = changed_tables(before.snapshot, shown.snapshot) if before else {}
    tables = _tables(competition, event_id, entrant_id)
    people = _people(tables, mask=competition.mask_names)
    lines = [
        _Line(
            table=table,
            session=shown.snapshot["tables"].get(str(table.pk), {}).get("session"),
            shown=TableShown(
                pk=table.pk,
                number=table.number,
                room=table.public_room,
                place=table.public_place,
                people=tuple(people[table.pk]),
                changed=_word(changed.get(table.pk, ())),
            ),
        )
        for table in tables
    ]
    sessions = tuple(_sessions(lines, shown.snapshot["sessions"]))
    marked = sum(bool(line.shown.changed) for line in lines)
    return ScheduleShown(shown, sessions, marked)


@dataclass(frozen=True)
class _Line:
    table: Table
    session: int | None
    shown: TableShown

    @property
    def begins(self) -> datetime | None:
        return self.table.public_starts_at or self.table.round.public_starts_at

    @property
    def part(self) -> tuple[date | None, int | None]:
        return (localtime(self.begins).date() if self.begins else None), self.session

    @property
    def batch(self) -> tuple[datetime | None, int]:
        return self.begins, self.table.round_id


def _tables(
    competition: Competition, event_id: int | None, entrant_id: int | None
) -> Sequence[Table]:
    tables = (
        Table.objects.filter(round__stage__event__competition=competition)
        .filter(state__in=OPEN_STATES, round__state__in=OPEN_STATES)
        .annotate(begin=Coalesce("public_starts_at", "round__public_starts_at"))
        .filter(Q(begin__isnull=False) | Q(public_place__isnull=False))
        .select_related("round__stage__event")
        .order_by("begin", "round__stage__event__position", "round__stage", "round__number",
                  "number")
    )  # fmt: skip
    if event_id is not None:
        tables = tables.filter(round__stage__event=event_id)
    if entrant_id is not None:
        tables = tables.filter(seats__entrant=entrant_id)
    return list(tables)


def _people(tables: Sequence[Table], *, mask: bool) -> dict[int, list[tuple[str, str]]]:
    found: dict[int, list[tuple[str, str]]] = defaultdict(list)
    seats = (
        Seat.objects.filter(table__in=tables)
        .order_by("table", "position")
        .values_list("table_id", "position", "is_filler", "entrant_id",
                     "entrant__entry__person__name", "entrant__entry__number", "gap_filled",
                     "table__seat_count", "table__state")
    )  # fmt: skip
    for table, position, is_filler, entrant, name, number, gap_filled, count, state in seats:
        vacant = is_vacant(gap_filled=gap_filled, seat_count=count, state=state)
        who = word_for_nobody(is_filler=is_filler, is_vacant=vacant)
        if entrant:
            who = shown_name(name or "", number, mask=mask)
        found[table].append((SEAT_NAMES[position], who))
    return found


def _sessions(lines: Sequence[_Line], names: dict[str, str]) -> Iterator[SessionShown]:
    ordered = sorted(lines, key=lambda line: line.begins is None)
    for (day, session), part in groupby(ordered, lambda line: line.part):
        batches = tuple(
            BatchShown(
                event=group[0].table.round.stage.event.name,
                title=str(group[0].table.round.title),
                begins=group[0].begins,
                tables=tuple(line.shown for line in group),
            )
            for group in (list(found) for _key, found in groupby(part, lambda line: line.batch))
        )
        yield SessionShown(day, names.get(str(session), ""), batches)


def _word(kinds: Sequence[Moved]) -> str:
    words = {Moved.NEW: _("新排"), Moved.TIME: _("改时间"), Moved.PLACE: _("换台")}
    return _("、").join(words[kind] for kind in kinds)
