"""Why one stands before the next in the standings (C8.5)."""

from __future__ import annotations

from scoring.criteria import Criterion
from scoring.finishes import rows
from scoring.queries_public import SeatRow, TableNet
from scoring.ranking import Reason
from tournament.enums import State


def seat(table: int, round_: int, position: int, entrant: int, place: int) -> SeatRow:
    return SeatRow(
        table=table,
        number=table,
        label="",
        state=State.FINAL,
        round=round_,
        position=position,
        entrant=entrant,
        name=f"选手{entrant}",
        unit="",
        is_filler=False,
        source=None,
        source_number=None,
        source_place=None,
        place=place,
        advances=place == 1,
        sat_in_from=None,
    )


def test_reasons_of_the_final_are_given_to_the_final_alone() -> None:
    """Two at the same seats of a first-round table have their own reason."""
    seats = [
        *(seat(1, 1, 0, 1, 1), seat(1, 1, 2, 2, 2), seat(1, 1, 1, 3, 3)),
        *(seat(9, 2, 0, 1, 1), seat(9, 2, 2, 4, 2), seat(9, 2, 1, 5, 3)),
    ]
    nets = {1: TableNet((10, -7, -3), 2), 9: TableNet((8, -6, -2), 2)}
    final = (Reason(0, 2, Criterion.NET, (8, -2)), Reason(2, 1, Criterion.NET, (-2, -6)))
    found = rows(seats, nets, {}, final)
    assert [(row.entrant, row.reason) for row in found] == [
        (1, "净舵 8 对 −2"),
        (4, "净舵 −2 对 −6"),
        (5, "多打进一轮"),
        (2, "桌上第 2 名在第 3 名前"),
        (3, ""),
    ]
