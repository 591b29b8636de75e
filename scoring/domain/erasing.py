"""A person is erased from a competition, from everything in it that is stored (C1.1).

All of it is one transaction under the locks of the competition, its events and its sheets, so that
nobody writes a name back who has read it before. What is written by then has no name; number, unit
and results stay, and so do the digests of draws and the seals.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial

from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.models import AuditRow
from engine.errors import ZipaiError
from engine.files import parse
from engine.record import export
from scoring.archive.parts import PARTS
from scoring.domain.book_files import forget_files
from scoring.domain.uploads import end_naming
from scoring.enums import Evidence
from scoring.models import BookEdition, HandVersion, Recording, Sheet
from scoring.nameless import nameless
from scoring.replaced import replaced
from scoring.typed import TYPED
from tournament.acting import Acting
from tournament.domain import erasing
from tournament.domain.erasing import DELETED
from tournament.domain.private import PersonErased
from tournament.domain.waiting import fill_places
from tournament.enums import Role
from tournament.erased import Names
from tournament.models import Competition, Entry, Event, Seat
from tournament.permissions import demand, is_his, organizes

BATCH = 500


@dataclass(frozen=True)
class Erased:
    """What became of it: whether he left the list too, and who got a place by that."""

    has_left: bool
    moved_up: tuple[int, ...]


@transaction.atomic
def erase_person(*, acting: Acting, entry: Entry, is_former: bool = False) -> Erased:
    """Erases who holds an entry, by his own link or by an organizer; `is_former`: who held it
    before somebody took it over, by an organizer.

    Before anything that he plays in is frozen or drawn he leaves the list too, and who waits gets
    the place; later he stays under his number. It cannot be taken back. Raises `NotAllowed`,
    `PersonErased` where it is done already.
    """
    allowed = organizes(acting) or (is_his(acting, entry.pk) and not is_former)
    demand(allowed, Role.OWNER, Role.ORGANIZER, Role.ENTRANT)
    competition, events = hold_all(entry.competition)
    entry = Entry.objects.select_related("person", "person_before").get(pk=entry.pk)
    person = entry.person_before if is_former else entry.person
    if person is None or person.erased_at is not None:
        raise PersonErased(_("这名选手的个人信息已经删除了。"))
    leaves = not is_former and erasing.may_leave(entry)
    moved: list[int] = []
    if leaves:
        left = erasing.leave_all(entry)
        # Whoever was in no event had no place to give.
        for event in (one for one in events if one.pk in left):
            moved += [one.pk for one in fill_places(competition, event)]
    _erase(competition, {person.pk})
    audit(
        actor=acting,
        action="entry.erase",
        scope=competition.scope,
        subject=entry,
        data={"left": leaves, "moved_up": moved, "former": is_former},
    )
    tell_all(competition, events)
    return Erased(leaves, tuple(moved))


def erase_everybody(competition: Competition) -> int:
    """Everybody of a competition, and whom its links and invitations were for; how many people
    that were. Its locks are held (`hold_all`); the caller audits."""
    people = _people_of(competition)
    _erase(competition, people)
    erasing.forget_staff_labels(competition)
    erasing.forget_groups(competition)
    return len(people)


def people_left(competition: Competition) -> int:
    """How many people's data there are still. One query."""
    return len(_people_of(competition))


def _people_of(competition: Competition) -> set[int]:
    entries = Entry.objects.filter(competition=competition).select_related(
        "person", "person_before"
    )
    people = {person for one in entries for person in (one.person, one.person_before) if person}
    return {person.pk for person in people if person.erased_at is None}


def hold_all(competition: Competition) -> tuple[Competition, list[Event]]:
    """The competition, its events and its sheets, locked in this order."""
    competition = lock(competition)
    events = list(competition.events.select_for_update(no_key=True).order_by("position", "pk"))
    sheets = Sheet.objects.filter(table__round__stage__event__competition=competition)
    list(sheets.select_for_update(of=("self",), no_key=True).order_by("pk").values_list("pk"))
    return competition, events


def tell_all(competition: Competition, events: Collection[Event]) -> None:
    """Whatever is shown of the competition is rendered anew."""
    sheets = Sheet.objects.filter(table__round__stage__event__competition=competition)
    scopes = [competition.scope, competition.desk_scope, competition.screen_scope]
    bump(*scopes, *(event.scope for event in events), *(sheet.scope for sheet in sheets))


def _erase(competition: Competition, people: set[int]) -> None:
    names = erasing.names_in(competition, people)
    editions = list(BookEdition.objects.filter(competition=competition).order_by("pk"))
    earlier = [
        (str(name), names.words.get(name, DELETED))
        for edition in editions
        for pk, name in edition.names
        if pk in people
    ]
    names = erasing.with_earlier(names, earlier)
    entries = erasing.empty_entries(competition, people)
    erasing.empty_people(competition, people)
    erasing.forget_salts(competition)
    erasing.forget_lists(competition, entries, names)
    erasing.forget_requests(competition, entries, names)
    end_naming(competition, names)
    erasing.rename_groups(competition, names)
    _clean_texts(competition, names)
    _clean_records(competition, entries, names)
    _clean_books(editions, people, names)
    _clean_audit(competition, names)


def _clean_texts(competition: Competition, names: Names) -> None:
    """What people typed. Two queries a model, more for thousands of rows."""
    for part in PARTS:
        if part.model not in TYPED:
            continue
        columns = TYPED[part.model].split()
        here = part.model_class._default_manager.filter(**{part.path[0]: competition.pk})
        changed = [row for row in here.only(*columns) if _clean(row, columns, names)]
        part.model_class._default_manager.bulk_update(changed, columns, batch_size=BATCH)


def _clean(row: models.Model, columns: Collection[str], names: Names) -> bool:
    """Takes names out of these columns; whether there were any."""
    is_changed = False
    for column in columns:
        field = row._meta.get_field(column)
        assert isinstance(field, models.CharField | models.TextField)
        before = getattr(row, column)
        after = names.out_of(before, field.max_length)
        is_changed |= after != before
        setattr(row, column, after)
    return is_changed


def _clean_records(competition: Competition, entries: Collection[int], names: Names) -> None:
    """Records of tables where they sat, or that name them, keep the play and nothing that people
    wrote: players, referee, notes."""
    where = "table__round__stage__event__competition"
    sat = Q(entrant__entry__in=entries) | Q(entrant__partner__in=entries)
    sat |= Q(stands_for__entry__in=entries) | Q(stands_for__partner__in=entries)
    tables = set(
        Seat.objects.filter(sat, **{where: competition}).values_list("table_id", flat=True)
    )
    versions = HandVersion.objects.filter(
        **{f"hand__sheet__{where}": competition}, evidence=Evidence.RECORD
    ).select_related("hand__sheet")
    changed = []
    for version in versions:
        text = version.payload.get("text")
        if isinstance(text, str) and (version.hand.sheet.table_id in tables or names.are_in(text)):
            version.payload = {**version.payload, "text": _without_words(text, names)}
            changed.append(version)
    HandVersion.objects.bulk_update(changed, ["payload"], batch_size=BATCH)
    for recording in Recording.objects.filter(**{f"sheet__{where}": competition}):
        steps = names.out_of_json(recording.steps)
        if steps != recording.steps:
            recording.steps = steps
            recording.save(update_fields=["steps"])


def _without_words(text: str, names: Names) -> str:
    try:
        return export(nameless(parse(text)))
    except ZipaiError:  # from an archive: what cannot be read is only text
        return names.out_of(text)


def _clean_books(editions: Collection[BookEdition], people: set[int], names: Names) -> None:
    """Printed editions lose the names, and the files made of them; the digest stays that of what
    was printed."""
    for edition in editions:
        named = [(int(pk), str(name)) for pk, name in edition.names]
        words = {name: names.words.get(name, DELETED) for pk, name in named if pk in people}
        stay = {name: name for _pk, name in named if name not in words}
        body = replaced(edition.body, stay | words) if words else edition.body
        note = names.out_of(edition.note, 200)
        if not words and note == edition.note:
            continue
        edition.body, edition.note, edition.erased_at = body, note, timezone.now()
        edition.names = [[pk, name] for pk, name in edition.names if pk not in people]
        edition.save(update_fields=["body", "note", "names", "erased_at"])
        for mask in (False, True):
            transaction.on_commit(partial(forget_files, edition.pk, mask=mask))


def _clean_audit(competition: Competition, names: Names) -> None:
    """Reasons that name them are gone from audit rows; the seals hold, as they cover a digest."""
    rows = AuditRow.objects.filter(scope=competition.scope)
    changed = []
    for row in rows.exclude(said={}):
        kept = {key: pair for key, pair in row.said.items() if not names.are_in(pair[1])}
        if kept != row.said:
            row.said = kept
            changed.append(row)
    AuditRow.objects.bulk_update(changed, ["said"], batch_size=BATCH)
