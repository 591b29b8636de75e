"""What everyone may see of a competition: no draft, nothing private (C7.4).

Only the columns that are shown are read: name, unit and number of a person, never the rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Case, CharField, Count, Exists, F, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce, Concat

from core import known
from tournament.acting import Acting
from tournament.domain.pasting import clean
from tournament.enums import DONE, EntrantStatus, EntryStatus, State
from tournament.models import Competition, Draw, Entrant, Event, Round, Seat
from tournament.models.people import PAIR, name_by_number
from tournament.permissions import sees_competition, visible_states

OPEN_STATES = visible_states(Acting())
"""The states of rounds and tables that a spectator sees."""
MOST_COMPETITIONS = 60
"""Between the two of a pair."""


def masked(name: str) -> str:
    """张小明 → 张*明, 张明 → 张*: what public pages show where names are masked."""
    if len(name) < 3:
        return name[:1] + "*" * (len(name) - 1)
    return name[0] + "*" * (len(name) - 2) + name[-1]


def name_of(prefix: str = "") -> Case:
    """The name of an entrant in a query, `甲/乙` for a pair; `prefix` leads to the entrant."""
    own, partner = f"{prefix}entry__person__name", f"{prefix}partner__person__name"
    return Case(
        When(**{f"{prefix}partner__isnull": True}, then=F(own)),
        default=Concat(F(own), Value(PAIR), F(partner)),
        output_field=CharField(),
    )


def unit_of(prefix: str = "") -> Case:
    """His unit likewise, both where two of different units play together."""
    own, partner = f"{prefix}entry__unit", f"{prefix}partner__unit"
    alone = Q(**{f"{prefix}partner__isnull": True}) | Q(**{partner: F(own)}) | Q(**{partner: ""})
    return Case(
        When(alone, then=F(own)),
        default=Concat(F(own), Value(PAIR), F(partner)),
        output_field=CharField(),
    )


def shown_name(name: str, number: int | None, *, mask: bool) -> str:
    """A name, or those of a pair, as public pages show it; the number where all is erased."""
    if not name.strip(PAIR):
        return name_by_number(number)
    return PAIR.join(map(masked, name.split(PAIR))) if mask else name


def without_names(text: str, names: Iterable[str]) -> str:
    """`text` with each of these names masked, longer ones first."""
    single = {one for name in names for one in name.split(PAIR) if one}
    for name in sorted(single, key=len, reverse=True):
        text = text.replace(name, masked(name))
    return text


def published(code: str) -> Competition | None:
    """The published competition with this code and its events; None where there is none.

    Asks nothing of the database where this process knows it; what it returns is shared between
    requests, so it is only read.
    """
    return known.recall(f"competition:{code}", lambda: _published(code))


def _published(code: str) -> known.Found[Competition] | None:
    found = Competition.objects.filter(code=code).prefetch_related("events").first()
    if found is None or not sees_competition(Acting(), is_published=found.is_published):
        return None
    return known.Found(found, [found.scope, *(event.scope for event in found.events.all())])


def page_scopes(competition: Competition, events: Iterable[Event]) -> list[str]:
    """What a page about these events of the competition depends on: its people, and all that
    starts or ends a table."""
    return [competition.scope, *(scope for event in events for scope in event.scopes)]


@dataclass(frozen=True)
class Listed:
    """A published competition on the home page."""

    competition: Competition
    entrants: int


@dataclass(frozen=True)
class Programme:
    """The home page: what runs today, what comes (nearest first), what is past (newest first)."""

    running: tuple[Listed, ...]
    coming: tuple[Listed, ...]
    past: tuple[Listed, ...]


def newest_published() -> list[tuple[int, str]]:
    """Id and scope of the published competitions, the newest first. One query."""
    found = Competition.objects.filter(published_at__isnull=False).order_by("-starts_on", "-id")
    return [
        (pk, Competition(pk=pk).scope)
        for pk in found.values_list("pk", flat=True)[:MOST_COMPETITIONS]
    ]


def programme(ids: Iterable[int], today: date) -> Programme:
    """The competitions of these ids by where they stand on the day `today`; one with a hand
    has begun whatever its day. One query."""
    found = (
        Competition.objects.filter(pk__in=ids, published_at__isnull=False)
        .annotate(
            here=Count("entries", filter=Q(entries__status=EntryStatus.CONFIRMED)),
            last_day=Coalesce("ends_on", "starts_on"),
            has_begun=Exists(
                Event.objects.filter(competition=OuterRef("pk"), frozen_at__isnull=False)
            ),
        )
        .order_by("starts_on", "pk")
    )
    running, coming, past = [], [], []
    for competition in found:
        listed = Listed(competition, competition.here)
        if competition.is_over or competition.last_day < today:
            past.append(listed)
        elif competition.starts_on > today and not competition.has_begun:
            coming.append(listed)
        else:
            running.append(listed)
    return Programme(tuple(running), tuple(coming), tuple(reversed(past)))


@dataclass(frozen=True)
class RoundShown:
    """A published round: how many tables, how many of them run and are done."""

    number: int
    title: str
    state: State
    starts_at: object
    hands: int
    minutes: int | None
    tables: int
    running: int
    done: int
    is_last: bool = False

    @property
    def is_over(self) -> bool:
        """Whether it is the last round and all its tables are confirmed."""
        return self.is_last and self.state in DONE


def open_rounds(event: Event) -> QuerySet[Any]:
    """The event's published rounds with how many tables they have, how many run and are done; a
    preliminary's first. One query."""
    return (
        Round.objects.filter(stage__event=event, state__in=OPEN_STATES)
        .annotate(
            all_tables=Count("tables"),
            running_tables=Count("tables", filter=Q(tables__state=State.RUNNING)),
            done_tables=Count("tables", filter=Q(tables__state__in=DONE)),
        )
        .order_by("-stage__kind", "number")
    )


def rounds_of(event: Event) -> list[RoundShown]:
    """The event's published rounds in order. One query."""
    return [
        RoundShown(
            number=one.number,
            title=one.title,
            state=State(one.state),
            starts_at=one.public_starts_at,
            hands=one.hands,
            minutes=one.minutes,
            tables=one.all_tables,
            running=one.running_tables,
            done=one.done_tables,
            is_last=one.is_last,
        )
        for one in open_rounds(event)
    ]


def starts_of(event: Event) -> dict[int, datetime | None]:
    """Number of each published knock-out round → its published start, None: not said. One query."""
    found = Round.objects.filter(stage__event=event, stage__kind="knockout", state__in=OPEN_STATES)
    return dict(found.values_list("number", "public_starts_at"))


@dataclass(frozen=True)
class Champion:
    """Who has won the last round; `is_final` once nothing can change it any more."""

    pk: int
    name: str
    unit: str
    is_final: bool


def champion_of(event: Event, *, mask: bool) -> Champion | None:
    """The event's champion once the last round is confirmed; none where all of the final have
    left (C9.3). One query."""
    found = (
        Seat.objects.filter(round__stage__event=event, round__is_last=True, advances=True)
        .filter(table__is_third=False)
        .filter(round__state__in=DONE, entrant__isnull=False)
        .values_list(
            "entrant_id", name_of("entrant__"), "entrant__entry__number",
            unit_of("entrant__"), "round__state",
        )
        .first()
    )  # fmt: skip
    if found is None:
        return None
    pk, name, number, unit, state = found
    return Champion(pk or 0, shown_name(name, number, mask=mask), unit or "", state == State.FINAL)


def draws_shown(event: Event) -> QuerySet[Draw]:
    """The event's draws and freezes, the newest first, without words, seed, secret, list and
    result: those are the draw page's, once they are out; with their stage. One query."""
    return (
        Draw.objects.filter(stage__event=event)
        .select_related("stage")
        .only("pk", "number", "round_number", "list_digest", "secret_hash", "reason",
              "frozen_at", "drawn_at", "published_at", "stage__kind")
        .order_by("-pk")
    )  # fmt: skip


def open_ids(draws: Iterable[Draw]) -> set[int]:
    """Which of an event's draws `is_open` says yes to, given all of them. No query."""
    found = list(draws)
    newest: dict[tuple[int, int], int] = {}
    for one in found:
        key = (one.stage_id, one.round_number)
        newest[key] = max(newest.get(key, 0), one.number or 0)
    return {
        one.pk
        for one in found
        if one.number is not None
        and (one.published_at is not None or one.number < newest[one.stage_id, one.round_number])
    }


def draw_of(competition: Competition, pk: int) -> Draw | None:
    """A draw of the competition likewise, with its stage and event. One query."""
    found = Draw.objects.filter(pk=pk, stage__event__competition=competition)
    return (
        found.select_related("stage__event")
        .only("number", "round_number", "published_at", "stage__event__competition")
        .order_by()
        .first()
    )


def is_open(draw: Draw) -> bool:
    """Whether everyone may have its result: it is published, or another draw has replaced it."""
    if draw.number is None:
        return False
    return (
        draw.published_at is not None
        or Draw.objects.filter(
            stage=draw.stage_id, round_number=draw.round_number, number__gt=draw.number
        ).exists()
    )


@dataclass(frozen=True)
class EntrantRow:
    """A line of the list of entrants."""

    pk: int
    number: int | None
    name: str
    unit: str
    seed: int | None
    status: EntrantStatus

    @property
    def note(self) -> str:
        """A word where he is not simply in or out."""
        return str(self.status.label) if self.status in GONE else ""


GONE = (EntrantStatus.WITHDRAWN, EntrantStatus.DISQUALIFIED, EntrantStatus.ABSENT)
_COLUMNS = ("pk", "entry__number", name_of(), unit_of(), "seed", "status")


def entrants_shown(event: Event) -> QuerySet[Entrant]:
    """The entrants everyone may see: confirmed entries, and who has left after the draw."""
    seated = Seat.objects.filter(entrant=OuterRef("pk"), table__state__in=OPEN_STATES)
    return Entrant.objects.filter(
        Q(entry__status=EntryStatus.CONFIRMED) | Q(Exists(seated)), event=event
    )


def search_entrants(event: Event, text: str, *, mask: bool, by_name: bool = False) -> QuerySet:
    """The rows (`as_row`) that fit `text`: a number, or a part of a name, its pinyin or a unit.

    Where names are masked a name has to be given whole, so that nobody can guess it letter by
    letter; then pinyin is neither searched nor sorted by.
    """
    found = entrants_shown(event)
    text = clean(text)
    if text.isdecimal():
        number = int(text[:9])
        found = found.filter(Q(entry__number=number) | Q(partner__number=number))
    elif text:
        joined = text.replace(" ", "")
        fits = Q()
        for member in ("entry", "partner"):
            fits |= Q(**{f"{member}__unit__icontains": text})
            fits |= Q(**{f"{member}__person__name__in": (text, joined)})
            if not mask:
                fits |= Q(**{f"{member}__person__name__icontains": joined})
                fits |= Q(**{f"{member}__person__reading__contains": joined.lower()})
        found = found.filter(fits)
    if by_name and not mask:
        found = found.order_by("entry__person__reading", "entry__number", "pk")
    else:
        found = found.order_by("entry__number", "pk")
    return found.values_list(*_COLUMNS)


def as_row(values: tuple, *, mask: bool) -> EntrantRow:
    """The line of a row that `search_entrants` gave."""
    pk, number, name, unit, seed, status = values
    return EntrantRow(
        pk, number, shown_name(name, number, mask=mask), unit, seed, EntrantStatus(status)
    )
