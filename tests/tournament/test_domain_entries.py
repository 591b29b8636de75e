"""Pasting, adding, changing, checking in, withdrawing (C1), and finding by pinyin."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.errors import Conflict, DomainError
from core.models import AuditRow
from tests.factories import make_acting
from tests.tournament.competitions import draw, make, names
from tournament.domain.entries import (
    ListFrozen,
    SameName,
    add_entry,
    add_pasted,
    change_entry,
    check_in,
    reinstate,
    withdraw_before_draw,
)
from tournament.domain.pasting import read_lines, split_line
from tournament.domain.readings import reading_of
from tournament.enums import EntrantStatus, EntryStatus, Role
from tournament.models import Entry
from tournament.permissions import NotAllowed
from tournament.queries.organizer import entries_of


@pytest.mark.parametrize(
    ("line", "name", "unit"),
    [
        ("莫家骏\t灵川县", "莫家骏", "灵川县"),
        ("莫家骏,灵川县", "莫家骏", "灵川县"),
        ("莫家骏，灵川县", "莫家骏", "灵川县"),
        ("莫家骏、灵川县", "莫家骏", "灵川县"),
        ("莫家骏；灵川县", "莫家骏", "灵川县"),
        ("莫家骏 灵川县", "莫家骏", "灵川县"),
        ("莫家骏　灵川县　一队", "莫家骏", "灵川县 一队"),
        ("唐 明 灵川县", "唐明", "灵川县"),
        ("唐　明\t灵川县", "唐明", "灵川县"),
        ("莫家骏", "莫家骏", ""),
        ("1. 莫家骏 灵川县", "莫家骏", "灵川县"),
        ("12、莫家骏，灵川县", "莫家骏", "灵川县"),
        ("（3）莫家骏 灵川县", "莫家骏", "灵川县"),
        ("7\t莫家骏\t灵川县", "莫家骏", "灵川县"),
        ("ＡＢＣ　队", "ABC", "队"),
        ("John Smith, Guilin", "John Smith", "Guilin"),
        ("John Smith", "John Smith", ""),
        ("阿迪力·买买提\t乌鲁木齐", "阿迪力·买买提", "乌鲁木齐"),
        ("\t灵川县", "", "灵川县"),
    ],
)
def test_line_is_split_into_name_and_unit(line: str, name: str, unit: str) -> None:
    assert split_line(line) == (name, unit)


def test_every_line_that_is_not_taken_is_named_with_its_reason() -> None:
    reading = read_lines(
        "姓名\t单位\n\n莫家骏\t灵川县\n\t灵川县\n莫家骏，灵川县\n"
        + "长" * 61
        + "\n莫家骏 临桂区\n12345",
        known={("阳秀英", "临桂区")},
    )
    assert [(p.row, p.name, p.unit) for p in reading.people] == [
        (3, "莫家骏", "灵川县"),
        (7, "莫家骏", "临桂区"),
    ]
    assert [(r.row, r.text, r.fault.value) for r in reading.rejected] == [
        (4, "\t灵川县", "no-name"),
        (5, "莫家骏，灵川县", "double"),
        (6, "长" * 61, "too-long"),
        (8, "12345", "no-name"),
    ]
    assert reading.same_names == ("莫家骏",)
    assert all(str(rejected.why) for rejected in reading.rejected)


def test_more_than_five_thousand_lines_come_in_two_pastes() -> None:
    reading = read_lines(names(5002))
    assert len(reading.people) == 5000
    assert [r.row for r in reading.rejected] == [5001, 5002]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("莫家骏", ["mojiajun", "mjj"]),
        ("覃曾", ["qinceng", "qinzeng"]),
        ("单田芳", ["shantianfang", "stf"]),
        ("尉迟恭", ["yuchigong", "ycg"]),
        ("区小明", ["ouxiaoming", "oxm"]),
        ("John Smith", ["johnsmith"]),
        ("", []),
    ],
)
def test_reading_has_every_pinyin_in_full_and_by_initials(name: str, found: list[str]) -> None:
    readings = reading_of(name).split()
    assert [r for r in found if r in readings] == found
    assert "dantianfang" not in readings


def test_reading_fits_its_column() -> None:
    assert len(reading_of("重乐行长" * 15)) <= 200


@pytest.mark.django_db
def test_pasted_lines_get_the_next_numbers() -> None:
    made = make()
    added = add_pasted(acting=made.owner, event=made.event, text="莫家骏 灵川县\n阳秀英 临桂区")
    more = add_pasted(acting=made.owner, event=made.event, text="莫家骏 灵川县\n秦国栋 象山区")
    assert [entry.number for entry in (*added.entries, *more.entries)] == [1, 2, 3]
    assert [rejected.fault.value for rejected in more.reading.rejected] == ["double"]
    assert made.event.entrants.count() == 3
    assert Entry.objects.get(number=1).person.reading.startswith("mojiajun mjj")
    assert AuditRow.objects.filter(action="entry.paste").last().data == {"added": 1, "rejected": 1}


@pytest.mark.django_db
def test_2187_lines_are_pasted_in_bulk() -> None:
    made = make()
    with CaptureQueriesContext(connection) as seen:
        add_pasted(acting=made.owner, event=made.event, text=names(2187))
    assert len(seen) <= 80
    assert made.event.entrants.count() == 2187


@pytest.mark.django_db
def test_same_name_and_unit_need_the_word_that_it_is_another() -> None:
    made = make()
    add_entry(acting=made.owner, event=made.event, name="莫家骏", unit="灵川县")
    with pytest.raises(SameName):
        add_entry(acting=made.owner, event=made.event, name=" 莫家骏 ", unit="灵川县")
    add_entry(acting=made.owner, event=made.event, name="莫家骏", unit="灵川县", is_another=True)
    assert made.event.entrants.count() == 2


@pytest.mark.django_db
def test_full_competition_has_a_waiting_list_that_moves_up() -> None:
    """C1.2."""
    made = make()
    made.competition.capacity = 2
    made.competition.save()
    add_pasted(acting=made.owner, event=made.event, text="甲某\n乙某\n丙某\n丁某")
    statuses = [e.status for e in made.competition.entries.order_by("number")]
    assert statuses == ["confirmed", "confirmed", "waitlisted", "waitlisted"]
    assert made.event.entrants.count() == 2
    first = made.event.entrants.get(entry__number=1)

    moved_up = withdraw_before_draw(acting=made.owner, entrant=first)

    assert moved_up is not None
    assert (moved_up.number, moved_up.status) == (3, EntryStatus.CONFIRMED)
    assert made.event.entrants.filter(status=EntrantStatus.IN).count() == 2
    with pytest.raises(Conflict, match="名额已满"):
        reinstate(acting=made.owner, entrant=first)


@pytest.mark.django_db
def test_withdrawal_before_the_draw_is_taken_back() -> None:
    """C9.5."""
    made = make(3)
    entrant = made.event.entrants.get(entry__number=2)
    assert withdraw_before_draw(acting=made.owner, entrant=entrant) is None
    with pytest.raises(Conflict, match="不在赛"):
        withdraw_before_draw(acting=made.owner, entrant=entrant)
    reinstate(acting=made.owner, entrant=entrant)
    entrant.refresh_from_db()
    assert (entrant.status, entrant.entry.status) == (EntrantStatus.IN, EntryStatus.CONFIRMED)
    with pytest.raises(Conflict, match="没有退赛"):
        reinstate(acting=made.owner, entrant=entrant)


@pytest.mark.django_db
def test_who_has_withdrawn_is_not_drawn() -> None:
    made = make(10)
    withdraw_before_draw(acting=made.owner, entrant=made.event.entrants.get(entry__number=4))
    drawn = draw(made)
    assert len(drawn.lines.splitlines()) == 9
    assert not any(line.startswith("4\t") for line in drawn.lines.splitlines())


@pytest.mark.django_db
def test_check_in_is_a_time_and_is_taken_back() -> None:
    """C1.2."""
    made = make(1)
    entry = Entry.objects.get()
    referee = make_acting(made.competition, Role.REFEREE)
    assert check_in(acting=referee, entry=entry).is_checked_in
    assert not check_in(acting=referee, entry=entry, here=False).is_checked_in
    with pytest.raises(NotAllowed):
        check_in(acting=make_acting(made.competition), entry=entry)


@pytest.mark.django_db
def test_entry_is_corrected_and_found_by_its_new_name() -> None:
    made = make(3)
    entrant = made.event.entrants.get(entry__number=1)
    change_entry(
        acting=made.owner, entrant=entrant, name="秦国栋", unit="象山区", number=8, seed=1,
        phone="13800138000",
    )  # fmt: skip
    entry = Entry.objects.get(number=8)
    assert (entry.name, entry.unit, entry.person.reading) == ("秦国栋", "象山区", "qinguodong qgd")
    assert entry.person.phone == "13800138000"
    other = made.event.entrants.get(entry__number=2)
    for number, seed, code in ((8, None, "number-taken"), (2, 1, "seed-taken")):
        with pytest.raises(DomainError) as refusal:
            change_entry(
                acting=made.owner, entrant=other, name="某", unit="", number=number, seed=seed
            )
        assert refusal.value.code == code


@pytest.mark.django_db
def test_names_are_corrected_after_the_draw_but_numbers_are_not() -> None:
    """C4.1: what the draw hashed stays in its own row."""
    made = make(3)
    draw(made)
    entrant = made.event.entrants.get(entry__number=1)
    change_entry(acting=made.owner, entrant=entrant, name="改名", unit="改", number=1)
    with pytest.raises(ListFrozen):
        change_entry(acting=made.owner, entrant=entrant, name="改名", unit="改", number=77)
    with pytest.raises(ListFrozen):
        add_pasted(acting=made.owner, event=made.event, text="迟来")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("search", "numbers"),
    [
        ("", [1, 2, 3]),
        ("2", [2]),
        ("秀", [2]),
        ("yangxiu", [2]),
        ("YXY", [2]),
        ("灵川", [1]),
        ("唐　明", [3]),
        ("没有", []),
    ],
)
def test_entries_are_found_by_number_name_pinyin_and_unit(search: str, numbers: list[int]) -> None:
    made = make()
    add_pasted(
        acting=made.owner, event=made.event, text="莫家骏 灵川县\n阳秀英 临桂区\n唐明 象山区"
    )
    assert [entry.number for entry in entries_of(made.event, search)] == numbers


@pytest.mark.django_db
def test_entries_are_filtered_by_what_is_still_to_do() -> None:
    made = make()
    made.competition.capacity = 3
    made.competition.save()
    add_pasted(acting=made.owner, event=made.event, text="甲某\n乙某\n丙某\n丁某")
    check_in(acting=made.owner, entry=Entry.objects.get(number=2))
    withdraw_before_draw(acting=made.owner, entrant=made.event.entrants.get(entry__number=1))
    add_pasted(acting=made.owner, event=made.event, text="戊某")

    def found(only: str) -> list[int | None]:
        return [entry.number for entry in entries_of(made.event, "", only)]

    assert found("waiting") == [5]
    assert found("absent") == [3, 4]
    assert found("left") == [1]


@pytest.mark.django_db
@pytest.mark.parametrize("role", [Role.CHIEF, Role.REFEREE])
def test_only_organizers_change_the_list(role: Role) -> None:
    made = make(1)
    acting = make_acting(made.competition, role)
    with pytest.raises(NotAllowed):
        add_pasted(acting=acting, event=made.event, text="某某")
    with pytest.raises(NotAllowed):
        add_entry(acting=acting, event=made.event, name="某某")


@pytest.mark.django_db
def test_chief_referee_may_withdraw_somebody_before_the_draw_and_a_referee_may_not() -> None:
    """C7.3: withdraw, planned, O C."""
    made = make(1)
    entrant = made.event.entrants.get()
    with pytest.raises(NotAllowed):
        withdraw_before_draw(acting=make_acting(made.competition, Role.REFEREE), entrant=entrant)
    withdraw_before_draw(acting=make_acting(made.competition, Role.CHIEF), entrant=entrant)
    entrant.refresh_from_db()
    assert entrant.status == EntrantStatus.WITHDRAWN
