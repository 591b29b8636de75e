"""Row locks in one order: competition → event → round → table → sheet → version."""

from __future__ import annotations

from typing import TypeVar

from django.db import models

Row = TypeVar("Row", bound=models.Model)


def lock(row: Row) -> Row:
    """The row as it is now, locked until the transaction ends.

    Rows that refer to it may still be written: a key never changes, and to wait for them would turn
    the order around (a row written under an event's lock that refers to the competition).
    On SQLite a writing transaction has the whole database to itself (stack fact 3).
    """
    manager: models.Manager[Row] = type(row)._default_manager
    return manager.select_for_update(no_key=True).get(pk=row.pk)
