"""All rows of the site as the database holds them: `SELECT *`, no models, no queries of ours."""

from __future__ import annotations

import json
import re
from collections import defaultdict, namedtuple
from functools import cache, cached_property
from typing import Any

from django.apps import apps
from django.db import connection

APPS = ("core", "tournament", "scoring")
HANDS = ("delta_1", "delta_2", "delta_3", "delta_4")
DONE = ("confirmed", "final")
DRAFTS = ("planned", "drawn")
GONE = ("withdrawn", "disqualified", "absent")
WRITES = re.compile(r'(?:INSERT (?:OR IGNORE )?INTO|UPDATE|DELETE FROM) "?(\w+)')
READS = re.compile(r"SELECT|SAVEPOINT|RELEASE|ROLLBACK TO|SET CONSTRAINTS|PRAGMA", re.IGNORECASE)

Row = Any
"""A named tuple of a table's columns."""


@cache
def names_of_tables() -> tuple[tuple[str, str], ...]:
    """Table and primary key of every model of the site."""
    return tuple(
        sorted(
            (model._meta.db_table, model._meta.pk.column)
            for app in APPS
            for model in apps.get_app_config(app).get_models()
            if model._meta.managed and model._meta.pk is not None
        )
    )


@cache
def _shape(table: str, columns: tuple[str, ...]) -> Any:
    return namedtuple(table, columns)


def json_of(value: Any) -> Any:
    """A JSON column, which raw SQL gives as text."""
    return json.loads(value) if isinstance(value, str) else value


class Written:
    """The tables that statements have written to, as an execute wrapper of Django; what was
    rolled back counts too."""

    def __init__(self) -> None:
        self.tables: set[str] = set()

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if found := WRITES.match(sql):
            self.tables.add(found[1])
        elif not READS.match(sql):
            self.tables |= {table for table, _key in names_of_tables()}
        return execute(sql, params, many, context)


class Rows:
    """A snapshot of every table; equal where every row is.

    Of the tables that are not among `written` since `before` it takes over what that has read.
    """

    def __init__(self, before: Rows | None = None, written: Written | None = None) -> None:
        self.tables: dict[str, dict[Any, Row]] = {}
        self.sorted: dict[tuple[str, str], tuple[Any, Any]] = {}
        if before is not None and written is not None:
            self.tables = {n: r for n, r in before.tables.items() if n not in written.tables}
            self.sorted = dict(before.sorted)
            written.tables.clear()
        with connection.cursor() as cursor:
            for table, key in names_of_tables():
                if table in self.tables:
                    continue
                cursor.execute(f'SELECT * FROM "{table}"')
                columns = tuple(column[0] for column in cursor.description)
                make, at = _shape(table, columns)._make, columns.index(key)
                found = cursor.fetchall()
                self.tables[table] = {row[at]: make(row) for row in sorted(found, key=_by(at))}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rows) and self.tables == other.tables

    __hash__ = None  # type: ignore[assignment]

    def differing(self, other: Rows) -> dict[str, list[Any]]:
        """Table → keys of the rows that are not the same in both."""
        found = {}
        for name, rows in self.tables.items():
            theirs = other.tables[name]
            if rows is not theirs and rows != theirs:
                keys = rows.keys() | theirs.keys()
                found[name] = sorted(k for k in keys if rows.get(k) != theirs.get(k))
        return found

    def all(self, name: str) -> dict[Any, Row]:
        """The rows of `tournament_seat` and the like, by key in order."""
        return self.tables[name]

    @cached_property
    def competition(self) -> Row:
        """The one competition that a walk is about."""
        (found,) = self.all("tournament_competition").values()
        return found

    @cached_property
    def is_manual(self) -> bool:
        """Whether another game than 字牌 is played (C10)."""
        return any(one.discipline == "manual" for one in self.all("tournament_event").values())

    @cached_property
    def rounds(self) -> dict[int, Row]:
        return self.all("tournament_round")

    @cached_property
    def stages(self) -> dict[int, Row]:
        return self.all("tournament_stage")

    @cached_property
    def play(self) -> dict[int, Row]:
        """The tables at which is played, by id."""
        return self.all("tournament_table")

    @cached_property
    def entrants(self) -> dict[int, Row]:
        return self.all("tournament_entrant")

    @cached_property
    def numbers(self) -> dict[int, int]:
        """Entrant's id → his number."""
        entries = self.all("tournament_entry")
        return {pk: entries[one.entry_id].number for pk, one in self.entrants.items()}

    @cached_property
    def seats(self) -> dict[int, list[Row]]:
        """Table → its seats in order."""
        return self._by("tournament_seat", "table_id", "position")

    @cached_property
    def sheets(self) -> dict[int, Row]:
        """Table → its sheet."""
        return {sheet.table_id: sheet for sheet in self.all("scoring_sheet").values()}

    @cached_property
    def hands(self) -> dict[int, list[Row]]:
        """Sheet → its hands by number."""
        return self._by("scoring_hand", "sheet_id", "number")

    @cached_property
    def chains(self) -> dict[int, list[Row]]:
        """Hand → its versions in order."""
        return self._by("scoring_handversion", "hand_id", "version")

    @cached_property
    def penalties(self) -> dict[int, list[Row]]:
        """Sheet → penalties in force."""
        found = self._by("scoring_penalty", "sheet_id", "id")
        return {pk: [p for p in rows if p.voided_at is None] for pk, rows in found.items()}

    @cached_property
    def rulings(self) -> dict[int, list[Row]]:
        """Sheet → rulings in force."""
        found = self._by("scoring_ruling", "sheet_id", "id")
        return {pk: [r for r in rows if r.is_current] for pk, rows in found.items()}

    @cached_property
    def last_seats(self) -> dict[int, Row]:
        """Entrant → his seat in the latest round of the latest stage that he has one in."""
        order = {"prelim": 0, "knockout": 1}
        found: dict[int, tuple[tuple[int, int], Row]] = {}
        for seat in self.all("tournament_seat").values():
            if seat.entrant_id is None:
                continue
            round_ = self.rounds[seat.round_id]
            at = (order[self.stages[round_.stage_id].kind], round_.number)
            if seat.entrant_id not in found or found[seat.entrant_id][0] < at:
                found[seat.entrant_id] = at, seat
        return {pk: seat for pk, (_at, seat) in found.items()}

    @cached_property
    def tables_of(self) -> dict[int, list[Row]]:
        """Round → its tables by number."""
        return self._by("tournament_table", "round_id", "number")

    def stage_of(self, table: Row) -> Row:
        """The stage of a table."""
        return self.stages[self.rounds[table.round_id].stage_id]

    def current(self, hand: int) -> Row:
        """What counts of a hand."""
        return next(version for version in self.chains[hand] if version.is_current)

    def audit(self) -> dict[int, Row]:
        """The audit rows."""
        return self.all("core_auditrow")

    def _by(self, name: str, key: str, order: str) -> dict[int, list[Row]]:
        all_rows, known = self.all(name), self.sorted.get((name, key))
        if known is not None and known[0] is all_rows:
            return dict(known[1])
        found: dict[int, list[Row]] = defaultdict(list)
        for row in all_rows.values():
            found[getattr(row, key)].append(row)
        for rows in found.values():
            rows.sort(key=lambda row: getattr(row, order))
        self.sorted[name, key] = all_rows, dict(found)
        return dict(found)


def deltas(row: Row) -> tuple[int, ...]:
    """The points of a hand's version, a penalty or a ruling."""
    return tuple(getattr(row, name) for name in HANDS)


def _by(at: int) -> Any:
    return lambda row: row[at]
