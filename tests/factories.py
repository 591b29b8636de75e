"""Rows for tests, straight into the database: short calls, plain defaults, no chance.

Every builder takes the fields it is about; what it needs besides, it makes.
"""

from __future__ import annotations

import itertools
from datetime import date
from typing import Any

from core.models import User
from engine.rules import preset
from scoring.enums import Evidence
from scoring.models import Hand, HandVersion, Sheet
from tournament.acting import Acting
from tournament.enums import Role, State
from tournament.models import (
    Competition,
    Entrant,
    Entry,
    Event,
    Membership,
    Person,
    Round,
    Seat,
    Stage,
    Table,
)

_count = itertools.count(1)


def make_user(username: str = "", *, password: str | None = None, **fields: Any) -> User:
    """An account; without a password it can only be logged in by `client.force_login`."""
    return User.objects.create_user(username or f"user{next(_count)}", password=password, **fields)


def make_competition(**fields: Any) -> Competition:
    """A competition of 2026-12-05, not published."""
    return Competition.objects.create(
        **{"name": "漓江杯", "starts_on": date(2026, 12, 5), **fields}
    )


def make_acting(competition: Competition, *roles: Role, user: User | None = None) -> Acting:
    """Somebody with these roles: a member with an account; without roles a spectator."""
    if not roles:
        return Acting(competition_id=competition.pk)
    user = user or make_user()
    for role in roles:
        Membership.objects.get_or_create(user=user, competition=competition, role=role)
    return Acting(user_id=user.pk, competition_id=competition.pk, roles=frozenset(roles))


def make_event(competition: Competition | None = None, **fields: Any) -> Event:
    """An event under a preset of the engine (`competition` unless told); `""` is for none."""
    if fields.get("preset") == "":
        competition = competition or make_competition()
        return Event.objects.create(competition=competition, **{"name": "象棋", **fields})
    rules = preset(fields.setdefault("preset", "competition"))
    return Event.objects.create(
        competition=competition or make_competition(),
        **{
            "name": "个人赛",
            "options": rules.as_json(),
            "rules_digest": rules.digest,
            **fields,
        },
    )


def make_stage(event: Event | None = None, **fields: Any) -> Stage:
    """A knock-out at tables of three, one advancing."""
    return Stage.objects.create(event=event or make_event(), **fields)


def make_round(stage: Stage | None = None, **fields: Any) -> Round:
    """Round 1, planned, of as many hands as its stage plans."""
    stage = stage or make_stage()
    return Round.objects.create(stage=stage, **{"number": 1, "hands": stage.hands, **fields})


def make_entrant(event: Event, name: str = "", *, unit: str = "", **fields: Any) -> Entrant:
    """A new person, entered in the competition with the next number and in the event."""
    number = event.competition.entries.count() + 1
    entry = Entry.objects.create(
        competition=event.competition,
        person=Person.objects.create(name=name or f"选手{number}"),
        number=number,
        unit=unit,
    )
    return Entrant.objects.create(event=event, entry=entry, **fields)


def make_table(
    round_: Round | None = None,
    *,
    entrants: list[Entrant | None] | None = None,
    **fields: Any,
) -> Table:
    """A published table; `entrants` sit down 甲 乙 丙 (丁), None among them is a filler.

    Without `entrants` three new ones do.
    """
    round_ = round_ or make_round(state=State.PUBLISHED)
    if entrants is None:
        entrants = [make_entrant(round_.stage.event) for _seat in range(3)]
    table = Table.objects.create(
        round=round_,
        **{
            "number": round_.tables.count() + 1,
            "seat_count": len(entrants),
            "state": State.PUBLISHED,
            **fields,
        },
    )
    for position, entrant in enumerate(entrants):
        Seat.objects.create(
            table=table, position=position, entrant=entrant, is_filler=entrant is None
        )
    return table


def make_sheet(table: Table | None = None, **fields: Any) -> Sheet:
    """An open sheet without hands."""
    table = table or make_table()
    return Sheet.objects.create(table=table, **{"hands_planned": table.round.hands, **fields})


def make_hand(sheet: Sheet, *deltas: int, number: int | None = None, **fields: Any) -> HandVersion:
    """A hand known by its totals, as the next of its sheet; returns its first version."""
    if number is None:
        number = sheet.hands.count() + 1
    hand = Hand.objects.create(sheet=sheet, number=number)
    version = HandVersion(hand=hand, version=1, **{"evidence": Evidence.TOTALS, **fields})
    version.deltas = deltas
    version.save()
    return version
