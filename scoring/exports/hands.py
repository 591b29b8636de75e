"""The records of a competition's confirmed tables as one file: ZPR, or one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator

from django.db.models import QuerySet

from engine.files import parse
from engine.jsonl import as_json
from engine.record import Record, export
from scoring.enums import Evidence
from scoring.models import HandVersion
from scoring.nameless import nameless
from tournament.enums import DONE
from tournament.models import Competition

A_READ = 200
TABLE = "hand__sheet__table"


def has_records(competition: Competition) -> bool:
    """Whether a hand of a confirmed table was recorded. One query."""
    return _recorded(competition).exists()


def records_of(competition: Competition) -> Iterator[Record]:
    """What counts of every recorded hand of a confirmed table, by event, round, table and number;
    without anything that people wrote where names are masked. One query, read bit by bit."""
    found = (
        _recorded(competition)
        .order_by(
            f"{TABLE}__round__stage__event__position",
            f"{TABLE}__round__stage__event",
            f"{TABLE}__round__stage",
            f"{TABLE}__round__number",
            f"{TABLE}__number",
            "hand__number",
        )
        .values_list("payload__text", flat=True)
    )
    for text in found.iterator(chunk_size=A_READ):
        record = parse(str(text))
        yield nameless(record) if competition.mask_names else record


def _recorded(competition: Competition) -> QuerySet[HandVersion]:
    return HandVersion.objects.filter(
        **{
            f"{TABLE}__round__stage__event__competition": competition,
            f"{TABLE}__state__in": DONE,
        },
        is_current=True,
        is_void=False,
        evidence=Evidence.RECORD,
    )


def as_zpr(competition: Competition) -> Iterator[str]:
    """The hands one after the other."""
    for number, record in enumerate(records_of(competition)):
        yield ("\n" if number else "") + export(record)


def as_jsonl(competition: Competition) -> Iterator[str]:
    """The JSON twin of each hand on a line."""
    for record in records_of(competition):
        yield json.dumps(as_json(record), ensure_ascii=False) + "\n"
