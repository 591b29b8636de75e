"""The schedule's pages: forms without scripts, leaks of a draft, query budgets."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from core.models import User
from tests.scoring.public_pages import drafted, forget, page, published, stranger, text_of
from tests.scoring.public_pages import publish as show
from tests.tournament.competitions import Made, draw, make, make_published
from tests.tournament.schedules import (
    furnish,
    hour,
    plan,
    publish,
    referee,
    room,
    rounds_of,
    tables_of,
)
from tournament.domain.arranging import arrange_table, move_batch
from tournament.domain.draws import publish_draw
from tournament.models import Room, SchedulePublication, Session, Table

pytestmark = pytest.mark.django_db

MOST_QUERIES = 26


def owner(made: Made) -> Client:
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id))
    return client


def url(made: Made, name: str, *args: object) -> str:
    return reverse(name, args=[made.competition.code, *args])


def read(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return text_of(response.content.decode())


def test_from_an_empty_hall_to_a_published_version_by_forms_alone() -> None:
    made = published(9)
    client = owner(made)
    venue = url(made, "manage_venue")
    wrong = client.post(venue, {"do": "room", "room-name": "大厅", "room-places": "0"})
    assert wrong.status_code == 400
    assert 'value="大厅"' in wrong.content.decode()
    room_data = {"do": "room", "room-name": "大厅", "room-places": "5", "room-first_place": "11"}
    assert client.post(venue, room_data).status_code == 302
    session = {"do": "session", "session-name": "上午", "session-begins_at": "2026-12-05T09:00",
               "session-ends_at": "2026-12-05T12:00"}  # fmt: skip
    assert client.post(venue, session).status_code == 302
    assert Session.objects.get().begins_at == hour(0)
    hall = Room.objects.get()
    assert f'value="{hall.pk}"' in client.get(f"{venue}?room={hall.pk}").content.decode()
    text = read(client, venue)
    assert "11–15 台" in text
    assert "12-05 09:00 – 12-05 12:00" in text
    home = url(made, "manage_schedule")
    assert client.post(url(made, "manage_schedule_propose")).status_code == 302
    text = read(client, home)
    assert "排好了，改动 4 桌。" in text
    assert "12-05 周六 · 上午" in text or "上午" in text
    assert "没有冲突" in text
    assert "还没有公布" in text
    assert client.post(url(made, "manage_schedule_publish"), {"note": "首版"}).status_code == 302
    assert "大家现在看到的是第 1 版" in read(client, home)
    table = tables_of(made)[0]
    at = url(made, "manage_schedule_round", table.round_id)
    form = client.get(f"{at}?table={table.pk}").content.decode()
    assert "12 台（与第 2 桌换）" in form
    moved = client.post(
        url(made, "manage_schedule_table", table.pk),
        {"batch": "1", "spot": f"{hall.pk}-12", "referee": ""},
    )
    assert moved.headers["Location"] == f"{at}#table-{table.pk}"
    assert "第 2 桌跟着换了" in read(client, at)
    text = read(client, home)
    assert "第 1 轮第 1 桌：大厅 11 台 → 大厅 12 台" in text
    batch = url(made, "manage_schedule_batch", table.round_id, 1)
    day = Session.objects.get()
    assert client.post(batch, {"session": day.pk, "starts_at": "?"}).status_code == 400
    assert client.post(batch, {"session": day.pk, "starts_at": ""}).status_code == 302
    assert client.post(venue, {"do": "remove-room", "pk": hall.pk}).status_code == 302
    assert not Room.objects.exists()
    assert client.post(venue, {"do": "remove-room", "pk": hall.pk}).status_code == 404


def test_referees_units_and_absences_by_forms() -> None:
    made = make_published(9)
    judge = referee(made, "李裁判")
    client, address = owner(made), url(made, "manage_referees")
    assert (
        client.post(address, {"do": "units", "pk": judge.pk, "units": "甲队\n乙队"}).status_code
        == 302
    )
    late = {
        "do": "away",
        "pk": judge.pk,
        "begins_at": "2026-12-05T12:00",
        "ends_at": "2026-12-05T10:00",
    }
    assert client.post(address, late).status_code == 400
    assert client.post(address, {**late, "ends_at": "2026-12-05T13:00"}).status_code == 302
    text = read(client, address)
    assert re.search(r"李裁判 裁判 · 甲队 ?、 ?乙队 · 12-05 12:00–12-05 13:00 不在", text)
    away = judge.away.get()
    assert client.post(address, {"do": "away-back", "pk": away.pk}).status_code == 302
    assert not judge.away.exists()
    assert client.post(address, {"do": "away-back", "pk": away.pk}).status_code == 404


def test_publishing_what_clashes_asks_for_a_tick() -> None:
    made = make_published(9)
    furnish(made)
    plan(made)
    Table.objects.filter(round__number=1).update(place=1)
    client, address = owner(made), url(made, "manage_schedule_publish")
    refused = client.post(address, {"note": "先这样"})
    assert refused.status_code == 400
    html = refused.content.decode()
    assert "日程里还有冲突" in html
    assert 'value="先这样"' in html
    assert "给了两桌" in html
    assert not SchedulePublication.objects.exists()
    assert client.post(address, {"note": "先这样", "seen": "on"}).status_code == 302
    times = client.post(
        url(made, "manage_times"),
        {**{f"round_{one.pk}": "" for one in rounds_of(made)}, "publish": "1"},
    )
    assert times.status_code == 302


def test_versions_are_compared_restored_and_published_again() -> None:
    made = make_published(9)
    furnish(made)
    plan(made)
    one = publish(made)
    final = rounds_of(made)[1]
    move_batch(acting=made.owner, round_=final, session=None, starts_at=hour(5))
    publish(made, "决赛改下午")
    client, address = owner(made), url(made, "manage_schedule_versions")
    assert "没有差别" in read(client, address)
    text = read(client, f"{address}?from=1&to=2")
    assert "决赛第 1 桌：12-05 10:00 → 12-05 14:00" in text
    assert client.post(url(made, "manage_schedule_version", one.pk)).status_code == 302
    assert rounds_of(made)[1].starts_at == hour(1)
    assert rounds_of(made)[1].public_starts_at == hour(5)
    again = url(made, "manage_schedule_version", one.pk)
    assert client.post(again, {"again": "1"}).status_code == 302
    assert rounds_of(made)[1].public_starts_at == hour(1)
    assert "重新公布第 1 版" in read(client, address)
    assert read(client, url(made, "manage_schedule_paper")).count("一号厅") == 4


def test_everybody_sees_the_last_version_by_session_event_and_entrant() -> None:
    made = published(9)
    furnish(made)
    plan(made)
    address = url(made, "schedule")
    assert "日程还没有公布" in page(address)
    publish(made, "首版")
    text = page(address)
    assert "第 1 版" in text
    assert "首版" in text
    assert "12-05" in text
    assert "09:00 第 1 轮 第 1 桌 一号厅 1 台" in text
    assert "改时间" not in text
    move_batch(acting=made.owner, round_=rounds_of(made)[1], session=None, starts_at=hour(5))
    assert "14:00" not in page(address)
    publish(made)
    text = page(address)
    assert "14:00 决赛 第 1 桌 一号厅 1 台 ◐ 改时间" in text
    assert "比上一版改了 1 桌" in text
    entrant = tables_of(made)[1].seats.get(position=0).entrant
    own = page(f"{address}?entrant={entrant.pk}")
    assert "第 2 桌" in own
    assert "第 1 桌" not in own
    assert "第 2 桌" in page(f"{address}?event={made.event.pk}")
    for query in ("event=999999", "entrant=999999", "event=x"):
        assert stranger(f"{address}?{query}").status_code == 404
    client = owner(made)
    assert client.post(url(made, "manage_times_unpublish")).status_code == 302
    assert "日程还没有公布" in page(address)


def test_published_room_and_place_are_on_the_public_pages_and_in_calendars() -> None:
    made = published(9)
    furnish(made)
    plan(made)
    publish(made)
    table = tables_of(made)[1]
    entrant = table.seats.get(position=0).entrant
    assert "一号厅 2 台" in page(url(made, "table", table.pk))
    assert "一号厅 2 台" in page(url(made, "bracket", made.event.pk))
    assert "一号厅 2 台" in page(url(made, "entrant", entrant.pk))
    calendar = stranger(url(made, "entrant_calendar", entrant.pk)).content.decode()
    assert "LOCATION:一号厅 2 台" in calendar.replace("\r\n ", "")


def test_later_batch_has_its_own_time_everywhere() -> None:
    made = published(9)
    furnish(made, places=2)
    plan(made)
    publish(made)
    late = tables_of(made)[2]
    entrant = late.seats.get(position=0).entrant
    assert "12-05 10:00" in page(url(made, "entrant", entrant.pk))
    calendar = stranger(url(made, "calendar")).content.decode()
    assert calendar.count("DTSTART:20261205T010000Z") == 2
    assert "DTSTART:20261205T020000Z" in calendar


def test_nothing_of_a_draft_is_on_a_public_page() -> None:
    """Rooms, places, times and referees that are planned, of a draw that is out or not."""
    made = drafted(9)
    draw(made)
    hall = room(made, 7, "秘密厅", 771)
    judge = referee(made, "秘密裁判")
    plan(made)
    for table in Table.objects.filter(round__stage=made.stage):
        arrange_table(acting=made.owner, table=table, batch=table.batch, room=hall,
                      place=770 + table.number, referee=judge)  # fmt: skip
    for round_ in rounds_of(made):
        move_batch(acting=made.owner, round_=round_, session=None, starts_at=hour(14.78))
    show(made.competition)
    secrets = ["秘密", "771", "772", "23:46", "T154648Z"]
    assert_silent(made, secrets)
    publish_draw(acting=made.owner, stage=made.stage)
    assert_silent(made, secrets)
    draft = draw(made, words="再来一次", reason="名单有误")
    publish(made)
    assert_silent(made, [*secrets, str(draft.seed)])
    publish_draw(acting=made.owner, stage=made.stage)
    assert_silent(made, ["秘密裁判"])


def assert_silent(made: Made, secrets: list[str]) -> None:
    entrant = made.event.entrants.first()
    assert entrant is not None
    tables = list(Table.objects.filter(round__stage=made.stage))
    addresses = [
        *(url(made, name) for name in ("competition", "competition_live", "schedule",
                                       "schedule_live", "calendar", "entrants")),
        *(url(made, name, made.event.pk) for name in ("bracket", "bracket_live", "standings")),
        *(url(made, name, entrant.pk) for name in ("entrant", "entrant_live",
                                                   "entrant_calendar")),
        *(url(made, "table", table.pk) for table in tables),
        f"{url(made, 'schedule')}?entrant={entrant.pk}",
    ]  # fmt: skip
    for address in addresses:
        text = re.sub("[0-9a-f]{64}", "", stranger(address).content.decode())
        for secret in secrets:
            assert secret not in text, (address, secret)


@pytest.mark.parametrize("name", ["manage_schedule", "manage_schedule_round", "schedule",
                                  "manage_schedule_paper", "manage_schedule_versions",
                                  "manage_referees", "manage_venue"])  # fmt: skip
def test_pages_take_as_many_queries_for_81_tables_as_for_3(name: str) -> None:
    counts = []
    for entrants in (9, 243):
        made = published(entrants)
        furnish(made, places=3 if entrants == 9 else 81, referees=3 if entrants == 9 else 20)
        plan(made)
        publish(made)
        args = [rounds_of(made)[0].pk] if name == "manage_schedule_round" else []
        client = owner(made)
        address = url(made, name, *args)
        client.get(address)
        forget()
        with CaptureQueriesContext(connection) as seen:
            assert client.get(address).status_code == 200
        counts.append(len(seen))
    assert counts[0] == counts[1] <= MOST_QUERIES


def test_a_page_of_81_tables_is_light_and_one_form_is_open_at_a_time() -> None:
    """A select of 81 places for each of 81 tables would be half a megabyte."""
    made = make_published(243)
    furnish(made, places=81)
    plan(made)
    first = tables_of(made)[0]
    address = url(made, "manage_schedule_round", first.round_id)
    html = owner(made).get(f"{address}?table={first.pk}").content.decode()
    assert html.count("<option") < 120
    assert len(html) < 150_000


def test_writing_takes_a_constant_number_of_statements() -> None:
    counts = []
    for entrants in (9, 243):
        made = make_published(entrants)
        furnish(made, places=81)
        with CaptureQueriesContext(connection) as seen:
            plan(made)
            publish(made)
        counts.append(len(seen))
    assert counts[1] <= counts[0] + 4


def test_no_rounds_yet_says_what_to_do() -> None:
    made = make(9)
    assert "抽签以后" in read(owner(made), url(made, "manage_schedule"))


def test_a_referee_sees_his_own_published_tables_first_on_his_desk() -> None:
    """Not what is planned for him, and not those of another."""
    made = published(9)
    judge, other = referee(made, "李裁判"), referee(made, "王裁判")
    furnish(made, referees=0)
    plan(made)
    first, second = tables_of(made)[:2]
    Table.objects.filter(pk=first.pk).update(referee=judge)
    Table.objects.filter(pk=second.pk).update(referee=other)
    client = Client()
    client.force_login(judge.user)
    desk = url(made, "desk")
    assert "我的场次" not in read(client, desk)
    publish(made)
    text = read(client, desk)
    assert "我的场次 12-05 09:00 个人赛 第 1 轮 第 1 桌 一号厅 1 台" in text
    assert text.count("09:00") == 1
    calls = read(client, url(made, "call_list", first.round_id))
    assert "第 1 桌 · 一号厅 1 台" in calls
    cards = owner(made).post(url(made, "manage_table_cards", 1), {"first": 1, "last": 3})
    assert "1 桌 · 一号厅 1 台" in text_of(cards.content.decode())
