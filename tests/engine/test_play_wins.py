"""R6, R7 and R8 in play: who may and must win, on what, and how the hand then ends."""

import pytest

from engine.cards import NAMES
from engine.errors import ZipaiError
from engine.events import Event, Special, Verb
from engine.melds import Source
from tests.engine.positions import at, can, legal, play, refusal, sentence

TWELVE = "七九一二三|碰贰贰贰,碰叁叁叁,碰肆肆肆,吃伍陆柒,吃伍陆柒"
"""Waits for 八; 碰 6 + 3 + 3 and 一二三 3 by `competition`: 15 胡."""
NINE = "六七四四四|碰玖玖玖,碰捌捌捌,吃八九十,吃四五六,吃五六七"
"""Waits for 八 and 五; 碰 3 + 3 and 坎 3: 9 胡."""
TEN = "六七四四四|碰玖玖玖,碰捌捌捌,吃一二三,吃五六七,吃三四五"
"""Waits for 五 and 八; 碰 3 + 3, 坎 3, 一二三 3: 12 胡."""
NEVER, ALWAYS = "competition;must_win=never", "competition;must_win=always"


def winners(hand):
    return legal(hand, "胡")


# R6


def test_a_discard_is_won_by_the_nearest_where_it_must_be():
    """R6, `must_win` `discard`: 放炮必胡, and it is the nearest who must."""
    hand = at(open="八甲打@8", 乙=TWELVE, 丙=TEN)
    assert legal(hand) == ["乙 胡 八"]
    assert refusal(hand, "丙 胡 八") == "priority R6"
    assert refusal(hand, "乙 过") == "must-act R6"
    assert refusal(hand, "乙 吃 八 七九") == "must-act R6"
    assert refusal(hand, "乙 摸 一") == "must-act R6"


def test_a_flip_may_be_won_by_anyone_where_it_need_not_be():
    """R6, `must_win` `discard` on a flip: those nearer have declined."""
    hand = at(open="八甲摸@8", 乙=TWELVE, 丙=TEN, wall="九")
    assert winners(hand) == ["乙 胡 八", "丙 胡 八"]
    assert legal(hand) == ["乙 胡 八", "丙 胡 八", "乙 吃 八 七九", "乙 过", "丙 过"]
    assert play(hand, "丙 胡 八").winners == (2,)


def test_the_flipper_himself_is_the_nearest():
    """R6."""
    always = at(rules=ALWAYS, open="八丙摸@8", 乙=TWELVE, 丙=TEN)
    assert legal(always) == ["丙 胡 八"]
    assert at(rules=NEVER, open="八丙摸@8", 乙=TWELVE, 丙=TEN).legal()[0].seat == 2


def test_who_passes_a_win_cannot_take_it_any_more():
    hand = play(at(rules=NEVER, open="八甲打@8", 乙=TWELVE, 丙=TEN), "乙 过")
    assert winners(hand) == ["丙 胡 八"]
    assert refusal(hand, "乙 胡 八") == "out-of-turn R5.7"


def test_the_discarder_does_not_win_on_his_own_card():
    """R6."""
    hand = at(rules=NEVER, open="八乙打@8", 乙=TWELVE)
    assert winners(hand) == []
    assert refusal(hand, "乙 胡 八") == "out-of-turn R6"


def test_a_win_goes_before_a_kaiduo_and_may_be_passed():
    """R6; R5.6: compulsory, except for who wins instead."""
    hand = at(open="八甲摸@8", 乙=TWELVE, 丙="八八八一")
    assert legal(hand) == ["乙 胡 八", "丙 开舵 八", "乙 过"]
    assert refusal(hand, "丙 过") == "must-act R5.6"
    assert refusal(hand, "丙 胡 八") == "no-win R7.1"
    assert refusal(hand, "丙 摸 八") == "must-act R5.6"
    play(hand, "乙 过")
    assert legal(hand) == ["丙 开舵 八"]
    assert refusal(hand, "乙 过") == "must-act R5.6"


def test_who_must_open_may_win_instead():
    """R5.6, R7.3: the 坎 and the fourth make a quad with 将."""
    own = "八八八一二三玖玖|碰贰贰贰,碰叁叁叁,碰肆肆肆,吃伍陆柒"
    hand = at(open="八甲摸@8", 乙=own)
    assert legal(hand) == ["乙 胡 八", "乙 开舵 八"]
    result = play(hand, "乙 胡 八", "醒 一").result
    assert result.hu == 6 + 12 + 3
    assert [str(m) for m in result.melds if m.kind == "开舵"] == ["开舵 八八八八"]


def test_a_forced_win_goes_before_a_kaiduo():
    """R6."""
    hand = at(open="八甲打@8", 乙=TWELVE, 丙="八八八一")
    assert legal(hand) == ["乙 胡 八"]
    assert refusal(hand, "丙 开舵 八") == "priority R6"


def test_nobody_wins_on_a_card_taken_by_sao():
    """R6: not the flipper himself either (R5.4)."""
    hand = at(rules=NEVER, open="八甲摸@8", 甲="八八一", 乙=TWELVE)
    assert legal(hand) == ["甲 扫 八"]
    assert refusal(hand, "乙 胡 八") == "priority R5.4"
    assert refusal(hand, "甲 胡 八") == "must-act R5.4"


def test_passing_never_bars_a_win():
    """R5.7, R5.8: 可以胡过张."""
    hand = at(open="八甲打@8", 乙=TWELVE + "||八@1|八@1|八@2")
    assert legal(hand) == ["乙 胡 八"]


# R7


def test_no_win_and_too_low():
    """R7.1, R7.4."""
    hand = at(open="八甲打@8", 乙=NINE, 丙="一二三")
    assert refusal(hand, "乙 胡 八") == "hu-too-low R7.4"
    assert sentence(hand, "乙 胡 八") == (
        "乙 不能胡 八：只有 9 胡，起胡要 10 胡 (R7.4)",
        "乙 cannot win (胡) 八: 9 胡, and the minimum is 10 (R7.4)",
    )
    assert refusal(hand, "丙 胡 八") == "no-win R7.1"
    assert refusal(hand, "乙 胡") == "syntax notation"
    assert sentence(hand, "乙 胡")[0] == "“乙 胡”：要写明胡哪张牌（亮着 八）"


@pytest.mark.parametrize(
    ("how", "source", "payer"),
    [
        ("甲打", Source.DISCARD, 0),
        ("甲摸", Source.FLIP, None),
        ("乙摸", Source.OWN_FLIP, None),
    ],
)
def test_a_win_by_its_source(how, source, payer):
    """R9.2, R9.3: 15 胡 is 2 舵, 醒 1 (下醒 of 七 is 八), own flip one more."""
    hand = play(at(open=f"八{how}@8", 乙=TWELVE, wall="七"), "乙 胡 八")
    assert not hand.over
    assert hand.result is None
    assert legal(hand) == ["醒 七"]
    result = play(hand, "醒 七").result
    assert hand.over
    assert (result.source, result.payer, result.card) == (source, payer, 7)
    assert (result.hu, result.base, result.xing, result.xing_cards) == (15, 2, 1, (6,))
    total = 3 + (source is Source.OWN_FLIP)
    assert result.total == total
    assert result.deltas == (
        (-2 * total, 2 * total, 0) if payer == 0 else (-total, 2 * total, -total)
    )
    assert result.next_dealer == 1
    assert result.special is None


BARE = "八八一二三|碰贰贰贰,碰叁叁叁,碰肆肆肆,吃伍陆柒,吃伍陆柒"
"""With 扫 八 complete: 6 + 3 + 3 + 3 + 3 = 18 胡."""


def test_a_bare_win_after_sao():
    """R7.5: before the discard; the card is the flipped one, the win an own flip."""
    hand = play(at(open="八乙摸@8", 乙=BARE), "乙 扫 八")
    assert legal(hand) == ["乙 胡", "乙 打 一", "乙 打 二", "乙 打 三"]
    assert refusal(hand, "乙 胡 八") == "syntax notation"
    assert sentence(hand, "乙 胡 八")[1] == "“乙 胡 八”: there is no card to name here"
    assert refusal(hand, "丙 胡") == "must-act R4.2"
    assert refusal(hand, "乙 过") == "out-of-turn R5.7"
    result = play(hand, "乙 胡", "醒 九").result
    assert (result.source, result.card, result.hu, result.xing) == (Source.OWN_FLIP, 7, 18, 3)
    assert str(result.melds[5]) == "扫 八八八"


def test_a_bare_win_must_be_where_wins_must():
    """R7.5: `must_win` `always` only."""
    hand = play(at(rules=ALWAYS, open="八乙摸@8", 乙=BARE), "乙 扫 八")
    assert legal(hand) == ["乙 胡"]
    assert refusal(hand, "乙 打 一") == "must-act R7.5"
    assert refusal(hand, "丙 胡") == "priority R7.5"
    assert sentence(hand, "乙 打 一")[0] == "乙 能胡必须胡，这里不能“乙 打 一” (R7.5)"
    assert play(hand, "乙 胡", "醒 九").over
    low = play(at(rules=ALWAYS, open="八乙摸@8", 乙="八八一二四|碰贰贰贰"), "乙 扫 八")
    assert legal(low) == ["乙 打 一", "乙 打 二", "乙 打 四"]
    free = play(at(open="八乙摸@8", 乙=BARE), "乙 扫 八")
    assert can(free, "乙 打 一")


def test_a_bare_win_is_gone_with_the_discard():
    """R7.5."""
    hand = play(at(open="八乙摸@8", 乙=BARE), "乙 扫 八", "乙 打 一")
    assert hand.bare is None
    assert refusal(hand, "乙 胡") == "syntax notation"


def test_a_bare_win_after_a_second_quad_comes_before_the_next_flip():
    """R7.5, R4.3: after 扫穿 no discard is owed."""
    two = "八八八玖玖|开舵柒柒柒柒,碰贰贰贰,碰叁叁叁,吃四五六,吃四五六"
    hand = play(at(open="八乙摸@8", 乙=two, wall="五六"), "乙 扫穿 八")
    assert [str(e) for e in hand.legal()] == ["乙 胡", "丙 摸 五"]
    assert refusal(hand, "丙 胡") == "out-of-turn R4"
    assert refusal(hand, "乙 打 玖") == "out-of-turn R4"
    play(hand, "丙 摸 五")
    assert refusal(hand, "乙 胡") == "syntax notation"


def test_a_bare_win_that_is_none():
    """R7.5: not complete, below the minimum, or after what is no 扫."""
    short = play(at(open="八乙摸@8", 乙="八八一二四|碰贰贰贰"), "乙 扫 八")
    assert refusal(short, "乙 胡") == "no-win R7.1"
    low = "八八四五六|吃一二三,吃五六七,吃四五六,吃五六七,吃肆伍陆"
    low = play(at(rules="local;min_hu=15", open="八乙摸@8", 乙=low), "乙 扫 八")
    assert refusal(low, "乙 胡") == "hu-too-low R7.4"
    peng = play(at(open="八甲打@8", 乙="八八一二四"), "乙 碰 八")
    assert refusal(peng, "乙 胡") == "must-act R4.2"


# R8


@pytest.mark.parametrize(
    ("option", "xing"),
    [("none", 0), ("win-card", 0), ("flat-2", 2), ("win-card;xing=zhong", 1)],
)
def test_a_win_with_no_card_left(option, xing):
    """R8.4 海底: nothing is turned; 八 as the turned card makes 七 and 九 count, or 八 itself."""
    hand = last_card(f"competition;last_card={option}", "八乙摸@8", "一二三七九|")
    result = play(hand, "乙 胡 八").result
    assert hand.over
    assert hand.wall_left == 0
    held = {"win-card": 2}.get(option, xing)
    assert (result.xing, result.xing_cards) == (held, ())
    assert refusal(hand, "醒 七") == "wall-empty R8.4"
    assert refusal(hand, "荒") == "after-end R8.1"


def last_card(rules, open_card, held):
    """The same hand as TWELVE with every other card in 甲's pile: no wall is left."""
    table = TWELVE.split("|")[1]
    lying = held + "".join(word[1:] for word in table.split(",")) + open_card[0]
    rest = "".join(c * (4 - lying.count(c)) for c in NAMES)
    return at(rules=rules, open=open_card, 乙=held + table, 甲=f"||{rest}")


def test_a_bare_win_on_the_last_card_counts_the_flipped_one():
    """R8.4, `win-card`: 八 flipped last makes 七 and 九 count; 中醒 八 itself."""
    table = BARE.split("|")[1]
    lying = "八八一二三八" + "".join(word[1:] for word in table.split(","))
    rest = "".join(c * (4 - lying.count(c)) for c in NAMES)
    rules = "competition;last_card=win-card;xing=zhong"
    hand = at(rules=rules, open="八乙摸@8", 乙=BARE, 甲=f"||{rest}")
    result = play(hand, "乙 扫 八", "乙 胡").result
    assert (result.card, result.xing) == (7, 3)


def test_no_xing_where_the_unit_is_hu():
    """R8.5, R9.1."""
    hand = play(at(rules="laok", open="八甲打@8", 乙=TWELVE), "乙 胡 八")
    assert hand.over
    result = hand.result
    assert (result.xing, result.xing_cards, result.total) == (0, (), 15)
    assert refusal(hand, "醒 七") == "after-end R8.1"
    assert legal(hand) == []


def test_xing_is_turned_again_where_all_four_of_a_neighbour_are_held():
    """R8.3: 中醒 never turns again; it ends with the wall."""
    four = "七九玖玖一二三|开舵贰贰贰贰,碰叁叁叁,碰肆肆肆,吃伍陆柒"
    rules = "competition;xing_repeat=on"
    hand = at(rules=rules, open="八甲打@8", 乙=four, wall="壹叁一")
    play(hand, "乙 胡 八", "醒 壹")
    assert not hand.over
    assert refusal(hand, "甲 打 一") == "must-act R8.1"
    assert refusal(hand, "醒 二") == "wall-mismatch notation"
    play(hand, "醒 叁")
    assert not hand.over
    result = play(hand, "醒 一").result
    assert hand.over
    assert result.xing_cards == (10, 12, 0)
    assert result.xing == 4 + (4 + 3) + 1


def test_xing_is_turned_once_without_repeat():
    """R8.3 `off`."""
    four = "七九玖玖一二三|开舵贰贰贰贰,碰叁叁叁,碰肆肆肆,吃伍陆柒"
    hand = play(at(open="八甲打@8", 乙=four), "乙 胡 八", "醒 壹")
    assert hand.over


def test_what_is_due_after_a_win():
    """R8.1."""
    hand = play(at(open="八甲打@8", 乙=TWELVE, wall="七"), "乙 胡 八")
    assert refusal(hand, "丙 胡 八") == "must-act R8.1"
    assert refusal(hand, "荒") == "must-act R8.1"
    assert refusal(hand, "醒 六") == "wall-mismatch notation"
    unknown = play(at(open="八甲打@8", 乙=TWELVE), "乙 胡 八")
    assert len(unknown.legal()) == 20
    five = at(open="八甲打@8", 乙=TWELVE, 丙="一一一")
    assert refusal(play(five, "乙 胡 八"), "醒 一") == "deck R1"
    with pytest.raises(ZipaiError, match="syntax"):
        five.check(Event(Verb.XING))
    play(hand, "醒 七")
    assert refusal(hand, "醒 七") == "after-end R8.1"


def test_xing_before_a_win():
    assert refusal(at(open="八甲打@8"), "醒 七") == "out-of-turn R8.1"


# 地胡


def test_dihu_is_a_win_on_the_discard_that_opens_the_hand():
    """R7.6 地胡, R9.3: the discarder pays alone."""
    hand = play(at(open="八甲打@1", event=2, 乙=TWELVE), "乙 胡 八", "醒 壹")
    assert hand.result.special is Special.DIHU
    assert (hand.result.bonus, hand.result.payer, hand.result.xing) == (1, 0, 3)
    late = play(at(open="八甲打@2", event=3, 乙=TWELVE), "乙 胡 八", "醒 壹")
    assert late.result.special is None
    flipped = play(at(open="八甲摸@1", event=2, 乙=TWELVE), "乙 胡 八", "醒 壹")
    assert flipped.result.special is None
