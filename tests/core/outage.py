"""Requests while the database is away: a thread whose connection leads nowhere."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from typing import TypeVar

from django.db import connection, connections

Answer = TypeVar("Answer")


def in_outage(act: Callable[[], Answer]) -> Answer:
    """What `act` returns where nothing listens at the database's address."""
    here = connection

    def inner() -> Answer:
        away = deepcopy(here.settings_dict)
        if here.vendor == "sqlite":
            away["NAME"] = "/nowhere/at/all.sqlite3"
        else:
            away |= {"HOST": "127.0.0.1", "PORT": "1"}
            away["OPTIONS"].pop("pool", None)
        connections["default"] = type(connections["default"])(away, "default")
        return act()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(inner).result()
