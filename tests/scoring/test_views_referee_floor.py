"""The desk as the chief referee's overview, the bell, calls and the roll in the browser."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from core.domain import versions
from core.models import AuditRow
from scoring.domain.bells import call_time_everywhere, uncall_time_everywhere
from scoring.domain.sheets import call_time, open_sheets
from scoring.models import Hand, HandVersion, Sheet
from scoring.overview import chosen, tally
from scoring.queries_desk import desk_rounds
from tests.factories import make_entrant, make_hand, make_round, make_stage, make_table
from tests.scoring.clients import member, publish, url, with_link
from tests.scoring.public_pages import page, text_of
from tests.scoring.sheets import Hall, make_hall
from tournament.domain.clock import give_time, start_clock
from tournament.enums import Role, State
from tournament.models import Call, Round, Table
from tournament.permissions import NotAllowed

pytestmark = pytest.mark.django_db

NINE = datetime(2026, 12, 5, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def hall() -> Hall:
    """Three running tables of four hands, with 1, 3 and 3 of them played."""
    made = make_hall()
    for _table in range(2):
        make_table(made.table.round)
    tables = made.table.round.tables
    tables.update(state=State.RUNNING)
    Round.objects.update(state=State.RUNNING)
    for sheet, hands in zip(open_sheets(list(tables.order_by("number"))), (1, 3, 3), strict=True):
        for _hand in range(hands):
            make_hand(sheet, 2, -1, -1)
    return made


def tables_of(hall: Hall) -> list[Table]:
    return list(Table.objects.filter(round=hall.table.round_id).order_by("number"))


def shown(hall: Hall, only: str = "", sort: str = "") -> list[int]:
    """The numbers of the tables in the order of the desk."""
    now = datetime.now(UTC)
    groups = chosen(desk_rounds(hall.competition, hall.chief), now, only, sort)
    return [line.table.number for group in groups for line in group.tables]


def counts(hall: Hall) -> dict[str, int]:
    rounds = desk_rounds(hall.competition, hall.chief)
    return {one.key: one.count for one in tally(rounds, datetime.now(UTC))}


def test_overview_counts_chooses_and_orders_tables(hall: Hall) -> None:
    one, two, three = tables_of(hall)
    assert counts(hall) == {"behind": 1, "playing": 3}
    assert shown(hall, only="behind") == [1]
    Table.objects.filter(pk=one.pk).update(number=9)
    assert shown(hall) == [2, 3, 9]
    assert shown(hall, sort="behind") == [9, 2, 3]
    assert shown(hall, only="what", sort="ever") == [2, 3, 9]
    HandVersion.objects.filter(hand__sheet__table=two, hand__number=1).update(is_flagged=True)
    Sheet.objects.filter(table=three).update(state="submitted")
    Call.objects.create(table=one, kind="cards", called_at=NINE)
    with time_machine.travel(NINE, tick=False):
        start_clock(acting=hall.chief, round_=hall.table.round, minutes=50)
    give_time(acting=hall.chief, round_=hall.table.round, tables=[two.pk], minutes=5, reason="停电")
    with time_machine.travel(NINE + 52 * MINUTE, tick=False):
        assert counts(hall) == {
            "call": 1, "flagged": 1, "submitted": 1, "over": 1, "behind": 1, "extra": 1,
            "playing": 2,
        }  # fmt: skip
        assert shown(hall, only="over") == [9]
        assert shown(hall, sort="left") == [9, 2, 3]
        client = member(hall, Role.CHIEF)
        desk = reverse("desk", args=[hall.competition.code])
        html = client.get(desk, {"only": "flagged", "sort": "left"}).content.decode()
    assert "?only=call&amp;sort=left" in html
    assert re.findall(r'<th scope="row"><a [^>]*>(\d+)', html) == ["2"]
    assert 'data-clock="2026-12-05T09:55:00+08:00"' in html
    assert 'data-now="2026-12-05T09:52:00+08:00"' in html
    assert "打到 09:55" in text_of(html)
    assert "请判罚" not in html
    assert "牌有问题" in html


def test_poll_of_the_desk_is_empty_until_something_on_it_changes(hall: Hall) -> None:
    client = member(hall, Role.REFEREE)
    live = reverse("desk_live", args=[hall.competition.code])
    link = with_link(hall, Role.TABLE, table=hall.table)
    with time_machine.travel(NINE, tick=False):
        version = client.get(live)["X-Version"]
        assert client.get(live, {"v": version}).status_code == 204
        for change in (
            lambda: link.post(url(hall, "call_referee"), {"kind": "cards"}),
            lambda: hall.enter({"source": "draw"}),
            lambda: start_clock(acting=hall.chief, round_=hall.table.round, minutes=50),
            lambda: client.post(
                reverse("call_list", args=[hall.competition.code, hall.table.round_id]),
                {"away": hall.table.seats.get(position=0).pk},
            ),
        ):
            change()
            answer = client.get(live, {"v": version})
            assert answer.status_code == 200
            assert answer["X-Version"] != version
            version = answer["X-Version"]
    assert "<html" not in answer.content.decode()
    assert "缺 1 人" in answer.content.decode()
    with time_machine.travel(NINE + MINUTE, tick=False):
        assert client.get(live, {"v": version}).status_code == 200


def test_desk_of_81_tables_needs_eleven_queries(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    hall = make_hall()
    round_ = make_round(make_stage(hall.table.round.stage.event, kind="prelim", advance=0))
    Round.objects.filter(pk=round_.pk).update(state=State.RUNNING)
    entrants = [make_entrant(hall.table.round.stage.event, f"人{k}") for k in range(3)]
    tables = Table.objects.bulk_create(
        Table(round=round_, number=n, state=State.RUNNING) for n in range(1, 81)
    )
    make_table(round_, entrants=list(entrants), number=81, state=State.RUNNING)
    sheets = Sheet.objects.bulk_create(Sheet(table=table, hands_planned=4) for table in tables)
    hands = Hand.objects.bulk_create(Hand(sheet=sheet, number=1) for sheet in sheets)
    HandVersion.objects.bulk_create(
        HandVersion(hand=hand, version=1, evidence="totals", is_flagged=True) for hand in hands
    )
    Call.objects.bulk_create(Call(table=table, kind="cards", called_at=NINE) for table in tables)
    start_clock(acting=hall.chief, round_=round_, minutes=50)
    client = member(hall, Role.CHIEF)
    address = reverse("desk", args=[hall.competition.code])
    with django_assert_max_num_queries(11):
        html = client.get(address).content.decode()
    assert html.count('class="primary" id="answer-') == 80
    live = reverse("desk_live", args=[hall.competition.code])
    version = re.search(r'data-version="([^"]+)"', html)
    assert version is not None
    versions.forget()
    with django_assert_max_num_queries(5):
        client.get(live, {"v": version[1]})


def test_bell_of_the_round_leaves_who_has_extra_time(hall: Hall) -> None:
    """C6.4: the chief referee calls time everywhere; nothing happens by itself before."""
    one, two, three = tables_of(hall)
    round_ = hall.table.round
    Sheet.objects.filter(table=three).update(state="submitted")
    with time_machine.travel(NINE, tick=False):
        start_clock(acting=hall.chief, round_=round_, minutes=50)
    give_time(acting=hall.chief, round_=round_, tables=[two.pk], minutes=5, reason="停电")
    with pytest.raises(NotAllowed):
        call_time_everywhere(acting=hall.referee, round_=round_)
    with time_machine.travel(NINE + 51 * MINUTE, tick=False):
        assert [table.called_at for table in tables_of(hall)] == [None, None, None]
        answer = member(hall, Role.CHIEF).post(
            reverse("round_bell", args=[hall.competition.code, round_.pk]), follow=True
        )
        assert "1 桌已到点" in answer.content.decode()
        assert "1 桌有加时，接着打。" in answer.content.decode()
        assert [bool(table.called_at) for table in tables_of(hall)] == [True, False, False]
    with time_machine.travel(NINE + 55 * MINUTE, tick=False):
        assert call_time_everywhere(acting=hall.chief, round_=round_).called == (two.pk,)
    assert [row.data["tables"] for row in AuditRow.objects.filter(action="round.call-time")] == [
        [one.pk], [two.pk],
    ]  # fmt: skip


def test_bell_of_the_round_is_taken_back_where_nothing_was_submitted(hall: Hall) -> None:
    """C9.5: in one step; a table called by itself stays called."""
    one, two, three = tables_of(hall)
    round_ = hall.table.round
    args = [hall.competition.code, round_.pk]
    call_time(acting=hall.chief, sheet=Sheet.objects.get(table=one))
    chief = member(hall, Role.CHIEF)
    assert call_time_everywhere(acting=hall.chief, round_=round_).called == (two.pk, three.pk)
    Sheet.objects.filter(table=three).update(state="submitted")
    assert "全场已到点：1 桌" in text_of(
        chief.get(reverse("round_clock", args=args)).content.decode()
    )
    with pytest.raises(NotAllowed):
        uncall_time_everywhere(acting=hall.referee, round_=round_)
    assert uncall_time_everywhere(acting=hall.chief, round_=round_) == (two.pk,)
    assert [bool(table.called_at) for table in tables_of(hall)] == [True, False, True]
    assert chief.post(reverse("round_bell_back", args=args)).status_code == 409
    assert call_time_everywhere(acting=hall.chief, round_=round_).called == (two.pk,)
    assert chief.post(reverse("round_bell_back", args=args)).status_code == 302
    assert [bool(table.called_at) for table in tables_of(hall)] == [True, False, True]


def test_table_calls_and_a_referee_answers_by_one_tap(hall: Hall) -> None:
    at_table = with_link(hall, Role.TABLE, table=hall.table)
    call, sheet = url(hall, "call_referee"), url(hall, "sheet")
    assert call in at_table.get(sheet).content.decode()
    refused = at_table.post(call, {"text": "少一张"})
    assert refused.status_code == 422
    assert 'value="少一张"' in refused.content.decode()
    assert at_table.post(call, {"kind": "cards", "text": "少一张"}).status_code == 302
    assert "取消呼叫" in at_table.get(sheet).content.decode()
    referee = member(hall, Role.REFEREE)
    desk = reverse("desk", args=[hall.competition.code])
    html = referee.get(desk).content.decode()
    assert "牌有问题 少一张" in text_of(html)
    assert text_of(html).index("我去") < text_of(html).index("等着处理")
    assert "这一桌在呼叫裁判" in referee.get(sheet).content.decode()
    found = Call.objects.get()
    answer = reverse("call_answer", args=[hall.competition.code, found.pk])
    assert answer in html
    html = referee.post(answer, follow=True).content.decode()
    assert "已接，请到那一桌去。" in html
    assert "牌有问题" not in html
    referee.post(reverse("call_reopen", args=[hall.competition.code, found.pk]))
    assert "牌有问题" in referee.get(desk).content.decode()
    at_table.post(url(hall, "call_back"))
    assert "牌有问题" not in referee.get(desk).content.decode()
    own = with_link(hall, Role.ENTRANT, entrant=hall.entrants[1])
    own.post(call, {"kind": "absent"})
    assert "缺人 选手2" in text_of(referee.get(desk).content.decode())


def test_clock_is_on_every_page_of_a_table_and_kept_typed_where_wrong(hall: Hall) -> None:
    publish(hall)
    chief = member(hall, Role.CHIEF)
    code, round_ = hall.competition.code, hall.table.round
    clock = reverse("round_clock", args=[code, round_.pk])
    extra = reverse("clock_extra", args=[code, round_.pk])
    wrong = chief.post(clock, {"minutes": "601"})
    assert wrong.status_code == 422
    assert 'value="601"' in wrong.content.decode()
    with time_machine.travel(NINE, tick=False):
        assert chief.post(clock, {"minutes": "50"}).status_code == 302
    wrong = chief.post(extra, {"table": "all", "extra": "5", "reason": ""})
    assert wrong.status_code == 422
    assert 'value="5"' in wrong.content.decode()
    sent = {"table": str(hall.table.pk), "extra": "5", "reason": "停电"}
    assert chief.post(extra, sent).status_code == 302
    for html in (
        page(reverse("table", args=[code, hall.table.pk])),
        text_of(
            with_link(hall, Role.TABLE, table=hall.table).get(url(hall, "sheet")).content.decode()
        ),
    ):
        assert "打到 09:55 已加 5 分钟" in html
    other = tables_of(hall)[1]
    assert "打到 09:50" in page(reverse("table", args=[code, other.pk]))
    shown = text_of(chief.get(clock).content.decode())
    assert "09:00 开始，打 50 分钟。" in shown
    assert "第 1 桌 · 加 5 分钟 停电" in shown
    Table.objects.filter(pk=hall.table.pk).update(called_at=NINE)
    assert "打到" not in page(reverse("table", args=[code, hall.table.pk]))


def test_roll_calls_out_who_is_missing(hall: Hall) -> None:
    referee = member(hall, Role.REFEREE)
    seats = list(hall.table.seats.order_by("position"))
    address = reverse("call_list", args=[hall.competition.code, hall.table.round_id])
    assert "没有要叫的人" in referee.get(address).content.decode()
    answer = referee.post(address, {"away": seats[0].pk})
    assert answer["Location"] == f"{address}#table-1"
    referee.post(address, {"here": f"{seats[1].pk} {seats[2].pk} "})
    shown = text_of(referee.get(address).content.decode())
    assert "请马上到座位 选手1 1 号 第 1 桌 甲" in shown
    assert "已看到 2 人，共 9 人。" in shown
    referee.post(address, {"here": seats[0].pk})
    shown = text_of(referee.get(address).content.decode())
    assert "没有要叫的人" in shown
    assert "迟到" in shown
