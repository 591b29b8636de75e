"""The planner: from the number of entrants to rounds, tables, byes and hands (C3, C5).

A format is `Terms`; `plan_event` makes its rounds in figures, a preliminary and the knock-out
after it or the knock-out alone. Who sits where is for the draw, when for `timetable`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from tournament.pairing.errors import PairingError
from tournament.pairing.plan import (
    DOZEN,
    RoundLength,
    Way,
    fillers_at,
    first_tables,
    no_such_way,
    ways,
)
from tournament.pairing.redraw import redraw_rounds
from tournament.pairing.rotation import LEAST as LEAST_OF_PRELIMINARY
from tournament.pairing.rotation import (
    SEATS,
    check_rounds,
    cuts,
    fillers_of,
    table_count,
)

MOST: Final = 2187
"""The largest field that is planned."""
USUAL_LENGTH: Final = RoundLength(12, DOZEN)
USUAL_FINAL: Final = RoundLength(24)


class Game(StrEnum):
    """What is played (C10)."""

    ZIPAI = "zipai"
    CHESS = "chess"
    PAIRS = "pairs"


class Style(StrEnum):
    """How the knock-out goes on (C3.1, C3.2); `USUAL` is the default of the fixed ones."""

    USUAL = "usual"
    BYES = "byes"
    COMPACT = "compact"
    REDRAW = "redraw"


class Part(StrEnum):
    """The part of an event that a round belongs to."""

    PRELIMINARY = "prelim"
    KNOCKOUT = "knockout"


class Cut(StrEnum):
    """The usual number that goes on, or the next power (C5.5)."""

    USUAL = "usual"
    DOWN = "down"
    UP = "up"


@dataclass(frozen=True, slots=True)
class Terms:
    """A format: what an organizer decides before anybody is drawn.

    `preliminary` is its number of rounds, 0 none. `dozen` are the minutes of twelve hands.
    `has_third_table`: at tables of two the losers before the final play for third place.
    `prizes` are the places with a prize (C8.5).
    """

    entrants: int
    table_size: int = 3
    advance: int = 1
    style: Style = Style.USUAL
    first_two: bool = False
    preliminary: int = 0
    cut: Cut = Cut.USUAL
    length: RoundLength = USUAL_LENGTH
    final: RoundLength | None = USUAL_FINAL
    dozen: int = DOZEN
    has_third_table: bool = True
    game: Game = Game.ZIPAI
    prizes: int = 9


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """A round in figures; `number` counts from 1 within its part.

    Of `field` entrants `players` sit at tables and `byes` do not. `extra` are second places that
    go on, `left` the entrants after it. `hands` and `minutes` are a table's. `tables` of a final
    with `has_third_table` counts that table too.
    """

    part: Part
    number: int
    is_final: bool
    field: int
    players: int
    byes: int
    tables: int
    four_seat_tables: int
    fillers: int
    extra: int
    left: int
    hands: int
    minutes: int
    has_third_table: bool = False

    @property
    def eliminated(self) -> int:
        """Who is out after it."""
        return self.field - self.left


@dataclass(frozen=True, slots=True)
class PlannedEvent:
    """A format's rounds, first to last. `has_skipped` tells that too few for a preliminary
    (C5.1) play the knock-out alone.
    """

    terms: Terms
    rounds: tuple[PlannedRound, ...]
    has_skipped: bool = False

    @property
    def byes(self) -> int:
        """Entrants who sit out the first round of the knock-out."""
        return sum(one.byes for one in self.rounds)

    @property
    def fillers(self) -> int:
        """Fillers of all rounds; the same one may do for several."""
        return sum(one.fillers for one in self.rounds)

    @property
    def tables(self) -> int:
        """Tables of all rounds: sheets to be filled."""
        return sum(one.tables for one in self.rounds)

    @property
    def most_tables(self) -> int:
        """The most tables of one round."""
        return max(one.tables for one in self.rounds)

    @property
    def four_seat_tables(self) -> int:
        """Tables of three that seat four (C2.2)."""
        return sum(one.four_seat_tables for one in self.rounds)

    @property
    def extra(self) -> int:
        """Second places that go on."""
        return sum(one.extra for one in self.rounds)

    @property
    def hands(self) -> int:
        """Hands of all tables together."""
        return sum(one.tables * one.hands for one in self.rounds)

    @property
    def surest(self) -> int:
        """Rounds that everybody plays at least; one where nobody knows of more."""
        return max(1, sum(one.part is Part.PRELIMINARY for one in self.rounds))

    @property
    def prizes(self) -> int:
        """Places with a prize."""
        return min(self.terms.prizes, self.terms.entrants)


def plan_event(terms: Terms) -> PlannedEvent:
    """The rounds of a format.

    Raises `PairingError`: those of `make_plan`, `redraw_rounds` and `rotation`, `round-length`,
    `plan-most` (more than 2,187 entrants), `plan-cut` (no such power), `plan-first` ((3,2)
    without `redraw`).
    """
    if terms.entrants > MOST:
        raise PairingError(
            "plan-most",
            f"最多可以编排 {MOST} 人。",
            f"At most {MOST} entrants can be planned.",
        )
    if terms.first_two and terms.style is not Style.REDRAW:
        raise PairingError(
            "plan-first",
            "首轮 3 进 2 只能和每轮重抽一起用。",
            "Two advancing in the first round goes with a redraw every round only.",
        )
    preliminary, field = _preliminary(terms)
    return PlannedEvent(
        terms,
        (*preliminary, *_knock_out(terms, field)),
        has_skipped=bool(terms.preliminary) and not preliminary,
    )


def _preliminary(terms: Terms) -> tuple[tuple[PlannedRound, ...], int]:
    """Its rounds and who goes on."""
    n = terms.entrants
    if not terms.preliminary or n < LEAST_OF_PRELIMINARY:
        return (), n
    check_rounds(n, terms.preliminary)
    left = _cut(terms)
    tables = table_count(n)
    hands, minutes = _each(terms)
    return tuple(
        PlannedRound(
            part=Part.PRELIMINARY,
            number=number,
            is_final=False,
            field=n,
            players=n,
            byes=0,
            tables=tables,
            four_seat_tables=0,
            fillers=len(fillers_of(n)),
            extra=0,
            left=left if number == terms.preliminary else n,
            hands=hands,
            minutes=minutes,
        )
        for number in range(1, terms.preliminary + 1)
    ), left


def _cut(terms: Terms) -> int:
    possible = cuts(terms.entrants, terms.table_size)
    left = possible and getattr(possible, terms.cut.value)
    if not left:
        raise PairingError(
            "plan-cut",
            f"{terms.entrants} 人的预赛没有这样的晋级人数，请选通常的。",
            f"With {terms.entrants} entrants there is no such cut; choose the usual one.",
        )
    return int(left)


def _knock_out(terms: Terms, field: int) -> tuple[PlannedRound, ...]:
    """From `field` entrants to the champion, with a table for third place where there is one."""
    is_redrawn = terms.style is Style.REDRAW
    rounds = _redraw(terms, field) if is_redrawn else _fixed(terms, field)
    semi = rounds[-2:-1]
    if terms.table_size == 2 and terms.has_third_table and semi and semi[0].players == 4:
        rounds[-1] = replace(rounds[-1], tables=2, has_third_table=True)
    return tuple(rounds)


def _fixed(terms: Terms, field: int) -> list[PlannedRound]:
    """The first round as C3.1 has it, then full tables only."""
    size, advance = terms.table_size, terms.advance
    possible = ways(field, size, advance)
    way = possible[0] if terms.style is Style.USUAL else Way(terms.style.value)
    if way not in possible:
        raise no_such_way(field)
    sizes = first_tables(field, size, advance, way)
    rounds: list[PlannedRound] = []
    while field > 1:
        players = sum(sizes)
        is_final = len(sizes) == 1 and players == field
        hands, minutes = _each(terms, is_final=is_final)
        left = 1 if is_final else field - players + len(sizes) * advance
        rounds.append(
            PlannedRound(
                part=Part.KNOCKOUT,
                number=len(rounds) + 1,
                is_final=is_final,
                field=field,
                players=players,
                byes=field - players,
                tables=len(sizes),
                four_seat_tables=sizes.count(4) if size == SEATS else 0,
                fillers=sum(fillers_at(one, size) for one in sizes),
                extra=0,
                left=left,
                hands=hands,
                minutes=minutes,
            )
        )
        field = left
        sizes = [size] * (field // size)
    return rounds


def _redraw(terms: Terms, field: int) -> list[PlannedRound]:
    first = 2 if terms.first_two else None
    found = redraw_rounds(field, terms.table_size, terms.advance, first_advance=first)
    rounds: list[PlannedRound] = []
    for one in found:
        is_final = one.number == len(found)
        hands, minutes = _each(terms, is_final=is_final)
        rounds.append(
            PlannedRound(
                part=Part.KNOCKOUT,
                number=one.number,
                is_final=is_final,
                field=one.field,
                players=one.field,
                byes=0,
                tables=len(one.sizes),
                four_seat_tables=0,
                fillers=one.fillers,
                extra=one.extra,
                left=one.left,
                hands=hands,
                minutes=minutes,
            )
        )
    return rounds


def _each(terms: Terms, *, is_final: bool = False) -> tuple[int, int]:
    """Hands and minutes of one table; no hands where another game is played."""
    length = terms.final if is_final and terms.final else terms.length
    minutes = length.estimate(terms.dozen)
    hands = minutes * 12 // terms.dozen
    if length.hands is not None:
        hands = min(hands, length.hands)
    return (hands if terms.game is Game.ZIPAI else 0), minutes
