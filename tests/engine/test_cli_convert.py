"""`python -m engine convert` (cli.md): export form or JSON twin, or the faults."""

import json

import pytest

from tests.engine.zpr import record

TEXT = record("甲 打 八 {犹豫}", header=["甲: 张三"])
LIBERAL = "\ufeff" + TEXT.replace("甲 打 八", "1. A  play s8").replace("\n", "\r\n")


def test_default_is_export_form(run):
    assert run("convert", "a.zpr", files={"a.zpr": LIBERAL}) == (0, TEXT, "")
    assert run("convert", "a.zpr", "--to", "zpr") == (0, TEXT, "")


def test_many_hands_are_kept_apart_by_one_blank_line(run):
    status, out, _ = run("convert", "-", stdin=(TEXT + "\n\n\n" + TEXT).encode())
    assert (status, out) == (0, TEXT + "\n" + TEXT)


def test_twin_and_back(run):
    status, out, err = run("convert", "a.zpr", "--to", "json", files={"a.zpr": TEXT + TEXT})
    assert (status, err) == (0, "")
    objects = [json.loads(line) for line in out.splitlines()]
    assert [o["events"] for o in objects] == [["甲 打 八 {犹豫}"]] * 2
    assert run("convert", "-", stdin=out.encode()) == (0, TEXT + "\n" + TEXT, "")


def test_illegal_hand_is_converted_all_the_same(run):
    text = record("甲 打 三")
    assert run("convert", "a.zpr", files={"a.zpr": text}) == (0, text, "")


def test_what_cannot_be_read_is_refused_with_every_fault(run):
    text = TEXT + TEXT.replace("甲 打", "甲 出") + "! 太 多\n"
    status, out, err = run("convert", "a.zpr", files={"a.zpr": text})
    assert (status, out) == (1, "")
    assert [line.split(" ")[:2] for line in err.splitlines()] == [
        ["a.zpr:18:3:", "unknown-verb"],
        ["a.zpr:19:5:", "syntax"],
    ]


@pytest.mark.parametrize("data", [None, b"\xff\x80"])
def test_unreadable_file(run, data):
    status, out, err = run("convert", "a.zpr", files={} if data is None else {"a.zpr": data})
    assert (status, out) == (2, "")
    assert err.startswith("a.zpr: ")
    assert err.count("\n") == 1
