"""A table's way from its first hand to its end, and what that does to the tables after it (C7).

Called by `scoring` inside its own transactions, after it has checked the rights (C7.3). Locks go
event → round → table; a caller that also locks a sheet calls `lock_table` first and the functions
here last, as they end by bumping the event's version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actors import SYSTEM, Actor
from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict
from tournament.acting import Acting
from tournament.domain.handing_on import BEFORE_PLAY as BEFORE_PLAY
from tournament.domain.handing_on import fed_by, hand_on, sittings_of, stood_in_at
from tournament.domain.preliminary import feeding_tables, waits_for_own_tables
from tournament.domain.results import (
    Effects,
    Feed,
    Move,
    SeatResult,
    check_results,
    effects,
    winners,
)
from tournament.domain.seals import plan_seal
from tournament.enums import Role, StageKind, State, Style
from tournament.models import Competition, Entrant, Event, Round, Seat, Table
from tournament.permissions import demand, is_chief

DONE = (State.CONFIRMED, State.FINAL)


@dataclass(frozen=True)
class Started:
    """A table with its first hand, and the tables that this made final: their sheets are too."""

    table: Table
    finals: tuple[Table, ...]


@dataclass(frozen=True)
class Finished:
    """A confirmed table, the seats of the next round that are known now, the champion if any."""

    table: Table
    filled: tuple[Seat, ...]
    champion: Entrant | None


class NotReady(Conflict):
    """C7.1, C7.4: the table cannot start; the message says what it waits for."""

    code = "table-not-ready"


class Depends(Conflict):
    """C9.1: who advanced would change, and the next table has a hand. `effects` says what."""

    code = "table-depends"

    def __init__(self, found: Effects) -> None:
        super().__init__(
            _(
                "这次更正会改变晋级的人，而下一轮那一桌已经开打。请裁判长决定：维持已打的结果，或重打。"
            )
        )
        self.effects = found


def lock_table(table: Table) -> Table:
    """The table as it is now, with event and round locked before it, all three fresh."""
    event = lock(Event.objects.get(stages__rounds=table.round_id))
    round_ = lock(Round.objects.get(pk=table.round_id))
    fresh = lock(table)
    round_.stage.event = event
    fresh.round = round_
    return fresh


@transaction.atomic
def start_table(*, acting: Actor, table: Table, without_play: bool = False) -> Started:
    """The table's first hand: it runs, its feeding tables become final (C7.1), the event's rules
    are frozen (C11). A table that runs already is left as it is.

    `without_play` is for a table that has nobody to play against: seats may be empty, and it has
    no time of its start. Raises `NotReady` where the round is not published, a feeding table is
    not confirmed, or a seat is empty.
    """
    table = lock_table(table)
    if table.state == State.RUNNING:
        return Started(table, ())
    seats = list(table.seats.select_related("source"))
    wait = waits_for_tables(seats) if without_play else waits_for(seats)
    wait = wait or waits_for_round(table.round) or waits_for_own_tables(table)
    _check_ready(table, wait)
    now = timezone.now()
    table.state, table.started_at = State.RUNNING, None if without_play else now
    table.save(update_fields=["state", "started_at"])
    round_, event = table.round, table.round.stage.event
    if round_.state == State.PUBLISHED:
        round_.state = State.RUNNING
        round_.save(update_fields=["state"])
    if event.frozen_at is None and not without_play:
        event.frozen_at = now
        event.save(update_fields=["frozen_at"])
    feeders = {seat.source for seat in seats if seat.source is not None}
    feeders |= set(before_redraw(round_))
    if not round_.is_prelim:
        feeders |= set(feeding_tables(event))
    finals = _finalize(sorted(feeders, key=lambda feeder: feeder.pk), now)
    audit(
        actor=acting,
        action="table.unplayed" if without_play else "table.start",
        scope=_scope(event),
        subject=table,
        data={"final": [final.pk for final in finals]},
    )
    bump(event.scope)
    return Started(table, finals)


@transaction.atomic
def finish_table(*, acting: Actor, table: Table, results: Sequence[SeatResult]) -> Finished:
    """The running table is confirmed: places stand, who does not advance is out, the winners
    sit down in the next round; after the last table there is a champion.

    Raises `Conflict` unless the table runs, `BadResults` where the results do not fit it.
    """
    table = lock_table(table)
    if table.state != State.RUNNING:
        raise Conflict(
            _("这一桌现在是“%(state)s”，不能确认。请刷新后再看。")
            % {"state": State(table.state).label}
        )
    seats = _seats(table)
    sittings = sittings_of(seats)
    check_results(sittings, results, table.advance)
    now = timezone.now()
    _write(seats, results)
    table.state, table.confirmed_at = State.CONFIRMED, now
    table.save(update_fields=["state", "confirmed_at"])
    going_on = winners(sittings, results)
    filled = () if table.round.is_prelim else hand_on(table, seats, results)
    _confirm_round(table.round, now)
    event = table.round.stage.event
    champion = _entrant(going_on.get(1)) if table.round.is_last else None
    audit(
        actor=acting,
        action="table.confirm",
        scope=_scope(event),
        subject=table,
        data={
            "advance": [going_on[place] for place in sorted(going_on)],
            "champion": champion.pk if champion else None,
        },
    )
    bump(event.scope)
    return Finished(table, filled, champion)


def effects_of(table: Table, results: Sequence[SeatResult], moves: Sequence[Move] = ()) -> Effects:
    """What these results in place of those that stand would change; writes nothing (C9.1).

    `moves` are what changes in the next field of a `redraw`, as nobody here knows of the tables
    beside this one.
    """
    following = list(fed_by(table))
    found = effects_among(table, _seats(table), following, results)
    entering = {move.after for move in found.moves if move.after is not None}
    own = [seat.pk for seat in following]
    left = [
        Move(
            Feed(
                seat.pk,
                seat.table_id,
                seat.source_place or 0,
                seat.entrant_id,
                seat.table.state not in BEFORE_PLAY,
            ),
            None,
        )
        for seat in (stood_in_at(table, entering).exclude(pk__in=own) if entering else ())
    ]
    return replace(found, moves=(*found.moves, *left, *moves))


def effects_among(
    table: Table,
    seats: Sequence[Seat],
    following: Iterable[Seat],
    results: Sequence[SeatResult],
) -> Effects:
    """As `effects_of`, for who has read the table's seats (with `entrant`) and those that it
    feeds (`following`, with `table`, without fillers). No query."""
    feeds = [
        Feed(
            seat.pk,
            seat.table_id,
            seat.source_place or 0,
            None if seat.gap_filled else seat.stands_for_id or seat.entrant_id,
            seat.table.state not in BEFORE_PLAY,
        )
        for seat in following
    ]
    before = {
        seat.position: SeatResult(seat.position, seat.place, bool(seat.advances), seat.points)
        for seat in seats
    }
    return effects(
        sittings_of(seats),
        before,
        results,
        feeds,
        is_last=table.round.is_last and not table.is_third,
    )


@transaction.atomic
def correct_table(
    *,
    acting: Actor,
    table: Table,
    results: Sequence[SeatResult],
    as_played: bool = False,
    reason: str = "",
    moves: Sequence[Move] = (),
) -> Effects:
    """New results for a confirmed or final table (C9.1); returns what changed.

    Where others advance and the next table has no hand yet, they change places; where it has,
    `Depends` is raised, unless `as_played`: then places change and those who have played on
    stay. `moves` as for `effects_of`, and the caller declares that field afterwards. Raises
    `Conflict` for a table that is not confirmed, `BadResults`.
    """
    table = lock_table(table)
    if table.state not in DONE:
        raise Conflict(_("只有已确认的桌才需要这样更正，请刷新后再看。"))
    seats = _seats(table)
    sittings = sittings_of(seats)
    check_results(sittings, results, table.advance)
    found = effects_of(table, results, moves)
    if found.is_blocked and not as_played:
        raise Depends(found)
    if found.is_blocked:
        stay = {seat.position: bool(seat.advances) for seat in seats}
        results = [
            SeatResult(result.position, result.place, stay[result.position], result.points)
            for result in results
        ]
        _write(seats, results)
    else:
        _write(seats, results)
        hands_on = found.changes_advance or _is_open_redraw(table.round)
        if hands_on and not table.round.is_prelim:
            hand_on(table, seats, results)
    event = table.round.stage.event
    if table.round.is_last or table.state == State.FINAL:
        # Maybe no end of a round comes after it.
        plan_seal(competition_id=event.competition_id, round_=table.round)
    audit(
        actor=acting,
        action="table.correct",
        scope=_scope(event),
        subject=table,
        data={
            "places": [[c.entrant_id, c.before, c.after] for c in found.places],
            "moves": [[m.feed.table_id, m.feed.entrant_id, m.after] for m in found.moves],
            "as_played": found.is_blocked,
        },
        said={"reason": reason},
    )
    bump(event.scope)
    return found


@transaction.atomic
def finalize_round(*, acting: Acting, round_: Round) -> tuple[Table, ...]:
    """The chief referee declares a confirmed last round final (C7.1); returns its tables.

    Raises `NotAllowed`, `Conflict` unless the round is the last and confirmed.
    """
    demand(is_chief(acting), Role.CHIEF)
    return _finalize_last(acting, round_)


def finalize_due(
    now: datetime | None = None, *, also: Callable[[tuple[Table, ...]], None] = lambda finals: None
) -> tuple[Table, ...]:
    """The site's clock: every last round that has been confirmed for the competition's
    `final_minutes` is final (C7.1). Returns the tables whose sheets are final with it.

    Each round is a transaction of its own, in which `also` is called with its tables; a round that
    somebody else has made final or put off meanwhile is passed over.
    """
    now = now or timezone.now()
    due = [
        round_
        for round_ in Round.objects.filter(
            is_last=True, state=State.CONFIRMED, confirmed_at__isnull=False
        ).select_related("stage__event__competition")
        if round_.confirmed_at is not None
        and round_.confirmed_at + timedelta(minutes=round_.stage.event.competition.final_minutes)
        <= now
    ]
    tables: list[Table] = []
    for round_ in due:
        try:
            with transaction.atomic():
                finals = _finalize_last(SYSTEM, round_)
                also(finals)
        except Conflict:
            continue
        tables += finals
    return tuple(tables)


def _finalize_last(acting: Actor, round_: Round) -> tuple[Table, ...]:
    event = Event.objects.get(stages__rounds=round_.pk)
    competition = lock(Competition.objects.get(pk=event.competition_id))
    event = lock(event)
    round_ = lock(round_)
    if not round_.is_last or round_.state != State.CONFIRMED:
        raise Conflict(_("只有全部确认的最后一轮可以定局，请刷新后再看。"))
    now = timezone.now()
    tables = _finalize(list(round_.tables.all()), now)
    if not _open_events(competition):
        competition.ended_at = now
        competition.save(update_fields=["ended_at"])
        plan_seal(competition_id=competition.pk)
    audit(
        actor=acting,
        action="round.final",
        scope=competition.scope,
        subject=round_,
        data={"ended": competition.is_over},
    )
    bump(event.scope, competition.scope)
    return tables


def _open_events(competition: Competition) -> bool:
    """Whether an event of the competition has no final last round of its knock-out yet."""
    over = Round.objects.filter(
        stage__kind=StageKind.KNOCKOUT, is_last=True, state=State.FINAL
    ).values("stage__event_id")
    return competition.events.exclude(pk__in=over).exists()


def _check_ready(table: Table, wait: str) -> None:
    if table.state != State.PUBLISHED:
        raise NotReady(
            _("这一桌现在是“%(state)s”，公布之后才能开打。") % {"state": State(table.state).label}
        )
    if wait:
        raise NotReady(wait)


def waits_for(seats: Sequence[Seat]) -> str:
    """What a published table waits for before it can start (C7.1), a sentence; "" for nothing.

    Needs `seat.source`.
    """
    wait = waits_for_tables(seats)
    if not wait and lacks_players(seats):
        return str(_("这一桌还有空位，补上选手或陪打后才能开打。"))
    return wait


def lacks_players(seats: Sequence[Seat]) -> bool:
    """Whether somebody has to sit down before a table can be played: a seat that stays empty by
    hand is none, while three sit there (C2.2). No query."""
    empty = [seat for seat in seats if seat.entrant_id is None and not seat.is_filler]
    is_short = len(seats) - len(empty) < 3
    return any(is_short or not seat.gap_filled for seat in empty)


def before_redraw(round_: Round) -> list[Table]:
    """In `redraw` the tables of the round before, as the whole of it feeds this one (C7.1). One
    query. Needs `stage`."""
    if round_.stage.style != Style.REDRAW or round_.number == 1:
        return []
    return list(Table.objects.filter(round__stage=round_.stage_id, round__number=round_.number - 1))


def waits_for_round(round_: Round) -> str:
    """In `redraw`, what a published table waits for in the round before; "" for nothing."""
    waiting = sorted(one.number for one in before_redraw(round_) if one.state not in DONE)
    if not waiting:
        return ""
    return str(
        _("要等上一轮第 %(numbers)s 桌确认后，这一桌才能开打。")
        % {"numbers": _("、").join(map(str, waiting))}
    )


def waits_for_tables(seats: Sequence[Seat]) -> str:
    """As `waits_for`, whoever sits there."""
    waiting = sorted(
        {
            (seat.source.number, seat.source.round_id)
            for seat in seats
            if seat.source is not None and seat.source.state not in DONE
        }
    )
    if waiting:
        return str(
            _("要等上一轮第 %(numbers)s 桌确认后，这一桌才能开打。")
            % {"numbers": _("、").join(str(number) for number, _round in waiting)}
        )
    return ""


def _finalize(tables: Iterable[Table], now: datetime) -> tuple[Table, ...]:
    """Confirmed tables become final, and their rounds where all are; returns those changed."""
    changed = [table for table in tables if table.state == State.CONFIRMED]
    ids = [table.pk for table in changed]
    if not ids:
        return ()
    Table.objects.filter(pk__in=ids).update(state=State.FINAL, final_at=now)
    rounds = {table.round_id for table in changed}
    open_rounds = Table.objects.filter(round__in=rounds).exclude(state=State.FINAL)
    Round.objects.filter(pk__in=rounds).exclude(
        pk__in=list(open_rounds.values_list("round", flat=True))
    ).update(state=State.FINAL, final_at=now)
    for table in changed:
        table.state, table.final_at = State.FINAL, now
    return tuple(changed)


def _confirm_round(round_: Round, now: datetime) -> None:
    if not round_.tables.exclude(state__in=DONE).exists():
        round_.state, round_.confirmed_at = State.CONFIRMED, now
        round_.save(update_fields=["state", "confirmed_at"])
        plan_seal(competition_id=round_.stage.event.competition_id, round_=round_)


def _seats(table: Table) -> list[Seat]:
    return list(table.seats.select_related("entrant").order_by("position"))


def _write(seats: Sequence[Seat], results: Sequence[SeatResult]) -> None:
    by_position = {result.position: result for result in results}
    for seat in seats:
        result = by_position[seat.position]
        seat.place, seat.advances, seat.points = result.place, result.advances, result.points
    Seat.objects.bulk_update(seats, ["place", "advances", "points"])


def _is_open_redraw(round_: Round) -> bool:
    """Whether tables of a round of `redraw` still play, so that who came behind the winners waits
    for them."""
    return round_.stage.style == Style.REDRAW and not round_.is_last and round_.state not in DONE


def _entrant(pk: int | None) -> Entrant | None:
    if pk is None:
        return None
    return Entrant.objects.select_related("entry__person", "partner__person").get(pk=pk)


def _scope(event: Event) -> str:
    return f"competition:{event.competition_id}"
