"""The state of a hand in play: who holds what, what lies where, and what is due.

Plain data with the look-ups that every other module of the play needs. What may happen in a
state is decided in `claims` and `legal`, what happens in `play`.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple, Self, TypeAlias

from engine import cards
from engine.cards import UNIT
from engine.evaluate import Grouping
from engine.events import Event, Special, Verb
from engine.melds import Kind, Meld
from engine.patterns import EIGHTS, FIVES
from engine.result import Result
from engine.rules import Rules
from engine.waits import Waits

Marks: TypeAlias = "dict[int, int]"
"""Card → number of the event at which it was let pass or discarded."""


class Phase(StrEnum):
    """What a hand waits for."""

    START = "start"
    """The dealer's first act, and before it the wins at the deal (R7.6)."""
    DISCARD = "discard"
    """`turn` owes a discard."""
    OPEN = "open"
    """A card is open: who takes it, or who flips next."""
    FLIP = "flip"
    """No card is open, and the player after `turn` flips: 重舵, 留, or nothing to discard."""
    WON = "won"
    """Somebody has won; a 醒 or another 胡 at the deal may still be due."""
    DRAWN = "drawn"
    """荒庄."""


class Open(NamedTuple):
    """The open card: the card, who discarded or flipped it, and whether it was flipped."""

    card: int
    seat: int
    was_flip: bool


class Way(NamedTuple):
    """One way to eat a card: the two cards it takes, the 比 laid with it, all of them packed,
    the 吃 of each seat, and the melds that lie then."""

    pair: tuple[int, ...]
    bi: tuple[tuple[int, ...], ...]
    taken: int
    events: tuple[Event, ...]
    melds: tuple[Meld, ...]


class Forced(NamedTuple):
    """A compulsory claim on the open card (R6).

    `alone`: nothing else is legal; else (开舵) a 胡 may be declared instead.
    """

    verb: Verb
    seat: int
    alone: bool


UNSETTLED: Final = Forced(Verb.PASS, -1, False)
"""Stands for a compulsory claim that has not been looked for yet."""


class DealWin(NamedTuple):
    """A win at the deal that the rules let this seat declare (R7.6)."""

    seat: int
    special: Special
    grouping: Grouping


class State:
    """A hand in play as data. Seats are 0…3; lists over seats have `rules.seats` places.

    `hands` are packed and `free` the part of them that is not locked (R2.3); `tables` the melds
    laid, as they came; `triples` who has a 碰, 扫 or 过扫 of a card on the table, and which;
    `quads` the number of 龙, 扫穿 and 开舵 of each seat. `passed_chi`, `passed_peng` and `thrown`
    hold what R5.7 and R5.8 bar, `may_keep` who has his 留 left (R2.4), `piles` the cards that
    nobody took. `wall` is the known part of the wall, `drawn` the cards turned so far, `rest` the
    cards (packed) of which nothing is known. `card` is the open card, −1 where there is none,
    `giver` who discarded or flipped it at event `opened_at`, `holder` the one seat with two or
    three more of it in hand, or −1. `declined` are the seats that wrote 过 on it. `bare` is the
    card flipped for the 扫, 过扫 or 扫穿 just made, until the next act (R7.5).
    """

    __slots__ = (
        "_deal_wins",
        "_eats",
        "_forced",
        "_legal",
        "_waits",
        "_winning",
        "bare",
        "before",
        "card",
        "deal",
        "dealer",
        "declined",
        "drawn",
        "events",
        "following",
        "free",
        "giver",
        "hands",
        "holder",
        "may_keep",
        "opened_at",
        "order",
        "passed_chi",
        "passed_peng",
        "phase",
        "piles",
        "playing",
        "quads",
        "rest",
        "result",
        "rules",
        "seats",
        "shown",
        "tables",
        "thrown",
        "triples",
        "turn",
        "turned",
        "wall",
        "wall_left",
        "was_flip",
        "winners",
    )

    rules: Rules
    dealer: int
    seats: int
    playing: tuple[int, ...]
    following: tuple[int, ...]
    order: tuple[tuple[int, ...], ...]
    deal: tuple[tuple[int, ...], ...]
    shown: int
    hands: list[int]
    free: list[int]
    tables: list[tuple[Meld, ...]]
    triples: dict[int, tuple[int, Kind]]
    quads: list[int]
    passed_chi: list[Marks]
    passed_peng: list[Marks]
    thrown: list[Marks]
    may_keep: list[bool]
    piles: list[tuple[int, ...]]
    wall: tuple[int, ...]
    wall_left: int
    drawn: int
    rest: int
    phase: Phase
    turn: int
    card: int
    giver: int
    holder: int
    was_flip: bool
    opened_at: int
    declined: tuple[int, ...]
    bare: int | None
    before: int
    events: list[Event]
    winners: tuple[int, ...]
    turned: tuple[int, ...]
    result: Result | None
    _waits: list[Waits | None]
    _forced: Forced | None
    _legal: tuple[Event, ...]
    _eats: tuple[tuple[int, tuple[Way, ...]], ...] | None
    _winning: tuple[int, ...] | None
    _deal_wins: tuple[DealWin, ...] | None

    @property
    def open(self) -> Open | None:
        """The open card; it stays open when it has been won on."""
        return None if self.card < 0 else Open(self.card, self.giver, self.was_flip)

    def show(self, card: int, giver: int, was_flip: bool, at: int) -> None:
        """A card lies open since the event numbered `at`."""
        self.phase = Phase.OPEN
        self.card = card
        self.giver = self.turn = giver
        self.was_flip = was_flip
        self.opened_at = at
        self.declined = ()
        self.bare = None
        self.holder = -1
        for seat in self.playing:
            if self.hands[seat] >> 4 * card & 14:
                self.holder = seat
        self._forced = UNSETTLED
        self._eats = None
        self._winning = None

    def close(self) -> None:
        """No card is open any more, and nothing is remembered of the last one."""
        self.card = self.giver = self.holder = -1
        self.was_flip = False
        self.opened_at = 0
        self.declined = ()
        self._forced = None
        self._eats = None
        self._winning = None

    @property
    def number(self) -> int:
        """The number of the next event, from 1 (“第 12 手”)."""
        return self.before + len(self.events) + 1

    def copy(self) -> Self:
        """An independent twin; what never changes is shared."""
        twin = type(self).__new__(type(self))
        twin.rules = self.rules
        twin.dealer = self.dealer
        twin.seats = self.seats
        twin.playing = self.playing
        twin.following = self.following
        twin.order = self.order
        twin.deal = self.deal
        twin.shown = self.shown
        twin.hands = self.hands.copy()
        twin.free = self.free.copy()
        twin.tables = self.tables.copy()
        twin.triples = self.triples.copy()
        twin.quads = self.quads.copy()
        twin.passed_chi = [marks.copy() for marks in self.passed_chi]
        twin.passed_peng = [marks.copy() for marks in self.passed_peng]
        twin.thrown = [marks.copy() for marks in self.thrown]
        twin.may_keep = self.may_keep.copy()
        twin.piles = self.piles.copy()
        twin.wall = self.wall
        twin.wall_left = self.wall_left
        twin.drawn = self.drawn
        twin.rest = self.rest
        twin.phase = self.phase
        twin.turn = self.turn
        twin.card = self.card
        twin.giver = self.giver
        twin.holder = self.holder
        twin.was_flip = self.was_flip
        twin.opened_at = self.opened_at
        twin.declined = self.declined
        twin.bare = self.bare
        twin.before = self.before
        twin.events = self.events.copy()
        twin.winners = self.winners
        twin.turned = self.turned
        twin.result = self.result
        twin._waits = self._waits.copy()
        twin._forced = self._forced
        twin._legal = self._legal
        twin._eats = self._eats
        twin._winning = self._winning
        twin._deal_wins = self._deal_wins
        return twin

    def next_known(self) -> int | None:
        """The wall's next card where it is known, else None."""
        return self.wall[self.drawn] if self.drawn < len(self.wall) else None

    def flipper(self) -> int | None:
        """The seat whose flip is due once everybody has declined (R4.3–R4.5), or None."""
        if self.phase is Phase.OPEN:
            return self.following[self.giver]
        if self.phase is Phase.FLIP or (self.phase is Phase.START and not self.free[self.turn]):
            return self.following[self.turn]
        return None

    def discarder(self) -> int | None:
        """The seat that owes a discard and can make one (R4.2, R4.4), or None."""
        if self.phase is Phase.DISCARD or (self.phase is Phase.START and self.free[self.turn]):
            return self.turn
        return None


@lru_cache
def seating(
    seats: int, playing: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """For each seat the one that comes next, and the playing seats in order from it on."""
    following = [0] * seats
    order = [playing] * seats
    for i, seat in enumerate(playing):
        following[seat] = playing[(i + 1) % len(playing)]
        order[seat] = playing[i:] + playing[:i]
    return tuple(following), tuple(order)


def unlocked(hand: int) -> int:
    """The cards of a packed hand that are neither 坎 nor 龙 (R2.3)."""
    locked = hand + FIVES & EIGHTS
    return hand & ~((locked >> 3) * 15)


def has(free: int, needed: int) -> bool:
    """Whether a packed hand holds all of the packed cards `needed`."""
    return not ((free | EIGHTS) - needed ^ EIGHTS) & EIGHTS


FULL: Final = cards.COPIES * sum(UNIT)
"""All 80 cards, packed."""
