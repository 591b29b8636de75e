"""A list is uploaded, looked at, mended, written as a whole, and taken back as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.domain import jobs
from core.domain.audit import audit
from core.domain.locks import lock
from core.domain.versions import bump
from core.errors import Conflict, DomainError
from tournament.acting import Acting
from tournament.domain.entries import BATCH, free_places, open_list
from tournament.domain.import_events import write_events
from tournament.domain.import_preview import layout_kept, preview_of, sheets_of, stored
from tournament.domain.import_undo import Before, restored, save_people, traces_of, written
from tournament.domain.private import demand_kept
from tournament.domain.readings import reading_of
from tournament.enums import EntryStatus, ImportState, Role
from tournament.models import Competition, Entry, Event, ImportBatch, Person
from tournament.permissions import demand, organizes
from tournament.sheets.columns import Layout, choose_sheet, layout_of
from tournament.sheets.fields import Field
from tournament.sheets.judged import Choice, Judged, Preview, Verdict
from tournament.sheets.reading import Sheet

PREVIEW_FOR = timedelta(hours=24)
UNDO_FOR = timedelta(days=14)


class ListMoved(Conflict):
    """The entries are others than those the preview was compared with."""

    code = "list-moved"


@dataclass(frozen=True)
class Plan:
    """What a confirmed preview writes."""

    new: tuple[Judged, ...]
    updates: tuple[Judged, ...]


@transaction.atomic
def start_import(*, acting: Acting, event: Event, sheets: Sequence[Sheet]) -> ImportBatch:
    """Keeps what was read for a day, to be looked at; writes no entry. Raises `NotAllowed`,
    `ListFrozen`."""
    competition = open_list(acting, event)
    forget_expired()
    chosen = choose_sheet(sheets)
    layout = layout_of(sheets[chosen])
    batch = ImportBatch.objects.create(
        competition=competition,
        event=event,
        author_id=acting.user_id,
        sheets=stored(sheets),
        sheet=chosen,
        start=layout.start,
        columns=_columns(layout),
        expires_at=timezone.now() + PREVIEW_FOR,
    )
    lines = len(sheets[chosen].lines)
    audit(actor=acting, action="import.start", scope=competition.scope, subject=batch,
          data={"lines": lines})  # fmt: skip
    return batch


@transaction.atomic
def set_layout(
    *, acting: Acting, batch: ImportBatch, sheet: int, start: int, columns: Sequence[Field | None]
) -> ImportBatch:
    """Says which sheet it is, where the people begin and what each column holds.

    Another sheet is looked at anew. Raises `NotAllowed`, `Conflict`, `DomainError`
    (`column-twice`).
    """
    batch = _in_preview(acting, batch)
    sheets = sheets_of(batch)
    if sheet != batch.sheet:
        batch.sheet = min(max(sheet, 0), len(sheets) - 1)
        layout = layout_of(sheets[batch.sheet])
    else:
        layout = Layout(max(start, 1), tuple(columns))
        used = [field for field in columns if field]
        for field in used:
            if used.count(field) > 1:
                raise DomainError(
                    _("“%(field)s”选了两列，请只留一列。") % {"field": field.label},
                    code="column-twice",
                )
    batch.start, batch.columns = layout.start, _columns(layout)
    batch.save(update_fields=["sheet", "start", "columns"])
    audit(actor=acting, action="import.columns", scope=acting.scope, subject=batch)
    return batch


@transaction.atomic
def mend_row(
    *, acting: Acting, batch: ImportBatch, line: int, values: Mapping[Field, str]
) -> ImportBatch:
    """Types the cells of a line anew. A field without a column gets one. Raises `NotAllowed`,
    `Conflict`."""
    batch = _in_preview(acting, batch)
    columns = list(layout_kept(batch).columns)
    for field in values:
        if values[field] and field not in columns:
            columns.append(field)
    for number, cells in batch.sheets[batch.sheet]["lines"]:
        if number == line:
            cells += [""] * (len(columns) - len(cells))
            for field, text in values.items():
                if field in columns:
                    cells[columns.index(field)] = text
    batch.columns = _columns(Layout(batch.start, tuple(columns)))
    batch.save(update_fields=["sheets", "columns"])
    audit(actor=acting, action="import.mend", scope=acting.scope, subject=batch,
          data={"line": line})  # fmt: skip
    return batch


@transaction.atomic
def discard_import(*, acting: Acting, batch: ImportBatch) -> None:
    """Forgets an upload that was not confirmed. Raises `NotAllowed`, `Conflict`."""
    batch = _in_preview(acting, batch)
    audit(actor=acting, action="import.discard", scope=acting.scope, subject=batch)
    batch.delete()


@transaction.atomic
def confirm_import(
    *,
    acting: Acting,
    batch: ImportBatch,
    digest: str,
    choices: Mapping[int, Choice] | None = None,
    rest: Choice = Choice.SKIP,
) -> ImportBatch:
    """Writes new and changed rows and the doubtful ones as chosen; confirming twice is once.

    `digest` is the shown preview's, `choices` say by line what becomes of doubtful rows, `rest` of
    those not named. Raises `NotAllowed`, `ListFrozen`, `PersonErased`, `ListMoved` where the
    preview would be another now, `DomainError` (`nothing-to-import`, `entry-twice`).
    """
    competition = open_list(acting, batch.event)
    batch = lock(batch)
    if batch.state == ImportState.DONE:
        return batch
    _demand_preview(batch)
    preview = preview_of(batch)
    if preview.digest != digest:
        raise ListMoved(_("名单在这期间有了变化，请再看一遍预览，然后确认。"))
    plan = plan_of(preview, choices or {}, rest)
    before = _update(batch.event, plan.updates)
    created = _create(competition, plan.new)
    updated = {entry.pk: entry for entry in competition.entries.filter(pk__in=before)}
    done = write_events(
        competition,
        batch.event,
        [
            *((updated[one.target.pk], one) for one in plan.updates if one.target),
            *zip(created, plan.new, strict=True),
        ],
    )
    batch.state, batch.sheets, batch.columns = ImportState.DONE, [], []
    batch.undo = written(batch.event, before, created, done)
    batch.ids = [trace["entry"] for trace in batch.undo]
    batch.counts = {
        "new": len(created),
        "changed": len(before),
        "same": preview.counts[Verdict.SAME],
        "left_out": len(preview.rows)
        - len(created) - len(before) - preview.counts[Verdict.SAME],
    }  # fmt: skip
    batch.confirmed_at = timezone.now()
    batch.expires_at = batch.confirmed_at + UNDO_FOR
    batch.save()
    audit(actor=acting, action="import.confirm", scope=competition.scope, subject=batch,
          data=batch.counts)  # fmt: skip
    bump(competition.scope, *(one.scope for one in competition.events.all()))
    return batch


@transaction.atomic
def undo_import(*, acting: Acting, batch: ImportBatch) -> ImportBatch:
    """Takes a whole import back: who came by it goes, who was changed is as before; places that
    become free go to the waiting list.

    Raises `NotAllowed`, `ListFrozen`, `Conflict` where it is too late or an entry has been touched
    since.
    """
    competition = open_list(acting, batch.event)
    batch = lock(batch)
    if batch.state != ImportState.DONE or not batch.undo or batch.expires_at <= timezone.now():
        raise Conflict(_("这次导入不能再撤销了。"))
    counts = restored(competition, batch.event, batch.undo)
    batch.state, batch.undo = ImportState.UNDONE, []
    batch.save(update_fields=["state", "undo"])
    audit(actor=acting, action="import.undo", scope=competition.scope, subject=batch, data=counts)
    bump(competition.scope, *(one.scope for one in competition.events.all()))
    return batch


def can_undo(batch: ImportBatch) -> bool:
    """Whether the page offers it; what else stands against it is said when it is tried."""
    return bool(batch.undo) and batch.expires_at > timezone.now()


@transaction.atomic
def forget_expired() -> int:
    """Deletes uploads nobody confirmed in time and earlier values nobody can go back to any more.

    Returns how many were forgotten.
    """
    expired = ImportBatch.objects.filter(expires_at__lte=timezone.now())
    count, _by_model = expired.filter(state=ImportState.PREVIEW).delete()
    return count + expired.filter(state=ImportState.DONE).exclude(undo=[]).update(undo=[])


def run_forget_expired(job: jobs.Running) -> dict[str, int]:
    """The periodic job."""
    return {"forgotten": forget_expired()}


def plan_of(preview: Preview, choices: Mapping[int, Choice], rest: Choice) -> Plan:
    """Who is new and who is changed. Raises `DomainError`."""
    new: list[Judged] = []
    updates: dict[int, Judged] = {}
    for one in preview.rows:
        wish = _wish(one, choices.get(one.row.line, rest))
        if wish is Choice.NEW:
            new.append(replace(one, target=None))
        elif wish is Choice.UPDATE and one.target is not None:
            other = updates.setdefault(one.target.pk, one)
            if other is not one:
                raise DomainError(
                    _("第 %(first)d 行和第 %(second)d 行都要更新 %(known)s，请只留一行。")
                    % {"first": other.row.line, "second": one.row.line, "known": one.target.shown},
                    code="entry-twice",
                )
    if not new and not updates:
        raise DomainError(_("没有要导入的选手。"), code="nothing-to-import")
    return Plan(tuple(new), tuple(updates.values()))


def _wish(judged: Judged, chosen: Choice) -> Choice:
    if judged.verdict is Verdict.NEW:
        return Choice.NEW
    if judged.verdict is Verdict.CHANGED:
        return Choice.UPDATE
    return chosen if chosen in judged.choices else Choice.SKIP


def _in_preview(acting: Acting, batch: ImportBatch) -> ImportBatch:
    demand(organizes(acting), Role.OWNER, Role.ORGANIZER)
    batch = lock(batch)
    _demand_preview(batch)
    return batch


def _demand_preview(batch: ImportBatch) -> None:
    if batch.state != ImportState.PREVIEW or batch.expires_at <= timezone.now():
        raise Conflict(_("这份名单已经处理过或过期了，请重新上传。"))


def _columns(layout: Layout) -> list[str]:
    return [str(field or "") for field in layout.columns]


def _update(event: Event, updates: Sequence[Judged]) -> dict[int, Before]:
    """Changes known entries; returns what they were. Numbers and seeds are set free first, so
    that a list may exchange them."""
    traces = traces_of([one.target.pk for one in updates if one.target], event)
    entries, persons, entrants = [], [], []
    for one in updates:
        assert one.target is not None
        trace = traces[one.target.pk]
        values = {change.field: change.after for change in one.changes}
        entry, person, entrant = trace.entry, trace.entry.person, trace.entrant
        demand_kept(person)
        if Field.NAME in values:
            person.name = one.row.name
            person.reading = reading_of(person.name)
        person.phone = one.row.phone or person.phone
        person.birth_year = one.row.birth_year or person.birth_year
        person.note = one.row.note or person.note
        entry.unit = one.row.unit or entry.unit
        entry.number = one.row.number or entry.number
        if entrant is not None:
            entrant.seed = one.row.seed or entrant.seed
            entrants.append(entrant)
        entries.append(entry)
        persons.append(person)
    save_people(entries, persons, entrants)
    return {pk: trace.before for pk, trace in traces.items()}


def _create(competition: Competition, new: Sequence[Judged]) -> list[Entry]:
    """New entries: confirmed while there are places, then the waiting list (C1.2), where a seed
    is not kept; not yet in an event. Who has no number gets the next one after the highest."""
    free = free_places(competition)
    given = [one.row.number for one in new if one.row.number]
    highest = competition.entries.aggregate(highest=Max("number"))["highest"] or 0
    following = max([highest, *given]) + 1
    persons, entries = [], []
    for index, one in enumerate(new):
        row = one.row
        person = Person(
            name=row.name, reading=reading_of(row.name), phone=row.phone,
            birth_year=row.birth_year, note=row.note,
        )  # fmt: skip
        is_in = free is None or index < free
        entry = Entry(
            competition=competition, person=person, unit=row.unit, number=row.number or following,
            status=EntryStatus.CONFIRMED if is_in else EntryStatus.WAITLISTED,
        )  # fmt: skip
        following += not row.number
        persons.append(person)
        entries.append(entry)
    Person.objects.bulk_create(persons, batch_size=BATCH)
    for entry, person in zip(entries, persons, strict=True):
        entry.person_id = person.pk
    Entry.objects.bulk_create(entries, batch_size=BATCH)
    return entries
