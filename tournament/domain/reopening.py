"""Tables that were closed are open again: taken back, or played once more (C9.1, C9.5).

Called by `scoring`, which holds the sheets, inside its own transactions and after it has checked
the rights. Locks go competition → event → round → table, as in `tournament.domain.tables`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict
from tournament.acting import Acting
from tournament.domain.fields import is_next_begun, is_redrawn, take_back_field
from tournament.domain.leaving import GONE
from tournament.domain.results import Effects
from tournament.domain.starting import before_redraw
from tournament.domain.tables import lock_table
from tournament.enums import BEFORE_PLAY, DONE, EntrantStatus, Role, State, Style
from tournament.models import Competition, Entrant, Event, Round, Seat, Table
from tournament.permissions import demand, is_chief


@dataclass(frozen=True)
class Reopened:
    """What became of a replay: the tables whose play is `void`, each with the state it had, and
    those that are `not_final` any more, as nothing that follows them has a hand."""

    void: tuple[tuple[Table, State], ...]
    not_final: tuple[Table, ...]


class CannotReopen(Conflict):
    """C9.5: something depends on the table already."""

    code = "table-depends"


def dependents(effects: Effects) -> list[Table]:
    """The tables with a hand that hang on the seats which would change, and all that have been
    played after them, by round and number. Two queries a round."""
    found: dict[int, Table] = {}
    wave = {move.feed.table_id for move in effects.moves if move.feed.has_begun}
    while wave:
        begun = Table.objects.filter(pk__in=wave).exclude(state__in=BEFORE_PLAY)
        tables = list(begun.select_related("round"))
        found |= {table.pk: table for table in tables}
        wave = set(_fed([table.pk for table in tables]).values_list("table_id", flat=True))
        wave -= found.keys()
    return sorted(found.values(), key=lambda table: (table.round.number, table.number))


def _fed(ids: Iterable[int]) -> QuerySet[Seat]:
    """The seats of later rounds that somebody got by what was played at these tables: in `redraw`
    those of who went on from there."""
    here = Seat.objects.filter(table__in=list(ids), advances=True, entrant__isnull=False)
    after = Seat.objects.filter(source=None, round__stage__style=Style.REDRAW)
    redrawn = Q(pk__in=())
    for stage, number, entrant in here.values_list("round__stage", "round__number", "entrant"):
        held = Q(stands_for=entrant) | Q(entrant=entrant, stands_for=None, gap_filled=False)
        redrawn |= Q(round__stage=stage, round__number=number + 1) & held
    return Seat.objects.filter(
        Q(source__in=list(ids)) | Q(pk__in=after.filter(redrawn).values("pk"))
    )


@transaction.atomic
def void_dependents(*, acting: Acting, table: Table, effects: Effects, reason: str) -> Reopened:
    """“Replay from here” (C9.1): the tables of `dependents` stand as before their first hand.

    The seats that they fill are empty again, who was eliminated there is in, the tables that
    only their first hands had made final are confirmed; a competition that was over is not.
    The seats of `table` itself are left to `correct_table`.
    """
    table = lock_table(table)
    void = [(lock(one), State(one.state)) for one in dependents(effects)]
    ids = [one.pk for one, _state in void]
    _clear_seats(ids)
    Table.objects.filter(pk__in=ids).update(
        state=State.PUBLISHED, started_at=None, called_at=None, confirmed_at=None, final_at=None
    )
    not_final = _take_finality(ids)
    event = table.round.stage.event
    was_over = Round.objects.filter(tables__in=ids, is_last=True, state=State.FINAL).exists()
    _settle_rounds({one.round_id for one, _state in void} | {one.round_id for one in not_final})
    scopes = [event.scope]
    if was_over:
        Competition.objects.filter(pk=event.competition_id).update(ended_at=None)
        scopes.append(f"competition:{event.competition_id}")
    for one, was in void:
        audit(
            actor=acting,
            action="table.replay",
            scope=f"competition:{event.competition_id}",
            subject=one,
            data={"because_of": table.pk, "was": str(was)},
            said={"reason": reason},
        )
    bump(*scopes)
    return Reopened(tuple(void), tuple(not_final))


def _clear_seats(ids: list[int]) -> None:
    """The seats at these tables have no outcome, those that they fill nobody; who stood in there
    is out as before, who was eliminated here is in, and a filler plays for who has left since."""
    fed = Seat.objects.filter(pk__in=list(_fed(ids).values_list("pk", flat=True)))
    put_there = Q(stands_for__isnull=False) | Q(gap_filled=True)
    stand_ins = fed.filter(put_there, entrant__isnull=False)
    Entrant.objects.filter(
        pk__in=list(stand_ins.values_list("entrant", flat=True)), status=EntrantStatus.IN
    ).update(status=EntrantStatus.OUT)
    fed.update(
        entrant=None, is_filler=False, stands_for=None, stood_in=[], gap_filled=False,
        forfeits=False, sat_in_from=None,
    )  # fmt: skip
    here = Seat.objects.filter(table__in=ids)
    here.update(place=None, advances=None, points=None)
    here.filter(entrant__status__in=GONE).update(forfeits=True, sat_in_from=1)
    Entrant.objects.filter(
        pk__in=list(here.filter(entrant__isnull=False).values_list("entrant", flat=True)),
        status=EntrantStatus.OUT,
    ).update(status=EntrantStatus.IN)


def _take_finality(ids: Iterable[int]) -> list[Table]:
    """Final tables that feed these, and nothing with a hand, are confirmed again."""
    begun = ~Q(table__state__in=BEFORE_PLAY)
    feeders = Table.objects.filter(feeds__table__in=list(ids), state=State.FINAL).exclude(
        pk__in=Seat.objects.filter(begun, source__isnull=False).values("source")
    )
    found = list(feeders.distinct().order_by("pk"))
    for round_ in Round.objects.filter(tables__in=list(ids)).select_related("stage").distinct():
        if not round_.tables.exclude(state__in=BEFORE_PLAY).exists():
            found += [one for one in before_redraw(round_) if one.state == State.FINAL]
    Table.objects.filter(pk__in=[one.pk for one in found]).update(
        state=State.CONFIRMED, final_at=None
    )
    return found


def _settle_rounds(ids: Iterable[int]) -> None:
    """The rounds' states follow from those of their tables."""
    found: dict[int, set[str]] = {pk: set() for pk in ids}
    for pk, state in Table.objects.filter(round__in=found).values_list("round", "state"):
        found[pk].add(state)
    for round_ in Round.objects.filter(pk__in=found).order_by("pk"):
        states = found[round_.pk]
        if states <= {State.FINAL}:
            continue
        round_.final_at = None
        if states <= set(DONE):
            round_.state = State.CONFIRMED
        else:
            round_.confirmed_at = None
            round_.state = State.PUBLISHED if states <= set(BEFORE_PLAY) else State.RUNNING
        round_.save(update_fields=["state", "confirmed_at", "final_at"])


def sitting_after(table: Table) -> list[Seat]:
    """The seats of the next round that hold somebody by this table's outcome. One query."""
    found = Seat.objects.filter(source=table, entrant__isnull=False)
    return list(
        found.select_related(
            "entrant__entry__person", "entrant__partner__person", "table__round"
        ).order_by("source_place")
    )


@transaction.atomic
def reopen_table(*, acting: Acting, table: Table) -> tuple[Table, ...]:
    """The confirmed table runs again, as before it was finished (C9.5): no places, nobody out by
    it, nobody seated by it. One from which somebody went on without play has not begun.

    Returns the tables that are not final any more, as nothing has been played on them. Raises
    `Conflict` unless it is confirmed, `CannotReopen` where the next table has a hand or its seat
    has been given to somebody else.
    """
    table = lock_table(table)
    if table.state != State.CONFIRMED:
        raise Conflict(_("只有已确认、还没有定局的桌可以重新打开，请刷新后再看。"))
    _check_free(table)
    if is_redrawn(table.round):
        take_back_field(table.round)
    Seat.objects.filter(source=table).update(entrant=None)
    here = Entrant.objects.filter(seats__table=table, status=EntrantStatus.OUT)
    here.update(status=EntrantStatus.IN)
    table.seats.update(place=None, advances=None, points=None)
    table.confirmed_at = None
    table.state = State.RUNNING if table.started_at else State.PUBLISHED
    table.save(update_fields=["state", "confirmed_at"])
    not_final = () if table.started_at else tuple(_take_finality([table.pk]))
    _settle_rounds({table.round_id, *(one.round_id for one in not_final)})
    event = table.round.stage.event
    audit(
        actor=acting,
        action="table.reopen",
        scope=f"competition:{event.competition_id}",
        subject=table,
    )
    bump(event.scope)
    return not_final


def _check_free_prelim(table: Table) -> None:
    """Nothing hangs on a preliminary's table before those who sat there play on."""
    stage = table.round.stage
    if stage.closed_at is not None:
        raise CannotReopen(_("预赛已经结束，这一桌不能再打开。请用更正，或先重新打开预赛。"))
    if not table.round.is_tie_break and stage.rounds.filter(is_tie_break=True).exists():
        raise CannotReopen(_("加赛已经排好，这一桌不能再打开。请用更正，或先撤销加赛。"))
    here = table.seats.filter(entrant__isnull=False).values("entrant")
    later = Seat.objects.filter(
        round__stage=stage, round__number__gt=table.round.number, entrant__in=here
    )
    if later.exclude(table__state__in=BEFORE_PLAY).exists():
        raise CannotReopen(_("同桌的人后面一轮已经开打，这一桌不能再打开。请用更正。"))


def _check_free(table: Table) -> None:
    if table.round.is_prelim:
        _check_free_prelim(table)
        return
    if is_redrawn(table.round) and is_next_begun(table.round):
        raise CannotReopen(_("下一轮的名单已经冻结或抽签，这一桌不能再打开。请用更正。"))
    fed = list(Seat.objects.filter(source=table).select_related("table"))
    if any(seat.table.state not in BEFORE_PLAY for seat in fed):
        raise CannotReopen(_("下一轮那一桌已经开打，这一桌不能再打开。请用更正。"))
    places = dict(
        table.seats.filter(entrant__isnull=False, forfeits=False).values_list("place", "entrant")
    )
    here = table.seats.filter(entrant__isnull=False).values("entrant")
    elsewhere = (
        Seat.objects.filter(round__stage=table.round.stage_id, entrant__in=here)
        .filter(round__number__gt=table.round.number)
        .exclude(source=table)
    )
    changed = any(
        seat.gap_filled or seat.entrant_id != places.get(seat.source_place or 0) for seat in fed
    )
    if changed or elsewhere.exists():
        raise CannotReopen(_("这一桌的人在下一轮已经另行安排，不能再打开。请用更正。"))


@transaction.atomic
def unfinalize_round(*, acting: Acting, round_: Round) -> tuple[Table, ...]:
    """The chief referee takes back that the last round is final (C9.5); its time until then
    begins anew. Returns its tables.

    Raises `NotAllowed`, `Conflict` unless the round is the last and final.
    """
    demand(is_chief(acting), Role.CHIEF)
    event = Event.objects.get(stages__rounds=round_.pk)
    competition = lock(Competition.objects.get(pk=event.competition_id))
    event = lock(event)
    round_ = lock(round_)
    if not round_.is_last or round_.state != State.FINAL:
        raise Conflict(_("只有已经定局的最后一轮可以收回定局，请刷新后再看。"))
    tables = tuple(round_.tables.order_by("pk"))
    round_.tables.update(state=State.CONFIRMED, final_at=None)
    round_.state, round_.confirmed_at, round_.final_at = State.CONFIRMED, timezone.now(), None
    round_.save(update_fields=["state", "confirmed_at", "final_at"])
    competition.ended_at = None
    competition.save(update_fields=["ended_at"])
    audit(actor=acting, action="round.unfinal", scope=competition.scope, subject=round_)
    bump(event.scope, competition.scope)
    return tables
