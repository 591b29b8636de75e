"""Seals over the audit rows of a competition, each holding for all before it.

A seal is made by a background job, as it needs the competition's lock, and whoever confirms the
last table of a round holds the event's already. Two rounds that end at once are sealed one after
the other by that lock, so the seals stay one chain. A row may commit after a seal was made while
its id is lower than rows in it, so a row bears the number of its seal, and the next seal takes
whatever bears none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import cast

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from core.canonical import canonical
from core.domain import jobs
from core.domain.locks import lock
from core.models import AuditRow
from tournament.models import Competition, Round, Seal

KIND = "seal"
COLUMNS = ("id", "at", "user", "link", "action", "subject", "data")
LATEST = timedelta(minutes=10)
"""A row older than a seal by more than this was there when the seal was made."""


@dataclass(frozen=True)
class Covered:
    """The rows of one seal: how many, the first and last id, the digest."""

    rows: int
    first: int | None
    last: int | None
    digest: str


def plan_seal(*, competition_id: int, round_: Round | None = None) -> None:
    """Has a seal made after the running transaction: at the end of `round_`, or of the
    competition."""
    jobs.enqueue(
        kind=KIND,
        payload={"competition": competition_id, "round": round_.pk if round_ else None},
        scope=Competition(pk=competition_id).scope,
    )


def run_seal(job: jobs.Running) -> Mapping[str, object]:
    """The background job of `plan_seal`."""
    competition = Competition.objects.filter(pk=cast(int, job.payload["competition"])).first()
    if competition is None:
        return {"seal": None}
    asked = cast("int | None", job.payload["round"])
    round_ = None if asked is None else Round.objects.filter(pk=asked).first()
    seal = make_seal(competition=competition, round_=round_, is_end=asked is None)
    return {"seal": seal.number}


@transaction.atomic
def make_seal(
    *, competition: Competition, round_: Round | None = None, is_end: bool = False
) -> Seal:
    """Seals every row of the competition that no seal covers yet, be it none: so each end of a
    round has its seal. It writes no audit row, being itself the record."""
    competition = lock(competition)
    before = competition.seals.order_by("number").last()
    number = before.number + 1 if before else 1
    made_at = timezone.now()
    AuditRow.objects.filter(scope=competition.scope, seal=None).update(seal=number)
    covered = cover(competition, number, made_at, before.digest if before else "")
    return Seal.objects.create(
        competition=competition,
        number=number,
        round=round_,
        is_end=is_end,
        rows=covered.rows,
        first=covered.first,
        last=covered.last,
        digest=covered.digest,
        made_at=made_at,
    )


def cover(competition: Competition, number: int, made_at: datetime, previous: str) -> Covered:
    """What a seal of this number over the rows that bear it now would hold. One query.

    SHA-256 over lines of canonical JSON (UTF-8, sorted keys, no spaces), each with a line feed:
    `{"made_at", "number", "previous"}`, `previous` being the digest before or "", then each row
    by id, its times in UTC.
    """
    total = hashlib.sha256()
    total.update(_line({"previous": previous, "number": number, "made_at": _utc(made_at)}))
    count, first, last = 0, None, None
    for row in _values(AuditRow.objects.filter(scope=competition.scope, seal=number)):
        total.update(_line(row))
        count += 1
        last = cast(int, row["id"])
        first = last if first is None else first
    return Covered(count, first, last, total.hexdigest())


def _values(rows: QuerySet[AuditRow]) -> Iterator[dict[str, object]]:
    found = rows.order_by("pk").values_list(
        "pk", "at", "user_id", "link_id", "action", "subject", "data"
    )
    for pk, at, *others in found.iterator(chunk_size=2000):
        yield dict(zip(COLUMNS, (pk, _utc(at), *others), strict=True))


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def _line(value: Mapping[str, object]) -> bytes:
    return f"{canonical(value)}\n".encode()
