"""Editions of 秩序册 and 成绩册: made, published, hidden again, withdrawn."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Max, Min
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from core.domain import jobs
from core.domain.audit import audit
from core.domain.job_control import cancel_job
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict
from scoring.enums import BookKind
from scoring.models import BookEdition
from tournament.acting import Acting
from tournament.enums import Role
from tournament.models import Competition
from tournament.permissions import demand, leads

KIND = "book-pdf"
LEADERS = (Role.OWNER, Role.ORGANIZER, Role.CHIEF)


@dataclass(frozen=True)
class Printed:
    """The text of an edition: its HTML, and `[person id, name]` of everybody named in it."""

    body: str
    names: Sequence[Sequence[object]]


Render = Callable[[Competition, BookKind, int, str, datetime], Printed]
"""Competition, kind, number, note and time → the text."""


@transaction.atomic
def make_edition(
    *,
    acting: Acting,
    competition: Competition,
    kind: BookKind,
    note: str = "",
    render: Render,
    makes_pdf: bool = False,
) -> BookEdition:
    """The next edition, internal until it is published; its text never changes afterwards.

    `render` reads what there is to print under the competition's lock; where `makes_pdf` a job
    makes its PDF. Raises `NotAllowed`.
    """
    demand(leads(acting), *LEADERS)
    competition = lock(competition)
    editions = BookEdition.objects.filter(competition=competition, kind=kind)
    found = editions.aggregate(last=Max("number"))
    number = (found["last"] or 0) + 1
    note = note.strip()[:200]
    printed = render(competition, kind, number, note, timezone.now())
    edition = BookEdition.objects.create(
        competition=competition,
        kind=kind,
        number=number,
        note=note,
        language=get_language() or "zh-hans",
        body=printed.body,
        names=[list(one) for one in printed.names],
        digest=hashlib.sha256(printed.body.encode()).hexdigest(),
        author_id=acting.user_id,
        link_id=acting.link_id,
    )
    if makes_pdf:
        _enqueue(acting, edition, is_masked=False)
    _note(acting, edition, "book.make", {"kind": str(kind), "number": number})
    return edition


@transaction.atomic
def publish_edition(
    *, acting: Acting, edition: BookEdition, makes_pdf: bool = False
) -> BookEdition:
    """Everybody may see it; where `makes_pdf` and names are masked, a job makes the PDF without
    them. Raises `NotAllowed`, `Conflict` where it is withdrawn or public."""
    edition = _held(acting, edition)
    if edition.withdrawn_at is not None or edition.is_public:
        raise Conflict(_("这一版已经撤回或公布，请刷新后再看。"))
    edition.published_at = timezone.now()
    edition.save(update_fields=["published_at"])
    _count_from(edition)
    if makes_pdf and edition.competition.mask_names:
        _enqueue(acting, edition, is_masked=True)
    _note(acting, edition, "book.publish")
    return edition


@transaction.atomic
def hide_edition(*, acting: Acting, edition: BookEdition) -> BookEdition:
    """It is internal again: the undo of publishing. Raises `NotAllowed`, `Conflict`."""
    edition = _held(acting, edition)
    if not edition.is_public:
        raise Conflict(_("这一版没有公布，请刷新后再看。"))
    edition.published_at = None
    edition.save(update_fields=["published_at"])
    _count_from(edition)
    _note(acting, edition, "book.hide")
    return edition


@transaction.atomic
def withdraw_edition(*, acting: Acting, edition: BookEdition) -> BookEdition:
    """The newest edition of its kind counts no more, its number stays taken: the undo of making
    it (C9.5). Raises `NotAllowed`, `Conflict` for an older, a public or a withdrawn one."""
    edition = _held(acting, edition)
    newer = BookEdition.objects.filter(
        competition=edition.competition_id, kind=edition.kind, number__gt=edition.number
    )
    if edition.withdrawn_at is not None or newer.exists():
        raise Conflict(_("只有最新的一版可以撤回，请刷新后再看。"))
    if edition.is_public:
        raise Conflict(_("这一版已经公布：先取消公布，再撤回。"))
    edition.withdrawn_at = timezone.now()
    edition.save(update_fields=["withdrawn_at"])
    _note(acting, edition, "book.withdraw")
    return edition


@transaction.atomic
def ask_for_pdf(*, acting: Acting, edition: BookEdition) -> None:
    """Jobs make the PDFs again: with whole names, and masked where everybody gets that one.
    Raises `NotAllowed`."""
    edition = _held(acting, edition)
    if edition.is_public and edition.competition.mask_names:
        _enqueue(acting, edition, is_masked=True)
    _enqueue(acting, edition, is_masked=False)
    _note(acting, edition, "book.pdf")


@transaction.atomic
def stop_pdf(*, acting: Acting, edition: BookEdition) -> None:
    """Its PDF is not made after all. Raises `NotAllowed`, `Conflict` where that is over."""
    edition = _held(acting, edition)
    if edition.job is None:
        raise Conflict(_("现在没有在做 PDF，请刷新后再看。"))
    cancel_job(actor=acting, job=edition.job)


def _enqueue(acting: Acting, edition: BookEdition, *, is_masked: bool) -> None:
    """A job makes a PDF; the edition names the newest one."""
    edition.job = jobs.enqueue(
        kind=KIND,
        payload={"edition": edition.pk, "is_masked": is_masked},
        scope=edition.competition.scope,
        actor=acting,
    )
    edition.save(update_fields=["job"])


def _count_from(edition: BookEdition) -> None:
    """People's data are kept so long after the first result book that everybody may see."""
    competition = edition.competition
    books = BookEdition.objects.filter(competition=competition, kind=BookKind.RESULTS)
    first = books.aggregate(first=Min("published_at"))["first"]
    competition.results_on = None if first is None else first.astimezone(competition.tz).date()
    competition.save(update_fields=["results_on"])


def _held(acting: Acting, edition: BookEdition) -> BookEdition:
    """The edition as it is now, its competition locked."""
    demand(leads(acting), *LEADERS)
    competition = lock(edition.competition)
    found = BookEdition.objects.defer("body").get(pk=edition.pk)
    found.competition = competition
    return found


def _note(
    acting: Acting, edition: BookEdition, action: str, data: dict[str, object] | None = None
) -> None:
    scope = edition.competition.scope
    audit(actor=acting, action=action, scope=scope, subject=edition, data=data)
    bump(scope)
