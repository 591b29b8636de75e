"""算胡器 and 查谱: exact answers, sentences for what is wrong, nothing typed is lost, limits."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from core import pace
from engine.files import parse
from engine.jsonl import export as twin_of
from tests.scoring.public_pages import text_of
from tests.scoring.records import result_of, won
from tests.scoring.test_replayed import SHORT

pytestmark = pytest.mark.django_db

CALCULATOR, CHECK = "/tools/hu/", "/tools/record/"
WIN = {
    "hand": "一二三二七十四五六肆肆", "table": "碰 九,扫 壹,吃 贰柒拾", "card": "肆",
    "xing": "三", "source": "discard",
}  # fmt: skip
WAITING = {"hand": "一二三二七十四五捌捌捌", "table": "碰九,扫壹,吃贰柒拾"}


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """Nobody has spent anything."""
    cache.clear()
    yield
    cache.clear()


def ask(**query: str) -> str:
    """The words of the calculator's page."""
    answer = Client().get(CALCULATOR, query)
    assert answer.status_code == 200
    return text_of(answer.content.decode())


def check(text: str, client: Client | None = None, **more: object) -> HttpResponse:
    answer = (client or Client()).post(CHECK, {"text": text, **more})
    assert isinstance(answer, HttpResponse)
    return answer


def words(answer: HttpResponse) -> str:
    return text_of(answer.content.decode())


def test_calculator_counts_a_hand_with_its_rules_and_under_every_preset(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    """一二三 3, 二七十 3, 碰九 1, 扫壹 6, 吃贰柒拾 6, 碰肆 3: 22; 二 twice and 四 once are 醒."""
    assert (reverse("calculator"), reverse("record_check")) == (CALCULATOR, CHECK)
    with django_assert_num_queries(0):
        text = ask(**WIN)
    assert "胡 22 R7.4 → 3 舵 R9.1 + 上醒 2 R8.2 + 下醒 1 R8.2 = 6 舵" in text
    assert "胡家 +12 点炮的 −12 R9.3" in text
    under = text.partition("换规则看")[2]
    assert "竞赛规则 胡 22 → 3 舵 + 上醒 2 + 下醒 1 = 6 舵" in under
    assert "老K 22 胡 = 22 胡 翻出的 三 在这里不算。" in under
    assert "广西桂林字牌 胡 22 → 3 舵 + 上醒 2 + 中醒 1 + 下醒 1 = 7 舵" in under
    assert "民间（实战记录） 胡 22 → 3 舵" in under
    four = ask(**WIN, seats="4", **{"rule.min_hu": "20"})
    assert "胡 22 R7.4 → 1 舵 R9.1 + 上醒 2 R8.2 + 下醒 1 R8.2 = 4 舵" in four
    assert "胡家 +8 点炮的 −8" in four
    assert "这里的规则 胡 22 → 1 舵" in four
    flip = ask(**(WIN | {"source": "own-flip", "xing": ""}), seats="2")
    assert "胡 25 R7.4 → 4 舵 R9.1 + 自摸 1 R9.2 = 5 舵" in flip
    assert "翻出的醒牌还没有写全，先按写了的算。 R8.1" in flip
    assert "胡家 +5 另一家 −5" in flip


def test_calculator_address_is_the_hand_and_htmx_gets_the_answer_alone() -> None:
    """What is usual is left out; the link leads to the same answer."""
    query = {**WIN, "preset": "local", "seats": "3", "special": "", "rule.min_hu": "preset"}
    answer = Client().get(CALCULATOR, query, headers={"HX-Request": "true"})
    html = answer.content.decode()
    assert "<html" not in html
    assert 'id="brief" hx-swap-oob="true"' in html
    address = answer.headers["HX-Replace-Url"]
    assert parse_qs(urlsplit(address).query) == {
        name: [value] for name, value in {**WIN, "preset": "local"}.items()
    }
    again = Client().get(address)
    assert "= 6 舵" in words(again)
    assert f"http://testserver{address}".replace("&", "&amp;") in again.content.decode()
    assert "碰 九\n扫 壹\n吃 贰柒拾</textarea>" in again.content.decode()
    assert ask().count("这一手的链接") == 0


def test_calculator_shows_the_waits_of_a_hand_one_card_short() -> None:
    """二七十 3, 扫壹 6, 吃贰柒拾 6, 坎捌 6, 碰九 1, and 一二三 3: 25 with 三 or 六."""
    text = ask(**WAITING)
    assert "听牌，还有 7 张可胡" in text
    assert "25 胡 外面还有 3 张 25 胡 外面还有 4 张" in text
    assert text.count("听 三 25 胡 · 六 25 胡") == 4
    assert "没有听牌：没有一张牌能胡到 30 胡。 R7.7" in ask(**WAITING, **{"rule.min_hu": "30"})
    assert "成形，但只有 25 胡，不到 30" in ask(**WAITING, **{"rule.min_hu": "30"})
    none = ask(**(WAITING | {"hand": "一三五七八贰肆陆捌拾二"}))
    assert "没有听牌" in none
    assert "最接近的分法" in none


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"hand": "一二三二七十四五六肆x"}, "“x”不是字牌"),
        ({"hand": "一二三二七十四五六肆〇"}, "“〇”不是字牌"),
        ({"table": "碰 九,飞 壹"}, "“飞”不是吃、碰、扫、过扫、扫穿或开舵 R3"),
        ({"table": "碰 九,扫 壹,吃 一五九"}, "“吃 一五九”不成牌型"),
        ({"hand": "一二三二七十四五六肆"}, "连胡的那张一共 20 张牌，应为 21 张 R2.1"),
        ({"hand": "九九三二七十四五六肆肆"}, "九有 5 张，一副牌里只有四张 R1"),
        ({"hand": "一二三二七十四五捌肆肆"}, "配不成七方门子，多出 四五捌 R7.1"),
        ({"rule.min_hu": "25"}, "22 胡，起胡 25 R7.4"),
        ({"source": "deal", "card": ""}, "起手胡要写明是天胡、三笼还是五坎"),
        ({"special": "地胡", "source": "flip"}, "地胡是胡庄家打出的第一张牌"),
        ({"xing": "三四"}, "翻出的 四 在这里不算。 R8.1"),
        ({"last_card": "on"}, "翻出的 三 在这里不算。 R8.4"),
        ({"card": "肆肆"}, "请写胡的那一张牌 R7.1"),
        ({"card": "", "hand": "一二三二七十四五六肆肆肆"}, "牌已经够数了"),
        ({"source": "steal"}, "steal 不在"),
        ({"seats": "9"}, "9 不在"),
        ({"hand": "一" * 500}, "120"),
    ],
)
def test_calculator_says_what_is_wrong_and_keeps_it(change: dict[str, str], sentence: str) -> None:
    query = WIN | change
    answer = Client().get(CALCULATOR, query)
    assert answer.status_code == 200
    assert sentence in words(answer)
    html = answer.content.decode()
    assert query["hand"] in html
    assert "Traceback" not in html


def test_specials_last_card_and_other_ways_to_write_a_hand() -> None:
    """R7.6, R8.3, R8.4; cards as people type them."""
    three = "一一一一二二二二三三三三四伍陆柒捌玖拾五"
    deal = {"hand": three, "source": "deal", "special": "三笼", "xing": "四"}
    text = ask(**deal)
    assert "胡 27 R7.6 → 4 舵 R9.1 + 三笼 1 R9.2 + 醒 5 R8.2 = 10 舵 胡家 +20" in text
    more = ask(**deal, preset="guangxi-app")
    assert "( 4 舵 R9.1 + 醒 6 R8.2 ) × 三笼 2 R9.2 = 20 舵" in more
    assert "先按写了的算。 R8.3" in more
    assert "五坎要有 5 个坎，手里只有 0 个 R7.6" in ask(**(deal | {"special": "五坎"}))
    last = ask(**(WIN | {"xing": "", "last_card": "on", "preset": "guangxi-app"}))
    assert "→ 3 舵 R9.1 + 醒 2 R8.4 = 5 舵" in last
    none = ask(**WIN, **{"rule.xing": "none of them"})
    assert "胡 22 R7.4 → 3 舵 R9.1 = 3 舵" in none
    typed = {"hand": "s1s2s3s2s7s10s4s5s6b4b4", "table": "碰九；扫壹\n吃贰柒拾", "card": "b4"}
    assert "= 6 舵" in ask(**(WIN | typed))


def test_near_misses_come_with_the_nearest_grouping() -> None:
    for change in ({"hand": "一二三二七十四五捌肆肆"}, {"hand": "一二三二七十四五六肆"}):
        text = ask(**(WIN | change))
        assert "最接近的分法" in text


def test_record_is_checked_walked_and_valued() -> None:
    """Valid: who has won, 胡, 舵, groups, steps, other rules; nothing of it is kept."""
    text = won("local")
    result = result_of(text)
    answer = check(text)
    shown = words(answer)
    count = len(parse(text).events)
    assert f"合规：{count} 手，每一手都照规则" in shown
    assert f"胡 {result.hu} R7.4" in shown
    assert f"= {result.total} 舵" in shown
    assert "发完牌" in shown
    assert f"民间（实战记录） 胡 {result.hu} →" in shown
    step = words(check(text, step=1))
    assert f"第 1 手，共 {count} 手 下一手 › {parse(text).events[0]}" in step
    assert "本来还可以：" in step
    twin = twin_of(parse(text))
    file = SimpleUploadedFile("a.zpr", text.encode("gb18030"))
    for other in (check(twin), check("", file=file)):
        assert f"合规：{count} 手" in words(other)
    assert "<textarea" in check("", file=file).content.decode()


def test_faults_of_a_record_stand_at_their_line_with_rule_and_alternatives() -> None:
    wrong = SHORT.replace("乙 扫 壹\n", "丙 摸 一\n").replace("乙 打 柒", "乙 打打 柒")
    answer = check(wrong)
    assert answer.status_code == 200
    shown = words(answer)
    assert "牌谱有 2 处不对" in shown
    assert "第 14 行第 1 字 ：乙 必须先扫 壹，这里不能“丙 摸 一” (R5.4)" in shown
    assert "这里可以是： 乙 扫 壹" in shown
    assert "第 15 行第 3 字 ：没有“打打”这个动作" in shown
    assert "第 5 手，共 5 手 乙 摸 壹" in shown
    assert wrong in answer.content.decode().replace("&amp;", "&")
    unfinished = words(check(SHORT))
    assert "还没有打完：到第 7 手为止都合规" in unfinished


@pytest.mark.parametrize(
    ("text", "sentence", "status"),
    [
        ("", "请粘贴一副牌谱", 422),
        ("你好", "", 200),
        ("{", "", 200),
        ("字牌谱 1\n" * 3000, "牌谱有", 200),
        ("字牌谱 1\n规则: local\n庄: 甲\n\n发 甲 一\n", "牌谱有", 200),
        ("甲" * 70_000, "太长了，这里一次最多查", 422),
    ],
)
def test_no_text_breaks_the_check(text: str, sentence: str, status: int) -> None:
    answer = check(text)
    assert answer.status_code == status
    assert sentence in words(answer)


def test_several_hands_are_listed_and_the_first_wrong_one_is_open() -> None:
    both = f"{won('local')}\n{SHORT.replace('乙 扫 壹', '乙 扫 二')}"
    shown = words(check(both))
    assert "✓ 第 1 副 ✕ 第 2 副" in shown
    assert "牌谱有 1 处不对" in shown
    assert "合规：" in words(check(both, hand=1))


def test_files_that_cannot_be_read_are_refused_with_a_sentence() -> None:
    for content, sentence in (
        (b"\xff\xfe\x00\x01", "既不是 UTF-8 也不是 GB18030"),
        (b"", "文件是空的"),
        (b"x" * 300_000, "太长了"),
    ):
        answer = check("留着的字", file=SimpleUploadedFile("a.zpr", content))
        assert answer.status_code == 422
        assert sentence in words(answer)


def test_too_much_within_a_minute_is_refused_by_browser_and_not_by_address_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two browsers behind one address: the busy one waits, the other does not (C6 venue NAT)."""
    monkeypatch.setattr(pace, "OF_BROWSER", 3)
    busy, other = Client(), Client()
    busy.cookies["csrftoken"], other.cookies["csrftoken"] = "a" * 32, "b" * 32
    assert [busy.get(CALCULATOR).status_code for _ in range(4)] == [200, 200, 200, 429]
    assert other.get(CALCULATOR).status_code == 200
    refused = check("一" * 20_000, busy)
    assert refused.status_code == 429
    assert 0 < int(refused.headers["Retry-After"]) <= 60
    assert "请稍等" in words(refused)
    monkeypatch.setattr(pace, "OF_ADDRESS", 5)
    assert Client().get(CALCULATOR).status_code == 429
