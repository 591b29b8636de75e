"""The pages of a correction's effects, of the history, and the buttons that take things back."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from core.models import User
from scoring.domain.closing import finalize_round
from scoring.domain.hands import Late, correct_hand, enter_hand, flag_hand
from scoring.domain.sheets import confirm_sheet, open_sheet, send_back, submit_sheet
from scoring.models import HandVersion, Sheet
from tests.scoring.clients import member, publish, url
from tests.scoring.public_pages import forget
from tests.scoring.sheets import WIN, make_hall, result, totals
from tests.tournament.competitions import Made, make_published
from tournament.domain.settings import set_play
from tournament.enums import ConfirmationMode, Role, State
from tournament.models import Seat, Table

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 12, 5, 4, tzinfo=UTC)


def text(client: Client, address: str) -> str:
    """What the page says, without tags."""
    answer = client.get(address)
    assert answer.status_code == 200
    return plain(answer.content.decode())


def plain(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def played_on() -> tuple[Made, Client, Table]:
    """Nine entrants, the final has a hand; the first table's 甲 went on."""
    made = make_published(9)
    set_play(acting=made.owner, stage=made.stage, values={"confirmation": ConfirmationMode.NONE})
    made.stage.rounds.update(hands=1)
    for table in made.tables(1):
        sheet = open_sheet(table)
        enter_hand(acting=made.owner, sheet=sheet, entered=totals(4, -1, -3))
        submit_sheet(acting=made.owner, sheet=sheet)
    (final,) = made.tables(2)
    enter_hand(acting=made.owner, sheet=open_sheet(final), entered=totals(1, -1, 0))
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id or 0))
    return made, client, made.tables(1)[0]


def test_effects_are_listed_and_the_chief_referee_chooses_replay() -> None:
    """C9.1: totals, places, who would go instead, tables that depend with their hands."""
    made, client, table = played_on()
    names = [seat.entrant.name for seat in table.seats.order_by("position") if seat.entrant]
    final = made.tables(2)[0]
    winner = final.seats.select_related("entrant__entry__person").get(position=0).entrant.name  # type: ignore[union-attr]
    address = reverse("hand_correct", args=[made.competition.code, table.pk, 1])
    data = {"evidence": "totals", "delta_0": "-3", "delta_1": "4", "delta_2": "-1", "hands": "1",
            "reason": "录像"}  # fmt: skip
    answer = client.post(address, data)
    assert answer.status_code == 409
    html = answer.content.decode()
    said = plain(html)
    assert f"{names[0]} +4 −3" in said
    assert f"{names[0]}：第 1 名 → 第 3 名" in said
    assert f"晋级的不再是{names[0]}，而是{names[1]}" in said
    assert "决赛 第 1 桌 已打 1 局" in said
    assert 'name="as_played" value="1"' in html
    assert 'name="replay" value="1"' in html
    sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', html))
    sent.pop("csrfmiddlewaretoken", None)
    again = {**sent, "reason": "录像看清", "replay": "1"}
    assert client.post(address, again).status_code == 302
    final.refresh_from_db()
    assert final.state == State.PUBLISHED
    assert Seat.objects.get(source=table).entrant == table.seats.get(position=1).entrant
    sheet_page = text(client, reverse("sheet", args=[made.competition.code, final.pk]))
    assert "这一桌重打：录像看清" in sheet_page
    history = client.get(reverse("sheet_history", args=[made.competition.code, final.pk]))
    said = plain(history.content.decode())
    assert "记第 1 局 已作废" in said
    assert "重打：以上都作废" in said
    assert history.content.decode().count('class="void"') == 2
    assert f"{winner} +1" in text(
        client, reverse("hand", args=[made.competition.code, final.pk, 1])
    )
    assert "录像看清" in said


def test_history_tells_each_step_as_a_difference(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    hall = make_hall(2)
    client = member(hall, Role.CHIEF)
    first = hall.enter(WIN)
    corrected = correct_hand(
        acting=hall.referee,
        hand=first.hand,
        entered=result({**WIN, "payer": "丙", "hu": 17}),
        late=Late("听错"),
    )
    flag_hand(acting=hall.referee, hand=corrected.hand, reason="乙不服")
    hall.enter(WIN)
    referee = User.objects.get(pk=hall.referee.user_id or 0).name
    page = text(client, url(hall, "hand", 1))
    assert "付：选手2 → 选手3" in page
    assert "胡数：16 → 17" in page
    assert "标为待裁" in page
    assert "原因：听错" in page
    HandVersion.objects.filter(is_flagged=True).update(is_flagged=False)
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    send_back(acting=hall.chief, sheet=hall.sheet, word="第 2 局反了")
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    confirm_sheet(acting=hall.chief, sheet=hall.sheet, digest=hall.board().digest)
    hand = hall.sheet.hands.get(number=2)
    correct_hand(acting=hall.chief, hand=hand, entered=totals(-9, 5, 4), late=Late("录像", True))
    with django_assert_max_num_queries(20):
        page = text(client, url(hall, "sheet_history"))
    order = [
        "开打", "记第 1 局", "更正第 1 局", "第 1 局标为待裁", "记第 2 局", "提交记分表",
        "退回更正", "第 2 局反了", "提交记分表", "这一桌已确认", "更正第 2 局", "名次随更正重排",
    ]  # fmt: skip
    at = 0
    for words in order:
        at = page.index(words, at) + 1
    assert referee in page
    publish(hall)
    assert member(hall).get(url(hall, "sheet_history")).status_code == 403


def test_buttons_that_take_back_are_where_they_belong() -> None:
    """C9.5, from the bell to finality, by clicks."""
    hall = make_hall(1, is_last=True, stage={"extra_hands": False})
    chief, referee = member(hall, Role.CHIEF), Client()
    referee.force_login(User.objects.get(pk=hall.referee.user_id or 0))
    enter_hand(acting=hall.referee, sheet=hall.sheet, entered=totals(4, -1, -3))
    for client, do, shown, back in (
        (referee, "sheet_call", "撤销到点", "sheet_uncall"),
        (referee, "sheet_submit", "撤回提交", "sheet_unsubmit"),
    ):
        assert client.post(url(hall, do)).status_code == 302
        assert shown in text(client, url(hall, "sheet"))
        assert client.post(url(hall, back)).status_code == 302
        assert shown not in text(client, url(hall, "sheet"))
    assert referee.post(url(hall, "sheet_uncall")).status_code == 409
    referee.post(url(hall, "sheet_submit"))
    digest = hall.board().digest
    assert chief.post(url(hall, "sheet_confirm"), {"digest": digest}).status_code == 302
    page = text(chief, url(hall, "sheet"))
    assert "已确认·暂定" in page
    assert "重新打开这一桌" in page
    assert "重新打开这一桌" not in text(referee, url(hall, "sheet"))
    assert "名次和晋级都收回" in text(chief, url(hall, "sheet_reopen"))
    assert chief.post(url(hall, "sheet_reopen"), {"reason": ""}).status_code == 422
    assert chief.post(url(hall, "sheet_reopen"), {"reason": "看错"}).status_code == 302
    chief.post(url(hall, "sheet_confirm"), {"digest": digest})
    finalize_round(acting=hall.chief, round_=hall.table.round)
    assert "收回定局" in text(chief, url(hall, "sheet"))
    address = reverse("round_unfinal", args=[hall.competition.code, hall.table.round_id])
    assert chief.post(address).status_code == 302
    assert Sheet.objects.get().state == "confirmed"
    version = hall.sheet.hands.get().versions.get()
    chief.post(url(hall, "hand_void", 1), {"reason": "x", "effects_shown": "1"})
    assert version.hand.versions.count() == 1


def test_earlier_version_comes_back_by_its_button() -> None:
    hall = make_hall(2)
    client = member(hall, Role.REFEREE)
    first = hall.enter(WIN)
    correct_hand(acting=hall.referee, hand=first.hand, entered=totals(1, -1, 0))
    assert "恢复这一版" in text(client, url(hall, "hand", 1))
    assert client.post(url(hall, "hand_restore", 1), {"version": "1"}).status_code == 302
    assert hall.board().sums.seats[0].net == 6
    assert client.post(url(hall, "hand_restore", 1), {"version": "9"}).status_code == 409


def test_time_until_final_is_said_everywhere() -> None:
    """C7.1: thirty minutes for the last round, the next table's first hand for the others."""
    made, client, table = played_on()
    code, event = made.competition.code, made.event.pk
    (final,) = made.tables(2)
    publish_now(made)
    assert "■ 已定局" in text(client, reverse("table", args=[code, table.pk]))
    with time_machine.travel(NOON, tick=False):
        submit_sheet(acting=made.owner, sheet=Sheet.objects.get(table=final))
    due = (NOON + timedelta(minutes=30)).astimezone(made.competition.tz)
    for name, key in (
        ("table", final.pk), ("bracket", event), ("standings", event), ("sheet", final.pk),
    ):  # fmt: skip
        forget()
        html = client.get(reverse(name, args=[code, key])).content.decode()
        assert f'datetime="{due.isoformat(timespec="seconds")}" data-until=' in html, name
        assert "12:30 定局" in html, name
        assert "暂定" in html, name
    assert "12:30 定局" in text(client, reverse("desk", args=[code]))
    finalize_round(acting=made.owner, round_=made.stage.rounds.get(number=2))
    forget()
    assert "■ 名次已定局" in text(client, reverse("standings", args=[code, event]))
    assert "■ 已定局" in text(client, reverse("bracket", args=[code, event]))


def publish_now(made: Made) -> None:
    made.competition.published_at = NOON
    made.competition.save()


def test_other_rounds_are_final_when_the_next_begins() -> None:
    hall = make_hall(1, ConfirmationMode.NONE)
    publish(hall)
    enter_hand(acting=hall.referee, sheet=hall.sheet, entered=totals(4, -1, -3))
    submit_sheet(acting=hall.referee, sheet=hall.sheet)
    for name in ("table", "sheet"):
        assert "下一轮开打后定局" in text(member(hall, Role.CHIEF), url(hall, name))
