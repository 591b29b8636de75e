"""In how many events of a competition somebody plays, and may play (C10)."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from core.errors import Conflict
from tournament.enums import EntrantStatus
from tournament.models import Competition, Entrant, Entry


class EventsLimit(Conflict):
    """Somebody would play in more events than the competition allows."""

    code = "events-limit"


def playing(competition: Competition) -> QuerySet[Entrant]:
    """The entrants of all events who have not left."""
    return Entrant.objects.filter(event__competition=competition).exclude(
        status=EntrantStatus.WITHDRAWN
    )


def scopes_of(entry: Entry) -> list[str]:
    """The scopes of the competition and of every event that the entry plays in, as entrant or
    partner. One query."""
    found = playing(entry.competition).filter(Q(entry=entry) | Q(partner=entry))
    events = {one.event.scope for one in found.select_related("event")}
    return [entry.competition.scope, *sorted(events)]


def counts_of(competition: Competition) -> dict[int, int]:
    """Entry → in how many events it plays. One query."""
    found: dict[int, int] = {}
    for row in playing(competition).values_list("entry_id", "partner_id"):
        for pk in filter(None, row):
            found[pk] = found.get(pk, 0) + 1
    return found


def check_limit(competition: Competition, entry: Entry, count: int) -> None:
    """Raises `EventsLimit` where `count` events are more than one may play in."""
    limit = competition.events_limit
    if limit is not None and count > limit:
        raise EventsLimit(
            _("每人最多报 %(limit)d 项，%(name)s选了 %(n)d 项。")
            % {"limit": limit, "name": entry.name, "n": count}
        )
