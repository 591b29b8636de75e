"""A table's end and its correction, and what they do to the tables after it (C7, C9.1).

Called by `scoring` inside its own transactions, after it has checked the rights (C7.3). Locks go
event → round → table; a caller that also locks a sheet calls `lock_table` first and the functions
here last, as they end by bumping versions: of the tables that change and of the event's play,
and of the event itself where more changes with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actors import Actor
from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict
from tournament.domain.handing_on import fed_by, hand_on, sittings_of, stood_in_at
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
from tournament.enums import BEFORE_PLAY, DONE, State, Style
from tournament.models import Entrant, Event, Round, Seat, Table


@dataclass(frozen=True)
class Finished:
    """A confirmed table, the seats of the next round in which that has changed something, the
    champion if any."""

    table: Table
    filled: tuple[Seat, ...]
    champion: Entrant | None


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
    event = table.round.stage.event
    changed = [event.play_scope, table.scope, *(seat.table.scope for seat in filled)]
    if _confirm_round(table.round, now):
        changed.append(event.scope)
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
    bump(*changed)
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


def _confirm_round(round_: Round, now: datetime) -> bool:
    """Whether this was the round's last open table, which confirms the round."""
    if round_.tables.exclude(state__in=DONE).exists():
        return False
    round_.state, round_.confirmed_at = State.CONFIRMED, now
    round_.save(update_fields=["state", "confirmed_at"])
    plan_seal(competition_id=round_.stage.event.competition_id, round_=round_)
    return True


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
