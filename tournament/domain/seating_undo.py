"""A swap or a late entry is taken back while nothing depends on it (C9.5)."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict
from core.models import AuditRow
from tournament.acting import Acting
from tournament.domain.seating import LATE_ENTRY, SWAP, exchange, met_table
from tournament.enums import BEFORE_PLAY, EntrantStatus
from tournament.models import Competition, Entrant, Entry, Event, Person, Seat, Table
from tournament.permissions import Action, require

SWAP_UNDO, LATE_ENTRY_UNDO = "seat.swap-undo", "seat.late-entry-undo"


class ChangedSince(Conflict):
    """Something was built on what should be taken back."""

    code = "changed-since"


@transaction.atomic
def take_back_swap(*, acting: Acting, event: Event, change: AuditRow) -> tuple[Seat, Seat]:
    """The two entrants of a swap (`change` is its row) sit as before it.

    Raises what `require` does, `ChangedSince` where it was taken back, one of them sits elsewhere
    by now or another draw was made.
    """
    event = lock(event)
    _demand_once(change, SWAP, SWAP_UNDO)
    pks = swapped(change)
    seats = (
        Seat.objects.filter(round__stage__event=event)
        .select_for_update(of=("self",))
        .select_related("table__round")
        .in_bulk(pks)
    )
    found = [seats[pk] for pk in pks if pk in seats]
    for seat in found:
        require(acting, Action.SWAP, met_table(seat.table))
    if not swap_stands(change, found):
        raise ChangedSince(_("对换以后座位又有变动，不能撤销；需要时请再对换一次。"))
    first, second = found
    exchange(first, second)
    audit(
        actor=acting,
        action=SWAP_UNDO,
        scope=acting.scope,
        subject=first,
        data={"undoes": change.pk, "with": second.pk},
    )
    bump(event.scope)
    return first, second


@transaction.atomic
def take_back_late_entry(*, acting: Acting, event: Event, change: AuditRow) -> Seat:
    """Who came late (`change` is the row of it) is not entered after all: the filler sits there
    again, or who had the bye has it again and the table made for them is gone.

    Raises what `require` does, `ChangedSince` where it was taken back, somebody sits elsewhere by
    now, the entry was handed on, or a later table was made.
    """
    competition = lock(Competition.objects.get(pk=event.competition_id))
    event = lock(event)
    _demand_once(change, LATE_ENTRY, LATE_ENTRY_UNDO)
    seat = Seat.objects.filter(pk=_pk(change.subject)).select_related("table__round").first()
    entrant = Entrant.objects.filter(pk=change.data["entrant"], event=event).first()
    if seat is None or entrant is None:
        raise ChangedSince(_("补入以后又重新抽过签，不能撤销。"))
    seat = lock(seat)
    require(acting, Action.LATE_ENTRY, met_table(seat.table))
    if entrant.status != EntrantStatus.IN or entrant.entry.person_before_id is not None:
        raise ChangedSince(_("补入的人后来换过人或已离开，请先撤销那一步。"))
    if change.data["source"] is None:
        _demand_seat(seat, entrant.pk)
        seat.entrant, seat.is_filler = None, True
        seat.stands_for_id = change.data.get("stands_for")
        seat.save(update_fields=["entrant", "is_filler", "stands_for"])
        _give_later_back(seat, entrant)
    else:
        _give_bye_back(acting, seat, change.data["source"], entrant)
    number = entrant.number
    _remove(entrant)
    audit(
        actor=acting,
        action=LATE_ENTRY_UNDO,
        scope=acting.scope,
        subject=seat,
        data={"undoes": change.pk, "number": number},
    )
    bump(competition.scope, event.scope)
    return seat


def swapped(change: AuditRow) -> tuple[int, int]:
    """The keys of the two seats of a swap's row."""
    return _pk(change.subject), int(change.data["with"])


def swap_stands(change: AuditRow, seats: Sequence[Seat]) -> bool:
    """Whether the two seats hold whom the swap put there, neither having left since."""
    was_first, was_second = change.data["entrants"]
    return (
        [seat.entrant_id for seat in seats] == [was_second, was_first]
        and all(seat.source_id is None for seat in seats)
        and not any(seat.forfeits or seat.stands_for_id for seat in seats)
    )


def _demand_once(change: AuditRow, action: str, undo: str) -> None:
    if change.action != action:
        raise ChangedSince(_("这一步不能在这里撤销，请刷新后再看。"))
    undone = AuditRow.objects.filter(scope=change.scope, action=undo, data__undoes=change.pk)
    if undone.exists():
        raise ChangedSince(_("这次改动已经撤销。"))


def _demand_seat(seat: Seat, entrant: int) -> None:
    if seat.entrant_id != entrant or seat.forfeits:
        raise ChangedSince(_("补入以后座位又有变动，请先撤销后来的改动。"))


def _give_later_back(seat: Seat, late: Entrant) -> None:
    """The fillers sit in a preliminary's later rounds again."""
    later = Seat.objects.filter(round__stage=seat.table.round.stage_id, entrant=late)
    if later.filter(forfeits=True).exists() or later.exclude(table__state__in=BEFORE_PLAY).exists():
        raise ChangedSince(_("补入以后座位又有变动，请先撤销后来的改动。"))
    later.update(entrant=None, is_filler=True)


def _give_bye_back(acting: Acting, seat: Seat, source: int, late: Entrant) -> None:
    """The extra table goes, who played there for the bye has it again."""
    table = Table.objects.select_related("round").filter(pk=source).first()
    if table is None or seat.source_id != source:
        raise ChangedSince(_("补入以后又重新抽过签，不能撤销。"))
    require(acting, Action.LATE_ENTRY, met_table(table))
    if Table.objects.filter(round=table.round_id, number__gt=table.number).exists():
        raise ChangedSince(_("后来又加了一桌，请先撤销后加的那一桌。"))
    holder, second = table.seats.order_by("position")[:2]
    _demand_seat(second, late.pk)
    if holder.entrant_id is None or holder.forfeits:
        raise ChangedSince(_("补入以后座位又有变动，请先撤销后来的改动。"))
    seat.entrant_id, seat.source, seat.source_place = holder.entrant_id, None, None
    seat.save(update_fields=["entrant", "source", "source_place"])
    for third in Table.objects.filter(is_third=True, seats__source=table).distinct():
        third.seats.all().delete()
        third.delete()
    table.delete()


def _remove(entrant: Entrant) -> None:
    """The entrant, and entry and person where nothing else is theirs."""
    entry, person = entrant.entry_id, entrant.entry.person_id
    entrant.delete()
    if Entrant.objects.filter(entry=entry).exists():
        return
    Entry.objects.filter(pk=entry).delete()
    if not Entry.objects.filter(person=person).exists():
        Person.objects.filter(pk=person).delete()


def _pk(subject: str) -> int:
    return int(subject.partition(":")[2])
