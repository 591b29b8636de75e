"""The planner's page: presets, the address that is the plan, batches, a comparison, refusals."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from core.models import User
from tests.scoring.public_pages import page, stranger, text_of
from tests.tournament.competitions import make
from tournament.forms.planner import planner_query

pytestmark = pytest.mark.django_db

URL = "/tools/plan/"


def test_standard_of_fifty_is_there_at_once() -> None:
    assert reverse("planner") == URL
    text = page(URL)
    assert "大约 15:30 结束 5 轮，6 小时 30 分（连休息）" in text
    assert "同时最多 17 桌 总桌数 55 总局数 672 陪打 3 人次 每人至少打 3 轮" in text
    assert "预赛 50 淘汰第 1 轮 9 决赛 3 冠军 1" in text
    assert "预赛第 3 轮 50 17 1 9 12 11:00 – 11:50" in text
    assert "11:50 – 12:50 午休 12:50 – 13:40 淘汰第 1 轮 3 桌 13:50 – 15:30 决赛 1 桌" in text


def test_single_knock_out_in_a_hall_of_ten_beside_a_redraw() -> None:
    text = page(URL, n="50", prelim="0", tables="10", against="redraw")
    assert "只能同时打 10 桌，有 1 轮要分批打。" in text
    assert "第 1 轮 50 12 15 1 27 12 09:00 – 10:50 分 2 批" in text
    assert "09:00 – 09:50 第 1 轮 第 1 批 6 桌 10:00 – 10:50 第 1 轮 第 2 批 6 桌" in text
    assert "轮空几人 15 0" in text
    assert "第二名补位 0 4" in text
    assert "一共多长时间 6 小时 30 分 6 小时 30 分" in text


def test_units_have_three_events_over_two_days() -> None:
    text = page(URL, kind="units")
    for line in ("桂林字牌 36 人 · 取前 3 名", "象棋 24 人 · 取前 3 名", "双升 12 对 · 取前 3 名"):
        assert line in text
    assert "决赛 另一桌争第三 2 2 1 第 2 天 11:20 – 12:20" in text
    assert "大约 第 2 天 17:50 结束" in text


def test_address_is_the_plan_and_htmx_gets_the_plan_alone() -> None:
    query = {"n": "28", "hands": "12", "style": "byes", "prelim": "0", "begin": "08:30"}
    part = Client().get(URL, query, headers={"HX-Request": "true"})
    assert part["HX-Replace-Url"] == f"{URL}?n=28&style=byes&prelim=0&begin=08:30"
    assert b"<html" not in part.content
    assert "08:30 – 09:20 第 1 轮 1 桌" in text_of(part.content.decode())
    assert "08:30 – 09:20 第 1 轮 1 桌" in page(part["HX-Replace-Url"])
    assert planner_query({"n": 50, "prelim": 0, "hands": 12}) == "prelim=0"


def test_preset_keeps_the_hall_and_leads_to_its_own_address() -> None:
    query = {"n": "40", "tables": "9", "style": "redraw", "prelim": "0", "hands": "8"}
    for preset, more in (("standard", ""), ("single", "&prelim=0"), ("units", "&kind=units")):
        answer = stranger(URL, preset=preset, **query)
        assert (answer.status_code, answer["Location"]) == (302, f"{URL}?n=40&tables=9{more}")


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"n": "1"}, "选手人数 · 请填 2 到 2187 之间的整数。"),
        ({"n": "x"}, "选手人数 · 请填 2 到 2187 之间的整数。"),
        ({"n": "16", "prelim": "4"}, "16 人的预赛可以打 1 到 3 轮，再多就要重复同桌。"),
        ({"n": "13", "prelim": "0", "style": "compact"}, "13 人不能用四人桌的办法"),
        ({"hands": "0", "minutes": "0"}, "请填每轮的手数或分钟数。"),
        ({"begin": "19:00"}, "结束要晚于开始。"),
        ({"kind": "units", "zipai": "0", "chess": "0", "pairs": "0"}, "请至少安排一个项目。"),
        ({"n": "13", "against": "compact"}, "13 人不能用四人桌的办法"),
    ],
)
def test_what_cannot_be_planned_is_said_and_kept(query: dict[str, str], sentence: str) -> None:
    answer = stranger(URL, **query)
    text = answer.content.decode()
    assert sentence in text_of(text)
    for name, value in query.items():
        if name in ("n", "tables", "hands", "minutes", "begin"):
            assert f'name="{name}" value="{value}"' in text


def test_too_few_for_a_preliminary_are_told_so() -> None:
    assert "不到 6 人没有预赛，直接打淘汰赛。" in page(URL, n="5", prelim="3")


def test_draw_leads_to_the_plan_of_its_competition() -> None:
    made = make(28)
    client = Client()
    client.force_login(User.objects.get(pk=made.owner.user_id or 0))
    answer = client.get(reverse("manage_draw", args=[made.competition.code]))
    found = re.findall(r"href=.(/tools/plan[^\"]*)", answer.content.decode())
    assert found == [f"{URL}?n=28&amp;prelim=0"]
