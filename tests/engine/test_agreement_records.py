"""Strict replay against the oracle: a record with one line changed is let through if and only if
the slow generator lets each of its events through (an unfinished record is let through).

`DUOZHU_FULL=1` tries every change of the real records (minutes), the default run some of each;
`DUOZHU_SEED` chooses others, `ZIPAI_RECORDS` says where the real records lie.
"""

from __future__ import annotations

import os
import random
import sys
from collections import Counter
from collections.abc import Iterator

import pytest

from engine.events import Event, Verb
from engine.replay import replay_all
from engine.rules import PRESETS
from tests.engine.slow_deals import STYLES, choose, random_rules, random_start
from tests.engine.slow_play import allowed, legal, legal_events
from tests.engine.slow_records import RECORDS, read_record, real_records, write_record
from tests.engine.slow_state import State

FULL = os.environ.get("DUOZHU_FULL") == "1"
SEED = int(os.environ.get("DUOZHU_SEED", "20261130"))
CHANGES = 1_000 if FULL else 30
"""Changes of each simulated record; of a real one all where full."""
SIMULATED = 100 if FULL else 60

Change = tuple[str, list[Event]]


def changes(events: list[Event], seats: int) -> Iterator[Change]:
    """Every change of one line, with its name: deleted, repeated, moved, other seat, card, verb."""
    for i, event in enumerate(events):
        before, after = events[:i], events[i + 1 :]
        yield "deleted", before + after
        yield "repeated", [*before, event, event, *after]
        for j in range(len(events)):
            if j != i:
                moved = before + after
                moved.insert(j, event)
                yield "moved", moved
        for seat in range(seats):
            if event.seat not in (None, seat):
                yield "seat", [*before, event._replace(seat=seat), *after]
        for kind, other in other_cards(event):
            yield kind, [*before, other, *after]
        for verb in Verb:
            if verb != event.verb and shape(verb) == shape(event.verb):
                yield "verb", [*before, event._replace(verb=verb), *after]


def shape(verb: Verb) -> str:
    """Verbs whose lines look alike: seat and card, seat alone, or one of its own."""
    if verb in (Verb.CHI, Verb.HU, Verb.XING, Verb.DRAW):
        return verb
    return "seat" if verb in (Verb.PASS, Verb.KEEP) else "card"


def other_cards(event: Event) -> Iterator[tuple[str, Event]]:
    """The event with one of its cards another one; `size` where only the size differs."""
    for card in range(20):
        if event.card not in (None, card):
            yield kind_of(event.card, card), event._replace(card=card)
        for place, old in enumerate(event.pair):
            if old != card:
                pair = with_card(event.pair, place, card)
                yield kind_of(old, card), event._replace(pair=pair)
        for number, group in enumerate(event.bi):
            for place, old in enumerate(group):
                if old != card:
                    bi = [*event.bi[:number], with_card(group, place, card)]
                    bi = sorted([*bi, *event.bi[number + 1 :]])
                    yield kind_of(old, card), event._replace(bi=tuple(bi))


def kind_of(old: int, new: int) -> str:
    """Whether two cards differ in size alone."""
    return "size" if old % 10 == new % 10 else "card"


def with_card(cards: tuple[int, ...], place: int, card: int) -> tuple[int, ...]:
    """The cards, ascending, with one replaced."""
    return tuple(sorted((*cards[:place], card, *cards[place + 1 :])))


def simulated(number: int) -> tuple[str, State, list[Event]]:
    """A random hand as a record: its preset, start and events."""
    rng = random.Random(f"{SEED} record {number}")
    preset = list(PRESETS)[number % len(PRESETS)]
    start = random_start(rng, random_rules(rng, preset))
    state, style = start, rng.choice(STYLES)
    while events := legal(state):
        state = state.after(choose(rng, style, state, events))
    return preset, start, list(state.events)


def finished(state: State) -> bool:
    """Whether a record may end here as valid: 荒, or 胡 with nothing due after it."""
    due = [event for event in legal(state) if event.verb == Verb.XING]
    compulsory = state.rules.must_win == "always" and bool(legal(state))
    return state.ended_by == Verb.DRAW or (state.ended_by == Verb.HU and not due and not compulsory)


def check_changes(
    preset: str, start: State, events: list[Event], limit: int, rng: random.Random
) -> Counter[str]:
    """Replays up to `limit` changed records; returns those let through, by the change's name."""
    states = [start]
    for event in events:
        assert allowed(states[-1], event)
        states.append(states[-1].after(event))
    some = list(changes(events, start.rules.seats))
    if len(some) > limit:
        some = rng.sample(some, limit)
    through: Counter[str] = Counter()
    for name, changed in [("none", events), *some]:
        same = 0
        while same < len(events) and events[: same + 1] == changed[: same + 1]:
            same += 1
        state = states[same]
        for event in changed[same:]:
            if not allowed(state, event):
                break
            state = state.after(event)
        record = write_record(preset, start, changed)
        (replayed,) = replay_all(record)
        at = f"{name}: event {len(state.events) + 1} of\n{record}{replayed}"
        if len(state.events) == len(changed):
            assert replayed.status == ("valid" if finished(state) else "unfinished"), at
            through[name] += 1
        else:
            assert replayed.status == "invalid", at
            assert replayed.error is not None
            assert replayed.error.event == len(state.events) + 1, at
            if not FULL or rng.random() < 0.05:
                assert set(map(str, replayed.error.legal)) == legal_events(state), at
    return through


@pytest.mark.skipif(not real_records(), reason=f"no records in {RECORDS}")
def test_changed_real_records_pass_as_the_oracle_says() -> None:
    """Hands really played: nothing illegal let through, nothing legal refused."""
    print("seed", SEED)  # noqa: T201
    rng = random.Random(SEED)
    through: Counter[str] = Counter()
    limit = sys.maxsize if FULL else CHANGES
    for path in real_records():
        through += check_changes(*read_record(path.read_text("utf-8")), limit, rng)
    print(dict(through))  # noqa: T201
    assert through["none"] == len(real_records())


def test_changed_simulated_records_pass_as_the_oracle_says() -> None:
    """The same with all presets, options, seats, and walls known in part or not at all."""
    print("seed", SEED)  # noqa: T201
    rng = random.Random(SEED)
    through: Counter[str] = Counter()
    for number in range(SIMULATED):
        through += check_changes(*simulated(number), CHANGES, rng)
    print(dict(through))  # noqa: T201
    assert through["none"] == SIMULATED
