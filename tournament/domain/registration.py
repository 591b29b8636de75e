"""People register by themselves, change and withdraw that; organizers decide (C1.2)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict, DomainError
from tournament.acting import Acting
from tournament.domain.deadlines import plan_turns
from tournament.domain.entries import ListFrozen, SameName, demand_open_list, present
from tournament.domain.event_limit import check_limit
from tournament.domain.links import give_entry_link
from tournament.domain.pasting import clean, clean_name
from tournament.domain.playing import events_of
from tournament.domain.private import demand_kept, held_person
from tournament.domain.readings import reading_of
from tournament.domain.waiting import fill_places, free_places, give_place
from tournament.enums import Ask, EntrantStatus, EntryStatus, Role
from tournament.models import (
    Competition,
    Consent,
    Entrant,
    Entry,
    Event,
    Person,
    Registration,
    Stage,
)
from tournament.models.registration import ASKED
from tournament.permissions import NotAllowed, demand, is_his, organizes

SETTINGS = (
    "is_on", "opens_at", "closes_at", "auto_confirm", "consent", "fee",
    *(f"ask_{name}" for name in ASKED),
)  # fmt: skip


class RegistrationClosed(Conflict):
    """Nobody registers now: switched off, outside its window, or the competition is over."""

    code = "registration-closed"


@dataclass(frozen=True)
class Applicant:
    """What somebody says about himself. Empty where the form does not ask or he did not say."""

    name: str
    unit: str = ""
    phone: str = ""
    mail: str = ""
    birth_year: int | None = None
    note: str = ""
    events: tuple[int, ...] = ()


@transaction.atomic
def set_registration(
    *, acting: Acting, competition: Competition, values: Mapping[str, object]
) -> Registration:
    """Sets the public form (`SETTINGS`). Raises `NotAllowed`."""
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    competition = lock(competition)
    registration = Registration.objects.filter(competition=competition).first()
    registration = registration or Registration(competition=competition)
    changed = [
        key for key in SETTINGS if key in values and getattr(registration, key) != values[key]
    ]
    for key in changed:
        setattr(registration, key, values[key])
    plan_turns(competition, registration)
    registration.save()
    audit(
        actor=acting,
        action="registration.set",
        scope=competition.scope,
        subject=registration,
        data={"fields": changed},
    )
    bump(competition.scope)
    return registration


def token_of(key: str) -> str:
    """The token of the link that the request `key` gets: the same however often it is sent."""
    return salted_hmac("tournament.registration", key, algorithm="sha256").hexdigest()[:40]


@transaction.atomic
def register(
    *,
    competition: Competition,
    applicant: Applicant,
    token: str,
    agrees: bool = False,
    is_another: bool = False,
) -> Entry:
    """Enters somebody by the public form: with a place, waiting for one, or for an organizer.

    `token` opens his own link. `agrees` says that he ticked the consent; its text is kept.
    He comes into the events that he chose, the first with an open list where he chose none. Raises
    `RegistrationClosed`, `ListFrozen`, `DomainError` (`consent-missing`, `no-event`),
    `EventsLimit` where he chose too many, `SameName` for an equal name with the same unit or
    phone, unless `is_another`.
    """
    competition = lock(competition)
    registration = _demand_open(competition)
    events = _wanted(competition, applicant.events)
    if registration.consent and not agrees:
        raise DomainError(_("要同意上面的文字才能报名。"), code="consent-missing")
    applicant = _cleaned(applicant)
    if not is_another and _has_twin(competition, applicant):
        raise SameName(
            _("已有同名、而且单位或手机号也相同的报名。确是另一个人，请勾选“是另一个人”。")
        )
    entry = _enter(competition, applicant)
    check_limit(competition, entry, len(events))
    entry.wants.set(events)
    if registration.consent:
        Consent.objects.create(entry=entry, text=registration.consent)
    entrant = None
    if registration.auto_confirm:
        entrant = _place_or_line(competition, events[0], entry)
    link = give_entry_link(entry=entry, entrant=entrant, token=token)
    audit(
        actor=Acting(link_id=link.pk, competition_id=competition.pk),
        action="entry.register",
        scope=competition.scope,
        subject=entry,
        data={"status": str(entry.status), "number": entry.number, "is_another": is_another},
    )
    bump(competition.scope, *(one.scope for one in events))
    return entry


@transaction.atomic
def change_own(*, acting: Acting, entry: Entry, applicant: Applicant) -> Entry:
    """Corrects one's own registration while the list is open.

    What the form does not ask stays as it is. Raises `NotAllowed`, `ListFrozen`, `PersonErased`,
    `Conflict`.
    """
    competition, event, entry = _own(acting, entry)
    applicant = _cleaned(applicant)
    asked = _asked(competition)
    person = entry.person = held_person(entry)
    if person.name != applicant.name:  # else a reading corrected by hand stays
        person.name, person.reading = applicant.name, reading_of(applicant.name)
    for name in ("phone", "mail", "birth_year", "note"):
        if name in asked:
            setattr(person, name, getattr(applicant, name))
    person.save(update_fields=["name", "reading", "phone", "mail", "birth_year", "note"])
    if "unit" in asked:
        entry.unit = applicant.unit
        entry.save(update_fields=["unit"])
    audit(actor=acting, action="entry.change-own", scope=acting.scope, subject=entry)
    bump(competition.scope, event.scope)
    return entry


@transaction.atomic
def withdraw_own(*, acting: Acting, entry: Entry) -> tuple[Entry, ...]:
    """Leaves by one's own link before the draw; returns who got a place (C1.2).

    Raises `NotAllowed`, `ListFrozen`, `Conflict` where he has left already.
    """
    competition, event, entry = _own(acting, entry)
    return _leave(acting, competition, event, entry, "entry.withdraw-own")


@transaction.atomic
def confirm_entry(*, acting: Acting, entry: Entry) -> Entry:
    """An organizer confirms who is pending: he gets a place, or stands on the waiting list.

    Likewise who had left before he had a place (C9.5); who had one is reinstated (`reinstate`).
    Raises `NotAllowed`, `ListFrozen`, `PersonErased`, `Conflict` for anybody else.
    """
    competition, event, entry = _organized(acting, entry)
    had_left = entry.status == EntryStatus.WITHDRAWN and not entry.entrants.exists()
    if entry.status != EntryStatus.PENDING and not had_left:
        raise Conflict(_("这份报名已经处理过了，请刷新后再看。"))
    demand_kept(entry.person)
    _place_or_line(competition, event, entry)
    audit(
        actor=acting,
        action="entry.confirm",
        scope=competition.scope,
        subject=entry,
        data={"status": str(entry.status)},
    )
    bump(competition.scope, event.scope)
    return entry


@transaction.atomic
def decline_entry(*, acting: Acting, entry: Entry) -> tuple[Entry, ...]:
    """An organizer takes a pending or waiting entry off the list; returns who got a place.

    Raises `NotAllowed`, `ListFrozen`, `Conflict` where he has a place or has left already.
    """
    competition, event, entry = _organized(acting, entry)
    if entry.status not in (EntryStatus.PENDING, EntryStatus.WAITLISTED):
        raise Conflict(_("这份报名已经处理过了，请刷新后再看。"))
    return _leave(acting, competition, event, entry, "entry.decline")


@transaction.atomic
def note_payment(*, acting: Acting, entry: Entry, paid: bool) -> Entry:
    """Notes that the fee or deposit is paid, or takes that back. Raises `NotAllowed`."""
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    entry = lock(entry)
    if entry.paid != paid:
        entry.paid = paid
        entry.save(update_fields=["paid"])
        audit(
            actor=acting,
            action="entry.paid" if paid else "entry.unpaid",
            scope=acting.scope,
            subject=entry,
        )
    return entry


def open_events(competition: Competition) -> list[Event]:
    """The events that people can register for: nothing of theirs is frozen or drawn. In order;
    one query."""
    drawn = Stage.objects.filter(event__competition=competition).filter(
        Q(rounds__isnull=False) | Q(draws__isnull=False, draws__number__isnull=True)
    )
    events = competition.events.exclude(pk__in=drawn.values("event"))
    return list(events.order_by("position", "pk"))


def may_change_own(entry: Entry) -> bool:
    """Whether its holder may still correct or withdraw it by himself. Four queries at most."""
    if entry.status == EntryStatus.WITHDRAWN:
        return False
    is_open = {event.pk for event in open_events(entry.competition)}
    playing = events_of(entry)
    if playing:
        return is_open.issuperset(playing)
    wanted = set(entry.wants.values_list("pk", flat=True))
    return bool(is_open & wanted if wanted else is_open)


def _demand_open(competition: Competition) -> Registration:
    registration = Registration.objects.filter(competition=competition).first()
    now = timezone.now()
    if registration is None or not registration.is_on or competition.is_over:
        raise RegistrationClosed(_("这场比赛现在不接受网上报名，请联系主办人。"))
    if registration.opens_at is not None and now < registration.opens_at:
        raise RegistrationClosed(_("报名还没有开始，请到时再来。"))
    if not registration.is_open_at(now):
        raise RegistrationClosed(_("报名已经截止。还想参加，请联系主办人。"))
    return registration


def _asked(competition: Competition) -> set[str]:
    registration = Registration.objects.filter(competition=competition).first()
    if registration is None:
        return set()
    return {name for name in ASKED if registration.asks(name) != Ask.NO}


def _wanted(competition: Competition, chosen: Collection[int]) -> list[Event]:
    """The events of these ids, locked, in order; the first with an open list where none is
    chosen. Raises `ListFrozen`, `DomainError` (`no-event`) for an id that is none of the
    competition's."""
    every = list(competition.events.select_for_update(no_key=True).order_by("position", "pk"))
    if not chosen:
        return open_events(competition)[:1] or _demand_one(every)
    found = [event for event in every if event.pk in chosen]
    if len(found) != len(set(chosen)):
        raise DomainError(_("请从列出的项目里选。"), code="no-event")
    for event in found:
        demand_open_list(event, named=len(every) > 1)
    return found


def _demand_one(events: Collection[Event]) -> list[Event]:
    """The first of them whose list is open, alone. Raises `ListFrozen` where none is."""
    refused: ListFrozen | None = None
    for event in events:
        try:
            demand_open_list(event)
        except ListFrozen as error:
            refused = refused or error
        else:
            return [event]
    assert refused is not None
    raise refused


def _cleaned(applicant: Applicant) -> Applicant:
    """One spelling of what looks the same."""
    return Applicant(
        name=clean_name(applicant.name),
        unit=clean(applicant.unit),
        phone=applicant.phone.replace(" ", "").replace("-", ""),
        mail=applicant.mail.strip(),
        birth_year=applicant.birth_year,
        note=applicant.note.strip(),
        events=applicant.events,
    )


def _has_twin(competition: Competition, applicant: Applicant) -> bool:
    same = Q(unit=applicant.unit)
    if applicant.phone:
        same |= Q(person__phone=applicant.phone)
    return present(competition).filter(same, person__name=applicant.name).exists()


def _enter(competition: Competition, applicant: Applicant) -> Entry:
    highest = competition.entries.aggregate(highest=Max("number"))["highest"] or 0
    person = Person.objects.create(
        name=applicant.name,
        reading=reading_of(applicant.name),
        phone=applicant.phone,
        mail=applicant.mail,
        birth_year=applicant.birth_year,
        note=applicant.note,
    )
    return Entry.objects.create(
        competition=competition,
        person=person,
        number=highest + 1,
        unit=applicant.unit,
        status=EntryStatus.PENDING,
    )


def _place_or_line(competition: Competition, event: Event, entry: Entry) -> Entrant | None:
    """A place where there is one (then his entrant), else the end of the waiting list."""
    if free_places(competition) != 0:
        return give_place(entry, event)
    entry.status = EntryStatus.WAITLISTED
    entry.save(update_fields=["status"])
    return None


def _own(acting: Acting, entry: Entry) -> tuple[Competition, Event, Entry]:
    """Competition, event and entry, locked, where the actor may change his own entry: the lists
    of all his events are open."""
    if not is_his(acting, entry.pk):
        raise NotAllowed(_("请用报名时得到的链接打开。"), state=None, who=frozenset({Role.ENTRANT}))
    competition, event, entry = _locked(entry)
    if entry.status == EntryStatus.WITHDRAWN:
        raise Conflict(_("这份报名已经退出了；想再参加，请重新报名。"))
    return competition, event, entry


def _organized(acting: Acting, entry: Entry) -> tuple[Competition, Event, Entry]:
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    return _locked(entry)


def _locked(entry: Entry) -> tuple[Competition, Event, Entry]:
    """Every event that he plays in has an open list; of those that somebody without a place wants
    one at least has: it is the event returned, and a drawn one is passed over (`give_place`)."""
    competition = lock(entry.competition)
    every = list(competition.events.select_for_update(no_key=True).order_by("position", "pk"))
    playing = set(events_of(entry))
    if playing:
        events = [one for one in every if one.pk in playing]
        for event in events:
            demand_open_list(event)
    else:
        wanted = set(entry.wants.values_list("pk", flat=True))
        events = _demand_one([one for one in every if one.pk in wanted] or every)
    return competition, events[0], lock(entry)


def _leave(
    acting: Acting, competition: Competition, event: Event, entry: Entry, action: str
) -> tuple[Entry, ...]:
    if Entrant.objects.filter(Q(partner=entry) | Q(entry=entry, partner__isnull=False)).exists():
        raise Conflict(_("您和别人配成了一对，请先请组织者拆开。"), code="has-partner")
    entry.status = EntryStatus.WITHDRAWN
    entry.save(update_fields=["status"])
    Entrant.objects.filter(entry=entry, status=EntrantStatus.IN).update(
        status=EntrantStatus.WITHDRAWN, seed=None
    )
    moved = fill_places(competition, event)
    audit(
        actor=acting,
        action=action,
        scope=competition.scope,
        subject=entry,
        data={"moved_up": [one.pk for one in moved]},
    )
    bump(competition.scope, event.scope)
    return moved
