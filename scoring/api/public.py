"""Sheets, standings and records for everyone: no token, nothing of a draft (C7.4)."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Router

from core import known
from core.api.answers import cached, listed
from core.api.document import READ, answers
from core.api.reading import Code, Key, Limit, Page
from scoring import queries_public as queries
from scoring.api import schemas
from scoring.api.shaped import sheet_shown
from scoring.domain.preliminary import standing_of
from scoring.finishes import spoken
from scoring.places import places_of
from scoring.preliminary import points_text
from scoring.queries import find_table, read_board
from scoring.queries_statistics import hand_facts, sittings
from scoring.statistics import records
from tournament.acting import Acting
from tournament.api.public import C, E, scopes_of, watched, watched_event
from tournament.enums import StageKind
from tournament.models import Competition, Entrant
from tournament.models.people import PAIR
from tournament.queries.public import OPEN_STATES, shown_name

router = Router(tags=["public"])
MOST_HELD = 12


@router.get(C + "/tables/{table}", response=answers(schemas.SheetShown, READ))
def get_table(request: HttpRequest, code: Code, table: Key) -> HttpResponse:
    """A published table's sheet with its hands."""
    shown = watched(code)
    scopes = known.recall(f"table:{shown.pk}:{table}", lambda: _scopes(shown, table))
    if scopes is None:
        raise Http404(table)

    def make() -> schemas.SheetShown:
        found = find_table(shown, table, Acting())
        if found is None:
            raise Http404(table)
        return sheet_shown(shown, read_board(found))

    return cached(request, f"api:table:{table}", scopes, make)


def _scopes(shown: Competition, pk: int) -> known.Found[list[str]] | None:
    scopes = queries.table_scopes(shown, pk)
    return None if scopes is None else known.Found(scopes, scopes)


@router.get(E + "/standings", response=answers(schemas.Standings, READ))
def list_standings(
    request: HttpRequest, code: Code, event: Key, page: Page = 1, limit: Limit = 50
) -> HttpResponse:
    """The standings of the knock-out, each place with its reason."""
    shown, found = watched_event(code, event)

    def make() -> Iterator[schemas.PlaceLine]:
        places = places_of(shown, found)
        for row in places.rows:
            prize = row.standing.prize if places.is_done else None
            yield schemas.PlaceLine(
                place=row.standing.place,
                shared=row.standing.shared,
                prize=spoken(prize) if prize else "",
                entrant=row.entrant,
                number=row.seat.entry,
                name=row.seat.name,
                unit=row.seat.unit,
                status=row.seat.status,
                round=row.finish.round,
                table=row.seat.table,
                net=int(row.finish.net),
                hands=row.finish.hands,
                reason=row.reason,
            )

    scopes = scopes_of(shown, found)
    return listed(request, f"api:standings:{event}", scopes, make, page=page, limit=limit)


@router.get(E + "/preliminary", response=answers(schemas.Preliminary, READ))
def list_preliminary(
    request: HttpRequest, code: Code, event: Key, page: Page = 1, limit: Limit = 50
) -> HttpResponse:
    """The standings of the preliminary by its confirmed tables, each place with its reason."""
    shown, found = watched_event(code, event)

    def make() -> Iterator[schemas.PreliminaryLine]:
        stage = found.stages.filter(kind=StageKind.PRELIM).first()
        if stage is None or not stage.rounds.filter(state__in=OPEN_STATES).exists():
            return
        stage.event = found
        standing = standing_of(stage)
        going_on = set(standing.going_on)
        for index, row in enumerate(standing.ranking.rows):
            result, entrant = row.result, standing.entrants[row.result.key]
            steps = standing.ranking.steps
            yield schemas.PreliminaryLine(
                rank=row.rank,
                entrant=entrant.pk,
                number=entrant.number,
                name=shown_name(_full_name(entrant), entrant.number, mask=shown.mask_names),
                unit=entrant.unit,
                status=entrant.status,
                points=points_text(result.points),
                twelfths=result.points,
                rounds=result.rounds,
                net=result.net,
                tables_won=result.tables_won,
                hands_won=result.hands_won,
                discards=result.discards,
                best=result.best,
                goes_on=entrant.pk in going_on,
                reason=spoken(steps[index]) if index < len(steps) else "",
            )

    scopes = scopes_of(shown, found)
    return listed(request, f"api:preliminary:{event}", scopes, make, page=page, limit=limit)


@router.get(E + "/records", response=answers(schemas.Records, READ))
def list_records(
    request: HttpRequest, code: Code, event: Key, page: Page = 1, limit: Limit = 50
) -> HttpResponse:
    """The highest 胡, the most 醒, the longest hand … of the event's confirmed tables."""
    shown, found = watched_event(code, event)

    def make() -> Iterator[schemas.RecordLine]:
        seats = queries.seat_rows(queries.seats_of(found), mask=shown.mask_names)
        tables = queries.done(seats)
        if not tables:
            return
        names = {seat.entrant: seat.name for seat in seats if seat.entrant is not None}
        facts = hand_facts(seats, with_records=True)
        held = records(facts, sittings(seats, queries.table_nets(tables)))
        for kind, best in held.items():
            yield schemas.RecordLine(
                kind=kind.value,
                value=best[0].value,
                holders=len(best),
                held=[
                    schemas.Held(
                        entrants=list(one.entrants),
                        names=[names[pk] for pk in one.entrants],
                        table=one.table,
                        hand=one.hand,
                    )
                    for one in best[:MOST_HELD]
                ],
            )

    scopes = scopes_of(shown, found)
    return listed(request, f"api:records:{event}", scopes, make, page=page, limit=limit)


def _full_name(entrant: Entrant) -> str:
    """As in the database, empty where erased."""
    members = (entrant.entry, entrant.partner)
    return PAIR.join(one.person.name for one in members if one is not None)
