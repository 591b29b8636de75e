"""The plan of the schedule is made: proposed as a whole, then moved table by table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict, DomainError
from tournament.acting import Acting
from tournament.domain.sittings import PAUSE, Schedule, minutes_of, read_schedule
from tournament.enums import BEFORE_PLAY, Role
from tournament.models import Batch, Competition, Membership, Room, Round, Session, Table
from tournament.pairing.assigning import propose
from tournament.pairing.venue import Sitting, overlap
from tournament.permissions import demand, leads

PLANNED = ("batch", "room_id", "place", "referee_id")
A_STATEMENT = 500


@transaction.atomic
def propose_schedule(*, acting: Acting, competition: Competition, anew: bool = False) -> int:
    """Plans what is not planned yet, or `anew` everything that has not begun. Returns how many
    tables changed. Nobody else sees it before it is published. Raises `NotAllowed`."""
    schedule = locked_schedule(acting, competition)
    changed = put_plan(schedule, propose(schedule.sittings, schedule.venue, anew=anew))
    audit(
        actor=acting, action="schedule.propose", scope=acting.scope, subject=competition,
        data={"anew": anew, "tables": len(changed)},
    )  # fmt: skip
    tell(competition)
    return len(changed)


@transaction.atomic
def move_batch(
    *,
    acting: Acting,
    round_: Round,
    batch: int = 1,
    session: Session | None,
    starts_at: datetime | None,
) -> None:
    """Another session or start for a batch of a round. Without a start it gets the session's.

    Raises `NotAllowed`; `Conflict` (`round-has-begun`; `no-such-batch`)."""
    event = round_.stage.event
    demand(leads(acting), Role.OWNER, Role.ORGANIZER, Role.CHIEF)
    lock(event)
    round_ = lock(round_)
    if starts_at is None and session is not None:
        starts_at = session.begins_at
    if round_.tables.filter(batch=batch).exclude(state__in=BEFORE_PLAY).exists():
        raise _has_begun(round_)
    if batch == 1:
        round_.session, round_.starts_at = session, starts_at
        round_.save(update_fields=["session", "starts_at"])
    elif not round_.batches.filter(number=batch).update(session=session, starts_at=starts_at):
        raise Conflict(_("这一批已经没有了，请刷新后再看。"), code="no-such-batch")
    audit(
        actor=acting, action="schedule.batch", scope=acting.scope, subject=round_,
        data={"batch": batch, "starts": starts_at.isoformat() if starts_at else None,
              "session": session.pk if session else None},
    )  # fmt: skip
    bump(event.scope)


@transaction.atomic
def arrange_table(
    *,
    acting: Acting,
    table: Table,
    batch: int,
    room: Room | None,
    place: int | None,
    referee: Membership | None,
) -> list[Table]:
    """Moves a table to a batch, a physical table and a referee, each None for none.

    Where another table has that place at that time the two swap batch and place (places alone
    where it is another round's); where the referee judges as many as he may then, the referees.
    A batch one beyond the last is a new one, after it. Returns the tables that changed. Raises
    `NotAllowed`; `Conflict` (`round-has-begun`; `place-is-played-at`); `DomainError`
    (`no-such-batch`, `no-such-place`).
    """
    competition = Competition.objects.get(events__stages__rounds__tables=table.pk)
    schedule = locked_schedule(acting, competition)
    own = schedule.by_table[table.pk]
    if own.is_fixed:
        raise _has_begun(next(one for one in schedule.rounds if one.pk == own.round))
    if room is None or place is None:
        room, place = None, None
    elif not room.first_place <= place <= room.last_place:
        raise DomainError(_("这个房间没有这张台，请另选一张。"), code="no-such-place")
    times = _times(schedule, own.round)
    if batch not in times:
        if batch != max(times) + 1:
            raise DomainError(_("没有这一批，请另选一批。"), code="no-such-batch")
        times[batch] = _after(schedule, own.round, times[max(times)])
    now = {one.table: one for one in schedule.sittings}
    now[own.table] = _at(own, batch, times[batch], room.pk if room else None, place)
    _swap_places(now, own)
    now[own.table] = _judged(now[own.table], referee.pk if referee else None)
    _swap_referees(now, own, schedule.venue.each)
    changed = put_plan(schedule, [now[one.table] for one in schedule.sittings])
    if changed:
        audit(
            actor=acting, action="schedule.table", scope=acting.scope, subject=table,
            data={str(one.pk): {name: getattr(one, name) for name in PLANNED} for one in changed},
        )  # fmt: skip
        tell(competition)
    return changed


def locked_schedule(acting: Acting, competition: Competition) -> Schedule:
    """The plan under lock, for who leads. Raises `NotAllowed`."""
    demand(leads(acting), Role.OWNER, Role.ORGANIZER, Role.CHIEF)
    competition = Competition.objects.select_for_update().get(pk=competition.pk)
    list(competition.events.select_for_update().order_by("pk"))
    return read_schedule(competition)


def tell(competition: Competition) -> None:
    """The versions of all that shows the schedule go up."""
    bump(*(event.scope for event in competition.events.all()))


def put_plan(schedule: Schedule, sittings: Sequence[Sitting]) -> list[Table]:
    """Writes how each sitting shall be; batches are numbered from 1 without gaps. Returns
    the tables that changed. At most six statements for every 500 rows."""
    wanted = {one.table: one for one in sittings}
    changed = []
    rounds: list[Round] = []
    batches: list[Batch] = []
    for round_ in schedule.rounds:
        own = [wanted[table.pk] for table in schedule.tables if table.round_id == round_.pk]
        numbers = _numbers(own)
        batches += _put_times(round_, own, numbers, rounds)
        for table in (table for table in schedule.tables if table.round_id == round_.pk):
            one = wanted[table.pk]
            values = (numbers[one.batch], one.room, one.place, one.referee)
            if values != tuple(getattr(table, name) for name in PLANNED):
                for name, value in zip(PLANNED, values, strict=True):
                    setattr(table, name, value)
                changed.append(table)
    if _rows(schedule.batches.values()) != _rows(batches):
        Batch.objects.filter(round__in=schedule.rounds).delete()
        Batch.objects.bulk_create(batches, batch_size=A_STATEMENT)
    if rounds:
        Round.objects.bulk_update(rounds, ["starts_at", "session"], batch_size=A_STATEMENT)
    if changed:
        fields = ["batch", "room", "place", "referee"]
        Table.objects.bulk_update(changed, fields, batch_size=A_STATEMENT)
    return changed


def _numbers(own: Iterable[Sitting]) -> dict[int, int]:
    """Batch as proposed → its number from 1, in order."""
    found = sorted({one.batch for one in own})
    return {batch: number for number, batch in enumerate(found, 1)}


def _put_times(
    round_: Round, own: Sequence[Sitting], numbers: dict[int, int], rounds: list[Round]
) -> list[Batch]:
    """The later batches of a round; the round itself goes to `rounds` where it changes."""
    batches = []
    for batch, number in numbers.items():
        first = next(one for one in own if one.batch == batch)
        if number > 1:
            batches.append(
                Batch(round=round_, number=number, session_id=first.session, starts_at=first.begins)
            )
        elif (round_.starts_at, round_.session_id) != (first.begins, first.session):
            round_.starts_at, round_.session_id = first.begins, first.session
            rounds.append(round_)
    return batches


def _rows(batches: Iterable[Batch]) -> set[tuple[object, ...]]:
    return {(one.round_id, one.number, one.starts_at, one.session_id) for one in batches}


Time = tuple[datetime | None, int | None]


def _times(schedule: Schedule, round_id: int) -> dict[int, Time]:
    """Batch → begin and session, of a round."""
    of = (one for one in schedule.sittings if one.round == round_id)
    return {one.batch: (one.begins, one.session) for one in of}


def _after(schedule: Schedule, round_id: int, last: Time) -> Time:
    """A new batch's begin and session: after the last one."""
    round_ = next(one for one in schedule.rounds if one.pk == round_id)
    begins, session = last
    if begins is None:
        return last
    return begins + timedelta(minutes=minutes_of(round_) + PAUSE), session


def _at(one: Sitting, batch: int, time: Time, room: int | None, place: int | None) -> Sitting:
    begins, session = time
    return replace(one, batch=batch, begins=begins, session=session, room=room, place=place)


def _judged(one: Sitting, referee: int | None) -> Sitting:
    return replace(one, referee=referee)


def _meets(one: Sitting, other: Sitting) -> bool:
    """Whether they are at the same time, as far as is known."""
    if one.begins is None or other.begins is None:
        return one.begins is other.begins and one.round == other.round
    return overlap(one, other)


def _swap_places(now: dict[int, Sitting], was: Sitting) -> None:
    own = now[was.table]
    if own.place is None:
        return
    holder = next(
        (
            one for one in now.values()
            if one.table != own.table and (one.room, one.place) == (own.room, own.place)
            and _meets(one, own)
        ),
        None,
    )  # fmt: skip
    if holder is None:
        return
    if holder.is_fixed:
        raise Conflict(_("那张台上正在打，请另选一张。"), code="place-is-played-at")
    time = (holder.begins, holder.session)
    batch = holder.batch
    if holder.round == own.round:
        batch, time = was.batch, (was.begins, was.session)
    now[holder.table] = _at(holder, batch, time, was.room, was.place)


def _swap_referees(now: dict[int, Sitting], was: Sitting, each: int) -> None:
    own = now[was.table]
    if own.referee is None or own.referee == was.referee:
        return
    held = [
        one for one in now.values()
        if one.table != own.table and one.referee == own.referee and _meets(one, own)
    ]  # fmt: skip
    free = [one for one in held if not one.is_fixed]
    if len(held) >= each and free:
        now[free[0].table] = _judged(free[0], was.referee)


def _has_begun(round_: Round) -> Conflict:
    return Conflict(
        _("“%(round)s”已经开打，不能再改。") % {"round": round_.title}, code="round-has-begun"
    )
