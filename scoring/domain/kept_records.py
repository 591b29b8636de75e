"""What becomes of a collection's valid records once its file is verified."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

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
    """A valid record: its place in the file, from 1, without names; and what it comes to."""

    number: int
    record: Record
    result: Result

    @property
    def digest(self) -> str:
        """SHA-256 (hex) of rules, deal, play and result."""
        bare = replace(self.record, headers=())
        return hashlib.sha256(export(bare).encode()).hexdigest()


def kept(number: int, record: Record, result: Result) -> Kept:
    """A record as a collection holds it: nothing that people wrote freely is left in it."""
    return Kept(number, nameless(record), result)


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
                text=export(one.record),
                computed=one.result.as_json(),
                digest=digest,
            )
            for digest, one in taken
        ],
        batch_size=BATCH,
    )
    LibraryHand.objects.bulk_create(
        [
            row_of_record(record, one.record.rules, one.record.rules_id, one.record.dealer)
            for record, (_digest, one) in zip(records, taken, strict=True)
        ],
        batch_size=BATCH,
    )
    return {"kept": len(taken), "twice": len(found) - len(once), "over": len(once) - len(taken)}
