"""R4 and R2.4 in play: who discards, who flips, 重舵, 留, and the end of the wall."""

import pytest

from engine.cards import NAMES, parse
from engine.errors import ZipaiError
from engine.events import Event, Verb
from tests.engine.positions import at, can, legal, play, refusal, sentence


def test_who_takes_a_card_discards_one_unlocked():
    """R4.2, R2.3."""
    hand = at("discard", turn="乙", 乙="一二三三三四四四四")
    assert legal(hand) == ["乙 打 一", "乙 打 二"]
    assert refusal(hand, "乙 打 三") == "locked R2.3"
    assert sentence(hand, "乙 打 三")[0] == "乙 不能打 三：三是坎，不能拆 (R2.3)"
    assert sentence(hand, "乙 打 四")[1] == (
        "乙 cannot discard 四: the 四 are a 龙 and stay together (R2.3)"
    )
    assert refusal(hand, "乙 打 五") == "not-in-hand R4.2"
    assert sentence(hand, "乙 打 壹") == (
        "乙 不能打 壹：手里没有壹，有 一；乙 手里是 一二三三三四四四四 (R4.2)",
        "乙 cannot discard 壹: no 壹 is in hand, but 一 is; 乙 holds 一二三三三四四四四 (R4.2)",
    )
    assert refusal(hand, "丙 打 一") == "out-of-turn R4.2"
    assert sentence(hand, "丙 打 一")[0] == "丙 不能打 一：该 乙 打牌 (R4.2)"
    assert refusal(hand, "丙 摸 一") == "must-act R4.2"
    assert refusal(hand, "丙 碰 一") == "must-act R4.2"
    assert refusal(hand, "乙 过") == "out-of-turn R5.7"
    assert refusal(hand, "醒 一") == "out-of-turn R8.1"


def test_nobody_takes_it_the_next_player_flips():
    """R4.5: the next of who discarded or flipped; the card stays at his side."""
    hand = at(open="八丙打@8", wall="玖八")
    assert [str(e) for e in hand.legal()] == ["甲 摸 玖"]
    assert refusal(hand, "乙 摸 玖") == "out-of-turn R4"
    assert sentence(hand, "乙 摸 玖") == (
        "乙 不能摸 玖：亮着 丙 打出的 八，没人要就轮到 甲 摸 (R4)",
        "乙 cannot flip 玖: the 八 that 丙 discarded is open; if nobody takes it, 甲 flips (R4)",
    )
    assert refusal(hand, "甲 打 玖") == "out-of-turn R4"
    assert refusal(hand, "甲 留") == "out-of-turn R4"
    play(hand, "甲 摸 玖", "乙 摸 八")
    assert hand.piles == [(parse("玖"),), (), (parse("八"),)]


@pytest.mark.parametrize(
    ("seats", "dealer", "order"),
    [(2, "甲", "甲乙甲"), (3, "甲", "甲乙丙甲"), (4, "甲", "甲乙丁甲"), (4, "乙", "乙丙甲乙")],
)
def test_the_order_of_play(seats, dealer, order):
    """R2.2: 甲→乙→丙→丁→甲 without the seat that sits out."""
    rules = f"competition;seats={seats}"
    hand = at(rules=rules, dealer=dealer, open=f"八{order[0]}打@8", wall="玖玖玖")
    for seat in order[1:]:
        (event,) = hand.legal()
        assert str(event) == f"{seat} 摸 玖"
        hand.do(event)


def test_the_seat_that_sits_out_and_a_seat_that_is_not_there():
    """R2.2."""
    four = at(rules="competition;seats=4", open="八甲打@8", 乙="八八一")
    assert refusal(four, "丙 碰 八") == "out-of-turn R2.2"
    three = at(open="八甲打@8")
    for seat in (3, 7):
        with pytest.raises(ZipaiError, match="unknown-seat"):
            three.check(Event(Verb.PASS, seat))


def test_events_that_lack_a_seat_or_a_card_or_have_one_too_many():
    hand = at(open="八甲打@8", 乙="八八一")
    for event in (
        Event(Verb.PENG, None, 7),
        Event(Verb.DRAW, 1),
        Event(Verb.FLIP, 1),
        Event(Verb.PASS, 1, 7),
    ):
        with pytest.raises(ZipaiError, match="syntax"):
            hand.check(event)


# R4.3 重舵


@pytest.mark.parametrize(
    ("held", "how", "act", "discards"),
    [
        ("八八八一", "甲打", "开舵", True),
        ("八八八一", "乙摸", "扫穿", True),
        ("八八八四四四四一", "甲打", "开舵", False),
        ("八八八四四四四一", "乙摸", "扫穿", False),
        ("八八八一|开舵四四四四", "甲打", "开舵", False),
        ("一二|扫八八八,扫穿四四四四", "丙摸", "开舵", False),
        ("一二|碰八八八,扫穿四四四四", "乙摸", "开舵", False),
    ],
)
def test_who_forms_a_second_quad_does_not_discard(held, how, act, discards):
    """R4.3 重舵: a 龙 in hand counts; the next player flips."""
    hand = play(at(open=f"八{how}@8", 乙=held, wall="九"), f"乙 {act} 八")
    if discards:
        assert legal(hand) == ["乙 打 一"]
    else:
        assert [str(e) for e in hand.legal()] == ["丙 摸 九"]
        assert refusal(hand, "乙 打 一") == "out-of-turn R4"
        assert refusal(hand, "乙 过") == "out-of-turn R5.7"
        assert sentence(hand, "乙 打 一")[0] == "乙 不能打 一：该 丙 摸牌 (R4)"


@pytest.mark.parametrize(
    ("held", "how", "act"),
    [
        ("七九一", "甲打", "吃 八 七九"),
        ("八八一", "甲打", "碰 八"),
        ("八八一", "乙摸", "扫 八"),
        ("八八一", "乙摸", "过扫 八"),
    ],
)
def test_other_takes_are_followed_by_a_discard_however_many_quads(held, how, act):
    """R4.3."""
    passed = "八@2" if act == "过扫 八" else ""
    hand = at(open=f"八{how}@8", 乙=f"{held}|开舵四四四四,扫穿五五五五|||{passed}")
    assert legal(play(hand, f"乙 {act}")) == ["乙 打 一"]


# R4.4


@pytest.mark.parametrize(
    ("held", "how", "act"),
    [("八八", "乙摸", "扫"), ("八八八四四四", "甲打", "开舵"), ("八八八", "乙摸", "扫穿")],
)
def test_nothing_left_to_discard_the_next_player_flips(held, how, act):
    """R4.4."""
    hand = play(at(open=f"八{how}@8", 乙=held, wall="九"), f"乙 {act} 八")
    assert [str(e) for e in hand.legal()] == ["丙 摸 九"]


def test_chi_and_peng_must_leave_a_discard():
    """R4.4."""
    hand = at(open="八甲打@8", 乙="七九四四四")
    assert legal(hand) == []
    assert refusal(hand, "乙 吃 八 七九") == "no-discard-left R4.4"
    assert sentence(hand, "乙 吃 八 七九")[0] == "乙 不能吃 八：之后没有可打的牌 (R4.4)"
    pair = at(open="八甲打@8", 丙="八八四四四")
    assert legal(pair) == []
    assert refusal(pair, "丙 碰 八") == "no-discard-left R4.4"
    with_bi = at(open="八甲打@8", 乙="七九八捌捌")
    assert refusal(with_bi, "乙 吃 八 七九 八捌捌") == "no-discard-left R4.4"


# R4.6


def empty(**given):
    """A position without a wall: 甲's pile holds what no one else does."""
    lying = "".join(c for text in given.values() for c in text if c in NAMES)
    pile = "".join(c * (4 - lying.count(c)) for c in NAMES)
    return at(甲=f"||{pile}", **given)


def test_a_flip_due_with_no_wall_left_is_huang():
    """R4.6."""
    hand = empty(open="八甲打@8", 乙="八八一")
    assert legal(hand) == ["乙 碰 八", "荒", "乙 过"]
    assert refusal(hand, "乙 摸 一") == "wall-empty R4.6"
    result = play(hand, "荒").result
    assert hand.over
    assert (result.winners, result.source, result.deltas) == ((), None, (0, 0, 0))
    assert result.next_dealer == 0
    assert refusal(hand, "荒") == "after-end R8.1"
    assert legal(hand) == []


def test_huang_after_a_second_quad_and_in_place_of_a_discard():
    """R4.6, R4.3."""
    hand = play(empty(open="八甲打@8", 乙="八八八一|开舵四四四四"), "乙 开舵 八")
    assert legal(hand) == ["荒"]
    assert can(hand, "荒")
    owing = empty(phase="discard", turn="乙", 乙="一二")
    assert refusal(owing, "荒") == "must-act R4.2"


def test_next_dealer_after_huang():
    """R9.5, option `draw_dealer`."""
    hand = play(empty(rules="guangxi-app", open="八甲打@8"), "荒")
    assert hand.result.next_dealer == 1


def test_cards_left_forbid_huang():
    hand = at(open="八甲打@8", wall="九")
    assert refusal(hand, "荒") == "wall-left R4.6"
    zh, en = sentence(hand, "荒")
    assert zh == "墩里还有 79 张，不能荒 (R4.6)"
    assert en == "79 cards are left in the wall (R4.6)"


def test_the_wall_known_and_not_known():
    """notation `wall-mismatch`, `deck`: the known wall is used up before others can come."""
    hand = at(open="八甲打@8", 丙="一一一一", wall="二九")
    assert refusal(hand, "乙 摸 九") == "wall-mismatch notation"
    assert sentence(hand, "乙 摸 九")[0] == "墩里下一张是 二，不是 九"
    play(hand, "乙 摸 二", "丙 摸 九")
    assert refusal(hand, "甲 摸 一") == "deck R1"
    assert sentence(hand, "甲 摸 一")[0] == "四张一都已经出现过，这是第五张 (R1)"
    assert len(hand.legal()) == 19
    play(hand, "甲 摸 二", "乙 摸 二", "丙 摸 二")
    assert refusal(hand, "甲 摸 二") == "deck R1"


# R2.4 留

WAITING = "四四四四五五五五七九一二三六六|吃贰叁肆,吃贰叁肆"
"""Two 龙 and 21 cards: waits for 八."""


@pytest.mark.parametrize("phase", ["start", "discard"])
def test_keeping_a_discard(phase):
    """R2.4 `skip-discard`: once, where 听牌, the dealer's first discard included; next flips."""
    hand = at(phase, turn="乙", dealer="乙", 乙=WAITING + "|||||留", wall="十")
    assert legal(hand)[-1] == "乙 留"
    assert refusal(hand, "丙 留") == "out-of-turn R2.4"
    play(hand, "乙 留")
    assert [str(e) for e in hand.legal()] == ["丙 摸 十"]
    assert not hand.may_keep[1]


def test_not_keeping():
    """R2.4: not where not 听牌, used already, or the rules have none."""
    deaf = at("discard", turn="乙", 乙="一四七||||||留")
    assert refusal(deaf, "乙 留") == "out-of-turn R2.4"
    assert sentence(deaf, "乙 留")[0] == "乙 不能留：还没有听牌 (R2.4)"
    used = at("discard", turn="乙", 乙=WAITING)
    assert sentence(used, "乙 留")[1] == (
        "乙 cannot keep the discard: only who was dealt exactly two 龙 may, and once (R2.4)"
    )
    extra = at("discard", rules="local", turn="乙", 乙=WAITING)
    assert sentence(extra, "乙 留")[0] == "乙 不能留：这套规则没有留 (R2.4)"
