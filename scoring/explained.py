"""The arithmetic of a hand in one line: “胡 17 → 2 舵 + 自摸 1 + 下醒 2 = 5 舵” (R8, R9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from engine import cards
from engine.result import DRAW_KIND
from engine.rules import Rules
from engine.settle import counting_cards

STEPS = ("shang", "zhong", "xia")


def arithmetic(computed: Mapping[str, Any], rules: Rules) -> dict[str, Any] | None:
    """“胡 17 → 2 舵 + 自摸 1 + 下醒 2 = 5 舵” as `partials/sum.html` wants it; None where nobody
    has won or only points are known."""
    if not computed or computed["kind"] == DRAW_KIND:
        return None
    bonus_label = computed["special"] or _("自摸")
    terms = _xing_terms(computed, rules)
    if computed["bonus"]:
        terms.insert(0, {"label": bonus_label, "value": computed["bonus"]})
    return {
        "hu": computed["hu"] if rules.unit == "duo" else None,
        "base": computed["base"],
        "terms": terms,
        "times": computed["times"],
        "times_label": bonus_label,
        "total": computed["total"],
        "unit": unit_of(rules),
    }


def unit_of(rules: Rules) -> str:
    """What points are called: 舵, or 胡 where the unit is `hu`."""
    return _("舵") if rules.unit == "duo" else _("胡")


def _xing_terms(computed: Mapping[str, Any], rules: Rules) -> list[dict[str, Any]]:
    """醒 by kind where the cards are known, else in one."""
    if not computed["xing"]:
        return []
    held = Counter(card for meld in computed["melds"] or [] for card in meld["cards"])
    found: Counter[str] = Counter()
    for turned in computed["xing_cards"] or "":
        card = cards.parse(turned)
        by_step = dict(_steps(card, rules))
        for step, counting in by_step.items():
            found[step] += held[cards.NAMES[counting]]
    if sum(found.values()) != computed["xing"]:
        return [{"label": _("醒"), "value": computed["xing"]}]
    return [{"label": _step_name(step), "value": found[step]} for step in STEPS if found[step]]


def _steps(turned: int, rules: Rules) -> list[tuple[str, int]]:
    steps = [step for step in STEPS if step in rules.xing]
    counting = counting_cards(turned, rules)
    if len(steps) != len(counting):  # the turned card has a neighbour on one side only
        return []
    return list(zip(steps, counting, strict=True))


def _step_name(step: str) -> str:
    return {"shang": _("上醒"), "zhong": _("中醒"), "xia": _("下醒")}[step]
