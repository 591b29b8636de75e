"""How a hand was won, as one sentence; the same wherever a hand is told."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _


def won_by(
    winners: Sequence[str], source: str, *, payer: str = "", card: str = "", special: str = ""
) -> str:
    """Who won how: `秦军 胡 莫芳 打出的 柒 · 天胡`; 荒庄 without winners.

    `winners` and `payer` (点炮) are names; `source` is the engine's name of how it was won; `card`,
    "" where it is not known, its character.
    """
    if not winners:
        return _("荒庄")
    words = {"winner": _("、").join(winners), "payer": payer, "card": card}
    pattern = {
        "own-flip": _("%(winner)s 自摸 %(card)s"),
        "flip": _("%(winner)s 胡翻出的 %(card)s"),
        "discard": _("%(winner)s 胡 %(payer)s 打出的 %(card)s"),
    }.get(source, _("%(winner)s 起手胡"))
    if not card and source == "discard":
        pattern = _("%(winner)s 胡，%(payer)s 点炮")
    elif not card and source == "flip":
        pattern = _("%(winner)s 胡翻出的牌")
    sentence = (pattern % words).strip()
    return f"{sentence} · {special}" if special else sentence
