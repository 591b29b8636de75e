"""Whole records for tests, played by machines from a seed."""

from __future__ import annotations

import random
from functools import cache

from engine.record import export
from engine.replay import record_of, replay_all
from engine.result import Result
from engine.rules import preset
from engine.simulate import play_hands


@cache
def texts(count: int, rules: str = "competition", seats: int = 3, seed: int = 7) -> list[str]:
    """So many records under a preset, each dealt by whose turn it is, the first by 甲."""
    options = preset(rules).with_options({"seats": seats})
    hands = play_hands(options, count, random.Random(seed))
    return [export(record_of(hand, rules)) for hand in hands]


def won(rules: str = "competition", seats: int = 3) -> str:
    """The first record, dealt by 甲, of a hand that somebody wins."""
    first = (texts(1, rules, seats, seed)[0] for seed in range(50))
    return next(text for text in first if result_of(text).winners)


def result_of(text: str) -> Result:
    """What the engine says to it."""
    (found,) = replay_all(text)
    assert found.result is not None, found.error
    return found.result
