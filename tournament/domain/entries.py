"""People enter, are changed, arrive, leave (C1); who is next on the waiting list (C1.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict, DomainError
from core.models import AuditRow
from tournament.acting import Acting
from tournament.domain.event_limit import check_limit, counts_of
from tournament.domain.pasting import (
    Pasted,
    Reading,
    clean,
    clean_name,
    read_lines,
)
from tournament.domain.private import demand_kept, held_person
from tournament.domain.readings import reading_of
from tournament.domain.waiting import fill_places
from tournament.domain.waiting import free_places as free_places
from tournament.enums import EntrantStatus, EntryStatus, Role
from tournament.models import Competition, Entrant, Entry, Event, Person, Stage
from tournament.permissions import checks_in, demand, leads, organizes

BATCH = 500


class ListFrozen(Conflict):
    """C4.1: the list is frozen or drawn; nobody comes to it or leaves it by this way."""

    code = "list-frozen"


class SameName(Conflict):
    """Somebody with this name and unit is entered already; may be another person."""

    code = "same-name"


@dataclass(frozen=True)
class Added:
    """What a pasted list came to."""

    entries: tuple[Entry, ...]
    reading: Reading


@transaction.atomic
def add_pasted(*, acting: Acting, event: Event, text: str) -> Added:
    """Enters every line of `text` that names somebody; the others come back with their reasons.

    Numbers (编号) go on from the highest given. Who is entered in the competition already, but not
    in this event, comes into it (C10). Raises `NotAllowed`, `ListFrozen`, `EventsLimit`.
    """
    competition = open_list(acting, event)
    elsewhere = _elsewhere(competition, event)
    known = set(present(competition).values_list("person__name", "unit").order_by())
    reading = read_lines(text, known - set(elsewhere))
    again = [elsewhere[p.name, p.unit] for p in reading.people if (p.name, p.unit) in elsewhere]
    new = [p for p in reading.people if (p.name, p.unit) not in elsewhere]
    entries = (*_enter_known(competition, event, again), *_enter(competition, event, new))
    if entries:
        audit(
            actor=acting,
            action="entry.paste",
            scope=competition.scope,
            subject=event,
            data={"added": len(entries), "rejected": len(reading.rejected)},
        )
        bump(competition.scope, event.scope)
    return Added(entries, reading)


def _elsewhere(competition: Competition, event: Event) -> dict[tuple[str, str], Entry]:
    """Name and unit → who has a place in the competition and does not play in the event; nobody
    whose name and unit are another's too."""
    found: dict[tuple[str, str], Entry] = {}
    if not competition.events.exclude(pk=event.pk).exists():
        return found
    every = list(present(competition).select_related("person"))
    count = Counter((entry.person.name, entry.unit) for entry in every)
    here = set(event.entrants.values_list("entry_id", flat=True))
    here |= set(event.entrants.exclude(partner=None).values_list("partner_id", flat=True))
    for entry in every:
        name = entry.person.name, entry.unit
        if entry.pk not in here and entry.status == EntryStatus.CONFIRMED and count[name] == 1:
            found[name] = entry
    return found


def _enter_known(
    competition: Competition, event: Event, entries: Sequence[Entry]
) -> Sequence[Entry]:
    """They come into one event more."""
    counts = counts_of(competition) if entries else {}
    for entry in entries:
        check_limit(competition, entry, counts.get(entry.pk, 0) + 1)
    Entrant.objects.bulk_create(
        [Entrant(event=event, entry=entry) for entry in entries], batch_size=BATCH
    )
    return entries


@transaction.atomic
def add_entry(
    *, acting: Acting, event: Event, name: str, unit: str = "", is_another: bool = False
) -> Entry:
    """Enters one person. Raises `NotAllowed`, `ListFrozen`, and `SameName` where name and unit
    are entered already, unless `is_another` says that it is somebody else."""
    competition = open_list(acting, event)
    name, unit = clean_name(name), clean(unit)
    twins = present(competition).filter(person__name=name, unit=unit)
    if not is_another and twins.exists():
        raise SameName(_("已有同名同单位的选手。确是另一个人，请勾选“是另一个人”再添加。"))
    (entry,) = _enter(competition, event, [Pasted(1, name, unit)])
    audit(actor=acting, action="entry.add", scope=competition.scope, subject=entry)
    bump(competition.scope, event.scope)
    return entry


@transaction.atomic
def change_entry(
    *,
    acting: Acting,
    entrant: Entrant,
    name: str,
    unit: str,
    number: int | None,
    seed: int | None = None,
    phone: str | None = None,
) -> Entrant:
    """Corrects a name, unit, number, seed or phone.

    Number and seed stand once the list is frozen or drawn: `ListFrozen`. Raises `NotAllowed`,
    `PersonErased`, `DomainError` (`number-taken`, `seed-taken`).
    """
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    event = lock(entrant.event)
    entry = entrant.entry
    if (number, seed) != (entry.number, entrant.seed):
        demand_open_list(event)
    if (
        number is not None
        and event.competition.entries.filter(number=number).exclude(pk=entry.pk).exists()
    ):
        raise DomainError(
            _("编号 %(n)d 已经有人了，请换一个。") % {"n": number}, code="number-taken"
        )
    if seed is not None and event.entrants.filter(seed=seed).exclude(pk=entrant.pk).exists():
        raise DomainError(_("%(n)d 号种子已经有人了，请换一个。") % {"n": seed}, code="seed-taken")
    person = entry.person = held_person(entry)
    if person.name != clean_name(name):  # else a reading corrected by hand stays
        person.name = clean_name(name)
        person.reading = reading_of(person.name)
    person.phone = person.phone if phone is None else phone
    person.save(update_fields=["name", "reading", "phone"])
    entry.unit, entry.number = clean(unit), number
    entry.save(update_fields=["unit", "number"])
    entrant.seed = seed
    entrant.save(update_fields=["seed"])
    audit(
        actor=acting,
        action="entry.change",
        scope=acting.scope,
        subject=entry,
        data={"number": number, "seed": seed},
    )
    bump(event.competition.scope, event.scope)
    return entrant


@transaction.atomic
def check_in(*, acting: Acting, entry: Entry, here: bool = True) -> Entry:
    """Marks that he has arrived, or takes the mark back (C1.2). Raises `NotAllowed`."""
    demand(checks_in(acting), Role.OWNER, Role.ORGANIZER, Role.CHIEF, Role.REFEREE)
    entry = lock(entry)
    if here != entry.is_checked_in:
        entry.checked_in_at = timezone.now() if here else None
        entry.save(update_fields=["checked_in_at"])
        audit(
            actor=acting,
            action="entry.check-in" if here else "entry.check-out",
            scope=acting.scope,
            subject=entry,
        )
        bump(acting.scope)
    return entry


@transaction.atomic
def withdraw_before_draw(
    *,
    acting: Acting,
    entrant: Entrant,
    status: EntrantStatus = EntrantStatus.WITHDRAWN,
    reason: str = "",
) -> Entry | None:
    """He leaves the event before its draw, or is disqualified (`status`, with a reason); with his
    last event he leaves the competition: the first of the waiting list gets the place (C1.2). Of a
    pair both leave, each for himself: who plays in other events stays.

    For the chief referee too (C7.3). Returns who moved up. Raises `NotAllowed`, `ListFrozen`,
    `Conflict` where he is not in, `DomainError` (`reason-needed`).
    """
    demand(leads(acting), Role.OWNER, Role.ORGANIZER, Role.CHIEF)
    is_disqualified = status == EntrantStatus.DISQUALIFIED
    if is_disqualified and not reason.strip():
        raise DomainError(_("取消资格要写明原因。"), code="reason-needed")
    competition = _lock_open_list(entrant.event)
    entrant = lock(entrant)
    if entrant.status != EntrantStatus.IN:
        raise Conflict(_("这名选手已经不在赛，请刷新后再看。"))
    entry = lock(entrant.entry)
    partner = None if entrant.partner is None else lock(entrant.partner)
    seed = entrant.seed
    entrant.status, entrant.seed = status, None
    if not is_disqualified:  # he may come back, or his partner with somebody else
        entrant.partner = None
    entrant.save(update_fields=["status", "seed", "partner"])
    moved: list[Entry] = []
    for one in filter(None, (entry, partner)):
        one.wants.remove(entrant.event)
        if not _plays_elsewhere(one):
            one.status = EntryStatus.WITHDRAWN
            one.save(update_fields=["status"])
            moved += fill_places(competition, entrant.event)
    audit(
        actor=acting,
        action=f"entrant.{status}" if is_disqualified else "entry.withdraw",
        scope=competition.scope,
        subject=entrant if is_disqualified else entry,
        data={
            "event": entrant.event_id,
            "moved_up": [one.pk for one in moved],
            "seed": seed,
            "partner": partner.pk if partner else None,
        },
        said={"reason": reason.strip()[:200]},
    )
    bump(competition.scope, entrant.event.scope)
    return moved[0] if moved else None


@transaction.atomic
def reinstate(*, acting: Acting, entrant: Entrant) -> Entrant:
    """Takes a withdrawal or disqualification before the draw back (C9.5); he has his seed again
    unless it is another's by now, and his partner unless he plays with somebody else by now.

    Raises `NotAllowed`, `ListFrozen`, `PersonErased`, `Conflict` where the competition is full
    again.
    """
    demand(leads(acting), Role.OWNER, Role.ORGANIZER, Role.CHIEF)
    competition = _lock_open_list(entrant.event)
    entrant = lock(entrant)
    entry = lock(entrant.entry)
    if entrant.status not in (EntrantStatus.WITHDRAWN, EntrantStatus.DISQUALIFIED):
        raise Conflict(_("这名选手没有退赛，请刷新后再看。"))
    demand_kept(entry.person)
    left = _left(entrant)
    partner = entrant.partner or _partner_before(entrant, left)
    back = [entry] if partner is None else [entry, lock(partner)]
    needed = sum(one.status != EntryStatus.CONFIRMED for one in back)
    free = free_places(competition)
    if free is not None and needed > free:
        raise Conflict(_("名额已满，不能恢复；可以先增加名额。"), code="full")
    entrant.status, entrant.seed = EntrantStatus.IN, _seed_before(entrant, left)
    entrant.partner = partner
    entrant.save(update_fields=["status", "seed", "partner"])
    for one in back:
        one.status = EntryStatus.CONFIRMED
        one.save(update_fields=["status"])
        one.wants.add(entrant.event)
    audit(actor=acting, action="entry.reinstate", scope=competition.scope, subject=entry)
    bump(competition.scope, entrant.event.scope)
    return entrant


def _left(entrant: Entrant) -> dict[str, Any]:
    """What was noted as he left this event."""
    found = AuditRow.objects.filter(
        subject__in=(f"entry:{entrant.entry_id}", f"entrant:{entrant.pk}"),
        action__in=("entry.withdraw", f"entrant.{EntrantStatus.DISQUALIFIED}"),
    ).order_by("-pk")
    event = entrant.event_id
    return next((row.data for row in found if row.data.get("event", event) == event), {})


def _partner_before(entrant: Entrant, left: Mapping[str, Any]) -> Entry | None:
    """Who was his partner as he left, unless he plays in the event again by now."""
    partner = Entry.objects.filter(pk=left.get("partner") or 0).first()
    if partner is None:
        return None
    again = Entrant.objects.filter(Q(entry=partner) | Q(partner=partner), event=entrant.event_id)
    return None if again.exclude(status=EntrantStatus.WITHDRAWN).exists() else partner


def _seed_before(entrant: Entrant, left: Mapping[str, Any]) -> int | None:
    """The seed that he lost as he left."""
    seed = left.get("seed")
    if seed is None or Entrant.objects.filter(event=entrant.event_id, seed=seed).exists():
        return None
    return int(seed)


def _plays_elsewhere(entry: Entry) -> bool:
    """Whether he is in an event of the competition still, as entrant or partner."""
    found = Entrant.objects.filter(Q(entry=entry) | Q(partner=entry))
    return found.filter(status__in=(EntrantStatus.IN, EntrantStatus.OUT)).exists()


def demand_open_list(event: Event, *, named: bool = False) -> None:
    """Raises `ListFrozen` while a list is frozen or a draw stands; `named` says of which event."""
    stages = Stage.objects.filter(event=event)
    if (
        named
        and stages.filter(
            Q(draws__number__isnull=True, draws__isnull=False) | Q(rounds__isnull=False)
        ).exists()
    ):
        raise ListFrozen(
            _("“%(event)s”已经抽签或冻结名单，请只选别的项目。") % {"event": event.name}
        )
    if stages.filter(draws__number__isnull=True, draws__isnull=False).exists():
        raise ListFrozen(_("名单已经冻结，等待抽签；要改名单请先取消冻结。"))
    if stages.filter(rounds__isnull=False).exists():
        raise ListFrozen(_("已经抽签，名单不能再这样改；迟到的选手请在签表上补入。"))


def enter_late(competition: Competition, event: Event, name: str, unit: str) -> Entrant:
    """A confirmed entry after the draw (C7.3, late entry); the caller has checked and audits."""
    (entry,) = _enter(competition, event, [Pasted(1, clean_name(name), clean(unit))], is_late=True)
    return Entrant.objects.select_related("entry__person", "partner__person").get(
        event=event, entry=entry
    )


def open_list(acting: Acting, event: Event) -> Competition:
    """The competition of the event, both locked, where its list may be changed."""
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    return _lock_open_list(event)


def _lock_open_list(event: Event) -> Competition:
    competition = lock(event.competition)
    lock(event)
    demand_open_list(event)
    return competition


def present(competition: Competition) -> QuerySet[Entry]:
    return Entry.objects.filter(competition=competition).exclude(status=EntryStatus.WITHDRAWN)


def _enter(
    competition: Competition, event: Event, people: Sequence[Pasted], *, is_late: bool = False
) -> tuple[Entry, ...]:
    """Rows for all of them at once: confirmed while there are places, then the waiting list."""
    free = None if is_late else free_places(competition)
    highest = competition.entries.aggregate(highest=Max("number"))["highest"] or 0
    persons = Person.objects.bulk_create(
        [Person(name=p.name, reading=reading_of(p.name)) for p in people], batch_size=BATCH
    )
    entries = Entry.objects.bulk_create(
        [
            Entry(
                competition=competition,
                person=person,
                number=highest + index + 1,
                unit=p.unit,
                status=EntryStatus.CONFIRMED
                if free is None or index < free
                else EntryStatus.WAITLISTED,
            )
            for index, (p, person) in enumerate(zip(people, persons, strict=True))
        ],
        batch_size=BATCH,
    )
    Entrant.objects.bulk_create(
        [
            Entrant(event=event, entry=entry)
            for entry in entries
            if entry.status == EntryStatus.CONFIRMED
        ],
        batch_size=BATCH,
    )
    return tuple(entries)
