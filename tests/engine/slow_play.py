"""The oracle of play: which events a hand allows, from rules.md and notation.md alone.

Slow and plain on purpose, and without `engine.play`. A `State` is a deal and the events since;
hands, tables, 臭牌 and whose turn it is are read off that history anew in every state.
`legal_events(state)` tries every event that could be written and keeps those that `allowed`
lets through, so that nothing is legal merely because it was generated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from engine.events import Event, Verb
from tests.engine.slow_claims import (
    chi_candidates,
    could_chi,
    could_peng,
    forced_sweep,
    may_chi,
    openers_now,
    winners_now,
)
from tests.engine.slow_evaluate import Group, group_hu, slow_best, slow_listening
from tests.engine.slow_state import State, asked_often

SWEEPS = (Verb.SAO, Verb.GUOSAO, Verb.SAOCHUAN)


def legal_events(state: State) -> set[str]:
    """The canonical lines of all events that the rules allow in this state."""
    return {str(event) for event in legal(state)}


def legal(state: State) -> list[Event]:
    """The events that the rules allow in this state."""
    return [event for event in candidates(state) if allowed(state, event)]


def candidates(state: State) -> Iterator[Event]:
    """Every event that can be written, claims of a card that is not open left out."""
    yield from cardless_and_any_card(state.rules.seats)
    if state.open_card is not None:
        yield from claims(state.rules.seats, state.open_card)


@lru_cache
def cardless_and_any_card(seats: int) -> list[Event]:
    """The events that need no open card."""
    events = [Event(Verb.DRAW), *(Event(Verb.XING, None, card) for card in range(20))]
    for seat in range(seats):
        events += [Event(verb, seat) for verb in (Verb.KEEP, Verb.PASS, Verb.HU)]
        for verb in (Verb.PLAY, Verb.FLIP):
            events += [Event(verb, seat, card) for card in range(20)]
    return events


@lru_cache
def claims(seats: int, card: int) -> list[Event]:
    """The events that take the open card."""
    events = []
    for seat in range(seats):
        verbs = (Verb.PENG, *SWEEPS, Verb.KAIDUO, Verb.HU)
        events += [Event(verb, seat, card) for verb in verbs]
        events += chi_candidates(seat, card)
    return events


def allowed(state: State, event: Event) -> bool:
    """Whether the rules let this event happen now."""
    if event.seat is not None and event.seat not in state.playing:
        return False
    if state.ended_by == Verb.DRAW:
        return False
    if state.ended_by == Verb.HU:
        return allowed_after_win(state, event)
    if state.open_card is not None:
        return allowed_on_open_card(state, event, state.open_card)
    return allowed_on_turn(state, event)


# An open card


def allowed_on_open_card(state: State, event: Event, card: int) -> bool:
    """R6: in the order of claims."""
    verb, seat = event.verb, event.seat
    giver = state.last.seat
    flipped = state.last.verb == Verb.FLIP
    sweep = forced_sweep(state)
    if sweep is not None:
        return event == sweep

    winners = winners_now(state)
    must_win = state.rules.must_win
    if winners and (must_win == "always" or (must_win == "discard" and not flipped)):
        return event == Event(Verb.HU, winners[0], card)
    if verb == Verb.HU:
        return event == Event(Verb.HU, seat, card) and seat in winners

    openers = openers_now(state)
    if openers:
        if verb == Verb.PASS:
            return seat in winners and seat not in openers
        return verb == Verb.KAIDUO and event.card == card and seat in openers

    if verb == Verb.FLIP:
        return seat == state.next_seat(giver) and state.may_turn(event.card)
    if verb == Verb.DRAW:
        return state.wall_left() == 0
    if seat in state.gave_up:
        return False
    if verb == Verb.PASS:
        return seat in winners or could_peng(state, seat) or could_chi(state, seat)
    if verb == Verb.PENG:
        return event.card == card and could_peng(state, seat)
    if verb == Verb.CHI:
        return event.card == card and may_chi(state, event)
    return False


# No open card


def allowed_on_turn(state: State, event: Event) -> bool:
    """R4, R7.5, R7.6, R2.4: the start, and after a card was taken or kept."""
    verb, seat, last = event.verb, event.seat, state.last
    wins = wins_on_turn(state)
    if event in wins:
        return True
    if wins and state.rules.must_win == "always":
        return False

    actor = state.dealer if last is None else last.seat
    if owes_discard(state, actor):
        if verb == Verb.PLAY:
            return seat == actor and state.unlocked(actor)[event.card] > 0
        return verb == Verb.KEEP and seat == actor and may_keep(state, actor)
    if verb == Verb.FLIP:
        return seat == state.next_seat(actor) and state.may_turn(event.card)
    return verb == Verb.DRAW and state.wall_left() == 0


@asked_often
def wins_on_turn(state: State) -> list[Event]:
    """R7.6, R7.5: who can win at the deal, or as it stands after 扫, 过扫 or 扫穿."""
    last = state.last
    if last is None:
        return [Event(Verb.HU, s) for s in deal_winners(state)]
    if last.verb in SWEEPS:
        hu = slow_best(
            state.cards(last.seat), state.table(last.seat), None, "own-flip", state.rules
        )
        if hu is not None and hu >= state.rules.min_hu:
            return [Event(Verb.HU, last.seat)]
    return []


@asked_often
def owes_discard(state: State, actor: int) -> bool:
    """R4.2–R4.4: whether the one who acted last (the dealer at the start) must discard."""
    verb = Verb.PLAY if state.last is None else state.last.verb
    if verb == Verb.KEEP:
        return False
    if verb in (Verb.SAOCHUAN, Verb.KAIDUO) and state.quads(actor) >= 2:
        return False
    return bool(state.unlocked(actor))


@asked_often
def may_keep(state: State, seat: int) -> bool:
    """R2.4: whether the discard owed may be kept."""
    two_long = sum(n == 4 for n in Counter(state.deal[seat]).values()) == 2
    return (
        state.rules.two_long == "skip-discard"
        and two_long
        and Event(Verb.KEEP, seat) not in state.events
        and slow_listening(state.cards(seat), state.table(seat), state.rules)
    )


def deal_winners(state: State) -> list[int]:
    """R7.6: who can win on the cards dealt, in playing order from the dealer."""
    worth: dict[int, int] = {}
    for s in state.order_from(state.dealer):
        dealt = Counter(state.deal[s])
        kan: list[Group] = [("坎", (c,) * 3) for c, n in dealt.items() if n == 3]
        long: list[Group] = [("龙", (c,) * 4) for c, n in dealt.items() if n == 4]
        if len(long) >= 3 or len(kan) >= 5:
            worth[s] = sum(group_hu(group, state.rules) for group in kan + long)
        if s == state.dealer:
            hu = slow_best(sorted(state.deal[s]), [], None, "deal", state.rules)
            if hu is not None and hu >= state.rules.min_hu:
                worth[s] = max(hu, worth.get(s, 0))
    if state.rules.deal_ties == "nearest":
        return list(worth)[:1]
    return [s for s, hu in worth.items() if hu == max(worth.values())]


# After a win


def allowed_after_win(state: State, event: Event) -> bool:
    """R7.6, R8: the other winners at the deal, then the 醒 that are due."""
    wins = [e for e in state.events if e.verb == Verb.HU]
    xing = [e.card for e in state.events if e.verb == Verb.XING]
    at_deal = state.events[0].verb == Verb.HU
    others = [Event(Verb.HU, s) for s in deal_winners(state)] if at_deal and not xing else []
    others = [e for e in others if e not in wins]
    if event in others:
        return True
    if others and state.rules.must_win == "always":
        return False
    return (
        event.verb == Verb.XING
        and len(wins) == 1
        and state.rules.unit == "duo"
        and (not xing or turns_again(state, wins[0], xing[-1]))
        and state.wall_left() > 0
        and state.may_turn(event.card)
    )


def turns_again(state: State, win: Event, turned: int) -> bool:
    """R8.3: whether the winner holds all four of an enabled neighbour of the turned card."""
    held = Counter(state.hand(win.seat))
    for _, cards in state.table(win.seat):
        held.update(cards)
    if win.card is not None:
        held[win.card] += 1
    rank = turned % 10
    neighbours = []
    for name, step in (("shang", -1), ("xia", 1)):
        inside = 0 <= rank + step <= 9
        if name in state.rules.xing and (inside or state.rules.xing_wrap):
            neighbours.append(turned - rank + (rank + step) % 10)
    return state.rules.xing_repeat == "on" and any(held[c] == 4 for c in neighbours)
