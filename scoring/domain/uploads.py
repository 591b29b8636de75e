"""A file of many records, verified in the background: what it is worth, and its first faults."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import timedelta
from functools import partial
from typing import Any, BinaryIO, cast

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain import jobs
from core.domain.audit import audit
from core.domain.job_control import cancel_job, run_again
from core.domain.job_parts import InParts
from core.enums import JobState
from core.errors import DomainError
from core.models import AuditRow, Job
from engine.errors import ZipaiError
from engine.files import decode, read
from engine.portions import Portion, portions
from engine.replay import INVALID, VALID, replay
from scoring.domain.kept_records import Kept, keep_records, kept
from tournament.acting import Acting
from tournament.enums import Role
from tournament.erased import Names
from tournament.models import Competition
from tournament.permissions import demand, leads, referees

KIND, PART = "verify-records", "verify-part"
FOLDER = "records"
FORGET_AFTER = timedelta(hours=1)
LIMIT_BYTES = 10 * 1024 * 1024
FIRST_FAULTS = 50
STEP = 100
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


def may_decide(acting: Acting, job: Job) -> bool:
    """Whether he may cancel an upload or have it tried again: who started it, and who leads."""
    if leads(acting) or (job.created_by_id is not None and job.created_by_id == acting.user_id):
        return True
    started = AuditRow.objects.filter(action="records.upload", subject=f"job:{job.pk}")
    return acting.link_id is not None and started.filter(link_id=acting.link_id).exists()


def cancel_upload(*, acting: Acting, job: Job) -> Job:
    """Its verification stops. Raises `NotAllowed`, `Conflict`."""
    demand(may_decide(acting, job), Role.OWNER, Role.CHIEF)
    return cancel_job(actor=acting, job=job)


def retry_upload(*, acting: Acting, job: Job) -> Job:
    """A verification that failed is tried again. Raises `NotAllowed`, `Conflict`."""
    demand(may_decide(acting, job), Role.OWNER, Role.CHIEF)
    return run_again(actor=acting, job=job)


def end_naming(competition: Competition, names: Names) -> None:
    """Verifications of files in which one of these names stands are over, in the transaction that
    erases it: none that runs can write down what it quotes, as the lease is taken from it, and none
    that failed is tried again. `forget_files` takes the files away."""
    ended = {
        "state": JobState.CANCELLED, "lease": "", "leased_until": None, "result": None,
        "finished_at": timezone.now(),
    }  # fmt: skip
    found = Job.objects.select_for_update(no_key=True).filter(scope=competition.scope, kind=KIND)
    for job in found.exclude(state__in=(JobState.DONE, JobState.CANCELLED)).order_by("pk"):
        path = job.payload.get("path")
        if not isinstance(path, str) or not default_storage.exists(path):
            continue
        try:
            text = decode(_bytes(path))
        except ZipaiError:  # of which nothing is quoted
            continue
        if names.are_in(text):
            job.parts.update(**ended)
            Job.objects.filter(pk=job.pk).update(**ended)


def stored(file: BinaryIO) -> tuple[str, int]:
    """Keeps an uploaded file for the job; its path in the storage and its bytes.

    Raises `FileTooLarge`, `DomainError` `file-empty`.
    """
    data = file.read(LIMIT_BYTES + 1)
    if len(data) > LIMIT_BYTES:
        raise FileTooLarge(_("文件超过 10 MB，请分成几个再传。"))
    if not data.strip():
        raise DomainError(_("文件是空的，请选有牌谱的文件。"), code="file-empty")
    path = default_storage.save(f"{FOLDER}/{secrets.token_hex(16)}", ContentFile(data))
    return path, len(data)


def verify(job: jobs.Running) -> Mapping[str, object] | InParts:
    """The job of an upload: replays every hand of the file; how many are valid, and the first
    faults with their places. Those that are valid become the records of the `collection` that the
    job names. A large file is verified in parts (`verify_part`)."""
    path = str(job.payload["path"])
    parts = cast(list[dict[str, Any]], job.parts)
    if parts:
        return _whole(job, parts)
    data = _bytes(path)
    try:
        text = decode(data)
    except ZipaiError as error:
        job.afterwards(partial(default_storage.delete, path))
        return {"unreadable": {"zh": error.zh, "en": error.en}}
    found = portions(text)
    if len(found) == 1:
        return _whole(job, [_verified(job, text)])
    return _divided(job, path, data, text, found)


def _divided(job: jobs.Running, path: str, data: bytes, text: str, found: list[Portion]) -> InParts:
    """The parts of a large file, each with its bytes in UTF-8, for which there may be a copy."""
    whole = text.encode()
    if whole != data:
        path = default_storage.save(f"{path}-utf8", ContentFile(whole))
    payloads, start = [], 0
    for number, one in enumerate(found):
        size = len(text[one.start : one.stop].encode())
        payloads.append(
            {
                "path": path,
                "bytes": [start, size],
                "hands": one.hands,
                "lines": one.lines,
                "keeps": "collection" in job.payload,
            }
        )
        if number + 1 < len(found):
            start += size + found[number + 1].start - one.stop  # a line's end is one byte a sign
    return InParts(kind=PART, payloads=payloads, sizes=[one.size for one in found])


def verify_part(job: jobs.Running) -> Mapping[str, object]:
    """The job of a part: what `verify` finds in a portion of the file."""
    start, size = cast(list[int], job.payload["bytes"])
    return _verified(job, _bytes(str(job.payload["path"]), start, size).decode())


def _bytes(path: str, start: int = 0, size: int = -1) -> bytes:
    with default_storage.open(path, "rb") as file:
        file.seek(start)
        data = file.read(size)
    assert isinstance(data, bytes)
    return data


def _verified(job: jobs.Running, text: str) -> dict[str, Any]:
    """What is found in a text that is the file or, by the job's payload, a portion of it."""
    before, lines = (cast(int, job.payload.get(key, 0)) for key in ("hands", "lines"))
    keeps = bool(job.payload.get("keeps", "collection" in job.payload))
    readings = list(read(text))
    job.progress(0, len(readings))
    statuses: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    faults: list[dict[str, object]] = []
    keep: list[dict[str, object]] = []
    for done, reading in enumerate(readings, 1):
        result = replay(reading)
        statuses[result.status] += 1
        rules[result.rules or ""] += 1
        if result.status == INVALID and result.error and len(faults) < FIRST_FAULTS:
            fault = replace(result.error, line=result.error.line + lines)
            faults.append({"hand": result.hand + before, **fault.as_json()})
        if keeps and result.status == VALID and reading.record and result.result:
            keep.append(asdict(kept(done + before, reading.record, result.result)))
        if done % STEP == 0 or done == len(readings):
            job.progress(done, len(readings))
    return {"statuses": statuses, "rules": rules, "faults": faults, "keep": keep}


def _whole(job: jobs.Running, parts: list[dict[str, Any]]) -> Mapping[str, object]:
    """The file's result from those of its parts; its file is not needed any more."""
    asked = job.job.parts.values_list("payload", flat=True)
    for path in {str(payload["path"]) for payload in (job.payload, *asked)}:
        job.afterwards(partial(default_storage.delete, path))
    statuses: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    for part in parts:
        statuses.update(part["statuses"])
        rules.update(part["rules"])
    found: dict[str, object] = {}
    collection = job.payload.get("collection")
    if isinstance(collection, int):
        keep = [Kept(**one) for part in parts for one in part["keep"]]
        found |= keep_records(collection=collection, found=keep)
    return found | {
        "hands": statuses.total(),
        "statuses": dict(statuses),
        "rules": dict(rules),
        "faults": [fault for part in parts for fault in part["faults"]][:FIRST_FAULTS],
    }


def forget_files(job: jobs.Running) -> Mapping[str, int]:
    """The periodic job: files of uploads that no job is going to read go, an hour after they came.

    They are those of jobs that were cancelled or forgotten, and those that no job was made for.
    """
    if not default_storage.exists(FOLDER):
        return {"files": 0}
    wanted = {
        str(payload["path"])
        for payload in Job.objects.filter(kind__in=(KIND, PART))
        .exclude(state__in=(JobState.DONE, JobState.CANCELLED))
        .values_list("payload", flat=True)
        if "path" in payload
    }
    gone = 0
    for name in default_storage.listdir(FOLDER)[1]:
        path = f"{FOLDER}/{name}"
        age = timezone.now() - default_storage.get_modified_time(path)
        if path not in wanted and age > FORGET_AFTER:
            default_storage.delete(path)
            gone += 1
    return {"files": gone}
