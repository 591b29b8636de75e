"""What a sheet's page asks every few seconds: whether something changed, and who else is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import FilteredRelation, Q

from core.domain import versions
from scoring.domain.editing import FRESH, SEEN_EVERY
from scoring.models import Editing
from tournament.acting import Acting
from tournament.models import Competition, Table
from tournament.permissions import visible_states


@dataclass(frozen=True)
class Watch:
    """A table as its sheet's page sees it: the version of what it shows, the others who enter
    there by id (`others`), whether he himself was noted a moment ago."""

    version: str
    others: Sequence[int]
    is_noted: bool


def version_of(scope: str, others: Sequence[int] = ()) -> str:
    """The version of a sheet's page with these others at it: `12` or `12-7-9`."""
    (number,) = versions.current([scope])
    return "-".join(str(one) for one in (number, *others))


def watch(
    competition: Competition, pk: int, acting: Acting, device: str, now: datetime
) -> Watch | None:
    """What is to be known of a table that he may see, None where he may not. Two queries."""
    found = list(
        Table.objects.annotate(
            here=FilteredRelation("editings", condition=Q(editings__seen_at__gt=now - FRESH))
        )
        .filter(
            pk=pk,
            round__stage__event__competition=competition,
            state__in=visible_states(acting),
            round__state__in=visible_states(acting),
        )
        .order_by("here__pk")
        .values_list("here__pk", "here__actor", "here__device", "here__seen_at")
    )
    if not found:
        return None
    others, is_noted = [], False
    for editing, actor, named, seen_at in found:
        if (actor, named) == (acting.key, device):
            is_noted = seen_at > now - SEEN_EVERY
        elif editing is not None:
            others.append(editing)
    return Watch(version_of(Table.scope_of(pk), others), others, is_noted)


def editings(pks: Sequence[int]) -> list[Editing]:
    """These, with who they are. One query, none for none."""
    if not pks:
        return []
    return list(Editing.objects.filter(pk__in=pks).select_related("author", "link"))
