"""A database read as it is: plain SQL by the driver, nothing of Django and no code of the site."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import psycopg
from psycopg.rows import dict_row

Row = dict[str, Any]
JSON_COLUMNS = ("payload", "data", "answer", "winners", "result")


class Database:
    """Questions to the database of a URL, as `DATABASE_URL` writes it."""

    def __init__(self, url: str) -> None:
        self.url = url

    def rows(self, sql: str, *values: object) -> list[Row]:
        """The rows of a question; `%s` stands for a value."""
        with self._open() as connection:
            if isinstance(connection, sqlite3.Connection):
                connection.row_factory = sqlite3.Row
                sql = sql.replace("%s", "?")
            found = [dict(row) for row in connection.execute(sql, values).fetchall()]
        for row in found:
            for name in JSON_COLUMNS:
                if isinstance(row.get(name), str):
                    row[name] = json.loads(row[name])
        return found

    def one(self, sql: str, *values: object) -> Any:
        """The only value of the only row."""
        ((value,),) = (row.values() for row in self.rows(sql, *values))
        return value

    @contextmanager
    def _open(self) -> Iterator[Any]:
        if self.url.startswith("sqlite:///"):
            with closing(sqlite3.connect(self.url.removeprefix("sqlite:///"))) as connection:
                yield connection
        else:
            with psycopg.connect(self.url, row_factory=dict_row) as connection:
                yield connection
