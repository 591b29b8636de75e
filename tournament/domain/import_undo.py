"""What an import has written and what was there before, so that it can be taken back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import Count
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from core.errors import Conflict
from tournament.domain.entries import BATCH
from tournament.domain.import_events import Done, take_back_events
from tournament.domain.waiting import fill_places
from tournament.enums import EntryStatus
from tournament.models import Competition, Entrant, Entry, Event, Person

Before = dict[str, Any]
"""The values of an entry that an import may change."""

MOST_NAMED = 5
PERSON = ("name", "reading", "phone", "birth_year", "note")
ENTRY = ("unit", "number")


@dataclass(frozen=True)
class Trace:
    """An entry with its entrant in the event, as they are in the database."""

    entry: Entry
    entrant: Entrant | None
    before: Before
    digest: str


def traces_of(pks: Iterable[int], event: Event) -> dict[int, Trace]:
    """By entry: its values and a digest of them and of all that hangs on it (check-in, payment,
    links, groups, other events). Two queries for 500 entries."""
    pks = list(pks)
    traces = {}
    for first in range(0, len(pks), BATCH):
        some = pks[first : first + BATCH]
        entrants: dict[int, list[Entrant]] = {}
        for entrant in Entrant.objects.filter(entry__in=some).annotate(opened=Count("links")):
            entrants.setdefault(entrant.entry_id, []).append(entrant)
        entries = (
            Entry.objects.filter(pk__in=some)
            .select_related("person")
            .annotate(
                groups=Count("apart_groups", distinct=True),
                elsewhere=Count("person__entries", distinct=True),
                opened=Count("links", distinct=True),
            )
        )
        for entry in entries:
            traces[entry.pk] = _trace(entry, entrants.get(entry.pk, []), event)
    return traces


def written(
    event: Event,
    before: Mapping[int, Before],
    created: Sequence[Entry],
    done: Mapping[int, Done],
) -> list[dict[str, Any]]:
    """What the batch keeps: each entry's digest as it is now, its earlier values where it was
    there already, and what was done with it in events."""
    traces = traces_of([*before, *(entry.pk for entry in created)], event)
    return [
        {"entry": pk, "digest": trace.digest, "before": before.get(pk), **asdict(done[pk])}
        for pk, trace in traces.items()
    ]


def restored(
    competition: Competition, event: Event, kept: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Puts all of it back; returns how many were removed, restored and moved up, and who moved up.

    Raises `Conflict` naming entries that were touched since, or whose number or seed is another's
    by now.
    """
    traces = traces_of([one["entry"] for one in kept], event)
    touched = [
        one["entry"]
        for one in kept
        if one["entry"] not in traces or traces[one["entry"]].digest != one["digest"]
    ]
    if touched:
        raise Conflict(_("导入之后又有改动，不能整批撤销：%(who)s。") % {"who": _names(touched)})
    back = [(traces[one["entry"]], one["before"]) for one in kept if one["before"] is not None]
    gone = [traces[one["entry"]] for one in kept if one["before"] is None]
    take_back_events(competition, {one["entry"]: _done(one) for one in kept})
    _remove(gone)
    _put_back(competition, event, back)
    freed = any(trace.entry.status == EntryStatus.CONFIRMED for trace in gone)
    moved = fill_places(competition, event) if freed else ()
    counts = {"removed": len(gone), "restored": len(back), "moved_up": len(moved)}
    return {**counts, **({"entries": [one.pk for one in moved]} if moved else {})}


def _done(kept: Mapping[str, Any]) -> Done:
    return Done(
        [(event, had_left) for event, had_left in kept.get("entered", [])],
        kept.get("wants"),
        [(event, partner, seed) for event, partner, seed in kept.get("pairs", [])],
    )


def _trace(entry: Entry, entrants: Sequence[Entrant], event: Event) -> Trace:
    here = next((one for one in entrants if one.event_id == event.pk), None)
    before = {name: getattr(entry.person, name) for name in PERSON}
    before |= {name: getattr(entry, name) for name in ENTRY}
    before["seed"] = here.seed if here else None
    counted: Any = entry
    state = [
        before,
        entry.status,
        str(entry.checked_in_at),
        entry.paid,
        entry.person.user_id,
        counted.groups,
        counted.elsewhere,
        counted.opened,
        sorted(
            (one.event_id, one.status, one.seed or 0, _opened(one), one.partner_id or 0)
            for one in entrants
        ),
    ]
    text = json.dumps(state, sort_keys=True)
    digest = salted_hmac("tournament.import", text, algorithm="sha256").hexdigest()
    return Trace(entry, here, before, digest)


def _opened(entrant: Any) -> int:
    """How many links of his were given out (annotated)."""
    count: int = entrant.opened
    return count


def _remove(gone: Sequence[Trace]) -> None:
    for first in range(0, len(gone), BATCH):
        some = [trace.entry for trace in gone[first : first + BATCH]]
        Entrant.objects.filter(entry__in=some).delete()
        Entry.objects.filter(pk__in=[entry.pk for entry in some]).delete()
        Person.objects.filter(pk__in=[entry.person_id for entry in some]).delete()


def _put_back(competition: Competition, event: Event, back: Sequence[tuple[Trace, Before]]) -> None:
    ours = [trace.entry.pk for trace, _before in back]
    for trace, before in back:
        for name in PERSON:
            setattr(trace.entry.person, name, before[name])
        for name in ENTRY:
            setattr(trace.entry, name, before[name])
        if trace.entrant is not None:
            trace.entrant.seed = before["seed"]
    numbers = {before["number"] for _trace, before in back} - {None}
    seeds = {before["seed"] for _trace, before in back} - {None}
    taken = [
        *competition.entries.filter(number__in=numbers).exclude(pk__in=ours).values_list("pk"),
        *Entrant.objects.filter(event=event, seed__in=seeds)
        .exclude(entry__in=ours)
        .values_list("entry"),
    ]
    if taken:
        raise Conflict(
            _("原来的编号或种子现在是别人的，不能撤销：%(who)s。")
            % {"who": _names([pk for (pk,) in taken])}
        )
    save_people(
        [trace.entry for trace, _before in back],
        [trace.entry.person for trace, _before in back],
        [trace.entrant for trace, _before in back if trace.entrant],
    )


def save_people(
    entries: Sequence[Entry], persons: Sequence[Person], entrants: Sequence[Entrant]
) -> None:
    """Writes what an import may change, whoever had the numbers and seeds before."""
    Entry.objects.filter(pk__in=[entry.pk for entry in entries]).update(number=None)
    Entrant.objects.filter(pk__in=[entrant.pk for entrant in entrants]).update(seed=None)
    Person.objects.bulk_update(persons, PERSON, batch_size=BATCH)
    Entry.objects.bulk_update(entries, ENTRY, batch_size=BATCH)
    Entrant.objects.bulk_update(entrants, ["seed"], batch_size=BATCH)


def _names(pks: Sequence[int]) -> str:
    """A few of them by name; how many more."""
    found = Entry.objects.filter(pk__in=pks[:BATCH]).select_related("person")[:MOST_NAMED]
    text = _("、").join(str(entry.name) for entry in found)
    more = len(pks) - len(found)
    return text + str(_("等 %(n)d 名") % {"n": len(pks)}) if more else text
