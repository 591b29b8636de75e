"""What the tournament's part of the API takes and gives."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from pydantic import BaseModel, Field

from core.api.answers import Paged
from core.api.reading import Given


class CompetitionLine(BaseModel):
    """A competition."""

    code: str = Field(description="Its name in addresses")
    name: str
    starts_on: date
    ends_on: date | None
    place: str
    timezone: str
    is_over: bool


class Competitions(Paged):
    """Competitions, the newest first."""

    items: list[CompetitionLine]


class StageShown(BaseModel):
    """A preliminary or a knock-out: how it is played."""

    kind: str = Field(description="`prelim` or `knockout`")
    table_size: int
    advance: int
    style: str
    way: str
    hands: int
    final_hands: int
    minutes: int | None
    confirmation: str = Field(description="Who confirms a sheet: `none`, `players`, `referee`")
    dealer: str
    extra_hands: bool
    round_count: int | None


class ChampionShown(BaseModel):
    """Who has won."""

    entrant: int
    name: str
    unit: str
    is_final: bool = Field(description="Nothing can change it any more")


class EventShown(BaseModel):
    """An event (项目) of a competition."""

    id: int
    name: str
    discipline: str = Field(description="`zipai`, or `manual` for any other game")
    preset: str
    options: dict[str, Any] = Field(description="The rules' options; empty for another game")
    rules_digest: str
    is_frozen: bool = Field(description="The rules are in force: a hand has been played")
    is_pairs: bool
    counted_by: str
    games: int
    prizes: int
    stages: list[StageShown]
    champion: ChampionShown | None


class Events(Paged):
    """The events of a competition in their order."""

    items: list[EventShown]


class CompetitionShown(CompetitionLine):
    """A competition with its events."""

    about: str
    mask_names: bool = Field(description="Names are shown without their middle")
    final_minutes: int
    events: list[EventShown]


class EntrantLine(BaseModel):
    """Somebody who plays, as public pages show him."""

    id: int
    number: int | None = Field(description="编号")
    name: str
    unit: str
    seed: int | None
    status: str = Field(description="`in`, `out`, `withdrawn`, `disqualified`, `absent`")


class Entrants(Paged):
    """The entrants of an event by number."""

    items: list[EntrantLine]


class DrawLine(BaseModel):
    """A freeze or a draw (C4)."""

    id: int
    stage: str
    round_number: int = Field(description="The first round that it seats")
    number: int | None = Field(description="None: frozen, the words are still to come")
    list_digest: str
    secret_digest: str
    reason: str
    frozen_at: datetime
    drawn_at: datetime | None
    published_at: datetime | None
    is_open: bool = Field(description="Its document can be had")


class Draws(Paged):
    """The draws of an event, the newest first."""

    items: list[DrawLine]


class DrawDocument(BaseModel):
    """A draw as anybody may redraw it (C4.5), the same as the file that the page offers."""

    format: str
    version: int
    about: Any
    list: list[str]
    apart: Any
    plan: dict[str, Any]
    list_digest: str
    terms_digest: str
    secret_digest: str
    secret: str
    words: str
    seed: str
    log: Any
    result: Any
    digest: str


class RoundLine(BaseModel):
    """A published round."""

    id: int
    stage: str
    number: int
    title: str
    state: str = Field(description="`published`, `running`, `confirmed`, `final`")
    advance: int = Field(description="How many of a table go on; 0 in a preliminary")
    is_last: bool
    starts_at: datetime | None
    hands: int
    minutes: int | None
    tables: int
    running: int
    done: int


class Rounds(Paged):
    """The published rounds of an event in order."""

    items: list[RoundLine]


class SeatShown(BaseModel):
    """A seat; without `entrant` a filler sits there, or nobody yet, or nobody at all."""

    position: int = Field(description="From 0")
    seat: str = Field(description="甲 乙 丙 丁")
    entrant: int | None
    number: int | None
    name: str
    unit: str
    is_filler: bool
    is_vacant: bool = Field(description="Nobody will sit here: three play at a table of four")
    from_table: int | None = Field(description="The table whose `from_place` sits down here")
    from_place: int | None
    place: int | None = Field(description="Once the table is confirmed")
    advances: bool | None


class TableLine(BaseModel):
    """A published table."""

    id: int
    number: int
    label: str
    state: str
    seat_count: int
    first_dealer: str
    is_third: bool
    starts_at: datetime | None = Field(description="Where it is later than its round's")
    room: str
    place: int | None
    seats: list[SeatShown]


class Tables(Paged):
    """The tables of a round in order."""

    items: list[TableLine]


class EntryGiven(Given):
    """A person to enter."""

    name: str = Field(min_length=1, max_length=60)
    unit: str = Field("", max_length=60)
    event: int | None = Field(None, ge=1, le=2**63 - 1, description="The first event if left out")
    is_another: bool = Field(
        False, description="Another person than the one with this name and unit who is entered"
    )


class Here(Given):
    """Whether somebody has arrived."""

    here: bool = True


class EntrantOf(BaseModel):
    """An entry in one event."""

    id: int
    event: int
    status: str


class EntryShown(BaseModel):
    """A person in the competition, for those who work there."""

    id: int
    number: int | None
    name: str
    unit: str
    status: str = Field(description="`pending`, `confirmed`, `waitlisted`, `withdrawn`")
    is_checked_in: bool
    entrants: list[EntrantOf]


class Entries(Paged):
    """The entries of a competition by number."""

    items: list[EntryShown]
