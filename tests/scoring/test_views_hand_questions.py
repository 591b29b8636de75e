"""The page that asks about a recorded hand: legal, what else, other rules; seen as the table is."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from engine.files import parse
from scoring.domain.hands import Entered, enter_hand, void_hand
from scoring.domain.sheets import open_sheet
from scoring.enums import Evidence
from scoring.models import HandVersion
from tests.scoring.public_pages import forget, page, publish, published, stranger
from tests.scoring.records import result_of, won
from tests.scoring.test_replayed import SLIP
from tests.tournament.competitions import Made, draw, make
from tournament.models import Competition, Person, Table

pytestmark = pytest.mark.django_db

HEAD = "赛事: 漓江杯\n裁判: 秘裁判\n甲: 张一\nX-Phone: 13900000000\n"


def url(made: Made, table: Table, number: int = 1) -> str:
    return f"/c/{made.competition.code}/table/{table.pk}/hand/{number}/ask/"


def enter(made: Made, table: Table, evidence: Evidence, payload: dict[str, object]) -> HandVersion:
    return enter_hand(
        acting=made.owner, sheet=open_sheet(table), entered=Entered(evidence, payload)
    )


def recorded() -> tuple[Made, Table, str]:
    """A published table whose first hand is a record."""
    made = published(9)
    table = made.tables(1)[0]
    text = won().replace("规则: competition\n", f"规则: competition\n{HEAD}")
    enter(made, table, Evidence.RECORD, {"text": text})
    return made, table, text


def test_record_is_judged_walked_and_valued_under_other_rules(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    made, table, text = recorded()
    result, events = result_of(text), parse(text).events
    asked = url(made, table)
    forget()
    with django_assert_max_num_queries(9):
        stranger(asked)
    Client().get(asked)  # facts are relied on from the second time on
    with django_assert_max_num_queries(0):
        again = Client().get(asked, {"x": "mine"})
    assert "mine" not in again.content.decode()
    shown = page(asked)
    assert f"?next={asked}%3Fstep%3D1" in stranger(asked, step="1").content.decode()
    assert f"合规：{len(events)} 手，每一手都照规则" in shown
    assert f"竞赛规则 胡 {result.hu} →" in shown
    assert "老K" in shown
    first = page(asked, step="1")
    assert f"第 1 手，共 {len(events)} 手 下一手 › {events[0]} 本来还可以： 甲 打" in first
    last = page(asked, step=str(len(events)))
    assert f"第 {len(events)} 手，共 {len(events)} 手 {events[-1]}" in last
    for odd in ("-1", "x", "99999999999", "²"):
        assert "发完牌" in page(asked, step=odd) or "上一手" in page(asked, step=odd)
    assert asked in stranger(f"/c/{made.competition.code}/table/{table.pk}/").content.decode()


def test_slip_result_and_totals_are_asked_as_far_as_they_go() -> None:
    made = published(9)
    slip, line, sums = made.tables(1)
    enter(made, slip, Evidence.SLIP, SLIP)
    shown = page(url(made, slip))
    assert "怎样打到这一步没有记" in shown
    assert "老K 22 胡 = 22 胡 翻出的 三 在这里不算。" in shown
    assert "广西桂林字牌 胡 22 → 3 舵 + 上醒 2 + 中醒 1 + 下醒 1 = 7 舵" in shown
    won_ = {"source": "own-flip", "winner": "丙", "hu": 17, "xing_count": 2}
    enter(made, line, Evidence.RESULT, won_)
    shown = page(url(made, line))
    assert "胡数和醒数照记的" in shown
    assert "老K 17 胡 = 17 胡" in shown
    enter(made, line, Evidence.RESULT, {"source": "draw"})
    assert "荒庄，换哪一套规则都没有人付。" in page(url(made, line, 2))
    enter(made, sums, Evidence.TOTALS, {"deltas": [6, -6, 0]})
    shown = page(url(made, sums))
    assert "只记了各家的分，牌没有记，看不出来。" in shown
    assert "换规则看" not in shown


def test_names_are_masked_and_a_records_own_words_stay_out() -> None:
    made, table, _text = recorded()
    Person.objects.filter(entries__competition=made.competition).update(name="欧阳甲明")
    Competition.objects.filter(pk=made.competition.pk).update(mask_names=True)
    for step in ("0", "3"):
        html = stranger(url(made, table), step=step).content.decode()
        assert "欧**明" in html
        for private in ("欧阳甲明", "秘裁判", "张一", "13900000000"):
            assert private not in html


def test_what_the_table_does_not_show_is_not_there() -> None:
    """A draft's table, a void hand, a hand nobody entered, another competition's."""
    made, table, _text = recorded()
    assert stranger(url(made, table, 2)).status_code == 404
    other = published(9)
    foreign = url(made, table).replace(made.competition.code, other.competition.code)
    assert stranger(foreign).status_code == 404
    version = HandVersion.objects.get(is_current=True)
    void_hand(acting=made.owner, hand=version.hand, reason="牌错了")
    assert stranger(url(made, table)).status_code == 404
    Competition.objects.filter(pk=made.competition.pk).update(published_at=None)
    assert stranger(url(made, table)).status_code == 404
    hidden = make(9)
    draw(hidden)
    publish(hidden.competition)
    assert stranger(url(hidden, hidden.tables(1)[0])).status_code == 404
