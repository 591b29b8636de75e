"""Every row of the database as text, the same on both databases: what a backup keeps and digests.

A row is one line, a JSON array of its columns' values in canonical JSON; a table is its lines in
order of the primary key. The models are those of the migrations that are applied, so a database
can be read before it is migrated, and one of an older version filled. Rows refer to each other in
circles, but every foreign key is checked when the transaction ends, on both databases, so the
order of the tables is of no matter.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC
from itertools import islice
from typing import Any

from django.db import connection, models, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.models.functions import Collate

from core.canonical import canonical

Node = tuple[str, str]
"""A migration: app and name."""
CHUNK = 1000
"""Rows read and written at once."""

_PLAIN = (
    models.IntegerField,
    models.CharField,
    models.TextField,
    models.BooleanField,
    models.GenericIPAddressField,
)
"""Kinds of columns whose values are JSON as they are."""
_MAY_HAVE_FLOAT = re.compile(r"\d[.eE]")
_AUTO = (models.AutoField, models.BigAutoField, models.SmallAutoField)


@dataclass(frozen=True)
class Contents:
    """What the lines of a table come to. `last` is the highest number that its primary key has
    ever had, 0 where it does not count up."""

    rows: int
    size: int
    sha256: str
    last: int


class Table:
    """A table of the database, by the model that it had in some state of the migrations."""

    def __init__(self, model: type[models.Model]) -> None:
        self.model = model
        self.label = str(model._meta.label)
        self.name = str(model._meta.db_table)
        self.fields: list[models.Field[Any, Any]] = list(model._meta.concrete_fields)
        self.columns = [str(field.attname) for field in self.fields]

    def lines(self) -> Iterator[bytes]:
        """The rows in order, a line each."""
        makers = [_maker(field) for field in self.fields]
        pk = self.model._meta.pk
        assert pk is not None
        # Text is ordered by its bytes, as SQLite does; other orders differ from place to place.
        is_text = isinstance(_kind(pk), models.CharField | models.TextField)
        by_bytes = is_text and connection.vendor == "postgresql"
        order = Collate(str(pk.attname), "C") if by_bytes else str(pk.attname)
        rows = self.model._base_manager.order_by(order).values_list(*self.columns)
        for row in rows.iterator(chunk_size=CHUNK):
            values = [
                value if value is None or make is None else make(value)
                for make, value in zip(makers, row, strict=True)
            ]
            # What is stored as an escape (half a surrogate pair) is no text of UTF-8.
            yield canonical(values).encode("utf-8", "surrogatepass") + b"\n"

    def read(self, write: Callable[[bytes], object] = len) -> Contents:
        """Gives every line to `write` and says what they come to."""
        digest, rows, size = hashlib.sha256(), 0, 0
        for line in self.lines():
            digest.update(line)
            write(line)
            rows += 1
            size += len(line)
        return Contents(rows, size, digest.hexdigest(), self.last())

    def insert(self, lines: Iterable[bytes]) -> None:
        """Writes rows that `lines` gave. Raises the database's errors, `ValueError`."""
        quote = connection.ops.quote_name
        names = ", ".join(quote(str(field.column)) for field in self.fields)
        places = ", ".join(["%s"] * len(self.fields))
        statement = f"INSERT INTO {quote(self.name)} ({names}) VALUES ({places})"
        rows = (self._stored(line) for line in lines)
        with connection.cursor() as cursor:
            while some := list(islice(rows, CHUNK)):
                cursor.executemany(statement, some)

    def _stored(self, line: bytes) -> list[Any]:
        values = json.loads(line.decode("utf-8", "surrogatepass"))
        return [
            _stored(field, value) for field, value in zip(self.fields, values, strict=True)
        ]  # fmt: skip

    def is_empty(self) -> bool:
        """Whether it has no row."""
        return not self.model._base_manager.exists()

    def last(self) -> int:
        """The highest number that its primary key has ever had, be the row gone; 0 where none."""
        if not self._counts:
            return 0
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [self.name])
                found = cursor.fetchone()
                return int(found[0]) if found else 0
            cursor.execute(f"SELECT last_value, is_called FROM {self._sequence(cursor)}")
            value, is_called = cursor.fetchone()
            return int(value) if is_called else 0

    def count_from(self, last: int) -> None:
        """The next row gets a number above `last`; never one that this database has given
        already, as audit rows and seals speak of rows by their numbers."""
        if not self._counts or last <= self.last():
            return
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [self.name])
                insert = "INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)"
                cursor.execute(insert, [self.name, last])
            else:
                cursor.execute("SELECT setval(%s, %s)", [self._sequence(cursor), last])

    @property
    def _counts(self) -> bool:
        return isinstance(self.model._meta.pk, _AUTO)

    def _sequence(self, cursor: Any) -> str:
        pk = self.model._meta.pk
        assert pk is not None
        quoted = connection.ops.quote_name(self.name)
        cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [quoted, pk.column])
        return str(cursor.fetchone()[0])


class Schema:
    """What the migrations say of this database."""

    def __init__(self) -> None:
        self.loader = MigrationLoader(connection)

    @property
    def known(self) -> set[Node]:
        """Every migration that this version of the site has."""
        disk = self.loader.disk_migrations
        return {*disk, *(old for one in disk.values() for old in one.replaces)}

    @property
    def applied(self) -> set[Node]:
        """Those applied here, but for parts that the site has no more."""
        apps = {app for app, _name in self.known}
        return {node for node in self.loader.applied_migrations if node[0] in apps}

    @property
    def pending(self) -> set[Node]:
        """Those still to be applied."""
        return set(self.loader.graph.nodes) - self.applied

    def tables(self, nodes: Iterable[Node]) -> list[Table]:
        """The tables as these migrations leave them, by label."""
        there = [node for node in sorted(nodes) if node in self.loader.graph.nodes]
        registry = self.loader.project_state(there).apps if there else None
        found = registry.get_models(include_auto_created=True) if registry else []
        kept = [one for one in found if one._meta.managed and not one._meta.proxy]
        return sorted((Table(one) for one in kept), key=lambda table: table.label)


@contextmanager
def snapshot() -> Iterator[None]:
    """All that is read inside is of one moment; who writes meanwhile is neither seen nor held up.

    On SQLite a plain BEGIN, as the site's own transactions are immediate and would wait for each
    other. Nothing inside may write or open a transaction.
    """
    if connection.vendor != "sqlite":
        with transaction.atomic(durable=True):
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
        try:
            # The snapshot is taken by the first look.
            cursor.execute("SELECT count(*) FROM sqlite_master")
            cursor.fetchone()
            yield
        finally:
            cursor.execute("ROLLBACK")


def _kind(field: models.Field[Any, Any]) -> models.Field[Any, Any]:
    """The column's own kind; a foreign key has that of what it names."""
    while field.is_relation:
        field = field.target_field  # type: ignore[attr-defined]
    return field


def _maker(field: models.Field[Any, Any]) -> Callable[[Any], Any] | None:
    """What makes JSON of a column's values, None where they are. Raises `TypeError` for a kind
    that nobody has thought of."""
    kind = _kind(field)
    if isinstance(kind, models.DateTimeField):
        return lambda value: value.astimezone(UTC).isoformat()
    if isinstance(kind, models.DateField):
        return lambda value: value.isoformat()
    if isinstance(kind, models.JSONField):
        return _whole
    if isinstance(kind, _PLAIN):
        return None
    raise TypeError(f"{field.model._meta.label}.{field.name}: {type(kind).__name__}")


def _whole(value: Any) -> Any:
    """A JSON value whose whole floats are ints, as the databases differ in which they give."""
    return _no_floats(value) if _MAY_HAVE_FLOAT.search(canonical(value)) else value


def _no_floats(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_no_floats(item) for item in value]
    if isinstance(value, dict):
        return {key: _no_floats(item) for key, item in value.items()}
    return value


def _stored(field: models.Field[Any, Any], value: Any) -> Any:
    """A value of a line as the database takes it."""
    kind = _kind(field)
    if isinstance(kind, models.JSONField):
        # The only value that is not NULL and read as None.
        if value is None and field.null:
            return None
        return connection.ops.adapt_json_value(value, kind.encoder)
    if value is None or isinstance(kind, _PLAIN):
        return value
    return kind.get_db_prep_save(kind.to_python(value), connection)
