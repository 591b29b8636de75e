"""醒 and settlement (R8, R9): from 胡 to 舵 to what each seat gets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine import cards
from engine.events import Special
from engine.rules import Rules


class Award(NamedTuple):
    """What a win is worth (R9.1, R9.2): total = (base + 醒 + bonus) × times, in 舵.

    With `unit` `hu` all of it is 胡 points and total = base.
    """

    base: int
    bonus: int
    times: int
    total: int


def counting_cards(turned: int, rules: Rules) -> tuple[int, ...]:
    """The cards that count as 醒 when `turned` is turned (R8.1), 0…3 of them, 上 中 下."""
    first = turned - turned % 10
    found = []
    for name, step in (("shang", -1), ("zhong", 0), ("xia", 1)):
        rank = turned % 10 + step
        if name in rules.xing and (rules.xing_wrap or 0 <= rank < 10):
            found.append(first + rank % 10)
    return tuple(found)


def count_xing(turned: Sequence[int], held: int, rules: Rules) -> int:
    """How many 醒 the winner has (R8.2).

    `turned` are the cards turned, in order; `held` all of the winner's cards (hand, table,
    winning card), packed.
    """
    return sum(cards.count(held, c) for t in turned for c in counting_cards(t, rules))


def last_card_xing(card: int | None, held: int, rules: Rules) -> int:
    """R8.4: the 醒 of a win with no card left to turn.

    `card` is the winning (after 扫, 过扫 or 扫穿: the flipped) card, None at the deal; `held` all
    of the winner's cards, packed.
    """
    if rules.last_card == "flat-2":
        return 2
    if rules.last_card == "win-card" and card is not None:
        return count_xing((card,), held, rules)
    return 0


def turns_again(turned: int, held: int, rules: Rules) -> bool:
    """Whether another card is turned after `turned` (R8.3): all four of a neighbour held."""
    return rules.xing_repeat == "on" and any(
        c != turned and cards.count(held, c) == cards.COPIES for c in counting_cards(turned, rules)
    )


def base_points(hu: int, rules: Rules) -> int:
    """R9.1: 胡 as base 舵 (at least 1), or as they are where the unit is `hu`."""
    if rules.unit == "hu":
        return hu
    return max(1, 1 + (hu - rules.min_hu) // rules.duo_step)


def award(hu: int, xing: int, *, own_flip: bool, special: Special | None, rules: Rules) -> Award:
    """R9.1 and R9.2: what a win of `hu` 胡 with `xing` 醒 is worth.

    `own_flip`: 自摸, also after 扫, 过扫 or 扫穿; a special gets no bonus for it.
    """
    base = base_points(hu, rules)
    bonus, times = 0, 1
    if rules.unit == "duo":
        option = rules.special_bonus if special else rules.own_flip_bonus if own_flip else "none"
        bonus = int(option == "+1")
        times = 2 if option == "x2" else 1
    return Award(base, bonus, times, (base + xing + bonus) * times)


def pay(
    total: int, *, seats: int, playing: Sequence[int], winners: Sequence[int], payer: int | None
) -> tuple[int, ...]:
    """R9.3, R9.4: each seat's delta, in seat order, summing to zero.

    `playing` are the seats dealt in, `winners` those who won (none: drawn), `payer` who
    discarded the winning card, alone to pay; None where every other playing seat pays.
    """
    deltas = [0] * seats
    for winner in winners:
        losers = [s for s in playing if s not in winners]
        for loser in losers:
            deltas[loser if payer is None else payer] -= total
            deltas[winner] += total
    return tuple(deltas)


def next_dealer(dealer: int, winners: Sequence[int], *, seats: int, rules: Rules) -> int:
    """R9.5: who deals next. `winners` in playing order from the dealer, empty after a draw."""
    if winners:
        return winners[0]
    return dealer if rules.draw_dealer == "same" else (dealer + 1) % seats


def playing_seats(seats: int, dealer: int) -> tuple[int, ...]:
    """R2.2: the seats dealt in, ascending; of four, the one two after the dealer sits out."""
    return tuple(s for s in range(seats) if seats < 4 or s != (dealer + 2) % 4)
