"""The preliminary of an event (C5): who goes on from it, its 加赛 tables, how it is closed.

What ranks its entrants is known to `scoring`, whose `close_preliminary` and `open_tie_breaks` call
the functions here inside their own transactions, after they have checked the rights and locked
event and stage (`hold_stage`).

A table of a preliminary may start when the earlier tables of those who sit there are confirmed:
the reading of C7.1 where no table feeds another. The first hand of the knock-out makes all of the
preliminary's tables final, as all of them feed it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict
from tournament.acting import Acting
from tournament.enums import BEFORE_PLAY, DONE, EntrantStatus, StageKind, State
from tournament.models import Draw, Entrant, Event, Round, Seat, Stage, Table
from tournament.pairing.rotation import cuts, rotation

LEFT = (EntrantStatus.WITHDRAWN, EntrantStatus.DISQUALIFIED, EntrantStatus.ABSENT)


class PreliminaryOpen(Conflict):
    """The preliminary is not closed yet: nobody knows who goes on."""

    code = "preliminary-open"


class PreliminaryClosed(Conflict):
    """The preliminary is closed, or the knock-out hangs on it."""

    code = "preliminary-closed"


def preliminary_of(event: Event) -> Stage | None:
    """The event's preliminary. One query."""
    return Stage.objects.filter(event=event, kind=StageKind.PRELIM).first()


def knockout_of(event: Event) -> Stage:
    """The event's knock-out. One query."""
    return Stage.objects.get(event=event, kind=StageKind.KNOCKOUT)


def stage_now(event: Event) -> Stage:
    """The stage that is drawn and played now: the preliminary until it is closed. One query."""
    stages = {stage.kind: stage for stage in Stage.objects.filter(event=event)}
    preliminary = stages.get(StageKind.PRELIM)
    if preliminary is not None and preliminary.closed_at is None:
        return preliminary
    return stages[StageKind.KNOCKOUT]


def cut_of(preliminary: Stage, knockout: Stage, entrants: int) -> int:
    """How many of so many go on (C5.5): the usual power, or the next where there is one."""
    possible = cuts(entrants, knockout.table_size)
    if possible is None:
        return 0
    return getattr(possible, preliminary.cut) or possible.usual


def ranks_of(event: Event) -> list[int]:
    """The numbers of those who go on, the best first: the pots of C4.6 are cut from them. One
    query."""
    found = Entrant.objects.filter(
        event=event, status=EntrantStatus.IN, prelim_rank__isnull=False, entry__number__isnull=False
    ).order_by("prelim_rank")
    numbers = found.values_list("entry__number", flat=True)
    return [number for number in numbers if number is not None]


def demand_closed(event: Event) -> bool:
    """Whether the event has a preliminary. Raises `PreliminaryOpen` where it is not closed."""
    preliminary = preliminary_of(event)
    if preliminary is None:
        return False
    if preliminary.closed_at is None:
        raise PreliminaryOpen(_("预赛还没有结束，结束后才能抽淘汰赛的签。"))
    return True


def waits_for_own_tables(table: Table) -> str:
    """What a preliminary's table waits for (C7.1), a sentence; "" for nothing, and for a table of
    the knock-out. One query. Needs `table.round`.
    """
    if not table.round.is_prelim:
        return ""
    here = Seat.objects.filter(table=table, entrant__isnull=False, forfeits=False)
    waiting = (
        Table.objects.filter(
            round__stage=table.round.stage_id,
            round__number__lt=table.round.number,
            seats__entrant__in=here.values("entrant"),
        )
        .exclude(state__in=DONE)
        .order_by("round__number", "number")
        .distinct()
    )
    found = list(waiting.values_list("round__number", "number"))
    if not found:
        return ""
    tables = [_("第 %(round)d 轮第 %(n)d 桌") % {"round": r, "n": n} for r, n in found]
    return str(
        _("同桌的人前面还有桌没有确认：%(tables)s。确认后，这一桌才能开打。")
        % {"tables": _("、").join(map(str, tables))}
    )


def later_fillers(seat: Seat) -> list[Seat]:
    """The fillers' seats of later rounds that have the same number of the rotation as this
    filler's and no hand yet: who sits down for him late takes them all. Two queries.

    Needs `table.round`.
    """
    draw = Draw.objects.filter(stage=seat.table.round.stage_id, number__isnull=False).last()
    if draw is None:
        return []
    plan = rotation(draw.plan["entrants"], draw.plan["rounds"]).rounds
    number = plan[seat.table.round.number - 1][seat.table.number - 1][seat.position]
    later = Seat.objects.filter(
        round__stage=draw.stage_id,
        round__number__gt=seat.table.round.number,
        round__is_tie_break=False,
        is_filler=True,
        table__state__in=BEFORE_PLAY,
    ).select_related("table__round")
    return [
        one
        for one in later.order_by("round__number")
        if plan[one.table.round.number - 1][one.table.number - 1][one.position] == number
    ]


def later_pairs(first: Seat, second: Seat) -> list[tuple[Seat, Seat]]:
    """The seats of later rounds of a preliminary that the entrants of these two hold, where no
    hand is in at either's table. One query, none for a knock-out. Needs `table.round`."""
    if not first.table.round.is_prelim:
        return []
    found: dict[int, dict[int, Seat]] = {}
    later = Seat.objects.filter(
        round__stage=first.table.round.stage_id,
        round__number__gt=first.table.round.number,
        round__is_tie_break=False,
        entrant__in=(first.entrant_id, second.entrant_id),
        table__state__in=BEFORE_PLAY,
        forfeits=False,
    ).select_related("table__round")
    for seat in later.order_by("round__number"):
        found.setdefault(seat.round_id, {})[seat.entrant_id or 0] = seat
    return [
        (here[first.entrant_id or 0], here[second.entrant_id or 0])
        for here in found.values()
        if len(here) == 2
    ]


def feeding_tables(event: Event) -> QuerySet[Table]:
    """The preliminary's confirmed tables, which the knock-out's first hand makes final (C7.1)."""
    return Table.objects.filter(
        round__stage__event=event, round__stage__kind=StageKind.PRELIM, state=State.CONFIRMED
    ).order_by("pk")


@transaction.atomic
def declare_ranks(
    *, acting: Acting, stage: Stage, ranks: Mapping[int, int], going_on: Collection[int]
) -> Stage:
    """The preliminary is closed: `ranks` by entrant id stand, `going_on` stay in, all others who
    are in are out. Raises `Conflict` where a table is not confirmed.
    """
    event = stage.event
    open_tables = Table.objects.filter(round__stage=stage).exclude(state__in=DONE)
    if open_tables.exists() and not open_tables.filter(round__is_tie_break=False).exists():
        raise Conflict(
            _("加赛还没有确认。请打完确认；不需要加赛了，就先取消加赛，再结束预赛。"),
            code="tables-open",
        )
    if not stage.rounds.exists() or open_tables.exists():
        raise Conflict(_("预赛还有桌没有确认，全部确认后才能结束预赛。"), code="tables-open")
    _write_ranks(event, ranks, going_on)
    stage.closed_at = timezone.now()
    stage.save(update_fields=["closed_at"])
    audit(
        actor=acting,
        action="preliminary.close",
        scope=f"competition:{event.competition_id}",
        subject=stage,
        data={"going_on": sorted(going_on, key=ranks.__getitem__)},
    )
    bump(event.scope, f"competition:{event.competition_id}")
    return stage


@transaction.atomic
def rewrite_ranks(*, acting: Acting, stage: Stage, ranks: Mapping[int, int]) -> None:
    """New ranks after a correction (C9.1), with the knock-out drawn; who is in stays in."""
    event = stage.event
    _write_ranks(event, ranks, None)
    audit(
        actor=acting,
        action="preliminary.ranks",
        scope=f"competition:{event.competition_id}",
        subject=stage,
    )
    bump(event.scope)


def _write_ranks(event: Event, ranks: Mapping[int, int], going_on: Collection[int] | None) -> None:
    entrants = list(
        Entrant.objects.select_for_update(no_key=True).filter(event=event, pk__in=ranks)
    )
    for entrant in entrants:
        entrant.prelim_rank = ranks[entrant.pk]
        if going_on is not None and entrant.status not in LEFT:
            is_in = entrant.pk in going_on
            entrant.status = EntrantStatus.IN if is_in else EntrantStatus.OUT
    Entrant.objects.bulk_update(entrants, ["prelim_rank", "status"], batch_size=500)


@transaction.atomic
def take_back_ranks(*, acting: Acting, stage: Stage) -> Stage:
    """The preliminary is open again (C9.5): no ranks, nobody out by it.

    Raises `PreliminaryClosed` once the knock-out's list is frozen or drawn, `Conflict` where it
    is not closed.
    """
    event = stage.event
    if stage.closed_at is None:
        raise Conflict(_("预赛没有结束，请刷新后再看。"))
    if has_next(event):
        raise PreliminaryClosed(
            _("淘汰赛的名单已经冻结或抽过签，预赛不能再打开；要改成绩请用更正。")
        )
    entrants = Entrant.objects.filter(event=event, prelim_rank__isnull=False)
    entrants.filter(status=EntrantStatus.OUT).update(status=EntrantStatus.IN)
    entrants.update(prelim_rank=None)
    stage.closed_at = None
    stage.save(update_fields=["closed_at"])
    audit(
        actor=acting,
        action="preliminary.reopen",
        scope=f"competition:{event.competition_id}",
        subject=stage,
    )
    bump(event.scope, f"competition:{event.competition_id}")
    return stage


def let_frozen_go(*, acting: Acting, event: Event) -> None:
    """The knock-out's list that waits for its words falls, as other ranks stand now; whom it had
    marked absent is in again. Nothing happens where none is frozen. The caller holds the event."""
    frozen = Draw.objects.filter(
        stage__event=event, stage__kind=StageKind.KNOCKOUT, number__isnull=True
    ).first()
    if frozen is None:
        return
    audit(
        actor=acting,
        action="draw.unfreeze",
        scope=f"competition:{event.competition_id}",
        subject=frozen,
        data={"list": frozen.list_digest, "secret": frozen.secret_hash, "absent": frozen.absent},
    )
    event.entrants.filter(pk__in=frozen.absent, status=EntrantStatus.ABSENT).update(
        status=EntrantStatus.IN
    )
    frozen.delete()


def has_next(event: Event) -> bool:
    """Whether the knock-out's list is frozen or drawn. One query."""
    return Stage.objects.filter(event=event, kind=StageKind.KNOCKOUT, draws__isnull=False).exists()


@transaction.atomic
def add_tie_breaks(*, acting: Acting, stage: Stage, ties: Sequence[Sequence[Entrant]]) -> Round:
    """A round of 加赛: a table of two or three for each tie, those who are level at it, one hand
    (C8.3). Raises `Conflict` where one waits to be played."""
    event = stage.event
    if stage.rounds.filter(is_tie_break=True).exclude(state__in=DONE).exists():
        raise Conflict(_("上一次加赛还没有打完，请先打完。"))
    highest = stage.rounds.aggregate(highest=Max("number"))["highest"] or 0
    round_ = Round.objects.create(
        stage=stage,
        number=highest + 1,
        state=State.PUBLISHED,
        advance=0,
        hands=1,
        is_tie_break=True,
        published_at=timezone.now(),
    )
    for number, tied in enumerate(ties, 1):
        table = Table.objects.create(
            round=round_, number=number, seat_count=len(tied), state=State.PUBLISHED
        )
        for position, entrant in enumerate(tied):
            Seat.objects.create(table=table, position=position, entrant=entrant)
    audit(
        actor=acting,
        action="preliminary.tie-break",
        scope=f"competition:{event.competition_id}",
        subject=round_,
        data={"tied": [[entrant.pk for entrant in tied] for tied in ties]},
    )
    bump(event.scope)
    return round_


@transaction.atomic
def drop_tie_breaks(*, acting: Acting, round_: Round) -> None:
    """A round of 加赛 that has no hand yet goes again (C9.5). Raises `Conflict`."""
    event, stage = hold_stage(round_.stage)
    round_ = lock(round_)
    if not round_.is_tie_break or round_.tables.exclude(state=State.PUBLISHED).exists():
        raise Conflict(_("加赛已经开打，不能撤销。"))
    audit(
        actor=acting,
        action="preliminary.no-tie-break",
        scope=f"competition:{event.competition_id}",
        subject=stage,
        data={"round": round_.pk},
    )
    round_.delete()
    bump(event.scope)


def hold_stage(stage: Stage) -> tuple[Event, Stage]:
    """Event and stage, locked in this order and fresh."""
    event = lock(Event.objects.get(pk=stage.event_id))
    stage = lock(stage)
    stage.event = event
    return event, stage
