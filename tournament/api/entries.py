"""Entries and arrivals, with a token."""

from __future__ import annotations

from typing import Annotated, cast

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Header, Query, Router

from core.api.answers import paged, plain
from core.api.document import OWN, WRITE, answers
from core.api.reading import Code, Key, Limit, Page
from core.domain.idempotency import do_once
from core.errors import DomainError
from tournament.acting import Acting
from tournament.api import schemas
from tournament.api.public import C
from tournament.api.tokens import Bearer, get_acting
from tournament.domain.entries import add_entry, check_in
from tournament.domain.pasting import clean_name
from tournament.domain.registration import confirm_entry
from tournament.enums import ApiScope, Role
from tournament.forms.entries import HAS_NO_NAME
from tournament.models import Competition, Entry, Event
from tournament.permissions import checks_in, demand, organizes
from tournament.queries.api import entries_with_events

router = Router(tags=["entries"])
STAFF = (Role.OWNER, Role.ORGANIZER, Role.CHIEF, Role.REFEREE)
FOR_ENTRANTS = Bearer(ApiScope.ENTRANTS)
FOR_CHECKIN = Bearer(ApiScope.CHECKIN)
FOR_EITHER = Bearer(ApiScope.ENTRANTS, ApiScope.CHECKIN)
OnceKey = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        pattern=r"^[!-~]{1,64}$",
        description="A UUID of your own: a request that comes twice with it is done once",
    ),
]
MaybeKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        pattern=r"^[!-~]{1,64}$",
        description="A UUID of your own: a request that comes twice with it is done once",
    ),
]


@router.get(
    C + "/entries",
    auth=FOR_EITHER,
    response=answers(schemas.Entries, OWN),
)
def list_entries(
    request: HttpRequest,
    code: Code,
    number: Annotated[int | None, Query(ge=1, le=10**9, description="编号")] = None,
    page: Page = 1,
    limit: Limit = 50,
) -> HttpResponse:
    """The entries with their state and whether they have arrived, for who checks in."""
    competition, acting = get_acting(request, code)
    demand(checks_in(acting), *STAFF)
    found = entries_with_events(competition)
    if number is not None:
        found = found.filter(number=number)
    return paged(request, found, _entry, page=page, limit=limit)


@router.post(
    C + "/entries",
    auth=FOR_ENTRANTS,
    response=answers(schemas.EntryShown, WRITE, ok=201),
)
def create_entry(
    request: HttpRequest, code: Code, given: schemas.EntryGiven, key: MaybeKey = None
) -> HttpResponse:
    """Enters a person: confirmed while there are places, then on the waiting list."""
    competition, acting = get_acting(request, code)
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    event = _event(competition, given.event)
    if not clean_name(given.name):
        raise DomainError(HAS_NO_NAME, code="name-needed", status=422)

    def act() -> tuple[int, object]:
        entry = add_entry(
            acting=acting,
            event=event,
            name=given.name,
            unit=given.unit,
            is_another=given.is_another,
        )
        return 201, {"entry": entry.pk}

    if key is None:
        _status, made = act()
    else:
        answer = do_once(scope=competition.scope, key=key, request=_asked(acting, given), act=act)
        made = answer.json
    return _answer(competition, cast("dict[str, int]", made)["entry"], status=201)


@router.post(
    C + "/entries/{entry}/confirm",
    auth=FOR_ENTRANTS,
    response=answers(schemas.EntryShown, WRITE),
)
def confirm_pending(request: HttpRequest, code: Code, entry: Key) -> HttpResponse:
    """Gives a place to somebody who has registered, or puts him on the waiting list."""
    competition, acting = get_acting(request, code)
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    confirm_entry(acting=acting, entry=_found(competition, entry))
    return _answer(competition, entry)


@router.post(
    C + "/entries/{entry}/check-in",
    auth=FOR_CHECKIN,
    response=answers(schemas.EntryShown, WRITE),
)
def mark_arrival(request: HttpRequest, code: Code, entry: Key, given: schemas.Here) -> HttpResponse:
    """Notes that somebody has arrived, or takes it back."""
    competition, acting = get_acting(request, code)
    demand(checks_in(acting), *STAFF)
    check_in(acting=acting, entry=_found(competition, entry), here=given.here)
    return _answer(competition, entry)


def _asked(acting: Acting, given: schemas.EntryGiven) -> dict[str, object]:
    return {"who": acting.key, **given.model_dump()}


def _event(competition: Competition, pk: int | None) -> Event:
    events = competition.events.order_by("position", "pk")
    found = events.first() if pk is None else events.filter(pk=pk).first()
    if found is None:
        raise Http404(pk)
    found.competition = competition
    return found


def _found(competition: Competition, pk: int) -> Entry:
    found = competition.entries.select_related("person", "competition").filter(pk=pk).first()
    if found is None:
        raise Http404(pk)
    return found


def _answer(competition: Competition, pk: int, *, status: int = 200) -> HttpResponse:
    return plain(_entry(entries_with_events(competition).get(pk=pk)), status=status)


def _entry(entry: Entry) -> schemas.EntryShown:
    return schemas.EntryShown(
        id=entry.pk,
        number=entry.number,
        name=entry.name,
        unit=entry.unit,
        status=entry.status,
        is_checked_in=entry.is_checked_in,
        entrants=[
            schemas.EntrantOf(id=one.pk, event=one.event_id, status=one.status)
            for one in entry.entrants.all()
        ],
    )
