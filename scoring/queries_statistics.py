"""The hands of confirmed tables as plain values, for records and players' numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import FilteredRelation, Q
from django.db.models.fields.json import KT

from engine.settle import playing_seats
from scoring.models import HandVersion
from scoring.queries_public import DELTAS, SeatRow, TableNet
from scoring.statistics import Fact, Sitting
from scoring.sums import HandLine

_COLUMNS = (
    "hand__sheet__table_id", "hand__number", "winners", "source", "payer", "dealer",
    "hu", "xing", "total", "payload__hands",
)  # fmt: skip
_RULED = tuple(f"ruled__{name}" for name in DELTAS)
FOUR = 4


def hand_facts(seats: Iterable[SeatRow], *, with_records: bool) -> list[Fact]:
    """The hands that count of those tables among the seats that are confirmed, by table in the
    order of the seats, then by number; void hands and 加赛 left out. One query.

    The text of a record is read only `with_records`.
    """
    count: dict[int, int] = {}
    for seat in seats:
        if seat.is_done:
            count[seat.table] = count.get(seat.table, 0) + 1
    texts = {"record": KT("payload__text")} if with_records else {}
    found = (
        HandVersion.objects.filter(
            is_current=True,
            is_void=False,
            hand__tie_break__isnull=True,
            hand__sheet__table__in=list(count),
        )
        .annotate(
            ruled=FilteredRelation("hand__rulings", condition=Q(hand__rulings__is_current=True)),
            **texts,
        )
        .order_by("hand__number")
        .values_list(*_COLUMNS, *DELTAS, *_RULED, *texts)
    )
    order = {table: index for index, table in enumerate(count)}
    facts = [_fact(values, count) for values in found]
    return sorted(facts, key=lambda fact: order[fact.table])


def _fact(values: tuple, count: Mapping[int, int]) -> Fact:
    table, number, winners, source, payer, dealer, hu, xing, total, hands, *rest = values
    seats = count[table]
    ruled = rest[4:8]
    out = None
    if dealer is not None and source:
        playing = playing_seats(seats, dealer)
        out = next((seat for seat in range(seats) if seat not in playing), None)
    return Fact(
        table=table,
        line=HandLine(
            number=number,
            deltas=tuple(rest[:seats]),
            winners=None if winners is None else tuple(winners),
            payer=payer,
            dealer=dealer,
            hands=int(hands or 1),
            ruled=None if ruled[0] is None else tuple(ruled[:seats]),
        ),
        source=source,
        hu=hu,
        xing=xing,
        total=total,
        out=out,
        record=(rest[8] or "") if len(rest) > 2 * len(DELTAS) else "",
    )


def sittings(seats: Iterable[SeatRow], nets: Mapping[int, TableNet]) -> list[Sitting]:
    """Who sat at the confirmed tables, in the order of the seats; `nets` as `table_nets` gives
    them."""
    return [
        Sitting(
            entrant=seat.entrant,
            table=seat.table,
            position=seat.position,
            net=nets[seat.table].nets[seat.position],
            place=seat.place,
            left=seat.sat_in_from,
        )
        for seat in seats
        if seat.is_done and seat.entrant is not None and seat.table in nets
    ]
