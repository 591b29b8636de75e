"""Position lines: a hand in play written and read back."""

import random

import pytest

from engine.errors import ZipaiError
from engine.play import Hand
from engine.players import random_player
from engine.rules import PRESETS
from engine.simulate import play_hand
from tests.engine.positions import at, play

LINE = (
    "zp1 rules=competition;min_hu=15;xing=shang,zhong dealer=乙 shown=捌 event=12 phase=open "
    "turn=甲 open=八甲摸@11 declined=乙 wall=玖一 "
    "甲=一一|吃三四五,过扫九九九|六七|玖@2,拾@4||柒@1| 乙=七九十|开舵二二二二||||| "
    "丙=八捌||||捌@3||留"
)


def test_a_line_is_read_back_as_it_was():
    assert Hand.from_position(LINE).position() == LINE


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("seats", ["2", "3", "4"])
def test_every_state_of_a_hand_behaves_the_same_when_read_back(name, seats):
    """The same legal events, the same next position and the same end, the wall known or not."""
    rules = PRESETS[name].with_options({"seats": seats, "must_win": "never"})
    for seed in range(2):
        whole = play_hand(rules, random.Random(seed), random_player, dealer=seed)
        deal = {seat: whole.deal[seat] for seat in whole.playing}
        hand = Hand(rules, whole.dealer, deal, whole.wall[: 12 * seed])
        for event in whole.events:
            twin = Hand.from_position(hand.position())
            assert twin.legal() == hand.legal()
            assert twin.can(event)
            twin.do(event)
            hand.do(event)
            assert twin.position() == hand.position()
            assert (twin.over, twin.result) == (hand.over, hand.result)
        assert hand.result == whole.result


def test_rules_are_written_as_the_nearest_preset_and_what_differs():
    hand = at(rules="local;seats=4;xing=", open="八甲打@8")
    assert hand.position().split()[1] == "rules=local;seats=4;xing="
    assert hand.rules.xing == ()


def test_a_won_and_a_drawn_hand_are_read_back_with_their_result():
    bare = "八八一二三|碰贰贰贰,碰叁叁叁,碰肆肆肆,吃伍陆柒,吃伍陆柒"
    hand = play(at(open="八乙摸@8", 乙=bare), "乙 扫 八", "乙 胡")
    due = Hand.from_position(hand.position())
    assert not due.over
    play(hand, "醒 九")
    play(due, "醒 九")
    assert Hand.from_position(hand.position()).result == hand.result == due.result


def test_a_drawn_hand_is_read_back_with_its_result():
    pile = "".join(c * 4 for c in "一二三四五六七九十壹贰叁肆伍陆柒捌玖拾") + "八八八"
    hand = play(at(open="八甲打@8", 甲=f"||{pile}"), "荒")
    twin = Hand.from_position(hand.position())
    assert twin.over
    assert twin.result == hand.result


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("zp1", "zp2"), "syntax"),
        (("phase=open", "phase=opening"), "syntax"),
        (("phase=open", "phase=flip"), "syntax"),
        (("phase=open", "phase=won"), "syntax"),
        (("open=八甲摸@11 ", ""), "syntax"),
        (("甲=", "丁="), "syntax"),
        (("event=12", "event=x"), "syntax"),
        (("过扫九九九", "过扫九九八"), "syntax"),
        (("过扫九九九", "过扫"), "syntax"),
        (("过扫九九九", "龙九九九九"), "syntax"),
        (("吃三四五", "吃三四六"), "syntax"),
        (("玖@2", "玖"), "syntax"),
        (("柒@1|", "柒@1"), "syntax"),
        (("wall=玖一", "wall=玖丸"), "unknown-card"),
        (("competition", "contest"), "unknown-rules"),
        (("min_hu=15", "min_hu=14"), "bad-option"),
        (("乙=七九十", "乙=二九十"), "deck"),
    ],
)
def test_a_line_that_is_no_position(change, code):
    assert change[0] in LINE
    with pytest.raises(ZipaiError) as caught:
        Hand.from_position(LINE.replace(*change, 1))
    assert caught.value.code == code


@pytest.mark.parametrize("text", ["", "zp1", "hello", "zp1 rules"])
def test_other_text_is_no_position(text):
    with pytest.raises(ZipaiError, match="syntax"):
        Hand.from_position(text)
