"""What the organizer's pages show: the state of a competition, its entries, its tables."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet

from tournament.domain.pasting import clean
from tournament.enums import (
    BEFORE_PLAY,
    DONE,
    EntrantStatus,
    EntryStatus,
    Role,
    StageKind,
    State,
    Style,
)
from tournament.models import (
    Competition,
    Draw,
    Entrant,
    Entry,
    Event,
    Registration,
    Round,
    Seat,
    Stage,
    Table,
)


def my_competitions(user_id: int) -> QuerySet[Competition]:
    """Those in which the user has a role, the newest first. One query."""
    return Competition.objects.filter(memberships__user=user_id).distinct()


def organized_by(user_id: int) -> QuerySet[Competition]:
    """Those that the user organizes and whose draw is still to come, the newest first. One
    query."""
    return (
        Competition.objects.filter(
            memberships__user=user_id, memberships__role__in=(Role.OWNER, Role.ORGANIZER)
        )
        .exclude(events__stages__rounds__isnull=False)
        .distinct()
    )


def main_stage(competition: Competition) -> Stage:
    """The knock-out of the event that the page is about, the competition's first unless another
    is chosen (`Competition.chosen`), with event and competition. One query, which also tells the
    competition what events there are."""
    stages = _stages(competition)
    return stages[StageKind.KNOCKOUT]


def stage_now(competition: Competition) -> Stage:
    """The stage of that event that is drawn and played now: its preliminary until it is closed,
    then the knock-out. One query, as for `main_stage`."""
    stages = _stages(competition)
    preliminary = stages.get(StageKind.PRELIM)
    is_open = preliminary is not None and preliminary.closed_at is None
    return stages[StageKind.PRELIM if is_open else StageKind.KNOCKOUT]


def _stages(competition: Competition) -> dict[str, Stage]:
    """The stages by kind of the event that the page is about."""
    stages = list(
        Stage.objects.filter(event__competition=competition)
        .select_related("event")
        .order_by("event__position", "event")
    )
    knockouts = [stage for stage in stages if stage.kind == StageKind.KNOCKOUT]
    competition.known_events = [stage.event for stage in knockouts]
    known = {stage.event_id for stage in knockouts}
    chosen = competition.chosen if competition.chosen in known else knockouts[0].event_id
    here = {stage.kind: stage for stage in stages if stage.event_id == chosen}
    for stage in here.values():
        stage.event.competition = competition
        stage.event.has_preliminary = StageKind.PRELIM in here
    return here


@dataclass(frozen=True)
class RoundState:
    """A round and how many of its tables are in which state."""

    round: Round
    tables: int
    running: int
    done: int


@dataclass(frozen=True)
class Overview:
    """Where a competition stands."""

    entrants: int
    pending: int
    waiting: int
    checked_in: int
    draw: Draw | None
    rounds: tuple[RoundState, ...]
    champion: Entrant | None

    @property
    def is_published(self) -> bool:
        """Whether a draw is out."""
        return bool(self.rounds) and self.rounds[0].round.state not in (State.PLANNED, State.DRAWN)

    @property
    def is_drawn(self) -> bool:
        """Whether the words are in."""
        return bool(self.rounds)

    @property
    def is_frozen(self) -> bool:
        """Whether the list waits for the words."""
        return self.draw is not None and not self.draw.is_drawn


def overview(stage: Stage) -> Overview:
    """Four queries, however many entrants and tables there are."""
    entries = Entry.objects.filter(competition=stage.event.competition).aggregate(
        entrants=Count("pk", filter=Q(status=EntryStatus.CONFIRMED)),
        pending=Count("pk", filter=Q(status=EntryStatus.PENDING)),
        waiting=Count("pk", filter=Q(status=EntryStatus.WAITLISTED)),
        checked_in=Count("pk", filter=Q(checked_in_at__isnull=False)),
    )
    rounds = tuple(
        RoundState(round_, round_.all_tables, round_.running_tables, round_.done_tables)
        for round_ in Round.objects.filter(stage=stage)
        .annotate(
            all_tables=Count("tables"),
            running_tables=Count("tables", filter=Q(tables__state=State.RUNNING)),
            done_tables=Count("tables", filter=Q(tables__state__in=DONE)),
        )
        .order_by("number")
    )
    champion = None
    if rounds and rounds[-1].round.is_last and rounds[-1].round.state in DONE:
        champion = (
            Entrant.objects.filter(
                seats__round=rounds[-1].round, seats__advances=True, seats__table__is_third=False
            )
            .select_related("entry__person", "partner__person")
            .first()
        )
    return Overview(
        entrants=entries["entrants"],
        pending=entries["pending"],
        waiting=entries["waiting"],
        checked_in=entries["checked_in"],
        draw=newest_draw(stage),
        rounds=rounds,
        champion=champion,
    )


def newest_draw(stage: Stage) -> Draw | None:
    """The newest draw or freeze without its large parts. One query."""
    return draws_of(stage).last()


def draws_of(stage: Stage) -> QuerySet[Draw]:
    """All draws of a stage, oldest first, without their large parts. One query."""
    return stage.draws.defer("lines", "result", "log").order_by("id")


def draws_of_event(event: Event) -> QuerySet[Draw]:
    """The draws of all its stages likewise, a preliminary's first, with their stage. One query."""
    found = Draw.objects.filter(stage__event=event).select_related("stage")
    return found.defer("lines", "result", "log").order_by("-stage__kind", "id")


def active_tables(stage: Stage, most: int = 60) -> list[Table]:
    """Tables that run, then those that could start now, at most `most`, with seats and names.

    Two queries.
    """
    unknown = Seat.objects.filter(
        table=OuterRef("pk"), entrant=None, is_filler=False, gap_filled=False
    )
    waits = Seat.objects.filter(table=OuterRef("pk"), source__isnull=False).exclude(
        source__state__in=DONE
    )
    ready = Q(state=State.PUBLISHED) & ~Q(Exists(unknown)) & ~Q(Exists(waits))
    tables = (
        Table.objects.filter(Q(state=State.RUNNING) | ready, round__stage=stage)
        .select_related("round")
        .prefetch_related(seats_with_names())
        .order_by("-state", "round__number", "number")
    )
    return list(tables[:most])


def tables_of(round_: Round) -> QuerySet[Table]:
    """The tables of a round with their seats and names. Two queries."""
    return round_.tables.select_related("round").prefetch_related(seats_with_names())


def seats_with_names() -> Prefetch[str, QuerySet[Seat], str]:
    """Seats in order with whom they hold and where these come from."""
    seats = Seat.objects.select_related(
        "entrant__entry__person", "entrant__partner__person", "source"
    ).order_by("position")
    return Prefetch("seats", queryset=seats)


def entries_of(event: Event, search: str = "", only: str = "") -> QuerySet[Entry]:
    """The entries with their person and, as `here`, their entrant in this event. Two queries.

    `search` is a number, or a part of a name, its pinyin or a unit; `only` is `pending`,
    `waiting`, `absent` (not checked in), `unpaid` or `left`.
    """
    entries = (
        Entry.objects.filter(competition=event.competition_id)
        .select_related("person")
        .prefetch_related(
            Prefetch("entrants", queryset=Entrant.objects.filter(event=event), to_attr="here")
        )
    )
    text = clean(search)
    if text.isdecimal():
        entries = entries.filter(number=int(text[:9]))
    elif text:
        letters = text.replace(" ", "").lower()
        entries = entries.filter(
            Q(person__name__icontains=text.replace(" ", ""))
            | Q(person__name__icontains=text)
            | Q(person__reading__contains=letters)
            | Q(unit__icontains=text)
        )
    if only == "waiting":
        entries = entries.filter(status=EntryStatus.WAITLISTED)
    elif only == "pending":
        entries = entries.filter(status=EntryStatus.PENDING)
    elif only == "unpaid":
        entries = entries.filter(paid=False).exclude(status=EntryStatus.WITHDRAWN)
    elif only == "absent":
        entries = entries.filter(checked_in_at=None, status=EntryStatus.CONFIRMED)
    elif only == "left":
        entries = entries.filter(
            Q(status=EntryStatus.WITHDRAWN) | Q(entrants__event=event, entrants__status__in=LEFT)
        ).distinct()
    return entries


def has_fee(competition: Competition) -> bool:
    """Whether a fee is set, so that the list notes who has paid. One query."""
    return Registration.objects.filter(competition=competition).exclude(fee="").exists()


LEFT = (EntrantStatus.WITHDRAWN, EntrantStatus.DISQUALIFIED, EntrantStatus.ABSENT)


def drawn_seat(stage: Stage, number: int) -> Seat | None:
    """The seat that the newest draw gave to the entrant of this number, with him; of a preliminary
    the first whose table has no hand. One query."""
    found = Seat.objects.filter(
        round__stage=stage, entrant__entry__number=number, source=None
    ).select_related("table__round", "entrant__entry__person", "entrant__partner__person")
    if stage.kind == StageKind.PRELIM:
        return found.filter(table__state__in=BEFORE_PLAY).order_by("round__number").first()
    return found.order_by("-round__number").first()


def late_seats(stage: Stage) -> list[Seat]:
    """Seats for somebody late, where no hand is in: fillers', and byes while the first round is
    on (C7.3). Two queries.
    """
    first = stage.rounds.order_by("number").first()
    is_redrawn = stage.style == Style.REDRAW
    has_byes = (
        first is not None and first.advance == 1 and first.state not in DONE and not is_redrawn
    )
    is_bye = Q(round__number=2, entrant__isnull=False, forfeits=False) if has_byes else Q(pk__in=())
    return list(
        Seat.objects.filter(
            Q(is_filler=True) | is_bye,
            round__stage=stage,
            source=None,
            table__state__in=BEFORE_PLAY,
            table__is_third=False,
            **({"round__number": 1} if is_redrawn else {}),
        )
        .select_related("table__round")
        .order_by("round__number", "table__number", "position")
    )
