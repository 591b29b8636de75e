"""What the site logs, as it would be written."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings


class Lines:
    """The lines written so far."""

    def __init__(self) -> None:
        self.stream = io.StringIO()

    @property
    def text(self) -> str:
        """All of them."""
        return self.stream.getvalue()

    def of(self, event: str) -> list[dict[str, Any]]:
        """Those of an event, read."""
        read = [json.loads(line) for line in self.text.splitlines()]
        return [line for line in read if line["event"] == event]


@contextmanager
def logged(level: str = "DEBUG") -> Iterator[Lines]:
    """Keeps what is logged from `level` on, in the form of production."""
    lines = Lines()
    handler = logging.StreamHandler(lines.stream)
    configured = dict(settings.LOGGING["formatters"]["lines"])
    handler.setFormatter(configured.pop("()")(**configured))
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(level)
    try:
        yield lines
    finally:
        root.setLevel(before)
        root.removeHandler(handler)
