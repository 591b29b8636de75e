"""A person is erased (C1.1): the private data go, number, unit and results stay.

Here are the parts that `scoring.domain.erasing` puts together in one transaction, under the locks
of the competition and its events.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from django.db.models import Q
from django.utils import timezone, translation
from django.utils.translation import gettext

from core.models import IdempotencyKey, Job
from tournament.enums import EntrantStatus, EntryStatus, ImportState
from tournament.erased import Names, names_of
from tournament.models import (
    ApartGroup,
    Competition,
    Consent,
    DeviceLink,
    Draw,
    Entrant,
    Entry,
    ImportBatch,
    Person,
    Stage,
)
from tournament.models.access import Invitation

BATCH = 500
LANGUAGE = "zh-hans"
"""What is written in place of a name in a text is written for good, in the site's own language."""
DELETED = "（已删除）"
NOTED = ("payload", "result", "sentence", "last_error")
PRIVATE = ("name", "reading", "phone", "mail", "birth_year", "note", "user", "erased_at")


def label_of(number: int | None) -> str:
    """What stands in a text in place of a name: 12 号."""
    with translation.override(LANGUAGE):
        return gettext("%(n)s 号") % {"n": number or "–"}


def names_in(competition: Competition, persons: Collection[int]) -> Names:
    """The names, phones and addresses of these people, to be taken out of the competition's texts.

    In place of a name stands the number; where somebody else has the same name nobody can tell
    whom a text means, so that it is only said that something was deleted. Two queries.
    """
    entries = Entry.objects.filter(competition=competition)
    gone: dict[str, str] = {}
    others: set[str] = set()
    for path in ("person", "person_before"):
        columns = [f"{path}__{name}" for name in ("name", "phone", "mail")]
        found = entries.exclude(**{path: None}).values_list(path, "number", *columns)
        for pk, number, name, phone, mail in found:
            if pk not in persons:
                others.add(name)
                continue
            gone |= {name: DELETED if name in gone else label_of(number), phone: "", mail: ""}
    return names_of({**gone, **dict.fromkeys(others & set(gone), DELETED)}, others)


def with_earlier(names: Names, earlier: Iterable[tuple[str, str]]) -> Names:
    """Besides: names that somebody of them had before, each with what stands there instead."""
    more = {name: instead for name, instead in earlier if name not in names.words}
    return names_of({**more, **names.words}, names.others)


def empty_people(competition: Competition, persons: Collection[int]) -> None:
    """Their rows are empty from now on, and say so. Who is in another competition too keeps his
    row there, and here an empty one takes its place."""
    found = list(
        Person.objects.select_for_update(no_key=True)
        .filter(pk__in=persons, erased_at=None)
        .order_by("pk")
    )
    for path in ("person", "person_before"):
        elsewhere = Entry.objects.filter(**{f"{path}__in": persons})
        elsewhere = elsewhere.exclude(competition=competition)
        shared = set(elsewhere.values_list(path, flat=True))
        _part(competition, shared)
        found = [person for person in found if person.pk not in shared]
    for person in found:
        person.name = person.reading = person.phone = person.mail = person.note = ""
        person.birth_year, person.user, person.erased_at = None, None, timezone.now()
    Person.objects.bulk_update(found, PRIVATE, batch_size=BATCH)


def _part(competition: Competition, shared: Collection[int]) -> None:
    """An empty row for each of these people in this competition."""
    for pk in sorted(shared):
        empty = Person.objects.create(erased_at=timezone.now())
        for path in ("person", "person_before"):
            own = Entry.objects.filter(competition=competition, **{path: pk})
            own.update(**{path: empty})


def empty_entries(competition: Competition, persons: Collection[int]) -> list[int]:
    """What else hangs on entries of these people: consents, links, walking, lists they came by.

    Of who never was in a draw the unit goes too. Returns the entries' ids.
    """
    entries = list(
        Entry.objects.select_for_update(no_key=True)
        .filter(competition=competition, person__in=persons)
        .order_by("pk")
        .values_list("pk", flat=True)
    )
    kept = Entry.objects.filter(pk__in=entries)
    Consent.objects.filter(entry__in=entries).delete()
    kept.filter(needs_fixed_table=True).update(needs_fixed_table=False)
    drawn = Q(entrants__event__stages__draws__isnull=False)
    drawn |= Q(partnered__event__stages__draws__isnull=False)
    alone = kept.filter(status=EntryStatus.WITHDRAWN).exclude(
        pk__in=kept.filter(drawn).values("pk")
    )
    alone.exclude(unit="").update(unit="")
    links = DeviceLink.objects.filter(Q(entry__in=entries) | Q(entrant__entry__in=entries))
    links.filter(revoked_at=None).update(revoked_at=timezone.now())
    links.exclude(label="").update(label="")
    return entries


def forget_salts(competition: Competition) -> None:
    """The names' hashes in the lists of draws stay, as the draw's digest holds for them; without
    the salt they cannot be tried out against names."""
    Draw.objects.filter(stage__event__competition=competition).exclude(salt="").update(salt="")


def forget_lists(competition: Competition, entries: Collection[int], names: Names) -> None:
    """Uploaded lists not yet confirmed that name them go; what an import could still undo, too,
    where it would bring them back."""
    wanted = set(entries)
    for batch in ImportBatch.objects.select_for_update(no_key=True).filter(competition=competition):
        if batch.state == ImportState.PREVIEW:
            if names.out_of_json(batch.sheets) != batch.sheets:
                batch.delete()
        elif wanted & {trace["entry"] for trace in batch.undo}:
            batch.undo = []
            batch.save(update_fields=["undo"])


def forget_requests(competition: Competition, entries: Collection[int], names: Names) -> None:
    """The digests of their registrations' forms, and what jobs have noted of them."""
    scopes = (competition.scope, f"{competition.scope}:register")
    keys = IdempotencyKey.objects.filter(scope__in=scopes).exclude(request_hash="")
    wanted = set(entries)
    found = [
        key for key in keys if isinstance(key.answer, dict) and key.answer.get("entry") in wanted
    ]
    for key in found:
        key.request_hash = ""
    IdempotencyKey.objects.bulk_update(found, ["request_hash"], batch_size=BATCH)
    # Held, so that what a worker finds at this instant is not written over.
    jobs = Job.objects.select_for_update(no_key=True).filter(scope=competition.scope)
    for job in jobs.order_by("pk"):
        before = [getattr(job, column) for column in NOTED]
        for column in NOTED:
            setattr(job, column, names.out_of_json(getattr(job, column)))
        if [getattr(job, column) for column in NOTED] != before:
            job.save(update_fields=NOTED)


def forget_staff_labels(competition: Competition) -> None:
    """Whom links and invitations were for."""
    DeviceLink.objects.filter(competition=competition).exclude(label="").update(label="")
    Invitation.objects.filter(competition=competition).exclude(label="").update(label="")


def forget_groups(competition: Competition) -> None:
    """Families to keep apart: the draws have their numbers."""
    ApartGroup.objects.filter(competition=competition).delete()


def rename_groups(competition: Competition, names: Names) -> None:
    """A group called after somebody is called after his number, its name being one of its own."""
    for group in ApartGroup.objects.filter(competition=competition):
        name = names.out_of(group.name, 40)
        if name != group.name:
            taken = ApartGroup.objects.filter(competition=competition, name=name).exists()
            group.name = f"{name} {group.pk}" if taken else name
            group.save(update_fields=["name"])


def may_leave(entry: Entry) -> bool:
    """Whether erasing him takes him off the list too: nothing he plays in is frozen or drawn, and
    he is nobody's partner. Three queries."""
    if entry.status == EntryStatus.WITHDRAWN:
        return False
    playing = Entrant.objects.filter(Q(entry=entry) | Q(partner=entry))
    if playing.filter(partner__isnull=False).exists():
        return False
    fixed = Q(draws__isnull=False, draws__number__isnull=True) | Q(rounds__isnull=False)
    events = playing.exclude(status=EntrantStatus.WITHDRAWN).values("event")
    return not Stage.objects.filter(event__in=events).filter(fixed).exists()


def leave_all(entry: Entry) -> Sequence[int]:
    """He is off the list and in no event; returns the events' ids."""
    entrants = Entrant.objects.filter(entry=entry, status=EntrantStatus.IN)
    events = list(entrants.values_list("event_id", flat=True))
    entrants.update(status=EntrantStatus.WITHDRAWN, seed=None)
    entry.status = EntryStatus.WITHDRAWN
    entry.save(update_fields=["status"])
    entry.wants.clear()
    return events
