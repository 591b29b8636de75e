"""R2–R8: a hand in play against the slow, independent generator of legal events.

`DUOZHU_HANDS` sets the number of random hands (2,000 prove it; the default takes part of
them), `DUOZHU_SEED` chooses others.
"""

from __future__ import annotations

import os
import random
from collections import Counter

from engine.cards import text
from engine.events import SEATS, Event, Verb
from engine.play import Hand
from engine.rules import PRESETS
from tests.engine.slow_deals import STYLES, choose, random_rules, random_start
from tests.engine.slow_evaluate import slow_best
from tests.engine.slow_play import candidates, legal
from tests.engine.slow_state import State

HANDS = int(os.environ.get("DUOZHU_HANDS", "160"))
SEED = int(os.environ.get("DUOZHU_SEED", "20261130"))
HARD = ("过扫", "扫穿", "留", "荒", "醒", "胡", "过", "开舵")


def hand_of(start: State) -> Hand:
    """The engine's hand from the oracle's start."""
    return Hand(start.rules, start.dealer, start.deal, start.wall)


def shown(state: State) -> str:
    """A state for people: all that is needed to come back to it."""
    deal = " ".join(f"发 {SEATS[s]} {text(state.deal[s])}" for s in state.playing)
    events = "; ".join(map(str, state.events))
    rules = state.rules.options()
    return f"{rules}\n庄 {SEATS[state.dealer]} {deal} 墩 {text(state.wall)}\n{events}"


def test_legal_events_agree_in_every_state_of_random_hands() -> None:
    """The same set of canonical lines, nothing twice; at times every other event refused."""
    print("seed", SEED, "hands", HANDS)  # noqa: T201
    presets = list(PRESETS)
    seen: Counter[str] = Counter()
    for number in range(HANDS):
        rng = random.Random(f"{SEED} {number}")
        rules = random_rules(rng, presets[number % len(presets)])
        state, style = random_start(rng, rules), rng.choice(STYLES)
        hand = hand_of(state)
        while True:
            events = legal(state)
            if rng.random() < 0.05:
                check_can(hand, state, events)
            lines = [str(event) for event in hand.legal()]
            assert sorted(lines) == sorted(map(str, events)), f"hand {number}\n{shown(state)}"
            if not events:
                break
            seen.update({str(event.verb) for event in events})
            event = choose(rng, style, state, events)
            state = state.after(event)
            hand.do(event)
        check_end(hand, state)
    print(dict(seen))  # noqa: T201
    assert HANDS < 160 or all(seen[verb] for verb in HARD)


def check_can(hand: Hand, state: State, events: list[Event]) -> None:
    """`can`, asked before any list is made, says the same of every event that could be written."""
    assert {e for e in candidates(state) if hand.can(e)} == set(events), shown(state)


def check_end(hand: Hand, state: State) -> None:
    """The hand is over, won by whom its events say, with the 胡 that R7.4 gives."""
    result = hand.result
    assert hand.over, shown(state)
    assert result is not None
    assert sum(result.deltas) == 0
    winners = [e.seat for e in state.events if e.verb == Verb.HU]
    assert sorted(result.winners) == sorted(winners), shown(state)
    if state.ended_by == Verb.DRAW or state.events[0].verb == Verb.HU:
        return
    before = state
    while before.ended_by:
        before = before.before
    (seat,) = winners
    win = next(e for e in state.events if e.verb == Verb.HU)
    source = "own-flip"
    if win.card is not None and before.last.seat != seat:
        source = "flip" if before.last.verb == Verb.FLIP else "discard"
    slow = slow_best(before.cards(seat), before.table(seat), win.card, source, state.rules)
    assert result.hu == slow, shown(state)
