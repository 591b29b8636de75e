"""Changes at drawn tables: two entrants swap, somebody comes late (C7.3)."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict
from tournament.acting import Acting
from tournament.domain.bracket import add_third_table
from tournament.domain.entries import enter_late
from tournament.domain.preliminary import later_fillers, later_pairs
from tournament.enums import BEFORE_PLAY, State, Style
from tournament.models import Competition, Entrant, Event, Round, Seat, Table
from tournament.pairing.plan import first_dealer
from tournament.permissions import Action, Met, require

SWAP, LATE_ENTRY = "seat.swap", "seat.late-entry"


@transaction.atomic
def swap_entrants(*, acting: Acting, first: Seat, second: Seat) -> tuple[Seat, Seat]:
    """Two entrants whom the draw put there change seats; no hand may be in at their tables.

    Raises what `require` does, `Conflict` where a seat has no entrant of its own.
    """
    event = _lock_event(first)
    seats = (
        Seat.objects.select_for_update(of=("self",))
        .select_related("table__round__stage")
        .in_bulk([first.pk, second.pk])
    )
    first, second = seats[first.pk], seats[second.pk]
    for seat in (first, second):
        require(acting, Action.SWAP, met_table(seat.table))
        if seat.entrant_id is None or seat.source_id is not None or seat.table.is_third:
            raise Conflict(_("只能对换抽签时排定的两名选手。"))
    if first.pk == second.pk or first.table.round.stage_id != second.table.round.stage_id:
        raise Conflict(_("请选同一签表上的两名不同选手。"))
    if first.table.round.is_prelim and first.round_id != second.round_id:
        raise Conflict(_("预赛里要两人下一轮都还没有开打，才能对换。"))
    if first.table.round.stage.style == Style.REDRAW and first.round_id != second.round_id:
        raise Conflict(_("每轮重抽时，只能对换同一轮的两名选手。"))
    ids = first.entrant_id, second.entrant_id
    exchange(first, second)
    audit(
        actor=acting,
        action=SWAP,
        scope=acting.scope,
        subject=first,
        data={"with": second.pk, "entrants": list(ids)},
    )
    bump(event.scope)
    return first, second


@transaction.atomic
def seat_late_entry(*, acting: Acting, seat: Seat, name: str, unit: str = "") -> Entrant:
    """Somebody who comes late takes a filler's seat, or plays who has a bye (C7.3).

    For a bye (`seat` is the one in the second round) the first round gets one more table: both,
    and a filler where three make a table; its winner takes the seat. No hand may be in at
    `seat`'s table. Raises what `require` does, `Conflict` where the seat is neither, or a filler
    has it for who has won it and left.
    """
    competition = lock(Competition.objects.get(events__stages__rounds=seat.round_id))
    event = _lock_event(seat)
    seat = lock(seat)
    require(acting, Action.LATE_ENTRY, met_table(seat.table))
    round_ = seat.table.round
    is_later = round_.stage.style == Style.REDRAW and round_.number > 1
    if is_later or (not seat.is_filler and not is_open_bye(seat)):
        raise Conflict(_("这个座位已经有人，只能补到陪打的座位，或与轮空的选手先打一桌。"))
    if seat.is_filler and seat.source_id is not None:
        raise Conflict(_("这个座位要从上一轮晋级才能坐，迟到的人不能补到这里。"))
    if not seat.is_filler:
        # The table to come belongs to the round before, and that may run already.
        require(acting, Action.LATE_ENTRY, Met(state=State(_round_before(seat).state)))
    entrant = enter_late(competition, event, name, unit)
    stood_for = seat.stands_for_id
    if seat.is_filler:
        for one in [*(later_fillers(seat) if seat.table.round.is_prelim else ()), seat]:
            one.entrant, one.is_filler, one.stands_for = entrant, False, None
            one.save(update_fields=["entrant", "is_filler", "stands_for"])
    else:
        _play_bye(seat, entrant)
    audit(
        actor=acting,
        action=LATE_ENTRY,
        scope=acting.scope,
        subject=seat,
        data={
            "entrant": entrant.pk,
            "number": entrant.number,
            "source": seat.source_id,
            "stands_for": stood_for,
        },
    )
    bump(competition.scope, event.scope)
    return entrant


def exchange(first: Seat, second: Seat) -> None:
    """Whom the two seats hold change places, in a preliminary for the later rounds too; the caller
    has locked, checked and audits."""
    pairs = later_pairs(first, second)
    _exchange(first, second)
    for one, other in pairs:
        _exchange(one, other)


def _exchange(first: Seat, second: Seat) -> None:
    ids = first.entrant_id, second.entrant_id
    Seat.objects.filter(pk__in=[first.pk, second.pk]).update(entrant=None)
    first.entrant_id, second.entrant_id = ids[1], ids[0]
    first.stands_for = second.stands_for = None
    first.save(update_fields=["entrant", "stands_for"])
    second.save(update_fields=["entrant", "stands_for"])


def is_open_bye(seat: Seat) -> bool:
    """Whether somebody has a bye to this seat, and has not left, and the round before still takes
    a table.

    Where two of a table advance, byes come in pairs and none is opened.
    """
    before = Round.objects.filter(
        stage=seat.table.round.stage_id,
        number=seat.table.round.number - 1,
        advance=1,
        state__in=(*BEFORE_PLAY, State.RUNNING),
    )
    has_bye = seat.entrant_id is not None and seat.source_id is None and not seat.forfeits
    return has_bye and before.exists()


def met_table(table: Table) -> Met:
    """What an action on a table's seats meets. A table without a hand stands as its round does:
    only the chief referee touches a round that runs (C7.3)."""
    has_hands = table.state not in BEFORE_PLAY
    state = table.state if has_hands else table.round.state
    return Met(state=State(state), table_id=table.pk, has_hands=has_hands)


def _play_bye(seat: Seat, late: Entrant) -> None:
    """One more table of the round before: who had the bye, who is late, a filler for the third."""
    stage, before = seat.table.round.stage, _round_before(seat)
    seats = min(stage.table_size, 3)
    siblings = before.tables.filter(zone__startswith=f"{seat.table.zone}.").count()
    table = Table.objects.create(
        round=before,
        number=before.tables.count() + 1,
        seat_count=seats,
        first_dealer=first_dealer(before.number, seats),
        zone=f"{seat.table.zone}.{siblings}",
        state=State.DRAWN if before.state == State.DRAWN else State.PUBLISHED,
    )
    holder, seat.entrant = seat.entrant, None
    seat.source, seat.source_place = table, 1
    seat.save(update_fields=["entrant", "source", "source_place"])
    for position, entrant in enumerate([holder, late, None][:seats]):
        Seat.objects.create(
            table=table, position=position, entrant=entrant, is_filler=entrant is None
        )
    if stage.third_table and seat.table.round.is_last:
        add_third_table(before, seat.table.round)


def _round_before(seat: Seat) -> Round:
    round_ = seat.table.round
    return Round.objects.get(stage=round_.stage_id, number=round_.number - 1)


def _lock_event(seat: Seat) -> Event:
    return lock(Event.objects.get(stages__rounds=seat.round_id))
