"""The rows of a competition as plain values with the archive's own ids (docs/archive.md).

Rows of a kind are numbered from 1 in the order in which they were made; what is named and not
there any more has −1, −2 …, so that two rows that speak of it still speak of the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from typing import Any

from django.db import models
from django.db.models import Q

from core.models import User
from scoring.archive.ids import COLUMNS, audited, subject
from scoring.archive.parts import PARTS, USERS, Part
from tournament.models import Competition

Row = dict[str, Any]
Parts = dict[str, list[Row]]
LABEL = 40
"""So long is the label of an account at most."""
A_STATEMENT = 500


class Numbers:
    """Kind → id in the database → id in the archive."""

    def __init__(self) -> None:
        self._known: dict[str, dict[int, int]] = {}
        self._gone: dict[str, set[int]] = defaultdict(set)

    def know(self, kind: str, pks: Iterable[int]) -> None:
        """The rows of a kind, in order."""
        self._known[kind] = {pk: number for number, pk in enumerate(pks, 1)}

    def note(self, kind: str, pk: int | None) -> int | None:
        """A row that something names; of those that are not known it is kept that they are gone."""
        if pk is not None and pk not in self._known.get(kind, ()):
            self._gone[kind].add(pk)
        return pk

    def wanted(self, kind: str) -> list[int]:
        """Who of a kind was named and is not known, in order."""
        return sorted(self._gone[kind])

    def settle(self) -> None:
        """Numbers what is gone: what an import has already numbered first, in that order."""
        for kind, pks in self._gone.items():
            known = self._known.setdefault(kind, {})
            gone = sorted((pk for pk in pks if pk not in known), key=lambda pk: (pk > 0, abs(pk)))
            known |= {pk: -number for number, pk in enumerate(gone, 1)}

    def of(self, kind: str, pk: int | None) -> int | None:
        """The id in the archive. Raises `KeyError` for what was not noted."""
        return None if pk is None else self._known[kind][pk]

    def find(self, kind: str, pk: int | None) -> int | None:
        """The same, None for what the archive has not."""
        return None if pk is None else self._known.get(kind, {}).get(pk)


def read_parts(competition: Competition, *, is_full: bool) -> tuple[Parts, Numbers]:
    """Every part with its rows, and how they are numbered. As many queries for any number of
    rows: one a part, and one for each column of many."""
    parts = [part for part in PARTS if is_full or part.is_public]
    found = {part.name: _rows(part, competition, is_full=is_full) for part in parts}
    numbers = Numbers()
    for part in parts:
        numbers.know(part.kind, [row["pk"] for row in found[part.name]])
    for part in parts:
        _note(part, found[part.name], numbers, is_full=is_full)
    users = _users(numbers) if is_full else []
    numbers.settle()
    made = {part.name: _renamed(part, found[part.name], numbers, is_full=is_full) for part in parts}
    return {USERS: users, **made}, numbers


def _rows(part: Part, competition: Competition, *, is_full: bool) -> list[Row]:
    manager = part.model_class._default_manager
    asked = Q()
    # Of who gave an entry up to somebody else public pages know nothing.
    for path in part.path if is_full else part.path[:1]:
        asked |= Q(**{path: competition.scope if path == "scope" else competition.pk})
    if not is_full and part.shown is not None:
        asked &= part.shown
    fields = part.fields(is_full=is_full)
    names = [field.attname for field in fields if not field.many_to_many]
    here = manager.filter(asked).order_by().values("pk")
    rows: list[Row] = list(manager.filter(pk__in=here).order_by("pk").values("pk", *names))
    for field in fields:
        if field.many_to_many:
            _add_many(field, rows, manager.filter(asked))
    return rows


def _add_many(field: models.Field[Any, Any], rows: list[Row], here: models.QuerySet[Any]) -> None:
    """The ids of a column of many, in each row."""
    assert isinstance(field, models.ManyToManyField)
    own, other = field.m2m_column_name(), field.m2m_reverse_name()
    through = field.remote_field.through
    assert through is not None
    found: dict[int, list[int]] = defaultdict(list)
    for pk, target in (
        through._default_manager.filter(**{f"{own}__in": here.order_by().values("pk")})
        .order_by("pk")
        .values_list(own, other)
    ):
        found[pk].append(target)
    for row in rows:
        row[field.attname] = found[row["pk"]]


def _note(part: Part, rows: list[Row], numbers: Numbers, *, is_full: bool) -> None:
    """Notes every account that is named, and what JSON columns and audit rows name."""
    fields = part.fields(is_full=is_full)
    people = [field.attname for field in fields if field.related_model is User]
    mapped = [field for field in fields if _path(part, field) in COLUMNS]
    for row in rows:
        for name in people:
            numbers.note("user", row[name])
        for field in mapped:
            if row[field.attname] is not None:
                COLUMNS[_path(part, field)](row[field.attname], numbers.note)
        if part.kind == "auditrow":
            audited(row["action"], row["data"], numbers.note)
            subject(row["subject"], numbers.note)
            numbers.note("devicelink", row["link_id"])


def _users(numbers: Numbers) -> list[Row]:
    """The accounts that were named and are still there, a label each; now they are known."""
    wanted = [pk for pk in numbers.wanted("user") if pk > 0]
    names: dict[int, str] = {}
    for first in range(0, len(wanted), A_STATEMENT):
        some = User.objects.filter(pk__in=wanted[first : first + A_STATEMENT])
        names |= {user.pk: user.name[:LABEL] for user in some}
    numbers.know("user", sorted(names))
    return [{"id": numbers.of("user", pk), "label": names[pk]} for pk in sorted(names)]


def _renamed(part: Part, rows: list[Row], numbers: Numbers, *, is_full: bool) -> list[Row]:
    fields = part.fields(is_full=is_full)
    find = numbers.of if is_full else numbers.find
    made = []
    for row in rows:
        one: Row = {"id": numbers.of(part.kind, row["pk"])}
        for field in fields:
            one[field.name] = _value(part, field, row, numbers, find)
        if part.kind == "auditrow":
            one["link_id"] = numbers.of("devicelink", row["link_id"])
        made.append(one)
    return made


def _value(part: Part, field: models.Field[Any, Any], row: Row, numbers: Numbers, find: Any) -> Any:
    value = row[field.attname]
    if part.kind == "auditrow" and field.name == "subject":
        return subject(value, numbers.of)
    if part.kind == "auditrow" and field.name == "data":
        return audited(row["action"], value, numbers.of)
    if field.many_to_many:
        return sorted(filter(None, (find(kind_of(field), pk) for pk in value)))
    if field.is_relation:
        return find(kind_of(field), value)
    if value is not None and (change := COLUMNS.get(_path(part, field))):
        return change(value, numbers.of)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return value.isoformat() if isinstance(value, date) else value


def kind_of(field: models.Field[Any, Any]) -> str:
    """What a column of ids names."""
    related = field.related_model
    assert isinstance(related, type)
    assert issubclass(related, models.Model)
    return str(related._meta.model_name)


def _path(part: Part, field: models.Field[Any, Any]) -> str:
    return f"{part.model}.{field.name}"


def by_id(rows: Iterable[Row]) -> Mapping[int, Row]:
    """The rows of a part by their ids."""
    return {row["id"]: row for row in rows}
