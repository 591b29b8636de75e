"""The home page, a competition's programme and its list of entrants, for everyone."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests.factories import make_competition, make_event
from tests.scoring.public_pages import drafted, forget, page, published, stranger
from tests.tournament.competitions import Made, draw, make, make_published, play, play_out
from tournament.domain.competitions import publish_competition, write_regulation
from tournament.domain.draws import freeze_draw
from tournament.domain.entries import add_pasted, withdraw_before_draw
from tournament.domain.finality import finalize_round
from tournament.domain.settings import set_rules
from tournament.domain.starting import start_table
from tournament.models import Competition
from tournament.queries.public import masked, without_names

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 12, 5, 4, tzinfo=UTC)
"""Noon at Guilin on the day of the competitions that tests make."""


def shown(**fields: object) -> Competition:
    return make_competition(published_at=NOON, **fields)


def url(made: Made, name: str = "competition") -> str:
    return reverse(name, args=[made.competition.code])


def test_home_without_a_competition_says_what_will_be_here() -> None:
    text = page("/")
    assert "还没有公布的比赛 主办人公布比赛之后，这里会列出时间、地点和对阵。" in text


@time_machine.travel(NOON, tick=False)
def test_home_has_running_coming_and_past_competitions() -> None:
    shown(name="今天的比赛", place="文化馆")
    shown(name="两天的比赛", starts_on=date(2026, 12, 4), ends_on=date(2026, 12, 5))
    shown(name="明天的比赛", starts_on=date(2026, 12, 6))
    shown(name="下周的比赛", starts_on=date(2026, 12, 12))
    shown(name="昨天的比赛", starts_on=date(2026, 12, 4))
    shown(name="去年的比赛", starts_on=date(2025, 12, 4))
    shown(name="刚打完的比赛", ended_at=NOON)
    make_competition(name="没有公布的比赛")
    assert (
        "正在进行 两天的比赛 2026年12月4日 – 2026年12月5日 今天的比赛 2026年12月5日 · 文化馆 "
        "即将开始 明天的比赛 2026年12月6日 下周的比赛 2026年12月12日 "
        "已经结束 刚打完的比赛 2026年12月5日 昨天的比赛 2026年12月4日 去年的比赛 2025年12月4日"
    ) in page("/")
    assert "没有公布的比赛" not in page("/")


@time_machine.travel(NOON - timedelta(days=7), tick=False)
def test_competition_with_a_hand_has_begun_whatever_its_day() -> None:
    made = make_published(9)
    publish_competition(acting=made.owner, competition=made.competition)
    assert "即将开始 漓江杯" in page("/")
    assert "即将开始" in page(made.competition.get_absolute_url())
    start_table(acting=made.owner, table=made.tables(1)[0])
    forget()
    assert "正在进行 漓江杯" in page("/")
    assert "即将开始" not in page(made.competition.get_absolute_url())


def test_home_counts_confirmed_entrants() -> None:
    made = drafted(7)
    withdraw_before_draw(acting=made.owner, entrant=made.event.entrants.first())
    assert "漓江杯 2026年12月5日 · 6 人" in page("/")


@time_machine.travel(NOON, tick=False)
def test_home_moves_on_at_midnight() -> None:
    shown(name="今天的比赛")
    assert "正在进行" in page("/")
    with time_machine.travel(NOON + timedelta(hours=12), tick=False):
        assert "已经结束 今天的比赛" in page("/")


@pytest.mark.parametrize("count", [3, 30])
def test_home_needs_three_queries(
    count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(count):
        shown(name=f"比赛{number}")
    forget()
    with django_assert_num_queries(3):
        Client().get("/")
    with django_assert_num_queries(1):
        Client().get("/")


def test_programme_before_the_draw() -> None:
    made = drafted(9)
    text = page(url(made))
    assert "个人赛 还没有抽签 抽签公布以后，这里会有对阵和每一轮的进度。" in text
    assert "时间 2026年12月5日 (Asia/Shanghai)" in text
    assert "选手 9 人" in text
    assert "主办人还没有写竞赛规程。" in text
    assert "3 人一桌，每桌 1 人晋级" in text
    assert "第一局打完之前，主办人还可以改动。" in text


def test_current_version_of_the_regulation_is_shown_as_text() -> None:
    made = drafted(3)
    write_regulation(acting=made.owner, competition=made.competition, text="旧的规程")
    write_regulation(
        acting=made.owner, competition=made.competition, text="第一条 <b>守时</b>\n\n第二条"
    )
    html = stranger(url(made)).content.decode()
    assert "第 2 版" in html
    assert "<p>第一条 &lt;b&gt;守时&lt;/b&gt;</p>" in html
    assert "旧的规程" not in html


def test_every_option_of_the_rules_is_explained_and_doubtful_ones_are_marked() -> None:
    """Options of the preset `competition` that its own text does not settle."""
    made = drafted(3)
    html = stranger(url(made)).content.decode()
    assert html.count('class="rule-label"') == 17
    assert html.count("请与裁判长确认") == 7
    text = page(url(made))
    assert "起胡：至少多少胡才能胡牌 R7.4 10 胡起胡" in text
    assert "碰牌的胡数 R3 黑牌小 1 大 3，红牌小 3 大 6 ◇ 请与裁判长确认" in text
    assert "R7.3 胡的那张凑成的三张或四张的胡数 ◇ 请与裁判长确认" in text
    english = page(url(made), language="en")
    assert "The least 胡 a win must reach R7.4 10 胡" in english

    set_rules(acting=made.owner, event=made.event, preset_id="local", options={"xing": []})
    text = page(url(made))
    assert "民间（实战记录）" in text
    assert "翻醒：哪些算醒 R8.1 都不算" in text
    assert "请与裁判长确认" not in text


def test_frozen_list_shows_its_digests() -> None:
    """C4.1: published at the freeze."""
    made = drafted(9)
    frozen = freeze_draw(acting=made.owner, stage=made.stage)
    text = page(url(made))
    assert "名单已冻结，等现场的话" in text
    assert frozen.list_digest in text
    assert frozen.secret_hash in text
    assert frozen.secret not in text


def test_rounds_have_their_state_and_draws_a_link_to_check() -> None:
    made = published(9)
    play(made, made.tables(1)[0])
    text = page(url(made))
    assert (
        "轮次 状态 桌 打完 每桌局数 第 1 轮 ▸ 进行中 3 1 2 决赛 ◇ 已公布 1 0 2 看对阵图 看名次"
    ) in text
    assert "第 1 次抽签" in text
    assert "✓ 已公布" in text
    html = stranger(url(made)).content.decode()
    assert reverse("draws", args=[made.competition.code, made.event.pk]) in html
    assert reverse("verify_draw") in html


def test_reason_of_another_draw_is_public() -> None:
    """C4.2."""
    made = published(9)
    draw(made, words="又来", reason="漏了一人")
    assert "第 2 次抽签" in page(url(made))
    assert "重抽原因：漏了一人" in page(url(made))


def test_champion_is_named_and_open_until_final() -> None:
    """C7.1."""
    made = published(9)
    champion = play_out(made)
    assert champion is not None
    assert f"冠军（待定局） {champion.name}" in page(url(made))
    finalize_round(acting=made.owner, round_=made.stage.rounds.get(is_last=True))
    text = page(url(made))
    assert f"冠军 {champion.name}" in text
    assert "■ 已结束" in text


def test_competition_polls_its_rounds() -> None:
    made = published(9)
    version = stranger(url(made))["X-Version"]
    live = url(made, "competition_live")
    assert stranger(live, v=version).status_code == 204
    play(made, made.tables(1)[0])
    answer = stranger(live, v=version)
    assert answer.status_code == 200
    assert "进行中" in answer.content.decode()
    assert "竞赛规程" not in answer.content.decode()


def test_several_events_have_tabs_of_their_own() -> None:
    made = published(3)
    second = make_event(made.competition, name="双人赛", position=2)
    text = page(url(made))
    assert "秩序册 日程 个人赛 对阵图 个人赛 名次 双人赛 对阵图 双人赛 名次 团体名次 选手" in text
    assert "双人赛 还没有抽签" in text
    assert "还没有选手" in page(url(made, "entrants"), event=str(second.pk))
    assert stranger(url(made, "entrants"), event="999").status_code == 404


def test_competition_needs_few_queries(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    """Competition, events, versions, announcements, rounds, champion, draws, registration, entries,
    regulation, stages."""
    made = published(27)
    forget()
    with django_assert_num_queries(11):
        Client().get(url(made))
    with django_assert_num_queries(2):
        Client().get(url(made))


@pytest.mark.parametrize("name", ["competition", "competition_live", "entrants"])
def test_unpublished_and_unknown_competitions_are_not_found(name: str) -> None:
    made = make(3)
    assert stranger(url(made, name)).status_code == 404
    assert stranger(reverse(name, args=["nobody"])).status_code == 404


def test_entrants_are_listed_by_number_with_seed_and_unit() -> None:
    made = drafted(3)
    made.event.entrants.filter(entry__number=2).update(seed=1)
    text = page(url(made, "entrants"))
    assert "编号 选手 单位 1 选手1 单位1 2 选手2 1 号种子 单位1 3 选手3 单位1 共 3 人" in text


def names_made() -> Made:
    made = drafted(0)
    add_pasted(
        acting=made.owner,
        event=made.event,
        text="覃小明\t象山队\n张三丰\t七星队\n秦明\t象山队\n单雄信\t灵川队",
    )
    return made


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("2", ["张三丰"]),
        ("明", ["覃小明", "秦明"]),
        ("小 明", ["覃小明"]),
        ("qinxm", []),
        ("qxm", ["覃小明"]),
        ("QinMing", ["秦明"]),
        ("shanxiongxin", ["单雄信"]),
        ("象山", ["覃小明", "秦明"]),
        ("99", []),
    ],
)
def test_entrants_are_found_by_number_name_pinyin_and_unit(asked: str, found: list[str]) -> None:
    text = page(url(names_made(), "entrants"), q=asked)
    for name in ("覃小明", "张三丰", "秦明", "单雄信"):
        assert (name in text) == (name in found)
    assert ("没有找到" in text) == (not found)


def test_entrants_may_be_sorted_by_name() -> None:
    text = page(url(names_made(), "entrants"), sort="name")
    order = [text.index(name) for name in ("秦明", "覃小明", "单雄信", "张三丰")]
    assert order == sorted(order)
    assert "按编号排" in text


def test_masked_names_are_not_guessed_letter_by_letter() -> None:
    made = names_made()
    Competition.objects.filter(pk=made.competition.pk).update(mask_names=True)
    entrants = url(made, "entrants")
    text = page(entrants)
    assert "1 覃*明 象山队" in text
    assert "3 秦* 象山队" in text
    assert "按姓名排" not in text
    assert "没有找到" in page(entrants, q="小明")
    assert "没有找到" in page(entrants, q="qxm")
    assert "覃*明" in page(entrants, q="覃小明")
    by_name = page(entrants, sort="name")
    assert by_name.index("覃*明") < by_name.index("单*信")


def test_long_lists_are_paged() -> None:
    made = drafted(230)
    text = page(url(made, "entrants"))
    assert "100 选手100" in text
    assert "101 选手101" not in text
    assert "1 / 3 下一页" in text
    assert "230 选手230" in page(url(made, "entrants"), page="3")
    for odd in ("99", "0", "x", "9" * 40, "1000"):
        assert stranger(url(made, "entrants"), page=odd).status_code == 200
    assert "?page=2&amp;q=" in stranger(url(made, "entrants"), q="选手").content.decode()


@pytest.mark.parametrize("entrants", [3, 30])
def test_entrants_need_five_queries(
    entrants: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    made = drafted(entrants)
    forget()
    with django_assert_num_queries(5):
        Client().get(url(made, "entrants"))


def test_who_withdrew_before_the_draw_is_not_listed() -> None:
    made = drafted(3)
    withdraw_before_draw(acting=made.owner, entrant=made.event.entrants.first())
    assert "选手1" not in page(url(made, "entrants"))


def test_languages_have_bodies_of_their_own() -> None:
    made = published(3)
    client = Client()
    forget()
    chinese = client.get(url(made), headers={"Accept-Language": "zh-hans"}).content.decode()
    english = client.get(url(made), headers={"Accept-Language": "en"}).content.decode()
    assert '<html lang="zh-hans">' in chinese
    assert '<html lang="en">' in english
    client.cookies["django_language"] = "en"
    assert '<html lang="en">' in client.get(url(made)).content.decode()


@pytest.mark.parametrize(
    ("name", "shown_as"),
    [("张小明", "张*明"), ("张明", "张*"), ("明", "明"), ("欧阳小明", "欧**明"), ("", "")],
)
def test_names_are_masked_in_the_middle(name: str, shown_as: str) -> None:
    assert masked(name) == shown_as


def test_longer_names_are_masked_first_in_a_text() -> None:
    assert without_names("张小明和张小", ["张小", "张小明", ""]) == "张*明和张*"
