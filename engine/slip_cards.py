"""Whether the cards of a slip can be a winner's cards: how many, of what, and where (R2, R5)."""

from __future__ import annotations

from engine import cards
from engine.errors import ZipaiError
from engine.melds import QUADS, Meld, Source
from engine.rules import Rules

_DEALT = 20
_TWO_LONG = 2


def check_cards(
    hand: int,
    table: tuple[Meld, ...],
    card: int | None,
    source: Source,
    xing: tuple[int, ...],
    rules: Rules,
    *,
    waiting: bool = False,
) -> None:
    """Checks the cards of a slip, as `Slip` holds them; `waiting`: before the winning card.

    Raises `deck` for a fifth copy, `deal-count` for a number of cards that no deal and no play
    leads to, `locked` where a 坎 or 龙 would have been split (R2.3).
    """
    lying = cards.pack(c for meld in table for c in meld.cards)
    held = hand + lying + (0 if card is None else cards.UNIT[card])
    _check_deck(held + cards.pack(xing))
    _check_locked(hand, table)
    have = cards.size(held) + waiting
    allowed = _counts(hand, table, source, rules)
    if have not in allowed:
        wanted = "、".join(map(str, allowed))
        raise ZipaiError(
            "deal-count",
            "R2.1",
            f"连胡的那张一共 {have} 张牌，应为 {wanted} 张",
            f"{have} cards with the winning one, {' or '.join(map(str, allowed))} expected",
        )


def _check_deck(seen: int) -> None:
    for c in range(cards.KINDS):
        if cards.count(seen, c) > cards.COPIES:
            name = cards.NAMES[c]
            raise ZipaiError(
                "deck",
                "R1",
                f"{name}有 {cards.count(seen, c)} 张，一副牌里只有四张",
                f"{cards.count(seen, c)} copies of {name}; the deck has four",
            )


def _check_locked(hand: int, table: tuple[Meld, ...]) -> None:
    for kind, of, _ in table:
        same = of[0] == of[-1]
        for c in set(of):
            held = cards.count(hand, c)
            if held >= 3 or (same and held):
                name = cards.NAMES[c]
                raise ZipaiError(
                    "locked",
                    "R2.3",
                    f"手里有 {held} 张{name}，桌上又有“{kind} {cards.text(of)}”："
                    f"起手三张以上的牌不能拆开吃碰",
                    f"{held} {name} in hand beside “{kind} {cards.text(of)}” on the table: "
                    f"three or four equal cards in hand are never split",
                )


def _counts(hand: int, table: tuple[Meld, ...], source: Source, rules: Rules) -> tuple[int, ...]:
    """The numbers of cards that such a winner can have, the winning card included.

    Every quad beyond the first keeps one card more (R4.3), two 龙 at the deal may (R2.4).
    """
    longs = sum(cards.count(hand, c) == cards.COPIES for c in range(cards.KINDS))
    extra = rules.two_long == "extra-card"
    spare: tuple[int, ...] = (0,)
    if longs == _TWO_LONG:
        spare = (1,) if extra else (0, 1)
    elif longs > _TWO_LONG:
        spare = (0, 1)
    if source is Source.DEAL:
        if table or not extra:
            spare = (0,)
        return tuple(sorted({_DEALT + dealer + more for dealer in (0, 1) for more in spare}))
    made = sum(meld.kind in QUADS for meld in table)
    kept = made if longs else max(0, made - 1)
    return tuple(_DEALT + 1 + kept + more for more in spare)
