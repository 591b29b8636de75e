"""A list is written as a whole after it was confirmed, once, and taken back as a whole."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from core.domain import jobs, periodic
from core.errors import Conflict, DomainError
from core.models import AuditRow
from tests.concurrency import at_once
from tests.factories import make_acting
from tests.tournament.competitions import Made, draw, make
from tournament.domain.draws import cancel_freeze, freeze_draw
from tournament.domain.entries import ListFrozen, add_pasted, change_entry, check_in
from tournament.domain.import_preview import preview_of
from tournament.domain.imports import (
    ListMoved,
    confirm_import,
    discard_import,
    forget_expired,
    mend_row,
    set_layout,
    start_import,
    undo_import,
)
from tournament.domain.links import issue_link
from tournament.enums import EntryStatus, ImportState, Role
from tournament.models import Entrant, Entry, ImportBatch, Person
from tournament.permissions import NotAllowed
from tournament.sheets.fields import Field
from tournament.sheets.judged import Choice, Verdict
from tournament.sheets.reading import read_text

LIST = """编号,姓名,单位,手机,出生年,种子,备注
11,覃小明,象山队,13800138000,1968,1,左手
12,莫家骏,灵川队,13800138001,1975,,
,阳秀英,临桂队,,,2,
"""


def uploaded(made: Made, text: str = LIST) -> ImportBatch:
    return start_import(acting=made.owner, event=made.event, sheets=[read_text(text)])


def confirmed(made: Made, batch: ImportBatch, **choices: object) -> ImportBatch:
    digest = preview_of(batch).digest
    return confirm_import(acting=made.owner, batch=batch, digest=digest, **choices)  # type: ignore[arg-type]


def rows(made: Made) -> list[tuple[object, ...]]:
    seeds = dict(Entrant.objects.filter(event=made.event).values_list("entry", "seed"))
    return [
        (e.number, e.person.name, e.unit, e.person.phone, e.person.birth_year, seeds.get(e.pk),
         e.person.note)
        for e in made.competition.entries.select_related("person").order_by("number")
    ]  # fmt: skip


WRITTEN = [
    (11, "覃小明", "象山队", "13800138000", 1968, 1, "左手"),
    (12, "莫家骏", "灵川队", "13800138001", 1975, None, ""),
    (13, "阳秀英", "临桂队", "", None, 2, ""),
]


@pytest.mark.django_db
def test_nothing_is_written_before_it_is_confirmed() -> None:
    made = make()
    batch = uploaded(made)
    assert preview_of(batch).counts[Verdict.NEW] == 3
    assert (Entry.objects.count(), Person.objects.count()) == (0, 0)
    done = confirmed(made, batch)
    assert rows(made) == WRITTEN
    assert Person.objects.get(name="覃小明").reading.startswith("qinxiaoming qxm")
    assert (done.state, done.sheets, done.columns) == (ImportState.DONE, [], [])
    assert done.counts == {"new": 3, "changed": 0, "same": 0, "left_out": 0}
    assert done.ids == list(Entry.objects.order_by("number").values_list("pk", flat=True))


@pytest.mark.django_db
def test_the_same_list_again_is_all_the_same_and_nothing_to_import() -> None:
    made = make()
    confirmed(made, uploaded(made))
    again = uploaded(made)
    assert preview_of(again).counts[Verdict.SAME] == 3
    with pytest.raises(DomainError) as refusal:
        confirmed(made, again)
    assert refusal.value.code == "nothing-to-import"


@pytest.mark.django_db
def test_changed_rows_change_what_they_fill_in_and_nothing_else() -> None:
    made = make()
    confirmed(made, uploaded(made))
    batch = uploaded(made, "姓名,单位,手机,备注\n覃小明,象山队,,\n莫家骏,灵川队,13800138001,候场\n")
    preview = preview_of(batch)
    assert [one.verdict for one in preview.rows] == [Verdict.SAME, Verdict.CHANGED]
    assert [change.text for change in preview.rows[1].changes] == ["备注：无 → 候场"]
    confirmed(made, batch)
    assert rows(made)[0] == WRITTEN[0]
    assert rows(made)[1] == (12, "莫家骏", "灵川队", "13800138001", 1975, None, "候场")


@pytest.mark.django_db
def test_numbers_and_seeds_may_be_exchanged_by_a_list() -> None:
    made = make()
    confirmed(made, uploaded(made))
    batch = uploaded(
        made, "编号,姓名,单位,种子\n12,覃小明,象山队,2\n11,莫家骏,灵川队,\n13,阳秀英,临桂队,1\n"
    )
    assert preview_of(batch).counts[Verdict.CHANGED] == 3
    done = confirmed(made, batch)
    assert [row[:2] + row[5:6] for row in rows(made)] == [
        (11, "莫家骏", None),
        (12, "覃小明", 2),
        (13, "阳秀英", 1),
    ]
    undo_import(acting=made.owner, batch=done)
    assert rows(made) == WRITTEN


@pytest.mark.django_db
def test_doubtful_rows_come_in_as_chosen() -> None:
    """Same name, other unit: left out, somebody else, or the same person with a new unit."""
    made = make()
    confirmed(made, uploaded(made))
    text = "姓名,单位\n覃小明,七星队\n莫家骏,七星队\n阳秀英,七星队\n"
    batch = uploaded(made, text)
    assert preview_of(batch).counts[Verdict.DOUBTFUL] == 3
    done = confirmed(made, batch, choices={2: Choice.NEW, 3: Choice.UPDATE})
    assert done.counts == {"new": 1, "changed": 1, "same": 0, "left_out": 1}
    assert [row[:3] for row in rows(made)] == [
        (11, "覃小明", "象山队"),
        (12, "莫家骏", "七星队"),
        (13, "阳秀英", "临桂队"),
        (14, "覃小明", "七星队"),
    ]


@pytest.mark.django_db
def test_rest_of_the_doubtful_rows_is_chosen_at_once() -> None:
    made = make()
    batch = uploaded(made, "姓名,单位,电话\n甲一,一队,13800138000\n乙二,一队,13800138000\n")
    assert [one.verdict for one in preview_of(batch).rows] == [Verdict.NEW, Verdict.DOUBTFUL]
    assert confirmed(made, batch, rest=Choice.NEW).counts["new"] == 2


@pytest.mark.django_db
def test_two_rows_cannot_change_one_person() -> None:
    made = make()
    confirmed(made, uploaded(made))
    batch = uploaded(made, "姓名,单位\n覃小明,七星队\n覃小明,叠彩队\n")
    with pytest.raises(DomainError) as refusal:
        confirmed(made, batch, rest=Choice.UPDATE)
    assert refusal.value.code == "entry-twice"
    assert rows(made) == WRITTEN


@pytest.mark.django_db
def test_wrong_row_is_mended_on_the_spot() -> None:
    made = make()
    batch = uploaded(made, "姓名,手机\n覃小明,1380013800\n")
    (row,) = preview_of(batch).rows
    assert (row.verdict, [r.code.value for r in row.reasons]) == (Verdict.WRONG, ["short-phone"])
    values = {Field.PHONE: "13800138000", Field.UNIT: "象山队"}
    batch = mend_row(acting=made.owner, batch=batch, line=2, values=values)
    confirmed(made, batch)
    assert rows(made) == [(1, "覃小明", "象山队", "13800138000", None, None, "")]


@pytest.mark.django_db
def test_columns_are_chosen_by_hand_where_they_are_not_recognised() -> None:
    made = make()
    batch = uploaded(made, "甲栏,乙栏\n象山队,覃小明\n")
    columns = [Field.UNIT, Field.NAME]
    batch = set_layout(acting=made.owner, batch=batch, sheet=0, start=2, columns=columns)
    (row,) = preview_of(batch).rows
    assert (row.row.line, row.row.name, row.row.unit) == (2, "覃小明", "象山队")
    with pytest.raises(DomainError, match="选了两列"):
        set_layout(
            acting=made.owner, batch=batch, sheet=0, start=2, columns=[Field.NAME, Field.NAME]
        )


@pytest.mark.django_db
def test_preview_that_no_longer_holds_is_shown_again() -> None:
    made = make()
    batch = uploaded(made)
    digest = preview_of(batch).digest
    add_pasted(acting=made.owner, event=made.event, text="覃小明 象山队")
    with pytest.raises(ListMoved):
        confirm_import(acting=made.owner, batch=batch, digest=digest)
    assert Entry.objects.count() == 1


@pytest.mark.django_db
def test_full_competition_puts_the_rest_on_the_waiting_list_and_undo_frees_places() -> None:
    """C1.2."""
    made = make()
    made.competition.capacity = 2
    made.competition.save()
    done = confirmed(made, uploaded(made))
    statuses = made.competition.entries.order_by("number").values_list("status", flat=True)
    assert list(statuses) == ["confirmed", "confirmed", "waitlisted"]
    add_pasted(acting=made.owner, event=made.event, text="秦国栋")
    undo_import(acting=made.owner, batch=done)
    entry = Entry.objects.get()
    assert (entry.person.name, entry.status) == ("秦国栋", EntryStatus.CONFIRMED)
    assert made.event.entrants.count() == 1
    assert Person.objects.count() == 1


@pytest.mark.django_db
def test_undo_takes_new_people_away_and_gives_changed_ones_their_values_back() -> None:
    """C9.5."""
    made = make()
    add_pasted(acting=made.owner, event=made.event, text="覃小明 象山队")
    before = rows(made)
    done = confirmed(made, uploaded(made))
    assert rows(made) == WRITTEN
    assert done.counts == {"new": 2, "changed": 1, "same": 0, "left_out": 0}
    undone = undo_import(acting=made.owner, batch=done)
    assert rows(made) == before
    assert (undone.state, undone.undo) == (ImportState.UNDONE, [])
    row = AuditRow.objects.get(action="import.undo")
    assert row.data == {"removed": 2, "restored": 1, "moved_up": 0}
    with pytest.raises(Conflict, match="不能再撤销"):
        undo_import(acting=made.owner, batch=undone)
    with pytest.raises(Conflict, match="处理过"):
        confirm_import(acting=made.owner, batch=undone, digest="")


@pytest.mark.django_db
@pytest.mark.parametrize("touch", ["change", "check-in", "link", "withdraw"])
def test_what_has_been_touched_since_is_not_undone(touch: str) -> None:
    made = make()
    done = confirmed(made, uploaded(made))
    entrant = made.event.entrants.get(entry__number=12)
    if touch == "change":
        change_entry(acting=made.owner, entrant=entrant, name="莫家俊", unit="灵川队", number=12)
    elif touch == "check-in":
        check_in(acting=made.owner, entry=entrant.entry)
    elif touch == "link":
        issue_link(
            acting=made.owner, competition=made.competition, role=Role.ENTRANT, entrant=entrant
        )
    else:
        Entry.objects.filter(number=12).update(status=EntryStatus.WITHDRAWN)
    with pytest.raises(Conflict, match="又有改动，不能整批撤销：莫家"):
        undo_import(acting=made.owner, batch=done)
    assert Entry.objects.count() == 3


@pytest.mark.django_db
def test_frozen_list_is_neither_imported_to_nor_undone() -> None:
    """C4.1."""
    made = make()
    done = confirmed(made, uploaded(made))
    later = uploaded(made, "姓名\n秦国栋\n")
    frozen = freeze_draw(acting=made.owner, stage=made.stage)
    with pytest.raises(ListFrozen):
        undo_import(acting=made.owner, batch=done)
    with pytest.raises(ListFrozen):
        confirmed(made, later)
    with pytest.raises(ListFrozen):
        uploaded(made)
    cancel_freeze(acting=made.owner, draw=frozen)
    undo_import(acting=made.owner, batch=done)
    confirmed(made, later)
    assert [row[1] for row in rows(made)] == ["秦国栋"]


@pytest.mark.django_db
def test_drawn_list_takes_no_import() -> None:
    made = make(3)
    draw(made)
    with pytest.raises(ListFrozen):
        uploaded(made)


@pytest.mark.django_db
def test_number_given_away_since_stands_against_undo() -> None:
    made = make()
    confirmed(made, uploaded(made))
    moved = confirmed(made, uploaded(made, "编号,姓名,单位\n20,覃小明,象山队\n"))
    confirmed(made, uploaded(made, "编号,姓名\n11,秦国栋\n"))
    with pytest.raises(Conflict, match="别人的，不能撤销：秦国栋"):
        undo_import(acting=made.owner, batch=moved)
    assert [row[0] for row in rows(made)] == [11, 12, 13, 20]


@pytest.mark.django_db
def test_uploads_are_forgotten_after_a_day_and_earlier_values_after_two_weeks() -> None:
    made = make()
    done = confirmed(made, uploaded(made))
    uploaded(made)
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        periodic.tick()
        jobs.sweep()
        assert list(ImportBatch.objects.values_list("pk", flat=True)) == [done.pk]
        done.refresh_from_db()
        assert done.undo
    with time_machine.travel(timezone.now() + timedelta(days=15)):
        with pytest.raises(Conflict):
            undo_import(acting=made.owner, batch=done)
        assert forget_expired() == 1
    done.refresh_from_db()
    assert (done.undo, len(done.ids)) == ([], 3)


@pytest.mark.django_db
def test_discarded_upload_is_gone() -> None:
    made = make()
    discard_import(acting=made.owner, batch=uploaded(made))
    assert not ImportBatch.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("role", [Role.CHIEF, Role.REFEREE])
def test_only_organizers_import(role: Role) -> None:
    made = make()
    batch = uploaded(made)
    other = make_acting(made.competition, role)
    for act in (
        lambda: start_import(acting=other, event=made.event, sheets=[read_text(LIST)]),
        lambda: confirm_import(acting=other, batch=batch, digest=preview_of(batch).digest),
        lambda: mend_row(acting=other, batch=batch, line=2, values={}),
        lambda: set_layout(acting=other, batch=batch, sheet=0, start=2, columns=[]),
        lambda: discard_import(acting=other, batch=batch),
        lambda: undo_import(acting=other, batch=batch),
    ):
        with pytest.raises(NotAllowed):
            act()
    assert Entry.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_confirming_at_once_imports_once() -> None:
    made = make()
    batch = uploaded(made)
    digest = preview_of(batch).digest

    def confirm(_index: int) -> ImportBatch:
        return confirm_import(acting=made.owner, batch=batch, digest=digest)

    results = at_once(8, confirm)
    assert [getattr(one, "state", one) for one in results] == [ImportState.DONE] * 8
    assert rows(made) == WRITTEN
    assert AuditRow.objects.filter(action="import.confirm").count() == 1


@pytest.mark.django_db(transaction=True)
def test_undoing_at_once_undoes_once() -> None:
    made = make()
    done = confirmed(made, uploaded(made))

    def undo(_index: int) -> ImportBatch:
        return undo_import(acting=made.owner, batch=done)

    results = at_once(8, undo)
    assert sum(isinstance(one, ImportBatch) for one in results) == 1
    assert all(isinstance(one, (ImportBatch, Conflict)) for one in results)
    assert Entry.objects.count() == 0
