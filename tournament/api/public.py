"""Reads for everyone: no token, the same answer for all, drafts are not there (C7.4)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse
from ninja import Router

from core.api.answers import cached, listed
from core.api.document import READ, answers
from core.api.reading import Code, Key, Limit, Page
from tournament.api import schemas
from tournament.domain.draws import document_of
from tournament.enums import DONE
from tournament.models import Competition, Draw, Event, Round, Seat, Table
from tournament.models.play import SEAT_NAMES
from tournament.queries import api as queries
from tournament.queries.public import (
    OPEN_STATES,
    as_row,
    champion_of,
    draw_of,
    draws_shown,
    is_open,
    open_ids,
    open_rounds,
    page_scopes,
    published,
    search_entrants,
    shown_name,
)

router = Router(tags=["public"])
C = "/competitions/{code}"
E = C + "/events/{event}"


def watched(code: str) -> Competition:
    """The published competition with this code, shared between requests. Raises `Http404`."""
    found = published(code)
    if found is None:
        raise Http404(code)
    return found


def watched_event(code: str, pk: int) -> tuple[Competition, Event]:
    """An event of a published competition. Raises `Http404`."""
    shown = watched(code)
    for event in shown.events.all():
        if event.pk == pk:
            return shown, event
    raise Http404(pk)


def scopes_of(shown: Competition, event: Event) -> list[str]:
    """What an answer about an event shows: people, and all that closes or starts a table."""
    return page_scopes(shown, [event])


@router.get("/competitions", response=answers(schemas.Competitions, READ))
def list_competitions(request: HttpRequest, page: Page = 1, limit: Limit = 50) -> HttpResponse:
    """Published competitions, the newest first."""
    ids = queries.published_ids()
    return listed(
        request,
        f"api:competitions:{'.'.join(map(str, ids))}",
        [Competition(pk=pk).scope for pk in ids],
        lambda: [schemas.CompetitionLine(**_competition(one)) for one in queries.competitions(ids)],
        page=page,
        limit=limit,
    )


@router.get(C, response=answers(schemas.CompetitionShown, READ))
def get_competition(request: HttpRequest, code: Code) -> HttpResponse:
    """One competition with its events, how they are played, and who has won."""
    shown = watched(code)
    events = list(shown.events.all())
    return cached(
        request,
        f"api:competition:{shown.pk}",
        page_scopes(shown, events),
        lambda: schemas.CompetitionShown(
            **_competition(shown),
            about=shown.about,
            mask_names=shown.mask_names,
            final_minutes=shown.final_minutes,
            events=_events(shown),
        ),
    )


@router.get(C + "/events", response=answers(schemas.Events, READ))
def list_events(
    request: HttpRequest, code: Code, page: Page = 1, limit: Limit = 50
) -> HttpResponse:
    """The events of a competition."""
    shown = watched(code)
    return listed(
        request,
        f"api:events:{shown.pk}",
        page_scopes(shown, shown.events.all()),
        lambda: _events(shown),
        page=page,
        limit=limit,
    )


@router.get(E, response=answers(schemas.EventShown, READ))
def get_event(request: HttpRequest, code: Code, event: Key) -> HttpResponse:
    """One event."""
    shown, found = watched_event(code, event)
    return cached(
        request,
        f"api:event:{found.pk}",
        scopes_of(shown, found),
        lambda: next(one for one in _events(shown) if one.id == found.pk),
    )


@router.get(E + "/entrants", response=answers(schemas.Entrants, READ))
def list_entrants(
    request: HttpRequest, code: Code, event: Key, page: Page = 1, limit: Limit = 50
) -> HttpResponse:
    """Who plays, by number, as public pages show them."""
    shown, found = watched_event(code, event)

    def make() -> Iterator[schemas.EntrantLine]:
        for values in search_entrants(found, "", mask=shown.mask_names):
            row = as_row(values, mask=shown.mask_names)
            yield schemas.EntrantLine(
                id=row.pk,
                number=row.number,
                name=row.name,
                unit=row.unit,
                seed=row.seed,
                status=str(row.status),
            )

    scopes = scopes_of(shown, found)
    return listed(request, f"api:entrants:{event}", scopes, make, page=page, limit=limit)


@router.get(E + "/draws", response=answers(schemas.Draws, READ))
def list_draws(
    request: HttpRequest, code: Code, event: Key, page: Page = 1, limit: Limit = 50
) -> HttpResponse:
    """Every freeze and draw of an event, the newest first."""
    shown, found = watched_event(code, event)

    def make() -> list[schemas.DrawLine]:
        draws = list(draws_shown(found))
        open_to_all = open_ids(draws)
        return [
            schemas.DrawLine(
                id=one.pk,
                stage=one.stage.kind,
                round_number=one.round_number,
                number=one.number,
                list_digest=one.list_digest,
                secret_digest=one.secret_hash,
                reason=one.reason,
                frozen_at=one.frozen_at,
                drawn_at=one.drawn_at,
                published_at=one.published_at,
                is_open=one.pk in open_to_all,
            )
            for one in draws
        ]

    scopes = scopes_of(shown, found)
    return listed(request, f"api:draws:{event}", scopes, make, page=page, limit=limit)


@router.get(C + "/draws/{draw}", response=answers(schemas.DrawDocument, READ))
def get_draw(request: HttpRequest, code: Code, draw: Key) -> HttpResponse:
    """A draw's document, from which anybody can draw it again (C4.5). Not before it is out."""
    shown = watched(code)
    found = draw_of(shown, draw)
    if found is None or not is_open(found):
        raise Http404(draw)

    def make() -> schemas.DrawDocument:
        return schemas.DrawDocument.model_validate(document_of(Draw.objects.get(pk=draw)))

    return cached(request, f"api:draw:{draw}", scopes_of(shown, found.stage.event), make)


@router.get(E + "/rounds", response=answers(schemas.Rounds, READ))
def list_rounds(
    request: HttpRequest, code: Code, event: Key, page: Page = 1, limit: Limit = 50
) -> HttpResponse:
    """The published rounds of an event in order."""
    shown, found = watched_event(code, event)

    def make() -> Iterator[schemas.RoundLine]:
        for one in open_rounds(found).select_related("stage"):
            yield schemas.RoundLine(
                id=one.pk,
                stage=one.stage.kind,
                number=one.number,
                title=one.title,
                state=one.state,
                advance=one.advance,
                is_last=one.is_last,
                starts_at=one.public_starts_at,
                hands=one.hands,
                minutes=one.minutes,
                tables=one.all_tables,
                running=one.running_tables,
                done=one.done_tables,
            )

    scopes = scopes_of(shown, found)
    return listed(request, f"api:rounds:{event}", scopes, make, page=page, limit=limit)


@router.get(E + "/rounds/{round_id}/tables", response=answers(schemas.Tables, READ))
def list_tables(
    request: HttpRequest, code: Code, event: Key, round_id: Key, page: Page = 1, limit: Limit = 50
) -> HttpResponse:
    """The tables of a published round with their seats."""
    shown, found = watched_event(code, event)
    round_ = (
        Round.objects.filter(pk=round_id, stage__event=found, state__in=OPEN_STATES)
        .order_by()
        .first()
    )
    if round_ is None:
        raise Http404(round_id)

    def make() -> Iterator[schemas.TableLine]:
        for table, seats in groupby(queries.open_seats(round_), key=lambda seat: seat.table):
            yield _table(table, list(seats), mask=shown.mask_names)

    scopes = scopes_of(shown, found)
    return listed(request, f"api:tables:{round_id}", scopes, make, page=page, limit=limit)


def _competition(one: Competition) -> dict[str, Any]:
    return {
        "code": one.code,
        "name": one.name,
        "starts_on": one.starts_on,
        "ends_on": one.ends_on,
        "place": one.place,
        "timezone": one.timezone,
        "is_over": one.is_over,
    }


def _events(shown: Competition) -> list[schemas.EventShown]:
    events = list(Event.objects.filter(competition=shown).order_by("position", "pk"))
    prefetch_related_objects(events, "stages")
    return [_event(event, mask=shown.mask_names) for event in events]


def _event(event: Event, *, mask: bool) -> schemas.EventShown:
    won = champion_of(event, mask=mask)
    return schemas.EventShown(
        id=event.pk,
        name=event.name,
        discipline=event.discipline,
        preset=event.preset,
        options=event.options,
        rules_digest=event.rules_digest,
        is_frozen=event.is_frozen,
        is_pairs=event.is_pairs,
        counted_by=event.counted_by,
        games=event.games,
        prizes=event.prizes,
        stages=[
            schemas.StageShown.model_validate(stage, from_attributes=True)
            for stage in event.stages.all()
        ],
        champion=None
        if won is None
        else schemas.ChampionShown(
            entrant=won.pk, name=won.name, unit=won.unit, is_final=won.is_final
        ),
    )


def _table(table: Table, seats: list[Seat], *, mask: bool) -> schemas.TableLine:
    is_done = table.state in DONE
    return schemas.TableLine(
        id=table.pk,
        number=table.number,
        label=table.label,
        state=table.state,
        seat_count=table.seat_count,
        first_dealer=SEAT_NAMES[table.first_dealer],
        is_third=table.is_third,
        starts_at=table.public_starts_at,
        room=table.public_room,
        place=table.public_place,
        seats=[_seat(seat, mask=mask, is_done=is_done) for seat in seats],
    )


def _seat(seat: Any, *, mask: bool, is_done: bool) -> schemas.SeatShown:
    name = ""
    if seat.entrant_id is not None:
        name = shown_name(seat.held_name or "", seat.held_number, mask=mask)
    return schemas.SeatShown(
        position=seat.position,
        seat=SEAT_NAMES[seat.position],
        entrant=seat.entrant_id,
        number=seat.held_number,
        name=name,
        unit=seat.held_unit or "",
        is_filler=seat.is_filler,
        is_vacant=seat.is_vacant,
        from_table=seat.source_id,
        from_place=seat.source_place,
        place=seat.place if is_done else None,
        advances=seat.advances if is_done else None,
    )
