"""Numbers (编号) given and given anew before the draw, shown before they are (C1.1)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import models, transaction
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.versions import bump
from core.errors import Conflict, DomainError
from tournament.acting import Acting
from tournament.domain.entries import open_list
from tournament.domain.readings import reading_of
from tournament.enums import EntryStatus
from tournament.models import Competition, Entry, Event

BATCH = 500


class Order(models.TextChoices):
    """How numbers are given."""

    MISSING = "missing", _("只给没有编号的人，先补空号")
    GAPS = "gaps", _("去掉空号，先后不变")
    ENTRY = "entry", _("按报名先后重排")
    UNIT = "unit", _("按单位重排，单位内按拼音")
    PINYIN = "pinyin", _("按姓名拼音重排")


@dataclass(frozen=True)
class Change:
    """Somebody's number, now and then."""

    entry: Entry
    new: int

    @property
    def was_printed(self) -> bool:
        """Whether a badge with the number of now is out."""
        return self.entry.badge_printed_at is not None


def number_changes(competition: Competition, order: Order) -> list[Change]:
    """What this order would change, by the new number. One query.

    Whoever has withdrawn comes after everybody else, and gets no number he has not had.
    """
    entries = list(competition.entries.select_related("person"))
    if order == Order.MISSING:
        return _filled(entries)
    key = _KEYS[order]
    gone = [e for e in entries if e.status == EntryStatus.WITHDRAWN and e.number is not None]
    here = [e for e in entries if e.status != EntryStatus.WITHDRAWN]
    ordered = sorted(here, key=key) + sorted(gone, key=key)
    return [Change(e, new) for new, e in enumerate(ordered, 1) if e.number != new]


def digest_of(changes: Sequence[Change]) -> str:
    """Equal for equal changes: says that what is done is what was shown."""
    text = "".join(f"{one.entry.pk}:{one.entry.number}:{one.new}\n" for one in changes)
    return hashlib.sha256(text.encode()).hexdigest()


@transaction.atomic
def give_numbers(*, acting: Acting, event: Event, order: Order, digest: str) -> int:
    """Gives the numbers as they were shown; says how many changed.

    A badge with an old number counts as not printed. Raises `NotAllowed`, `ListFrozen`,
    `DomainError` (`numbers-same`), `Conflict` (`numbers-moved`) where the list has changed
    since it was shown.
    """
    competition = open_list(acting, event)
    changes = number_changes(competition, order)
    if not changes:
        raise DomainError(_("编号已经是这样，没有要改的。"), code="numbers-same")
    if digest_of(changes) != digest:
        raise Conflict(_("名单刚刚有变动，请看过新的编号再确认。"), code="numbers-moved")
    data = {str(one.entry.pk): [one.entry.number, one.new] for one in changes}
    entries = [one.entry for one in changes]
    # Unique numbers: all of them are free before any is taken.
    for start in range(0, len(entries), BATCH):
        ids = [entry.pk for entry in entries[start : start + BATCH]]
        competition.entries.filter(pk__in=ids).update(number=None, badge_printed_at=None)
    for one in changes:
        one.entry.number = one.new
    Entry.objects.bulk_update(entries, ["number"], batch_size=BATCH)
    audit(
        actor=acting,
        action="entry.numbers",
        scope=competition.scope,
        subject=event,
        data={"order": str(order), "numbers": data},
    )
    bump(competition.scope, event.scope)
    return len(changes)


def _filled(entries: Sequence[Entry]) -> list[Change]:
    taken = {entry.number for entry in entries}
    waiting = [e for e in entries if e.number is None and e.status != EntryStatus.WITHDRAWN]
    free = (n for n in range(1, len(entries) + 1) if n not in taken)
    return [
        Change(entry, new)
        for entry, new in zip(sorted(waiting, key=lambda e: e.pk), free, strict=False)
    ]


def _by_number(entry: Entry) -> tuple[object, ...]:
    return entry.number is None, entry.number or 0, entry.pk


def _by_entry(entry: Entry) -> tuple[object, ...]:
    return (entry.pk,)


def _by_unit(entry: Entry) -> tuple[object, ...]:
    return entry.unit == "", reading_of(entry.unit), entry.unit, *_by_pinyin(entry)


def _by_pinyin(entry: Entry) -> tuple[object, ...]:
    return entry.person.reading, entry.person.name, entry.pk


_KEYS = {
    Order.GAPS: _by_number,
    Order.ENTRY: _by_entry,
    Order.UNIT: _by_unit,
    Order.PINYIN: _by_pinyin,
}
