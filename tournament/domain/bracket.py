"""The rows of a drawn plan: rounds, tables, seats, made in bulk (C2.1, C3.5)."""

from __future__ import annotations

from collections.abc import Mapping

from tournament.enums import State
from tournament.models import Entrant, Round, Seat, Stage, Table
from tournament.pairing.deal import Deal
from tournament.pairing.plan import PlanRound, PlanTable, SeatKind, first_dealer

BATCH = 500
Place = tuple[int, int]
"""Round and number of a table."""


def clear_rounds(stage: Stage) -> None:
    """Removes an earlier draw's rounds with their tables and seats; the caller has made sure
    that no hand is in."""
    Seat.objects.filter(round__stage=stage).delete()
    stage.rounds.all().delete()


def build_rounds(stage: Stage, deal: Deal, entrants: Mapping[int | None, Entrant]) -> list[Round]:
    """All rounds of a deal, drawn and not yet published; `entrants` by number."""
    last = deal.rounds[-1].number
    rounds = Round.objects.bulk_create(
        [_round(stage, planned, is_last=planned.number == last) for planned in deal.rounds]
    )
    zones = zones_of(deal.rounds)
    tables = Table.objects.bulk_create(
        [
            Table(
                round=round_,
                number=table.number,
                seat_count=len(table.seats),
                first_dealer=first_dealer(planned.number, stage.table_size),
                zone=zones[planned.number, table.number],
                state=State.DRAWN,
            )
            for round_, planned in zip(rounds, deal.rounds, strict=True)
            for table in planned.tables
        ],
        batch_size=BATCH,
    )
    numbers = {round_.pk: round_.number for round_ in rounds}
    made = {(numbers[table.round_id], table.number): table for table in tables}
    Seat.objects.bulk_create(
        [
            seat
            for planned in deal.rounds
            for table in planned.tables
            for seat in _seats(table, planned.number, made, entrants)
        ],
        batch_size=BATCH,
    )
    return rounds


def zones_of(rounds: tuple[PlanRound, ...]) -> dict[Place, str]:
    """(round, table) → its place in the tree: the final is `0`, what feeds it `0.0`, `0.1` …, in
    order of table number, and so on down."""
    zones: dict[Place, str] = {(rounds[-1].number, 1): "0"}
    for planned in reversed(rounds[1:]):
        for table in planned.tables:
            above = zones[planned.number, table.number]
            feeders = sorted({seat.table for seat in table.seats if seat.table is not None})
            for index, number in enumerate(feeders):
                zones[planned.number - 1, number] = f"{above}.{index}"
    return zones


def _round(stage: Stage, planned: PlanRound, *, is_last: bool) -> Round:
    return Round(
        stage=stage,
        number=planned.number,
        state=State.DRAWN,
        advance=planned.tables[0].advance,
        hands=stage.final_hands if is_last else stage.hands,
        minutes=stage.minutes,
        is_last=is_last,
    )


def _seats(
    planned: PlanTable,
    number: int,
    made: Mapping[Place, Table],
    entrants: Mapping[int | None, Entrant],
) -> list[Seat]:
    table = made[number, planned.number]
    return [
        Seat(
            table=table,
            round_id=table.round_id,
            position=position,
            entrant=entrants[seat.entrant] if seat.kind is SeatKind.ENTRANT else None,
            is_filler=seat.kind is SeatKind.FILLER,
            source=made[number - 1, seat.table] if seat.table is not None else None,
            source_place=seat.place,
        )
        for position, seat in enumerate(planned.seats)
    ]
