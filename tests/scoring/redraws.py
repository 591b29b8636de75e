"""A knock-out of style `redraw`, played round by round with one hand a table."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.domain.hands import Late, correct_hand, enter_hand
from scoring.domain.sheets import open_sheet, submit_sheet
from scoring.models import Hand
from tests.scoring.sheets import totals
from tests.tournament.competitions import Made, make
from tournament.domain.draws import enter_words, freeze_draw, publish_draw
from tournament.domain.formats import Format, set_format
from tournament.domain.settings import set_play
from tournament.enums import ConfirmationMode, EntrantStatus
from tournament.models import Draw, Entrant, Round, Table
from tournament.pairing.planner import Style

SEEN = Late("录像", effects_shown=True)
AS_PLAYED = Late("录像", effects_shown=True, as_played=True)
REPLAY = Late("录像", effects_shown=True, replay=True)


@dataclass
class Redrawn:
    """甲 wins at every table by one 舵 more than at the one before, 乙 is second."""

    made: Made

    @property
    def newest(self) -> Round:
        return self.made.stage.rounds.order_by("-number")[0]

    def draw(self, words: str = "红红黑", reason: str = "") -> Draw:
        frozen = freeze_draw(acting=self.made.owner, stage=self.made.stage, reason=reason)
        return enter_words(acting=self.made.owner, draw=frozen, words=words)

    def publish(self) -> None:
        publish_draw(acting=self.made.owner, stage=self.made.stage)

    def table(self, round_number: int, number: int) -> Table:
        return self.made.tables(round_number)[number - 1]

    def who(self, round_number: int, number: int) -> list[int | None]:
        seats = self.table(round_number, number).seats.order_by("position")
        return list(seats.values_list("entrant", flat=True))

    def play(self, table: Table, deltas: tuple[int, ...] = ()) -> None:
        """One hand; without `deltas` the entrants are placed in the order of their seats."""
        sheet = open_sheet(table)
        if not deltas:
            deltas = plain(table)
        enter_hand(acting=self.made.owner, sheet=sheet, entered=totals(*deltas))
        submit_sheet(acting=self.made.owner, sheet=sheet)

    def play_round(self, number: int) -> None:
        for table in self.made.tables(number):
            self.play(table)

    def correct(self, table: Table, deltas: tuple[int, ...], late: Late) -> None:
        hand = Hand.objects.get(sheet__table=table, number=1)
        correct_hand(acting=self.made.owner, hand=hand, entered=totals(*deltas), late=late)

    def next_round(self) -> None:
        """Draws, publishes and plays the next round."""
        self.draw()
        self.publish()
        self.play_round(self.newest.number)

    def play_out(self) -> list[int]:
        """Every round to the champion; returns the fields."""
        fields = []
        while not fields or not self.newest.is_last:
            self.next_round()
            seats = self.newest.seats.filter(entrant__isnull=False, table__is_third=False)
            fields.append(seats.count())
        return fields

    def play_out_rest(self) -> None:
        """From a confirmed round to the champion."""
        while not self.newest.is_last:
            self.next_round()

    def going(self, number: int) -> list[int | None]:
        round_ = self.made.stage.rounds.get(number=number)
        seats = round_.seats.filter(advances=True).order_by("table__number", "position")
        return list(seats.values_list("entrant", flat=True))

    def status(self, entrant: int | None) -> str:
        return Entrant.objects.get(pk=entrant).status

    def still_in(self) -> int:
        return self.made.event.entrants.filter(status=EntrantStatus.IN).count()


def plain(table: Table) -> tuple[int, ...]:
    """Entrants in the order of their seats, fillers last; the second loses least at high tables."""
    seats = list(table.seats.order_by("position"))
    order = [seat.position for seat in seats if seat.entrant_id]
    order += [seat.position for seat in seats if not seat.entrant_id]
    values = {0: 100, 1: table.number - 40, 2: -60, 3: -70}
    deltas = [0] * len(seats)
    for rank, position in enumerate(order):
        deltas[position] = values[rank]
    deltas[order[0]] -= sum(deltas)
    return tuple(deltas)


def make_redraw(entrants: int, **more: object) -> Redrawn:
    """One hand a table, nobody confirms; nothing drawn yet."""
    made = make(entrants)
    wanted = Format(style=Style.REDRAW, hands=1, final_hands=1, **more)  # type: ignore[arg-type]
    set_format(acting=made.owner, stage=made.stage, wanted=wanted, entrants=entrants)
    set_play(
        acting=made.owner,
        stage=made.stage,
        values={"confirmation": ConfirmationMode.NONE, "extra_hands": False},
    )
    made.stage.refresh_from_db()
    return Redrawn(made)
