"""Short ways to write hands and melds in tests."""

from engine import cards
from engine.melds import Meld
from engine.rules import Rules, preset
from engine.slip_json import read_meld

COMPETITION = preset("competition")
LOCAL = preset("local")


def hand(written: str) -> int:
    """`hand("一二三")`: the packed hand."""
    return cards.pack(cards.parse_many(written))


def table(*written: str, rules: Rules = COMPETITION) -> tuple[Meld, ...]:
    """`table("碰 九", "吃 二七十")`: melds as they lie."""
    return tuple(read_meld(entry, rules) for entry in written)


def card(name: str) -> int:
    """`card("柒")`: its int."""
    return cards.parse(name)


def shown(melds: tuple[Meld, ...]) -> list[str]:
    """Melds as `坎 四四四 3`."""
    return [f"{meld} {meld.hu}" for meld in melds]
