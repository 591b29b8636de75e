"""What becomes of a collection's valid records once its file is verified."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from engine.record import Record, export
from engine.result import Result
from scoring.domain.library import row_of_record
from scoring.models import Collection, LibraryHand, UploadedRecord
from scoring.nameless import nameless

MOST_RECORDS = 20_000
"""Records of one account, in all its collections."""
BATCH = 500


@dataclass(frozen=True)
class Kept:
    """A valid record as a collection holds it: its place in the file, from 1; its text, without
    names; what it comes to; SHA-256 (hex) of rules, deal, play and result. All JSON values."""

    number: int
    text: str
    digest: str
    computed: dict[str, Any]
    rules: str
    seats: int
    dealer: int
    in_duo: bool


def kept(number: int, record: Record, result: Result) -> Kept:
    """A record as a collection holds it: nothing that people wrote freely is left in it."""
    record = nameless(record)
    bare = replace(record, headers=())
    return Kept(
        number=number,
        text=export(record),
        digest=hashlib.sha256(export(bare).encode()).hexdigest(),
        computed=result.as_json(),
        rules=record.rules_id,
        seats=record.rules.seats,
        dealer=record.dealer,
        in_duo=record.rules.unit == "duo",
    )


@transaction.atomic
def keep_records(*, collection: int, found: Sequence[Kept]) -> dict[str, int]:
    """Makes these the records of a collection in place of what it has; one that is there already
    is left out. Returns how many were `kept`, how many came `twice`, how many were `over`
    `MOST_RECORDS`; none of them where the collection was removed meanwhile.
    """
    held = Collection.objects.select_for_update().filter(pk=collection).first()
    if held is None:
        return {"kept": 0, "twice": 0, "over": 0}
    held.records.all().delete()
    once: dict[str, Kept] = {}
    for one in found:
        once.setdefault(one.digest, one)
    others = UploadedRecord.objects.filter(collection__owner=held.owner_id).count()
    room = max(0, MOST_RECORDS - others)
    taken = list(once.items())[:room]
    records = UploadedRecord.objects.bulk_create(
        [
            UploadedRecord(
                collection=held,
                number=one.number,
                text=one.text,
                computed=one.computed,
                digest=digest,
            )
            for digest, one in taken
        ],
        batch_size=BATCH,
    )
    LibraryHand.objects.bulk_create(
        [
            row_of_record(
                record, rules=one.rules, seats=one.seats, dealer=one.dealer, in_duo=one.in_duo
            )
            for record, (_digest, one) in zip(records, taken, strict=True)
        ],
        batch_size=BATCH,
    )
    return {"kept": len(taken), "twice": len(found) - len(once), "over": len(once) - len(taken)}
