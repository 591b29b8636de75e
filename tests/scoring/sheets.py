"""Published tables with who plays and referees there, for tests of sheets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scoring.domain.board import Board
from scoring.domain.hands import Difference, Entered, enter_hand
from scoring.domain.sheets import open_sheet
from scoring.enums import Evidence
from scoring.models import HandVersion, Sheet
from tests.factories import (
    make_acting,
    make_entrant,
    make_event,
    make_round,
    make_stage,
    make_table,
)
from tournament.acting import Acting
from tournament.domain.links import issue_link
from tournament.enums import ConfirmationMode, Role, State
from tournament.models import Competition, Entrant, Table

WIN: dict[str, Any] = {
    "source": "discard", "winner": "甲", "payer": "乙", "hu": 16, "xing_count": 1,
}  # fmt: skip
"""甲 +6, 乙 −6 under `competition`."""
FLIP: dict[str, Any] = {"source": "own-flip", "winner": "丙", "hu": 10, "xing_count": 0}
"""丙 +4, the others −2."""
DRAWN: dict[str, Any] = {"source": "draw"}


@dataclass
class Hall:
    """One table of one round with its people."""

    competition: Competition
    table: Table
    sheet: Sheet
    entrants: list[Entrant]
    chief: Acting
    referee: Acting

    def table_link(self) -> Acting:
        """The table's link."""
        issued = issue_link(
            acting=self.chief, competition=self.competition, role=Role.TABLE, table=self.table
        )
        return Acting(
            link_id=issued.link.pk,
            competition_id=self.competition.pk,
            roles=frozenset({Role.TABLE}),
            table_ids=frozenset({self.table.pk}),
        )

    def entrant_link(self, position: int) -> Acting:
        """The link of who sits at a position."""
        entrant = self.entrants[position]
        issued = issue_link(
            acting=self.chief, competition=self.competition, role=Role.ENTRANT, entrant=entrant
        )
        return Acting(
            link_id=issued.link.pk,
            competition_id=self.competition.pk,
            roles=frozenset({Role.ENTRANT}),
            entrant_ids=frozenset({entrant.pk}),
        )

    def board(self) -> Board:
        """The sheet as it stands."""
        return Board(Sheet.objects.get(pk=self.sheet.pk))

    def enter(self, payload: dict[str, Any], **more: Any) -> HandVersion:
        """A result line entered by the referee."""
        return enter_hand(
            acting=more.pop("acting", self.referee),
            sheet=self.sheet,
            entered=result(payload, more.pop("difference", Difference.ASK)),
            **more,
        )

    def fill(self, *payloads: dict[str, Any]) -> None:
        """These hands; without any, wins of 甲 until the sheet is full."""
        for payload in payloads or [WIN] * self.sheet.hands_planned:
            self.enter(payload)


def result(payload: dict[str, Any], difference: Difference = Difference.ASK) -> Entered:
    return Entered(Evidence.RESULT, payload, difference)


def totals(*deltas: int, hands: int = 1) -> Entered:
    return Entered(Evidence.TOTALS, {"deltas": list(deltas), "hands": hands})


def make_hall(
    hands: int = 4,
    mode: ConfirmationMode = ConfirmationMode.PLAYERS,
    *,
    seats: int = 3,
    filler: bool = False,
    is_last: bool = False,
    stage: dict[str, Any] | None = None,
    event: dict[str, Any] | None = None,
) -> Hall:
    """A published table of new entrants, the last of them a filler where told."""
    made = make_event(**(event or {}))
    stage_ = make_stage(made, hands=hands, confirmation=mode, **(stage or {}))
    round_ = make_round(stage_, state=State.PUBLISHED, hands=hands, is_last=is_last)
    count = seats - 1 if filler else seats
    entrants = [make_entrant(made, f"选手{i}") for i in range(1, count + 1)]
    table = make_table(round_, entrants=[*entrants, *([None] if filler else [])])
    competition = made.competition
    return Hall(
        competition=competition,
        table=table,
        sheet=open_sheet(table),
        entrants=entrants,
        chief=make_acting(competition, Role.CHIEF),
        referee=make_acting(competition, Role.REFEREE),
    )
