"""A file of many records, verified in the background: what it is worth, and its first faults."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping
from typing import BinaryIO

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.domain import jobs
from core.domain.audit import audit
from core.errors import DomainError
from core.models import Job
from engine.errors import ZipaiError
from engine.files import read
from engine.replay import INVALID, VALID, replay
from scoring.domain.kept_records import Kept, keep_records, kept
from tournament.acting import Acting
from tournament.enums import Role
from tournament.models import Competition
from tournament.permissions import demand, leads, referees

KIND = "verify-records"
LIMIT_BYTES = 10 * 1024 * 1024
FIRST_FAULTS = 50
STEP = 25
"""Hands between two reports of progress."""


class FileTooLarge(DomainError):
    """The file is larger than `LIMIT_BYTES`."""

    code = "file-too-large"
    status = 413


def upload_records(*, acting: Acting, competition: Competition, name: str, file: BinaryIO) -> Job:
    """Keeps the file and asks for its verification; referees and organizers may.

    Raises `NotAllowed`, `FileTooLarge`, `DomainError` `file-empty`.
    """
    demand(referees(acting) or leads(acting), Role.OWNER, Role.CHIEF, Role.REFEREE)
    path, size = stored(file)
    with transaction.atomic():
        job = jobs.enqueue(
            kind=KIND,
            payload={"path": path, "name": name[:120]},
            scope=competition.scope,
            actor=acting,
        )
        audit(
            actor=acting,
            action="records.upload",
            scope=competition.scope,
            subject=job,
            data={"bytes": size},
        )
    return job


def stored(file: BinaryIO) -> tuple[str, int]:
    """Keeps an uploaded file for the job; its path in the storage and its bytes.

    Raises `FileTooLarge`, `DomainError` `file-empty`.
    """
    data = file.read(LIMIT_BYTES + 1)
    if len(data) > LIMIT_BYTES:
        raise FileTooLarge(_("文件超过 10 MB，请分成几个再传。"))
    if not data.strip():
        raise DomainError(_("文件是空的，请选有牌谱的文件。"), code="file-empty")
    path = default_storage.save(f"records/{secrets.token_hex(16)}", ContentFile(data))
    return path, len(data)


def verify(job: jobs.Running) -> Mapping[str, object]:
    """Replays every hand of the file; how many are valid, and the first faults with their
    places. Those that are valid become the records of the `collection` that the job names."""
    path = str(job.payload["path"])
    with default_storage.open(path, "rb") as file:
        data = file.read()
    found = _verify(job, data)
    default_storage.delete(path)
    return found


def _verify(job: jobs.Running, data: bytes) -> Mapping[str, object]:
    try:
        readings = list(read(data))
    except ZipaiError as error:
        return {"unreadable": {"zh": error.zh, "en": error.en}}
    job.progress(0, len(readings))
    statuses: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    faults: list[dict[str, object]] = []
    collection = job.payload.get("collection")
    keep: list[Kept] = []
    for done, reading in enumerate(readings, 1):
        result = replay(reading)
        statuses[result.status] += 1
        rules[result.rules or ""] += 1
        if result.status == INVALID and result.error and len(faults) < FIRST_FAULTS:
            faults.append({"hand": result.hand, **result.error.as_json()})
        if collection and result.status == VALID and reading.record and result.result:
            keep.append(kept(done, reading.record, result.result))
        if done % STEP == 0 or done == len(readings):
            job.progress(done, len(readings))
    found: dict[str, object] = {}
    if isinstance(collection, int):
        found |= keep_records(collection=collection, found=keep)
    return found | {
        "hands": len(readings),
        "statuses": dict(statuses),
        "rules": dict(rules),
        "faults": faults,
    }
