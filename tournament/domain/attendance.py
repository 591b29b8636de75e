"""Who is at his table (点名): marked by a referee, the base of what lateness costs (C9.2)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict
from tournament.acting import Acting
from tournament.enums import Role, State
from tournament.models import Attendance, Competition, Round, Seat
from tournament.permissions import checks_in, demand


@transaction.atomic
def mark_attendance(
    *, acting: Acting, round_: Round, seats: Collection[int], here: bool | None
) -> int:
    """Whoever sits at these seats of the round (ids) is there, is missing, or (None) not marked.

    Who is missed first and seen later keeps both times: he was late. Seats of fillers and of
    nobody are left alone. Returns how many changed. Raises `NotAllowed`, `Conflict` unless the
    round is published or running.
    """
    demand(checks_in(acting), Role.OWNER, Role.ORGANIZER, Role.CHIEF, Role.REFEREE)
    round_ = lock(round_)
    if round_.state not in (State.PUBLISHED, State.RUNNING):
        raise Conflict(
            _("“%(round)s”现在是“%(state)s”，不能点名。")
            % {"round": round_.title, "state": State(round_.state).label}
        )
    entrants = list(
        Seat.objects.filter(pk__in=seats, round=round_, entrant__isnull=False)
        .order_by("pk")
        .values_list("entrant_id", flat=True)
    )
    known = {
        one.entrant_id: one
        for one in round_.attendances.select_for_update(no_key=True).filter(entrant__in=entrants)
    }
    now = timezone.now()
    changed = [pk for pk in entrants if pk is not None and _mark(round_, known, pk, here, now)]
    if changed:
        audit(
            actor=acting,
            action="attendance.mark",
            scope=acting.scope,
            subject=round_,
            data={"entrants": changed, "here": here},
        )
        bump(Competition(pk=acting.competition_id).desk_scope)
    return len(changed)


def _mark(
    round_: Round, known: dict[int, Attendance], pk: int, here: bool | None, now: datetime
) -> bool:
    one = known.get(pk)
    if here is None:
        if one is not None:
            one.delete()
        return one is not None
    if one is not None and (one.seated_at is not None) == here:
        return False
    one = one or Attendance(round=round_, entrant_id=pk)
    one.seated_at = now if here else None
    if not here and one.absent_at is None:
        one.absent_at = now
    one.save()
    return True
