"""Calendar files (RFC 5545): exact bytes, for a competition and for an entrant."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests.scoring.public_pages import drafted, forget, published, stranger
from tests.tournament.competitions import Made, draw, make
from tournament.domain.starting import start_table
from tournament.exports.icalendar import Day, Happening, Span, calendar
from tournament.models import Competition, Entrant

MADE = datetime(2026, 12, 1, 1, 2, 3, tzinfo=UTC)
START = datetime(2026, 12, 5, 1, tzinfo=UTC)
"""Nine in the morning at Guilin."""


def lines_of(*happenings: Happening, name: str = "漓江杯") -> list[str]:
    text = calendar(name, happenings, made_at=MADE)
    assert text.endswith("\r\n")
    assert "\n" not in text.replace("\r\n", "")
    return text.split("\r\n")[:-1]


def test_a_file_without_events_is_still_a_calendar() -> None:
    assert lines_of() == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Duozhu//zipai tournaments//ZH",
        "X-WR-CALNAME:漓江杯",
        "END:VCALENDAR",
    ]


def test_days_end_on_the_day_after_the_last() -> None:
    """RFC 5545, 3.6.1: DTEND is exclusive."""
    event = Happening("c@duozhu", Day(date(2026, 12, 30), date(2026, 12, 31)), "赛")
    assert lines_of(event)[4:-1] == [
        "BEGIN:VEVENT",
        "UID:c@duozhu",
        "DTSTAMP:20261201T010203Z",
        "DTSTART;VALUE=DATE:20261230",
        "DTEND;VALUE=DATE:20270101",
        "SUMMARY:赛",
        "END:VEVENT",
    ]


@pytest.mark.parametrize(("minutes", "end"), [(50, ["DTEND:20261205T015000Z"]), (None, [])])
def test_times_are_utc(minutes: int | None, end: list[str]) -> None:
    local = START.astimezone(timezone(timedelta(hours=8)))
    event = Happening("t@duozhu", Span(local, minutes), "赛", "文化馆", "https://a.example/t")
    assert lines_of(event)[6:-2] == [
        "DTSTAMP:20261201T010203Z",
        "DTSTART:20261205T010000Z",
        *end,
        "SUMMARY:赛",
        "LOCATION:文化馆",
        "URL:https://a.example/t",
    ]


def test_text_is_escaped() -> None:
    """RFC 5545, 3.3.11: nothing that is typed begins a line of its own."""
    event = Happening("t", Span(START, None), "a,b;c\\d\r\nBEGIN:VEVENT")
    assert "SUMMARY:a\\,b\\;c\\\\d\\nBEGIN:VEVENT" in lines_of(event)


@pytest.mark.parametrize("letter", ["a", "é", "漓", "𠀀"])
def test_long_lines_are_folded_at_75_octets_between_characters(letter: str) -> None:
    """RFC 5545, 3.1."""
    event = Happening("t", Span(START, None), letter * 200)
    text = calendar("c", [event], made_at=MADE)
    lines = text.split("\r\n")
    assert max(len(line.encode()) for line in lines) <= 75
    size = len(letter.encode())
    pieces = [line for line in lines if line.startswith(" ")]
    wide = 1 + 74 // size * size
    assert {len(line.encode()) for line in pieces[:-1]} == {wide}
    assert f"SUMMARY:{letter * 200}\r\n" in text.replace("\r\n ", "")


def file_of(made: Made, entrant: Entrant | None = None) -> str:
    """The file as it is got, folded lines joined."""
    code = made.competition.code
    args = [code, entrant.pk] if entrant else [code]
    response = stranger(reverse("entrant_calendar" if entrant else "calendar", args=args))
    assert response["Content-Type"] == "text/calendar; charset=utf-8"
    which = f"{code}-{entrant.pk}" if entrant else code
    assert response["Content-Disposition"] == f'attachment; filename="{which}.ics"'
    return response.content.decode().replace("\r\n ", "")


@pytest.mark.django_db
def test_competition_without_times_is_its_days() -> None:
    made = drafted(3)
    Competition.objects.filter(pk=made.competition.pk).update(
        ends_on=date(2026, 12, 6), place="榕湖边，文化馆"
    )
    code = made.competition.code
    with time_machine.travel(MADE, tick=False):
        text = file_of(made)
    assert text.split("\r\n")[4:] == [
        "BEGIN:VEVENT",
        f"UID:{code}@duozhu",
        "DTSTAMP:20261201T010203Z",
        "DTSTART;VALUE=DATE:20261205",
        "DTEND;VALUE=DATE:20261207",
        "SUMMARY:漓江杯",
        "LOCATION:榕湖边，文化馆",
        f"URL:http://testserver/c/{code}/",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]


@pytest.mark.django_db
def test_published_tables_with_a_time_are_one_event_each() -> None:
    made = published(9)
    made.stage.rounds.filter(number=1).update(public_starts_at=START, minutes=50)
    text = file_of(made)
    assert text.count("BEGIN:VEVENT") == 3
    assert text.count("DTSTART:20261205T010000Z\r\nDTEND:20261205T015000Z\r\n") == 3
    for table in made.tables(1):
        assert f"UID:{made.competition.code}-table-{table.pk}@duozhu" in text
        assert f"SUMMARY:漓江杯 · 第 1 轮 · 第 {table.number} 桌\r\n" in text
        assert f"/table/{table.pk}/\r\n" in text
    assert file_of(made).count("UID:") == 3
    assert "选手" not in text


@pytest.mark.django_db
def test_table_that_runs_begins_when_it_began() -> None:
    made = published(9)
    table = made.tables(1)[0]
    with time_machine.travel(START + timedelta(minutes=7), tick=False):
        start_table(acting=made.owner, table=table)
    text = file_of(made)
    assert text.count("BEGIN:VEVENT") == 1
    assert "DTSTART:20261205T010700Z" in text


@pytest.mark.django_db
def test_entrants_file_has_his_tables_and_seats_only() -> None:
    made = published(9)
    made.stage.rounds.update(public_starts_at=START)
    table = made.tables(1)[1]
    seat = table.seats.select_related("entrant__entry__person").get(position=2)
    assert seat.entrant is not None
    text = file_of(made, seat.entrant)
    assert text.count("BEGIN:VEVENT") == 1
    assert f"X-WR-CALNAME:漓江杯 · {seat.entrant.name}\r\n" in text
    assert f"SUMMARY:漓江杯 · 第 1 轮 · 第 {table.number} 桌 · 丙座\r\n" in text
    assert f"UID:{made.competition.code}-table-{table.pk}@duozhu" in text


@pytest.mark.django_db
def test_drafts_are_in_no_calendar() -> None:
    """C7.4."""
    made = drafted(9)
    draw(made)
    made.stage.rounds.update(public_starts_at=START)
    assert "VALUE=DATE" in file_of(made)
    assert "VALUE=DATE" in file_of(made, made.event.entrants.first())


@pytest.mark.django_db
def test_masked_names_are_masked_in_the_file_too() -> None:
    made = published(3)
    Competition.objects.update(mask_names=True)
    text = file_of(made, made.event.entrants.get(entry__number=1))
    assert "X-WR-CALNAME:漓江杯 · 选*1\r\n" in text


@pytest.mark.django_db
def test_files_of_nobody_and_of_drafts_are_not_found() -> None:
    made = published(3)
    unknown = reverse("entrant_calendar", args=[made.competition.code, 99_999])
    assert stranger(unknown).status_code == 404
    assert stranger(reverse("calendar", args=[make(3).competition.code])).status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("entrants", [9, 27])
def test_files_need_few_queries(
    entrants: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    made = published(entrants)
    made.stage.rounds.update(public_starts_at=START)
    entrant = made.event.entrants.first()
    assert entrant is not None
    code = made.competition.code
    forget()
    with django_assert_num_queries(4):
        Client().get(reverse("calendar", args=[code]))
    with django_assert_num_queries(6):
        Client().get(reverse("entrant_calendar", args=[code, entrant.pk]))
