"""The engine's figures: evaluations beside `mahjong`'s, waits, start, memory."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig

from benchmarks.hands import Hand, waiting, winning
from benchmarks.measure import REPEATS, Figure, distinct, fresh, fresh_median, per_second
from engine.evaluate import best
from engine.rules import PRESETS
from engine.waits import waits

RULES = PRESETS["competition"]
HANDS = 5_000 * REPEATS
PEER_HANDS = 2_000 * REPEATS
WAITING = 2_000 * REPEATS

MahjongHand = tuple[tuple[int, ...], int, bool]
"""The tiles (136 of them), the winning one, whether it was drawn."""

START = """
import time
start = time.process_time()
import engine.evaluate, engine.rules, engine.settle, engine.waits
imported = time.process_time()
from engine.cards import pack
from engine.melds import Source
engine.evaluate.best(
    pack([0, 1, 2] * 2 + [3, 4, 5] * 2 + [10, 11, 12] * 2 + [6, 7]),
    (engine.evaluate.SAO[19],), 8, Source.DISCARD, engine.rules.PRESETS["competition"],
)
print((imported - start) * 1000, (time.process_time() - imported) * 1000)
"""

MEMORY = """
import array, random, resource, sys
sys.path.insert(0, "bin")
from benchmarks.hands import winning
from engine.evaluate import best
from engine.rules import PRESETS
rules, hands = PRESETS["competition"], winning(random.Random(100))
seen = array.array("q", bytes(8 * 100_000))
best(*next(hands), rules)
start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for i in range(100_000):
    hand = next(hands)
    seen[i] = hash(hand)
    best(*hand, rules)
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start
assert len(set(seen)) > 99_000
print(grown / 1024)
"""


def evaluate(hands: Sequence[Hand]) -> None:
    """Counts each hand; all of them win."""
    for hand, table, card, source in hands:
        if best(hand, table, card, source, RULES) is None:
            raise AssertionError("a generated hand does not win")


def find_waits(hands: Sequence[int]) -> int:
    """Finds what each hand waits for; how many wait for something."""
    return sum([1 for hand in hands if waits(hand, (), RULES)])


def evaluate_peer(hands: Sequence[MahjongHand]) -> None:
    """Values each hand with `mahjong`; all of them win (riichi is declared, so a yaku is there)."""
    for tiles, win_tile, drawn in hands:
        config = HandConfig(is_riichi=True, is_tsumo=drawn)
        if HandCalculator.estimate_hand_value(tiles, win_tile, config=config).error:
            raise AssertionError("a generated mahjong hand does not win")


def peer_hands(rng: random.Random) -> Iterator[MahjongHand]:
    """Endless winning hands of four sets and a pair from the 136 tiles."""
    sets = [(k,) * 3 for k in range(34)]
    sets += [(s + r, s + r + 1, s + r + 2) for s in (0, 9, 18) for r in range(7)]
    while True:
        kinds = [k for group in rng.choices(sets, k=4) for k in group]
        kinds += [rng.randrange(34)] * 2
        if max(kinds.count(k) for k in kinds) <= 4:
            kinds.sort()
            tiles = tuple(4 * k + kinds[:i].count(k) for i, k in enumerate(kinds))
            yield tiles, rng.choice(tiles), rng.random() < 0.5


def run() -> Iterator[Figure]:
    """The figures of the engine's first half, with the peer measured in the same run."""
    ours = per_second(evaluate, distinct(winning(random.Random(1)), HANDS))
    peer = per_second(evaluate_peer, distinct(peer_hands(random.Random(2)), PEER_HANDS))
    yield "full evaluations of distinct winning hands", ours, "/s"
    yield "  mahjong: estimate_hand_value of distinct winning hands", peer, "/s"
    yield "  ratio (must be 5, aim 10)", ours / peer, "×"
    hands = distinct(waiting(random.Random(3)), WAITING)
    yield (
        "waits of distinct hands of 20 cards (must be 25,000)",
        per_second(find_waits, hands),
        "/s",
    )
    imported, first = fresh_median(START)
    yield "import engine (at most 60)", imported, "ms"
    yield "first evaluation after it (at most 50)", first, "ms"
    yield "memory grown by 100,000 evaluations (at most 50)", fresh(MEMORY)[0], "MB"
