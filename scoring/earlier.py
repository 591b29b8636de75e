"""The standings of an earlier competition, found again among the entrants of a new one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Q

from scoring import queries_public as queries
from scoring.finishes import rows
from tournament.acting import Acting
from tournament.domain.draws import to_draw
from tournament.models import Competition, Entrant, Event


class Ranked(NamedTuple):
    """Somebody's place in the earlier event."""

    place: int | None
    person: int
    name: str
    unit: str


@dataclass(frozen=True)
class Match:
    """Who of now that is: None where nobody is, or where more than one could be (`is_doubtful`).

    `has_moved` says that the name is the same but not the unit.
    """

    ranked: Ranked
    entrant: Entrant | None
    has_moved: bool = False
    is_doubtful: bool = False


def finished_events(acting: Acting, but: Competition) -> list[Event]:
    """Events of competitions that are over and published, or where he has a role. One query."""
    seen = Q(competition__published_at__isnull=False)
    if acting.user_id is not None:
        seen |= Q(competition__memberships__user=acting.user_id)
    return list(
        Event.objects.filter(seen, competition__ended_at__isnull=False)
        .exclude(competition=but)
        .select_related("competition")
        .order_by("-competition__starts_on", "-competition", "position")
        .distinct()[:100]
    )


def ranked_of(event: Event) -> list[Ranked]:
    """Everybody who played there, best first. Five queries."""
    seats = queries.seat_rows(queries.seats_of(event), mask=False)
    people = {
        pk: (person, name, unit)
        for pk, person, name, unit in event.entrants.order_by("pk").values_list(
            "pk", "entry__person", "entry__person__name", "entry__unit"
        )
    }
    lots = queries.lots_of(event, seats)
    return [
        Ranked(row.standing.place, *people[row.entrant])
        for row in rows(seats, queries.table_nets(queries.done(seats)), lots)
    ]


def matches(ranked: Iterable[Ranked], entrants: Sequence[Entrant]) -> list[Match]:
    """Each of `ranked` among `entrants`: the same person, else name and unit, else a name that
    only one has on either side. Nobody is found twice."""
    waiting = list(ranked)
    names = [one.name for one in waiting]
    free = {one.pk: one for one in entrants}
    found: dict[int, Match] = {}
    for is_same in (_is_person, _is_name_and_unit):
        for index, one in enumerate(waiting):
            hits = [e for e in free.values() if is_same(one, e)] if index not in found else []
            if len(hits) == 1:
                found[index] = Match(one, free.pop(hits[0].pk))
    for index, one in enumerate(waiting):
        if index in found:
            continue
        hits = [e for e in free.values() if one.name and e.entry.person.name == one.name]
        if len(hits) == 1 and names.count(one.name) == 1:
            found[index] = Match(one, free.pop(hits[0].pk), has_moved=True)
        else:
            found[index] = Match(one, None, is_doubtful=bool(hits))
    return [found[index] for index in range(len(waiting))]


def matched(event: Event, earlier: Event) -> list[Match]:
    """The standings of `earlier` among those who would be drawn in `event`."""
    return matches(ranked_of(earlier), list(to_draw(event)))


def _is_person(one: Ranked, entrant: Entrant) -> bool:
    return entrant.entry.person_id == one.person


def _is_name_and_unit(one: Ranked, entrant: Entrant) -> bool:
    return (one.name, one.unit) == (entrant.entry.person.name, entrant.unit) and bool(one.name)
