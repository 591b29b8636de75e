"""Bytes: UTF-8 with and without BOM, GB18030, any line ends; noise is nothing but ZipaiError."""

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import jsonl
from engine.errors import ZipaiError
from engine.files import decode, parse, parse_all, read
from engine.read_hand import LENGTH_LIMIT
from engine.record import export
from engine.replay import record_of, replay_all
from engine.rules import preset
from engine.simulate import play_hands
from tests.engine.zpr import record

TEXT = record("甲 打 八", '! 乙 超时 "警告"', header=["甲: 张三"])


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        TEXT.encode("utf-8-sig"),
        TEXT.encode("gb18030"),
        ("\ufeff" + TEXT).encode("gb18030"),
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace("\n", "\r").encode(),
        TEXT.replace("\n", "\r\n").encode("gb18030"),
        TEXT.rstrip("\n").encode(),
        b"\n\n" + TEXT.encode() + b"\n\n",
        TEXT,
        "\ufeff" + TEXT,
    ],
)
def test_encodings_and_line_ends(data):
    assert export(parse(data)) == TEXT


def test_json_twin_in_gb18030():
    data = jsonl.export(parse(TEXT)).encode("gb18030")
    assert export(parse(data)) == TEXT


def test_boms_of_files_joined_together():
    data = TEXT.encode("utf-8-sig")
    assert len(parse_all(data + data)) == 2


@pytest.mark.parametrize(
    "data", [b"\xff\xfe\x00", "字牌谱 1\n规则: ".encode() + b"\xff\n", b"\x81\x30"]
)
def test_bytes_that_are_no_text(data):
    with pytest.raises(ZipaiError) as caught:
        decode(data)
    assert caught.value.code == "syntax"
    assert "UTF-8" in caught.value.zh


def test_undecodable_byte_is_told_by_line():
    with pytest.raises(ZipaiError, match="line 3"):
        parse(TEXT.encode().replace("甲: 张三".encode(), b"\xe5\x28"))


def test_half_a_surrogate_pair_is_no_text():
    assert parse(TEXT.replace("张三", "张\ud800")).players[0] == "张?"


@pytest.mark.parametrize("data", ["", "\n\n", "# 空\n", b""])
def test_file_without_a_hand_is_a_hand_without_a_first_line(data):
    (found,) = replay_all(data)
    assert (found.status, found.error.code, found.error.line) == ("invalid", "syntax", 1)


def test_text_before_the_first_hand_is_a_hand_of_its_own():
    first, second = read("抄自纸面\n" + TEXT)
    assert first.faults[0].code == "syntax"
    assert second.faults == []
    assert len(list(read("# 抄自纸面\n\n" + TEXT))) == 1


def test_parse_wants_one_hand_without_faults():
    with pytest.raises(ZipaiError, match="one hand only"):
        parse(TEXT + TEXT)
    with pytest.raises(ZipaiError, match="line 9: there is no verb") as caught:
        parse(TEXT.replace("甲 打 八", "甲 出 八"))
    assert caught.value.zh.startswith("第 9 行：没有“出”这个动作")


def everything(data):
    """Replays all that the bytes hold; whatever they are, nothing but `ZipaiError`."""
    try:
        return [found.as_json("a") for found in replay_all(data)]
    except ZipaiError:
        return []


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300))
def test_arbitrary_bytes_raise_nothing_but_zipai_error(data):
    everything(data)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=60))
def test_arbitrary_text_raises_nothing_but_zipai_error(header, event, whole):
    everything(record("甲 打 八", event, f"! {event}", f"= {event}", header=[header]))
    everything(whole)
    everything("{" + whole)
    everything(jsonl.export(parse(TEXT)).replace("张三", whole).replace("超时", event))


def test_damaged_records_raise_nothing_but_zipai_error():
    rng = random.Random(20261130)
    hand = export(parse(TEXT))
    for source in (hand.encode(), hand.encode("gb18030"), jsonl.export(parse(hand)).encode()):
        for _ in range(400):
            data = bytearray(source)
            for _ in range(rng.randint(1, 4)):
                at = rng.randrange(len(data))
                data[at : at + rng.randint(0, 3)] = rng.randbytes(rng.randint(0, 3))
            everything(bytes(data))


MEGABYTE = 1_000_000


@pytest.mark.parametrize(
    "data",
    [
        "x\n" * (MEGABYTE // 2),
        "x" * MEGABYTE,
        TEXT + "# x\n" * (MEGABYTE // 4),
        TEXT + "! a\n" * (MEGABYTE // 4),
        TEXT + "甲 打 八\n" * (MEGABYTE // 12),
        record(header=["选项.x: a"] * (MEGABYTE // 12)),
        TEXT + ("{" * 9999 + "\n") * (MEGABYTE // 10_000),
        TEXT + ('"“' * 4999 + "\n") * (MEGABYTE // 10_000),
        TEXT + ("! e" + "\u0301\u0316" * 4900 + "\n") * (MEGABYTE // 10_000),
        TEXT + ("= " + "甲 " * 4900 + "\n") * (MEGABYTE // 10_000),
        TEXT + ("甲 吃 八 " + "七" * 9900 + "\n") * (MEGABYTE // 10_000),
        "[" * MEGABYTE,
        '{"a":' * (MEGABYTE // 5),
        "{\n" * (MEGABYTE // 2),
        "[" + "1," * (MEGABYTE // 2) + "1]",
        '{"zpr":' + "1" * MEGABYTE + "}",
        '{"events":[' + '"x",' * (MEGABYTE // 4) + '"x"]}',
        b"\0" * MEGABYTE,
        b"\r" * MEGABYTE,
    ],
    ids=lambda data: repr(data[:8]),
)
def test_megabyte_of_noise_takes_no_quadratic_time(data):
    before = time.process_time()
    everything(data)
    assert time.process_time() - before < 5


def test_hand_of_too_many_lines_is_cut_short():
    (found,) = replay_all(TEXT + "\n" * LENGTH_LIMIT)
    assert (found.error.code, found.error.line) == ("syntax", LENGTH_LIMIT + 1)


def test_large_file_of_records_answers_in_proportion():
    """Some 1,000 hands: a tenth of 10 MB."""
    hands = play_hands(preset("local"), 20, random.Random(3))
    text = export(*(record_of(hand, "local") for hand in hands)) + "\n"
    before = time.process_time()
    answers = everything((text * 50).encode())
    assert [answer["status"] for answer in answers] == ["valid"] * 1000
    assert time.process_time() - before < 10
