"""The JSON twin (cli.md, `convert`): the same content both ways, faults placed in the file."""

import json

import pytest

from engine import jsonl
from engine.files import parse, parse_all, read
from engine.record import export
from engine.replay import replay_all
from tests.engine.zpr import DEAL, only, place, record

TEXT = record(
    "甲 打 八 {犹豫}",
    '! 乙 超时 "警告"',
    "乙 吃 八 七九",
    "= 荒 {未完}",
    header=["选项.min_hu: 15", "选项.xing:", "赛事: 公开赛", "乙: 李四"],
    wall="一二",
).replace("庄: 甲", "庄: 甲\nX-来源: 纸面")


def twin(**changes):
    """A small twin with some keys changed; None removes a key."""
    made = json.loads(jsonl.export(parse(record("甲 打 八"))))
    made.update(changes)
    return made


def dumped(**changes):
    return json.dumps(twin(**changes), ensure_ascii=False)


def test_export_has_the_keys_of_the_specification_in_order():
    (line,) = jsonl.export(parse(TEXT)).splitlines()
    assert json.loads(line) == {
        "zpr": 1,
        "rules": "local",
        "options": {"min_hu": 15, "xing": []},
        "headers": {"赛事": "公开赛", "X-来源": "纸面"},
        "players": {"乙": "李四"},
        "dealer": "甲",
        "deal": {**DEAL, "甲": DEAL["甲"]},
        "wall": "一二",
        "events": ["甲 打 八 {犹豫}", '! 乙 超时 "警告"', "乙 吃 八 七九"],
        "claim": "= 荒 {未完}",
    }
    assert list(json.loads(line)) == [
        *("zpr", "rules", "options", "headers", "players", "dealer", "deal", "wall", "events"),
        "claim",
    ]


def test_absent_wall_and_claim_are_null():
    made = twin()
    assert (made["wall"], made["claim"]) == (None, None)


def test_both_ways_give_the_same_record():
    read_back = parse(TEXT)
    assert parse(jsonl.export(read_back)) == read_back
    assert export(parse(jsonl.export(read_back))) == TEXT


def test_annotations_of_lines_that_the_keys_cannot_hold():
    text = TEXT.replace("庄: 甲", "庄: 甲 {重定}").replace("墩 一二", "墩 一二 {偷看}")
    made = json.loads(jsonl.export(parse(text)))
    assert made["annotations"] == {"庄": "重定", "墩": "偷看"}
    assert export(parse(json.dumps(made))) == text


@pytest.mark.parametrize(
    "changes",
    [
        {"dealer": "A"},
        {"zpr": "1"},
        {"options": None, "headers": {}, "players": {"A": None}},
        {"deal": {"A": DEAL["甲"], "C": list(DEAL["丙"]), "乙": DEAL["乙"]}},
        {"deal": {**DEAL, "丁": ""}},
        {"wall": ""},
        {"wall": []},
        {"events": ["A play s8"]},
        {"events": ["1. 甲 打 八"]},
        {"annotations": None},
    ],
)
def test_liberal_forms(changes):
    assert export(parse(dumped(**changes))) == record("甲 打 八")


def test_options_in_each_form():
    for value in (["xia", "shang"], "xia, shang"):
        made = parse(dumped(rules="guangxi-app", options={"xing": value, "xing_wrap": False}))
        assert made.options == {"xing": ("shang", "xia"), "xing_wrap": False}


@pytest.mark.parametrize(
    "text",
    [
        jsonl.export(parse(TEXT)) * 2,
        "[" + ",\n".join([jsonl.export(parse(TEXT))] * 2) + "]",
        json.dumps(json.loads(jsonl.export(parse(TEXT))), indent=2) * 2,
    ],
)
def test_objects_a_line_over_lines_or_in_an_array(text):
    assert parse_all(text) == [parse(TEXT)] * 2
    assert [reading.hand for reading in read(text)] == [1, 2]


@pytest.mark.parametrize(
    ("changes", "code", "zh"),
    [
        ({"zpr": 2}, "syntax", "版本应是 1：“字牌谱 1”"),
        ({"zpr": None}, "syntax", "第一行应是“字牌谱 1”"),
        ({"rules": 3}, "unknown-rules", "没有叫“3”的规则"),
        ({"rules": None}, "syntax", "表头缺“规则: competition”这样的一行"),
        ({"dealer": ["甲"]}, "syntax", "这里应是文字"),
        ({"headers": ["a"]}, "syntax", "“headers”应是一个对象"),
        ({"headers": {"天气": "晴"}}, "unknown-key", "没有“天气”这个键"),
        ({"headers": {"X-a:b": "晴"}}, "unknown-key", "键里不能有冒号"),
        ({"headers": {"赛事": "a # b"}}, "syntax", "这里不能是空的，也不能有换行或 #"),
        ({"headers": {"赛事": "a\nb"}}, "syntax", "这里不能是空的，也不能有换行或 #"),
        ({"options": {"min_hu": 12}}, "bad-option", "选项 min_hu 不能是“12”"),
        ({"options": {"min_hu": None}}, "bad-option", "选项 min_hu 不能是“null”"),
        ({"options": {"xing": [1]}}, "bad-option", "选项 xing 不能是"),
        ({"events": {}}, "syntax", "“events”应是一个列表"),
        ({"events": [1]}, "syntax", "这里应是文字"),
        ({"events": [" "]}, "syntax", "这里不能是空的，也不能有换行或 #"),
        ({"events": ["甲 打 八" + " " * 10_000]}, "syntax", "这一行太长"),
        ({"claim": "荒"}, "syntax", "这里应以“=”开头"),
        ({"天气": 1}, "unknown-key", "没有“天气”这个键"),
        ({"annotations": {"桌": "a"}}, "unknown-key", "没有“桌”这一行可注释"),
        ({"dealer": None, "annotations": {"庄": "a"}}, "unknown-key", "没有“庄”这一行可注释"),
        ({"annotations": {"庄": 1}}, "syntax", "这里应是文字"),
        ({"deal": {**DEAL, "甲": "某"}}, "unknown-card", "“某”不是字牌"),
    ],
)
def test_wrong_twin(changes, code, zh):
    found = only(dumped(**changes))
    assert found.status == "invalid"
    faults = [found.error, *found.more]
    assert (code, True) in [(f.code, f.zh.startswith(zh)) for f in faults]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("{", 1, 2),
        ('{\n "zpr": 1,\n "rules" 1}', 3, 10),
        ('{"zpr": ' + "1" * 5000 + "}", 1, 1),
        ('\n{"a": ' + "[" * 100_000, 2, 1),
        ("[1]", 1, 2),
        ("[]", 1, 3),
    ],
)
def test_what_is_no_json_or_no_object(text, line, column):
    found = only(text)
    assert place(found.error) == ("syntax", line, column, None, "notation")


def test_key_given_twice():
    found = only('{"zpr": 1, "zpr": 1}')
    assert found.error.zh == "“zpr”写了两次"


def test_reading_goes_on_after_broken_json():
    answers = list(replay_all("{]\n" + dumped() + "\n"))
    assert [(a.hand, a.status) for a in answers] == [(1, "invalid"), (2, "unfinished")]


def test_faults_lie_where_the_text_stands_in_the_file():
    """Line and column are those of the JSON, the event's number and text as in a record."""
    made = json.dumps(twin(events=["甲 打 八", "乙 吃 八 七十"]), ensure_ascii=False, indent=1)
    found = only("\n" + made)
    lines = ["", *made.split("\n")]
    number = next(i for i, line in enumerate(lines, 1) if "七十" in line)
    column = lines[number - 1].index("七十") + 1
    assert place(found.error) == ("not-a-meld", number, column, 2, "R5.1")
    assert found.error.text == "乙 吃 八 七十"


def test_faults_of_header_lines_lie_at_their_values():
    made = dumped(options={"min_hu": 12}, dealer="丁", deal={**DEAL, "乙": DEAL["乙"][1:]})
    found = only(made)
    assert [(f.code, f.line, f.column) for f in (found.error, *found.more)] == [
        ("bad-option", 1, made.index("12") + 1),
        ("unknown-seat", 1, made.index("丁") + 1),
    ]


def test_nested_values_do_not_confuse_the_places():
    made = json.dumps(twin(headers={"X-a": "b"}, dealer="丁"), ensure_ascii=False)
    made = made.replace('"headers"', '"深": [{"dealer": [1, {}]}, "]"], "headers"')
    found = only(made)
    codes = {f.code: f.column for f in (found.error, *found.more)}
    assert codes["unknown-seat"] == made.rindex("丁") + 1
