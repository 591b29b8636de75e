"""A record as steps: what lay, what else was legal, what was compulsory, what was waited for."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import cards
from engine.events import Verb
from engine.files import parse
from engine.record import Record
from engine.rules import preset
from scoring.otherwise import beside, entry_under, presets, record_under
from scoring.replayed import Replayed
from tests.scoring.test_real_records import FOLDER, read_claim

SHORT = """\
字牌谱 1
规则: local
庄: 甲

发 甲 二四四五五六六七九九十十贰叁叁伍伍陆捌拾捌
发 乙 一一二四五六九九壹壹贰贰叁叁肆伍陆陆陆柒
发 丙 三三四六七七八八十十壹贰肆肆肆柒玖玖拾拾
墩 五壹一一捌二八柒三捌二玖三伍拾玖七八柒
甲 打 捌
乙 摸 五
甲 碰 五
甲 打 捌
乙 摸 壹
乙 扫 壹
乙 打 柒
"""
SLIP = {
    "source": "discard", "winner": "甲", "payer": "乙", "hand": "一二三二七十四五六肆肆",
    "table": ["碰 九", "扫 壹", "吃 贰柒拾"], "card": "肆", "xing": "三",
}  # fmt: skip


@pytest.fixture(scope="module")
def real() -> list[tuple[str, Record]]:
    """The hands really played, as text and read."""
    if not FOLDER.is_dir():
        pytest.skip(f"no real records at {FOLDER}: set ZIPAI_RECORDS to their folder")
    texts = [path.read_text(encoding="utf-8") for path in sorted(Path(FOLDER).glob("*.zpr"))]
    return [(text, parse(text)) for text in texts]


def test_steps_say_what_lay_and_what_else_was_legal() -> None:
    replayed = Replayed(parse(SHORT))
    assert (len(replayed), replayed.stop, replayed.is_over) == (7, None, False)
    dealt, first, _flipped, peng = (replayed.step(n) for n in range(4))
    assert (dealt.event, dealt.could, len(dealt.seats[0].hand)) == (None, (), 21)
    assert [str(one) for one in first.could][:3] == ["甲 打 二", "甲 打 四", "甲 打 五"]
    assert first.open is not None
    assert cards.NAMES[first.open.card] == "捌"
    assert peng.actor == 0
    assert [str(one) for one in peng.others] == [
        "乙 吃 五 五伍", "丙 吃 五 三四", "丙 吃 五 四六", "丙 吃 五 六七"
    ]  # fmt: skip
    assert peng.may_leave
    assert [str(meld.kind) for meld in peng.melds] == ["碰"]
    assert [len(seat.hand) for seat in peng.seats] == [18, 20, 20]
    assert peng.wall_left == 18
    with pytest.raises(IndexError):
        replayed.step(8)


def test_compulsory_act_comes_with_its_rule() -> None:
    sao = Replayed(parse(SHORT)).step(6)
    assert sao.must is not None
    assert (sao.must.verb, sao.must.seat, sao.must.rule) == (Verb.SAO, 1, "R5.4")
    assert sao.must.zh == "乙 必须先扫 壹"
    assert not sao.could
    assert not sao.may_leave


def test_illegal_event_stops_the_steps_with_its_number() -> None:
    replayed = Replayed(parse(SHORT.replace("乙 扫 壹\n", "丙 摸 一\n")))
    assert len(replayed) == 5
    assert replayed.stop is not None
    assert (replayed.stop.number, str(replayed.stop.event)) == (6, "丙 摸 一")
    assert (replayed.stop.error.code, replayed.stop.error.rule) == ("must-act", "R5.4")


def test_every_real_hand_is_legal_under_its_own_rules(real: list[tuple[str, Record]]) -> None:
    """Strict replay, step by step: the verdict, the claim, and every event among the legal ones."""
    assert len(real) == 62
    steps = 0
    for text, record in real:
        replayed = Replayed(record)
        assert replayed.stop is None
        assert replayed.is_over
        assert replayed.result is not None
        claim = read_claim(text)
        assert (replayed.result.hu, replayed.result.total) == (claim.hu, claim.total)
        assert replayed.result.deltas == claim.deltas
        for number, event in replayed.events():
            step = replayed.step(number)
            legal = replayed.legal(number - 1)
            assert event in legal
            assert event not in step.could
            assert set(step.could + step.others) < set(legal) | {event}
            steps += 1
            if event.verb is Verb.HU and event.card is not None and event.seat is not None:
                waits = replayed.waits(number - 1, event.seat)
                assert event.card in [one.card for one in waits]
    assert steps == 1839


def test_real_hands_under_other_rules(real: list[tuple[str, Record]]) -> None:
    """Their own preset gives the claim; elsewhere a value, or the first event that is illegal."""
    possible: dict[str, int] = {}
    for text, record in real:
        claim = read_claim(text)
        for named in beside(record.rules):
            found = record_under(record, named)
            assert (found.computed is None) == (found.stop is not None)
            possible[named.preset] = possible.get(named.preset, 0) + (found.computed is not None)
            if named.rules == record.rules:
                assert found.computed is not None
                assert (found.computed["hu"], found.computed["total"]) == (claim.hu, claim.total)
            if found.stop is not None:
                assert 0 < found.stop.number <= len(record.events)
    assert possible == {"competition": 40, "laok": 62, "guangxi-app": 55, "local": 62, "": 1}


def test_other_rules_stop_a_record_at_its_first_illegal_event(
    real: list[tuple[str, Record]],
) -> None:
    """A 扫 opens on a discard under `local` alone (R5.6)."""
    competition, laok, _app, local = (record_under(real[0][1], named) for named in presets(3))
    assert competition.stop is not None
    assert (competition.stop.number, competition.stop.error.rule) == (25, "R5.6")
    assert laok.computed is not None
    assert local.computed is not None
    assert (laok.computed["total"], local.computed["total"]) == (24, 3)
    assert cards.text(laok.spare) == "捌"
    two = record_under(real[0][1], presets(2)[0])
    assert two.stop is not None
    assert (two.stop.number, two.stop.error.code) == (0, "deal-count")


def test_slip_under_each_preset() -> None:
    """碰 九 and 碰 肆 are 1 + 3; under `laok` 胡 are the points, and 醒 is not turned (R8.5)."""
    found = [entry_under("slip", SLIP, 0, named) for named in presets(3)]
    assert all(one.computed is not None for one in found)
    worth = [(one.computed or {})["hu"] for one in found]
    assert worth == [22, 22, 22, 22]
    assert [(one.computed or {})["total"] for one in found] == [6, 22, 7, 6]
    assert [cards.text(one.spare) for one in found] == ["", "三", "", ""]


def test_slip_without_its_turned_card_is_counted_as_far_as_it_goes() -> None:
    found = entry_under("slip", {**SLIP, "xing": ""}, 0, presets(3)[0])
    assert found.turn_more
    assert found.computed is not None
    assert (found.computed["hu"], found.computed["xing"], found.computed["total"]) == (22, 0, 3)
    assert len(found.computed["melds"]) == 7


def test_result_line_keeps_its_hu_and_xing() -> None:
    line = {"source": "own-flip", "winner": "丙", "hu": 17, "xing_count": 2, "claim": {"total": 9}}
    found = [entry_under("result", line, 0, named) for named in presets(3)]
    assert [one.computed and one.computed["total"] for one in found] == [5, 17, 4, 5]
    low = entry_under("result", line, 0, presets(3)[0]._replace(
        rules=preset("competition").with_options({"min_hu": 20})
    ))  # fmt: skip
    assert low.error is not None
    assert low.error.code == "hu-too-low"
