"""The rows of a drawn plan: rounds, tables, seats, made in bulk (C2.1, C3.5, C5.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tournament.enums import State
from tournament.models import Entrant, Round, Seat, Stage, Table
from tournament.pairing.deal import Deal
from tournament.pairing.plan import PlanRound, PlanTable, SeatKind, first_dealer

BATCH = 500
THIRD = 2
"""Two losers, each second at a table of two, play for third place."""
Place = tuple[int, int]
"""Round and number of a table."""


def clear_rounds(stage: Stage, first: int = 1) -> None:
    """Removes an earlier draw's rounds from number `first` on with their tables and seats; the
    caller has made sure that no hand is in."""
    Seat.objects.filter(round__stage=stage, round__number__gte=first).delete()
    stage.rounds.filter(number__gte=first).delete()


def build_rounds(stage: Stage, deal: Deal, entrants: Mapping[int | None, Entrant]) -> list[Round]:
    """All rounds of a deal, drawn and not yet published; `entrants` by number.

    A preliminary's have neither a last round nor zones, as nobody goes on from a table; nor has a
    round of `redraw` before its final.
    """
    is_tree = deal.columns is None and len(deal.rounds[-1].tables) == 1
    last = deal.rounds[-1].number if is_tree else None
    rounds = Round.objects.bulk_create(
        [_round(stage, planned, is_last=planned.number == last) for planned in deal.rounds]
    )
    zones = zones_of(deal.rounds) if is_tree else {}
    tables = Table.objects.bulk_create(
        [
            Table(
                round=round_,
                number=table.number,
                seat_count=len(table.seats),
                first_dealer=first_dealer(planned.number, stage.table_size) % len(table.seats),
                zone=zones.get((planned.number, table.number), ""),
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
    if stage.third_table and len(rounds) > 1:
        add_third_table(rounds[-2], rounds[-1])
    return rounds


def add_third_redrawn(last: Round, losers: Sequence[int]) -> Table | None:
    """As `add_third_table` for `redraw`, where the two losers are known when the final is drawn."""
    if len(losers) != THIRD:
        return None
    final = last.tables.get()
    table = _third(final)
    Seat.objects.bulk_create(
        Seat(table=table, round=last, position=position, entrant_id=loser)
        for position, loser in enumerate(losers)
    )
    return table


def add_third_table(before: Round, last: Round) -> Table | None:
    """The table beside the final for the losers of the two tables before it, with as many as the
    draw has given two players. None where there are no two losers.

    The rows of both rounds are there; the table is as far as the final.
    """
    final = last.tables.get(is_third=False)
    semis = list(before.tables.order_by("number"))
    if len(semis) != THIRD or last.tables.filter(is_third=True).exists():
        return None
    if Seat.objects.filter(table__in=semis, is_filler=True).exists():
        return None
    table = _third(final)
    Seat.objects.bulk_create(
        Seat(table=table, round=last, position=position, source=semi, source_place=THIRD)
        for position, semi in enumerate(semis)
    )
    return table


def _third(final: Table) -> Table:
    return Table.objects.create(
        round=final.round,
        number=final.number + 1,
        seat_count=THIRD,
        first_dealer=final.first_dealer,
        is_third=True,
        state=final.state,
    )


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
