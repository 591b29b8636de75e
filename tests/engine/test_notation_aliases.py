"""Import form: every alias of notation.md's tables reads as its canonical form."""

import pytest

from engine.cards import NAMES
from engine.events import Event, Verb
from engine.files import parse
from engine.notation import Claim, Ruling, canonical_claim, read_line
from engine.record import export
from tests.engine.zpr import DEAL, record


def read(raw, seats=3):
    return read_line(raw, seats, 1)


@pytest.mark.parametrize("number", range(1, 11))
def test_ascii_card_of_each_rank_and_size(number):
    """R1: s1 … s10 and b1 … b10."""
    assert read(f"甲 打 s{number}").what == Event(Verb.PLAY, 0, number - 1)
    assert read(f"甲 打 b{number}").what == Event(Verb.PLAY, 0, number + 9)


@pytest.mark.parametrize(
    ("alias", "name"),
    [("貳", "贰"), ("弐", "贰"), ("參", "叁"), ("叄", "叁"), ("陸", "陆"), ("壱", "壹")],
)
def test_old_character_of_a_big_card(alias, name):
    assert read(f"甲 打 {alias}").what == Event(Verb.PLAY, 0, NAMES.index(name))


def test_compatibility_ideograph_reads_as_the_card_it_is():
    """U+F9D1 looks like 六 and is 六 in normal form C."""
    assert str(read("甲 打 \uf9d1")) == "甲 打 六"


@pytest.mark.parametrize(
    ("alias", "canonical"),
    [
        ("A play s8", "甲 打 八"),
        ("C flip s4", "丙 摸 四"),
        ("C chi s4 s3+s5", "丙 吃 四 三五"),
        ("C chi s4 s5+s3 b4+s4+s4", "丙 吃 四 三五 四四肆"),
        ("B peng s8", "乙 碰 八"),
        ("A sao s7", "甲 扫 七"),
        ("A guosao s7", "甲 过扫 七"),
        ("A saochuan s7", "甲 扫穿 七"),
        ("B kaiduo s6", "乙 开舵 六"),
        ("B 开招 六", "乙 开舵 六"),
        ("A keep", "甲 留"),
        ("A hu s6", "甲 胡 六"),
        ("A hu", "甲 胡"),
        ("draw", "荒"),
        ("xing s7", "醒 七"),
        ("B pass", "乙 过"),
        ("D play b10", "丁 打 拾"),
    ],
)
def test_verb_and_seat_alias(alias, canonical):
    assert str(read(alias, 4)) == canonical


@pytest.mark.parametrize(
    "group",
    ["二七十", "s2+s7+s10", "s10+s2+s7", "十七二", "二+s7+十", "s2七s10", "ｓ２＋ｓ７＋ｓ１０"],
)
def test_group_in_any_order_and_mixture(group):
    assert str(read(f"丙 吃 四 三五 {group}")) == "丙 吃 四 三五 二七十"


def test_bi_groups_are_sorted():
    assert str(read("丙 吃 四 五三 伍陆柒 四四肆")) == "丙 吃 四 三五 四四肆 伍陆柒"


@pytest.mark.parametrize(
    "raw",
    [
        "甲 打 八",
        "  甲   打\t八  ",
        "甲\u3000打\u3000八",
        "\ufeff甲 打 八",
        "甲 打\u200b八",
        "1. 甲 打 八",
        "1.甲 打 八",
        "１．甲 打 八",
        "1。 甲 打 八",
        "01.\t甲 打 八",
        "甲 打 八 # 第一手",
        "甲 打 八＃第一手",
        "Ａ play ｓ８",
    ],
)
def test_blanks_full_width_forms_ordinals_and_comments(raw):
    assert read(raw) == read("甲 打 八")


@pytest.mark.parametrize(
    ("raw", "note"),
    [
        ("甲 打 八 {犹豫}", "犹豫"),
        ("甲 打 八{犹豫}# 注", "犹豫"),
        ("甲 打 八 ｛犹豫｝", "犹豫"),
        ("甲 打 八 {第 3 手 # 不是注释}", "第 3 手 # 不是注释"),
        ("甲 打 八 {“引”}", "“引”"),
        ("甲 打 八 {}", ""),
        ("甲 打 八 { a {b }", " a {b "),
    ],
)
def test_annotation_survives(raw, note):
    line = read(raw)
    assert line.note == note
    assert read(str(line)) == line


@pytest.mark.parametrize(
    ("raw", "ruling", "canonical"),
    [
        ('! 乙 超时 "第一次警告"', Ruling(1, "超时", "第一次警告"), '! 乙 超时 "第一次警告"'),
        ("！乙 超时 “第一次警告”", Ruling(1, "超时", "第一次警告"), '! 乙 超时 "第一次警告"'),
        ("!超时", Ruling(None, "超时"), "! 超时"),
        ('! B 警告 ""', Ruling(1, "警告", ""), '! 乙 警告 ""'),
        ('! 更正 "a # b {c}" # d', Ruling(None, "更正", "a # b {c}"), '! 更正 "a # b {c}"'),
        ("! 更正 ＂丁＂", Ruling(None, "更正", "丁"), '! 更正 "丁"'),
        ("! e\u0301", Ruling(None, "é"), "! é"),
    ],
)
def test_ruling(raw, ruling, canonical):
    line = read(raw)
    assert line.what == ruling
    assert str(line) == canonical


@pytest.mark.parametrize(
    ("raw", "claim", "canonical"),
    [
        (
            "= 甲 胡17 计4 甲+8 乙-4 丙-4",
            Claim((0,), False, 17, 4, ((0, 8), (1, -4), (2, -4))),
            "= 甲 胡17 计4 甲+8 乙-4 丙-4",
        ),
        (
            "＝Ａ hu 17 计 4 C −4 B－４ A + 8",
            Claim((0,), False, 17, 4, ((0, 8), (1, -4), (2, -4))),
            "= 甲 胡17 计4 甲+8 乙-4 丙-4",
        ),
        ("= 乙 甲 胡27", Claim((0, 1), False, 27), "= 甲 乙 胡27"),
        ("= 荒", Claim(drawn=True), "= 荒"),
        ("= draw 甲0", Claim(drawn=True, deltas=((0, 0),)), "= 荒 甲+0"),
        ("= 计004", Claim(total=4), "= 计4"),
        ("=", Claim(), "="),
    ],
)
def test_claim(raw, claim, canonical):
    line = read(raw)
    assert line.what == claim
    assert str(line) == canonical


@pytest.mark.parametrize(
    ("alias", "canonical"),
    [
        ("event: 公开赛", "赛事: 公开赛"),
        ("date: ２０２６－１１－２９", "日期: 2026-11-29"),
        ("round: 2", "轮次: 2"),
        ("table：７", "桌: 7"),
        ("hand :3", "局: 3"),
        ("referee:  黄   某", "裁判: 黄 某"),
        ("A: 张三", "甲: 张三"),
        ("B: 李四", "乙: 李四"),
        ("Ｃ： 王五", "丙: 王五"),
        ("option.min_hu: １５", "选项.min_hu: 15"),
        ("选项．xing： xia、shang", "选项.xing: shang, xia"),
        ("选项.xing: xia，shang", "选项.xing: shang, xia"),
        ("选项.xing:", "选项.xing:"),
        ("X-来源:  a   b ", "X-来源: a   b"),
        ("赛事: 公开赛 # 注释", "赛事: 公开赛"),
        ('赛事: 5" 盘 {注}', '赛事: 5" 盘 {注}'),
    ],
)
def test_header_alias(alias, canonical):
    text = record(rules="guangxi-app", header=(alias,))
    assert canonical in export(parse(text)).split("\n")


def test_aliases_of_the_lines_before_the_events():
    text = record().replace("字牌谱 1", "zipai-record  １").replace("规则: local", "rules: local")
    text = text.replace("庄: 甲", "dealer: A").replace("发 乙 三三", "deal B s3+s3 ")
    text += "wall s1 b1+b7\n"
    assert export(parse(text)) == record(wall="一壹柒")


def test_four_seats_and_the_one_who_sits_out():
    """R2.2: with four, 丙 sits out where 甲 deals, and has no 发 line."""
    deal = {"甲": DEAL["甲"], "乙": DEAL["乙"], "丁": DEAL["丙"]}
    text = record(header=("option.seats: 4", "D: 赵六"), deal=deal)
    read_back = parse(text)
    assert read_back.players == (None, None, None, "赵六")
    assert [bool(hand) for hand in read_back.deal] == [True, True, False, True]
    assert "丁: 赵六" in export(read_back)


@pytest.mark.parametrize(
    "claim",
    [
        *(
            "= 甲 胡17 计4 甲+8 乙-4 丙-4",
            "= 甲 胡17 计4 乙-4 甲+8 丙-4",
            "= 甲 胡17 计4 甲+8 甲+8",
        ),
        *("= 甲 胡017 计4 甲+8 乙-4", "= 甲 胡17 计4 甲+0 乙-0", "= 丙 胡17 计4 甲+8 乙-4"),
        *("= 甲 胡17 计4 甲+8 丁-4", "= 甲 胡17 计4 甲+8乙-4", "= 甲 胡17 计4 甲+8 乙-4 "),
    ],
)
@pytest.mark.parametrize("seats", [2, 4])
def test_fast_path_of_claims_reads_what_the_slow_one_reads(claim, seats):
    fast = canonical_claim(claim, seats)
    if fast is not None:
        assert fast == read(claim, seats)
        assert str(fast) == claim
    assert (canonical_claim(str(Claim((0,), False, 17, 4, ((0, 8), (1, -4)))), seats)) is not None
