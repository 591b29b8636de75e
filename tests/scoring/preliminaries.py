"""Preliminaries drawn and played through the domain's own functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from scoring.domain.hands import Entered, enter_hand
from scoring.domain.sheets import open_sheet, submit_sheet
from scoring.enums import Evidence
from tests.tournament.competitions import Made, make
from tournament.domain.draws import enter_words, freeze_draw, publish_draw
from tournament.enums import DONE, ConfirmationMode, Cut, StageKind
from tournament.models import Draw, Seat, Stage, Table

HANDS = 2
Deltas = Callable[[Sequence[Seat]], Sequence[int]]
"""The seats of a table → what each has won there."""


def make_preliminary(
    entrants: int,
    rounds: int = 3,
    *,
    cut: Cut = Cut.USUAL,
    table_size: int = 3,
    advance: int = 1,
    extra_hands: bool = False,
) -> Made:
    """A competition whose first stage is a preliminary of two hands a table; the knock-out's
    sheets are confirmed as they are submitted too. `stage` is the preliminary. Without
    `extra_hands` the lot decides at once, whoever the draw seats together."""
    made = make(entrants)
    knockout = made.stage
    knockout.hands = knockout.final_hands = HANDS
    knockout.table_size, knockout.advance = table_size, advance
    knockout.confirmation = ConfirmationMode.NONE
    knockout.save()
    made.stage = Stage.objects.create(
        event=made.event,
        kind=StageKind.PRELIM,
        advance=0,
        round_count=rounds,
        cut=cut,
        hands=HANDS,
        confirmation=ConfirmationMode.NONE,
        extra_hands=extra_hands,
    )
    return made


def knockout_of(made: Made) -> Made:
    """The same competition with its knock-out as `stage`."""
    stage = made.event.stages.get(kind=StageKind.KNOCKOUT)
    return Made(made.competition, made.event, stage, made.owner)


def draw_and_publish(made: Made, words: str = "红红黑") -> Draw:
    """The stage is frozen, drawn and published."""
    frozen = freeze_draw(acting=made.owner, stage=made.stage)
    drawn = enter_words(acting=made.owner, draw=frozen, words=words)
    publish_draw(acting=made.owner, stage=made.stage)
    return drawn


def by_number(seats: Sequence[Seat]) -> list[int]:
    """The lowest number wins the table, the next is second; a filler is always last."""
    numbers = [seat.entrant.number if seat.entrant else 10_000 + seat.position for seat in seats]
    order = sorted(range(len(seats)), key=lambda position: numbers[position] or 0)
    worth = {2: (4, -4), 3: (6, -2, -4), 4: (6, 1, -3, -4)}[len(seats)]
    deltas = [0] * len(seats)
    for place, position in enumerate(order):
        deltas[position] = worth[place]
    return deltas


def level(seats: Sequence[Seat]) -> list[int]:
    """Nobody wins anything."""
    return [0] * len(seats)


def by(strength: Mapping[int, int]) -> Deltas:
    """Deltas that are exactly these by entrant's number; a filler gets the rest."""

    def deltas(seats: Sequence[Seat]) -> list[int]:
        known = [strength.get(s.entrant.number or 0, 0) if s.entrant else None for s in seats]
        rest = -sum(value for value in known if value is not None)
        return [rest if value is None else value for value in known]

    return deltas


def seats_of(table: Table) -> list[Seat]:
    return list(table.seats.select_related("entrant__entry").order_by("position"))


def play_table(made: Made, table: Table, deltas: Deltas = by_number) -> None:
    """All hands of a table as one line of totals; submitting confirms it."""
    sheet = open_sheet(table)
    payload = {"deltas": list(deltas(seats_of(table))), "hands": sheet.hands_planned}
    enter_hand(acting=made.owner, sheet=sheet, entered=Entered(Evidence.TOTALS, payload))
    submit_sheet(acting=made.owner, sheet=sheet)


def play_round(made: Made, number: int, deltas: Deltas = by_number) -> None:
    """Every table of a round that is not done yet."""
    for table in made.tables(number):
        if table.state not in DONE:
            play_table(made, table, deltas)


def play_all(made: Made, deltas: Deltas = by_number) -> None:
    """Every round of the stage."""
    for number in made.stage.rounds.order_by("number").values_list("number", flat=True):
        play_round(made, number, deltas)
