"""Competitions with a hall, sessions and referees, through the domain's own functions."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.factories import make_user
from tests.tournament.competitions import Made
from tournament.domain.arranging import propose_schedule
from tournament.domain.publications import publish_schedule
from tournament.domain.venue import save_room, save_session
from tournament.enums import Role
from tournament.models import Membership, Room, Round, SchedulePublication, Session, Table

NINE = datetime(2026, 12, 5, 1, tzinfo=UTC)
"""Nine in the morning at Guilin."""


def hour(hours: float) -> datetime:
    """So many hours after nine."""
    return NINE + timedelta(hours=hours)


def room(made: Made, places: int, name: str = "一号厅", first: int = 1) -> Room:
    return save_room(
        acting=made.owner, competition=made.competition, name=name, places=places,
        first_place=first,
    )  # fmt: skip


def session(made: Made, begin: float = 0, end: float = 9, name: str = "白天") -> Session:
    return save_session(
        acting=made.owner, competition=made.competition, name=name,
        begins_at=hour(begin), ends_at=hour(end),
    )  # fmt: skip


def referee(made: Made, name: str) -> Membership:
    user = make_user(display_name=name)
    return Membership.objects.create(user=user, competition=made.competition, role=Role.REFEREE)


def furnish(made: Made, places: int = 5, referees: int = 3) -> None:
    """A room, a day, and referees besides the owner, who is chief."""
    room(made, places)
    session(made)
    for number in range(1, referees + 1):
        referee(made, f"裁判{number}")
    made.competition.refresh_from_db()


def plan(made: Made, *, anew: bool = False) -> int:
    return propose_schedule(acting=made.owner, competition=made.competition, anew=anew)


def publish(made: Made, note: str = "") -> SchedulePublication:
    return publish_schedule(
        acting=made.owner, competition=made.competition, note=note, clashes_seen=True
    )


def rounds_of(made: Made) -> list[Round]:
    return list(made.stage.rounds.order_by("number"))


def tables_of(made: Made, number: int = 1) -> list[Table]:
    return list(Table.objects.filter(round__stage=made.stage, round__number=number))
