"""Rules in force (rules.md, Presets): one frozen value, four presets, every option explained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Final, TypeAlias

from engine.errors import ZipaiError
from engine.options import CONFIRM, OPTIONS, Option

__all__ = ["CONFIRM", "OPTIONS", "PRESETS", "PRESET_TITLES", "Option", "Rules", "preset"]

OptionValue: TypeAlias = int | bool | str | tuple[str, ...]


@dataclass(frozen=True)
class Rules:
    """The options that rules.md leaves open, in the order of its preset table.

    Every value is validated when the object is made; `bad-option` names the option and
    what it may be. `replace` of the standard library makes variants.
    """

    seats: int = 3
    min_hu: int = 10
    duo_step: int = 5
    unit: str = "duo"
    peng_points: str = "colour"
    peng_opens_on: str = "own-flip"
    sao_opens_on: str = "flip"
    two_long: str = "skip-discard"
    must_win: str = "discard"
    passed: str = "shared"
    own_flip_bonus: str = "+1"
    special_bonus: str = "+1"
    xing: tuple[str, ...] = ("shang", "xia")
    xing_repeat: str = "off"
    xing_wrap: bool = True
    last_card: str = "none"
    deal_ties: str = "nearest"
    draw_dealer: str = "same"

    def __post_init__(self) -> None:
        for option in OPTIONS.values():
            option.check(getattr(self, option.name))

    def with_options(self, options: Mapping[str, object]) -> Rules:
        """These rules with some options changed.

        `options` maps names to values as JSON or a record's header writes them (`15`, `"15"`,
        `["shang"]`, `"shang, xia"`, `true`, `"true"`). Raises `bad-option` for an unknown name
        or a value outside the option's.
        """
        changes: dict[str, Any] = {}
        for name, value in options.items():
            option = OPTIONS.get(name)
            if option is None:
                known = ", ".join(OPTIONS)
                raise ZipaiError(
                    "bad-option",
                    "Presets",
                    f"没有叫“{name}”的选项；可用的有 {known}",
                    f"there is no option “{name}”; the options are {known}",
                )
            changes[name] = option.read(value)
        return replace(self, **changes)

    def options(self) -> dict[str, OptionValue]:
        """All options by name, in table order, `xing` as a tuple."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def as_json(self) -> dict[str, object]:
        """All options by name in table order, as JSON writes them (`xing` a list)."""
        return {k: list(v) if isinstance(v, tuple) else v for k, v in self.options().items()}

    def differences(self, base: Rules) -> dict[str, OptionValue]:
        """The options in which these rules differ from `base`, in table order."""
        theirs = base.options()
        return {k: v for k, v in self.options().items() if theirs[k] != v}

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) of the canonical JSON without `seats`, which belongs to the table."""
        # Here, because they take a sixth of the time that importing the engine does.
        import hashlib
        import json

        options = {k: v for k, v in self.as_json().items() if k != "seats"}
        canonical = json.dumps(options, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(canonical.encode()).hexdigest()


_COMPETITION: Final = Rules()
_LAOK: Final = replace(
    _COMPETITION,
    unit="hu",
    peng_opens_on="any-flip",
    sao_opens_on="flip-or-discard",
    two_long="extra-card",
    must_win="never",
    passed="separate",
    own_flip_bonus="none",
    special_bonus="none",
    deal_ties="largest-hu",
)
_GUANGXI_APP: Final = replace(
    _COMPETITION,
    peng_opens_on="any-flip",
    must_win="always",
    passed="separate",
    own_flip_bonus="none",
    special_bonus="x2",
    xing=("shang", "zhong", "xia"),
    xing_repeat="on",
    last_card="flat-2",
    draw_dealer="next",
)
_LOCAL: Final = replace(
    _COMPETITION,
    peng_points="plain",
    peng_opens_on="any-flip",
    sao_opens_on="flip-or-discard",
    two_long="extra-card",
    must_win="never",
    passed="separate",
    special_bonus="x2",
    xing_repeat="on",
)

PRESETS: Final[Mapping[str, Rules]] = {
    "competition": _COMPETITION,
    "laok": _LAOK,
    "guangxi-app": _GUANGXI_APP,
    "local": _LOCAL,
}
"""The presets of rules.md by id."""

PRESET_TITLES: Final[Mapping[str, tuple[str, str]]] = {
    "competition": ("竞赛规则", "Competition rules"),
    "laok": ("老K", "Lao K"),
    "guangxi-app": ("广西桂林字牌", "Guangxi app"),
    "local": ("民间（实战记录）", "As played locally"),
}
"""What people call each preset, in Chinese and English."""


def preset(rules_id: str) -> Rules:
    """The preset with this id; raises `unknown-rules` naming the ids there are."""
    try:
        return PRESETS[rules_id]
    except KeyError:
        known = ", ".join(PRESETS)
        raise ZipaiError(
            "unknown-rules",
            "Presets",
            f"没有叫“{rules_id}”的规则；可用的有 {known}",
            f"there are no rules “{rules_id}”; there are {known}",
        ) from None
