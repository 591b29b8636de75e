"""The sums of a sheet (C6.5, C8.1, C2.3): hands and penalties in, net 舵 and ranking out.

Pure: plain frozen values, seats are positions from 0 = 甲.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.rules import Rules
from engine.settle import next_dealer as next_dealer_of
from scoring.ranking import ExtraHand, Player


@dataclass(frozen=True)
class HandLine:
    """A hand as it counts: its newest version, a ruling's deltas in their place (C6.6).

    `winners` is None where unknown; `hands` is how many hands the line stands for (totals from
    paper may sum up several). `among` are the seats level in a 加赛, None for a usual hand.
    Of a game (`is_game`, C10) `second` is what is compared after `deltas`, None where unknown.
    """

    number: int
    deltas: tuple[int, ...]
    winners: tuple[int, ...] | None = None
    payer: int | None = None
    dealer: int | None = None
    hands: int = 1
    is_void: bool = False
    ruled: tuple[int, ...] | None = None
    among: frozenset[int] | None = None
    is_game: bool = False
    second: tuple[int, ...] | None = None

    @property
    def points(self) -> tuple[int, ...]:
        """What counts: the ruling's deltas where there is one."""
        return self.deltas if self.ruled is None else self.ruled

    @property
    def counts(self) -> bool:
        """Whether it is in the sums: neither void nor a 加赛."""
        return not self.is_void and self.among is None

    @property
    def winners_counted(self) -> tuple[int, ...] | None:
        """Who has won it: under a ruling those whom it gives points."""
        if self.ruled is None:
            return self.winners
        if self.is_game:
            best = max(self.ruled)
            won = tuple(seat for seat, value in enumerate(self.ruled) if value == best)
            return won if len(won) < len(self.ruled) else ()
        return tuple(seat for seat, points in enumerate(self.ruled) if points > 0)

    @property
    def payer_counted(self) -> int | None:
        """Who discarded the winning card, unless a ruling takes nothing from him."""
        if self.ruled is not None and self.payer is not None and self.ruled[self.payer] >= 0:
            return None
        return self.payer


@dataclass(frozen=True)
class PenaltyLine:
    """A penalty in force: `deltas` to the opponents, or `deducted` from the seat (C6.5)."""

    position: int
    deltas: tuple[int, ...]
    deducted: int = 0


@dataclass(frozen=True)
class SeatSum:
    """A seat's sums: `net` in 舵 with penalties and rulings, `deducted` 扣罚 (≥ 0), inside net.

    `hands_won` and `discards` (点炮) are None where a hand is known by totals only. Of games (C10)
    `net` is games won or points, `second` the other of the two where it is known.
    """

    position: int
    net: int
    hands_won: int | None
    discards: int | None
    deducted: int = 0
    second: int | None = None


@dataclass(frozen=True)
class Sums:
    """A sheet's sums; `played` counts hands without void ones and 加赛."""

    seats: tuple[SeatSum, ...]
    played: int

    @property
    def balance(self) -> int:
        """Σ net + Σ 扣罚, which is 0 (C6.5)."""
        return sum(seat.net + seat.deducted for seat in self.seats)


def sum_up(seats: int, hands: Sequence[HandLine], penalties: Sequence[PenaltyLine] = ()) -> Sums:
    """Adds up a sheet of `seats` seats."""
    counted = [line for line in hands if line.counts]
    known = all(line.winners_counted is not None for line in counted)
    return Sums(
        seats=tuple(_seat_sum(seat, counted, penalties, known) for seat in range(seats)),
        played=sum(line.hands for line in counted),
    )


def _seat_sum(
    seat: int, counted: Sequence[HandLine], penalties: Sequence[PenaltyLine], known: bool
) -> SeatSum:
    deducted = sum(p.deducted for p in penalties if p.position == seat)
    won = sum(seat in (line.winners_counted or ()) for line in counted)
    discards = sum(line.payer_counted == seat for line in counted)
    return SeatSum(
        position=seat,
        net=sum(line.points[seat] for line in counted)
        + sum(p.deltas[seat] for p in penalties)
        - deducted,
        hands_won=won if known else None,
        discards=discards if known else None,
        deducted=deducted,
        second=_second(seat, counted),
    )


def _second(seat: int, counted: Sequence[HandLine]) -> int | None:
    known = [line.second for line in counted if line.second is not None and line.ruled is None]
    return sum(one[seat] for one in known) if counted and len(known) == len(counted) else None


def running(seats: int, hands: Sequence[HandLine]) -> list[tuple[int, ...]]:
    """The totals after each line, in order; void hands and 加赛 leave them as they are."""
    totals = [0] * seats
    rows = []
    for line in hands:
        if line.counts:
            totals = [total + line.points[seat] for seat, total in enumerate(totals)]
        rows.append(tuple(totals))
    return rows


def next_dealer(
    hands: Sequence[HandLine], *, first: int, rotate: bool, seats: int, rules: Rules
) -> int:
    """Who deals the next hand (C2.3): `rotate`, or R9.5 from the last hand.

    Where only points are known, the one seat with a plus has won.
    """
    played = [line for line in hands if line.counts]
    if rotate:
        return (first + sum(line.hands for line in played)) % seats
    dealer = first
    for line in played:
        dealer = dealer if line.dealer is None else line.dealer
        dealer = next_dealer_of(dealer, _known_winners(line), seats=seats, rules=rules)
    return dealer


def _known_winners(line: HandLine) -> tuple[int, ...]:
    if line.winners is not None:
        return line.winners
    ahead = tuple(seat for seat, points in enumerate(line.deltas) if points > 0)
    return ahead if len(ahead) == 1 else ()


@dataclass(frozen=True)
class Sitter:
    """Who sits at a position: a filler or an entrant with what ranks him besides his hands."""

    position: int
    filler: bool = False
    forfeit: bool = False
    prelim: int | None = None
    lot: int | None = None


def players(sums: Sums, sitters: Sequence[Sitter]) -> list[Player]:
    """The players of `scoring.ranking.rank_table`, keyed by position."""
    by_position = {seat.position: seat for seat in sums.seats}
    return [
        Player(
            key=sitter.position,
            net=by_position[sitter.position].net,
            hands_won=by_position[sitter.position].hands_won,
            discards=by_position[sitter.position].discards,
            prelim=sitter.prelim,
            lot=sitter.lot,
            filler=sitter.filler,
            forfeit=sitter.forfeit,
            second=by_position[sitter.position].second,
        )
        for sitter in sitters
    ]


def extras(hands: Sequence[HandLine]) -> list[ExtraHand]:
    """The 加赛 in the order played (C8.2), void ones left out."""
    return [
        ExtraHand(
            among=line.among,
            deltas={seat: line.points[seat] for seat in sorted(line.among)},
        )
        for line in hands
        if line.among is not None and not line.is_void
    ]
