"""What pages of penalties and protests read, each with its number of queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from scoring.enums import PenaltyLevel, ProtestState
from scoring.models import Penalty, Protest, VerdictSettings
from scoring.penalties import Earlier, Offence, offences
from scoring.shown_games import is_counted
from scoring.words import amount
from tournament.acting import Acting
from tournament.models import Competition, Entry, Seat
from tournament.permissions import visible_states

WAITING = (ProtestState.OPEN, ProtestState.APPEALED)


def settings_of(competition: Competition) -> VerdictSettings:
    """What the competition has set; a row that is not saved where it has set nothing. One
    query."""
    found = VerdictSettings.objects.filter(competition=competition).first()
    return found or VerdictSettings(competition=competition, amounts={})


def offences_of(competition: Competition) -> tuple[Offence, ...]:
    """The catalogue with the competition's amounts. One query."""
    return offences(settings_of(competition).amounts)


@dataclass(frozen=True)
class Had:
    """A penalty somebody has in this competition, and at which table."""

    penalty: Penalty
    round_title: str
    table_number: int

    @property
    def taken(self) -> str:
        """What it cost: `2 舵`, `2 分`."""
        return amount(self.penalty.amount, is_counted=is_counted(self.penalty.sheet))

    @property
    def earlier(self) -> Earlier:
        """What the next step depends on."""
        return Earlier(self.penalty.code, PenaltyLevel(self.penalty.level))


def history_of(entry_id: int) -> list[Had]:
    """The penalties in force of somebody at all his tables, oldest first. Two queries."""
    seats = Seat.objects.filter(entrant__entry_id=entry_id)
    sat = dict(seats.values_list("table_id", "position"))
    found = (
        Penalty.objects.filter(sheet__table__in=sat, voided_at=None)
        .select_related("sheet__table__round__stage__event", "hand")
        .order_by("pk")
    )
    return [
        Had(one, one.sheet.table.round.title, one.sheet.table.number)
        for one in found
        if one.position == sat[one.sheet.table_id]
    ]


def protests_in(
    competition: Competition, acting: Acting, states: Sequence[ProtestState] = ()
) -> QuerySet[Protest]:
    """The protests of a competition, those that wait first, then the newest; of these `states`
    where told. One query."""
    found = Protest.objects.filter(
        sheet__table__round__stage__event__competition=competition,
        sheet__table__state__in=visible_states(acting),
    )
    if states:
        found = found.filter(state__in=states)
    return found.select_related(
        "sheet__table__round__stage__event", "hand", "penalty", "author", "link", "ruling"
    ).order_by("-pk")


def seats_of_entry(entry: Entry, acting: Acting) -> list[Seat]:
    """Where somebody sits and sat, newest round first, with table, round and who else is there.
    Two queries."""
    return list(
        Seat.objects.filter(
            Q(entrant__entry=entry) | Q(entrant__partner=entry),
            table__state__in=visible_states(acting),
            table__round__state__in=visible_states(acting),
        )
        .select_related("table__round__stage__event")
        .prefetch_related(
            "table__seats__entrant__entry__person", "table__seats__entrant__partner__person"
        )
        .order_by("-table__round__number", "-table_id")
    )
