"""The waiting list (C1.2): who has a place, who moves up when one is free, and is told so."""

from __future__ import annotations

from django.conf import settings
from django.db.models import Count, Q
from django.utils import timezone

from core.domain.jobs import enqueue
from tournament.enums import EntryStatus
from tournament.models import Competition, DeviceLink, Entrant, Entry, Event


def free_places(competition: Competition) -> int | None:
    """Places left, None where there is no limit."""
    if competition.capacity is None:
        return None
    taken = competition.entries.filter(status=EntryStatus.CONFIRMED).count()
    return max(0, competition.capacity - taken)


def give_place(entry: Entry, event: Event) -> Entrant:
    """The entry is confirmed and in the events it wants, in `event` where it has named none; the
    links it has hold for the first entrant too.

    An event that is drawn by now is passed over where another is left. The caller has locked the
    competition and knows that there is a place.
    """
    entry.status = EntryStatus.CONFIRMED
    entry.save(update_fields=["status"])
    wanted = list(entry.wants.order_by("position", "pk"))
    free = [one for one in wanted if not _is_drawn(one)] or [event]
    made = [Entrant.objects.get_or_create(event=one, entry=entry)[0] for one in free]
    entrant = made[0]
    DeviceLink.objects.filter(entry=entry, entrant=None).update(entrant=entrant)
    return entrant


def _is_drawn(event: Event) -> bool:
    """Whether its list is frozen or drawn. Two queries."""
    frozen = event.stages.filter(draws__isnull=False, draws__number__isnull=True)
    return frozen.exists() or event.stages.filter(rounds__isnull=False).exists()


def fill_places(competition: Competition, event: Event) -> tuple[Entry, ...]:
    """Everybody on the waiting list for whom there is a place gets it, the first first.

    Each sees it on his own page, and by mail where mail is set and he gave an address. The
    caller has locked the competition, and the list is open (before the draw).
    """
    waiting = competition.entries.filter(status=EntryStatus.WAITLISTED).order_by("id")
    moved = tuple(waiting.select_related("person")[: free_places(competition)])
    for entry in moved:
        entry.moved_up_at = timezone.now()
        entry.save(update_fields=["moved_up_at"])
        give_place(entry, event)
        if entry.person.mail and settings.MAIL_IS_SET:
            enqueue(kind="mail-moved-up", payload={"entry": entry.pk}, scope=competition.scope)
    return moved


def place_in_line(entry: Entry) -> int:
    """His place on the waiting list, 1 the first; 0 where he is not on it. One query."""
    found = Entry.objects.filter(
        competition=entry.competition_id, status=EntryStatus.WAITLISTED, pk__lte=entry.pk
    ).aggregate(before=Count("pk"), own=Count("pk", filter=Q(pk=entry.pk)))
    return int(found["before"]) if found["own"] else 0
