"""Who may take the open card, and how (R5, R6): 吃 with its 比, 碰, what is compulsory, 臭牌.

Where not told otherwise, functions look at a `State` whose phase is OPEN, and at its open card.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from engine import cards
from engine.cards import UNIT
from engine.evaluate import best
from engine.events import Event, Verb
from engine.melds import CHI, Kind, Source
from engine.state import UNSETTLED, Forced, State, Way, has
from engine.stray import MOST_STRAY, stray
from engine.waits import Waits, waits

OWN_FLIP, FLIP, DISCARD = range(3)
"""`Source` as indices into the values of `waits`."""

SHAPES: Final = tuple(tuple(shape for shape in CHI if card in shape) for card in range(cards.KINDS))
"""By card: the groups in which it can be eaten or laid as 比 (R5.1)."""

_NEAR: Final = tuple(
    sum(15 * UNIT[c] for c in {c for shape in SHAPES[card] for c in shape})
    for card in range(cards.KINDS)
)
"""By card: a mask of the cards that can lie in one group with it."""


NO_TRIPLE: Final = (-1, Kind.PENG)
"""Stands for a 碰, 扫 or 过扫 of the open card that lies nowhere."""


def partners(shape: tuple[int, ...], card: int) -> tuple[int, ...]:
    """What is left of a group without one copy of `card`."""
    rest = list(shape)
    rest.remove(card)
    return tuple(rest)


def chi_ways(free: int, card: int) -> tuple[Way, ...]:
    """Every way to eat `card` with the packed unlocked cards `free` (R5.1, R5.2), sorted.

    Looks at the cards alone: not at whose turn it is, nor at 臭牌, nor at R4.4.
    """
    return _ways(free & _NEAR[card], card)


def the_way(free: int, event: Event) -> Way | None:
    """The way in which a 吃 takes its cards from the packed unlocked cards, or None."""
    _, _, card, pair, bi = event
    assert card is not None
    for way in chi_ways(free, card):
        if way[0] == pair and way[1] == bi:
            return way
    return None


@lru_cache(maxsize=1 << 15)
def _ways(free: int, card: int) -> tuple[Way, ...]:
    found = []
    for shape in SHAPES[card]:
        pair = partners(shape, card)
        needed = cards.pack(pair)
        if has(free, needed):
            for bi in _bi(free - needed, card, 0):
                taken = needed + sum(cards.pack(group) for group in bi)
                found.append((pair, tuple(sorted(bi)), taken))
    ways = []
    for pair, bi, taken in sorted(found):
        events = tuple(Event(Verb.CHI, seat, card, pair, bi) for seat in range(4))
        shapes = (tuple(sorted((card, *pair))), *bi)
        ways.append(Way(pair, bi, taken, events, tuple(CHI[shape] for shape in shapes)))
    return tuple(ways)


def _bi(free: int, card: int, first: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every way to lay all copies of `card` in `free`, with groups from the `first` shape on."""
    if not cards.count(free, card):
        yield ()
        return
    for i, shape in enumerate(SHAPES[card][first:], first):
        needed = cards.pack(shape)
        if has(free, needed):
            for rest in _bi(free - needed, card, i):
                yield (shape, *rest)


def waits_of(state: State, seat: int) -> Waits:
    """What the seat waits for, kept until its cards change."""
    known = state._waits[seat]
    if known is None:
        if stray(state.free[seat]) > MOST_STRAY[state.quads[seat] > 0]:
            known = {}
        else:
            known = waits(state.hands[seat], state.tables[seat], state.rules)
        state._waits[seat] = known
    return known


def win_hu(state: State, seat: int) -> int:
    """The 胡 of the seat's best grouping with the open card, however small; -1: no win.

    The discarder cannot win on his own discard.
    """
    points = waits_of(state, seat).get(state.card)
    if points is None:
        return -1
    if state.was_flip:
        return points[OWN_FLIP if seat == state.giver else FLIP]
    return -1 if seat == state.giver else points[DISCARD]


def winning(state: State) -> tuple[int, ...]:
    """Who could win on the open card (R7), nearest first, were nothing compulsory before."""
    known = state._winning
    if known is None:
        card, giver, was_flip = state.card, state.giver, state.was_flip
        least = state.rules.min_hu
        found = []
        for seat in claimants(state):
            waiting = state._waits[seat]
            if waiting is None:
                waiting = waits_of(state, seat)
            if card in waiting:
                source = DISCARD if not was_flip else OWN_FLIP if seat == giver else FLIP
                if waiting[card][source] >= least:
                    found.append(seat)
        state._winning = known = tuple(found)
    return known


def claimants(state: State) -> tuple[int, ...]:
    """Who may claim the open card, nearest first: of a flip the flipper himself (R6)."""
    order = state.order[state.giver]
    return order if state.was_flip else order[1:]


def eaters(state: State) -> tuple[int, ...]:
    """Who may eat the open card by where he sits, in order (R5.1)."""
    order = state.order[state.giver]
    return order[:2] if state.was_flip else order[1:2]


def taken_by_flipper(state: State) -> Verb | None:
    """What the flipper must do with the open card of his own flip (R5.4, R5.5), or None."""
    if not state.was_flip:
        return None
    card, giver = state.card, state.giver
    if state.holder == giver:
        if state.hands[giver] >> 4 * card & 15 == 3:
            return Verb.SAOCHUAN
        return Verb.GUOSAO if card in state.passed_peng[giver] else Verb.SAO
    seat, kind = state.triples.get(card, NO_TRIPLE)
    return Verb.SAOCHUAN if seat == giver and kind is not Kind.PENG else None


def opener(state: State) -> int | None:
    """Who must open the open card (R5.6), or None; never the one who takes it by 扫穿."""
    card, giver, was_flip = state.card, state.giver, state.was_flip
    holder = state.holder
    if holder >= 0:
        return holder if holder != giver and state.hands[holder] >> 4 * card & 15 == 3 else None
    seat, kind = state.triples.get(card, NO_TRIPLE)
    if seat < 0:
        return None
    if kind is Kind.PENG:
        opens = was_flip and (seat == giver or state.rules.peng_opens_on == "any-flip")
    else:
        opens = seat != giver and (was_flip or state.rules.sao_opens_on != "flip")
    return seat if opens else None


def forced(state: State) -> Forced | None:
    """The compulsory claim on the open card that ranks first (R6), or None."""
    known = state._forced
    if known is UNSETTLED:
        state._forced = known = _forced(state)
    return known


def _forced(state: State) -> Forced | None:
    verb = taken_by_flipper(state)
    if verb is not None:
        return Forced(verb, state.giver, True)
    must = state.rules.must_win
    if must == "always" or (must == "discard" and not state.was_flip):
        nearest = winning(state)[:1]
        if nearest:
            return Forced(Verb.HU, nearest[0], True)
    seat_opening = opener(state)
    return None if seat_opening is None else Forced(Verb.KAIDUO, seat_opening, False)


def chi_barred(state: State, seat: int, card: int) -> bool:
    """Whether the seat may not eat this card any more (R5.7, R5.8)."""
    return (
        card in state.thrown[seat]
        or card in state.passed_chi[seat]
        or (card in state.passed_peng[seat] and state.rules.passed == "shared")
    )


def peng_barred(state: State, seat: int, card: int) -> bool:
    """Whether the seat may not 碰 this card any more (R5.7)."""
    return card in state.passed_peng[seat] or (
        card in state.passed_chi[seat] and state.rules.passed == "shared"
    )


def could_chi(state: State, seat: int) -> tuple[Way, ...]:
    """Every way in which the seat may eat the open card, were no other claim before (R5.1–R5.8).

    A 吃 that leaves nothing to discard is none (R4.4).
    """
    for eater, ways in eats(state):
        if eater == seat:
            return ways
    return ()


def eats(state: State) -> tuple[tuple[int, tuple[Way, ...]], ...]:
    """Who could eat the open card, in the order of R5.1, and in which ways."""
    known = state._eats
    if known is None:
        card = state.card
        near = _NEAR[card]
        found = []
        for seat in eaters(state):
            free = state.free[seat]
            ways = _ways(free & near, card)
            if ways and not chi_barred(state, seat, card):
                left = tuple([way for way in ways if way[2] != free])
                if left:
                    found.append((seat, left))
        state._eats = known = tuple(found)
    return known


def could_peng(state: State) -> int | None:
    """Who may 碰 the open card, were no other claim before (R5.3, R5.7, R4.4), or None."""
    seat, card = state.holder, state.card
    if seat < 0 or seat == state.giver or state.hands[seat] >> 4 * card & 15 != 2:
        return None
    if peng_barred(state, seat, card) or state.free[seat] == 2 * UNIT[card]:
        return None
    return seat


def has_choice(state: State, seat: int) -> bool:
    """Whether the seat has a 胡, 碰 or 吃 of its own on the open card, to make or to leave.

    Looks at no compulsory claim; a seat that wrote 过 has no choice any more.
    """
    if seat in state.declined:
        return False
    return seat in winning(state) or could_peng(state) == seat or bool(could_chi(state, seat))


def let_pass(state: State, eater: int | None) -> None:
    """Notes who has let the open card pass (R5.7), after nobody (None) or the `eater` took it.

    After 胡, 扫, 开舵 and 碰 nobody has, so those never come here. That a seat wrote 过 makes no
    difference: it is the settling of the card that decides.
    """
    peng = could_peng(state)
    for seat, _ in eats(state):
        if eater is None or (state.was_flip and seat == state.giver != eater):
            state.passed_chi[seat][state.card] = state.opened_at
    if peng is not None and peng != eater:
        state.passed_peng[peng][state.card] = state.opened_at


def bare_hu(state: State) -> int:
    """The 胡 of the hand as it stands after a 扫, 过扫 or 扫穿 just made (R7.5); -1: no win."""
    hand, table = state.hands[state.turn], state.tables[state.turn]
    grouping = best(hand, table, None, Source.OWN_FLIP, state.rules)
    return -1 if grouping is None else grouping.hu
