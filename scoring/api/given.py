"""What the API of sheets takes, and what of it is wrong."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from core.api.problems import more_of
from core.api.reading import Given
from core.errors import DomainError
from engine import cards
from engine.errors import ZipaiError
from engine.faults import Fault
from engine.slip import SlipError
from scoring.api.schemas import EffectsShown
from scoring.domain.errors import BadEntry, Differs, HandTaken, ShowEffects, in_language
from scoring.domain.hands import Difference, Entered, Late
from scoring.enums import Evidence
from scoring.evidence import RECORD_LIMIT, EntryError, RecordError
from tournament.domain.results import Effects
from tournament.domain.tables import Depends

MOST_FAULTS = 40
Seat = Literal["甲", "乙", "丙", "丁"]
Source = Literal["own-flip", "flip", "discard", "deal"]
Cards = Annotated[str, Field(max_length=120)]
Number = Annotated[int, Field(ge=0, le=999)]


class Claim(Given):
    """What was said at the table."""

    hu: Number | None = None
    total: Number | None = None


class Payload(Given):
    """A hand as it was entered; which fields it has depends on the level of evidence."""

    dealer: Seat | None = Field(None, description="Left out: whose turn it is")
    source: Source | Literal["draw"] | None = None
    winner: Seat | None = None
    payer: Seat | None = Field(None, description="Who discarded the card")
    special: str | None = Field(None, max_length=10)
    last_card: bool | None = None
    hu: Number | None = None
    xing_count: Number | None = None
    hand: Cards | None = None
    table: list[Annotated[str, Field(max_length=24)]] | None = Field(None, max_length=12)
    card: Annotated[str, Field(max_length=4)] | None = None
    xing: Cards | None = None
    claim: Claim | None = None
    text: str | None = Field(None, max_length=RECORD_LIMIT, description="A record (ZPR)")
    deltas: list[int] | None = Field(None, max_length=4)
    hands: Annotated[int, Field(ge=1, le=999)] | None = None
    places: list[int] | None = Field(None, max_length=4)
    points: list[int] | None = Field(None, max_length=4)


class HandGiven(Given):
    """A hand to enter or to correct (C6.1)."""

    evidence: Literal["totals", "result", "slip", "record", "game"]
    payload: Payload
    difference: Literal["ask", "computed", "flag"] = Field(
        "ask", description="What to do where the table said something else (C6.3)"
    )
    reason: str = Field("", max_length=200, description="Needed after the table is final")
    effects_shown: bool = Field(False, description="The effects of a late change are known (C9.1)")
    as_played: bool = Field(False, description="What was played since stands")
    replay: bool = Field(False, description="What was played since is played again")

    def entered(self) -> Entered:
        """The same for `domain`."""
        payload = self.payload.model_dump(exclude_none=True)
        return Entered(Evidence(self.evidence), payload, Difference(self.difference))

    def late(self) -> Late:
        """What comes with a change after the table is confirmed."""
        return Late(
            reason=self.reason,
            effects_shown=self.effects_shown,
            as_played=self.as_played,
            replay=self.replay,
        )


class NewHand(HandGiven):
    """A hand to enter."""

    number: int | None = Field(None, ge=1, le=999, description="The next one if left out")
    extra: bool = Field(False, description="加赛 (C8.2)")


class Confirming(Given):
    """Who confirms what he has seen (C7.2)."""

    digest: str = Field(max_length=64, description="The sheet's, as it was read")
    position: int | None = Field(None, ge=0, le=3)


class Word(Given):
    """What is wrong with a sheet that is sent back."""

    word: str = Field(max_length=200)


class SlipGiven(Given):
    """A hand to score, or to find the waits of: as `python -m engine score` reads it."""

    rules: str = Field(max_length=40, description="A preset: `competition`, `standard` …")
    options: dict[str, str | int | bool | list[str]] | None = Field(None, max_length=40)
    hand: Cards | None = Field(None, description="Without the winning card: `四四四捌捌八`")
    table: list[Annotated[str, Field(max_length=24)]] | None = Field(
        None, max_length=12, description="`碰 九`, `吃 二七十`"
    )
    card: Annotated[str, Field(max_length=4)] | None = None
    xing: Cards | None = None
    source: Source | None = None
    special: str | None = Field(None, max_length=10)
    last_card: bool | None = None
    seats: list[Seat] | None = Field(None, max_length=4)
    winner: Seat | None = None
    payer: Seat | None = None
    sitting: Seat | None = None
    hu: Number | None = Field(None, description="With `xing_count` in place of the cards")
    xing_count: Number | None = None


class RecordGiven(Given):
    """Records to replay."""

    text: str = Field(min_length=1, max_length=RECORD_LIMIT, description="ZPR")


class Faulty(DomainError):
    """What the engine says against a hand."""

    code = "faulty"
    status = 422

    def __init__(self, error: ZipaiError) -> None:
        super().__init__(in_language(error), code=error.code)
        self.error = error


def fault_shown(fault: Fault) -> dict[str, Any]:
    """A fault of a record with its sentence in the language in use."""
    found = fault.as_json()
    del found["zh"], found["en"]
    return {**found, "message": in_language(fault)}


def effects_shown(effects: Effects, nets: tuple[int, ...] | None = None) -> dict[str, Any]:
    """The effects of a correction as JSON; people by the ids of their entrants."""
    champion = effects.champion
    return EffectsShown(
        nets=None if nets is None else list(nets),
        places=[
            {"entrant": one.entrant_id, "before": one.before, "after": one.after}
            for one in effects.places
        ],
        moves=[
            {
                "table": move.feed.table_id,
                "before": move.feed.entrant_id,
                "after": move.after,
                "has_begun": move.feed.has_begun,
            }
            for move in effects.moves
        ],
        champion=None if champion is None else {"before": champion[0], "after": champion[1]},
        is_blocked=effects.is_blocked,
    ).model_dump()


@more_of.register
def _(error: Faulty) -> dict[str, Any]:
    nearest = error.error.nearest if isinstance(error.error, SlipError) else None
    found: dict[str, Any] = {"rule": error.error.rule}
    if nearest is not None:
        found["nearest"] = _nearest(nearest.melds, nearest.left)
    return found


@more_of.register
def _(error: BadEntry) -> dict[str, Any]:
    return _of_entry(error.entry, str(error))


def _of_entry(entry: EntryError, sentence: str) -> dict[str, Any]:
    found: dict[str, Any] = {"rule": entry.rule}
    if entry.field:
        field = f"payload.{entry.field}"
        found["fields"] = [{"field": field, "code": entry.code, "message": sentence}]
    if isinstance(entry, RecordError):
        found["faults"] = [fault_shown(fault) for fault in entry.faults[:MOST_FAULTS]]
    if entry.melds or entry.left:
        found["nearest"] = _nearest(entry.melds, entry.left)
    return found


def _nearest(melds: Any, left: Any) -> dict[str, Any]:
    return {
        "melds": [
            {"kind": str(meld.kind), "cards": cards.text(meld.cards), "hu": meld.hu}
            for meld in melds
        ],
        "left": cards.text(left),
    }


@more_of.register
def _(error: Differs) -> dict[str, Any]:
    counted, claimed = error.counted, error.counted.claimed
    assert claimed is not None
    return {
        "rule": "C6.3",
        "claimed": {"hu": claimed.hu, "total": claimed.total, "deltas": dict(claimed.deltas)},
        "computed": {
            "hu": counted.hu,
            "total": counted.total,
            "deltas": dict(enumerate(counted.deltas)),
        },
    }


@more_of.register
def _(error: HandTaken) -> dict[str, Any]:
    return {
        "rule": "C6.2",
        "hand": error.version.hand.number,
        "version": error.version.version,
    }


@more_of.register
def _(error: ShowEffects) -> dict[str, Any]:
    return {"rule": "C9.1", "effects": effects_shown(error.effects, error.nets)}


@more_of.register
def _(error: Depends) -> dict[str, Any]:
    return {"rule": "C9.1", "effects": effects_shown(error.effects)}
