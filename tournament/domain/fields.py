"""The next field of a `redraw`: who goes on from a round, and what a change of that does (C3.2).

While tables of a round still play, whoever came directly behind those who go on stays in: he may
be among the best of them (C8.4). Once the whole round is confirmed `scoring` ranks them and calls
`declare_field`; `Seat.advances` of the round then says who is in the next draw. Callers hold the
event's lock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest

from django.db.models import QuerySet

from core.actors import Actor
from core.domain.audit import audit
from tournament.domain.bracket import clear_rounds
from tournament.domain.leaving import GONE
from tournament.domain.results import Feed, Move
from tournament.enums import BEFORE_PLAY, EntrantStatus, State, Style
from tournament.models import Draw, Entrant, Round, Seat, Stage
from tournament.pairing.redraw import next_field

DRAFT = (State.PLANNED, State.DRAWN)


def is_redrawn(round_: Round) -> bool:
    """Whether another draw follows this round. Needs `stage`."""
    return round_.stage.style == Style.REDRAW and not round_.is_last


def size_after(round_: Round) -> int:
    """How many the next field takes, by who was seated in this one (C3.2). One query."""
    seats = Seat.objects.filter(round=round_, entrant__isnull=False, table__is_third=False)
    sizes = Counter(seats.values_list("table", flat=True)).values()
    return next_field(tuple(sizes), round_.stage.table_size, round_.advance)[0] if sizes else 0


def next_round(round_: Round) -> Round | None:
    """The round that was drawn after this one."""
    return Round.objects.filter(stage=round_.stage_id, number=round_.number + 1).first()


def who_can_go(round_: Round) -> set[int]:
    """The entrants of the round who may be in the next field: none who forfeited here, and none
    who has left, unless he left a seat there already. Two queries."""
    here = Seat.objects.filter(round=round_, entrant__isnull=False, forfeits=False)
    found = dict(here.values_list("entrant", "entrant__status"))
    after = next_round(round_)
    held = {_holder(seat) for seat in _seats_of(after)} if after else set()
    return {pk for pk, status in found.items() if status not in GONE or pk in held}


def going_from(round_: Round) -> list[int]:
    """Who goes on as declared, by number. One query."""
    seats = Seat.objects.filter(round=round_, advances=True, entrant__isnull=False)
    return list(seats.order_by("entrant__entry__number").values_list("entrant", flat=True))


def moves_for(round_: Round, going: Sequence[int]) -> tuple[Move, ...]:
    """What it changes that these go on: seats of the next round where it is published, else
    moves without a seat. Two queries."""
    after = next_round(round_)
    if after is not None and after.state not in DRAFT:
        return _moves(list(_seats_of(after, is_third=False)), going)
    before = going_from(round_)
    leaving = [pk for pk in before if pk not in going]
    entering = [pk for pk in going if pk not in before]
    return tuple(
        Move(Feed(0, 0, 0, out, False), instead) for out, instead in zip_longest(leaving, entering)
    )


def declare_field(*, acting: Actor, round_: Round, going: Sequence[int]) -> None:
    """These go on from the confirmed round, everybody else of it is out.

    A list that is frozen for others falls, as does a draw that is not published; published seats
    are given to who has won them (the tables have no hand, or stand empty for a replay).
    """
    Seat.objects.filter(round=round_, entrant__isnull=False, table__is_third=False).update(
        advances=False
    )
    Seat.objects.filter(round=round_, entrant__in=going).update(advances=True)
    staying = {*going, *losers_for_third(round_, going)}
    here = Entrant.objects.filter(seats__round=round_).exclude(
        pk__in=Seat.objects.filter(
            round__stage=round_.stage_id, round__number__gt=round_.number, entrant__isnull=False
        ).values("entrant")
    )
    ids = list(here.values_list("pk", flat=True))
    of_round = Entrant.objects.filter(pk__in=ids)
    of_round.filter(pk__in=staying, status=EntrantStatus.OUT).update(status=EntrantStatus.IN)
    of_round.exclude(pk__in=staying).filter(status=EntrantStatus.IN).update(
        status=EntrantStatus.OUT
    )
    _follow(acting, round_, going)


def take_back_field(round_: Round) -> None:
    """The round is not wholly confirmed any more: nobody but its tables' winners goes on, and
    who came directly behind them is in again."""
    seats = Seat.objects.filter(round=round_, entrant__isnull=False, place__isnull=False)
    seats.filter(place__gt=round_.advance).update(advances=False)
    waiting = seats.filter(place=round_.advance + 1, forfeits=False)
    Entrant.objects.filter(
        pk__in=list(waiting.values_list("entrant", flat=True)), status=EntrantStatus.OUT
    ).update(status=EntrantStatus.IN)


def frozen_for(stage: Stage, number: int) -> Draw | None:
    """The list that is frozen for the draw of round `number`, the words still to come."""
    return stage.draws.filter(number__isnull=True, round_number=number).first()


def is_next_begun(round_: Round) -> bool:
    """Whether the round after it is frozen or drawn."""
    after = round_.number + 1
    return (
        frozen_for(round_.stage, after) is not None
        or Round.objects.filter(stage=round_.stage_id, number=after).exists()
    )


def losers_for_third(round_: Round, going: Sequence[int]) -> list[int]:
    """At tables of two the losers before the final, where they play for third place. One query."""
    if not round_.stage.third_table or len(going) != 2:
        return []
    seats = list(Seat.objects.filter(round=round_).order_by("table__number", "position"))
    if len({seat.table_id for seat in seats}) != 2 or any(seat.is_filler for seat in seats):
        return []
    lost = [seat.entrant_id for seat in seats if seat.entrant_id not in going]
    return [pk for pk in lost if pk is not None]


def _follow(acting: Actor, round_: Round, going: Sequence[int]) -> None:
    """The next draw or its seats, where they were made for others."""
    after = next_round(round_)
    if after is None:
        frozen = frozen_for(round_.stage, round_.number + 1)
        if frozen is not None and _listed(frozen) != _numbers(going):
            _fall(acting, round_, frozen)
            frozen.delete()
        return
    seats = list(_seats_of(after, is_third=False))
    if after.state in DRAFT:
        if {_holder(seat) for seat in seats} != set(going):
            _fall(acting, round_, after)
            clear_rounds(round_.stage, after.number)
        return
    moves = _moves(seats, going)
    third = list(_seats_of(after, is_third=True))
    if third:
        moves += _moves(third, losers_for_third(round_, going))
    _apply([*seats, *third], moves)


def _listed(frozen: Draw) -> set[int]:
    return {int(line.split("\t")[0]) for line in frozen.lines.splitlines()}


def _numbers(going: Sequence[int]) -> set[int | None]:
    return set(Entrant.objects.filter(pk__in=going).values_list("entry__number", flat=True))


def _fall(acting: Actor, round_: Round, subject: Draw | Round) -> None:
    audit(
        actor=acting,
        action="draw.fall",
        scope=f"competition:{round_.stage.event.competition_id}",
        subject=subject,
        data={"round": round_.number + 1},
    )


def _seats_of(round_: Round, *, is_third: bool | None = None) -> QuerySet[Seat]:
    """The seats that the draw gave to entrants, with their table."""
    seats = Seat.objects.filter(round=round_).exclude(
        is_filler=True, stands_for=None, gap_filled=False
    )
    if is_third is not None:
        seats = seats.filter(table__is_third=is_third)
    return seats.select_related("table").order_by("table__number", "position")


def _holder(seat: Seat) -> int | None:
    """Whose seat it is: who sits there, or who has left it to somebody."""
    return None if seat.gap_filled else seat.stands_for_id or seat.entrant_id


def _moves(seats: Sequence[Seat], going: Sequence[int]) -> tuple[Move, ...]:
    held = {_holder(seat) for seat in seats}
    entering = [pk for pk in going if pk not in held]
    leaving = [seat for seat in seats if _holder(seat) not in going]
    return tuple(
        Move(
            Feed(
                seat.pk,
                seat.table_id,
                0,
                _holder(seat),
                seat.table.state not in BEFORE_PLAY,
            ),
            instead,
        )
        for seat, instead in zip_longest(leaving, entering[: len(leaving)])
        if _holder(seat) is not None or instead is not None
    )


def _apply(seats: Sequence[Seat], moves: Sequence[Move]) -> None:
    """They are emptied first, as no round has an entrant twice, not even for a moment. A seat
    that nobody is left for gets a filler, one a table, or stays empty (C9.3, C1.3)."""
    by_id = {seat.pk: seat for seat in seats}
    changed = [by_id[move.feed.seat_id] for move in moves]
    put_there = [
        seat.entrant_id
        for seat in changed
        if seat.entrant_id is not None and (seat.stands_for_id is not None or seat.gap_filled)
    ]
    Seat.objects.filter(pk__in=[seat.pk for seat in changed]).update(entrant=None)
    left = [move.feed.entrant_id for move in moves]
    Entrant.objects.filter(pk__in=[*put_there, *left], status=EntrantStatus.IN).update(
        status=EntrantStatus.OUT
    )
    with_filler = set(
        Seat.objects.filter(
            table__in=[seat.table_id for seat in changed], is_filler=True
        ).values_list("table", flat=True)
    ) - {seat.table_id for seat in changed if seat.is_filler}
    for seat, move in zip(changed, moves, strict=True):
        is_filler = move.after is None and seat.table_id not in with_filler
        if is_filler:
            with_filler.add(seat.table_id)
        seat.entrant_id = move.after
        seat.is_filler, seat.gap_filled = is_filler, move.after is None
        seat.stands_for, seat.stood_in = None, []
        seat.forfeits, seat.sat_in_from = False, None
    Seat.objects.bulk_update(
        changed,
        [
            "entrant", "is_filler", "stands_for", "stood_in", "gap_filled", "forfeits",
            "sat_in_from",
        ],
    )  # fmt: skip
    entered = [move.after for move in moves if move.after is not None]
    Entrant.objects.filter(pk__in=entered, status=EntrantStatus.OUT).update(status=EntrantStatus.IN)
