"""The one error of the engine: a fault with a code, a rule and a sentence in both languages."""

from __future__ import annotations

from typing import Final

CODES: Final = (
    "syntax",
    "unknown-card",
    "unknown-seat",
    "unknown-verb",
    "unknown-rules",
    "unknown-key",
    "bad-option",
    "deal-count",
    "deck",
    "wall-mismatch",
    "out-of-turn",
    "not-in-hand",
    "locked",
    "not-a-meld",
    "bi-missing",
    "stale",
    "no-discard-left",
    "must-act",
    "priority",
    "no-win",
    "hu-too-low",
    "wall-empty",
    "wall-left",
    "after-end",
    "claim-mismatch",
)


class ZipaiError(Exception):
    """Something is not as the rules want it.

    `code` is one of `CODES`; `rule` the number of the rule that decides (`R5.6`), or the
    chapter of the notation; `zh` and `en` are the same sentence for people.
    """

    def __init__(self, code: str, rule: str, zh: str, en: str) -> None:
        super().__init__(f"{code} ({rule}): {en}")
        self.code = code
        self.rule = rule
        self.zh = zh
        self.en = en

    def __reduce__(self) -> tuple[type[ZipaiError], tuple[str, str, str, str]]:
        return type(self), (self.code, self.rule, self.zh, self.en)
