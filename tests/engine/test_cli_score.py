"""`python -m engine score`, `waits` and `rules`: the formats and exit statuses of cli.md."""

import io
import json
import sys

import pytest

from engine.__main__ import main
from engine.rules import PRESETS
from tests.engine.test_slip import EXAMPLE, LINE


class Stdin:
    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


@pytest.fixture
def ask(monkeypatch, capsys):
    """Runs the command line on standard input; exit status, output lines, error lines."""

    def run(*arguments, given=b""):
        data = given.encode() if isinstance(given, str) else given
        monkeypatch.setattr(sys, "stdin", Stdin(data))
        status = main(list(arguments))
        captured = capsys.readouterr()
        return status, captured.out.splitlines(), captured.err.splitlines()

    return run


def test_score_answers_each_line_with_one_json_object(ask):
    given = json.dumps(EXAMPLE) + "\n\n" + json.dumps(LINE) + "\n"
    status, out, err = ask("score", "--json", given=given)
    assert (status, err) == (0, [])
    first, second = map(json.loads, out)
    assert (first["status"], first["hu"], first["total"], first["deltas"]) == (
        *("win", 16, 3),
        [6, -6, 0],
    )
    assert second["cards"] is False
    assert list(first) == [
        *("status", "hu", "melds", "base", "xing_cards", "xing"),
        *("bonus", "times", "total", "deltas"),
    ]


def test_score_reads_an_object_over_several_lines_and_a_bom(ask):
    given = b"\xef\xbb\xbf" + json.dumps(EXAMPLE, indent=1, ensure_ascii=False).encode()
    assert ask("score", "--json", given=given)[0] == 0


def test_score_explains_a_win_to_people(ask):
    status, out, _ = ask("score", given=json.dumps(EXAMPLE))
    assert status == 0
    assert out == [
        "胡 16 = 碰 九九九 1 · 吃 二七十 3 · 扫 壹壹壹 6 · 坎 四四四 3 · 搭 八捌捌 · 顺 一二三 3 "
        "· 顺 伍陆柒",
        "胡 16 → 2 舵 + 醒 1 = 3 舵",
        "甲+6 乙-6 丙+0",
    ]


def test_score_explains_bonus_doubling_and_hu_points(ask):
    doubled = {**LINE, "options": {"own_flip_bonus": "x2"}}
    points = {**LINE, "rules": "laok", "xing_count": 0}
    given = "\n".join(json.dumps(slip) for slip in (LINE, doubled, points))
    assert ask("score", given=given)[1] == [
        "胡 16 → 2 舵 + 醒 1 + 加 1 = 4 舵",
        "(胡 16 → 2 舵 + 醒 1) × 2 = 6 舵",
        "胡 16 → 16 分",
    ]


def test_slip_that_does_not_win_gives_error_and_best_and_status_one(ask):
    given = json.dumps({**EXAMPLE, "options": {"min_hu": 20}})
    status, out, err = ask("score", "--json", given=given)
    assert (status, err) == (1, [])
    answer = json.loads(out[0])
    assert answer["status"] == "no-win"
    assert answer["error"] == {
        **{"code": "hu-too-low", "rule": "R7.4"},
        **{"zh": "16 胡，起胡 20", "en": "16 胡, the minimum is 20"},
    }
    assert answer["best"]["hu"] == 16
    assert answer["best"]["left"] == ""
    assert len(answer["best"]["melds"]) == 7


def test_broken_line_is_a_syntax_fault_and_the_next_is_still_read(ask):
    given = '{"rules": \n' + json.dumps(LINE) + "\n[[" + "[" * 100_000 + "\n" + json.dumps(LINE)
    status, out, _ = ask("score", "--json", given=given)
    assert status == 1
    answers = [json.loads(line) for line in out]
    assert [answer["status"] for answer in answers] == ["no-win", "win", "no-win", "win"]
    assert answers[0]["error"]["code"] == "syntax"


def test_faults_are_shown_to_people_with_their_line(ask):
    given = json.dumps(LINE) + "\n" + json.dumps({**EXAMPLE, "card": "拾"}) + "\n{"
    status, out, err = ask("score", given=given)
    assert (status, err) == (1, [])
    assert out[1:] == [
        "-:2: no-win 配不成七方门子，多出 伍陆拾 (R7.1)",
        "    no seven groups: 伍陆拾 is left over",
        "    最接近 16 胡：碰 九九九 1 · 吃 二七十 3 · 扫 壹壹壹 6 · 坎 四四四 3 · 顺 一二三 3 "
        "· 搭 八捌捌 · 余 伍陆拾",
        '-:3: syntax 这一行不是 JSON；每行写一个对象，如 {"rules": …} (cli)',
        '    this line is no JSON; write one object a line, like {"rules": …}',
    ]


def test_file_that_cannot_be_used_is_status_two(ask, tmp_path):
    missing = str(tmp_path / "none.json")
    status, out, err = ask("score", missing)
    assert (status, out) == (2, [])
    assert err == [
        f"{missing}: 读不了这个文件（No such file or directory） / "
        "the file cannot be read: No such file or directory"
    ]
    status, out, err = ask("score", missing, "--json")
    assert (status, err) == (2, [])
    answer = json.loads(out[0])
    assert (answer["file"], answer["status"]) == (missing, "unreadable")
    assert answer["error"]["en"] == "the file cannot be read: No such file or directory"
    utf16 = tmp_path / "utf16.json"
    utf16.write_bytes(b"\xff\xfe\x00")
    status, _, err = ask("waits", str(utf16))
    assert status == 2
    assert err == [
        f"{utf16}: 文件不是 UTF-8，请另存为 UTF-8 / the file is not UTF-8; save it as UTF-8"
    ]


def test_waits_give_each_card_with_its_hu_by_source(ask):
    slip = {key: EXAMPLE[key] for key in ("rules", "hand", "table")}
    status, out, _ = ask("waits", "--json", given=json.dumps(slip))
    assert status == 0
    same = {"own-flip": 16, "flip": 16, "discard": 16}
    assert json.loads(out[0]) == {
        **{"status": "waits", "listening": True, "min_hu": 10},
        **{"waits": {"肆": same, "柒": same}, "short": {}},
    }


def test_waits_keep_what_stays_below_the_minimum_apart(ask):
    slip = {
        "rules": "local",
        "hand": "一二三四五六壹贰叁四五六七八",
        "table": ["吃 七八九", "吃 伍陆柒"],
    }
    _, out, _ = ask("waits", "--json", given=json.dumps(slip))
    answer = json.loads(out[0])
    assert (answer["listening"], answer["waits"]) == (False, {})
    assert answer["short"]["六"] == {"own-flip": None, "flip": 9, "discard": 9}
    _, out, _ = ask("waits", given=json.dumps(slip))
    assert out == [
        "没有听牌 / not ready",
        "  三  自摸 9 别家摸 9 点炮 9  不足 10 胡 / below 10",
        "  六  自摸 – 别家摸 9 点炮 9  不足 10 胡 / below 10",
        "  九  自摸 9 别家摸 9 点炮 9  不足 10 胡 / below 10",
    ]


def test_waits_of_a_ready_hand_are_shown_to_people(ask):
    slip = {key: EXAMPLE[key] for key in ("rules", "hand", "table")}
    _, out, _ = ask("waits", given=json.dumps(slip))
    assert out[:2] == ["听牌 / ready", "  肆  自摸 16 别家摸 16 点炮 16"]


def test_waits_check_the_number_of_cards(ask):
    status, out, _ = ask("waits", "--json", given='{"rules": "local", "hand": "一二三"}')
    assert status == 1
    assert json.loads(out[0])["error"]["code"] == "deal-count"


def test_rules_give_all_presets_as_json(ask):
    status, out, _ = ask("rules", "--json")
    assert status == 0
    assert json.loads(out[0]) == {name: rules.as_json() for name, rules in PRESETS.items()}
    assert json.loads(ask("rules", "laok", "--json")[1][0]) == {"laok": PRESETS["laok"].as_json()}


def test_rules_table_marks_doubtful_values(ask):
    _, out, _ = ask("rules")
    assert out[0].split() == ["competition", "laok", "guangxi-app", "local"]
    rows = {line.split()[0]: line for line in out[2:20]}
    assert rows["xing"].endswith("shang, xia")
    assert "shang, zhong, xia*" in rows["xing"]
    assert rows["min_hu"].split() == ["min_hu", "10", "10", "10", "10"]
    assert rows["draw_dealer"].split() == ["draw_dealer", "same*", "same*", "next", "same"]
    assert out[-1] == "* 请与裁判长确认 / please confirm with the chief referee"
    assert out[-2].startswith("* competition R7.3")


def test_rules_of_one_preset_are_explained_in_both_languages(ask):
    _, out, _ = ask("rules", "local")
    assert out[0] == "local  民间（实战记录） / As played locally"
    assert "min_hu: 10  (R7.4)" in out
    assert "  The least 胡 a win must reach: 10 胡" in out
    assert "*" not in "".join(out)
    assert ask("rules", "laok")[1][-1].startswith("* 请与裁判长确认")


def test_unknown_preset_is_status_two(ask):
    status, out, err = ask("rules", "poker")
    assert (status, out) == (2, [])
    assert err[0].startswith("unknown-rules: 没有叫“poker”的规则")
    status, out, _ = ask("rules", "poker", "--json")
    answer = json.loads(out[0])
    assert (status, answer["error"]["code"]) == (2, "unknown-rules")
    assert (answer["file"], answer["status"]) == (None, "unreadable")
