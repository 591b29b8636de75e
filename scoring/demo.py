"""The demo: a finished and a running competition of 27 and one of 50 that waits for its draw.

All of it happens through the functions that the pages call. `rng` decides names, hands and how
they are entered; the draws have their secrets from the operating system (C4.1), so who meets
whom differs each time.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from core.actors import SYSTEM
from core.domain.audit import audit
from core.models import AuditRow, User
from engine.record import Record
from engine.rules import preset
from scoring.demo_hands import Hands
from scoring.demo_names import as_pasted, roster
from scoring.demo_tables import Crew, Sitting
from scoring.demo_texts import ABOUT, REGULATION
from scoring.domain.closing import finalize_round
from scoring.domain.sheets import open_sheets
from tournament.acting import Acting
from tournament.domain.competitions import (
    change_competition,
    create_competition,
    publish_competition,
    write_regulation,
)
from tournament.domain.draws import enter_words, freeze_draw, publish_draw
from tournament.domain.entries import add_pasted, change_entry, check_in
from tournament.domain.links import issue_link
from tournament.domain.settings import set_play, set_rules
from tournament.domain.table_links import issue_table_links
from tournament.enums import Role
from tournament.models import Competition, DeviceLink, Entrant, Event, Round, Stage, Table

LOADED = "demo.load"
PLAYERS = 27
OPEN_PLAYERS = 50
OPEN_WAITING = 2
OPEN_ARRIVED = 31
SEEDS = 4
Say = Callable[[str], None]


@dataclass
class Made:
    """A competition of the demo with its staff; `tokens` of its links by label, known only now."""

    competition: Competition
    event: Event
    stage: Stage
    owner: Acting
    crew: Crew
    tokens: dict[str, str]


@dataclass
class Loaded:
    """The three competitions of the demo."""

    finished: Made
    running: Made
    open: Made

    @property
    def tokens(self) -> dict[str, str]:
        """The links for whoever tries the demo: those of the running competition."""
        return self.running.tokens


@dataclass(frozen=True)
class Size:
    """How much is played; less than usual for tests."""

    players: int = PLAYERS
    hands: int = 12
    final_hands: int = 24


USUAL = Size()


@dataclass
class Source:
    """What the demo is made from."""

    user: User
    rng: random.Random
    records: Sequence[Record] = ()
    say: Say = field(default=lambda _line: None)
    size: Size = USUAL

    @property
    def preset(self) -> str:
        """The rules: those of the records where there are any."""
        return "local" if self.records else "competition"


def is_loaded() -> bool:
    """Whether the demo has been loaded into this database."""
    return AuditRow.objects.filter(action=LOADED).exists()


@transaction.atomic
def load(source: Source) -> Loaded | None:
    """Makes the three competitions, once a database: None where they are there already."""
    if is_loaded():
        return None
    hands = Hands(source.preset, source.rng, source.records)
    loaded = Loaded(_finished(source, hands), _running(source, hands), _open(source))
    audit(actor=SYSTEM, action=LOADED, scope="site", subject="site")
    return loaded


def _finished(source: Source, hands: Hands) -> Made:
    """Three rounds played to the champion, with everything that may happen at a table."""
    today = timezone.localdate()
    made = _made(source, "漓江杯桂林字牌邀请赛", today - timedelta(days=1), "市文化宫二楼")
    _enter(made, source, source.size.players)
    _draw(made, "漓江的水清又清，九马画山数不清")
    for round_ in made.stage.rounds.order_by("number"):
        sittings = _sit_down(made, round_, hands)
        for index, sitting in enumerate(sittings):
            _happen(sitting, round_, index)
            sitting.finish()
        source.say(f"　{made.competition.name}：{round_.title}打完，{len(sittings)} 桌")
    finalize_round(acting=made.crew.chief, round_=made.stage.rounds.get(is_last=True))
    return made


def _happen(sitting: Sitting, round_: Round, index: int) -> None:
    """What is not plain play at some tables of the finished competition."""
    match round_.number, index:
        case 1, 1:
            sitting.play(2)
            sitting.punish_late()
        case 1, 4:
            sitting.enter_as_totals()
        case 1, 6:
            sitting.enter_wrong_then_right()
        case 1, 8:
            sitting.play(sitting.table.round.hands * 3 // 4)
            sitting.ring()
        case 2, 0:
            sitting.play(1)
            sitting.enter_and_rule()
        case _:
            pass


def _running(source: Source, hands: Hands) -> Made:
    """Round two has begun while the last table of round one still plays (C7.1).

    Of the tables of round two the first plays with a hand 待裁 and a protest, the second waits
    for its players' confirmation, the third for the table that feeds it.
    """
    made = _made(source, "桂林市社区字牌大赛", timezone.localdate(), "象山区文化活动中心")
    _enter(made, source, source.size.players)
    _draw(made, "一二三，二七十，今年三月三")
    first, second, *_later = made.stage.rounds.order_by("number")
    sittings = {sitting.table.pk: sitting for sitting in _sit_down(made, first, hands)}
    tables = list(second.tables.order_by("number"))
    late = Table.objects.filter(feeds__table=tables[-1]).order_by("-number")[0]
    for pk, sitting in sittings.items():
        if pk != late.pk:
            sitting.finish()
    sittings[late.pk].play(source.size.hands // 2)
    sittings[late.pk].punish_late()
    source.say(f"　{made.competition.name}：{first.title}还剩一桌")
    playing, waiting, *_not_ready = _sit_down(made, second, hands)
    playing.play(source.size.hands // 4)
    playing.enter_flagged()
    playing.play(2)
    playing.protest()
    waiting.play()
    waiting.submit()
    waiting.confirm(1)
    source.say(f"　{made.competition.name}：{second.title}进行中")
    _add_table_link(made, playing.table)
    return made


def _open(source: Source) -> Made:
    """Entrants are in, most have arrived; the list is not frozen yet."""
    tomorrow = timezone.localdate() + timedelta(days=1)
    made = _made(source, "桂北五县字牌联谊赛", tomorrow, "灵川县工人俱乐部", capacity=OPEN_PLAYERS)
    _enter(made, source, OPEN_PLAYERS + OPEN_WAITING)
    entrants = list(_entrants(made))
    for seed, entrant in enumerate(entrants[:SEEDS], 1):
        change_entry(
            acting=made.owner,
            entrant=entrant,
            name=entrant.name,
            unit=entrant.unit,
            number=entrant.number,
            seed=seed,
        )
    for entrant in source.rng.sample(entrants, OPEN_ARRIVED):
        check_in(acting=made.crew.referees[0], entry=entrant.entry)
    source.say(
        f"　{made.competition.name}：{OPEN_PLAYERS} 人报名，{OPEN_ARRIVED} 人已签到，等待抽签"
    )
    return made


def _entrants(made: Made) -> QuerySet[Entrant]:
    return made.event.entrants.select_related(
        "event__competition", "entry__person", "partner__person"
    ).order_by("entry__number")


def _made(source: Source, name: str, day: date, place: str, *, capacity: int | None = None) -> Made:
    """A published competition with its texts, settings and staff, without entrants."""
    competition = create_competition(user=source.user, name=name, starts_on=day)
    owner = Acting(
        user_id=source.user.pk,
        competition_id=competition.pk,
        roles=frozenset({Role.OWNER}),
    )
    event = competition.events.get()
    stage = event.stages.get()
    least = preset(source.preset).min_hu
    change_competition(
        acting=owner,
        competition=competition,
        details={
            "place": place,
            "about": ABOUT.format(when=f"{day.month} 月 {day.day} 日", place=place),
            "capacity": capacity,
        },
    )
    write_regulation(
        acting=owner, competition=competition, text=REGULATION.format(name=name, least=least)
    )
    set_rules(acting=owner, event=event, preset_id=source.preset, options={})
    lengths = {"hands": source.size.hands, "final_hands": source.size.final_hands}
    set_play(acting=owner, stage=stage, values=lengths)
    publish_competition(acting=owner, competition=competition)
    competition.refresh_from_db()
    event.refresh_from_db()
    stage.refresh_from_db()
    tokens: dict[str, str] = {}
    chief = _staff(owner, competition, Role.CHIEF, "裁判长 蒋老师", tokens)
    referees = tuple(
        _staff(owner, competition, Role.REFEREE, label, tokens)
        for label in ("裁判 秦老师", "裁判 莫老师")
    )
    return Made(competition, event, stage, owner, Crew(chief, referees, {}), tokens)


def _staff(
    owner: Acting, competition: Competition, role: Role, label: str, tokens: dict[str, str]
) -> Acting:
    issued = issue_link(acting=owner, competition=competition, role=role, label=label)
    tokens[label] = issued.token
    return _acting(issued.link)


def _acting(link: DeviceLink) -> Acting:
    """Who has opened this link and no other."""
    return Acting(
        link_id=link.pk,
        competition_id=link.competition_id,
        roles=frozenset({Role(link.role)}),
        table_ids=frozenset({link.table_id} if link.table_id else ()),
    )


def _enter(made: Made, source: Source, count: int) -> None:
    add_pasted(acting=made.owner, event=made.event, text=as_pasted(roster(count, source.rng)))


def _draw(made: Made, words: str) -> None:
    """Everybody has arrived; the list is frozen, drawn and published."""
    for entrant in _entrants(made):
        check_in(acting=made.crew.referees[0], entry=entrant.entry)
    frozen = freeze_draw(acting=made.owner, stage=made.stage)
    enter_words(acting=made.owner, draw=frozen, words=words)
    publish_draw(acting=made.owner, stage=made.stage)
    made.event.refresh_from_db()
    made.stage.refresh_from_db()


def _sit_down(made: Made, round_: Round, hands: Hands) -> list[Sitting]:
    """The round's tables with a link each, in order."""
    tables = list(
        round_.tables.select_related("round__stage__event__competition").order_by("number")
    )
    open_sheets(tables)
    issued = issue_table_links(
        acting=made.owner, competition=made.competition, round_=round_, tables=tables
    )
    links = {one.link.table_id or 0: _acting(one.link) for one in issued}
    crew = Crew(made.crew.chief, made.crew.referees, links)
    return [Sitting(table, hands, crew) for table in tables]


def _add_table_link(made: Made, table: Table) -> None:
    """A new link of the table, to try what its players see; the older one stops working."""
    issued = issue_link(
        acting=made.owner, competition=made.competition, role=Role.TABLE, table=table
    )
    made.tokens[f"{table.round.title}第 {table.number} 桌的选手"] = issued.token
