"""Rooms and their physical tables, sessions, and what is known of referees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TypeVar

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.errors import DomainError
from tournament.acting import Acting
from tournament.domain.pasting import clean
from tournament.enums import Role
from tournament.models import Competition, Membership, RefereeAway, Room, Session, Table
from tournament.permissions import demand, leads

MOST_EACH = 50
"""The most tables that one referee may be said to judge at once."""

Row = TypeVar("Row", bound=models.Model)


@transaction.atomic
def save_room(
    *,
    acting: Acting,
    competition: Competition,
    room: Room | None = None,
    name: str,
    places: int,
    first_place: int = 1,
    is_step_free: bool = True,
) -> Room:
    """Adds a room, or changes one. Raises `NotAllowed`; `DomainError` (`room`) for a name that
    is empty or there already, or a number of physical tables outside 1 … 500."""
    _begin(acting, competition)
    if room is None:
        last = competition.rooms.aggregate(most=Max("position"))["most"] or 0
        room = Room(competition=competition, position=last + 1)
    else:
        room = lock(room)
    room.name, room.places, room.first_place = clean(name), places, first_place
    room.is_step_free = is_step_free
    return _saved(acting, room, "room.save", {"places": places, "first": first_place})


@transaction.atomic
def remove_room(*, acting: Acting, room: Room) -> None:
    """Takes a room away; tables that were planned there have no place any more. What was
    published stays as it is. Raises `NotAllowed`."""
    _begin(acting, room.competition)
    Table.objects.filter(room=room).update(room=None, place=None)
    _removed(acting, room, "room.remove")


@transaction.atomic
def save_session(
    *,
    acting: Acting,
    competition: Competition,
    session: Session | None = None,
    name: str,
    begins_at: datetime,
    ends_at: datetime,
) -> Session:
    """Adds a session, or changes one. Raises `NotAllowed`; `DomainError` (`session`) for a name
    that is empty or there already, or an end that is not after the begin."""
    _begin(acting, competition)
    session = Session(competition=competition) if session is None else lock(session)
    session.name, session.begins_at, session.ends_at = clean(name), begins_at, ends_at
    data = {"begins": begins_at.isoformat(), "ends": ends_at.isoformat()}
    return _saved(acting, session, "session.save", data)


@transaction.atomic
def remove_session(*, acting: Acting, session: Session) -> None:
    """Takes a session away; rounds keep their times. Raises `NotAllowed`."""
    _begin(acting, session.competition)
    _removed(acting, session, "session.remove")


@transaction.atomic
def set_units(*, acting: Acting, referee: Membership, units: Iterable[str]) -> Membership:
    """The units a referee belongs to, of all his roles here. Raises `NotAllowed`,
    `DomainError` (`not-a-referee`)."""
    _begin(acting, referee.competition)
    _check_judges(referee)
    text = "\n".join(dict.fromkeys(filter(None, map(clean, units))))
    Membership.objects.filter(competition=referee.competition_id, user=referee.user_id).update(
        units=text
    )
    referee.units = text
    audit(
        actor=acting, action="referee.units", scope=acting.scope, subject=referee,
        data={"units": len(text.splitlines())},
    )  # fmt: skip
    return referee


@transaction.atomic
def add_away(
    *, acting: Acting, referee: Membership, begins_at: datetime, ends_at: datetime
) -> RefereeAway:
    """A time in which he cannot judge. Raises `NotAllowed`; `DomainError` (`not-a-referee`;
    `referee-away` where it does not end after it begins)."""
    _begin(acting, referee.competition)
    _check_judges(referee)
    away = RefereeAway(referee=referee, begins_at=begins_at, ends_at=ends_at)
    data = {"begins": begins_at.isoformat(), "ends": ends_at.isoformat()}
    return _saved(acting, away, "referee.away", data)


@transaction.atomic
def remove_away(*, acting: Acting, away: RefereeAway) -> None:
    """He can judge then after all. Raises `NotAllowed`."""
    _begin(acting, away.referee.competition)
    _removed(acting, away, "referee.away-back")


@transaction.atomic
def set_tables_each(*, acting: Acting, competition: Competition, tables: int) -> Competition:
    """At how many tables one referee judges at the same time. Raises `NotAllowed`,
    `DomainError` (`tables-each`)."""
    competition = _begin(acting, competition)
    if not 1 <= tables <= MOST_EACH:
        raise DomainError(
            _("一名裁判同时看几桌，请填 1 到 %(most)d。") % {"most": MOST_EACH},
            code="tables-each",
        )
    competition.tables_each = tables
    competition.save(update_fields=["tables_each"])
    audit(
        actor=acting, action="referee.tables-each", scope=acting.scope, subject=competition,
        data={"tables": tables},
    )  # fmt: skip
    return competition


def _begin(acting: Acting, competition: Competition) -> Competition:
    demand(leads(acting), Role.OWNER, Role.ORGANIZER, Role.CHIEF)
    demand(acting.competition_id == competition.pk, Role.OWNER, Role.ORGANIZER, Role.CHIEF)
    return lock(competition)


def _check_judges(referee: Membership) -> None:
    if referee.role not in (Role.REFEREE, Role.CHIEF):
        raise DomainError(_("他不是裁判。"), code="not-a-referee")


def _saved(acting: Acting, row: Row, action: str, data: Mapping[str, object]) -> Row:
    try:
        row.full_clean()
    except ValidationError as error:
        code = action.partition(".")[0] if row._meta.model_name != "refereeaway" else "referee-away"
        raise DomainError(" ".join(error.messages), code=code) from error
    row.save()
    audit(actor=acting, action=action, scope=acting.scope, subject=row, data=data)
    return row


def _removed(acting: Acting, row: models.Model, action: str) -> None:
    audit(actor=acting, action=action, scope=acting.scope, subject=row)
    row.delete()
