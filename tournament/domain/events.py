"""The events of a competition (C10): added, changed, put in order, removed; how many one enters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict, DomainError
from engine.rules import preset
from tournament.acting import Acting
from tournament.domain.best_of import PAIR, check_games
from tournament.domain.event_limit import EventsLimit, counts_of
from tournament.enums import CountedBy, Discipline, Role, StageKind
from tournament.models import Competition, Entry, Event, Stage
from tournament.pairing.presets import of_units
from tournament.permissions import demand, organizes

DEFAULT_PRESET = "competition"
DEFAULT_MINUTES = 50
STANDARD_ROUNDS = 3


class EventDrawn(Conflict):
    """The event's list is frozen or drawn: what it is stands."""

    code = "event-drawn"


@dataclass(frozen=True)
class EventTerms:
    """What an event is. `games` and `counted_by` are of a manual event: the k of best of k, or of
    a total; `table_size` is how many sit at a table of the knock-out."""

    name: str
    discipline: Discipline = Discipline.ZIPAI
    is_pairs: bool = False
    games: int = 1
    counted_by: CountedBy = CountedBy.GAMES
    table_size: int = 3
    prizes: int = 9


@transaction.atomic
def add_event(*, acting: Acting, competition: Competition, terms: EventTerms) -> Event:
    """One more event, the last in order, with its knock-out. Raises `NotAllowed`, `DomainError`
    (`event-name`, `event-games`)."""
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    competition = lock(competition)
    _check(competition, terms)
    last = competition.events.order_by("-position").first()
    event = make_event(competition, terms, position=last.position + 1 if last else 1)
    audit(
        actor=acting,
        action="event.add",
        scope=competition.scope,
        subject=event,
        data={"name": terms.name, "discipline": str(terms.discipline)},
    )
    bump(competition.scope)
    return event


def make_event(competition: Competition, terms: EventTerms, *, position: int = 1) -> Event:
    """The rows of an event and its knock-out; the caller has locked the competition."""
    is_zipai = terms.discipline == Discipline.ZIPAI
    rules = preset(DEFAULT_PRESET) if is_zipai else None
    event = Event.objects.create(
        competition=competition,
        name=terms.name,
        position=position,
        discipline=terms.discipline,
        preset=DEFAULT_PRESET if rules else "",
        options=rules.as_json() if rules else {},
        rules_digest=rules.digest if rules else "",
        prizes=terms.prizes,
        games=terms.games,
        counted_by=terms.counted_by,
        is_pairs=terms.is_pairs,
    )
    lengths = {} if is_zipai else {"hands": terms.games, "final_hands": terms.games}
    Stage.objects.create(
        event=event,
        kind=StageKind.KNOCKOUT,
        minutes=DEFAULT_MINUTES,
        table_size=terms.table_size,
        **lengths,
    )
    return event


@transaction.atomic
def change_event(*, acting: Acting, event: Event, terms: EventTerms) -> Event:
    """Another name, and while nothing is drawn anything else. The discipline stays as it is.

    Raises `NotAllowed`, `EventDrawn`, `DomainError` (`event-name`, `event-games`), `Conflict`
    (`has-pairs`) where pairs are entered and the event would be of single players.
    """
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    competition = lock(event.competition)
    event = lock(event)
    _check(competition, terms, but=event)
    stage = lock(event.stages.get(kind=StageKind.KNOCKOUT))
    is_manual = event.discipline == Discipline.MANUAL
    now = EventTerms(
        event.name,
        Discipline(event.discipline),
        event.is_pairs,
        event.games,
        CountedBy(event.counted_by),
        stage.table_size,
        event.prizes,
    )
    if is_drawn(event) and (terms.is_pairs, terms.games, terms.counted_by, terms.table_size) != (
        now.is_pairs,
        now.games,
        now.counted_by,
        now.table_size,
    ):
        raise EventDrawn(_("名单已经冻结或抽过签，只能改名称。要改别的请先取消冻结。"))
    if now.is_pairs and not terms.is_pairs and event.entrants.exclude(partner=None).exists():
        raise Conflict(_("已经有人配成对，请先拆开，再改成单人。"), code="has-pairs")
    event.name, event.prizes, event.is_pairs = terms.name, terms.prizes, terms.is_pairs
    if is_manual:
        event.games, event.counted_by = terms.games, terms.counted_by
    event.save(update_fields=["name", "prizes", "is_pairs", "games", "counted_by"])
    if is_manual and not is_drawn(event):
        stage.table_size, stage.advance = terms.table_size, 1
        if now.games != terms.games:
            stage.hands = stage.final_hands = terms.games
        stage.third_table = stage.third_table and terms.table_size == PAIR
        stage.first_two = False
        stage.way = "" if now.table_size != terms.table_size else stage.way
        stage.save()
    audit(
        actor=acting,
        action="event.change",
        scope=competition.scope,
        subject=event,
        data={"name": terms.name},
    )
    bump(competition.scope, event.scope)
    return event


@transaction.atomic
def move_event(*, acting: Acting, event: Event, earlier: bool) -> None:
    """Changes places with the event before or after it, if there is one. Raises `NotAllowed`."""
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    competition = lock(event.competition)
    events = list(competition.events.select_for_update().order_by("position", "pk"))
    index = [one.pk for one in events].index(event.pk)
    other = index - 1 if earlier else index + 1
    if 0 <= other < len(events):
        events[index], events[other] = events[other], events[index]
    for position, one in enumerate(events, 1):
        one.position = position
    Event.objects.bulk_update(events, ["position"])
    audit(
        actor=acting,
        action="event.move",
        scope=competition.scope,
        subject=event,
        data={"order": [one.pk for one in events]},
    )
    bump(competition.scope)


@transaction.atomic
def remove_event(*, acting: Acting, event: Event) -> None:
    """The event is no more; its entrants stay entered in the competition.

    Raises `NotAllowed`, `EventDrawn` where anything was frozen or drawn, `Conflict` (`last-event`)
    for the only one.
    """
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    competition = lock(event.competition)
    event = lock(event)
    if is_drawn(event) or event.stages.filter(draws__isnull=False).exists():
        raise EventDrawn(_("这个项目已经冻结名单或抽过签，不能删除。"))
    if competition.events.count() == 1:
        raise Conflict(_("比赛至少要有一个项目。"), code="last-event")
    audit(
        actor=acting,
        action="event.remove",
        scope=competition.scope,
        subject=event,
        data={"name": event.name, "entrants": event.entrants.count()},
    )
    event.entrants.all().delete()
    event.delete()
    bump(competition.scope)


@transaction.atomic
def set_events_limit(*, acting: Acting, competition: Competition, limit: int | None) -> Competition:
    """How many events one entry may play in, None for any number. Raises `NotAllowed`,
    `EventsLimit` where somebody plays in more already."""
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    competition = lock(competition)
    if limit is not None:
        if limit < 1:
            raise DomainError(_("每人至少能报一项；不限就不填。"), code="events-limit-1")
        for entry, count in counts_of(competition).items():
            if count > limit:
                one = Entry.objects.select_related("person").get(pk=entry)
                raise EventsLimit(
                    _("%(name)s已经报了 %(n)d 项，请先退掉，再把上限改成 %(limit)d 项。")
                    % {"name": one.name, "n": count, "limit": limit}
                )
    competition.events_limit = limit
    competition.save(update_fields=["events_limit"])
    audit(
        actor=acting,
        action="competition.events-limit",
        scope=competition.scope,
        subject=competition,
        data={"limit": limit},
    )
    bump(competition.scope)
    return competition


@transaction.atomic
def make_unit_competition(*, acting: Acting, competition: Competition) -> Sequence[Event]:
    """The preset 单位赛: 字牌 as the standard, 象棋 one against one, 双升 in pairs, three prizes
    each, in place of the events that nobody has entered.

    Raises `NotAllowed`, `Conflict` (`events-entered`) where somebody is entered in an event.
    """
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    competition = lock(competition)
    for event in competition.events.select_for_update():
        if event.entrants.exists() or is_drawn(event):
            raise Conflict(
                _("“%(name)s”已经有选手，不能整套换成单位赛；可以在下面逐项添加。")
                % {"name": event.name},
                code="events-entered",
            )
    competition.events.all().delete()
    zipai, chess, pairs = of_units(units=PAIR)
    made = [
        make_event(competition, EventTerms(gettext("字牌"), prizes=zipai.prizes), position=1),
        make_event(
            competition,
            EventTerms(
                gettext("象棋"),
                Discipline.MANUAL,
                games=3,
                table_size=chess.table_size,
                prizes=chess.prizes,
            ),
            position=2,
        ),
        make_event(
            competition,
            EventTerms(
                gettext("双升"),
                Discipline.MANUAL,
                is_pairs=True,
                table_size=pairs.table_size,
                prizes=pairs.prizes,
            ),
            position=3,
        ),
    ]
    Stage.objects.filter(event__in=made[1:]).update(minutes=chess.length.minutes)
    _add_preliminary(made[0])
    audit(
        actor=acting,
        action="competition.units",
        scope=competition.scope,
        subject=competition,
        data={"events": [one.pk for one in made]},
    )
    bump(competition.scope)
    return made


def _add_preliminary(event: Event) -> None:
    """Three rounds, as most fields of the standard have (C5.6)."""
    stage = event.stages.get(kind=StageKind.KNOCKOUT)
    Stage.objects.create(
        event=event,
        kind=StageKind.PRELIM,
        table_size=3,
        advance=0,
        round_count=STANDARD_ROUNDS,
        hands=stage.hands,
        final_hands=stage.hands,
        minutes=stage.minutes,
    )


def is_drawn(event: Event) -> bool:
    """Whether a list of it is frozen or drawn. One query."""
    return (
        Stage.objects.filter(event=event, draws__isnull=False, draws__number__isnull=True).exists()
        or Stage.objects.filter(event=event, rounds__isnull=False).exists()
    )


def _check(competition: Competition, terms: EventTerms, but: Event | None = None) -> None:
    name = terms.name.strip()
    if not name:
        raise DomainError(_("请写项目的名称。"), code="event-name")
    others = competition.events.all() if but is None else competition.events.exclude(pk=but.pk)
    if others.filter(name=name).exists():
        raise DomainError(_("这个项目已经有了。"), code="event-name")
    check_games(terms.discipline, terms.counted_by, terms.table_size, terms.games, terms.games)
