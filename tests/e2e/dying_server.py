"""Settings of a server that stands still in the middle of saving a hand, until it is killed.

The file `before` or `after` in the folder HALT says where: with the hand written but nothing
committed, or with all committed and no answer sent. There it makes the file `halted`.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponse

from tests.settings import *  # noqa: F403
from tests.settings import MIDDLEWARE

MIDDLEWARE = ["tests.e2e.dying_server.Halting", *MIDDLEWARE]
# Nothing is collected: files come from their sources.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True

LAST_WRITE = "INSERT INTO core_version"
"""Versions are raised last in every writing transaction."""


class Halting:
    """Halts in POSTs of a sheet."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method != "POST" or not request.path.endswith("/sheet/"):
            return self.get_response(request)
        with connection.execute_wrapper(_before_commit):
            response = self.get_response(request)
        _halt("after")
        return response


def _before_commit(execute: Callable[..., Any], sql: str, *more: Any) -> Any:
    done = execute(sql, *more)
    if sql.startswith(LAST_WRITE):
        _halt("before")
    return done


def _halt(where: str) -> None:
    folder = Path(os.environ["HALT"])
    if (folder / where).exists():
        (folder / "halted").touch()
        while True:
            time.sleep(60)
