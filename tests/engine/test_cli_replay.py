"""`python -m engine replay` (cli.md): objects, text, exit statuses."""

import json
import random

import pytest

from engine import jsonl
from engine.files import parse
from engine.record import export
from engine.replay import record_of
from engine.rules import preset
from engine.simulate import play_hands
from tests.engine.zpr import ALMOST, record


def finished(rules_id="competition", drawn=False):
    """The record of a simulated hand that was won, or drawn."""
    for hand in play_hands(preset(rules_id), 200, random.Random(5)):
        if (hand.result.source is None) == drawn:
            return record_of(hand, rules_id)
    raise AssertionError


WON = export(finished())
DRAWN = export(finished(drawn=True))
ILLEGAL = record("甲 打 伍", "\t乙 吃 伍 肆陆", "乙 出 三")


def answers(output):
    return [json.loads(line) for line in output.splitlines()]


def test_valid_hand_has_the_fields_of_the_specification(run):
    status, out, err = run("replay", "--json", "a.zpr", files={"a.zpr": WON})
    (answer,) = answers(out)
    assert (status, err) == (0, "")
    assert list(answer) == [
        *("file", "hand", "status", "rules", "winner", "kind", "payer", "special", "card", "hu"),
        *("melds", "base", "xing_cards", "xing", "bonus", "times", "total", "deltas"),
        "next_dealer",
    ]
    assert (answer["file"], answer["hand"], answer["status"]) == ("a.zpr", 1, "valid")
    assert answer["rules"] == "competition"
    assert sum(meld["hu"] for meld in answer["melds"]) == answer["hu"]
    assert sum(answer["deltas"]) == 0


def test_drawn_hand(run):
    status, out, _ = run("replay", "--json", "a.zpr", files={"a.zpr": DRAWN})
    assert status == 0
    assert answers(out) == [
        {
            **{"file": "a.zpr", "hand": 1, "status": "valid", "rules": "competition"},
            **{"winner": [], "kind": "draw", "payer": None, "special": None, "card": None},
            **{"hu": 0, "melds": None, "base": 0, "xing_cards": None, "xing": 0, "bonus": 0},
            **{"times": 0, "total": 0, "deltas": [0, 0, 0]},
            "next_dealer": answers(out)[0]["next_dealer"],
        }
    ]


def test_unfinished_hand_is_not_valid_and_well(run):
    status, out, _ = run("replay", "--json", "a.zpr", files={"a.zpr": record("甲 打 八")})
    assert status == 0
    assert answers(out) == [
        {"file": "a.zpr", "hand": 1, "status": "unfinished", "rules": "local", "events": 1}
    ]


def test_hand_whose_xing_is_still_due_is_unfinished(run):
    """R8.1: no 醒 line, and the claim is not looked at."""
    text = "\n".join(line for line in WON.split("\n") if line[:1] != "醒")
    status, out, _ = run("replay", "--json", "a.zpr", files={"a.zpr": text})
    assert (status, answers(out)[0]["status"]) == (0, "unfinished")


def test_illegal_hand(run):
    status, out, _ = run("replay", "--json", "a.zpr", files={"a.zpr": ILLEGAL})
    (answer,) = answers(out)
    assert status == 1
    assert list(answer) == ["file", "hand", "status", "error", "more"]
    assert list(answer["error"]) == [
        *("code", "line", "column", "event", "text", "rule", "zh", "en", "legal"),
    ]
    assert answer["error"]["code"] == "priority"
    assert answer["error"]["line"] == 9
    assert answer["error"]["column"] == 2
    assert answer["error"]["event"] == 2
    assert answer["error"]["text"] == "乙 吃 伍 肆陆"
    assert answer["error"]["legal"] == ["丙 开舵 伍"]
    assert [(f["code"], f["event"], f["legal"]) for f in answer["more"]] == [
        ("unknown-verb", 3, []),
    ]


def test_fault_before_the_events_has_no_number(run):
    text = record("甲 打 八").replace("规则: local", "规则: 民间")
    _, out, _ = run("replay", "--json", "a.zpr", files={"a.zpr": text})
    (answer,) = answers(out)
    assert answer["error"]["code"] == "unknown-rules"
    assert answer["error"]["event"] is None
    assert answer["error"]["legal"] == []


def test_wrong_claim_keeps_the_computed_fields(run):
    """`claim-mismatch`: part by part, both values given."""
    claim = next(line for line in WON.split("\n") if line[:1] == "=")
    total = next(word for word in claim.split() if word[0] == "计")
    text = WON.replace(total, "计99")
    status, out, _ = run("replay", "--json", "a.zpr", files={"a.zpr": text})
    (answer,) = answers(out)
    assert (status, answer["status"]) == (1, "invalid")
    error = answer["error"]
    assert (error["code"], error["rule"], error["event"]) == ("claim-mismatch", "R9.2", None)
    assert error["zh"] == f"写的是计99，算得{total}"
    assert error["en"] == f"claimed 计99, computed {total}"
    assert error["line"] == 1 + text.split("\n").index(claim.replace(total, "计99"))
    assert error["column"] == claim.index(total) + 1
    assert answer["more"] == []
    assert answer["total"] == int(total[1:])
    status, out, _ = run("replay", "a.zpr")
    assert "computed: " in out


def test_text_is_compiler_style(run):
    status, out, err = run("replay", "a.zpr", files={"a.zpr": ILLEGAL})
    assert (status, err) == (1, "")
    lines = out.splitlines()
    assert lines[0].startswith("a.zpr:9:2: priority 丙 必须")
    assert lines[0].endswith(" (R5.6)")
    assert " (R5.6) / 丙 must " in lines[0]
    assert lines[1:4] == ["    \t乙 吃 伍 肆陆", "    \t^", "    合法的 / legal: 丙 开舵 伍"]
    assert lines[4].startswith("a.zpr:10:3: unknown-verb 没有“出”这个动作")
    assert lines[4].endswith("(notation)")
    assert lines[5:] == ["    乙 出 三", "       ^"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (DRAWN, "a.zpr: 第 1 副 有效 / valid: 荒庄 / drawn · 下一庄 / next dealer "),
        (record(), "a.zpr: 第 1 副 未完 / unfinished: 0 手 / events"),
        (WON, "a.zpr: 第 1 副 有效 / valid: "),
    ],
)
def test_text_of_what_is_well(run, text, expected):
    status, out, _ = run("replay", "a.zpr", files={"a.zpr": text})
    assert status == 0
    assert out.startswith(expected)
    assert out.count("\n") == 1


def test_text_names_special_payer_and_who_won_what(run):
    """地胡 (R7.6): a win on the discard that is the first event."""
    text = record("甲 打 八", "乙 胡 八", rules="competition", deal=ALMOST)
    low, _, _ = run("replay", "a.zpr", files={"a.zpr": text})
    assert low == 1
    deal = {**ALMOST, "乙": "七九一二三二七十贰柒拾壹贰叁肆肆伍伍陆陆"}
    deal["甲"] = "八三四四五五六六八九九十十叁叁柒捌捌玖玖拾"
    deal["丙"] = "一一二三四四五六七九壹壹肆伍陆柒捌捌玖拾"
    text = record("甲 打 八", "乙 胡 八", "醒 拾", rules="competition", deal=deal)
    status, out, _ = run("replay", "a.zpr", files={"a.zpr": text})
    assert status == 0
    assert "乙 胡 八 地胡 · 点炮 / discard (甲) · 胡" in out
    assert " · 醒" in out
    assert " · 计" in out


def test_control_characters_do_not_reach_the_terminal(run):
    _, out, _ = run("replay", "a.zpr", files={"a.zpr": record("甲 打 \x1b[31m八")})
    assert "\x1b" not in out.split("\n")[1]


def test_long_line_is_cut(run):
    _, out, _ = run("replay", "a.zpr", files={"a.zpr": record("胡说" * 2000)})
    assert max(map(len, out.splitlines())) < 250


def test_twin_is_replayed_as_the_text_is(run):
    twin = jsonl.export(parse(WON))
    _, out, _ = run("replay", "--json", "a.zpr", "a.json", files={"a.zpr": WON, "a.json": twin})
    first, second = answers(out)
    assert {**first, "file": ""} == {**second, "file": ""}
    _, out, _ = run("replay", "b.json", files={"b.json": twin.replace('"甲 打', '"甲 出')})
    assert out.split("\n")[1].startswith("    甲 出 ")


def test_folder_means_its_records_sorted(run):
    files = {"d/b.zpr": record(), "d/a.zpr": WON + "\n" + DRAWN, "d/c.txt": "x"}
    status, out, _ = run("replay", "--json", "d", files=files)
    assert status == 0
    assert [(a["file"], a["hand"], a["status"]) for a in answers(out)] == [
        ("d/a.zpr", 1, "valid"),
        ("d/a.zpr", 2, "valid"),
        ("d/b.zpr", 1, "unfinished"),
    ]


def test_standard_input(run):
    status, out, _ = run("replay", "--json", "-", stdin=WON.encode("gb18030"))
    assert status == 0
    assert (answers(out)[0]["file"], answers(out)[0]["status"]) == ("-", "valid")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("none.zpr", None),
        ("bytes.zpr", b"\xff\x80"),
        ("empty", "folder"),
        ("a\0b", None),
        ("長" * 999, None),
    ],
)
def test_unreadable_file(run, tmp_path, name, data):
    """Exit status 2, one line on standard error or one object; the other files are answered."""
    if data == "folder":
        (tmp_path / name).mkdir()
    files = {"a.zpr": ILLEGAL, **({name: data} if isinstance(data, bytes) else {})}
    status, out, err = run("replay", "--json", name, "a.zpr", files=files)
    unreadable, other = answers(out)
    assert (status, err, other["status"]) == (2, "", "invalid")
    assert list(unreadable) == ["file", "status", "error"]
    assert (unreadable["file"], unreadable["status"]) == (name, "unreadable")
    assert unreadable["error"]["zh"]
    assert unreadable["error"]["en"]
    status, out, err = run("replay", name)
    assert (status, out) == (2, "")
    assert err.startswith(f"{name}: ")
    assert err.count("\n") == 1
