"""Somebody else takes over an entrant's place (C7.3, replace), and the undo of it."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict
from tournament.acting import Acting
from tournament.domain.event_limit import scopes_of
from tournament.domain.leaving import current_seat, met_seat
from tournament.domain.pasting import clean_name
from tournament.domain.private import demand_kept
from tournament.domain.readings import reading_of
from tournament.enums import EntrantStatus, State
from tournament.models import DeviceLink, Entrant, Entry, Event, Person
from tournament.permissions import Action, Met, require


@transaction.atomic
def replace_person(
    *, acting: Acting, entrant: Entrant, name: str, is_partner: bool = False
) -> Entrant:
    """A new person called `name` holds the entry from now on, of a pair the second member's where
    `is_partner`: number, unit, seed, seat and all results stay the entry's, in every event that it
    plays in; the former person's links stop working.

    Raises what `require` does, `Conflict` where the entrant is not in, has no partner, or the
    entry has been handed on.
    """
    entrant, entry = _held(acting, entrant, is_partner)
    if entrant.status != EntrantStatus.IN:
        raise Conflict(_("这名选手已经不在赛，请刷新后再看。"))
    if entry.person_before_id is not None:
        raise Conflict(_("这个参赛名额已经换过一次人，要再换请先撤销。"))
    name = clean_name(name)
    entry.person_before_id = entry.person_id
    entry.person = Person.objects.create(name=name, reading=reading_of(name))
    return _write(acting, entrant, entry, "entry.replace")


@transaction.atomic
def take_back_replacement(*, acting: Acting, entrant: Entrant, is_partner: bool = False) -> Entrant:
    """The former person holds the entry again, while no hand is in at his table (C9.5).

    Raises what `require` does, `Conflict`, `PersonErased` where nothing is left of him.
    """
    entrant, entry = _held(acting, entrant, is_partner)
    former = entry.person_before
    if former is None:
        raise Conflict(_("这个参赛名额没有换过人，请刷新后再看。"))
    demand_kept(former)
    seat = current_seat(entrant)
    if seat is not None and _met(entrant).has_hands:
        raise Conflict(_("接替的人已经开打，不能再换回。"), code="played-on")
    new = entry.person_id
    entry.person, entry.person_before = former, None
    entrant = _write(acting, entrant, entry, "entry.replace-undo")
    if not Entry.objects.filter(person_id=new).exists():
        Person.objects.filter(pk=new).delete()
    return entrant


def _held(acting: Acting, entrant: Entrant, is_partner: bool) -> tuple[Entrant, Entry]:
    lock(Event.objects.get(pk=entrant.event_id))
    entrant = lock(entrant)
    require(acting, Action.REPLACE, _met(entrant))
    if not is_partner:
        return entrant, lock(entrant.entry)
    if entrant.partner is None:
        raise Conflict(_("他没有搭档，请刷新后再看。"))
    return entrant, lock(entrant.partner)


def _met(entrant: Entrant) -> Met:
    """What a replacement meets: before the draw the planned state."""
    if not entrant.event.stages.filter(rounds__isnull=False).exists():
        return Met(state=State.PLANNED)
    return met_seat(entrant, current_seat(entrant))


def _write(acting: Acting, entrant: Entrant, entry: Entry, action: str) -> Entrant:
    entry.save(update_fields=["person", "person_before"])
    DeviceLink.objects.filter(entry=entry, revoked_at=None).update(revoked_at=timezone.now())
    audit(actor=acting, action=action, scope=acting.scope, subject=entry)
    bump(*scopes_of(entry))
    return entrant
