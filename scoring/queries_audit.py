"""A page of a competition's audit rows with all that its sentences need, however many sheets they
are about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any

from django.db.models import CharField, Model, Q, QuerySet, Value
from django.db.models.functions import Cast, Concat

from core.models import AuditRow, User
from scoring.domain.board import Board
from scoring.models import Hand, HandVersion, Penalty, Protest, Ruling, Sheet
from scoring.queries_history import Happened, entrants_named, link_name
from tournament.models import ApiToken, Competition, DeviceLink, Entry, Round, Seat, Table

PAGE = 50
ABOUT_SHEETS: tuple[type[Model], ...] = (Hand, Penalty, Ruling, Protest)


@dataclass(frozen=True)
class Wanted:
    """Which rows: each None or "" does not narrow. `kind` is an action's beginning; `who` an
    actor's key (`core.actors`); `table` a number in `round`; `since` and `until` include."""

    kind: str = ""
    who: str = ""
    round: int | None = None
    table: int | None = None
    since: datetime | None = None
    until: datetime | None = None


def rows_of(
    competition: Competition, wanted: Wanted, before: int | None = None
) -> tuple[list[AuditRow], bool]:
    """The newest `PAGE` rows older than the row `before`, and whether there are more. One query."""
    found = AuditRow.objects.filter(scope=competition.scope)
    if wanted.kind:
        found = found.filter(action__startswith=f"{wanted.kind}.")
    if wanted.who:
        found = found.filter(**_by(wanted.who))
    if wanted.round is not None:
        found = found.filter(_about(wanted.round, wanted.table))
    if wanted.since is not None:
        found = found.filter(at__gte=wanted.since)
    if wanted.until is not None:
        found = found.filter(at__lte=wanted.until)
    if before is not None:
        found = found.filter(pk__lt=before)
    rows = list(found.order_by("-pk")[: PAGE + 1])
    return rows[:PAGE], len(rows) > PAGE


def actors_of(competition: Competition) -> dict[str, str]:
    """Everybody who has done something in the competition, key → name; the site itself has "".
    Three queries."""
    found = AuditRow.objects.filter(scope=competition.scope).order_by()
    pairs: set[tuple[int | None, int | None]]
    pairs = set(found.values_list("user_id", "link_id").distinct())
    names = names_of(
        {user for user, _link in pairs if user is not None},
        {link for user, link in pairs if user is None and link is not None},
    )
    return names | ({"system": ""} if (None, None) in pairs else {})


def kinds_of(competition: Competition) -> set[str]:
    """The beginnings of all its actions. One query."""
    found = AuditRow.objects.filter(scope=competition.scope).order_by()
    return {
        action.partition(".")[0] for action in found.values_list("action", flat=True).distinct()
    }


def names_of(users: Collection[int], links: Collection[int]) -> dict[str, str]:
    """Key → the account's name or the link's label. Two queries."""
    names = {f"user:{pk}": user.name for pk, user in User.objects.in_bulk(users).items()}
    found = DeviceLink.objects.in_bulk(links)
    return names | {f"link:{pk}": link_name(link) for pk, link in found.items()}


@dataclass(frozen=True)
class Told:
    """What the rows are about: `sheets` by subject, of each its board and rows to tell; names
    of entrants, entries and rounds by id; names of who did it by key, labels of tokens by id."""

    sheets: dict[str, int]
    boards: dict[int, Board]
    happened: dict[int, Happened]
    entrants: dict[int, str]
    entries: dict[int, Entry]
    rounds: dict[int, Round]
    names: dict[str, str]
    tokens: dict[int, str]


def told(rows: Collection[AuditRow]) -> Told:
    """Reads what tells these rows. Thirteen queries, however many rows and sheets."""
    ids: dict[str, set[int]] = defaultdict(set)
    for row in rows:
        kind, _colon, pk = row.subject.partition(":")
        if pk.isdecimal():
            ids[kind].add(int(pk))
    versions = list(
        HandVersion.objects.filter(hand__in=ids["hand"])
        .select_related("hand", "author", "link")
        .order_by("hand__number", "version")
    )
    penalties = Penalty.objects.select_related("hand").in_bulk(ids["penalty"])
    rulings = Ruling.objects.select_related("hand").in_bulk(ids["ruling"])
    protests = Protest.objects.select_related("hand").in_bulk(ids["protest"])
    subjects = {f"hand:{one.hand_id}": one.hand.sheet_id for one in versions}
    for name, found in (("penalty", penalties), ("ruling", rulings), ("protest", protests)):
        subjects |= {f"{name}:{pk}": one.sheet_id for pk, one in found.items()}
    boards = _boards({*ids["sheet"], *subjects.values()}, ids["table"])
    for sheet, board in boards.items():
        subjects[f"sheet:{sheet}"] = subjects[f"table:{board.table.pk}"] = sheet
    replays = AuditRow.objects.filter(
        action="sheet.replay", subject__in=[f"sheet:{pk}" for pk in boards]
    ).order_by("pk")
    every = {row.pk: row for row in chain(replays, rows)}
    of_sheet: dict[int, list[AuditRow]] = defaultdict(list)
    for _pk, row in sorted(every.items()):
        if row.subject in subjects:
            of_sheet[subjects[row.subject]].append(row)
    names = names_of(
        {row.user_id for row in rows if row.user_id is not None},
        {row.link_id for row in rows if row.link_id is not None},
    )
    entrants = entrants_named(
        {*ids["entrant"], *chain.from_iterable(_named(row.data) for row in every.values())}
    )
    return Told(
        sheets=subjects,
        boards=boards,
        happened={
            pk: Happened(versions, penalties, rulings, protests, of_sheet[pk], names, entrants)
            for pk in boards
        },
        entrants=entrants,
        entries=Entry.objects.select_related("person").in_bulk(ids["entry"]),
        rounds=Round.objects.in_bulk(ids["round"]),
        names=names,
        tokens=dict(
            ApiToken.objects.filter(
                pk__in={row.data["token"] for row in rows if "token" in row.data}
            ).values_list("pk", "label")
        ),
    )


def _boards(sheets: Collection[int], tables: Collection[int]) -> dict[int, Board]:
    """Two queries. What is not read here is not asked for a sentence."""
    found = list(
        Sheet.objects.filter(Q(pk__in=sheets) | Q(table__in=tables)).select_related(
            "table__round__stage__event__competition"
        )
    )
    seats: dict[int, list[Seat]] = defaultdict(list)
    for seat in (
        Seat.objects.filter(table__in=[sheet.table_id for sheet in found])
        .select_related("entrant__entry__person", "entrant__partner__person")
        .order_by("table_id", "position")
    ):
        seats[seat.table_id].append(seat)
    boards = {}
    for sheet in found:
        boards[sheet.pk] = Board(sheet, sheet.table)
        boards[sheet.pk].seats = seats[sheet.table_id]
    return boards


def _named(data: Mapping[str, Any]) -> set[int]:
    """The entrants that a sentence about a row may name."""
    found = [*data.get("seated", []), *(one[0] for one in data.get("places", []) if _is_row(one))]
    for one in data.get("moves", []):
        found += one[1:] if _is_row(one) else []
    return {pk for pk in found if isinstance(pk, int)}


def _is_row(value: object) -> bool:
    return isinstance(value, list)


def _by(who: str) -> dict[str, Any]:
    kind, _colon, pk = who.partition(":")
    if kind == "user":
        return {"user_id": int(pk)}
    if kind == "link":
        return {"user_id": None, "link_id": int(pk)}
    return {"user_id": None, "link_id": None}


def _about(round_id: int, number: int | None) -> Q:
    """Rows about a round and its tables, or about one of its tables."""
    at = (
        {"table__round": round_id}
        if number is None
        else {
            "table__round": round_id,
            "table__number": number,
        }
    )
    of_sheet = {f"sheet__{name}": value for name, value in at.items()}
    of_table = {name.removeprefix("table__"): value for name, value in at.items()}
    found = Q(subject__in=_subjects(Sheet.objects.filter(**at)))
    found |= Q(subject__in=_subjects(Table.objects.filter(**of_table)))
    for model in ABOUT_SHEETS:
        found |= Q(subject__in=_subjects(model._default_manager.filter(**of_sheet)))
    return found if number is not None else found | Q(subject=f"round:{round_id}")


def _subjects(rows: QuerySet[Any]) -> QuerySet[Any]:
    name = f"{rows.model._meta.model_name}:"
    return rows.order_by().values_list(
        Concat(Value(name), Cast("pk", CharField()), output_field=CharField()), flat=True
    )
