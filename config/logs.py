"""Logs as one JSON object a line (readable text while developing), free of what is secret or
personal: tokens of links, keys, passwords, phone numbers, mail addresses, rows of the database.
"""

import logging
import logging.config
import re
from collections.abc import MutableMapping
from typing import Any

import structlog

_SLASH = r"(?:/|%2F)"
_HIDDEN = (
    # The tokens of device links, invitations and a password's reset, plain or inside a query.
    (
        re.compile(rf"({_SLASH}(?:l|i|password{_SLASH}reset{_SLASH}key){_SLASH})[^/\s?&%\"']+"),
        r"\1…",
    ),
    (re.compile(r"(?i)\b(bearer\s+)[^\s\"',]+"), r"\1…"),
    (re.compile(r"\bdz_[\w-]{16,}"), "dz_…"),
    (
        re.compile(
            r"(?i)\b((?:sessionid|csrf\w*|links|own|password\w*|token|key|secret)=)[^\s&;\"',)]+"
        ),
        r"\1…",
    ),
    (re.compile(r"(://[^/\s:@]*:)[^@\s/]+@"), r"\1…@"),
    (re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"), "…@…"),
    (re.compile(r"(?<!\d)(?:\+?86[- ]?)?1[3-9]\d[- ]?\d{4}[- ]?\d{4}(?!\d)"), "…"),
    # What PostgreSQL adds to an error: the row that failed, the statement with its values.
    (re.compile(r"\b(DETAIL|CONTEXT|LINE \d+):[^\n]*"), r"\1: …"),
)
_HAN = re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff][\u3400-\u9fff\U00020000-\U0003ffff·]*")


_OURS = frozenset({"level", "logger", "timestamp", "request_id", "method", "route"})
"""Names of values that this site makes itself and of which nothing is ever to be hidden."""


def without_secrets(text: str) -> str:
    """The text, `…` in the place of what nobody should read in a log."""
    for pattern, shown in _HIDDEN:
        text = pattern.sub(shown, text)
    return text


def hide_tokens(_: object, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A structlog processor: every text of the event as `without_secrets` gives it.

    The message of an error may quote a person's name, so that its Chinese goes too; the lines of
    code in its traceback stay as they are.
    """
    for name, value in event.items():
        if name not in _OURS:
            event[name] = _hidden(value)
    if isinstance(error := event.get("exception"), str):
        lines = error.split("\n")
        event["exception"] = "\n".join(
            line if line.startswith("  ") else _HAN.sub("…", line) for line in lines
        )
    return event


def _hidden(value: Any) -> Any:
    if isinstance(value, str):
        return without_secrets(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, dict):
        return {key: _hidden(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_hidden(one) for one in value]
    return without_secrets(repr(value))


def logging_config(level: str, *, plain: bool) -> dict[str, Any]:
    """Configures structlog and the standard library's loggers; returns the latter's dictionary."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    renderer: Any = (
        structlog.dev.ConsoleRenderer(colors=False)
        if plain
        else structlog.processors.JSONRenderer(ensure_ascii=False)
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    config = {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "lines": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": shared,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    hide_tokens,
                    renderer,
                ],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django.server": {"handlers": ["stderr"], "level": level, "propagate": False},
            # What is refused (4xx) stands in the line that core.requests writes of each request.
            "django.request": {"level": "ERROR"},
            # For debugging they write out all that a page is made of, and every statement.
            "django.template": {"level": "INFO"},
            "django.db.backends": {"level": "INFO"},
        },
    }
    logging.config.dictConfig(config)
    return config
