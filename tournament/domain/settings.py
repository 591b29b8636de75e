"""What an event is played under: the engine's rules, and the knock-out's shape (C2, C3, C11)."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict, DomainError
from engine.errors import ZipaiError
from engine.rules import preset
from tournament.acting import Acting
from tournament.domain.best_of import check_games, note_games
from tournament.enums import Discipline, Role, StageKind, State, Style, Way
from tournament.models import Event, Round, Stage
from tournament.pairing.errors import PairingError
from tournament.pairing.plan import Way as PlanWay
from tournament.pairing.plan import ways
from tournament.permissions import demand, organizes
from tournament.validators import is_lateness

PLAY = (
    "hands", "final_hands", "minutes", "confirmation", "dealer", "extra_hands", "lateness",
)  # fmt: skip
LENGTH = ("hands", "final_hands", "minutes")


class RulesFrozen(Conflict):
    """C11: the first hand is in; rules change only by the chief referee's rejudge."""

    code = "rules-frozen"


class PlanFixed(Conflict):
    """The list is frozen or drawn: the plan's terms stand."""

    code = "plan-fixed"


def spoken(error: ZipaiError | PairingError) -> str:
    """The sentence of an error that carries both languages, in the one in use."""
    return error.zh if (get_language() or "zh").startswith("zh") else error.en


@transaction.atomic
def set_rules(
    *, acting: Acting, event: Event, preset_id: str, options: Mapping[str, object]
) -> Event:
    """The event's preset with these options changed; the digest follows (C11).

    Raises `NotAllowed`, `RulesFrozen` once its first hand is in, `DomainError` (`bad-option`,
    `unknown-rules`) for what the engine does not know, `Conflict` for another game (C10).
    """
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    event = lock(event)
    if event.discipline == Discipline.MANUAL:
        raise Conflict(_("这个项目不是字牌，没有字牌的规则。"), code="no-rules")
    if event.is_frozen:
        raise RulesFrozen(_("第一局已经记分，规则不能再改；要改只能由裁判长重判。"))
    try:
        rules = preset(preset_id).with_options(options)
    except ZipaiError as error:
        raise DomainError(spoken(error), code=error.code) from error
    event.preset, event.options, event.rules_digest = preset_id, rules.as_json(), rules.digest
    event.save(update_fields=["preset", "options", "rules_digest"])
    audit(
        actor=acting,
        action="event.rules",
        scope=acting.scope,
        subject=event,
        data={"preset": preset_id, "digest": rules.digest},
    )
    bump(event.scope)
    return event


@transaction.atomic
def set_plan(
    *, acting: Acting, stage: Stage, table_size: int, advance: int, way: Way | None, entrants: int
) -> Stage:
    """Chooses `fixed`, its p, a and the way to a clean field (C3.1); `way` None is the default.

    `entrants` is the number the choice was made for. Raises `NotAllowed`, `PlanFixed` once the
    list is frozen or drawn, `DomainError` (`plan-size`, `plan-way`, `event-games`).
    """
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    stage = lock(stage)
    if stage.draws.filter(number__isnull=True).exists() or stage.rounds.exists():
        raise PlanFixed(_("名单已经冻结或抽过签，编排办法不能改。要改请先取消冻结或重新抽签。"))
    try:
        possible = ways(max(entrants, 2), table_size, advance)
    except PairingError as error:
        raise DomainError(spoken(error), code=error.code) from error
    if way is not None and PlanWay(way) not in possible:
        raise DomainError(_("这个人数没有这种凑整办法，请选另一种。"), code="plan-way")
    event = stage.event
    check_games(event.discipline, event.counted_by, table_size, stage.hands, stage.final_hands)
    stage.table_size, stage.advance, stage.way = table_size, advance, way or ""
    stage.style, stage.first_two = Style.FIXED, False
    stage.third_table = stage.third_table and table_size == 2
    stage.save(update_fields=["table_size", "advance", "way", "style", "first_two", "third_table"])
    audit(
        actor=acting,
        action="stage.plan",
        scope=acting.scope,
        subject=stage,
        data={"table_size": table_size, "advance": advance, "way": stage.way},
    )
    bump(event.scope)
    return stage


@transaction.atomic
def set_play(*, acting: Acting, stage: Stage, values: Mapping[str, object]) -> Stage:
    """How long a table plays, who confirms, who deals, whether 加赛 is played (`PLAY`).

    A preliminary goes by the same. Lengths stand from the moment a draw is published, the rest from
    the first hand. Raises `NotAllowed`, `Conflict`, `DomainError` (`bad-lateness`, `event-games`).
    """
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    if "lateness" in values and not is_lateness(values["lateness"]):
        raise DomainError(
            _("迟到扣罚：分钟要一步比一步多（1 到 240），扣罚是 0 到 99 舵，至少一步。"),
            code="bad-lateness",
        )
    event = lock(stage.event)
    stage = lock(stage)
    changed = [key for key in PLAY if key in values and getattr(stage, key) != values[key]]
    if event.is_frozen and changed:
        raise RulesFrozen(_("第一局已经记分，这些设置不能再改。"))
    rounds = Round.objects.filter(stage__event=event)
    is_out = rounds.exclude(state__in=[State.PLANNED, State.DRAWN]).exists()
    if is_out and set(changed) & set(LENGTH):
        raise Conflict(_("抽签已经公布，局数和时间不能再改。"))
    for key in changed:
        setattr(stage, key, values[key])
    if set(changed) & set(LENGTH):
        check_games(
            event.discipline, event.counted_by, stage.table_size, stage.hands, stage.final_hands
        )
    stage.save(update_fields=changed)
    if stage.kind == StageKind.KNOCKOUT:
        note_games(event, stage.hands)
    _tell_preliminary(stage, changed)
    stage.rounds.filter(is_last=False).update(hands=stage.hands, minutes=stage.minutes)
    stage.rounds.filter(is_last=True).update(hands=stage.final_hands, minutes=stage.minutes)
    audit(
        actor=acting,
        action="stage.play",
        scope=acting.scope,
        subject=stage,
        data={key: values[key] for key in changed},
    )
    bump(event.scope)
    return stage


def _tell_preliminary(stage: Stage, changed: list[str]) -> None:
    """The event's preliminary is played like its knock-out, `final_hands` aside."""
    preliminary = Stage.objects.filter(event=stage.event_id, kind=StageKind.PRELIM)
    values = {key: getattr(stage, key) for key in changed if key != "final_hands"}
    if stage.kind == StageKind.KNOCKOUT and values:
        preliminary.update(**values)
        Round.objects.filter(stage__in=preliminary, is_tie_break=False).update(
            hands=stage.hands, minutes=stage.minutes
        )
