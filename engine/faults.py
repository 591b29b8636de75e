"""Where a record is wrong: errors with a column, and faults as replay reports them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from engine.errors import ZipaiError
from engine.events import Event

TEXT_LIMIT: Final = 200
"""Characters of a line that a fault quotes."""


class ReadError(ZipaiError):
    """A `ZipaiError` that knows the column (from 1) of the token it is about."""

    def __init__(self, code: str, rule: str, zh: str, en: str, column: int) -> None:
        super().__init__(code, rule, zh, en)
        self.column = column

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.rule, self.zh, self.en, self.column)


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a record (notation.md, Strict replay).

    `line` and `column` from 1; `event` the event's number from 1, None in the header, 发, 墩 and
    `=`; `text` the line as it stands there; `code`, `rule`, `zh` and `en` as in `ZipaiError`;
    `legal` the events that were legal there, where replay got so far.
    """

    code: str
    line: int
    column: int
    event: int | None
    text: str
    rule: str
    zh: str
    en: str
    legal: tuple[Event, ...] = ()

    @classmethod
    def of(cls, error: ZipaiError, line: int, column: int, event: int | None, raw: str) -> Fault:
        """The fault that `error` is, at its place; `raw` is the whole line."""
        text = raw.strip()
        if len(text) > TEXT_LIMIT:
            text = text[:TEXT_LIMIT] + "…"
        return cls(error.code, line, column, event, text, error.rule, error.zh, error.en)

    def error(self) -> ZipaiError:
        """The fault as an error whose sentences begin with the line."""
        zh, en = f"第 {self.line} 行：{self.zh}", f"line {self.line}: {self.en}"
        return ZipaiError(self.code, self.rule, zh, en)

    def as_json(self) -> dict[str, object]:
        """The fault as `replay --json` writes it (cli.md)."""
        return {
            "code": self.code,
            "line": self.line,
            "column": self.column,
            "event": self.event,
            "text": self.text,
            "rule": self.rule,
            "zh": self.zh,
            "en": self.en,
            "legal": [str(event) for event in self.legal],
        }
