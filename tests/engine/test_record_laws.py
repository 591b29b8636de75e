"""Export form is canonical and byte-unique: parse(export(r)) == r, export(parse(x)) is stable."""

import os
import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import jsonl
from engine.errors import ZipaiError
from engine.events import Event, Verb
from engine.files import parse, parse_all
from engine.notation import Claim, Line, Ruling
from engine.play import Hand
from engine.record import Record, export
from engine.replay import record_of, replay_all, replay_record
from engine.rules import PRESETS, preset
from engine.simulate import play_hands
from tests.engine.zpr import DEAL, record

SHARED = Path(__file__).resolve().parents[3] / "shared" / "records"
RECORDS = Path(os.environ.get("ZIPAI_RECORDS", SHARED))

FULL = """字牌谱 1
规则: competition
选项.min_hu: 15
选项.xing:
赛事: 2026 桂林字牌公开赛
日期: 2026-11-29
轮次: 2
桌: 7
局: 3
裁判: 黄 {代}
甲: 张三
乙: 李四
丙: 王五
庄: 乙 {重定}
X-来源: 上传  a
X-a: {b}

发 甲 一一一二二四六六八十十壹壹叁肆伍柒玖玖拾
发 乙 三三四四五五七七九九壹贰贰叁肆陆柒捌捌拾十 {亮张 十}
发 丙 二三三五五六六九九叁叁肆伍伍伍陆陆柒捌玖
墩 八八 {先看了两张}
! "开始" {乙方迟到}
乙 打 八 {犹豫}
! 乙 超时 "第一次警告"
乙 打 三
= 乙 胡17 计4 甲-4 乙+8 丙-4 {有争议}
"""


def test_full_record_is_already_canonical():
    text = FULL.replace('! "开始"', '! 开始 "晚了 5 分"')
    assert export(parse(text)) == text


def test_order_is_made_canonical():
    """Keys, options, X- keys, 发 lines, cards, the dealer's 亮张, groups, one blank line."""
    text = (
        "\n# 抄自纸面\nzipai-record 1\nX-b: 2\n庄: 乙\n丙: 王五\n甲: 张三\n桌: 7\n"
        "日期: 2026-11-29\nX-a: 1\n"
        "option.xing: xia\noption.min_hu: 15\noption.duo_step: 5\nrules: competition\n\n\n"
        "墩 八\n发 丙 三二\n\n发 乙 十 壹 九 八\n发 甲 b1+s1\n! 更正\n\n"
        "乙 打 八\n= 甲 胡15\n! 完\n\n"
    )
    assert export(parse(text)) == (
        "字牌谱 1\n规则: competition\n选项.min_hu: 15\n选项.xing: xia\n日期: 2026-11-29\n桌: 7\n"
        "甲: 张三\n丙: 王五\n庄: 乙\nX-b: 2\nX-a: 1\n\n"
        "发 甲 一壹\n发 乙 九十壹八\n发 丙 二三\n墩 八\n! 更正\n乙 打 八\n! 完\n= 甲 胡15\n"
    )


def test_annotation_of_an_option_that_export_drops_is_dropped_with_it():
    text = record(header=["选项.min_hu: 10 {照旧}", "选项.xing: xia {改}"])
    assert parse(text).notes == (("选项.xing", "改"),)


def test_annotations_of_every_line_survive():
    text = record(header=["桌: 7 {a}", "甲: 张三 {b}", "X-k: 1 {c}"], wall="八 {d}")
    text = text.replace("字牌谱 1", "字牌谱 1 {e}").replace("规则: local", "规则: local {f}")
    assert dict(parse(text).notes) == {
        **{"桌": "a", "甲": "b", "X-k": "c", "墩": "d", "字牌谱": "e", "规则": "f"}
    }
    assert export(parse(export(parse(text)))) == export(parse(text))


def test_files_with_many_hands():
    text = record("甲 打 八") + "\n" + record()
    first, second = parse_all(text)
    assert (first.events, second.events) == ((Event(Verb.PLAY, 0, 7),), ())
    assert export(first, second) == text
    assert parse_all(jsonl.export(first, second)) == [first, second]


def test_record_gives_its_events_rulings_and_claim():
    found = parse(FULL.replace('! "开始"', "! 开始"))
    assert [str(event) for event in found.events] == ["乙 打 八", "乙 打 三"]
    assert found.rulings == (Ruling(None, "开始"), Ruling(1, "超时", "第一次警告"))
    assert found.claimed == Claim((1,), False, 17, 4, ((0, -4), (1, 8), (2, -4)))
    assert parse(record()).claimed is None


TEXTS = st.text(st.sampled_from('甲a1 #"“”{}｛｝:：\u3000\te\u0301!=+—'), max_size=12)


@settings(max_examples=150, deadline=None)
@given(TEXTS, TEXTS, TEXTS, TEXTS, TEXTS)
def test_laws_hold_for_whatever_can_be_read(event, key, name, body, note):
    """Seeded by hypothesis, which prints what fails."""
    text = record(f"甲 打 八 {note}", f"! {body}", header=[f"赛事:{event}", f"X-{key}: {key}"])
    text = text.replace("庄: 甲", f"甲: {name}\n庄: 甲")
    try:
        read = parse(text)
    except ZipaiError:
        return
    assert parse(export(read)) == read
    assert export(parse(export(read))) == export(read)
    assert parse(jsonl.export(read)) == read


@settings(max_examples=150, deadline=None)
@given(TEXTS, TEXTS, TEXTS)
def test_record_made_by_a_program_is_exported_as_it_is_or_refused(event, name, text):
    base = parse(record("甲 打 八"))
    try:
        made = replace(
            base,
            headers=(("赛事", event),),
            players=(name,),
            lines=(*base.lines, Line(Ruling(None, "更正", text))),
            notes=(("庄", name), ("桌", text), ("甲", event)),
        )
    except ZipaiError:
        return
    assert parse(export(made)) == made


@pytest.mark.parametrize(
    "fields",
    [
        {"headers": (("赛事", "a # b"),)},
        {"headers": (("赛事", "a\nb"),)},
        {"headers": (("赛事", " a"),)},
        {"headers": (("X-a: b", "a"),)},
        {"headers": (("天气", "晴"),)},
        {"headers": (("桌", "1"), ("桌", "2"))},
        {"lines": (Line(Event(Verb.PLAY, 3, 1)),)},
        {"players": ("张\r三",)},
        {"notes": (("庄", "a}b"),)},
        {"lines": (Line(Ruling(None, "两 词")),)},
        {"lines": (Line(Ruling(None, "词", 'a"b')),)},
        {"lines": (Line(Event(Verb.DRAW), "a\nb"),)},
        {"claim": Line(Claim((3,)))},
    ],
)
def test_record_that_no_text_could_hold_is_refused(fields):
    with pytest.raises(ZipaiError):
        replace(parse(record()), **fields)


def test_record_sorts_the_deal_and_fills_up_players():
    rules = preset("local")
    made = Record("local", rules, 0, ((3, 1, 2, 0), (3, 1)), players=("张三",))
    assert made.deal == ((1, 2, 3, 0), (1, 3), ())
    assert made.players == ("张三", None, None)
    assert parse(export(made)) == made


@pytest.mark.parametrize("rules_id", PRESETS)
def test_simulated_hands_replay_to_the_same_result(rules_id):
    """R1–R9: record, replay and simulation go one way."""
    seed = 20261130
    for hand in play_hands(preset(rules_id), 15, random.Random(seed)):
        made = record_of(hand, rules_id, (("局", "1"),), ("张三",))
        text = export(made)
        assert parse(text) == made, seed
        assert parse(jsonl.export(made)) == made, seed
        found = replay_record(made)
        assert (found.status, found.result) == ("valid", hand.result), seed
        assert next(replay_all(jsonl.export(made))).result == hand.result, seed


def test_unfinished_hand_has_no_claim():
    hand = next(play_hands(preset("local"), 1, random.Random(1)))
    begun = Hand(hand.rules, hand.dealer, dict(enumerate(hand.deal)), hand.wall)
    begun.do(hand.events[0])
    assert (record_of(begun, "local").claim, len(record_of(begun, "local").lines)) == (None, 1)
    made = replace(record_of(hand, "local"), claim=None)
    cut = replace(made, lines=made.lines[:5])
    found = replay_record(cut)
    assert (found.status, found.events, found.result) == ("unfinished", 5, None)
    assert replay_record(made).status == "valid"


@pytest.mark.skipif(not RECORDS.is_dir(), reason=f"no real records at {RECORDS}")
def test_every_real_record_is_valid_and_canonical():
    """R1–R9 on hands really played, their `=` lines included; set ZIPAI_RECORDS for others."""
    files = sorted(RECORDS.glob("*.zpr"))
    assert files
    for file in files:
        data = file.read_bytes()
        (found,) = replay_all(data)
        assert (found.status, found.error) == ("valid", None), file.name
        read = parse(data)
        assert export(read).encode() == data, file.name
        assert parse(jsonl.export(read)) == read, file.name


def test_deal_constant_is_a_deal():
    assert [len(cards) for cards in DEAL.values()] == [21, 20, 20]
