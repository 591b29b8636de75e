"""The schedule's versions: published as a whole, taken back, published again."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.errors import Conflict, DomainError
from tournament.acting import Acting
from tournament.domain.arranging import A_STATEMENT, locked_schedule, put_plan, tell
from tournament.domain.sittings import Schedule, begin_of, read_schedule
from tournament.enums import BEFORE_PLAY
from tournament.models import Competition, Round, SchedulePublication, Table

PUBLIC = ("public_starts_at", "public_room", "public_place", "public_referee_id")
NOTHING: dict[str, Any] = {"sessions": {}, "rounds": {}, "tables": {}}
"""The snapshot of no schedule at all."""


class ClashesUnseen(DomainError):
    """Tables clash so that they cannot be played; who publishes all the same has to say so."""

    code = "clashes-unseen"
    status = 409


@transaction.atomic
def publish_schedule(
    *, acting: Acting, competition: Competition, note: str = "", clashes_seen: bool = False
) -> SchedulePublication:
    """Everybody sees the schedule as it is planned now, of rounds whose draw is published, and
    referees their tables. Returns the new version, or the last one where nothing has changed.

    Raises `NotAllowed`; `Conflict` (`no-rounds`); `ClashesUnseen`.
    """
    schedule = locked_schedule(acting, competition)
    return _publish(acting, schedule, note, clashes_seen=clashes_seen)


@transaction.atomic
def unpublish_schedule(*, acting: Acting, competition: Competition) -> SchedulePublication | None:
    """Takes the version back that everybody sees (C9.5); tables that have begun keep what was
    published, the plan stays. Returns it, None where there is none. Raises `NotAllowed`."""
    schedule = locked_schedule(acting, competition)
    shown = current_publication(competition)
    if shown is not None:
        shown.withdrawn_at = timezone.now()
        shown.save(update_fields=["withdrawn_at"])
    of_competition = {"stage__event__competition": competition, "state__in": BEFORE_PLAY}
    Round.objects.filter(**of_competition).update(public_starts_at=None)
    Table.objects.filter(round__in=schedule.rounds, state__in=BEFORE_PLAY).update(
        public_starts_at=None, public_room="", public_place=None, public_referee=None
    )
    if shown is not None:
        audit(
            actor=acting, action="schedule.unpublish", scope=acting.scope, subject=competition,
            data={"number": shown.number},
        )  # fmt: skip
    tell(competition)
    return shown


@transaction.atomic
def restore_schedule(*, acting: Acting, publication: SchedulePublication) -> int:
    """The plan is again as it was published then, as far as tables and rooms are still there; what
    has begun stays. Returns how many tables changed. Raises `NotAllowed`."""
    schedule = locked_schedule(acting, publication.competition)
    return _restore(acting, schedule, publication)


@transaction.atomic
def publish_again(
    *, acting: Acting, publication: SchedulePublication
) -> SchedulePublication | None:
    """An earlier version counts again: the plan is restored from it and published under the next
    number. Where that clashes now it is restored only, and None returned. Raises `NotAllowed`."""
    schedule = locked_schedule(acting, publication.competition)
    _restore(acting, schedule, publication)
    schedule = read_schedule(schedule.competition)
    if any(one.is_severe for one in schedule.clashes):
        return None
    return _publish(acting, schedule, publication.note, clashes_seen=True, again=publication)


def current_publication(competition: Competition) -> SchedulePublication | None:
    """The version that everybody sees: the newest, unless it was taken back. One query."""
    newest = competition.schedule_publications.order_by("-number").first()
    return newest if newest is not None and newest.withdrawn_at is None else None


def snapshot(schedule: Schedule) -> dict[str, Any]:
    """The plan as JSON: ids, times and rooms, nobody's name. The form of `pairing.versions`."""
    halls = {room.pk: room.name for room in schedule.rooms}
    sittings = schedule.by_table
    return {
        "sessions": {str(one.pk): one.name for one in schedule.sessions},
        "rounds": {
            str(one.pk): {"event": one.stage.event.name, "title": str(one.title)}
            for one in schedule.rounds
        },
        "tables": {
            str(table.pk): {
                "round": table.round_id,
                "number": table.number,
                "batch": table.batch,
                "begins": _iso(sittings[table.pk].begins),
                "session": sittings[table.pk].session,
                "room": table.room_id,
                "hall": halls.get(table.room_id or 0),
                "place": table.place,
                "referee": table.referee_id,
            }
            for table in schedule.tables
        },
    }


def _publish(
    acting: Acting,
    schedule: Schedule,
    note: str,
    *,
    clashes_seen: bool,
    again: SchedulePublication | None = None,
) -> SchedulePublication:
    competition = schedule.competition
    if not schedule.rounds:
        raise Conflict(_("还没有轮次可以公布，请先抽签。"), code="no-rounds")
    if not clashes_seen and any(one.is_severe for one in schedule.clashes):
        raise ClashesUnseen(_("日程里还有冲突。请先改好，或看过以后仍然公布。"))
    _show(schedule)
    taken = snapshot(schedule)
    shown = current_publication(competition)
    if shown is not None and shown.snapshot == taken:
        return shown
    most = competition.schedule_publications.aggregate(most=Max("number"))["most"] or 0
    made = SchedulePublication.objects.create(
        competition=competition,
        number=most + 1,
        snapshot=taken,
        note=note.strip()[:200],
        again=again,
        published_at=timezone.now(),
        published_by_id=acting.user_id,
    )
    audit(
        actor=acting, action="schedule.publish", scope=acting.scope, subject=competition,
        data={"number": made.number, "again": again.number if again else None},
    )  # fmt: skip
    tell(competition)
    return made


def _show(schedule: Schedule) -> None:
    """The columns that everybody's pages read become what is planned."""
    rounds = [one for one in schedule.rounds if one.public_starts_at != one.starts_at]
    for one in rounds:
        one.public_starts_at = one.starts_at
    if rounds:
        Round.objects.bulk_update(rounds, ["public_starts_at"], batch_size=A_STATEMENT)
    halls = {room.pk: room.name for room in schedule.rooms}
    changed = []
    for table in schedule.tables:
        begins = begin_of(table, schedule.batches) if table.batch > 1 else None
        hall = halls.get(table.room_id or 0, "")
        values = (begins, hall, table.place, table.referee_id)
        if values != tuple(getattr(table, name) for name in PUBLIC):
            for name, value in zip(PUBLIC, values, strict=True):
                setattr(table, name, value)
            changed.append(table)
    if changed:
        fields = ["public_starts_at", "public_room", "public_place", "public_referee"]
        Table.objects.bulk_update(changed, fields, batch_size=A_STATEMENT)


def _restore(acting: Acting, schedule: Schedule, publication: SchedulePublication) -> int:
    rooms = {room.pk for room in schedule.rooms}
    sessions = {one.pk for one in schedule.sessions}
    referees = {one.pk for one in schedule.referees}
    saved = publication.snapshot["tables"]
    begun = {one.round for one in schedule.sittings if one.is_fixed}
    wanted = []
    for one in schedule.sittings:
        old = saved.get(str(one.table))
        if old is None or one.is_fixed:
            wanted.append(one)
            continue
        has_room = old["room"] in rooms
        if one.round not in begun:
            begins = datetime.fromisoformat(old["begins"]) if old["begins"] else None
            session = old["session"] if old["session"] in sessions else None
            one = replace(one, batch=old["batch"], begins=begins, session=session)
        wanted.append(
            replace(
                one,
                room=old["room"] if has_room else None,
                place=old["place"] if has_room else None,
                referee=old["referee"] if old["referee"] in referees else None,
            )
        )
    changed = put_plan(schedule, wanted)
    audit(
        actor=acting, action="schedule.restore", scope=acting.scope,
        subject=schedule.competition,
        data={"number": publication.number, "tables": len(changed)},
    )  # fmt: skip
    tell(schedule.competition)
    return len(changed)


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
