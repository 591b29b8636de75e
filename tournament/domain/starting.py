"""A table's first hand, and what it waits for until then (C7.1, C11).

Called by `scoring` inside its own transactions, after it has checked the rights (C7.3). Locks go
event → round → table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actors import Actor
from core.domain.audit import audit
from core.domain.versions import bump
from core.errors import Conflict
from tournament.domain.finality import make_final
from tournament.domain.preliminary import feeding_tables, waits_for_own_tables
from tournament.domain.tables import lock_table
from tournament.enums import DONE, State, Style
from tournament.models import Round, Seat, Table


@dataclass(frozen=True)
class Started:
    """A table with its first hand, and the tables that this made final: their sheets are too."""

    table: Table
    finals: tuple[Table, ...]


class NotReady(Conflict):
    """C7.1, C7.4: the table cannot start; the message says what it waits for."""

    code = "table-not-ready"


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
    scope = f"competition:{event.competition_id}"
    changed = [event.play_scope, table.scope]
    if round_.state == State.PUBLISHED:
        changed.append(event.scope)
        round_.state = State.RUNNING
        round_.save(update_fields=["state"])
    if event.frozen_at is None and not without_play:
        changed += [event.scope, scope]
        event.frozen_at = now
        event.save(update_fields=["frozen_at"])
    feeders = {seat.source for seat in seats if seat.source is not None}
    feeders |= set(before_redraw(round_))
    if not round_.is_prelim:
        feeders |= set(feeding_tables(event))
    finals = make_final(sorted(feeders, key=lambda feeder: feeder.pk), now)
    audit(
        actor=acting,
        action="table.unplayed" if without_play else "table.start",
        scope=scope,
        subject=table,
        data={"final": [final.pk for final in finals]},
    )
    bump(*changed, *(final.scope for final in finals))
    return Started(table, finals)


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
