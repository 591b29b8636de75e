"""Collections of records in the 牌谱库: uploaded, shown to everybody, taken back, removed.

Each is its owner's alone; who owns it is asked after the lock.
"""

from __future__ import annotations

from typing import BinaryIO

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.actors import Actor
from core.domain import jobs
from core.domain.audit import audit
from core.domain.job_control import run_again, stop_job
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict, DomainError
from core.models import User
from scoring.domain.kept_records import BATCH, MOST_RECORDS
from scoring.domain.uploads import KIND, stored
from scoring.models import Collection, LibraryHand, UploadedRecord
from tournament.enums import Role
from tournament.permissions import NotAllowed

SCOPE = "collections"
"""What changes when everybody sees other collections than before."""
MOST = 50
"""Collections of one account."""


def upload_collection(*, user: User, name: str, file: BinaryIO) -> Collection:
    """A collection whose file is verified in the background; nobody else sees it yet.

    Raises `FileTooLarge`, `DomainError` `file-empty`, `Conflict` `collections-full`.
    """
    own = Collection.objects.filter(owner=user)
    held = UploadedRecord.objects.filter(collection__owner=user).count()
    if own.count() >= MOST or held >= MOST_RECORDS:
        raise Conflict(
            _("每个账号最多 %(most)d 个牌谱集、共 %(records)d 副。请先删掉不要的。")
            % {"most": MOST, "records": MOST_RECORDS},
            code="collections-full",
        )
    path, size = stored(file)
    actor = Actor(user_id=user.pk)
    with transaction.atomic():
        collection = Collection.objects.create(owner=user, name=name)
        collection.job = jobs.enqueue(
            kind=KIND,
            payload={"path": path, "name": name, "collection": collection.pk},
            scope=f"collection:{collection.pk}",
            actor=actor,
        )
        collection.save(update_fields=["job"])
        _note(actor, "collection.upload", collection, bytes=size)
    return collection


@transaction.atomic
def publish_collection(*, user: User, collection: Collection) -> Collection:
    """Everybody finds its records, but for those that another public collection has already.

    Raises `NotAllowed`, `DomainError` `collection-empty`, `Conflict` where somebody publishes the
    same records at this moment.
    """
    held = _hold(user, collection)
    if held.published_at is not None:
        return held
    if not held.records.exists():
        raise DomainError(_("里面还没有合规的牌谱，不能公开。"), code="collection-empty")
    held.published_at = timezone.now()
    held.save(update_fields=["published_at"])
    try:
        with transaction.atomic():
            _show([held.pk])
    except IntegrityError as error:
        raise Conflict(_("有人正在公开同样的牌谱，请稍后再试一次。")) from error
    _note(Actor(user_id=user.pk), "collection.publish", held)
    bump(SCOPE)
    return held


@transaction.atomic
def withdraw_collection(*, user: User, collection: Collection) -> Collection:
    """The undo of `publish_collection`: it is its owner's alone again."""
    held = _hold(user, collection)
    if held.published_at is None:
        return held
    held.published_at = None
    held.save(update_fields=["published_at"])
    _hide(held)
    _note(Actor(user_id=user.pk), "collection.withdraw", held)
    bump(SCOPE)
    return held


@transaction.atomic
def retry_collection(*, user: User, collection: Collection) -> Collection:
    """Its file, whose verification failed, is verified again. Raises `NotAllowed`, `Conflict`."""
    held = _hold(user, collection)
    if held.job is None:
        raise Conflict(_("这项任务没有失败，请刷新后再看。"), code="job-not-failed")
    run_again(actor=Actor(user_id=user.pk), job=held.job)
    return held


@transaction.atomic
def remove_collection(*, user: User, collection: Collection) -> None:
    """The undo of an upload: the collection and its records are gone, and its job stops; the file
    goes with `uploads.forget_files`."""
    held = _hold(user, collection)
    if held.published_at is not None:
        _hide(held)
    _note(Actor(user_id=user.pk), "collection.remove", held, records=held.records.count())
    if held.job is not None:
        stop_job(lock(held.job))
    held.delete()
    bump(SCOPE)


def _hold(user: User, collection: Collection) -> Collection:
    held = Collection.objects.select_for_update().get(pk=collection.pk)
    if held.owner_id != user.pk:
        raise NotAllowed(_("这是别人的牌谱集。"), state=None, who=frozenset({Role.OWNER}))
    return held


def _show(collections: list[int], only: list[str] | None = None) -> None:
    """Those of their records that are not public elsewhere are public, each once."""
    found = UploadedRecord.objects.filter(collection__in=collections, is_public=False)
    if only is not None:
        found = found.filter(digest__in=only)
    taken = UploadedRecord.objects.filter(is_public=True).values("digest")
    first: dict[str, int] = {}
    for pk, digest in found.exclude(digest__in=taken).order_by("pk").values_list("pk", "digest"):
        first.setdefault(digest, pk)
    _mark(list(first.values()), is_public=True)


def _hide(held: Collection) -> None:
    """None of its records is public; the same ones of other public collections are instead."""
    shown = list(held.records.filter(is_public=True).values_list("pk", "digest"))
    _mark([pk for pk, _digest in shown], is_public=False)
    others = Collection.objects.filter(published_at__isnull=False).exclude(pk=held.pk)
    public = list(others.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(shown), BATCH):
        _show(public, [digest for _pk, digest in shown[start : start + BATCH]])


def _mark(records: list[int], *, is_public: bool) -> None:
    for start in range(0, len(records), BATCH):
        some = records[start : start + BATCH]
        UploadedRecord.objects.filter(pk__in=some).update(is_public=is_public)
        LibraryHand.objects.filter(record__in=some).update(is_public=is_public)


def _note(actor: Actor, action: str, collection: Collection, **data: int) -> None:
    audit(
        actor=actor,
        action=action,
        scope=f"collection:{collection.pk}",
        subject=collection,
        data=data,
    )
