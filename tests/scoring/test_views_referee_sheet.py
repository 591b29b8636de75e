"""The sheet's page: entering hands, and that nothing typed is lost (C6.1, C6.3)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from core.domain import versions
from scoring.domain.hands import Difference, enter_hand
from scoring.domain.sheets import open_sheet
from scoring.enums import Evidence, SheetState
from scoring.models import Hand, HandVersion, Sheet
from tests.factories import make_entrant, make_hand, make_table
from tests.scoring.clients import member, url, with_link
from tests.scoring.records import result_of, won
from tests.scoring.sheets import DRAWN, FLIP, WIN, Hall, make_hall, totals
from tournament.enums import Role, State

pytestmark = pytest.mark.django_db

LINE: dict[str, Any] = {"evidence": "result", **WIN}
SLIP: dict[str, Any] = {
    "evidence": "slip", "source": "discard", "winner": "甲", "payer": "乙",
    "hand": "四四四捌捌八伍陆一二三", "table": "碰 九\r\n吃 二七十\r\n扫 壹\r\n", "card": "柒",
    "xing": "七",
}  # fmt: skip


@pytest.fixture
def hall() -> Hall:
    return make_hall()


@pytest.fixture
def referee(hall: Hall) -> Client:
    return member(hall, Role.REFEREE)


def text(answer: Any) -> str:
    """What is to be read, tags taken out."""
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())


def test_result_line_is_saved_and_the_sheet_shows_it(hall: Hall, referee: Client) -> None:
    answer = referee.post(url(hall, "sheet"), LINE, follow=True)
    assert answer.redirect_chain == [(f"{url(hall, 'sheet')}?tab=result", 302)]
    assert HandVersion.objects.get().deltas == (6, -6, 0, 0)
    shown = text(answer)
    assert "已记第 1 局" in shown
    assert "+6" in shown
    assert "记第 2 局" in shown


def test_slip_is_saved_with_its_cards(hall: Hall, referee: Client) -> None:
    answer = referee.post(url(hall, "sheet"), SLIP)
    assert answer.status_code == 302
    version = HandVersion.objects.get()
    assert version.evidence == Evidence.SLIP
    assert version.payload["table"] == ["碰 九", "吃 二七十", "扫 壹"]
    assert version.deltas == (6, -6, 0, 0)


def test_record_is_pasted_or_uploaded(hall: Hall, referee: Client) -> None:
    record = won()
    pasted = {"evidence": "record", "text": record.replace("\n", "\r\n")}
    assert referee.post(url(hall, "sheet"), pasted).status_code == 302
    file = SimpleUploadedFile("1.zpr", record.encode("gb18030"))
    uploaded = {"evidence": "record", "file": file}
    assert referee.post(url(hall, "sheet"), uploaded).status_code == 302
    first, second = HandVersion.objects.all()
    assert first.payload == second.payload == {"text": record}
    assert first.deltas[:3] == result_of(record).deltas


def test_totals_are_saved(hall: Hall, referee: Client) -> None:
    sent = {"evidence": "totals", "delta_0": "5", "delta_1": "-5", "delta_2": "", "hands": "2"}
    assert referee.post(url(hall, "sheet"), sent).status_code == 302
    assert HandVersion.objects.get().deltas == (5, -5, 0, 0)
    assert hall.board().sums.played == 2


@pytest.mark.parametrize(
    ("sent", "kept", "sentence"),
    [
        ({**LINE, "hu": "9"}, 'name="hu" value="9"', "9 胡，起胡至少 10"),
        ({**LINE, "winner": ""}, 'value="乙"', "请选座位：甲、乙、丙"),
        ({**LINE, "hu": "abc"}, 'value="abc"', "输入整数"),
        ({**SLIP, "card": "九"}, "四四四捌捌八伍陆一二三", "多出"),
        ({**SLIP, "table": "碰 九\n吃 二七七"}, "吃 二七七", "不成牌型"),
        ({**SLIP, "hand": "四四X"}, 'value="四四X"', "X"),
        (
            {"evidence": "totals", "delta_0": "5", "delta_1": "-4"},
            'value="5"',
            "各家相加应为 0，现在是 +1",
        ),
        ({"evidence": "record", "text": "你好\n字牌"}, "你好", "第 1 行"),
    ],
)
def test_what_cannot_be_is_said_and_what_was_typed_stays(
    hall: Hall, referee: Client, sent: dict[str, Any], kept: str, sentence: str
) -> None:
    answer = referee.post(url(hall, "sheet"), sent)
    assert answer.status_code == 422
    html = answer.content.decode()
    assert kept in html
    assert sentence in html
    assert not Hand.objects.exists()


def test_fault_of_a_record_is_marked_on_its_line(hall: Hall, referee: Client) -> None:
    record = won().replace("甲 打", "甲 摸", 1)
    lines = record.splitlines()
    number = next(i for i, line in enumerate(lines, 1) if line.startswith("甲 摸"))
    html = referee.post(url(hall, "sheet"), {"evidence": "record", "text": record}).content.decode()
    assert f'id="line-{number}" class="wrong"' in html
    assert f"<mark>{lines[number - 1]}</mark>" in html
    assert f"第 {number} 行第 1 字" in html
    assert lines[0] in html


def test_wrong_file_is_said_beside_the_file(hall: Hall, referee: Client) -> None:
    for data, sentence in ((b"\xff\xfe\x00", "UTF-8"), (b"x" * 300_000, "文件太大")):
        sent = {"evidence": "record", "file": SimpleUploadedFile("1.zpr", data)}
        answer = referee.post(url(hall, "sheet"), sent)
        assert answer.status_code == 422
        assert sentence in answer.content.decode()


def test_taken_hand_shows_who_entered_what_and_keeps_the_input(hall: Hall, referee: Client) -> None:
    """C6.2."""
    hall.enter(FLIP)
    answer = referee.post(url(hall, "sheet"), {**LINE, "number": "1"})
    assert answer.status_code == 409
    html, shown = answer.content.decode(), text(answer)
    author = HandVersion.objects.get().author
    assert author is not None
    assert f"第 1 局已由{author.name}记下" in shown
    assert "选手3 自摸" in shown
    assert 'name="hu" value="16"' in html
    assert "把局数改为 2 再保存" in shown
    assert url(hall, "hand", 1) in html


def test_difference_is_asked_for_and_then_saved(hall: Hall, referee: Client) -> None:
    """C6.3."""
    claim = {**LINE, "claim_total": "4"}
    answer = referee.post(url(hall, "sheet"), claim)
    assert answer.status_code == 409
    assert "报的和算的不一样" in text(answer)
    assert 'name="difference"' in answer.content.decode()
    assert 'name="hu" value="16"' in answer.content.decode()
    assert referee.post(url(hall, "sheet"), {**claim, "difference": "flag"}).status_code == 302
    assert HandVersion.objects.get().is_flagged
    assert "待裁" in text(referee.get(url(hall, "sheet")))


def test_same_key_twice_is_one_hand(hall: Hall, referee: Client) -> None:
    """A double tap, or a phone that sends again."""
    sent = {**LINE, "number": "1", "key": "abc"}
    for _ in range(2):
        assert referee.post(url(hall, "sheet"), sent).status_code == 302
    assert Hand.objects.count() == 1
    other = referee.post(url(hall, "sheet"), {**sent, "hu": "21"})
    assert other.status_code == 422
    assert 'value="abc"' not in other.content.decode()


def test_engine_answers_while_one_taps(hall: Hall, referee: Client) -> None:
    """The fragment writes nothing."""
    where = url(hall, "sheet_preview")
    done = text(referee.post(where, SLIP))
    assert "胡 16 → 2 舵 + 下醒 1 = 3 舵" in done
    assert "选手1 +6" in done
    missing = text(referee.post(where, {**SLIP, "hand": "四四四捌捌八伍陆"}))
    assert "一共 18 张牌，应为 21 张" in missing
    assert "✓" not in missing
    assert "多出" in text(referee.post(where, {**SLIP, "card": "九"}))
    assert "请选这一局是怎样胡的" in text(referee.post(where, {"evidence": "result"}))
    assert "不一样" in text(referee.post(where, {**LINE, "claim_total": "9"}))
    assert "荒庄" in text(referee.post(where, {"evidence": "result", "source": "draw"}))
    assert not Hand.objects.exists()


def test_hidden_choices_of_another_way_of_winning_do_not_count(hall: Hall, referee: Client) -> None:
    """Scripts hide the payer; its radio is sent all the same."""
    referee.post(url(hall, "sheet"), {**LINE, "source": "own-flip"})
    assert HandVersion.objects.get().deltas == (8, -4, -4, 0)


def test_form_works_without_scripts(hall: Hall, referee: Client) -> None:
    html = referee.get(f"{url(hall, 'sheet')}?tab=slip").content.decode()
    for field in ("source", "winner", "payer", "hand", "table", "card", "xing", "special"):
        assert f'name="{field}"' in html, field
    assert 'type="submit"' in html
    assert "hx-on" not in html
    assert "style=" not in html


def test_table_link_sees_its_name_and_no_account(hall: Hall) -> None:
    client = with_link(hall, Role.TABLE, table=hall.table)
    shown = text(client.get(url(hall, "sheet")))
    assert "桌链接 · 第 1 桌" in shown
    assert "罚分" not in shown
    assert client.post(url(hall, "sheet"), LINE).status_code == 302


def test_bell_then_submission(hall: Hall, referee: Client) -> None:
    """C6.4."""
    referee.post(url(hall, "sheet"), LINE)
    answer = referee.post(url(hall, "sheet_submit"))
    assert answer.status_code == 409
    assert "打了 1 局，应打 4 局" in text(answer)
    referee.post(url(hall, "sheet"), {"evidence": "result", **DRAWN})
    assert referee.post(url(hall, "sheet_call")).status_code == 302
    assert "已到点" in text(referee.get(url(hall, "sheet")))
    assert referee.post(url(hall, "sheet_submit")).status_code == 302
    assert Sheet.objects.get().state == SheetState.SUBMITTED


def test_extra_hand_is_entered_on_the_same_page(referee: Client, hall: Hall) -> None:
    """C8.2: the form knows that a 加赛 is due."""
    for deltas in ((2, -2, 0), (-2, 2, 0), (0, 0, 0), (0, 0, 0)):
        enter_hand(acting=hall.referee, sheet=hall.sheet, entered=totals(*deltas))
    page = referee.get(url(hall, "sheet"))
    assert "甲、乙、丙同分，加赛一局" in text(page)
    assert 'name="extra" value="True"' in page.content.decode()
    answer = referee.post(url(hall, "sheet"), {**LINE, "extra": "True"})
    assert answer.status_code == 302
    assert Hand.objects.get(number=5).is_extra


def test_first_look_at_a_table_writes_nothing(referee: Client, hall: Hall) -> None:
    Sheet.objects.all().delete()
    for name in ("sheet", "sheet_confirm", "penalty"):
        assert referee.get(url(hall, name)).status_code == 200
    assert not Sheet.objects.exists()
    assert referee.post(url(hall, "sheet"), LINE).status_code == 302


def test_sheet_in_english(hall: Hall, referee: Client) -> None:
    """The engine's sentences carry both languages."""
    answer = referee.post(
        url(hall, "sheet"), {**LINE, "winner": ""}, headers={"Accept-Language": "en"}
    )
    assert "choose a seat: 甲 乙 丙" in answer.content.decode()


@pytest.mark.parametrize("name", ["sheet", "sheet_confirm"])
def test_sheet_takes_as_many_queries_for_thirty_hands_as_for_three(
    name: str, hall: Hall, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    hall.sheet.hands_planned = 40
    hall.sheet.save()
    hall.enter(WIN)
    for _ in range(2):
        make_hand(hall.sheet, 2, -1, -1)
    client = member(hall, Role.REFEREE)
    client.get(url(hall, name))
    most = 14
    versions.forget()
    with django_assert_num_queries(most, exact=False) as few:
        client.get(url(hall, name))
    for _ in range(27):
        make_hand(hall.sheet, 2, -1, -1)
    versions.forget()
    with django_assert_num_queries(len(few)):
        client.get(url(hall, name))


def test_desk_takes_as_many_queries_for_thirty_tables_as_for_three(
    hall: Hall, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    where = reverse("desk", args=[hall.competition.code])
    client = member(hall, Role.REFEREE)

    def more(count: int) -> None:
        for _ in range(count):
            entrants = [make_entrant(hall.table.round.stage.event) for _ in range(3)]
            table = make_table(hall.table.round, entrants=list(entrants), state=State.RUNNING)
            make_hand(open_sheet(table), 2, -1, -1, is_flagged=True)

    more(2)
    client.get(where)
    versions.forget()
    with django_assert_num_queries(12, exact=False) as few:
        answer = client.get(where)
    assert text(answer).count("1/4") == 2
    more(27)
    versions.forget()
    with django_assert_num_queries(len(few)):
        answer = client.get(where)
    assert text(answer).count("1 局待裁") == 29


def test_desk_shows_what_waits(hall: Hall, referee: Client) -> None:
    hall.enter({**WIN, "claim": {"total": 9}}, difference=Difference.FLAG)
    shown = text(referee.get(reverse("desk", args=[hall.competition.code])))
    assert "等着处理" in shown
    assert "1/4" in shown
    assert "1 局待裁" in shown
    assert "记分中" in shown
