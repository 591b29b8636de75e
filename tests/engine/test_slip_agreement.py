"""The same hand as a record and as a slip is worth the same (R7.3–R7.5, R8, R9)."""

import random

import pytest

from engine.events import Verb
from engine.melds import Source
from engine.play import Hand
from engine.rules import OPTIONS, PRESETS
from engine.simulate import play_hands
from engine.slip import Seating, Slip, score

TAKES = (Verb.SAO, Verb.GUOSAO, Verb.SAOCHUAN)
WORTH = ("hu", "base", "xing_cards", "xing", "bonus", "times", "total", "deltas")


def any_rules(rng):
    """A preset, half of the time with half of its options at random."""
    base = rng.choice(list(PRESETS.values()))
    if rng.random() < 0.5:
        return base
    options = {}
    for name in rng.sample(list(OPTIONS), len(OPTIONS) // 2):
        values = list(OPTIONS[name].values)
        options[name] = (
            [v for v in values if rng.random() < 0.5] if OPTIONS[name].many else rng.choice(values)
        )
    return base.with_options(options)


def before_the_win(hand):
    """The hand before the event that brought the winning or the flipped card into it."""
    events = hand.events
    won = next(i for i, event in enumerate(events) if event.verb is Verb.HU)
    if events[won].card is None and won:
        won = max(i for i in range(won) if events[i].verb in TAKES)
    again = Hand(hand.rules, hand.dealer, dict(enumerate(hand.deal)), hand.wall)
    for event in events[:won]:
        again.do(event)
    return again


def slip_of(hand):
    """The slip that a referee would write down after the hand."""
    result, winner, before = hand.result, hand.winners[0], before_the_win(hand)
    sitting = (hand.dealer + 2) % 4 if hand.seats == 4 else None
    return Slip(
        rules=hand.rules,
        hand=before.hands[winner],
        table=before.tables[winner],
        card=result.card,
        source=result.source,
        special=result.special,
        xing=result.xing_cards,
        last_card=before.wall_left == 0,
        seating=Seating(hand.seats, winner, result.payer, sitting),
    )


@pytest.mark.parametrize("seed", range(4))
def test_a_slip_is_worth_what_the_record_of_the_same_hand_is(seed):
    """Over all presets and random options."""
    rng = random.Random(seed)
    bare = compared = 0
    for _ in range(60):
        (hand,) = play_hands(any_rules(rng), 1, rng)
        # A slip cannot say that only the wall's end stopped R8.3.
        if len(hand.winners) != 1 or (hand.turned and not hand.wall_left):
            continue
        slip = slip_of(hand)
        scored = score(slip)
        assert [getattr(scored, name) for name in WORTH] == [
            getattr(hand.result, name) for name in WORTH
        ], slip
        compared += 1
        bare += slip.source is Source.OWN_FLIP
    assert compared > 40
    assert bare
