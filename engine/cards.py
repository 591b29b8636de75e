"""Cards (R1): ints 0…19 inside, characters at the edge.

一…十 are 0…9 (small), 壹…拾 are 10…19 (big). A *hand* is one int with four bits a card,
`hand >> 4 * card & 15` copies of it, so that taking and giving a card is one addition. Since
16 ≡ 1 (mod 3), a packed number mod 3 is the number of its cards mod 3.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

from engine.errors import ZipaiError

KINDS: Final = 20
"""Different cards."""
COPIES: Final = 4
"""Copies of each card."""
DECK: Final = KINDS * COPIES

SMALL: Final = "一二三四五六七八九十"
BIG: Final = "壹贰叁肆伍陆柒捌玖拾"
NAMES: Final = SMALL + BIG
RED: Final = frozenset(c for c in range(KINDS) if c % 10 in (1, 6, 9))
"""二七十 贰柒拾."""

UNIT: Final = tuple(1 << 4 * c for c in range(KINDS))
"""One copy of each card, packed."""
ONES: Final = sum(UNIT)
SIZE_MASK: Final = (1 << 40) - 1
"""The small cards of a packed hand; the big ones are `hand >> 40`."""

_ALIASES: Final = {
    **{name: c for c, name in enumerate(NAMES)},
    "貳": 11,
    "弐": 11,
    "參": 12,
    "叄": 12,
    "陸": 15,
    "壱": 10,
}
_SEPARATORS: Final = re.compile(r"\s*\+\s*(?=[sSbB])|\s+")
_SIGN: Final = re.compile(r"([sSbB])(10|[1-9])(?![0-9])|.", re.DOTALL)
_FULL_WIDTH: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_LOOK_ALIKES: Final = {
    "—": "一",
    "―": "一",
    "─": "一",
    "ー": "一",
    "-": "一",
    "－": "一",
    "ニ": "二",
    "ミ": "三",
    "ハ": "八",
    "〇": "十",
    "○": "十",
    "+": "十",
    "＋": "十",
    "†": "十",
}


def is_big(card: int) -> bool:
    """Whether the card is one of 壹…拾."""
    return card >= 10


def rank(card: int) -> int:
    """The card's rank, 1…10."""
    return card % 10 + 1


def other_size(card: int) -> int:
    """The card of the same rank and the other size."""
    return (card + 10) % KINDS


def count(hand: int, card: int) -> int:
    """How many copies of `card` the packed `hand` holds."""
    return hand >> 4 * card & 15


def pack(cards: Iterable[int]) -> int:
    """The packed hand of these cards."""
    return sum(map(UNIT.__getitem__, cards))


def unpack(hand: int) -> Iterator[int]:
    """The cards of a packed hand, ascending, small before big."""
    card = 0
    while hand:
        for _ in range(hand & 15):
            yield card
        hand >>= 4
        card += 1


def size(hand: int) -> int:
    """The number of cards in a packed hand."""
    total = 0
    while hand:
        total += hand & 15
        hand >>= 4
    return total


def text(cards: Iterable[int]) -> str:
    """The cards' characters, run together in the order given."""
    return "".join([NAMES[c] for c in cards])


def parse_many(written: str) -> list[int]:
    """The cards of a group as people write it: `二七十`, `s2+s7+s10`, blanks between.

    Raises `unknown-card` at the first sign that is none.
    """
    found: list[int] = []
    text = unicodedata.normalize("NFC", written.translate(_FULL_WIDTH))
    for part in _SEPARATORS.split(text):
        for sign in _SIGN.finditer(part):
            letter, number = sign.groups()
            if letter:
                found.append(int(number) - 1 + (10 if letter in "bB" else 0))
            else:
                found.append(parse(sign[0]))
    return found


def parse(char: str) -> int:
    """The card a character stands for, 0…19.

    Raises `unknown-card` for anything else; look-alikes get a hint, never a guess.
    """
    card = _ALIASES.get(char)
    if card is not None:
        return card
    meant = _LOOK_ALIKES.get(char)
    hint_zh = f"，是不是“{meant}”" if meant else ""
    hint_en = f"; did you mean {meant}" if meant else ""
    raise ZipaiError(
        "unknown-card",
        "R1",
        f"“{char}”不是字牌{hint_zh}？" if meant else f"“{char}”不是字牌",
        f"“{char}” is no card{hint_en}?" if meant else f"“{char}” is no card",
    )
