"""The public page of a table: seats, ledger, hands explained, rulings, records to download."""

from __future__ import annotations

import random

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from engine.files import parse
from engine.notation import Line
from engine.record import Record, export
from engine.rules import preset
from engine.simulate import play_hand
from scoring.domain.hands import Difference, Entered, Late, enter_hand, void_hand
from scoring.domain.sheets import open_sheet, submit_sheet
from scoring.domain.verdicts import penalize, rule_on_hand, rule_on_table
from scoring.enums import Evidence, PenaltyKind
from scoring.models import Sheet
from scoring.views.public_table import nameless
from tests.scoring.public_pages import (
    drafted,
    forget,
    name_at,
    page,
    play_sheet,
    published,
    stranger,
    win,
)
from tests.tournament.competitions import Made, draw
from tournament.models import Competition, Person, Table

pytestmark = pytest.mark.django_db


def url(made: Made, table: Table, name: str = "table") -> str:
    return reverse(name, args=[made.competition.code, table.pk])


def test_table_before_its_first_hand_shows_seats_and_dealer() -> None:
    made = published(9)
    table = made.tables(1)[0]
    names = [name_at(table, position) for position in range(3)]
    units = [table.seats.get(position=position).entrant.unit for position in range(3)]
    expected = " ".join(
        f"{seat} {name} {unit}" for seat, name, unit in zip("甲乙丙", names, units, strict=True)
    )
    text = page(url(made, table))
    assert f"◇ 已公布 打了 0 局，共 2 局 座位 选手 {expected} 第一局 甲 坐庄。" in text
    assert "胜者晋级到 决赛 第 1 桌" in text


def test_ledger_has_each_hand_with_totals_dealer_and_marks() -> None:
    """R9.5: who wins deals next."""
    made = published(9)
    table = made.tables(1)[0]
    play_sheet(made, table, "乙")
    text = page(url(made, table))
    rows = "1 甲 庄 −3 −3 自 +6 +6 −3 −3 2 乙 庄 0 −3 +4 +10 炮 −4 −7"
    assert rows in text
    assert "净舵 −3 第 2 名 +10 第 1 名 晋级 › −7 第 3 名" in text
    assert "净舵之和加扣罚之和 = 0 ✓" in text


def test_each_hand_is_explained_in_one_line() -> None:
    """R9.1, R9.2: 22 胡 are 3 舵, 自摸 and two 醒 come on top."""
    made = published(9)
    table = made.tables(1)[0]
    win(made, open_sheet(table), "甲", hu=22, xing=2)
    names = [name_at(table, position) for position in range(3)]
    text = page(url(made, table))
    assert (
        f"第 1 局 {names[0]} 自摸 ○ 结果 胡 22 → 3 舵 + 自摸 1 + 醒 2 = 6 舵 "
        f"{names[0]} +12 {names[1]} −6 {names[2]} −6"
    ) in text


def test_discard_names_who_pays_and_a_drawn_hand_says_so() -> None:
    made = published(9)
    table = made.tables(1)[0]
    sheet = open_sheet(table)
    win(made, sheet, "丙", "甲")
    enter_hand(acting=made.owner, sheet=sheet, entered=Entered(Evidence.RESULT, {"source": "draw"}))
    text = page(url(made, table))
    assert f"第 1 局 {name_at(table, 2)} 胡，{name_at(table, 0)} 点炮 ○ 结果" in text
    assert "第 2 局 荒庄 ○ 结果" in text
    assert "2 丙 庄 荒" in text


def test_totals_from_paper_say_how_little_is_known() -> None:
    """C6.1: the lowest level of evidence, several hands in one line."""
    made = published(9)
    table = made.tables(1)[0]
    entered = Entered(Evidence.TOTALS, {"deltas": [7, -3, -4], "hands": 2})
    enter_hand(acting=made.owner, sheet=open_sheet(table), entered=entered)
    text = page(url(made, table))
    assert "只记了分数 ○ 只有分数" in text
    assert "打了 2 局，共 2 局" in text
    assert "1–2" in text


def test_slip_shows_cards_melds_and_is_checked() -> None:
    """已核牌: the engine has seen the cards."""
    made = published(9)
    table = made.tables(1)[0]
    slip = {
        "source": "own-flip",
        "winner": "甲",
        "hand": "一二三四五六七七七壹壹壹贰贰贰陆陆捌捌捌",
        "table": [],
        "card": "陆",
        "xing": "九",
    }
    enter_hand(
        acting=made.owner,
        sheet=open_sheet(table),
        entered=Entered(Evidence.SLIP, slip, Difference.COMPUTED),
    )
    html = stranger(url(made, table)).content.decode()
    assert html.count('class="meld"') == 7
    assert f"{name_at(table, 0)} 自摸 陆" in html
    assert "牌面 · 已核牌" in html


def test_claim_that_differs_stands_beside_the_computed_value() -> None:
    """C6.3: flagged with both shown."""
    made = published(9)
    table = made.tables(1)[0]
    claim = {"source": "own-flip", "winner": "甲", "hu": 15, "xing_count": 0, "claim": {"total": 9}}
    enter_hand(
        acting=made.owner,
        sheet=open_sheet(table),
        entered=Entered(Evidence.RESULT, claim, Difference.FLAG),
    )
    text = page(url(made, table))
    assert "待裁" in text
    assert "当场报的不一样 报 9 舵，算得 3 舵" in text


def test_ruling_stands_beside_the_computed_value_and_counts() -> None:
    """C6.6."""
    made = published(9)
    table = made.tables(1)[0]
    sheet = open_sheet(table)
    version = win(made, sheet, "甲")
    rule_on_hand(acting=made.owner, hand=version.hand, deltas=[0, 4, -4], reason="漏看了一手")
    names = [name_at(table, position) for position in range(3)]
    text = page(url(made, table))
    assert "1 甲 庄 ◆ 裁决 0 算得 +6 0 +4 算得 −3 +4 −4 算得 −3 −4" in text
    assert f"{names[0]} 0 算得 +6 {names[1]} +4 算得 −3 {names[2]} −4 算得 −3" in text
    assert f"裁判长裁定 按 {names[0]} 0，{names[1]} +4，{names[2]} −4 记。理由：漏看了一手" in text
    assert "净舵 0 +4 −4" in text


def test_ruling_on_places_gives_its_reason() -> None:
    """C6.6, about the table."""
    made = published(9)
    table = made.tables(1)[0]
    sheet = play_sheet(made, table, "甲")
    assert "名次怎么定的" in page(url(made, table))
    sheet = Sheet.objects.get(pk=sheet.pk)
    rule_on_table(
        acting=made.owner,
        sheet=sheet,
        places={0: 1, 1: 2, 2: 3},
        reason="乙中途离席",
        late=Late(reason="乙中途离席", effects_shown=True),
    )
    text = page(url(made, table))
    assert "裁判长裁定名次 乙中途离席" in text
    assert "第 2 名 算得 3" in text
    assert "名次怎么定的" not in text


def test_penalties_are_rows_of_their_own_with_reasons() -> None:
    """C6.5: to the opponents, or 扣罚 outside the zero sum; Σ net + Σ 扣罚 = 0."""
    made = published(9)
    table = made.tables(1)[0]
    sheet = open_sheet(table)
    win(made, sheet, "甲")
    penalize(
        acting=made.owner,
        sheet=sheet,
        position=1,
        kind=PenaltyKind.DEDUCTION,
        amount=2,
        reason="迟到",
    )
    penalize(
        acting=made.owner, sheet=sheet, position=2, kind=PenaltyKind.OPPONENTS, amount=1,
        reason="看牌墩",
    )  # fmt: skip
    text = page(url(made, table))
    assert "扣罚 0 +6 −2 −5 0 −3" in text
    assert "赔给对手 +1 +7 +1 −4 −2 −5" in text
    assert "净舵 +7 −4 扣罚 2 −5" in text
    assert f"{name_at(table, 1)} 罚分 · 扣罚 2 舵 迟到" in text
    assert f"{name_at(table, 2)} 罚分 · 赔给对手 2 舵 看牌墩" in text
    assert "净舵之和加扣罚之和 = 0 ✓" in text


def test_void_hand_stays_as_a_row_without_points() -> None:
    """C6.2: voiding is a version."""
    made = published(9)
    table = made.tables(1)[0]
    version = win(made, open_sheet(table), "甲")
    void_hand(acting=made.owner, hand=version.hand, reason="牌少一张")
    text = page(url(made, table))
    assert "作废" in text
    assert "第 1 局 这一局作废，不计分" in text
    assert "+6" not in text


def test_extra_hand_stands_aside_and_decides() -> None:
    """C8.2: never counted in net 舵; the reason says what decided."""
    made = published(9)
    table = made.tables(1)[0]
    sheet = open_sheet(table)
    win(made, sheet, "甲")
    win(made, sheet, "乙")
    names = [name_at(table, position) for position in range(3)]
    assert "同分 要加赛或由裁判长决定，还没有人晋级。" in page(url(made, table))
    entered = Entered(
        Evidence.RESULT, {"source": "own-flip", "winner": "乙", "hu": 15, "xing_count": 0}
    )
    enter_hand(acting=made.owner, sheet=sheet, entered=entered, extra=True)
    submit_sheet(acting=made.owner, sheet=sheet)
    text = page(url(made, table))
    assert "3 加赛" in text
    assert "净舵 +3 第 2 名 +3 第 1 名 晋级 › −6 第 3 名" in text
    assert f"{names[1]} 在 {names[0]} 之前：加赛 6 对 −3" in text


def test_four_seats_mark_who_sits_out() -> None:
    """R2.2: opposite the dealer."""
    made = published(4)
    table = made.tables(1)[0]
    assert table.seat_count == 4
    win(made, open_sheet(table), "甲")
    assert "1 甲 庄 自 +6 +6 −3 −3 坐醒 0 −3 −3" in page(url(made, table))


def test_english_page_has_the_engines_english_reasons() -> None:
    made = published(9)
    table = made.tables(1)[0]
    play_sheet(made, table, "甲")
    html = stranger(url(made, table), language="en").content.decode()
    assert '<html lang="en">' in html
    assert "net 舵 10 to −3" in html


@pytest.mark.parametrize("part", ["table", "table_live"])
def test_draft_and_strange_tables_are_not_found(part: str) -> None:
    """C7.4."""
    made, other = drafted(9), published(3)
    draw(made)
    draft = made.tables(1)[0]
    assert stranger(url(made, draft, part)).status_code == 404
    assert stranger(url(made, other.tables(1)[0], part)).status_code == 404
    Competition.objects.filter(pk=other.competition.pk).update(published_at=None)
    assert stranger(url(other, other.tables(1)[0], part)).status_code == 404


def test_hand_reaches_the_poll_of_its_table() -> None:
    made = published(9)
    table = made.tables(1)[0]
    sheet = open_sheet(table)
    win(made, sheet, "甲")
    version = stranger(url(made, table))["X-Version"]
    poll = url(made, table, "table_live")
    assert stranger(poll, v=version).status_code == 204
    win(made, sheet, "乙")
    answer = stranger(poll, v=version)
    assert answer.status_code == 200
    assert "第 2 局" in answer.content.decode()
    assert "<html" not in answer.content.decode()


@pytest.mark.parametrize("hands", [3, 30])
def test_queries_do_not_grow_with_the_hands(
    hands: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """Competition, its events, table, versions, table after the version, six parts of the sheet;
    then nothing (fact 1)."""
    made = published(9, hands=hands)
    table = made.tables(1)[0]
    sheet = open_sheet(table)
    for _hand in range(hands):
        win(made, sheet, "甲")
    forget()
    with django_assert_num_queries(12):
        assert Client().get(url(made, table)).status_code == 200
    Client().get(url(made, table))
    with django_assert_num_queries(0):
        Client().get(url(made, table))


@pytest.fixture
def text() -> str:
    """A simulated hand (seed 7) with names, a referee and notes in its record."""
    hand = play_hand(preset("competition"), random.Random(7))
    record = Record(
        rules_id="competition",
        rules=hand.rules,
        dealer=hand.dealer,
        deal=tuple(tuple(hand.deal[seat]) for seat in range(3)),
        wall=tuple(hand.wall),
        lines=tuple(Line(event, note="张小明犹豫") for event in hand.events),
        headers=(("裁判", "秘裁判"), ("X-Phone", "13900000000")),
        players=("张小明", "王二", "李三"),
    )
    return export(record)


def enter_record(made: Made, table: Table, text: str) -> None:
    entered = Entered(Evidence.RECORD, {"text": text}, Difference.COMPUTED)
    enter_hand(acting=made.owner, sheet=open_sheet(table), entered=entered)


def record_url(made: Made, table: Table, number: int = 1) -> str:
    return reverse("hand_record", args=[made.competition.code, table.pk, number])


def test_record_of_a_hand_can_be_downloaded(text: str) -> None:
    made = published(9)
    table = made.tables(1)[0]
    enter_record(made, table, text)
    address = record_url(made, table)
    html = stranger(url(made, table)).content.decode()
    assert f'href="{address}" download' in html
    assert "牌谱 · 已核牌" in html
    answer = stranger(address)
    assert answer.content.decode() == text
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert f"{made.competition.code}-{table.pk}-1.zpr" in answer["Content-Disposition"]


def test_only_records_can_be_downloaded() -> None:
    made = published(9)
    table = made.tables(1)[0]
    version = win(made, open_sheet(table), "甲")
    assert stranger(record_url(made, table)).status_code == 404
    assert stranger(record_url(made, table, 2)).status_code == 404
    assert "下载牌谱" not in page(url(made, table))
    void_hand(acting=made.owner, hand=version.hand, reason="错了")
    assert stranger(record_url(made, table)).status_code == 404


def test_masked_record_has_no_name_and_the_same_game(text: str) -> None:
    made = published(9)
    table = made.tables(1)[0]
    enter_record(made, table, text)
    Competition.objects.filter(pk=made.competition.pk).update(mask_names=True)
    sent = stranger(record_url(made, table)).content.decode()
    for secret in ("张小明", "王二", "李三", "秘裁判", "13900000000", "犹豫"):
        assert secret in text
        assert secret not in sent
    assert parse(sent).events == parse(text).events
    assert parse(sent).deal == parse(text).deal


def test_words_of_rulings_go_from_a_nameless_record() -> None:
    text = '字牌谱 1\n规则: local\n庄: 甲\n\n! 乙 超时 "王二第一次" {王二}\n'
    assert str(nameless(parse(text)).lines[0]) == "! 乙 超时"


def test_masked_names_are_masked_in_typed_reasons_too() -> None:
    made = published(9)
    table = made.tables(1)[0]
    entrant = table.seats.get(position=0).entrant
    assert entrant is not None
    Person.objects.filter(pk=entrant.entry.person_id).update(name="张小明")
    Competition.objects.filter(pk=made.competition.pk).update(mask_names=True)
    sheet = open_sheet(table)
    version = win(made, sheet, "甲")
    rule_on_hand(acting=made.owner, hand=version.hand, deltas=[2, -1, -1], reason="张小明没有报醒")
    text = page(url(made, table))
    assert "张小明" not in text
    assert "张*明 自摸" in text
    assert "理由：张*明没有报醒" in text
