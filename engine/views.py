"""What one seat can know of a hand in play."""

from __future__ import annotations

from dataclasses import dataclass

from engine import cards
from engine.claims import (
    could_chi,
    could_peng,
    opener,
    taken_by_flipper,
    winning,
)
from engine.deal import special
from engine.events import Event, Verb
from engine.legal import (
    BARE_HUS,
    DRAW,
    HUS,
    PASSES,
    PENGS,
    TAKES,
    after_take,
    discards,
)
from engine.melds import Meld
from engine.result import Result
from engine.rules import Rules
from engine.state import Open, Phase, State


@dataclass(frozen=True, slots=True)
class View:
    """A hand as `seat` sees it; tuples over seats have `rules.seats` places.

    `hand` are the seat's own cards, ascending; of the others `sizes` tells how many they hold.
    `tables`, `piles` (what nobody took), `shown` (the dealer's 亮张), `open` and `events` are
    public: 扫 and 扫穿 lie face down, but their card was flipped openly. `thrown` are the cards
    each seat discarded from hand. `passed_chi`, `passed_peng` (R5.7) and `may_keep` (R2.4) are
    the seat's own, since those of the others tell what they hold; so do their 过, which `events`
    leaves out. The wall is `wall_left` cards. `options` are the events that the seat could write
    as far as it can know: another's claim, or another's better win at the deal, may still go
    before; its 摸 names no card.
    """

    seat: int
    rules: Rules
    dealer: int
    playing: tuple[int, ...]
    phase: Phase
    turn: int
    open: Open | None
    shown: int
    hand: tuple[int, ...]
    sizes: tuple[int, ...]
    tables: tuple[tuple[Meld, ...], ...]
    piles: tuple[tuple[int, ...], ...]
    thrown: tuple[tuple[int, ...], ...]
    passed_chi: tuple[int, ...]
    passed_peng: tuple[int, ...]
    may_keep: bool
    wall_left: int
    events: tuple[Event, ...]
    options: tuple[Event, ...]
    winners: tuple[int, ...]
    turned: tuple[int, ...]
    result: Result | None


def view(state: State, seat: int) -> View:
    """What `seat` can know; `seat` is one of the table, also one that sits out."""
    return View(
        seat=seat,
        rules=state.rules,
        dealer=state.dealer,
        playing=state.playing,
        phase=state.phase,
        turn=state.turn,
        open=state.open,
        shown=state.shown,
        hand=tuple(cards.unpack(state.hands[seat])),
        sizes=tuple(cards.size(hand) for hand in state.hands),
        tables=tuple(state.tables),
        piles=tuple(state.piles),
        thrown=tuple(tuple(sorted(marks)) for marks in state.thrown),
        passed_chi=tuple(sorted(state.passed_chi[seat])),
        passed_peng=tuple(sorted(state.passed_peng[seat])),
        may_keep=state.may_keep[seat],
        wall_left=state.wall_left,
        events=tuple(e for e in state.events if e.verb is not Verb.PASS or e.seat == seat),
        options=tuple(_options(state, seat)) if seat in state.playing else (),
        winners=state.winners,
        turned=state.turned,
        result=state.result,
    )


def _options(state: State, seat: int) -> list[Event]:
    if state.phase is Phase.OPEN:
        return _on_open(state, seat)
    found = []
    if state.phase is Phase.START and special(state, seat) is not None:
        found = [BARE_HUS[seat]]
        if state.rules.must_win == "always":
            return found
    if state.phase is Phase.WON:
        return _equal_win(state, seat)
    if state.discarder() == seat:
        return found + after_take(state, discards(state))
    flipping = _flip(state, seat)
    return found + (after_take(state, flipping) if state.turn == seat else flipping)


def _flip(state: State, seat: int) -> list[Event]:
    if state.flipper() != seat:
        return []
    return [Event(Verb.FLIP, seat)] if state.wall_left else [DRAW]


def _equal_win(state: State, seat: int) -> list[Event]:
    """A shared win at the deal: the first winner's 胡 is known by now (R7.6)."""
    if state.card >= 0 or state.bare is not None or state.turned:
        return []
    if state.rules.deal_ties != "largest-hu" or seat in state.winners:
        return []
    mine, theirs = special(state, seat), special(state, state.winners[0])
    if mine is None or theirs is None or mine.grouping.hu != theirs.grouping.hu:
        return []
    return [BARE_HUS[seat]]


def _on_open(state: State, seat: int) -> list[Event]:
    card = state.card
    take = taken_by_flipper(state) if seat == state.giver else None
    if take is not None:
        return [TAKES[take][seat][card]]
    found = []
    if seat not in state.declined and seat in winning(state):
        found.append(HUS[seat][card])
        must = state.rules.must_win
        if must == "always" or (must == "discard" and not state.was_flip):
            return found
    if opener(state) == seat:
        return [*found, TAKES[Verb.KAIDUO][seat][card]]
    if seat not in state.declined:
        if could_peng(state) == seat:
            found.append(PENGS[seat][card])
        found += [way.events[seat] for way in could_chi(state, seat)]
        if found:
            found.append(PASSES[seat])
    return found + _flip(state, seat)
