"""What cannot be read: the code, the place and the hint of every kind of typing error."""

import pickle

import pytest

from engine.faults import ReadError
from engine.notation import read_line
from engine.tokens import LINE_LIMIT
from tests.engine.zpr import fault, only, place, record


def refused(raw, seats=3, number=1):
    with pytest.raises(ReadError) as caught:
        read_line(raw, seats, number)
    return caught.value


@pytest.mark.parametrize(
    ("char", "meant"),
    [
        *(("—", "一"), ("ー", "一"), ("ニ", "二"), ("ハ", "八"), ("〇", "十"), ("+", "十")),
        *(("＋", "十"), ("－", "一")),
    ],
)
def test_look_alike_is_an_error_with_a_hint(char, meant):
    """`unknown-card` (R1): never a guess."""
    error = refused(f"甲 打 {char}")
    assert (error.code, error.rule, error.column) == ("unknown-card", "R1", 5)
    assert error.zh == f"“{char}”不是字牌，是不是“{meant}”？"
    assert error.en == f"“{char}” is no card; did you mean {meant}?"


@pytest.mark.parametrize(
    ("raw", "column", "word"),
    [
        ("甲 打 某", 5, "某"),
        ("甲 打 s11", 5, "s11"),
        ("甲 打 s0", 5, "s0"),
        ("甲 打 x5", 5, "x5"),
        ("丙 吃 四 三某", 8, "某"),
        ("丙 吃 四 二+五", 8, "+"),
        ("丙 吃 四 s2++s5", 10, "+"),
        ("丙 吃 四 s2+s5+", 12, "+"),
        ("丙 吃 四 三五 四四〇", 12, "〇"),
        ("12. 甲 打 某", 9, "某"),
    ],
)
def test_unknown_card_is_pointed_at(raw, column, word):
    """`unknown-card` (R1)."""
    error = refused(raw, number=12)
    assert (error.code, error.rule, error.column) == ("unknown-card", "R1", column)
    assert f"“{word}”" in error.zh


@pytest.mark.parametrize(
    ("raw", "seats", "column"),
    [
        ("戊 打 八", 4, 1),
        ("丙 打 八", 2, 1),
        ("D play s8", 3, 1),
        ("! 丁 超时", 3, 3),
        ("= 甲 胡17 丁-4", 3, 9),
        ("= 丁", 3, 3),
    ],
)
def test_unknown_seat(raw, seats, column):
    """`unknown-seat`: also one that is not at this table (R2.2)."""
    error = refused(raw, seats)
    assert (error.code, error.column) == ("unknown-seat", column)


def test_unknown_verb():
    """`unknown-verb`: pointed at, with the verbs there are."""
    error = refused("甲 出 八")
    assert (error.code, error.column) == ("unknown-verb", 3)
    assert error.zh.startswith("没有“出”这个动作；可以写 打 摸 吃 碰")


@pytest.mark.parametrize(
    ("raw", "column", "zh"),
    [
        ("打 八", 1, "缺座位；应写成“甲 打 八”"),
        ("甲", 1, "缺动作，如“甲 打 八”"),
        ("甲 打", 3, "缺牌；应写成“甲 打 八”"),
        ("甲 打 八八", 5, "这里应是 1 张牌；应写成“甲 打 八”"),
        ("甲 打 八 九", 7, "“九”多余；应写成“甲 打 八”"),
        ("乙 过 八", 5, "“八”多余；应写成“乙 过”"),
        ("荒 八", 3, "“八”多余；应写成“荒”"),
        ("甲 荒", 1, "“荒”前面不写座位；应写成“荒”"),
        ("甲 醒 七", 1, "“醒”前面不写座位；应写成“醒 七”"),
        ("醒", 1, "缺牌；应写成“醒 七”"),
        ("丙 吃 四", 3, "缺手里的两张牌；应写成“丙 吃 四 三五 [四四肆 …]”"),
        ("丙 吃 四 三", 7, "这里应是 2 张牌；应写成“丙 吃 四 三五 [四四肆 …]”"),
        ("丙 吃 四 三五 四四", 10, "这里应是 3 张牌；应写成“丙 吃 四 三五 [四四肆 …]”"),
        ("hello world", 1, "读不懂“hello”；一手一行，如“甲 打 八”"),
        ("13. 甲 打 八", 1, "序号不对：这是第 12 手"),
        ("甲 打 八 {犹豫", 7, "“{犹豫”多余；应写成“甲 打 八”"),
        ("甲 打 {犹豫} 八", 10, "注释 {…} 和引文之后不能再写别的"),
        ("甲 打 八 {a} {b}", 11, "注释 {…} 和引文之后不能再写别的"),
        ('甲 打 八 "引文"', 7, "引文只能写在裁定行（!）里"),
        ("12.", 1, "这一行没有事件"),
        ("{只有注释}", 1, "这一行没有事件"),
        ("!", 1, '缺裁定的词；应写成“! [座位] 词 ["文字"]”'),
        ('! 乙 "文字"', 1, '缺裁定的词；应写成“! [座位] 词 ["文字"]”'),
        ("! 乙 超时 第一次", 8, "“第一次”多余；说明请放在引号里"),
        ('! 超时 "a" "b"', 6, "只能有一段引文，里面不能有引号"),
        ('! 超时 “a"b”', 6, "只能有一段引文，里面不能有引号"),
        ("! " + "e" + "\u0301" * 250, 3, "附加符号太多"),
        ("= 甲 胡十七", 5, "读不懂“胡十七”；应写成“= 甲 胡17 计4 甲+8 乙-4 丙-4”"),
        ("= 甲 甲", 5, "“甲”重复或矛盾"),
        ("= 甲+8 甲+8", 7, "“甲+8”重复或矛盾"),
        ("= 胡17 胡17", 7, "“胡17”重复或矛盾"),
        ("= 甲 荒", 5, "“荒”重复或矛盾"),
        ("= 荒 荒", 5, "“荒”重复或矛盾"),
        ("= 胡1234567890", 3, "“胡1234567890”太大"),
        ("甲 打 八" + " " * LINE_LIMIT, LINE_LIMIT + 1, "这一行太长"),
    ],
)
def test_syntax_is_pointed_at_and_says_the_form(raw, column, zh):
    """`syntax`: the line cannot be read."""
    error = refused(raw, number=12)
    assert (error.code, error.column, error.zh) == ("syntax", column, zh)
    assert error.en


def edited(*changes, **given):
    text = record("甲 打 八", **given)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([("字牌谱 1\n", "")], ("syntax", 1, 1, None, "notation")),
        ([("字牌谱 1", "字牌谱 2")], ("syntax", 1, 5, None, "notation")),
        ([("字牌谱 1", "字牌谱")], ("syntax", 1, 1, None, "notation")),
        ([("字牌谱 1", "字牌谱 1 {a} b")], ("syntax", 1, 11, None, "notation")),
        ([("规则: local\n", "")], ("syntax", 1, 1, None, "notation")),
        ([("规则: local", "规则:")], ("syntax", 2, 1, None, "notation")),
        ([("庄: 甲\n", "")], ("syntax", 1, 1, None, "notation")),
        ([("规则: local", "规则: 民间")], ("unknown-rules", 2, 5, None, "Presets")),
        ([("庄: 甲", "庄: 丁")], ("unknown-seat", 3, 4, None, "notation")),
        ([("庄: 甲", "丁: 赵六\n庄: 甲")], ("unknown-seat", 3, 1, None, "notation")),
        ([("庄: 甲", " 天气: 晴\n庄: 甲")], ("unknown-key", 3, 2, None, "notation")),
        ([("庄: 甲", "桌 7\n庄: 甲")], ("syntax", 3, 1, None, "notation")),
        ([("庄: 甲", "桌: 7\ntable: 7\n庄: 甲")], ("syntax", 4, 1, None, "notation")),
        ([("庄: 甲", "X-a: 7\nX-a: 7\n庄: 甲")], ("syntax", 4, 1, None, "notation")),
        ([("庄: 甲", "选项.min_hu: 12\n庄: 甲")], ("bad-option", 3, 12, None, "R7.4")),
        ([("庄: 甲", "选项.min: 10\n庄: 甲")], ("bad-option", 3, 1, None, "Presets")),
        ([("庄: 甲\n\n", "庄: 甲\n")], ("syntax", 4, 1, None, "notation")),
        ([("发 甲", "发 戊")], ("unknown-seat", 5, 3, None, "notation")),
        ([("发 甲 一", "发 甲 某")], ("unknown-card", 5, 5, None, "R1")),
        ([("发 甲", "发 甲\n发 甲")], ("syntax", 5, 3, None, "notation")),
        ([("发 甲", "发\n发 甲")], ("syntax", 5, 1, None, "notation")),
        ([("发 甲", "发 \n发 甲")], ("syntax", 5, 1, None, "notation")),
        ([("发 乙 三", "发 甲 三")], ("syntax", 6, 3, None, "notation")),
        ([("甲 打 八", "墩\n甲 打 八")], ("syntax", 8, 1, None, "notation")),
        ([("甲 打 八", '墩 八 "a"\n甲 打 八')], ("syntax", 8, 1, None, "notation")),
        ([("甲 打 八", "墩 八\nwall 八")], ("syntax", 9, 1, None, "notation")),
        ([("甲 打 八", "甲 打 八\n墩 八")], ("syntax", 9, 1, None, "notation")),
        ([("甲 打 八", "甲 打 八\n发 甲 八")], ("syntax", 9, 3, None, "notation")),
        ([("甲 打 八", "甲 打 八\n庄: 甲")], ("syntax", 9, 1, 2, "notation")),
        ([("甲 打 八", "甲 打 八\n= 荒\n= 荒")], ("syntax", 10, 1, None, "notation")),
        ([("甲 打 八", "甲 打 八\n= 甲 胡9 计1 甲+1乙-1")], ("syntax", 9, 11, None, "notation")),
        ([("甲 打 八", "甲 打 八\n!")], ("syntax", 9, 1, None, "notation")),
    ],
)
def test_fault_outside_the_events(changes, expected):
    """A required key or line missing or given twice, and all that a header can get wrong."""
    assert place(fault(edited(*changes))) == expected


def test_deal_line_after_an_event_that_cannot_be_read():
    found = only(edited(("甲 打 八", "甲 出 八\n墩 八")))
    assert [place(f) for f in (found.error, *found.more)] == [
        ("unknown-verb", 8, 3, 1, "notation"),
        ("syntax", 9, 1, None, "notation"),
    ]


def test_read_error_survives_pickling():
    error = refused("甲 出 八")
    again = pickle.loads(pickle.dumps(error))
    assert (again.code, again.column, again.zh) == (error.code, error.column, error.zh)


def test_header_too_long_for_a_line():
    text = edited(("庄: 甲", f"赛事: {'赛' * LINE_LIMIT}\n庄: 甲"))
    found = fault(text)
    assert (found.code, found.line, len(found.text)) == ("syntax", 3, 201)


def test_head_too_long_for_a_line():
    found = fault(edited(("字牌谱 1", "字牌谱 1" + " " * LINE_LIMIT)))
    assert (found.code, found.line) == ("syntax", 1)


def test_all_faults_of_header_and_deal_are_told_in_order():
    text = edited(
        ("庄: 甲", "天气: 晴\n庄: 己"), ("发 乙 三", "发 乙 某"), ("甲 打 八", "甲 出 八")
    )
    found = only(text)
    assert [f.code for f in (found.error, *found.more)] == [
        *("unknown-key", "unknown-seat", "unknown-card", "unknown-verb"),
    ]
    assert found.as_json("a")["status"] == "invalid"


def test_nonsense_is_faulted_once_a_line_up_to_a_limit():
    found = only(edited(("甲 打 八", "胡说\n" * 1000)))
    assert 1 + len(found.more) == 200
    header = only("字牌谱 1\n" + "胡说\n" * 1000)
    assert 200 <= 1 + len(header.more) <= 202
