"""R3, R7: the engine's evaluation against the plain recursion of `slow_evaluate`.

`DUOZHU_FULL=1` proves everything (minutes); the default run takes a part of the same hands.
`DUOZHU_SEED` chooses other random hands.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest

from engine.cards import pack, text
from engine.evaluate import Grouping, best
from engine.explain import groupings
from engine.melds import CHI, KAIDUO, PENG, SAOCHUAN, SOURCE_NAMES, Kind, Meld, Source
from engine.melds import GUOSAO as GUOSAO_MELDS
from engine.melds import SAO as SAO_MELDS
from engine.rules import PRESETS, Rules
from engine.waits import listening, waits
from tests.engine.slow_evaluate import (
    QUADS,
    RUNS,
    Group,
    slow_best,
    slow_groupings,
    slow_listening,
    total_hu,
)

FULL = os.environ.get("DUOZHU_FULL") == "1"
SEED = int(os.environ.get("DUOZHU_SEED", "20261130"))
COMPETITION = PRESETS["competition"]
CARD_SOURCES = (Source.OWN_FLIP, Source.FLIP, Source.DISCARD)
FILLER: Group = ("吃", (3, 4, 5))
EDIBLE = sorted(CHI)


def melds(table: list[Group], rules: Rules) -> tuple[Meld, ...]:
    """The oracle's table as the engine's."""
    same = {
        "碰": PENG[rules.peng_points],
        "扫": SAO_MELDS,
        "过扫": GUOSAO_MELDS,
        "扫穿": SAOCHUAN,
        "开舵": KAIDUO,
    }
    return tuple(CHI[cards] if kind == "吃" else same[kind][cards[0]] for kind, cards in table)


def canonical(grouping: Grouping) -> tuple[Group, ...]:
    """The engine's grouping as the oracle writes one."""
    return tuple(sorted((str(meld.kind), meld.cards) for meld in grouping.melds))


def engine_hu(
    hand: list[int], table: list[Group], card: int | None, source: Source, rules: Rules
) -> int | None:
    """What `evaluate.best` gives, None where the hand is incomplete."""
    found = best(pack(hand), melds(table, rules), card, source, rules)
    return None if found is None else found.hu


def shown(
    hand: list[int], table: list[Group], card: int | None, source: Source, rules: Rules
) -> str:
    """A position for people, printed where the two disagree."""
    lies = " ".join(f"{kind}{text(cards)}" for kind, cards in table)
    won = "-" if card is None else text([card])
    options = {k: v for k, v in rules.options().items() if getattr(COMPETITION, k) != v}
    return f"hand {text(sorted(hand))} table {lies} card {won} {source.name} {options} seed {SEED}"


def free_patterns() -> list[tuple[int, ...]]:
    """Every way to hold at most two of each rank that falls into runs, as ranks 1…10."""
    found: set[tuple[int, ...]] = set()
    grown: set[tuple[int, ...]] = {()}
    while grown:
        found |= grown
        grown = {tuple(sorted((*old, *run))) for old, run in product(grown, RUNS)}
        grown = {new for new in grown if max(Counter(new).values()) <= 2} - found
    return sorted(found)


PATTERNS = free_patterns()


def pattern_pairs() -> Iterator[tuple[list[int], int]]:
    """Every small with every big free pattern: the cards and number of groups."""
    for small, big in product(PATTERNS, PATTERNS):
        hand = [rank - 1 for rank in small] + [rank + 9 for rank in big]
        yield hand, len(hand) // 3


def test_patterns_of_one_size_are_391() -> None:
    """Their pairs are the 152,881 hands of the tests below."""
    assert len(PATTERNS) == 391


def test_best_over_all_pairs_of_free_patterns() -> None:
    """R7.1, R7.2: complete without a quad where they make up seven groups with the table."""
    complete = 0
    for hand, groups in pattern_pairs():
        table = [FILLER] * (7 - groups)
        slow = slow_best(hand, table, None, "deal", COMPETITION)
        fast = engine_hu(hand, table, None, Source.DEAL, COMPETITION)
        assert fast == slow, shown(hand, table, None, Source.DEAL, COMPETITION)
        assert (slow is not None) == (groups <= 7)
        complete += slow is not None
    assert complete == 81_799


def test_best_over_pairs_of_free_patterns_with_quad_and_pair() -> None:
    """R7.2: with a quad one pair more; every card as the pair (in part where not full)."""
    rng = random.Random(SEED)
    table_of = {n: [("开舵", (9,) * 4), *[FILLER] * n] for n in range(7)}
    for hand, groups in pattern_pairs():
        if groups > 5:
            continue
        for card in range(20) if FULL else (rng.randrange(20),):
            if hand.count(card) > 1 or card == 9:
                continue
            table = table_of[5 - groups]
            held = [*hand, card]
            for source in CARD_SOURCES:
                slow = slow_best(held, table, card, SOURCE_NAMES[source], COMPETITION)
                fast = engine_hu(held, table, card, source, COMPETITION)
                assert fast == slow, shown(held, table, card, source, COMPETITION)


def test_best_over_pairs_of_free_patterns_one_card_short() -> None:
    """R7.3: each card of the pair of patterns as the winning one (in part where not full)."""
    rng = random.Random(SEED)
    for hand, groups in pattern_pairs():
        if not 0 < groups <= 7 or (not FULL and rng.random() < 0.8):
            continue
        table = [FILLER] * (7 - groups)
        for card in sorted(set(hand)) if FULL else (rng.choice(hand),):
            held = hand.copy()
            held.remove(card)
            source = rng.choice(CARD_SOURCES)
            slow = slow_best(held, table, card, SOURCE_NAMES[source], COMPETITION)
            fast = engine_hu(held, table, card, source, COMPETITION)
            assert fast == slow, shown(held, table, card, source, COMPETITION)
            assert slow is not None or (source == Source.OWN_FLIP and hand.count(card) == 3)


def random_rules(rng: random.Random) -> Rules:
    """Rules in which the options that evaluation reads are drawn."""
    return COMPETITION.with_options(
        {
            "peng_points": rng.choice(("colour", "plain")),
            "peng_opens_on": rng.choice(("own-flip", "any-flip")),
            "sao_opens_on": rng.choice(("flip", "flip-or-discard")),
            "min_hu": rng.choice((10, 15, 20, 25, 30)),
        }
    )


def random_position(rng: random.Random) -> tuple[list[int], list[Group], int]:
    """A hand, a table and a card that often wins: a complete hand taken apart, at times spoilt."""
    while True:
        groups: list[Group] = []
        quads = rng.choices(range(4), (50, 30, 15, 5))[0]
        for place in range(7):
            card = rng.randrange(20)
            if place < quads:
                groups.append((rng.choice(("龙", "扫穿", "开舵")), (card,) * 4))
            elif place == 6 and quads:
                groups.append(("将", (card,) * 2))
            elif rng.random() < 0.35:
                groups.append((rng.choice(("坎", "碰", "扫", "过扫")), (card,) * 3))
            else:
                groups.append((rng.choice(("吃", "顺", "顺")), rng.choice(EDIBLE)))
        if max(Counter(card for _, cards in groups for card in cards).values()) <= 4:
            break
    in_hand = ("龙", "坎", "将", "顺")
    last = rng.randrange(7)
    kind, cards = groups[last]
    card = rng.choice(cards)
    table = [group for group in groups if group[0] not in in_hand]
    hand = [c for kind, cards in groups if kind in in_hand for c in cards]
    if kind in QUADS:
        before = rng.choice(("坎", "碰", "扫", "过扫"))
        if kind == "龙":
            hand = [c for c in hand if c != card]
        else:
            table.remove(groups[last])
        if before == "坎":
            hand += [card] * 3
        else:
            table.append((before, (card,) * 3))
    elif kind in in_hand:
        hand.remove(card)
    else:
        table.remove(groups[last])
        hand += cards
        hand.remove(card)
    held = Counter(hand) + Counter(c for _, cards in table for c in cards)
    if rng.random() < 0.3 and hand:
        spoilt = rng.choice(hand)
        hand.remove(spoilt)
        held[spoilt] -= 1
        put = rng.choice([c for c in range(20) if held[c] < 4 and c != spoilt])
        hand.append(put)
        held[put] += 1
    if rng.random() < 0.1 or held[card] > 3:
        card = rng.choice([c for c in range(20) if held[c] < 4])
    return hand, table, card


def test_best_of_random_hands_with_quads_and_table() -> None:
    """R3, R7.1–R7.4: every source and option; the engine's grouping is one of the oracle's."""
    print("seed", SEED)  # noqa: T201
    rng = random.Random(SEED)
    won: Counter[str] = Counter()
    for _ in range(50_000 if FULL else 8_000):
        hand, table, card = random_position(rng)
        rules = random_rules(rng)
        for source in Source:
            taken = None if source == Source.DEAL else card
            name = SOURCE_NAMES[source]
            slow = slow_best(hand, table, taken, name, rules)
            found = best(pack(hand), melds(table, rules), taken, source, rules)
            at = shown(hand, table, taken, source, rules)
            assert (None if found is None else found.hu) == slow, at
            if found is not None:
                won[name] += 1
                ways = slow_groupings(hand, table, taken, name, rules)
                assert canonical(found) in ways, at
                assert max(total_hu(way, rules) for way in ways) == slow, at
    assert all(won[name] for name in SOURCE_NAMES[:3])


def test_groupings_of_random_hands() -> None:
    """R7.4: all complete groupings, for appeals."""
    print("seed", SEED)  # noqa: T201
    rng = random.Random(SEED + 1)
    for _ in range(10_000 if FULL else 1_500):
        hand, table, card = random_position(rng)
        rules = random_rules(rng)
        for source in CARD_SOURCES:
            slow = slow_groupings(hand, table, card, SOURCE_NAMES[source], rules)
            fast = groupings(pack(hand), melds(table, rules), card, source, rules)
            at = shown(hand, table, card, source, rules)
            assert {canonical(grouping) for grouping in fast} == slow, at
            assert [g.hu for g in fast] == [total_hu(canonical(g), rules) for g in fast], at


def test_waits_and_listening_of_random_hands() -> None:
    """R7.3, R7.7: every card by every source."""
    print("seed", SEED)  # noqa: T201
    rng = random.Random(SEED + 2)
    heard: Counter[bool] = Counter()
    for _ in range(10_000 if FULL else 800):
        hand, table, _ = random_position(rng)
        rules = random_rules(rng)
        held = Counter(hand) + Counter(c for _, cards in table for c in cards)
        slow = {}
        for card in range(20):
            if held[card] < 4:
                hu = [
                    slow_best(hand, table, card, SOURCE_NAMES[source], rules)
                    for source in CARD_SOURCES
                ]
                if hu != [None] * 3:
                    slow[card] = tuple(-1 if one is None else one for one in hu)
        at = shown(hand, table, None, Source.DEAL, rules)
        packed, lies = pack(hand), melds(table, rules)
        assert {c: tuple(w) for c, w in waits(packed, lies, rules).items()} == slow, at
        expected = slow_listening(hand, table, rules)
        assert listening(packed, lies, rules) == expected, at
        heard[expected] += 1
    assert min(heard[True], heard[False]) > 100


@pytest.mark.parametrize("kind", [Kind.KAN, Kind.SAO, Kind.GUOSAO])
def test_oracle_takes_forced_quads(kind: Kind) -> None:
    """R5.5, R7.3: the oracle itself, on a hand worked out by hand: one's own flip is 扫穿."""
    hand = [0, 1, 2, 3, 4, 5, 6, 6]
    table: list[Group] = [FILLER] * 3
    if kind == Kind.KAN:
        hand += [19] * 3
    else:
        table = [*table, (str(kind), (19, 19, 19))]
    assert slow_best(hand, table, 19, "own-flip", COMPETITION) == 12 + 3
