"""Settings of a server that answers as one whose database is away, or which has a fault of its own.

While the file `away` or `broken` is in the folder HALT, every POST raises what the database's
driver, or a mistake in the code, would raise.
"""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse

from tests.settings import *  # noqa: F403
from tests.settings import MIDDLEWARE

MIDDLEWARE = [*MIDDLEWARE, "tests.e2e.failing_server.Failing"]
# Nothing is collected: files come from their sources.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True


class Failing:
    """Fails where a view would, so that all that stands around views does what it does."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Passes the request on."""
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: object, *more: object) -> None:
        """Raises what the files ask for."""
        folder = Path(os.environ["HALT"])
        if request.method != "POST":
            return
        if (folder / "away").exists():
            cause = sqlite3.OperationalError("unable to open database file")
            cause.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
            raise OperationalError("unable to open database file") from cause
        if (folder / "broken").exists():
            raise ZeroDivisionError
