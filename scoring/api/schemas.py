"""What the API of sheets and points gives."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from core.api.answers import Paged


class MeldShown(BaseModel):
    """A group of cards and its 胡."""

    kind: str
    cards: str
    hu: int


class HandShown(BaseModel):
    """A hand as it counts now. Seats are numbers from 0 = 甲; `deltas` has one a seat, in 舵."""

    number: int
    version: int = Field(description="Send it in If-Match to correct the hand")
    evidence: str = Field(description="`totals`, `result`, `slip`, `record`; `game` elsewhere")
    hands: int = Field(description="How many hands it stands for: totals may sum up several")
    is_void: bool
    is_flagged: bool = Field(description="待裁")
    is_extra: bool = Field(description="加赛: it counts only for the places of who is level")
    dealer: int | None
    winners: list[int] | None = Field(description="Empty: nobody won; null: not known")
    source: str
    special: str
    payer: int | None
    hu: int | None
    xing: int | None
    total: int | None
    deltas: list[int] = Field(description="What counts, a ruling in the computed value's place")
    computed: list[int] | None = Field(description="What was computed, where a ruling differs")
    outcome: str = Field(description="One sentence")
    melds: list[MeldShown]
    card: str = Field(description="The winning card")
    xing_cards: str
    record: str | None = Field(description="The address of its record (ZPR)")


class PenaltyShown(BaseModel):
    """A penalty in force with points (C6.5)."""

    position: int
    kind: str
    deltas: list[int]
    deducted: int


class PlayerShown(BaseModel):
    """A seat with its sums."""

    position: int
    seat: str
    entrant: int | None
    number: int | None
    name: str
    unit: str
    is_filler: bool
    is_vacant: bool = Field(description="Nobody sits here: three play at a table of four")
    net: int = Field(description="Net 舵 with penalties and rulings")
    deducted: int
    place: int | None = Field(description="Once the table is confirmed")
    advances: bool | None


class SheetShown(BaseModel):
    """A table's sheet with its hands. Of another game than 字牌 numbers are games won, in
    twelfths, or points."""

    table: int
    event: int
    round: int
    number: int = Field(description="The table's number in its round")
    state: str = Field(description="`published`, `running`, `confirmed`, `final`")
    sheet: str = Field(description="`open`, `submitted`, `confirmed`, `final`")
    hands_planned: int
    played: int
    is_called: bool = Field(description="The bell has gone")
    first_dealer: int
    players: list[PlayerShown]
    hands: list[HandShown]
    penalties: list[PenaltyShown]


class SheetOwn(SheetShown):
    """The sheet for who works at it."""

    digest: str = Field(description="What a confirmation confirms")
    next_number: int
    next_dealer: int | None
    is_full: bool
    sent_back_word: str
    confirmed: list[int | None] = Field(description="Positions; null for a referee")


class PlaceLine(BaseModel):
    """A line of a knock-out's standings (C8.5)."""

    place: int | None = Field(description="None: still in")
    shared: bool = Field(description="并列")
    prize: str
    entrant: int
    number: int | None
    name: str
    unit: str
    status: str
    round: int = Field(description="The last round that he reached")
    table: int
    net: int
    hands: int
    reason: str = Field(description="What puts him before the next line")


class Standings(Paged):
    """The standings of a knock-out, best first; empty before the first table is confirmed."""

    items: list[PlaceLine]


class PreliminaryLine(BaseModel):
    """A line of a preliminary's standings (C8.3)."""

    rank: int
    entrant: int
    number: int | None
    name: str
    unit: str
    status: str
    points: str = Field(description="3, 13/3")
    twelfths: int = Field(description="The points in twelfths (C5.4)")
    rounds: int
    net: int
    tables_won: int
    hands_won: int | None
    discards: int | None
    best: int | None
    goes_on: bool = Field(description="As it stands now")
    reason: str


class Preliminary(Paged):
    """The standings of a preliminary, best first; empty where there is none."""

    items: list[PreliminaryLine]


class Held(BaseModel):
    """Who holds a record, where."""

    entrants: list[int]
    names: list[str]
    table: int
    hand: int | None


class RecordLine(BaseModel):
    """A record: the highest 胡, the most 醒 …"""

    kind: str = Field(
        description="`hu`, `xing`, `total`, `events`, `won`, `net` or `comeback` (舵 behind)"
    )
    value: int
    holders: int = Field(description="How many hold it")
    held: list[Held] = Field(description="The first twelve of them")


class Records(Paged):
    """The records of an event, from confirmed tables."""

    items: list[RecordLine]


class ScoreAnswer(BaseModel):
    """A hand that wins: its melds and what it is worth."""

    status: str
    hu: int
    melds: list[MeldShown] | None = None
    base: int
    xing_cards: str | None = None
    xing: int
    bonus: int
    times: int
    total: int = Field(description="In 舵, or 胡 points where the unit is `hu`")
    deltas: list[int] | None = None
    cards: bool | None = Field(None, description="False where the cards are not known")


class WaitsAnswer(BaseModel):
    """What a hand waits for: card → 胡 by source, null where it does not complete the hand."""

    status: str
    listening: bool
    min_hu: int
    waits: dict[str, dict[str, int | None]]
    short: dict[str, dict[str, int | None]]


class ReplayedHand(BaseModel):
    """A hand of a record: its result, or its faults."""

    hand: int
    status: str = Field(description="`valid`, `unfinished` or `invalid`")
    events: int
    rules: str | None = None
    result: dict[str, Any] | None = None
    faults: list[dict[str, Any]] = []
    more_faults: int = Field(0, description="How many faults are not listed")


class ReplayAnswer(BaseModel):
    """Every hand of a text."""

    hands: list[ReplayedHand]
    is_cut: bool = Field(description="There are more hands than are looked at")


class EffectsShown(BaseModel):
    """What a correction would change (C9.1)."""

    nets: list[int] | None
    places: list[dict[str, int | None]]
    moves: list[dict[str, Any]]
    champion: dict[str, int | None] | None
    is_blocked: bool
