"""The melds of a winning hand as one number, so that a database can look for them: a bit each.

Pure: JSON of `engine.result.meld_json` in, whole numbers out. A bit's place never changes, as it
is stored; new ones come last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from engine.melds import Kind

KINDS: Final = (
    Kind.KAN,
    Kind.SAO,
    Kind.GUOSAO,
    Kind.LONG,
    Kind.SAOCHUAN,
    Kind.KAIDUO,
    Kind.PENG,
    Kind.CHI,
    Kind.SHUN,
    Kind.DA,
    Kind.JIANG,
)
RUNS: Final = ("二七十", "贰柒拾", "一二三", "壹贰叁")
"""Groups known by their cards, eaten or in hand."""
NAMES: Final = (*(str(kind) for kind in KINDS), *RUNS)
"""What can be asked for, each the name of the bit at its place."""


def bits_of(melds: Iterable[Mapping[str, object]] | None) -> int:
    """The number of a hand with these melds, `{"kind": "碰", "cards": "八八八", …}`; 0 for none."""
    bits = 0
    for meld in melds or ():
        bits |= 1 << NAMES.index(str(meld["kind"]))
        if meld["cards"] in RUNS:
            bits |= 1 << NAMES.index(str(meld["cards"]))
    return bits


def bits_named(names: Iterable[str]) -> int:
    """The bits of these names. Raises `ValueError` for one that is not known."""
    return sum(1 << NAMES.index(name) for name in set(names))
