"""The format of an event: preliminary, tables, style, lengths and prizes, chosen as one (C2–C5)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import DomainError
from tournament.acting import Acting
from tournament.domain.best_of import check_games, note_games
from tournament.domain.settings import PlanFixed, RulesFrozen, spoken
from tournament.enums import Cut, Discipline, Role, StageKind, Style, Way
from tournament.models import Draw, Event, Round, Stage
from tournament.pairing.errors import PairingError
from tournament.pairing.plan import RoundLength
from tournament.pairing.planner import Cut as PlannedCut
from tournament.pairing.planner import Game, Terms, plan_event
from tournament.pairing.planner import Style as PlannedStyle
from tournament.pairing.rotation import check_rounds
from tournament.permissions import demand, organizes

SHARED = ("confirmation", "dealer", "extra_hands", "lateness")
"""What a new preliminary takes over from the knock-out."""


@dataclass(frozen=True, slots=True)
class Format:
    """What an organizer decides before the draw.

    `style` is the planner's: `usual` leaves the way to a clean field to C3.1. `preliminary` is its
    number of rounds, 0 none; `prizes` the places with a prize (C8.5).
    """

    table_size: int = 3
    advance: int = 1
    style: PlannedStyle = PlannedStyle.USUAL
    first_two: bool = False
    third_table: bool = False
    preliminary: int = 0
    cut: PlannedCut = PlannedCut.USUAL
    hands: int = 12
    minutes: int | None = None
    final_hands: int = 24
    prizes: int = 9

    def terms(self, entrants: int, game: Game = Game.ZIPAI) -> Terms:
        """The same as the planner knows it, for so many entrants."""
        return Terms(
            entrants,
            self.table_size,
            self.advance,
            self.style,
            first_two=self.first_two,
            preliminary=self.preliminary,
            cut=self.cut,
            length=RoundLength(self.hands, self.minutes),
            final=RoundLength(self.final_hands),
            has_third_table=self.third_table,
            game=game,
            prizes=self.prizes,
        )


def format_of(stage: Stage) -> Format:
    """The format that the knock-out's event has now. Needs `event`; one query."""
    preliminary = stage.event.stages.filter(kind=StageKind.PRELIM).first()
    return Format(
        table_size=stage.table_size,
        advance=stage.advance,
        style=PlannedStyle.REDRAW
        if stage.style == Style.REDRAW
        else PlannedStyle(stage.way or PlannedStyle.USUAL),
        first_two=stage.first_two,
        third_table=stage.third_table,
        preliminary=(preliminary.round_count or 0) if preliminary else 0,
        cut=PlannedCut(preliminary.cut) if preliminary else PlannedCut.USUAL,
        hands=stage.hands,
        minutes=stage.minutes,
        final_hands=stage.final_hands,
        prizes=stage.event.prizes,
    )


def is_fixed(event: Event) -> bool:
    """Whether a list of the event is frozen or drawn: only the prizes may change. Two queries."""
    return (
        Draw.objects.filter(stage__event=event, number__isnull=True).exists()
        or Round.objects.filter(stage__event=event).exists()
    )


@transaction.atomic
def set_format(*, acting: Acting, stage: Stage, wanted: Format, entrants: int) -> Stage:
    """Gives the knock-out's event this format; makes, changes or removes its preliminary.

    `entrants` is the number the choice is made for; with another one the freeze checks again.
    Raises `NotAllowed`, `PlanFixed` once a list is frozen or drawn (the prizes may change until
    the first hand: `RulesFrozen`), `DomainError` with the code of what does not fit (`plan-size`,
    `plan-way`, `plan-first`, `plan-cut`, `rotation-rounds`, `event-games` …).
    """
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    event = lock(Event.objects.get(pk=stage.event_id))
    stage = lock(stage)
    stage.event = event
    before = format_of(stage)
    if wanted == before:
        return stage
    if is_fixed(event) and replace(wanted, prizes=before.prizes) != before:
        raise PlanFixed(_("名单已经冻结或抽过签，编排办法不能改。要改请先取消冻结或重新抽签。"))
    if event.is_frozen:
        raise RulesFrozen(_("第一局已经记分，这些设置不能再改。"))
    _check(wanted, event, entrants)
    _write(stage, wanted)
    _write_preliminary(stage, wanted)
    note_games(event, wanted.hands)
    event.prizes = wanted.prizes
    event.save(update_fields=["prizes"])
    audit(
        actor=acting,
        action="stage.format",
        scope=acting.scope,
        subject=stage,
        data={**asdict(wanted), "entrants": entrants},
    )
    bump(event.scope, acting.scope)
    return stage


def _check(wanted: Format, event: Event, entrants: int) -> None:
    if wanted.third_table and wanted.table_size != 2:
        raise DomainError(
            _("只有 2 人对局才加打第三名；3 人、4 人桌的决赛已经分出第三名。"), code="plan-third"
        )
    if min(wanted.prizes, wanted.hands, wanted.final_hands) < 1:
        raise DomainError(_("局数和奖励名次都至少是 1。"), code="plan-least")
    check_games(
        event.discipline, event.counted_by, wanted.table_size, wanted.hands, wanted.final_hands
    )
    game = Game.ZIPAI if event.discipline == Discipline.ZIPAI else Game.CHESS
    try:
        if wanted.preliminary:
            check_rounds(entrants, wanted.preliminary)
        plan_event(wanted.terms(entrants, game))
    except PairingError as error:
        raise DomainError(spoken(error), code=error.code) from error


def _write(stage: Stage, wanted: Format) -> None:
    is_redrawn = wanted.style is PlannedStyle.REDRAW
    has_way = wanted.style in (PlannedStyle.BYES, PlannedStyle.COMPACT)
    stage.table_size, stage.advance = wanted.table_size, wanted.advance
    stage.style = Style.REDRAW if is_redrawn else Style.FIXED
    stage.way = Way(wanted.style.value) if has_way else ""
    stage.first_two, stage.third_table = wanted.first_two, wanted.third_table
    stage.hands, stage.minutes, stage.final_hands = (
        wanted.hands, wanted.minutes, wanted.final_hands,
    )  # fmt: skip
    stage.save(
        update_fields=[
            "table_size", "advance", "style", "way", "first_two", "third_table", "hands",
            "minutes", "final_hands",
        ]
    )  # fmt: skip


def _write_preliminary(stage: Stage, wanted: Format) -> None:
    stages = stage.event.stages
    if not wanted.preliminary:
        stages.filter(kind=StageKind.PRELIM).delete()
        return
    values = {
        "round_count": wanted.preliminary,
        "cut": Cut(wanted.cut.value),
        "hands": wanted.hands,
        "minutes": wanted.minutes,
        "final_hands": wanted.hands,
    }
    taken_over = {name: getattr(stage, name) for name in SHARED}
    stages.update_or_create(
        kind=StageKind.PRELIM,
        defaults=values,
        create_defaults={**values, **taken_over, "advance": 0, "table_size": 3},
    )
