"""A competition as its archive (docs/archive.md), with personal data or without."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Max
from django.utils.translation import gettext_lazy as _

from core.errors import Conflict
from core.models import AuditRow
from engine.files import parse
from engine.record import export
from scoring.archive.package import RECORDS, Document, pack
from scoring.archive.parts import FORMAT, VERSION
from scoring.archive.rows import Parts, Row, by_id, read_parts
from scoring.exports.results import results_of
from scoring.nameless import nameless
from tournament.models import Competition, Draw, Round
from tournament.queries.public import OPEN_STATES, masked, without_names

TRIES = 3
FREE_TEXTS = {"penalties": "reason", "rulings": "reason"}
"""What people wrote that everybody may read, by part."""


class CannotArchive(Conflict):
    """The competition cannot be archived just now."""

    code = "cannot-archive"


def archive(competition: Competition, *, is_full: bool) -> bytes:
    """The archive's file. `is_full` is with personal data, all drafts and the whole history, for
    the owner; else what public pages show, once all of it is public.

    The same rows always give the same bytes. Raises `CannotArchive`: while a list is frozen and
    not drawn (its secret must not be told before the words), while anything is not public, or
    where hands come in faster than they are read.
    """
    if Draw.objects.filter(stage__event__competition=competition, number=None).exists():
        raise CannotArchive(
            _("有一份名单已经冻结，还没有抽签。请先抽签或解除冻结，再导出档案。")
        )  # fmt: skip
    if not is_full and not is_open_to_all(competition):
        raise CannotArchive(_("比赛全部定局以后，才有公开的档案。"))
    for _try in range(TRIES):
        before = _state(competition)
        competition.refresh_from_db()
        parts, numbers = read_parts(competition, is_full=is_full)
        results = results_of(competition, numbers)
        if _state(competition) == before:
            return _packed(competition, parts, results, is_full=is_full)
    raise CannotArchive(_("比赛正在记分，内容变得太快。请过一会儿再导出。"))


def is_open_to_all(competition: Competition) -> bool:
    """Whether everybody may have the public archive: it is over and nothing is a draft."""
    if not (competition.is_published and competition.is_over):
        return False
    drafts = Round.objects.filter(stage__event__competition=competition)
    return not drafts.exclude(state__in=OPEN_STATES).exists()


def _state(competition: Competition) -> dict[str, Any]:
    """Every change writes an audit row, so the same rows mean that nothing has changed."""
    found = AuditRow.objects.filter(scope=competition.scope)
    return found.order_by().aggregate(most=Max("pk"), count=Count("pk"))


def _packed(competition: Competition, parts: Parts, results: Document, *, is_full: bool) -> bytes:
    if not is_full:
        _mask(competition, parts)
    records = _records_apart(parts, is_full=is_full)
    document = {
        "format": FORMAT,
        "version": VERSION,
        "contents": "full" if is_full else "public",
        "parts": parts,
        "results": results,
    }
    return pack(document, records)


def _mask(competition: Competition, parts: Parts) -> None:
    """Names as public pages show them."""
    if not competition.mask_names:
        return
    names = [person["name"] for person in parts["people"] if person["name"]]
    for name, field in FREE_TEXTS.items():
        for row in parts[name]:
            row[field] = without_names(row[field], names)
    for person in parts["people"]:
        person["name"] = masked(person["name"])


def _records_apart(parts: Parts, *, is_full: bool) -> dict[str, str]:
    """Takes the texts of the records out of the versions; file name → text."""
    records: dict[str, str] = {}
    hands, sheets = by_id(parts["hands"]), by_id(parts["sheets"])
    tables, rounds = by_id(parts["tables"]), by_id(parts["rounds"])
    for version in parts["versions"]:
        text = version["payload"].get("text")
        if version["evidence"] != "record" or not isinstance(text, str):
            continue
        hand = hands[version["hand"]]
        table = tables[sheets[hand["sheet"]]["table"]]
        name = _file_name(rounds[table["round"]], table, hand, version)
        records[name] = text if is_full else export(nameless(parse(text)))
        rest = {key: value for key, value in version["payload"].items() if key != "text"}
        version["payload"] = {**rest, "file": name}
    return records


def _file_name(round_: Row, table: Row, hand: Row, version: Row) -> str:
    """`hands/stage-1-round-2/table-003-hand-04-v1.zpr`."""
    folder = f"{RECORDS}stage-{round_['stage']}-round-{round_['number']}"
    name = f"table-{table['number']:03}-hand-{hand['number']:02}-v{version['version']}.zpr"
    return f"{folder}/{name}"
