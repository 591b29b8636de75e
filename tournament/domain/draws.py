"""The draw of a stage: frozen, drawn by the words from the hall, published (C4, C7.3)."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict, DomainError
from tournament.acting import Acting
from tournament.domain.bracket import add_third_redrawn, build_rounds, clear_rounds
from tournament.domain.fields import going_from, losers_for_third
from tournament.domain.playing import check_pairs
from tournament.domain.preliminary import demand_closed, preliminary_of, ranks_of
from tournament.domain.settings import spoken
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
from tournament.models import ApartGroup, Draw, Entrant, Event, Round, Stage, Table
from tournament.pairing.document import FORMAT, VERSION, Document
from tournament.pairing.document import draw as draw_words
from tournament.pairing.errors import PairingError
from tournament.pairing.freeze import Freeze, Line, freeze, name_hash, new_secret
from tournament.pairing.kinds import Fixed, Kind, Pots, Preliminary, Redraw, terms_of
from tournament.pairing.plan import Way as PlanWay
from tournament.pairing.redraw import FIRST_ONLY
from tournament.permissions import Action, Met, demand, organizes, require

MOST_WORDS = 200


@transaction.atomic
def freeze_draw(
    *, acting: Acting, stage: Stage, reason: str = "", marks_absent: bool = False
) -> Draw:
    """Freezes the entry list and the plan's terms; what may be shown now is `list_digest`,
    `plan["terms_digest"]` and `secret_hash` (C4.1).

    With `marks_absent` who has not checked in is absent and not drawn; letting the freeze go
    takes that back. Another draw needs a `reason` (C4.2). Raises what `require` does, `Conflict`
    where a list is frozen already, somebody lacks his partner or has a penalty at a table of the
    draw before, `DomainError` where no plan fits the entrants.
    """
    stage = _locked(stage)
    number = round_to_draw(stage)
    again = is_again(stage)
    require(acting, Action.DRAW, met_stage(stage, reason=reason))
    if stage.draws.filter(number__isnull=True).exists():
        raise Conflict(_("名单已经冻结，等待现场的话。"), code="frozen-already")
    if again and not reason.strip():
        raise DomainError(_("重新抽签要写明原因。"), code="reason-needed")
    _check_kept(stage, number)
    event = stage.event
    if stage.kind == StageKind.KNOCKOUT:
        demand_closed(event)
    check_pairs(event)
    absent = _mark_absent(event) if marks_absent and number == 1 else []
    entrants = list(field_to_draw(stage, number))
    salt = new_secret()
    lines = [Line(e.entry.number or 0, e.unit, e.seed, name_hash(salt, e.name)) for e in entrants]
    groups = [numbers for _name, numbers in apart_groups(event, {line.number for line in lines})]
    frozen = _frozen(lines, _terms(stage, number, entrants), groups)
    draw = Draw.objects.create(
        stage=stage,
        lines="".join(f"{line.text()}\n" for line in frozen.lines),
        salt=salt.hex(),
        list_digest=frozen.list_digest.hex(),
        secret=frozen.secret.hex(),
        secret_hash=frozen.secret_digest.hex(),
        plan={
            **frozen.plan_terms,
            "apart": [list(group) for group in frozen.apart],
            "terms_digest": frozen.terms_digest.hex(),
        },
        absent=absent,
        reason=reason.strip(),
        round_number=number,
    )
    audit(
        actor=acting,
        action="draw.freeze",
        scope=acting.scope,
        subject=draw,
        data={
            "list": draw.list_digest,
            "secret": draw.secret_hash,
            "entrants": len(lines),
            "absent": absent,
        },
    )
    bump(event.scope)
    return draw


@transaction.atomic
def cancel_freeze(*, acting: Acting, draw: Draw) -> None:
    """Lets a frozen list go before the words are in (C9.5); its digests stay in the audit rows.

    Whom the freeze marked absent is in again. Raises `NotAllowed`, `Conflict` where it has been
    drawn.
    """
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    stage = _locked(draw.stage)
    if not Draw.objects.filter(pk=draw.pk, number__isnull=True).exists():
        raise Conflict(_("已经抽签，不能取消冻结；需要时请重新抽签并写明原因。"))
    audit(
        actor=acting,
        action="draw.unfreeze",
        scope=acting.scope,
        subject=draw,
        data={"list": draw.list_digest, "secret": draw.secret_hash, "absent": draw.absent},
    )
    stage.event.entrants.filter(pk__in=draw.absent, status=EntrantStatus.ABSENT).update(
        status=EntrantStatus.IN
    )
    draw.delete()
    bump(stage.event.scope)


@transaction.atomic
def enter_words(*, acting: Acting, draw: Draw, words: str) -> Draw:
    """The words from the hall are the draw (C4.2): it gets its number, and the rounds, tables
    and seats of the whole plan come about, not yet published. An earlier draw's go.

    `words` count exactly as given, up to 200 letters in one line. Raises what `require` does,
    `Conflict` where another was faster or a table of the earlier draw has a penalty, `DomainError`
    for empty words.
    """
    if not words.strip() or "\n" in words or len(words) > MOST_WORDS:
        raise DomainError(_("请写下现场掷出或喊出的话，一行，不超过 200 个字。"), code="words")
    stage = _locked(draw.stage)
    draw = lock(draw)
    if draw.is_drawn:
        raise Conflict(_("这一次已经抽过签了。"), code="drawn-already")
    require(acting, Action.DRAW, met_stage(stage, reason=draw.reason))
    number = draw.round_number
    if number < round_to_draw(stage):
        raise Conflict(
            _("这份名单是为已经打完的一轮冻结的。请取消冻结，再为下一轮冻结名单。"),
            code="list-passed",
        )
    if number != round_to_draw(stage):
        raise Conflict(_("上一轮还没有全部确认，现在不能抽下一轮。"), code="round-open")
    _check_kept(stage, number)
    of_round = stage.draws.filter(round_number=number)
    highest = of_round.aggregate(highest=Max("number"))["highest"] or 0
    draw.number, draw.words, draw.drawn_at = highest + 1, words, timezone.now()
    try:
        drawn = draw_words(_thawed(draw), words, _about(draw, stage))
    except PairingError as error:
        raise DomainError(spoken(error), code=error.code) from error
    document = drawn.document
    draw.seed, draw.log, draw.result = str(document["seed"]), document["log"], document["result"]
    draw.plan = {**draw.plan, "about": document["about"], "digest": document["digest"]}
    draw.save()
    clear_rounds(stage, number)
    by_number = {e.entry.number: e for e in field_to_draw(stage, number)}
    rounds = build_rounds(stage, drawn.deal, by_number)
    if number > 1 and rounds[-1].is_last:
        before = stage.rounds.get(number=number - 1)
        add_third_redrawn(rounds[-1], losers_for_third(before, going_from(before)))
    stage.way = draw.plan.get("way", "")
    stage.save(update_fields=["way"])
    audit(
        actor=acting,
        action="draw.draw",
        scope=acting.scope,
        subject=draw,
        data={"number": draw.number, "seed": draw.seed, "digest": draw.plan["digest"]},
    )
    bump(stage.event.scope)
    return draw


@transaction.atomic
def publish_draw(*, acting: Acting, stage: Stage) -> Draw:
    """Shows the newest draw's tables to everyone: rounds and tables become published.

    Raises what `require` does, `Conflict` where nothing is drawn.
    """
    stage = _locked(stage)
    require(acting, Action.PUBLISH, met_stage(stage))
    draw = stage.draws.filter(number__isnull=False).order_by("-round_number", "-number").first()
    drafts = stage.rounds.filter(state=State.DRAWN)
    if draw is None or not drafts.exists():
        raise Conflict(_("签表已经公布，请刷新后再看。"), code="published-already")
    now = timezone.now()
    ids = list(drafts.values_list("pk", flat=True))
    stage.rounds.filter(pk__in=ids).update(state=State.PUBLISHED, published_at=now)
    for round_ in stage.rounds.filter(pk__in=ids):
        round_.tables.filter(state=State.DRAWN).update(state=State.PUBLISHED)
    draw.published_at = now
    draw.save(update_fields=["published_at"])
    audit(
        actor=acting,
        action="draw.publish",
        scope=acting.scope,
        subject=draw,
        data={"number": draw.number},
    )
    bump(stage.event.scope, acting.scope)
    return draw


def document_of(draw: Draw) -> Document:
    """The JSON of a draw whose words are in, as anyone may verify it (C4.5)."""
    plan = dict(draw.plan)
    apart, terms_digest = plan.pop("apart"), plan.pop("terms_digest")
    about, digest = plan.pop("about"), plan.pop("digest")
    return {
        "format": FORMAT,
        "version": VERSION,
        "about": about,
        "list": draw.lines.splitlines(),
        "apart": apart,
        "plan": plan,
        "list_digest": draw.list_digest,
        "terms_digest": terms_digest,
        "secret_digest": draw.secret_hash,
        "secret": draw.secret,
        "words": draw.words,
        "seed": draw.seed,
        "log": draw.log,
        "result": draw.result,
        "digest": digest,
    }


def met_stage(stage: Stage, *, reason: str = "") -> Met:
    """What an action on a stage's draw meets: the state of the first round that the draw makes,
    whether a hand is in there or later."""
    number = round_to_draw(stage)
    first = stage.rounds.filter(number=number).first()
    tables = Table.objects.filter(round__stage=stage, round__number__gte=number)
    has_hands = tables.exclude(state__in=BEFORE_PLAY).exists()
    return Met(
        state=State(first.state) if first else State.PLANNED, has_hands=has_hands, reason=reason
    )


def round_to_draw(stage: Stage) -> int:
    """From which round on the next draw is: in `redraw` the one after a round that is wholly
    confirmed, else the newest; everywhere else 1. One query."""
    newest = None
    if stage.style == Style.REDRAW and stage.kind == StageKind.KNOCKOUT:
        newest = Round.objects.filter(stage=stage).order_by("-number").first()
    if newest is None:
        return 1
    return newest.number + (newest.state in DONE and not newest.is_last)


def is_again(stage: Stage) -> bool:
    """Whether the next draw repeats one whose words are in, so that it needs a reason (C4.2)."""
    drawn = stage.draws.filter(number__isnull=False, round_number=round_to_draw(stage))
    return drawn.exists()


def field_to_draw(stage: Stage, number: int) -> QuerySet[Entrant]:
    """Who is drawn for round `number`: everybody for the first, in `redraw` then who has gone on
    and is still in; in order of number."""
    everybody = to_draw(stage.event)
    if number == 1:
        return everybody
    before = Round.objects.get(stage=stage, number=number - 1)
    return everybody.filter(pk__in=going_from(before))


def _locked(stage: Stage) -> Stage:
    event = lock(Event.objects.get(pk=stage.event_id))
    stage = lock(stage)
    stage.event = event
    return stage


def to_draw(event: Event) -> QuerySet[Entrant]:
    """Who would be drawn: in the event, confirmed, in order of number."""
    return (
        event.entrants.filter(status=EntrantStatus.IN, entry__status=EntryStatus.CONFIRMED)
        .select_related("entry__person", "partner__person")
        .order_by("entry__number")
    )


def not_here(event: Event) -> QuerySet[Entrant]:
    """Who would be drawn and has not checked in; a pair is here when both have."""
    missing = Q(partner__isnull=False, partner__checked_in_at=None)
    return to_draw(event).filter(Q(entry__checked_in_at=None) | missing)


def _mark_absent(event: Event) -> list[int]:
    """Those become absent; their ids."""
    ids = list(not_here(event).values_list("pk", flat=True))
    event.entrants.filter(pk__in=ids).update(status=EntrantStatus.ABSENT)
    return ids


def apart_groups(event: Event, numbers: set[int]) -> list[tuple[str, list[int]]]:
    """Further apart groups (C1.4): name, and numbers of those who are drawn, two at least."""
    groups = ApartGroup.objects.filter(competition=event.competition_id).prefetch_related("entries")
    found = [
        (group.name, sorted(e.number for e in group.entries.all() if e.number in numbers))
        for group in groups.order_by("id")
    ]
    return [(name, members) for name, members in found if len(members) > 1]


def _terms(stage: Stage, number: int, entrants: list[Entrant]) -> Kind:
    """The kind of plan that the stage is drawn by from round `number` on, with its terms."""
    if stage.kind == StageKind.PRELIM:
        steady = [e.entry.number or 0 for e in entrants if e.entry.needs_fixed_table]
        return Preliminary(stage.round_count or 1, tuple(steady))
    if stage.style == Style.REDRAW:
        advance = FIRST_ONLY[1] if stage.first_two and number == 1 else stage.advance
        is_ranked = number == 1 and preliminary_of(stage.event) is not None
        ranks = tuple(ranks_of(stage.event)) if is_ranked else ()
        return Redraw(stage.table_size, advance, number, ranks)
    way = PlanWay(stage.way) if stage.way else None
    if preliminary_of(stage.event) is not None:
        return Pots(stage.table_size, stage.advance, way, tuple(ranks_of(stage.event)))
    return Fixed(stage.table_size, stage.advance, way)


def _frozen(lines: list[Line], terms: Kind, apart: list[list[int]]) -> Freeze[Kind]:
    try:
        return freeze(lines, terms, secret=new_secret(), apart=apart)
    except PairingError as error:
        raise DomainError(spoken(error), code=error.code) from error


def _thawed(draw: Draw) -> Freeze[Kind]:
    """The freeze as it was, from the draw's own row."""
    return freeze(
        [Line.parse(text) for text in draw.lines.splitlines()],
        terms_of(draw.plan),
        secret=bytes.fromhex(draw.secret),
        apart=draw.plan["apart"],
    )


def _check_kept(stage: Stage, number: int) -> None:
    """C7.3 lets penalize from the draw on, before a hand: what was so given would go with its table
    and nobody would know (C9.5: it is taken back by who may)."""
    kept: Callable[[QuerySet[Table]], QuerySet[Table]] = import_string(settings.TABLES_KEPT)
    tables = Table.objects.filter(round__stage=stage, round__number__gte=number)
    numbers = list(
        kept(tables).order_by("round__number", "number").values_list("number", flat=True)
    )
    if numbers:
        raise Conflict(
            _(
                "第 %(numbers)s 桌有判罚，重新抽签会把它一起去掉。"
                "请先在那里的记分表上撤销；还要罚的，抽签以后在新的一桌再罚。"
            )
            % {"numbers": _("、").join(map(str, numbers))},
            code="draw-penalized",
        )


def _about(draw: Draw, stage: Stage) -> dict[str, str | int]:
    """What the document says of itself: shown, not computed."""
    event = stage.event
    about: dict[str, str | int] = {
        "competition": event.competition.name,
        "event": event.name,
        "draw": draw.number or 0,
        "frozen_at": draw.frozen_at.isoformat(timespec="seconds"),
        "drawn_at": draw.drawn_at.isoformat(timespec="seconds") if draw.drawn_at else "",
    }
    return {**about, "reason": draw.reason} if draw.reason else about
