"""The recorder's table: a draft's cards and taps played by the engine, as plain values.

A hand is dealt into *places*: the dealer's 亮张, the cards of each playing seat (the dealer's
without the 亮张), and 墩, the wall as far as it is known. `cards` holds their characters in the
order they were tapped. `steps` are canonical event lines, one list a tap: the event tapped, then
those that were the only legal ones after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from engine import cards
from engine.claims import forced
from engine.deal import DEALT, TWO_LONG, longs
from engine.errors import ZipaiError
from engine.events import SEATS, Event
from engine.notation import read_line
from engine.play import Hand
from engine.record import Record, export
from engine.replay import record_of
from engine.rules import Rules
from engine.settle import playing_seats
from engine.state import Phase
from engine.words import compulsory

SHOWN: Final = "亮张"
WALL: Final = "墩"


class Followed(NamedTuple):
    """An event that was written by itself, being the only legal one: its line, and rule and
    sentence in both languages where it is a compulsory claim, else empty."""

    line: str
    rule: str
    zh: str
    en: str


@dataclass(frozen=True)
class Draft:
    """A record so far. `rules` have the table's seats, `preset` is what they differ from."""

    rules: Rules
    preset: str
    number: int
    dealer: int
    cards: Mapping[str, str]
    steps: Sequence[Sequence[str]]

    @property
    def seats(self) -> tuple[int, ...]:
        """The playing seats, the dealer first."""
        playing = playing_seats(self.rules.seats, self.dealer)
        at = playing.index(self.dealer)
        return playing[at:] + playing[:at]

    @property
    def places(self) -> list[str]:
        """Where cards are dealt to, in the order in which they are asked for."""
        return [SHOWN, *(SEATS[seat] for seat in self.seats), WALL]

    def held(self, place: str) -> list[int]:
        """The cards of a place as they were tapped."""
        return [cards.parse(char) for char in self.cards.get(place, "")]

    def wanted(self, place: str) -> int:
        """How many cards the place holds once it is complete (R2.1, R2.4); 墩 may hold fewer."""
        if place == SHOWN:
            return 1
        if place == WALL:
            return cards.DECK - sum(self.wanted(other) for other in self.places if other != WALL)
        held = self.held(place)
        if self.rules.two_long != "extra-card":
            return DEALT
        whole = held + self.held(SHOWN) if place == SEATS[self.dealer] else held
        two = longs(cards.pack(whole))
        extra = two == TWO_LONG or (two == TWO_LONG + 1 and len(held) == DEALT + 1)
        return DEALT + (extra and len(held) >= DEALT)

    @property
    def open_place(self) -> str:
        """The first place that is not complete; 墩 where all hands are dealt."""
        dealt = (p for p in self.places if p != WALL and len(self.held(p)) < self.wanted(p))
        return next(dealt, WALL)

    @property
    def left(self) -> Counter[int]:
        """How many copies of each card have no place yet."""
        left = Counter(dict.fromkeys(range(cards.KINDS), cards.COPIES))
        for place in self.places:
            left.subtract(self.held(place))
        return left

    def deal(self) -> dict[int, tuple[int, ...]]:
        """The cards of each playing seat, the dealer's 亮张 last."""
        dealt = {seat: tuple(self.held(SEATS[seat])) for seat in self.seats}
        dealt[self.dealer] += tuple(self.held(SHOWN))
        return dealt

    def start(self) -> Hand:
        """The hand after the deal. Raises `ZipaiError` `deal-count` or `deck`."""
        return Hand(self.rules, self.dealer, self.deal(), self.held(WALL))

    @cached_property
    def played(self) -> Played:
        """The hand after the events, as far as they are legal. Raises as `start`."""
        hand = self.start()
        lines = [line for step in self.steps for line in step]
        last = len(lines) - len(self.steps[-1]) if self.steps else 0
        tapped = last + (len(self.steps) > 1)
        followed: list[Followed] = []
        for i, line in enumerate(lines):
            why = _why(hand, line) if i >= tapped else None
            try:
                hand.do(read_event(line, self.rules.seats))
            except ZipaiError as error:
                return Played(hand, tuple(followed), len(lines) - i, error)
            if why is not None:
                followed.append(why)
        return Played(hand, tuple(followed), 0, None)

    def begun(self) -> list[list[str]]:
        """The steps once the deal is complete: those kept, or what must follow the deal. Raises
        as `start`."""
        if len(self.steps) > 1:
            return [list(step) for step in self.steps]
        return [_follow(self.start())]

    def tapped(self, line: str) -> list[list[str]]:
        """The steps with one tap more: the event of this line, and those that are then the only
        legal ones. Raises `ZipaiError` where it is not legal."""
        event = read_event(line, self.rules.seats)
        hand, _, _, error = self.played
        if error is not None:
            raise error
        twin = hand.copy()
        twin.do(event)
        return [*(list(step) for step in self.steps), [str(event), *_follow(twin)]]

    def undone(self) -> list[list[str]]:
        """The steps without the last tap; none are left where the deal is open again.

        Where a changed deal has left events that are not legal, all of those go instead.
        """
        steps = [list(step) for step in self.steps]
        stray = self.played.stray
        if not stray:
            return steps[:-1]
        while stray:
            cut = min(stray, len(steps[-1]))
            steps[-1] = steps[-1][: len(steps[-1]) - cut]
            stray -= cut
            if not steps[-1] and len(steps) > 1:
                steps.pop()
        return steps

    def record(self) -> Record:
        """The record so far, with the claim of its result once the hand is over."""
        headers = (("局", str(self.number)),)
        return record_of(self.played.hand, self.preset, headers)

    def text(self) -> str:
        """The record in export form."""
        return export(self.record())


class Played(NamedTuple):
    """A draft's hand. `followed` are the events that the last tap brought with it; `stray` counts
    the events at the end that are not legal (any more) after the deal was changed, and `error`
    says why the first of them is not."""

    hand: Hand
    followed: tuple[Followed, ...]
    stray: int
    error: ZipaiError | None


def _why(hand: Hand, line: str) -> Followed:
    must = forced(hand) if hand.phase is Phase.OPEN else None
    return Followed(line, *(compulsory(hand, must) if must is not None else ("", "", "")))


def read_event(line: str, seats: int) -> Event:
    """The event of a line. Raises `ZipaiError` for what is none."""
    what = read_line(line, seats, 0).what
    if not isinstance(what, Event):
        raise ZipaiError(
            "syntax", "notation", f"“{line}”不是一手牌", f"“{line}” is no event of a hand"
        )
    return what


def _follow(hand: Hand) -> list[str]:
    """Lets the events happen that are the only legal ones, and returns their lines."""
    lines: list[str] = []
    while not hand.over:
        legal = hand.legal()
        if len(legal) != 1:
            break
        hand.do(legal[0])
        lines.append(str(legal[0]))
    return lines
