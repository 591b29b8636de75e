"""The events of a competition as an imported list may name them (C10): offered, entered, paired,
and taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.errors import Conflict
from tournament.domain.entries import BATCH, demand_open_list
from tournament.domain.event_limit import playing
from tournament.enums import EntrantStatus, EntryStatus
from tournament.models import Competition, DeviceLink, Entrant, Entry, Event, Stage
from tournament.sheets.entering import Offer, Offered
from tournament.sheets.judged import Judged

Known = tuple[dict[int, tuple[str, ...]], dict[int, tuple[tuple[str, int, str], ...]]]


@dataclass
class Done:
    """What an import did with an entry besides its own values, to be taken back: `entered` are
    events with whether he had left them before, `wants` what he wished for while he waits (None:
    as it was), `pairs` the event, the partner, and the seed that the partner had alone."""

    entered: list[tuple[int, bool]] = field(default_factory=list)
    wants: list[int] | None = None
    pairs: list[tuple[int, int, int | None]] = field(default_factory=list)


def offer_of(competition: Competition, event: Event) -> Offer:
    """What a list for `event` may name. Two queries."""
    closed = set(
        Stage.objects.filter(event__competition=competition)
        .filter(Q(rounds__isnull=False) | Q(draws__isnull=False, draws__number__isnull=True))
        .values_list("event_id", flat=True)
    )
    events = competition.events.order_by("position", "pk")
    offered = tuple(Offered(one.name, one.pk not in closed, one.is_pairs) for one in events)
    usual = next((one.name for one in events if one.pk == event.pk), event.name)
    return Offer(offered, usual, competition.events_limit)


def known_events(competition: Competition, offer: Offer) -> Known:
    """By entry: the names of the events it plays in or waits for a place in, and its pairs. Two
    queries."""
    found: dict[int, list[str]] = {}
    pairs: dict[int, list[tuple[str, int, str]]] = {}
    rows = playing(competition).values_list(
        "event__name", "entry_id", "partner_id", "entry__person__name", "partner__person__name"
    )
    for event, entry, partner, name, other in rows.order_by("event__position", "event_id", "pk"):
        found.setdefault(entry, []).append(event)
        if partner is not None:
            found.setdefault(partner, []).append(event)
            pairs.setdefault(entry, []).append((event, partner, other))
            pairs.setdefault(partner, []).append((event, entry, name))
    waiting = Entry.objects.filter(competition=competition).exclude(
        status__in=(EntryStatus.CONFIRMED, EntryStatus.WITHDRAWN)
    )
    for entry, event in waiting.order_by("wants__position", "pk").values_list("pk", "wants__name"):
        found.setdefault(entry, []).append(event or offer.events[0].name)
    return (
        {entry: tuple(events) for entry, events in found.items()},
        {entry: tuple(mates) for entry, mates in pairs.items()},
    )


def write_events(
    competition: Competition, event: Event, written: Sequence[tuple[Entry, Judged]]
) -> dict[int, Done]:
    """Everybody comes into the events that his row names, then pairs are made; by entry what was
    done. `event` is the one that seeds are of. The caller holds the competition. Raises
    `ListFrozen`."""
    events = list(competition.events.select_for_update(no_key=True).order_by("position", "pk"))
    done = {entry.pk: Done() for entry, _judged in written}
    for one in events:
        coming = [(entry, judged) for entry, judged in written if one.name in judged.new_events]
        if coming:
            demand_open_list(one, named=len(events) > 1)
            placed = [pair for pair in coming if pair[0].status == EntryStatus.CONFIRMED]
            _enter(one, placed, done, with_seeds=one.pk == event.pk)
    if len(events) > 1:
        _wish(events, written, done)
    for one in events:
        if one.is_pairs:
            _pair(one, written, done)
    return done


def _enter(
    event: Event, coming: Sequence[tuple[Entry, Judged]], done: dict[int, Done], *, with_seeds: bool
) -> None:
    """Rows for all of them at once; who had left comes back."""
    rows = {one.entry_id: one for one in Entrant.objects.filter(event=event)}
    new, back = [], []
    for entry, judged in coming:
        seed = judged.row.seed if with_seeds else None
        row = rows.get(entry.pk)
        done[entry.pk].entered.append((event.pk, row is not None))
        if row is None:
            new.append(Entrant(event=event, entry=entry, seed=seed))
        else:
            row.status, row.seed = EntrantStatus.IN, seed or row.seed
            back.append(row)
    Entrant.objects.bulk_create(new, batch_size=BATCH)
    Entrant.objects.bulk_update(back, ["status", "seed"], batch_size=BATCH)


def _wish(
    events: Sequence[Event], written: Sequence[tuple[Entry, Judged]], done: dict[int, Done]
) -> None:
    """Who waits for a place is noted for them."""
    waiting = [pair for pair in written if pair[0].status != EntryStatus.CONFIRMED]
    wished: dict[int, list[int]] = {entry.pk: [] for entry, _judged in waiting}
    link = Entry.wants.through
    for entry_pk, event_pk in link.objects.filter(entry__in=wished).values_list("entry", "event"):
        wished[entry_pk].append(event_pk)
    by_name = {one.name: one.pk for one in events}
    rows = []
    for entry, judged in waiting:
        playing = judged.target.playing if judged.target else ()
        names = {*playing, *judged.new_events}
        new = sorted({by_name[name] for name in names if name in by_name} - {*wished[entry.pk]})
        if judged.new_events and new:
            done[entry.pk].wants = wished[entry.pk]
            rows += [link(entry_id=entry.pk, event_id=pk) for pk in new]
    link.objects.bulk_create(rows, batch_size=BATCH)


def _pair(event: Event, written: Sequence[tuple[Entry, Judged]], done: dict[int, Done]) -> None:
    """Pairs who both are in the event and have no partner there."""
    by_line = {judged.row.line: entry.pk for entry, judged in written}
    rows = {
        one.entry_id: one
        for one in Entrant.objects.filter(event=event).exclude(status=EntrantStatus.WITHDRAWN)
    }
    pairs, dropped = [], []
    for entry, judged in written:
        if judged.mate is None:
            continue
        partner = judged.mate.entry or by_line.get(judged.mate.line or 0) or 0
        one, other = rows.get(entry.pk), rows.get(partner)
        if one is None or other is None or one.partner_id or other.partner_id:
            continue
        one.partner_id = partner
        pairs.append(one)
        dropped.append(other.pk)
        done[entry.pk].pairs.append((event.pk, partner, other.seed))
        del rows[partner]
    if pairs:
        demand_open_list(event, named=True)
    DeviceLink.objects.filter(entrant__in=dropped, entry__isnull=False).update(entrant=None)
    Entrant.objects.filter(pk__in=dropped).delete()
    Entrant.objects.bulk_update(pairs, ["partner"], batch_size=BATCH)


def take_back_events(competition: Competition, done: Mapping[int, Done]) -> None:
    """Parts the pairs that came about and takes everybody out of the events he came into. Raises
    `ListFrozen`, `Conflict` where a pair is another by now."""
    touched = {event for one in done.values() for event, _was in one.entered}
    pairs = [(entry, *pair) for entry, one in done.items() for pair in one.pairs]
    touched |= {event for _entry, event, _partner, _seed in pairs}
    for event in (
        competition.events.filter(pk__in=touched).select_for_update(no_key=True).order_by("pk")
    ):
        demand_open_list(event, named=True)
    rows = {(row.event_id, row.entry_id): row for row in Entrant.objects.filter(event__in=touched)}
    parted, alone = [], []
    for entry, event_pk, partner, seed in pairs:
        row = rows.get((event_pk, entry))
        if row is None or row.partner_id != partner:
            raise Conflict(_("导入时配成的一对后来改过，不能整批撤销。"))
        row.partner_id = None
        parted.append(row)
        alone.append(Entrant(event_id=event_pk, entry_id=partner, seed=seed))
    Entrant.objects.bulk_update(parted, ["partner"], batch_size=BATCH)
    Entrant.objects.bulk_create(alone, batch_size=BATCH)
    rows |= {(row.event_id, row.entry_id): row for row in alone}
    gone: list[int] = []
    left: list[int] = []
    for entry, one in done.items():
        for event_pk, had_left in one.entered:
            row = rows.get((event_pk, entry))
            if row is not None:
                (left if had_left else gone).append(row.pk)
    DeviceLink.objects.filter(entrant__in=gone, entry__isnull=False).update(entrant=None)
    Entrant.objects.filter(pk__in=gone).delete()
    Entrant.objects.filter(pk__in=left).update(status=EntrantStatus.WITHDRAWN, seed=None)
    link = Entry.wants.through
    wished = {entry: one.wants for entry, one in done.items() if one.wants is not None}
    link.objects.filter(entry__in=wished).delete()
    link.objects.bulk_create(
        [link(entry_id=entry, event_id=pk) for entry, pks in wished.items() for pk in pks],
        batch_size=BATCH,
    )
