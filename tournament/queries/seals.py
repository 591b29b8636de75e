"""A competition's seals: read for pages and books, and checked against its audit rows."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Max, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.models import AuditRow
from tournament.domain.seals import LATEST, cover
from tournament.models import Competition, Seal

ERASING = ("entry.erase", "competition.purge")
"""What takes typed words out of the rows before it."""


@dataclass(frozen=True)
class Fault:
    """The first seal that does not hold, and why."""

    number: int
    sentence: str


def seals_of(competition: Competition) -> QuerySet[Seal]:
    """All seals in order, with their round's event. One query."""
    return (
        Seal.objects.filter(competition=competition)
        .select_related("round__stage__event")
        .order_by("number")
    )


def unsealed(competition: Competition) -> int:
    """How many audit rows no seal covers yet. One query."""
    return AuditRow.objects.filter(scope=competition.scope, seal=None).count()


def first_fault(competition: Competition) -> Fault | None:
    """Computes every seal anew from the rows as they are; None where all hold.

    Finds rows of a seal that were changed, taken away or put in, seals changed or missing in
    between, and rows dated before a seal that does not cover them. What it cannot find without a
    printed digest: that the last seals were taken away, or all from one on made anew. A typed
    reason that is gone is no fault where somebody was erased since, as it may have named him.
    Three queries a seal.
    """
    previous, expected = "", 1
    erasing = AuditRow.objects.filter(scope=competition.scope, action__in=ERASING)
    erased_to: int = erasing.aggregate(last=Max("pk"))["last"] or 0
    for seal in seals_of(competition):
        if seal.number != expected:
            return Fault(expected, _("第 %(n)d 个封记不见了。") % {"n": expected})
        covered = cover(competition, seal.number, seal.made_at, previous)
        if covered.rows != seal.rows:
            return Fault(seal.number, _changed_count(seal, covered.rows))
        if (covered.digest, covered.first, covered.last) != (seal.digest, seal.first, seal.last):
            return Fault(
                seal.number,
                _("第 %(n)d 个封记对不上：它封住的记录有改动。") % {"n": seal.number},
            )
        if not _are_as_said(competition, seal, erased_to):
            return Fault(
                seal.number,
                _("第 %(n)d 个封记对不上：有一条记录的原因被改过。") % {"n": seal.number},
            )
        late = _slipped_in(competition, seal)
        if late is not None:
            return Fault(
                seal.number,
                _(
                    "记录 %(row)d 的时间在第 %(n)d 个封记之前，却没有封在里面："
                    "是后来加的，或者电脑的钟拨过。"
                )
                % {"row": late, "n": seal.number},
            )
        previous, expected = seal.digest, expected + 1
    beyond = AuditRow.objects.filter(scope=competition.scope, seal__gte=expected)
    if beyond.exists():
        return Fault(expected, _("第 %(n)d 个封记不见了。") % {"n": expected})
    return None


def _are_as_said(competition: Competition, seal: Seal, erased_to: int) -> bool:
    """Whether what was typed is there as it was, or gone with somebody erased."""
    rows = AuditRow.objects.filter(scope=competition.scope, seal=seal.number)
    typed = rows.filter(Q(data__has_key="said") | ~Q(said={}))
    return all(
        row.is_as_said and (row.pk < erased_to or not row.lacks_words) for row in typed.iterator()
    )


def _changed_count(seal: Seal, found: int) -> str:
    if found < seal.rows:
        gone = seal.rows - found
        return ngettext(
            "第 %(n)d 个封记对不上：少了 %(count)d 条记录。",
            "第 %(n)d 个封记对不上：少了 %(count)d 条记录。",
            gone,
        ) % {"n": seal.number, "count": gone}
    more = found - seal.rows
    return ngettext(
        "第 %(n)d 个封记对不上：多了 %(count)d 条记录。",
        "第 %(n)d 个封记对不上：多了 %(count)d 条记录。",
        more,
    ) % {"n": seal.number, "count": more}


def _slipped_in(competition: Competition, seal: Seal) -> int | None:
    later = AuditRow.objects.filter(scope=competition.scope).exclude(seal__lte=seal.number)
    found = later.filter(at__lt=seal.made_at - LATEST).order_by("pk").first()
    return found.pk if found else None
