"""Hands as a referee enters them, drawn from a seeded random: forms and what becomes of them."""

from __future__ import annotations

import random

SEATS = "甲乙丙"
CARDS = {
    "hand": "四四四捌捌八伍陆一二三",
    "table": "碰 九\n吃 二七十\n扫 壹",
    "card": "柒",
    "xing": "七",
}
"""A winner's cards (the rules' example of a settlement)."""

Fields = dict[str, object]


def any_hand(chance: random.Random) -> Fields:
    """The fields of a form: mostly result lines of all three endings, one in eight a slip."""
    winner, payer = chance.sample(SEATS, 2)
    what = chance.random()
    if what < 0.1:
        return {"evidence": "result", "source": "draw"}
    if what < 0.22:
        return {
            "evidence": "slip", "source": "discard", "winner": winner, "payer": payer, **CARDS,
        }  # fmt: skip
    line: Fields = {
        "evidence": "result", "winner": winner,
        "hu": chance.randint(10, 40), "xing_count": chance.randint(0, 4),
    }  # fmt: skip
    if what < 0.6:
        return {**line, "source": "own-flip"}
    return {**line, "source": "discard", "payer": payer}


def kept(fields: Fields) -> Fields:
    """What the payload of a hand entered so holds (`scoring.evidence`)."""
    names = ("source", "winner", "payer", "hu", "xing_count", "card", "xing")
    return {name: fields[name] for name in names if name in fields}
