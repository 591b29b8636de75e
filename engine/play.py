"""A hand in play: one code path for recording, replay and simulation.

`Hand` takes the deal and then one event after the other; `check` says whether an event is legal
and if not, why; `do` lets it happen; `legal` lists all that may come. A hand is over when nothing
is due any more: after 荒; after a 胡 and the last 醒 that it turns. A win at the deal with
`deal_ties` `largest-hu` may be shared: until the first 醒 is turned, or without 醒 (unit 胡, or
shared already), equal others may still write their 胡, even where the hand is over; who writes
none has declined. Only where `must_win` is `always` does the hand wait for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, Self

from engine import position, views
from engine.cards import UNIT
from engine.checks import check, over
from engine.claims import let_pass, the_way
from engine.deal import start
from engine.endings import settle
from engine.errors import ZipaiError
from engine.events import Event, Verb
from engine.legal import legal
from engine.melds import GUOSAO, KAIDUO, PENG, SAO, SAOCHUAN, Kind, Meld
from engine.result import Result
from engine.rules import Rules
from engine.state import Phase, State

_tuple: Final = tuple.__new__


class Done(NamedTuple):
    """What an event did.

    `number` from 1; `melds` are those it laid or, for 扫穿 and 开舵, completed.
    """

    event: Event
    number: int
    melds: tuple[Meld, ...]


class Hand(State):
    """A hand of 字牌 from the deal to its end; what its fields hold is told at `State`."""

    __slots__ = ()

    def __init__(
        self,
        rules: Rules,
        dealer: int,
        deal: Mapping[int, Sequence[int]],
        wall: Sequence[int] = (),
    ) -> None:
        """The hand after the deal: `deal` maps each playing seat to its cards, the dealer's 亮张
        last; `wall` is the wall in turning order as far as it is known.

        Raises `unknown-seat`, `deal-count` or `deck` (R2).
        """
        start(self, rules, dealer, deal, wall)

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return (self.phase is Phase.WON or self.phase is Phase.DRAWN) and over(self)

    def check(self, event: Event) -> None:
        """Returns if the event is legal here; else raises `ZipaiError` with the code of
        notation.md, the rule, and a sentence in Chinese and English."""
        check(self, event)

    def can(self, event: Event) -> bool:
        """Whether the event is legal here."""
        try:
            check(self, event)
        except ZipaiError:
            return False
        return True

    def do(self, event: Event) -> Done:
        """Lets the event happen and says what it did; raises as `check`, then nothing changed."""
        if event not in self._legal:
            check(self, event)
        self._legal = ()
        melds = _ACTS[event[0]](self, event)
        self.events.append(event)
        return _tuple(Done, (event, self.before + len(self.events), melds))

    def legal(self) -> list[Event]:
        """Every legal event, in a fixed order (`engine.legal`)."""
        found = legal(self)
        self._legal = tuple(found)
        return found

    def view(self, seat: int) -> views.View:
        """What the seat can know of the hand, as a frozen value."""
        return views.view(self, seat)

    def position(self) -> str:
        """The whole state as one line."""
        return position.write(self)

    @classmethod
    def from_position(cls, text: str) -> Self:
        """The hand of a position line; raises `syntax` and what the deal raises."""
        hand = cls.__new__(cls)
        position.read(hand, text)
        return hand


def _turn(state: State, card: int) -> None:
    """A card of the wall has been turned."""
    if state.drawn >= len(state.wall):
        state.rest -= UNIT[card]
    state.drawn += 1
    state.wall_left -= 1


def _leave(state: State) -> None:
    """Nobody took the open card (R4.5, R5.7)."""
    let_pass(state, None)
    state.piles[state.giver] += (state.card,)
    state.card = -1


def _play(state: State, event: Event) -> tuple[Meld, ...]:
    seat, card = event[1], event[2]
    assert seat is not None
    assert card is not None
    state.hands[seat] -= UNIT[card]
    state.free[seat] -= UNIT[card]
    state._waits[seat] = None
    number = state.number
    state.thrown[seat][card] = number
    state.show(card, seat, False, number)
    return ()


def _flip(state: State, event: Event) -> tuple[Meld, ...]:
    seat, card = event[1], event[2]
    assert seat is not None
    assert card is not None
    if state.card >= 0:
        _leave(state)
    _turn(state, card)
    state.show(card, seat, True, state.number)
    return ()


def _lay(state: State, seat: int, taken: int, laid: tuple[Meld, ...]) -> None:
    """The seat has taken the open card with the packed free cards `taken`."""
    state.hands[seat] -= taken
    state.free[seat] -= taken
    state.tables[seat] += laid
    _owe(state, seat)


def _owe(state: State, seat: int) -> None:
    """The seat has taken the open card and discards next, if it can (R4.2, R4.4)."""
    state._waits[seat] = None
    state.card = -1
    state.turn = seat
    state.phase = Phase.DISCARD if state.free[seat] else Phase.FLIP


def _chi(state: State, event: Event) -> tuple[Meld, ...]:
    seat = event[1]
    assert seat is not None
    let_pass(state, seat)
    way = the_way(state.free[seat], event)
    assert way is not None
    _lay(state, seat, way.taken, way.melds)
    return way.melds


def _peng(state: State, event: Event) -> tuple[Meld, ...]:
    seat, card = event[1], event[2]
    assert seat is not None
    assert card is not None
    meld = PENG[state.rules.peng_points][card]
    state.triples[card] = seat, Kind.PENG
    _lay(state, seat, 2 * UNIT[card], (meld,))
    return (meld,)


def _sao(state: State, event: Event) -> tuple[Meld, ...]:
    verb, seat, card = event[0], event[1], event[2]
    assert seat is not None
    assert card is not None
    meld = (SAO if verb is Verb.SAO else GUOSAO)[card]
    state.triples[card] = seat, meld.kind
    _lay(state, seat, 2 * UNIT[card], (meld,))
    state.bare = card
    return (meld,)


def _quad(state: State, event: Event) -> tuple[Meld, ...]:
    """扫穿 and 开舵, and 重舵 (R4.3)."""
    verb, seat, card = event[0], event[1], event[2]
    assert seat is not None
    assert card is not None
    meld = (SAOCHUAN if verb is Verb.SAOCHUAN else KAIDUO)[card]
    if state.triples.pop(card, None) is None:
        state.hands[seat] -= 3 * UNIT[card]
        state.tables[seat] += (meld,)
    else:
        triple = (card,) * 3
        state.tables[seat] = tuple([meld if m[1] == triple else m for m in state.tables[seat]])
    state.quads[seat] += 1
    _owe(state, seat)
    if state.quads[seat] >= 2:
        state.phase = Phase.FLIP
    if verb is Verb.SAOCHUAN:
        state.bare = card
    return (meld,)


def _keep(state: State, event: Event) -> tuple[Meld, ...]:
    state.may_keep[state.turn] = False
    state.phase = Phase.FLIP
    state.bare = None
    return ()


def _hu(state: State, event: Event) -> tuple[Meld, ...]:
    assert event.seat is not None
    state.winners = tuple(
        s for s in state.order[state.dealer] if s == event.seat or s in state.winners
    )
    state.phase = Phase.WON
    settle(state)
    return ()


def _draw(state: State, event: Event) -> tuple[Meld, ...]:
    if state.card >= 0:
        _leave(state)
    state.phase = Phase.DRAWN
    state.result = Result.drawn(state.dealer, state.rules)
    return ()


def _xing(state: State, event: Event) -> tuple[Meld, ...]:
    card = event[2]
    assert card is not None
    _turn(state, card)
    state.turned += (card,)
    settle(state)
    return ()


def _pass(state: State, event: Event) -> tuple[Meld, ...]:
    assert event.seat is not None
    state.declined += (event.seat,)
    return ()


_ACTS: Final[Mapping[Verb, Callable[[State, Event], tuple[Meld, ...]]]] = {
    Verb.PLAY: _play,
    Verb.FLIP: _flip,
    Verb.CHI: _chi,
    Verb.PENG: _peng,
    Verb.SAO: _sao,
    Verb.GUOSAO: _sao,
    Verb.SAOCHUAN: _quad,
    Verb.KAIDUO: _quad,
    Verb.KEEP: _keep,
    Verb.HU: _hu,
    Verb.DRAW: _draw,
    Verb.XING: _xing,
    Verb.PASS: _pass,
}
