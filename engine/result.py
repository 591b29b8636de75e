"""How a hand ended: one frozen value for play, replay, slips and result lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine import cards
from engine.events import SEATS, Special
from engine.melds import SOURCE_NAMES, Meld, Source
from engine.rules import Rules
from engine.settle import next_dealer

DRAW_KIND: Final = "draw"


@dataclass(frozen=True)
class Result:
    """A finished hand (cli.md, `replay`).

    `winners` are seats in playing order from the dealer, empty after 荒庄 (then `source` is
    None and the numbers are 0). `hu` in 胡; `base`, `xing`, `bonus`, `total` and `deltas` in
    舵 (胡 points where the unit is `hu`). `xing_cards` are the cards turned, in order.
    """

    winners: tuple[int, ...]
    source: Source | None
    payer: int | None
    special: Special | None
    card: int | None
    hu: int
    melds: tuple[Meld, ...]
    base: int
    xing_cards: tuple[int, ...]
    xing: int
    bonus: int
    times: int
    total: int
    deltas: tuple[int, ...]
    next_dealer: int

    @classmethod
    def drawn(cls, dealer: int, rules: Rules) -> Result:
        """荒庄 (R4.6): nobody pays."""
        return cls(
            winners=(),
            source=None,
            payer=None,
            special=None,
            card=None,
            hu=0,
            melds=(),
            base=0,
            xing_cards=(),
            xing=0,
            bonus=0,
            times=0,
            total=0,
            deltas=(0,) * rules.seats,
            next_dealer=next_dealer(dealer, (), seats=rules.seats, rules=rules),
        )

    def as_json(self) -> dict[str, object]:
        """The fields of `replay --json`, in the order of cli.md."""
        drawn = self.source is None
        return {
            "winner": [SEATS[s] for s in self.winners],
            "kind": DRAW_KIND if self.source is None else SOURCE_NAMES[self.source],
            "payer": None if self.payer is None else SEATS[self.payer],
            "special": self.special,
            "card": None if self.card is None else cards.NAMES[self.card],
            "hu": self.hu,
            "melds": None if drawn else [meld_json(m) for m in self.melds],
            "base": self.base,
            "xing_cards": None if drawn else cards.text(self.xing_cards),
            "xing": self.xing,
            "bonus": self.bonus,
            "times": self.times,
            "total": self.total,
            "deltas": list(self.deltas),
            "next_dealer": SEATS[self.next_dealer],
        }


def meld_json(meld: Meld) -> dict[str, object]:
    """A meld as `{"kind": "碰", "cards": "八八八", "hu": 1}`."""
    return {"kind": str(meld.kind), "cards": cards.text(meld.cards), "hu": meld.hu}
