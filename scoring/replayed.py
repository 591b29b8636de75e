"""A record as steps: after each event how the table lies, and before it what else was allowed.

For the pages that ask about a played hand, and for a viewer. Nothing is computed before it is
asked for, except the replay itself. `number` 0 is the deal; step n is the record's n-th event.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from engine import cards
from engine.claims import forced, waits_of, winning
from engine.errors import ZipaiError
from engine.events import SEATS, Event, Verb
from engine.melds import Meld, Source
from engine.play import Hand
from engine.record import Record
from engine.result import Result
from engine.rules import Rules
from engine.state import Open, Phase, State
from engine.views import View, view
from engine.words import compulsory

CHANCE: Final = frozenset((Verb.FLIP, Verb.XING, Verb.DRAW))
"""What the wall decides: which card comes is nobody's choice."""
CLAIMS: Final = frozenset(
    (Verb.CHI, Verb.PENG, Verb.SAO, Verb.GUOSAO, Verb.SAOCHUAN, Verb.KAIDUO, Verb.HU)
)
"""What takes the open card."""
_BEFORE_HU: Final = frozenset((Verb.SAO, Verb.GUOSAO, Verb.SAOCHUAN))
"""The flipper's own, which nobody's 胡 can come before (R6)."""


class Must(NamedTuple):
    """An act that the rules make compulsory: rule and sentence in both languages (R5.4–R6).

    `alone`: nothing else is legal; else (开舵) a 胡 may be declared instead.
    """

    verb: Verb
    seat: int
    rule: str
    zh: str
    en: str
    alone: bool


class Waiting(NamedTuple):
    """A card that would complete a seat's hand: 胡 by the way it comes, −1 where it does not.

    `left` is how many copies the seat has not seen: of a hand alone those it does not hold, of a
    hand in play those neither in its hand nor on any table or pile, nor open; 0 … 4.
    """

    card: int
    own_flip: int
    flip: int
    discard: int
    left: int

    @property
    def most(self) -> int:
        """The largest of its 胡."""
        return max(self.own_flip, self.flip, self.discard)


class Passed(NamedTuple):
    """A card that a seat could have taken by 吃, 碰 or 胡 and has let pass (R5.7)."""

    seat: int
    verb: Verb
    card: int


class Lying(NamedTuple):
    """What lies at one seat: cards in hand (ascending), melds, and what nobody took there."""

    hand: tuple[int, ...]
    table: tuple[Meld, ...]
    pile: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One event, and the table as it lies after it.

    `could` are the other events that the seat itself could have written instead, `others` those
    of other seats; neither holds 摸, 醒, 荒 and 过. `may_leave` tells whether the open card could
    as well have been left to nobody. `must` is the compulsory act that was due. `melds` are what
    the event laid. `seats` has one place a seat of the table; who sits out has nothing there.
    """

    number: int
    event: Event | None
    could: tuple[Event, ...]
    others: tuple[Event, ...]
    may_leave: bool
    must: Must | None
    melds: tuple[Meld, ...]
    seats: tuple[Lying, ...]
    open: Open | None
    turn: int
    wall_left: int
    turned: tuple[int, ...]

    @property
    def actor(self) -> int | None:
        """The seat whose event it is; None for the deal, 醒 and 荒."""
        return None if self.event is None else self.event.seat


class Stop(NamedTuple):
    """Where a replay stopped: the event's number (0: the deal itself), the event, and why."""

    number: int
    event: Event | None
    error: ZipaiError


class Replayed:
    """A record, replayed under its own rules or under others.

    As far as its events are legal; `stop` tells where they are not. The steps and what they ask
    of the engine are made when they are looked at.
    """

    def __init__(
        self, record: Record, rules: Rules | None = None, *, most: int | None = None
    ) -> None:
        """`most` events at most are looked at: of a faulty record those before the first fault."""
        self.record = record
        self.rules = rules or record.rules
        self.stop: Stop | None = None
        self._states: list[Hand] = []
        self._laid: list[tuple[Meld, ...]] = [()]
        try:
            hand = Hand(
                self.rules,
                record.dealer,
                {seat: dealt for seat, dealt in enumerate(record.deal) if dealt},
                record.wall,
            )
        except ZipaiError as error:
            self.stop = Stop(0, None, error)
            return
        self._states.append(hand.copy())
        for number, event in enumerate(record.events[:most], 1):
            try:
                done = hand.do(event)
            except ZipaiError as error:
                self.stop = Stop(number, event, error)
                break
            self._laid.append(done.melds)
            self._states.append(hand.copy())

    def __len__(self) -> int:
        """How many events were replayed."""
        return max(0, len(self._states) - 1)

    @property
    def is_dealt(self) -> bool:
        """Whether these rules allow the deal at all."""
        return bool(self._states)

    @property
    def last(self) -> Hand | None:
        """A copy of the hand as it stands after the last event, to play on with."""
        return self._states[-1].copy() if self._states else None

    @cached_property
    def result(self) -> Result | None:
        """The result once somebody has won or nobody can; further 醒 may still be due."""
        return self._states[-1].result if self._states else None

    @property
    def shown(self) -> int | None:
        """The dealer's 亮张 (R2.1), where it is known."""
        shown = self._states[0].shown if self._states else -1
        return shown if shown >= 0 else None

    @property
    def is_over(self) -> bool:
        """Whether nothing is due any more."""
        return bool(self._states) and self._states[-1].over

    def events(self) -> Iterator[tuple[int, Event]]:
        """Number and event of each step that was replayed."""
        return enumerate(self.record.events[: len(self)], 1)

    def legal(self, number: int) -> tuple[Event, ...]:
        """What was legal after step `number`."""
        return tuple(self._states[number].copy().legal())

    def must(self, number: int) -> Must | None:
        """The compulsory act that was due after step `number`."""
        return must_of(self._states[number].copy())

    def step(self, number: int) -> Step:
        """Step `number`, 0 … len(self). Raises `IndexError` for any other."""
        if not 0 <= number < len(self._states):
            raise IndexError(number)
        state = self._states[number]
        event = self.record.events[number - 1] if number else None
        legal = self.legal(number - 1) if number else ()
        could, others = _instead(event, legal)
        return Step(
            number=number,
            event=event,
            could=could,
            others=others,
            may_leave=event is not None
            and event.verb in CLAIMS
            and any(one.verb in CHANCE for one in legal),
            must=self.must(number - 1) if number else None,
            melds=self._laid[number],
            seats=tuple(
                Lying(tuple(cards.unpack(hand)), table, pile)
                for hand, table, pile in zip(state.hands, state.tables, state.piles, strict=True)
            ),
            open=state.open,
            turn=state.turn,
            wall_left=state.wall_left,
            turned=state.turned,
        )

    def waits(self, number: int, seat: int) -> tuple[Waiting, ...]:
        """What the seat waits for after step `number` with the minimum reached (R7.7), by card;
        empty where it does not wait, or owes a discard."""
        state = self._states[number]
        return waiting(waits_of(state, seat), _seen(state, seat), self.rules.min_hu)

    def view(self, number: int, seat: int) -> View:
        """What the seat can know after step `number`."""
        return view(self._states[number].copy(), seat)

    def due(self, number: int) -> int | None:
        """The seat that owes a discard or flips next after step `number`; None at the end."""
        state = self._states[number]
        if state.phase in (Phase.WON, Phase.DRAWN):
            return None
        owing = state.discarder()
        return state.flipper() if owing is None else owing

    def winners(self, number: int) -> tuple[int, ...]:
        """Who has won by step `number`."""
        return self._states[number].winners

    def passed(self, number: int) -> tuple[Passed, ...]:
        """What step `number` has let pass: the 吃 and 碰 that R5.7 notes, and a 胡 not declared."""
        if not number:
            return ()
        event = self.record.events[number - 1]
        before, after = self._states[number - 1], self._states[number]
        found = []
        if before.phase is Phase.OPEN and event.verb not in (Verb.HU, Verb.PASS, *_BEFORE_HU):
            found = [Passed(seat, Verb.HU, before.card) for seat in winning(before.copy())]
        for seat in after.playing:
            for verb, old, new in (
                (Verb.PENG, before.passed_peng[seat], after.passed_peng[seat]),
                (Verb.CHI, before.passed_chi[seat], after.passed_chi[seat]),
            ):
                found += [Passed(seat, verb, c) for c, at in new.items() if old.get(c) != at]
        return tuple(found)


def _seen(state: State, seat: int) -> int:
    """The packed cards that the seat has seen: its own, all that lies, the open one."""
    lying = [card for table in state.tables for meld in table for card in meld.cards]
    lying += [card for pile in state.piles for card in pile]
    lying += [state.card] if state.card >= 0 else []
    return state.hands[seat] + cards.pack(lying)


def waiting(
    found: dict[int, tuple[int, int, int]], seen: int, least: int = 0
) -> tuple[Waiting, ...]:
    """The engine's waits by card, with how many are left beside the packed cards `seen`.

    Only those that reach `least` 胡 in some way.
    """
    return tuple(
        Waiting(
            card,
            hu[Source.OWN_FLIP],
            hu[Source.FLIP],
            hu[Source.DISCARD],
            cards.COPIES - cards.count(seen, card),
        )
        for card, hu in found.items()
        if max(hu) >= least
    )


def must_of(state: Hand) -> Must | None:
    """The compulsory act that is due (R5.4–R5.6, R6, R7.5, R7.6), or None."""
    if state.phase is Phase.OPEN:
        due = forced(state)
        if due is None:
            return None
        rule, zh, en = compulsory(state, due)
        return Must(due.verb, due.seat, rule, zh, en, due.alone)
    if state.rules.must_win != "always" or state.phase is Phase.DRAWN:
        return None
    legal = state.legal()
    seat = legal[0].seat if legal and all(event.verb is Verb.HU for event in legal) else None
    if seat is None:
        return None
    rule = "R7.5" if state.bare is not None else "R7.6"
    zh, en = f"{SEATS[seat]} 必须胡", f"{SEATS[seat]} must win"
    return Must(Verb.HU, seat, rule, zh, en, True)


def _instead(
    event: Event | None, legal: tuple[Event, ...]
) -> tuple[tuple[Event, ...], tuple[Event, ...]]:
    """The other choices among the legal events: of who acted, and of the others."""
    if event is None:
        return (), ()
    choices = [one for one in legal if one.verb not in CHANCE and one.verb is not Verb.PASS]
    own = tuple(one for one in choices if one.seat == event.seat and one != event)
    return own, tuple(one for one in choices if one.seat != event.seat)
