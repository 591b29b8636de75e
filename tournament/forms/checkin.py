"""Forms of badges, numbers and seeds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.domain.numbers import Order
from tournament.models import Entrant

MORE_SEEDS = 8


class BadgeForm(forms.Form):
    """What to print."""

    kind = forms.ChoiceField(
        label=_("印什么"),
        choices=[
            ("badge", _("胸牌")),
            ("seat", _("座位卡")),
            ("both", _("胸牌和座位卡（同一个二维码）")),
        ],
        initial="badge",
        widget=forms.RadioSelect,
    )

    def kinds(self) -> tuple[str, ...]:
        """`badge`, `seat` or both."""
        kind = self.cleaned_data["kind"]
        return ("badge", "seat") if kind == "both" else (kind,)


class OrderForm(forms.Form):
    """By what numbers are given."""

    order = forms.ChoiceField(
        label=_("怎样编号"), choices=Order.choices, widget=forms.RadioSelect, initial=Order.MISSING
    )


class SeedsForm(forms.Form):
    """A number (编号) a seed, in order; empty fields at the end only."""

    def __init__(self, *args: Any, rows: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._typed: list[str] = self.data.getlist("number") if self.is_bound else []  # type: ignore[attr-defined]
        self._typed = self._typed or [str(one) for one in self.initial.get("numbers", ())]
        self._typed += [""] * (rows - len(self._typed))

    def clean(self) -> dict[str, Any]:
        """`numbers`; what is wrong is said with its seed."""
        cleaned = super().clean() or {}
        typed = [text.strip() for text in self._typed]
        while typed and not typed[-1]:
            typed.pop()
        numbers: list[int] = []
        for seed, text in enumerate(typed, 1):
            if not text:
                raise forms.ValidationError(
                    _("%(n)d 号种子空着，后面却还有；请填上，或把后面的往前移。"),
                    params={"n": seed},
                )
            word = text.split()[0]
            if not word.isdecimal() or len(word) > 6:
                raise forms.ValidationError(
                    _("%(n)d 号种子写的“%(text)s”不是编号。"), params={"n": seed, "text": text}
                )
            if int(word) in numbers:
                raise forms.ValidationError(
                    _("编号 %(number)s 既是 %(first)d 号种子又是 %(n)d 号种子，请改正一处。"),
                    params={
                        "number": word,
                        "first": numbers.index(int(word)) + 1,
                        "n": seed,
                    },
                )
            numbers.append(int(word))
        cleaned["numbers"] = numbers
        return cleaned

    def rows(self, known: Mapping[int | None, Entrant]) -> list[dict[str, Any]]:
        """The fields for the page: seed, what stands in it, and who that is where saved."""
        found = []
        for seed, text in enumerate(self._typed, 1):
            who = known.get(int(text)) if text.isdecimal() else None
            found.append(
                {
                    "seed": seed,
                    "text": text,
                    "who": who,
                    "label": _("%(n)d 号种子的编号") % {"n": seed},
                }
            )
        return found
