"""Who of a competition plays in which of its events, alone or with a partner (C1.1, C10).

A person is in an event once, as entrant or as partner. As rows alone cannot say that, whoever
changes it holds the competition.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import cast

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict, DomainError
from tournament.acting import Acting
from tournament.domain.entries import demand_open_list, open_list
from tournament.domain.event_limit import check_limit, playing
from tournament.enums import EntrantStatus, EntryStatus, Role
from tournament.models import Competition, DeviceLink, Entrant, Entry, Event
from tournament.permissions import demand, organizes


def events_of(entry: Entry) -> list[int]:
    """The ids of the events that the entry plays in, as entrant or partner. One query."""
    found = playing(entry.competition).filter(Q(entry=entry) | Q(partner=entry))
    return list(found.order_by("event__position", "event_id").values_list("event_id", flat=True))


def other_events(entry: Entry, event: int) -> list[str]:
    """The names of the events that the entry plays in besides `event`. One query."""
    found = playing(entry.competition).filter(Q(entry=entry) | Q(partner=entry))
    found = found.exclude(event=event).order_by("event__position", "event_id")
    return list(found.values_list("event__name", flat=True))


@transaction.atomic
def set_events(*, acting: Acting, entry: Entry, events: Collection[Event]) -> Entry:
    """The entry plays in these events and in no other: he comes to those that are new and leaves
    those that are not named. Who waits for a place or a word is noted for them.

    Events whose list is frozen or drawn must stay as they are. Raises `NotAllowed`, `ListFrozen`,
    `EventsLimit`, `DomainError` (`no-event`), `Conflict` (`has-partner`) where he would leave a
    pair, which has to be parted first.
    """
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    competition = lock(entry.competition)
    entry = lock(entry)
    if entry.status == EntryStatus.WITHDRAWN:
        raise Conflict(_("这份报名已经退出了。"))
    choose(competition, entry, events)
    audit(
        actor=acting,
        action="entry.events",
        scope=competition.scope,
        subject=entry,
        data={"events": sorted(event.pk for event in events)},
    )
    bump(competition.scope, *(one.scope for one in competition.events.all()))
    return entry


def choose(competition: Competition, entry: Entry, events: Collection[Event]) -> None:
    """As `set_events`, where the caller holds the competition, has checked rights and audits."""
    wanted = {event.pk for event in events}
    if not wanted:
        raise DomainError(_("请至少选一个项目。"), code="no-event")
    check_limit(competition, entry, len(wanted))
    entry.wants.set(events)
    if entry.status != EntryStatus.CONFIRMED:
        return
    now = set(events_of(entry))
    every = {event.pk: event for event in competition.events.select_for_update().order_by("pk")}
    for pk in sorted(now ^ wanted):
        demand_open_list(every[pk])
    for pk in sorted(now - wanted):
        _leave(entry, every[pk])
    for pk in sorted(wanted - now):
        enter(entry, every[pk])


def enter(entry: Entry, event: Event) -> Entrant:
    """The entrant of a confirmed entry in an event whose list is open; who had left comes back.
    The caller holds the competition."""
    entrant, _made = Entrant.objects.get_or_create(event=event, entry=entry)
    if entrant.status == EntrantStatus.WITHDRAWN:
        entrant.status = EntrantStatus.IN
        entrant.save(update_fields=["status"])
    return entrant


def _leave(entry: Entry, event: Event) -> None:
    entrant = Entrant.objects.filter(Q(entry=entry) | Q(partner=entry), event=event).first()
    if entrant is None:
        return
    if entrant.partner_id is not None:
        raise Conflict(
            _("%(name)s在“%(event)s”里和别人配成一对，请先在“配对”页拆开。")
            % {"name": entry.name, "event": event.name},
            code="has-partner",
        )
    drop(entrant)


def drop(entrant: Entrant) -> None:
    """The row goes before the draw; links stay the entry's, who speaks for every event of his."""
    DeviceLink.objects.filter(entrant=entrant, entry__isnull=False).update(entrant=None)
    entrant.delete()


@transaction.atomic
def pair_up(*, acting: Acting, entrant: Entrant, partner: Entrant) -> Entrant:
    """Two entrants of an event of pairs play together from now on; `partner`'s row goes.

    Raises `NotAllowed`, `ListFrozen`, `DomainError` (`not-pairs`, `pair-self`), `Conflict` where
    one of them has left or has a partner.
    """
    competition = open_list(acting, entrant.event)
    entrant, partner = (_held(one, competition) for one in (entrant, partner))
    event = entrant.event
    if not event.is_pairs:
        raise DomainError(_("这个项目不是两人一组。"), code="not-pairs")
    if entrant.pk == partner.pk or partner.event_id != event.pk:
        raise DomainError(_("请选同一个项目里的另一个人。"), code="pair-self")
    _pair(entrant, partner)
    audit(
        actor=acting,
        action="entrant.pair",
        scope=competition.scope,
        subject=entrant,
        data={"partner": entrant.partner_id},
    )
    bump(competition.scope, event.scope)
    return entrant


@transaction.atomic
def pair_by_unit(*, acting: Acting, event: Event) -> int:
    """Pairs who has no partner yet with the next of the same unit, by number; returns how many
    pairs came about. Raises as `pair_up`."""
    competition = open_list(acting, event)
    if not event.is_pairs:
        raise DomainError(_("这个项目不是两人一组。"), code="not-pairs")
    made = 0
    waiting: dict[str, Entrant] = {}
    for one in lone(event):
        unit = one.entry.unit
        if not unit:
            continue
        if unit in waiting:
            _pair(waiting.pop(unit), one)
            made += 1
        else:
            waiting[unit] = one
    audit(
        actor=acting,
        action="event.pair-units",
        scope=competition.scope,
        subject=event,
        data={"pairs": made},
    )
    bump(competition.scope, event.scope)
    return made


@transaction.atomic
def part_pair(*, acting: Acting, entrant: Entrant) -> tuple[Entrant, Entrant]:
    """Both are single entrants again (C9.5). Raises as `pair_up`."""
    competition = open_list(acting, entrant.event)
    entrant = _held(entrant, competition)
    if entrant.partner_id is None:
        raise Conflict(_("他没有搭档，请刷新后再看。"))
    partner = cast("Entry", entrant.partner)
    entrant.partner = None
    entrant.save(update_fields=["partner"])
    other = Entrant.objects.create(event=entrant.event, entry=partner)
    audit(
        actor=acting,
        action="entrant.part",
        scope=competition.scope,
        subject=entrant,
        data={"partner": partner.pk},
    )
    DeviceLink.objects.filter(entry=partner, entrant=None).update(entrant=other)
    bump(competition.scope, entrant.event.scope)
    return entrant, other


def lone(event: Event) -> list[Entrant]:
    """Who is entered in an event of pairs and has no partner yet, by number. One query."""
    return list(
        Entrant.objects.filter(
            event=event,
            partner=None,
            status=EntrantStatus.IN,
            entry__status=EntryStatus.CONFIRMED,
        )
        .select_related("entry__person", "partner__person", "event__competition")
        .order_by("entry__number", "pk")
    )


def check_pairs(event: Event) -> None:
    """Raises `Conflict` (`lone-players`) where an event of pairs has somebody without partner."""
    if not event.is_pairs:
        return
    alone = lone(event)
    if alone:
        raise Conflict(
            _("还有 %(n)d 人没有搭档：%(names)s。请先配对。")
            % {"n": len(alone), "names": _names(alone)},
            code="lone-players",
        )


def _names(entrants: Iterable[Entrant]) -> str:
    shown = [one.entry.name for one in entrants]
    return str(_("、").join(shown[:5])) + ("…" if len(shown) > 5 else "")


def _held(entrant: Entrant, competition: Competition) -> Entrant:
    held = lock(entrant)
    if held.status != EntrantStatus.IN or held.event.competition_id != competition.pk:
        raise Conflict(_("这名选手已经不在赛，请刷新后再看。"))
    return held


def _pair(entrant: Entrant, partner: Entrant) -> None:
    if entrant.partner_id is not None or partner.partner_id is not None:
        raise Conflict(_("其中一位已经有搭档，请先拆开。"), code="has-partner")
    entry = partner.entry
    drop(partner)
    entrant.partner = entry
    entrant.save(update_fields=["partner"])
