"""Logs as one JSON object a line (readable text while developing), free of link tokens."""

import logging
import logging.config
import re
from collections.abc import MutableMapping
from typing import Any

import structlog

_TOKEN = re.compile(r"(/(?:l|i|password/reset/key)/)[^/\s?\"']+")


def hide_tokens(_: object, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A structlog processor: the token of a link (`/l/<token>/`, an invitation's `/i/<token>/`, a
    password's reset) becomes `…`.
    """
    for name, value in event.items():
        if isinstance(value, str):
            event[name] = _TOKEN.sub(r"\1…", value)
    return event


def logging_config(level: str, *, plain: bool) -> dict[str, Any]:
    """Configures structlog and the standard library's loggers; returns the latter's dictionary."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        hide_tokens,
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
        },
    }
    logging.config.dictConfig(config)
    return config
