"""A hand's page, its corrections and their effects, confirmation, verdicts, uploads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, Settings

from core.domain import jobs, versions
from scoring.domain.hands import correct_hand, enter_hand
from scoring.domain.sheets import open_sheet, submit_sheet
from scoring.enums import SheetState
from scoring.models import HandVersion, Penalty, Protest, Ruling, Sheet
from tests.scoring.clients import member, url, with_link
from tests.scoring.records import texts, won
from tests.scoring.sheets import DRAWN, FLIP, WIN, Hall, make_hall, result, totals
from tests.scoring.test_domain_verdicts import close, nine
from tests.scoring.test_views_referee_sheet import LINE, text
from tests.tournament.competitions import Made
from tournament.enums import Role, State
from tournament.models import Membership, Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    made = make_hall(2)
    made.enter(WIN)
    return made


@pytest.fixture
def referee(hall: Hall) -> Client:
    return member(hall, Role.REFEREE)


@pytest.fixture
def chief(hall: Hall) -> Client:
    return member(hall, Role.CHIEF)


def test_hand_is_explained_with_its_versions(hall: Hall, referee: Client) -> None:
    hand = HandVersion.objects.get().hand
    correct_hand(acting=hall.referee, hand=hand, entered=result(FLIP))
    shown = text(referee.get(url(hall, "hand", 1)))
    assert "选手3 自摸" in shown
    assert "胡 10 → 1 舵 + 自摸 1 = 2 舵" in shown
    assert "第 1 版" in shown
    assert "第 2 版" in shown
    assert referee.get(url(hall, "hand", 9)).status_code == 404


def test_hand_takes_as_many_queries_for_thirty_versions(
    hall: Hall, referee: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    hand = HandVersion.objects.get().hand
    referee.get(url(hall, "hand", 1))
    versions.forget()
    with django_assert_num_queries(14, exact=False) as few:
        referee.get(url(hall, "hand", 1))
    for _ in range(29):
        correct_hand(acting=hall.referee, hand=hand, entered=result(FLIP))
    versions.forget()
    with django_assert_num_queries(len(few)):
        referee.get(url(hall, "hand", 1))


def test_correction_begins_with_what_is_known(hall: Hall, referee: Client) -> None:
    html = referee.get(url(hall, "hand_correct", 1)).content.decode()
    assert 'name="hu" value="16"' in html
    assert 'name="seen" value="1"' in html
    answer = referee.post(url(hall, "hand_correct", 1), {**LINE, "hu": "21", "seen": "1"})
    assert answer.status_code == 302
    assert HandVersion.objects.get(is_current=True).hu == 21
    late = referee.post(url(hall, "hand_correct", 1), {**LINE, "hu": "26", "seen": "1"})
    assert late.status_code == 409
    assert "刚刚被" in text(late)
    assert 'value="26"' in late.content.decode()


def test_correction_to_another_level_keeps_the_seats(hall: Hall, referee: Client) -> None:
    html = referee.get(f"{url(hall, 'hand_correct', 1)}?tab=totals").content.decode()
    assert 'name="delta_0" value="6"' in html
    wrong = {"evidence": "record", "text": won().replace("甲 打", "甲 摸", 1), "seen": "1"}
    answer = referee.post(url(hall, "hand_correct", 1), wrong)
    assert answer.status_code == 422
    assert "<mark>" in answer.content.decode()


def test_flag_void_and_clear_with_their_words(hall: Hall, referee: Client) -> None:
    referee.post(url(hall, "hand_flag", 1), {"reason": "有争议"})
    assert HandVersion.objects.get(is_current=True).is_flagged
    referee.post(url(hall, "hand_clear", 1))
    assert not HandVersion.objects.get(is_current=True).is_flagged
    empty = referee.post(url(hall, "hand_void", 1), {"reason": ""})
    assert empty.status_code == 400
    assert "作废要写明原因" in text(empty)
    referee.post(url(hall, "hand_void", 1), {"reason": "重发"})
    assert HandVersion.objects.get(is_current=True).is_void
    assert "作废" in text(referee.get(url(hall, "sheet")))


def finish(hall: Hall) -> None:
    hall.enter(DRAWN)
    submit_sheet(acting=hall.referee, sheet=hall.sheet)


def digest(client: Client, hall: Hall) -> str:
    html = client.get(url(hall, "sheet_confirm")).content.decode()
    return html.split('name="digest" value="')[1].split('"')[0]


def test_players_confirm_on_the_tables_phone(hall: Hall) -> None:
    """C7.2: the whole sheet is there to read."""
    finish(hall)
    table = with_link(hall, Role.TABLE, table=hall.table)
    page = table.get(url(hall, "sheet_confirm"))
    assert "胡 16 → 2 舵" in text(page)
    seen = digest(table, hall)
    nobody = table.post(url(hall, "sheet_confirm"), {"digest": seen})
    assert nobody.status_code == 400
    assert "请选是哪一位在确认" in text(nobody)
    for position in (0, 1):
        answer = table.post(
            url(hall, "sheet_confirm"), {"digest": seen, "position": position}, follow=True
        )
        assert f"选手{position + 1} 已确认" in text(answer)
    own = with_link(hall, Role.ENTRANT, entrant=hall.entrants[2])
    assert "以 选手3 的名义确认" in text(own.get(url(hall, "sheet_confirm")))
    own.post(url(hall, "sheet_confirm"), {"digest": seen})
    hall.sheet.refresh_from_db()
    assert hall.sheet.state == SheetState.CONFIRMED
    assert "第 1 名" in text(own.get(url(hall, "sheet")))


def test_confirmation_of_an_older_sheet_is_refused(hall: Hall) -> None:
    finish(hall)
    table = with_link(hall, Role.TABLE, table=hall.table)
    answer = table.post(url(hall, "sheet_confirm"), {"digest": "old", "position": "0"})
    assert answer.status_code == 409
    assert "请再看一遍再确认" in text(answer)


def test_sheet_is_sent_back_with_a_word(hall: Hall) -> None:
    finish(hall)
    table = with_link(hall, Role.TABLE, table=hall.table)
    assert table.post(url(hall, "sheet_back"), {"word": " "}).status_code == 400
    answer = table.post(url(hall, "sheet_back"), {"word": "第 2 局记反了"}, follow=True)
    assert "第 2 局记反了" in text(answer)


def test_verdicts_are_given_and_taken_back(hall: Hall, chief: Client) -> None:
    """C6.5, C6.6."""
    wrong = chief.post(url(hall, "penalty"), {"position": "1", "kind": "deduction", "amount": ""})
    assert wrong.status_code == 422
    assert "罚几舵" in text(wrong)
    sent = {
        "position": "1", "kind": "deduction", "amount": "2", "reason": "迟到", "hand": "1",
    }  # fmt: skip
    assert chief.post(url(hall, "penalty"), sent).status_code == 302
    penalty = Penalty.objects.get()
    assert (penalty.deducted, penalty.hand.number if penalty.hand else None) == (2, 1)
    assert "扣罚" in text(chief.get(url(hall, "sheet")))
    chief.post(url(hall, "penalty_void", penalty.pk))
    again = chief.post(url(hall, "penalty_void", penalty.pk))
    assert again.status_code == 409
    assert "已经撤销" in text(again)

    uneven = {"delta_0": "1", "delta_1": "0", "delta_2": "0", "reason": "错"}
    answer = chief.post(url(hall, "hand_ruling", 1), uneven)
    assert answer.status_code == 422
    assert "各家相加应为 0，现在是 +1" in text(answer)
    assert chief.post(url(hall, "hand_ruling", 1), {**uneven, "delta_1": "-1"}).status_code == 302
    assert "裁决" in text(chief.get(url(hall, "hand", 1)))
    chief.post(url(hall, "ruling_drop", Ruling.objects.get().pk))
    assert not Ruling.objects.get().is_current

    places = {"place_0": "1", "place_1": "1", "place_2": "2", "reason": "抽签"}
    assert chief.post(url(hall, "table_ruling"), places).status_code == 422
    assert chief.post(url(hall, "table_ruling"), {**places, "place_1": "3"}).status_code == 302


def test_protest_and_answer(hall: Hall, chief: Client) -> None:
    entrant = with_link(hall, Role.ENTRANT, entrant=hall.entrants[1])
    assert entrant.post(url(hall, "protest"), {"text": ""}).status_code == 422
    sent = {"text": "没有点炮", "about": "hand:1"}
    assert entrant.post(url(hall, "protest"), sent).status_code == 302
    found = Protest.objects.get()
    assert "1 件申诉" in text(chief.get(reverse("desk", args=[hall.competition.code])))
    answer = {"state": "rejected", "answer": "看过录像"}
    assert chief.post(url(hall, "protest_answer", found.pk), answer).status_code == 302
    assert "看过录像" in text(entrant.get(url(hall, "sheet")))


def as_chief(made: Made) -> Client:
    client = Client()
    user_id = made.owner.user_id
    Membership.objects.get_or_create(user_id=user_id, competition=made.competition, role=Role.CHIEF)
    client.force_login(Membership.objects.filter(user_id=user_id)[0].user)
    return client


def hand_url(made: Made, table: Table, name: str) -> str:
    return reverse(name, args=[made.competition.code, table.pk, 1])


def test_late_correction_shows_its_effects_first() -> None:
    """C9.1, C7.3: confirmed: effects shown; final: a reason too, and what was played stands."""
    made = nine()
    tables = made.tables(1)
    for table in tables:
        close(made, table, 4, -1, -3)
    chief = as_chief(made)
    where = hand_url(made, tables[0], "hand_correct")
    sent: dict[str, Any] = {
        "evidence": "totals", "delta_0": "-3", "delta_1": "4", "delta_2": "-1", "reason": "",
    }  # fmt: skip
    effects = chief.post(where, sent)
    assert effects.status_code == 409
    assert "晋级的不再是" in text(effects)
    assert 'name="delta_1" value="4"' in effects.content.decode()
    assert HandVersion.objects.filter(version=2).count() == 0
    assert chief.post(where, {**sent, "effects_shown": "1"}).status_code == 302
    assert tables[0].seats.get(advances=True).position == 1

    (final,) = made.tables(2)
    enter_hand(acting=made.owner, sheet=open_sheet(final), entered=totals(1, -1, 0))
    back = {**sent, "delta_0": "4", "delta_1": "-1", "delta_2": "-3", "effects_shown": "1"}
    missing = chief.post(where, back)
    assert missing.status_code == 400
    assert "要写明原因" in text(missing)
    blocked = chief.post(where, {**back, "reason": "录像"})
    assert blocked.status_code == 409
    assert 'name="as_played" value="1"' in blocked.content.decode()
    assert chief.post(where, {**back, "reason": "录像", "as_played": "1"}).status_code == 302
    assert tables[0].seats.get(advances=True).position == 1
    assert "定局后更正" in text(chief.get(hand_url(made, tables[0], "hand")))


def test_last_round_is_declared_final_at_the_desk() -> None:
    made = nine()
    for table in [*made.tables(1), *made.tables(2)]:
        table.refresh_from_db()
        close(made, table, 4, -1, -3)
    chief = as_chief(made)
    desk = reverse("desk", args=[made.competition.code])
    assert "现在就定局" in text(chief.get(desk))
    (final,) = made.tables(2)
    where = reverse("round_final", args=[made.competition.code, final.round.pk])
    assert chief.post(where).status_code == 302
    assert Sheet.objects.get(table=final).state == SheetState.FINAL
    final.refresh_from_db()
    assert final.state == State.FINAL
    assert chief.post(where).status_code == 409


def test_upload_is_verified_in_the_background(
    hall: Hall, referee: Client, tmp_path: Path, settings: Settings
) -> None:
    settings.MEDIA_ROOT = tmp_path
    where = reverse("records", args=[hall.competition.code])
    assert referee.post(where, {}).status_code == 422
    nothing = SimpleUploadedFile("空.zpr", b"")
    assert "文件是空的" in text(referee.post(where, {"file": nothing}))
    good = texts(3)
    wrong = good[0].replace("甲 打", "甲 摸", 1)
    file = SimpleUploadedFile("一天.zpr", "\n".join([*good, wrong]).encode())
    answer = referee.post(where, {"file": file})
    job = answer["Location"]
    waiting = referee.get(job)
    assert "等待中" in text(waiting)
    assert referee.get(job, {"v": "waiting-0"}).status_code == 204
    jobs.sweep()
    region = referee.get(job, {"v": "waiting-0"})
    assert region.status_code == 286
    assert "<html" not in region.content.decode()
    shown = text(referee.get(job))
    assert "共 4 副 合规 3" in shown
    assert "第 4 副，第" in shown
    assert "一天.zpr" in text(referee.get(where))
