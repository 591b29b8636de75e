"""Reading requests: JSON only, of a bounded size, without characters that no text has."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from ninja import Path, Query
from ninja.parser import Parser
from pydantic import BaseModel, ConfigDict

from core.errors import DomainError, TooLarge

MOST_BYTES = 512 * 1024
"""Room for the longest record, each of its characters escaped."""
MOST_DEPTH = 12
_UNFIT = re.compile("[\x00\ud800-\udfff]")

Code = Annotated[str, Path(pattern=r"^[0-9a-z]{1,12}$", description="The competition's code")]
Key = Annotated[int, Path(ge=1, le=2**63 - 1)]
Page = Annotated[int, Query(ge=1, le=100_000, description="From 1")]
Limit = Annotated[int, Query(ge=1, le=200, description="How many a page")]


class Given(BaseModel):
    """What is sent: nothing unknown, no text for a number."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NotJson(DomainError):
    """The body cannot be read."""

    code = "bad-json"


class WrongType(DomainError):
    """The body is not said to be JSON."""

    code = "not-json"
    status = 415


class StrictParser(Parser):
    """JSON bodies, as the API reads them."""

    def parse_body(self, request: HttpRequest) -> Any:
        """The value. Raises `WrongType`, `TooLarge`, `NotJson`."""
        if request.content_type != "application/json":
            raise WrongType(_("内容要用 JSON 写，并写明 Content-Type: application/json。"))
        if len(request.body) > MOST_BYTES:
            raise TooLarge
        try:
            value = json.loads(request.body, parse_constant=_refuse)
        except (ValueError, RecursionError):
            raise NotJson(_("内容不是能读的 JSON，请检查。")) from None
        _check(value, MOST_DEPTH)
        return value


def _refuse(word: str) -> None:
    raise ValueError(word)


def _check(value: Any, depth: int) -> None:
    """Raises `NotJson` for what no database keeps, and for what nests deeper than is meant."""
    if isinstance(value, str):
        if _UNFIT.search(value):
            raise NotJson(_("内容里有不能用的字符，请去掉。"))
    elif isinstance(value, (dict, list)):
        if not depth:
            raise NotJson(_("内容一层套一层太深了。"))
        for one in value.items() if isinstance(value, dict) else value:
            for part in one if isinstance(value, dict) else (one,):
                _check(part, depth - 1)
