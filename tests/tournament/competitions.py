"""Competitions made and played through the domain's own functions, with made-up results."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from tests.factories import make_user
from tournament.acting import Acting
from tournament.domain.competitions import create_competition
from tournament.domain.draws import enter_words, freeze_draw, publish_draw
from tournament.domain.entries import add_pasted
from tournament.domain.results import SeatResult
from tournament.domain.settings import set_plan
from tournament.domain.starting import start_table
from tournament.domain.tables import Finished, finish_table
from tournament.enums import EntrantStatus, Role, Way
from tournament.models import Competition, Draw, Entrant, Event, Stage, Table


@dataclass
class Made:
    """A competition with its one event and knock-out, and its owner who is chief too."""

    competition: Competition
    event: Event
    stage: Stage
    owner: Acting

    def tables(self, round_number: int) -> list[Table]:
        """The tables of a round in order."""
        return list(Table.objects.filter(round__stage=self.stage, round__number=round_number))


def names(count: int) -> str:
    """A list to paste: 选手1 … in units of four."""
    return "\n".join(f"选手{i}\t单位{(i - 1) // 4 + 1}" for i in range(1, count + 1))


def make(entrants: int = 0) -> Made:
    """A new competition with so many entrants; its creator is OWNER and CHIEF."""
    user = make_user()
    competition = create_competition(
        user=user, name="漓江杯", starts_on=date(2026, 12, 5), also_chief=True
    )
    owner = Acting(
        user_id=user.pk,
        competition_id=competition.pk,
        roles=frozenset({Role.OWNER, Role.CHIEF}),
    )
    event = competition.events.get()
    made = Made(competition, event, event.stages.get(), owner)
    if entrants:
        add_pasted(acting=owner, event=event, text=names(entrants))
    return made


def draw(made: Made, words: str = "红红黑", reason: str = "") -> Draw:
    """Freezes and draws."""
    frozen = freeze_draw(acting=made.owner, stage=made.stage, reason=reason)
    return enter_words(acting=made.owner, draw=frozen, words=words)


def make_published(
    entrants: int, table_size: int = 3, advance: int = 1, way: Way | None = None
) -> Made:
    """A competition whose draw is published."""
    made = make(entrants)
    set_plan(
        acting=made.owner,
        stage=made.stage,
        table_size=table_size,
        advance=advance,
        way=way,
        entrants=entrants,
    )
    draw(made)
    publish_draw(acting=made.owner, stage=made.stage)
    made.stage.refresh_from_db()
    return made


def results(table: Table, first: int = 0) -> list[SeatResult]:
    """Made-up results: entrants placed from seat `first` on round the table, fillers dropped."""
    seats = list(table.seats.order_by("position"))
    seats = seats[first:] + seats[:first]
    places = {}
    for seat in seats:
        if seat.entrant_id is not None:
            places[seat.position] = len(places) + 1
    return [
        SeatResult(
            seat.position,
            places.get(seat.position),
            places.get(seat.position, 99) <= table.advance,
        )
        for seat in seats
    ]


def play(made: Made, table: Table, first: int = 0) -> Finished:
    """The table's first hand and its end."""
    start_table(acting=made.owner, table=table)
    return finish_table(acting=made.owner, table=table, results=results(table, first))


def play_out(made: Made) -> Entrant | None:
    """Every table in order, to the champion."""
    champion = None
    for round_ in made.stage.rounds.order_by("number"):
        for index, table in enumerate(round_.tables.order_by("number")):
            champion = play(made, table, index % 2).champion
    return champion


def out(made: Made) -> int:
    """How many are eliminated."""
    return made.event.entrants.filter(status=EntrantStatus.OUT).count()
