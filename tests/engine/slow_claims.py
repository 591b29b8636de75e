"""The oracle's view of an open card: who can take it, and what was let pass (R5, R6)."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations_with_replacement

from engine.events import Event, Verb
from tests.engine.slow_evaluate import RUNS, slow_best
from tests.engine.slow_state import State, asked_often

EDIBLE = {
    *(tuple(first + r - 1 for r in run) for first in (0, 10) for run in RUNS),
    *((r, r, r + 10) for r in range(10)),
    *((r, r + 10, r + 10) for r in range(10)),
}
"""R5.1: every group that can be eaten or laid as 比, its cards ascending."""


@asked_often
def forced_sweep(state: State) -> Event | None:
    """R5.4, R5.5: the 扫, 过扫 or 扫穿 that the flipper owes."""
    verb, seat, card = state.last[:3]
    if verb != Verb.FLIP:
        return None
    if state.hand(seat)[card] == 2:
        if (seat, "碰", card) in passed(state):
            return Event(Verb.GUOSAO, seat, card)
        return Event(Verb.SAO, seat, card)
    if state.hand(seat)[card] == 3 or swept(state, seat, card):
        return Event(Verb.SAOCHUAN, seat, card)
    return None


@asked_often
def winners_now(state: State) -> list[int]:
    """Who can win on the open card and has not given it up, the nearest first (R6)."""
    giver = state.last.seat
    first = giver if state.last.verb == Verb.FLIP else state.next_seat(giver)
    return [s for s in state.order_from(first) if can_win(state, s) and s not in state.gave_up]


@asked_often
def openers_now(state: State) -> list[int]:
    """Who owes a 开舵 of the open card."""
    return [s for s in state.playing if can_open(state, s)]


def swept(state: State, seat: int, card: int) -> bool:
    """Whether a 扫 or 过扫 of the card lies on the seat's table."""
    return any((kind, (card,) * 3) in state.table(seat) for kind in ("扫", "过扫"))


@asked_often
def can_win(state: State, seat: int) -> bool:
    """R7: whether the open card wins for this seat, `min_hu` included."""
    if state.last.verb == Verb.PLAY:
        if seat == state.last.seat:
            return False
        source = "discard"
    else:
        source = "own-flip" if seat == state.last.seat else "flip"
    hu = slow_best(state.cards(seat), state.table(seat), state.open_card, source, state.rules)
    return hu is not None and hu >= state.rules.min_hu


@asked_often
def can_open(state: State, seat: int) -> bool:
    """R5.6: whether the open card opens something of this seat's."""
    card, flipped, own = state.open_card, state.last.verb == Verb.FLIP, seat == state.last.seat
    others_flip = flipped and not own
    others_discard = not flipped and not own
    if state.hand(seat)[card] == 3:
        return others_flip or others_discard
    if swept(state, seat, card):
        return others_flip or (others_discard and state.rules.sao_opens_on == "flip-or-discard")
    if ("碰", (card,) * 3) in state.table(seat):
        return flipped and (own or state.rules.peng_opens_on == "any-flip")
    return False


@asked_often
def could_peng(state: State, seat: int) -> bool:
    """R5.3, R5.7, R4.4: whether the seat can 碰 the open card, had nobody a higher claim."""
    card = state.open_card
    return (
        seat != state.last.seat
        and state.hand(seat)[card] == 2
        and not stale(state, seat, "碰", card)
        and any(c != card for c in state.unlocked(seat))
    )


@asked_often
def could_chi(state: State, seat: int) -> bool:
    """R5.1: whether the seat can 吃 the open card in any way, had nobody a higher claim."""
    return any(may_chi(state, event) for event in chi_candidates(seat, state.open_card))


def may_chi(state: State, event: Event) -> bool:
    """R5.1, R5.2, R5.7, R5.8, R4.4: whether this 吃 is one, with all the 比 it owes."""
    seat, card, giver = event.seat, event.card, state.last.seat
    eaters = [state.next_seat(giver)]
    if state.last.verb == Verb.FLIP:
        eaters.append(giver)
    if seat not in eaters:
        return False
    if stale(state, seat, "吃", card) or Event(Verb.PLAY, seat, card) in state.events:
        return False
    if tuple(sorted((card, *event.pair))) not in EDIBLE:
        return False
    if any(c not in state.unlocked(seat) for c in event.pair):
        return False
    left = Counter(state.unlocked(seat))
    left.subtract(event.pair)
    for group in event.bi:
        if left[card] <= 0 or group not in EDIBLE or card not in group:
            return False
        left.subtract(group)
    if min(left.values()) < 0 or left[card] > 0:
        return False
    return any(left.values())


@lru_cache
def chi_candidates(seat: int, card: int) -> list[Event]:
    """Every 吃 of the card that can be written, with up to two 比."""
    groups = sorted(group for group in EDIBLE if card in group)
    bis = [bi for size in range(3) for bi in combinations_with_replacement(groups, size)]
    pairs = []
    for group in groups:
        pair = list(group)
        pair.remove(card)
        pairs.append(tuple(pair))
    return [Event(Verb.CHI, seat, card, pair, bi) for pair in pairs for bi in bis]


@asked_often
def passed(state: State) -> frozenset[tuple[int, str, int]]:
    """R5.7: who has let pass what (吃 or 碰) of which card, in the whole history."""
    old = state.before
    if old is None:
        return frozenset()
    card, event, found = old.open_card, state.events[-1], set(passed(old))
    if card is not None and event.verb == Verb.FLIP:
        found |= {(s, "碰", card) for s in state.playing if could_peng(old, s)}
        found |= {(s, "吃", card) for s in state.playing if could_chi(old, s)}
    if card is not None and event.verb == Verb.CHI:
        others = [s for s in state.playing if s != event.seat]
        found |= {(s, "碰", card) for s in others if could_peng(old, s)}
        if old.last.verb == Verb.FLIP and old.last.seat in others and could_chi(old, old.last.seat):
            found.add((old.last.seat, "吃", card))
    return frozenset(found)


def stale(state: State, seat: int, claim: str, card: int) -> bool:
    """R5.7: whether this 吃 or 碰 is barred by one let pass."""
    claims = ("吃", "碰") if state.rules.passed == "shared" else (claim,)
    return any((seat, c, card) in passed(state) for c in claims)
