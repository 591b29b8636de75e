"""The rules of an event: a preset with every option explained, the doubtful ones marked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from engine.options import CONFIRM, CONFIRM_NOTES, OPTIONS, Option
from engine.rules import PRESET_TITLES, PRESETS

SHOWN = tuple(option for name, option in OPTIONS.items() if name != "seats")
"""All options but `seats`, which belongs to the table (C2.2)."""


def spoken(pair: tuple[str, str]) -> str:
    """The half of a (Chinese, English) pair in the language in use."""
    return pair[0] if (get_language() or "zh").startswith("zh") else pair[1]


def preset_choices() -> list[tuple[str, str]]:
    """The presets with their titles in the language in use."""
    return [(name, spoken(title)) for name, title in PRESET_TITLES.items()]


def points_to_confirm(preset_id: str) -> list[str]:
    """Doubtful points of a preset that are no option, as sentences with their rule."""
    return [f"{rule} {spoken((zh, en))}" for rule, zh, en in CONFIRM_NOTES.get(preset_id, ())]


class RulesForm(forms.Form):
    """`options` is what stands now; field names are the engine's."""

    preset = forms.ChoiceField(label=_("规则"), widget=forms.HiddenInput)

    def __init__(
        self, *args: Any, preset_id: str, options: Mapping[str, object], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.preset_id = preset_id
        self.fields["preset"].choices = preset_choices()  # type: ignore[attr-defined]
        self.initial["preset"] = preset_id
        for option in SHOWN:
            self.fields[option.name] = _field(option)
            self.initial[option.name] = _written(option, options.get(option.name))

    def rows(self) -> list[dict[str, object]]:
        """Each option's field with whether it is doubtful and what the preset itself says."""
        rules = PRESETS[self.preset_id]
        return [
            {
                "field": self[option.name],
                "confirm": option.name in CONFIRM[self.preset_id],
                "rule": option.rule,
                "preset": spoken(option.describe(getattr(rules, option.name))),
                "is_changed": self.initial[option.name]
                != _written(option, getattr(rules, option.name)),
            }
            for option in SHOWN
        ]

    def options(self) -> dict[str, object]:
        """The options as the engine reads them."""
        return {option.name: self.cleaned_data[option.name] for option in SHOWN}


def _field(option: Option) -> forms.Field:
    choices = [(option.write(value), spoken(text)) for value, text in option.values.items()]
    label = spoken((option.zh, option.en))
    if option.many:
        return forms.MultipleChoiceField(
            label=label, choices=choices, required=False, widget=forms.CheckboxSelectMultiple
        )
    return forms.ChoiceField(label=label, choices=choices, widget=forms.RadioSelect)


def _written(option: Option, value: object) -> object:
    if option.many:
        return [str(item) for item in value] if isinstance(value, list | tuple) else []
    return option.write(value)
