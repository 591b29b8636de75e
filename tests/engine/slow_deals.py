"""Random rules, deals and choices for the tests that play hands against the oracle."""

from __future__ import annotations

import random
from collections import Counter

from engine.events import Event, Verb
from engine.options import OPTIONS
from engine.rules import PRESETS, Rules
from tests.engine.slow_claims import EDIBLE
from tests.engine.slow_state import State

Deal = dict[int, list[int]]
STYLES = ("even", "eager", "shy", "patient", "builder", "builder")

GROUPS = [
    *((card,) * copies for copies in (4, 3, 2) for card in range(20)),
    *sorted(EDIBLE),
]
GROUP_WEIGHTS = [3] * 20 + [3] * 20 + [1] * 20 + [3] * len(EDIBLE)


def random_rules(rng: random.Random, preset: str) -> Rules:
    """The preset, for two, three or four, in two of three hands with some options drawn."""
    options: dict[str, object] = {"seats": rng.choice((2, 3, 3, 4))}
    if rng.random() < 2 / 3:
        for option in OPTIONS.values():
            if option.name != "seats" and rng.random() < 0.4:
                values = list(option.values)
                drawn = [v for v in values if rng.random() < 0.5]
                options[option.name] = drawn if option.many else rng.choice(values)
    return PRESETS[preset].with_options(options)


def random_start(rng: random.Random, rules: Rules) -> State:
    """A deal by R2, often rich in 龙 and 坎; the wall known, known in part or unknown."""
    dealer = rng.randrange(rules.seats)
    playing = State(rules, dealer, {}).playing
    deal, wall = deal_cards(rng, rules, dealer, playing)
    known = rng.choice((len(wall), len(wall), 0, rng.randrange(len(wall))))
    return State(rules, dealer, deal, wall[:known])


def deal_cards(
    rng: random.Random, rules: Rules, dealer: int, playing: list[int]
) -> tuple[Deal, list[int]]:
    """Every seat's cards, the dealer's 亮张 last, and the wall."""
    deck = [card for card in range(20) for _ in range(4)]
    rng.shuffle(deck)
    deal: Deal = {seat: [] for seat in playing}
    rich, tied = rng.random() < 0.6, rng.random() < 0.04
    for seat in playing:
        if tied or (rich and rng.random() < 0.6):
            groups = rng.choices(GROUPS, GROUP_WEIGHTS, k=rng.randrange(1, 8))
            if tied:
                groups = [(card,) * 4 for card in range(10) if card in deck][:3]
            for group in groups:
                fits_in = len(deal[seat]) + len(group) <= 20
                if fits_in and not Counter(group) - Counter(deck):
                    deal[seat] += group
                    for card in group:
                        deck.remove(card)
    for seat in playing:
        while len(deal[seat]) < 20 + (seat == dealer):
            deal[seat].append(deck.pop())
        rng.shuffle(deal[seat])
    if rules.two_long == "extra-card":
        for seat in playing:
            if sum(n == 4 for n in Counter(deal[seat]).values()) == 2:
                deal[seat].insert(0, deck.pop())
    return deal, deck


def choose(rng: random.Random, style: str, state: State, events: list[Event]) -> Event:
    """One of the legal events: first a verb, by the player's style, then one of its events.

    A builder discards what fits least, so that more of his hands end with 胡.
    """
    verbs = sorted({event.verb for event in events})
    weights: dict[Verb, float] = {
        "even": {},
        "eager": {Verb.FLIP: 0.1, Verb.PASS: 0.1, Verb.HU: 0.5},
        "shy": {Verb.CHI: 0.1, Verb.PENG: 0.2, Verb.HU: 0.05},
        "patient": {Verb.HU: 0.02, Verb.CHI: 0.3, Verb.PASS: 0.2},
        "builder": {Verb.CHI: 3, Verb.PENG: 2, Verb.PASS: 0.1},
    }[style]
    verb = rng.choices(verbs, [weights.get(verb, 1.0) for verb in verbs])[0]
    events = [event for event in events if event.verb == verb]
    if style == "builder" and verb == Verb.PLAY:
        return min(events, key=lambda event: fits(state, event))
    return rng.choice(events)


def fits(state: State, event: Event) -> int:
    """In how many groups of his hand the card of a discard could stand."""
    hand, card = state.unlocked(event.seat), event.card
    groups = [Counter(group) for group in EDIBLE if card in group]
    return (hand[card] == 2) * 3 + sum(group <= hand for group in groups)
