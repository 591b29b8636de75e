"""The draw of one round of style `redraw` (C3.2, C4.4).

The tables of the round are the zones, all at one level: seeds go to tables without one first, then
units, each member to the table with the fewest of his apart groups, then the most free seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tournament.pairing.deal import Deal, deal
from tournament.pairing.freeze import Line
from tournament.pairing.plan import Plan, PlanRound, PlanTable, Seat, SeatKind, Way, fillers_at
from tournament.pairing.redraw import table_sizes
from tournament.pairing.words import WordStream


def one_round(entrants: int, table_size: int, advance: int) -> tuple[PlanTable, ...]:
    """The tables of a round for so many: as even as possible, short ones filled (C3.2). One goes
    on from the only table."""
    sizes = table_sizes(entrants, table_size)
    going = advance if len(sizes) > 1 else 1
    return tuple(
        PlanTable(
            number,
            (Seat(SeatKind.ENTRANT),) * size
            + (Seat(SeatKind.FILLER),) * fillers_at(size, table_size),
            going,
        )
        for number, size in enumerate(sizes, 1)
    )


def deal_round(
    number: int,
    table_size: int,
    advance: int,
    lines: Sequence[Line],
    apart: Sequence[Sequence[int]],
    stream: WordStream,
    pots: Sequence[Sequence[int]] = (),
) -> Deal:
    """Deals the entrants of `lines` to the tables of round `number`, by `pots` where there are.

    It is dealt as a plan whose tables all lead to one more, which is then left out.
    """
    tables = one_round(len(lines), table_size, advance)
    rounds = [PlanRound(1, tables)]
    if len(tables) > 1:
        meeting = tuple(Seat(SeatKind.FEEDER, table=one.number, place=1) for one in tables)
        rounds.append(PlanRound(2, (PlanTable(1, meeting, 1),)))
    plan = Plan(len(lines), table_size, advance, Way.BYES, tuple(rounds))
    dealt = deal(plan, lines, apart, stream, pots)
    return replace(
        dealt,
        rounds=(PlanRound(number, dealt.rounds[0].tables),),
        together=tuple(replace(one, round=number) for one in dealt.together),
    )
