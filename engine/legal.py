"""The list of legal events of a state, in a fixed order."""

from __future__ import annotations

from typing import Final

from engine import cards
from engine.claims import (
    bare_hu,
    claimants,
    could_peng,
    eats,
    forced,
    winning,
)
from engine.deal import still_to_declare
from engine.events import Event, Verb
from engine.settle import turns_again
from engine.state import Phase, State
from engine.waits import listening


def _by_seat(verb: Verb) -> tuple[tuple[Event, ...], ...]:
    return tuple(tuple(Event(verb, seat, card) for card in range(cards.KINDS)) for seat in range(4))


PLAYS: Final = _by_seat(Verb.PLAY)
FLIPS: Final = _by_seat(Verb.FLIP)
HUS: Final = _by_seat(Verb.HU)
PENGS: Final = _by_seat(Verb.PENG)
TAKES: Final = {
    verb: _by_seat(verb) for verb in (Verb.SAO, Verb.GUOSAO, Verb.SAOCHUAN, Verb.KAIDUO, Verb.HU)
}
BARE_HUS: Final = tuple(Event(Verb.HU, seat) for seat in range(4))
PASSES: Final = tuple(Event(Verb.PASS, seat) for seat in range(4))
KEEPS: Final = tuple(Event(Verb.KEEP, seat) for seat in range(4))
XINGS: Final = tuple(Event(Verb.XING, None, card) for card in range(cards.KINDS))
DRAW: Final = Event(Verb.DRAW)
"""Events are made once: a state names the same ones again and again."""


def legal(state: State) -> list[Event]:
    """Every legal event.

    In this order: 胡 nearest first, the compulsory claim, 碰, 吃 of the flipper and then of the
    next player, 打 by card, 留, 摸 or 醒 by card (one where the wall is known, else every card of
    which a copy may still be there) or 荒, 过.
    """
    phase = state.phase
    if phase is Phase.OPEN:
        return _open(state)
    if phase is Phase.DISCARD:
        return after_take(state, discards(state))
    if phase is Phase.FLIP:
        return after_take(state, flips(state, state.following[state.turn]))
    if phase is Phase.START:
        return _start(state)
    return _won(state) if phase is Phase.WON else []


def _start(state: State) -> list[Event]:
    found = [BARE_HUS[win.seat] for win in still_to_declare(state)]
    if found and state.rules.must_win == "always":
        return found
    if state.free[state.turn]:
        return found + discards(state)
    return found + flips(state, state.following[state.turn])


def after_take(state: State, events: list[Event]) -> list[Event]:
    """Puts a bare 胡 (R7.5) before the `events`, or in place of them where it must be."""
    if state.bare is None or bare_hu(state) < state.rules.min_hu:
        return events
    found = [BARE_HUS[state.turn]]
    return found if state.rules.must_win == "always" else found + events


def discards(state: State) -> list[Event]:
    seat = state.turn
    plays = PLAYS[seat]
    free = state.free[seat]
    found = []
    while free:
        card = ((free & -free).bit_length() - 1) >> 2
        found.append(plays[card])
        free &= -16 << 4 * card
    if may_keep(state):
        found.append(KEEPS[seat])
    return found


def may_keep(state: State) -> bool:
    """Whether who owes a discard may keep it (R2.4)."""
    seat = state.turn
    return state.may_keep[seat] and listening(state.hands[seat], state.tables[seat], state.rules)


def flips(state: State, seat: int) -> list[Event]:
    """What the flip of the seat may be: 摸, or 荒 where no wall is left (R4.6)."""
    if not state.wall_left:
        return [DRAW]
    card = state.next_known()
    if card is not None:
        return [FLIPS[seat][card]]
    return [FLIPS[seat][card] for card in possible(state)]


def possible(state: State) -> list[int]:
    """The cards that may come next where the wall is not known, ascending."""
    rest = state.rest
    return [card for card in range(cards.KINDS) if rest >> 4 * card & 15]


def _won(state: State) -> list[Event]:
    found = [BARE_HUS[win.seat] for win in still_to_declare(state)]
    if found and state.rules.must_win == "always":
        return found
    if not xing_due(state):
        return found
    card = state.next_known()
    if card is not None:
        return [*found, XINGS[card]]
    return found + [XINGS[card] for card in possible(state)]


def xing_due(state: State) -> bool:
    """Whether a card is still to be turned for the one winner (R8.1, R8.3, R8.5)."""
    return state.wall_left > 0 and xing_wanted(state)


def xing_wanted(state: State) -> bool:
    """The same, whether or not the wall has a card left."""
    if len(state.winners) != 1 or state.rules.unit != "duo":
        return False
    turned = state.turned
    return not turned or turns_again(turned[-1], winning_cards(state), state.rules)


def winning_cards(state: State) -> int:
    """All cards of the one winner, packed: hand, table and the card won on (R8.2)."""
    seat = state.winners[0]
    held = state.hands[seat] + cards.pack(c for m in state.tables[seat] for c in m.cards)
    return held if state.card < 0 else held + cards.UNIT[state.card]


def _open(state: State) -> list[Event]:
    must = forced(state)
    card = state.card
    if must is not None and must[2]:
        return [TAKES[must[0]][must[1]][card]]
    declined = state.declined
    winners = [seat for seat in winning(state) if seat not in declined]
    found = [HUS[seat][card] for seat in winners]
    if must is not None:
        found.append(TAKES[must[0]][must[1]][card])
        return found + [PASSES[s] for s in winners if s != must[1]]
    seat = could_peng(state)
    if seat is not None and seat not in declined:
        found.append(PENGS[seat][card])
    for seat, ways in eats(state):
        if seat not in declined:
            found += [way[3][seat] for way in ways]
    if not found:
        return flips(state, state.following[state.giver])
    claiming = [event[1] for event in found]
    found += flips(state, state.following[state.giver])
    return found + [PASSES[s] for s in claimants(state) if s in claiming]
