"""R2 and R7.6: the deal, its checks, and the wins at it."""

import pytest

from engine.cards import NAMES, parse_many
from engine.errors import ZipaiError
from engine.events import Special
from engine.melds import Source
from engine.play import Hand
from engine.rules import preset
from tests.engine.positions import SEATS, at, event, legal, play, refusal, sentence

PLAIN = {
    "甲": "一一二三四五六七八九十壹贰叁肆伍陆柒捌玖拾",
    "乙": "一二三四五六七八九十壹贰叁肆伍陆柒捌玖拾",
    "丙": "一二三四五六七八九十壹贰叁肆伍陆柒捌玖拾",
}
TWO_LONG = "一一一一二二二二三四五六七八九十壹贰叁肆"


def dealt(deal, rules="competition", dealer="甲", wall="", **options):
    cards = {SEATS.index(seat): parse_many(held) for seat, held in deal.items()}
    chosen = preset(rules).with_options(options)
    return Hand(chosen, SEATS.index(dealer), cards, parse_many(wall))


def refused(deal, *args, **options):
    with pytest.raises(ZipaiError) as caught:
        dealt(deal, *args, **options)
    return f"{caught.value.code} {caught.value.rule}", caught.value.zh


def others(*held):
    """What these hands leave of the deck, so ordered that no 龙 comes together."""
    dealt = "".join(held)
    return "".join(c for copy in range(4) for c in NAMES if copy >= dealt.count(c))


def test_deal():
    """R2.1: 21 and 20 cards; 19 are left; the dealer's last card is shown."""
    hand = dealt(PLAIN, wall="拾玖")
    assert (hand.wall_left, hand.playing, hand.dealer) == (19, (0, 1, 2), 0)
    assert hand.shown == 19
    assert hand.next_known() == 19
    assert (hand.number, hand.over, hand.result) == (1, False, None)
    assert len(legal(hand)) == 20
    assert refusal(hand, "乙 打 一") == "out-of-turn R4.2"


@pytest.mark.parametrize(("seats", "left"), [(2, 39), (3, 19), (4, 19)])
def test_wall_by_seats(seats, left):
    """R2.1, R2.2: of four, the seat two after the dealer sits out."""
    deal = dict(PLAIN)
    if seats == 2:
        del deal["丙"]
    if seats == 4:
        deal["丁"] = deal.pop("丙")
    hand = dealt(deal, seats=seats)
    assert hand.wall_left == left
    assert hand.playing == {2: (0, 1), 3: (0, 1, 2), 4: (0, 1, 3)}[seats]


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"甲": PLAIN["乙"]}, ("deal-count R2.1", "甲 有 20 张牌，应为 21 张 (R2.1)")),
        ({"乙": PLAIN["甲"]}, ("deal-count R2.1", "乙 有 21 张牌，应为 20 张 (R2.1)")),
        ({"乙": ""}, ("deal-count R2.1", "缺 乙 的发牌 (R2.1)")),
        ({"丁": PLAIN["乙"]}, ("deal-count R2.2", "丁 这一局不上场，不该有牌 (R2.2)")),
        (
            {"乙": "一一" + PLAIN["乙"][2:]},
            ("deck R1", "发牌和墩里一共有 5 张一，一副牌里只有四张 (R1)"),
        ),
    ],
)
def test_wrong_deals(change, error):
    """R2.1, R2.2, R1."""
    assert refused({**PLAIN, **change}) == error


def test_wrong_walls():
    """R1: the deal and the known wall together."""
    assert refused(PLAIN, wall="一")[0] == "deck R1"
    left = others(*PLAIN.values())
    assert dealt(PLAIN, wall=left).wall_left == 19
    assert refused(PLAIN, wall=left + "二")[0] == "deck R1"


def test_a_dealer_who_is_not_there():
    with pytest.raises(ZipaiError, match="unknown-seat"):
        dealt(PLAIN, dealer="丁")


def test_a_seat_beyond_the_table():
    with pytest.raises(ZipaiError, match="deal-count"):
        Hand(preset("local"), 0, {0: (), 9: (1,)})


# R2.4


def with_two_long(extra=""):
    rest = others(TWO_LONG)
    return {"甲": rest[:21], "乙": TWO_LONG + extra, "丙": rest[21:41]}


def test_extra_card():
    """R2.4 `extra-card`: who was dealt exactly two 龙 holds one more, and must."""
    deal = with_two_long("伍")
    hand = dealt(deal, "local")
    assert hand.wall_left == 18
    assert hand.may_keep == [False] * 3
    found = refused(with_two_long(), "local")
    assert found == ("deal-count R2.4", "乙 有 20 张牌，应为 21 张：起手两条龙要多抓一张 (R2.4)")
    assert refused(deal)[0] == "deal-count R2.1"
    assert refused(with_two_long("伍陆"), "local")[0] == "deal-count R2.1"
    wrong = {**PLAIN, "乙": PLAIN["甲"]}
    assert refused(wrong, "local") == (
        "deal-count R2.4",
        "乙 有 21 张牌，应为 20 张：起手正好两条龙的才多抓一张 (R2.4)",
    )


def test_extra_card_that_makes_a_third_long():
    """R2.4: it may; 20 cards with three 龙 get none."""
    held = "一一一一二二二二三三三四五六七八九十壹贰"
    rest = others(held + "三")
    deal = {"甲": rest[:21], "乙": held + "三", "丙": rest[21:41]}
    assert legal(dealt(deal, "local"), "胡") == ["乙 胡"]
    three = held[:10] + "三三" + held[12:]
    deal = {"甲": rest[:21], "乙": three, "丙": rest[21:41]}
    assert len(dealt(deal, "local").deal[1]) == 20


def test_the_dealers_extra_card():
    """R2.4: 22 cards."""
    held = TWO_LONG + "伍陆"
    rest = others(held)
    hand = dealt({"甲": held, "乙": rest[:20], "丙": rest[20:40]}, "local")
    assert hand.wall_left == 18
    assert hand.shown == parse_many("陆")[0]


@pytest.mark.parametrize(("longs", "may"), [(1, False), (2, True), (3, False)])
def test_who_may_keep(longs, may):
    """R2.4 `skip-discard`: who was dealt exactly two 龙."""
    held = ("一一一一二二二二三三三三"[: 4 * longs] + "四五六七八九十壹贰叁肆伍陆柒捌玖拾")[:20]
    rest = others(held)
    hand = dealt({"甲": rest[:21], "乙": held, "丙": rest[21:41]})
    assert hand.may_keep == [False, may, False]


# R7.6

TIANHU = "一二三壹贰叁二七十四五六肆伍陆七八九捌玖拾"
"""Complete with 3 + 6 + 3 = 12 胡."""
POOR = "二三四贰叁肆五六七伍陆柒八九十捌玖拾三四五"
"""Complete with nothing."""
SANLONG = "捌捌捌捌玖玖玖玖拾拾拾拾一二三四四壹叁伍"
"""36 胡."""
WUKAN = "捌捌捌玖玖玖拾拾拾柒柒柒陆陆陆一三五七九"
"""30 胡."""
SMALL = "八八八九九九十十十六六六五五五一三壹叁伍"
"""五坎 of 15 胡."""
SAME = "捌捌捌玖玖玖拾拾拾柒柒柒陆陆陆二四六八十"


def start(甲, 乙, 丙, rules="competition"):
    return at("start", rules=rules, event=1, 甲=甲, 乙=乙, 丙=丙)


def test_tianhu():
    """R7.6 天胡: as dealt, with the minimum reached; paid by all, special bonus, 醒."""
    hand = start(TIANHU, "一", "一")
    assert legal(hand)[0] == "甲 胡"
    result = play(hand, "甲 胡", "醒 一").result
    assert result.special is Special.TIANHU
    assert (result.source, result.card, result.payer) == (Source.DEAL, None, None)
    assert (result.hu, result.base, result.bonus) == (12, 1, 1)
    assert (result.xing, result.total, result.deltas) == (3, 5, (10, -5, -5))


def test_tianhu_that_falls_short():
    """R7.6: `hu-too-low` names both numbers, `no-win` where the cards do not form seven groups."""
    hand = start(POOR, "一", "一")
    assert refusal(hand, "甲 胡") == "hu-too-low R7.4"
    assert "只有 0 胡，起胡要 10 胡" in sentence(hand, "甲 胡")[0]
    assert refusal(hand, "乙 胡") == "no-win R7.6"
    assert refusal(start(POOR[1:] + "拾", "一", "一"), "甲 胡") == "no-win R7.6"
    assert refusal(hand, "甲 胡 八") == "syntax notation"


@pytest.mark.parametrize(
    ("held", "special", "hu"),
    [(SANLONG, Special.SANLONG, 36), (WUKAN, Special.WUKAN, 30), (SMALL, Special.WUKAN, 15)],
)
def test_sanlong_and_wukan(held, special, hu):
    """R7.6: no shape and no minimum; 胡 is the sum of the 龙 and 坎."""
    hand = start("一", "一", held)
    result = play(hand, "丙 胡", "醒 壹").result
    assert (result.special, result.hu) == (special, hu)
    assert sum(meld.hu for meld in result.melds) == hu


def test_a_long_is_no_kan_and_both_is_sanlong():
    """R7.6."""
    four_and_one = "捌捌捌玖玖玖拾拾拾柒柒柒陆陆陆陆三五七九"
    assert legal(start("一", four_and_one, "一"), "胡") == []
    both = "捌捌捌捌玖玖玖玖拾拾拾拾一一一二二二三三三四四四五五五"
    result = play(start("六", both, "六"), "乙 胡", "醒 壹").result
    assert (result.special, result.hu) == (Special.SANLONG, 36 + 15)


def test_nearest_at_the_deal():
    """R7.6 `nearest`: only the first in the order can win; who has declined, has."""
    hand = start("一", SMALL, SANLONG)
    assert legal(hand, "胡") == ["乙 胡"]
    assert refusal(hand, "丙 胡") == "out-of-turn R7.6"
    assert sentence(hand, "丙 胡")[0] == "丙 不能胡：起手胡归 乙 (R7.6)"
    play(hand, "甲 打 一")
    assert refusal(hand, "乙 胡") == "syntax notation"


def test_the_dealers_tianhu_goes_before_his_wukan():
    """R7.6: it counts 五坎 in full."""
    both = WUKAN[:15] + "一二三四五六"
    result = play(start(both, "九", "九"), "甲 胡", "醒 壹").result
    assert (result.special, result.hu) == (Special.TIANHU, 33)


LARGEST = "competition;deal_ties=largest-hu"


def test_largest_hu_at_the_deal():
    """R7.6 `largest-hu`: only the largest."""
    assert legal(start("一", SMALL, SANLONG, LARGEST), "胡") == ["丙 胡"]
    assert legal(start(TIANHU, WUKAN, "一", LARGEST), "胡") == ["乙 胡"]
    assert legal(start(TIANHU, WUKAN, "一"), "胡") == ["甲 胡"]


def test_a_shared_win():
    """R7.6, R8.5, R9.3, R9.5: equal ones together, in any order, without 醒."""
    hand = start("一", WUKAN, SAME.translate(str.maketrans("捌玖拾柒陆", "叁肆伍壹贰")), LARGEST)
    assert legal(hand, "胡") == ["乙 胡", "丙 胡"]
    play(hand, "丙 胡")
    assert not hand.over
    assert legal(hand, "胡") == ["乙 胡"]
    assert len(legal(hand, "醒")) == 20
    assert refusal(hand, "丙 胡") == "must-act R8.1"
    assert play(hand.copy(), "醒 一").result.winners == (2,)
    result = play(hand, "乙 胡").result
    assert hand.over
    assert (result.winners, result.hu, result.total) == ((1, 2), 30, 6)
    assert result.deltas == (-12, 6, 6)
    assert (result.next_dealer, result.xing) == (1, 0)
    assert refusal(hand, "醒 一") == "after-end R8.1"


def test_who_writes_no_win_has_declined_with_the_first_xing():
    """R7.6."""
    hand = start("一", WUKAN, SAME.translate(str.maketrans("捌玖拾柒陆", "叁肆伍壹贰")), LARGEST)
    play(hand, "乙 胡", "醒 一")
    assert hand.over
    assert refusal(hand, "丙 胡") == "after-end R8.1"


def test_a_shared_win_where_the_unit_is_hu():
    """R7.6, R8.5: no 醒 is due, so the hand is over with the first; an equal other may follow."""
    hand = start("一", WUKAN, SAME.translate(str.maketrans("捌玖拾柒陆", "叁肆伍壹贰")), "laok")
    play(hand, "乙 胡")
    assert hand.over
    assert hand.result.deltas == (-30, 60, -30)
    assert legal(hand) == ["丙 胡"]
    assert refusal(hand, "甲 胡") == "after-end R8.1"
    result = play(hand, "丙 胡").result
    assert result.deltas == (-60, 30, 30)
    assert legal(hand) == []


def test_wins_at_the_deal_that_must_be():
    """R6 `must_win` `always`, R7.6: all equal ones."""
    always = LARGEST + ";must_win=always"
    hand = start("一", WUKAN, SAME.translate(str.maketrans("捌玖拾柒陆", "叁肆伍壹贰")), always)
    assert legal(hand) == ["乙 胡", "丙 胡"]
    assert refusal(hand, "甲 打 一") == "must-act R7.6"
    assert refusal(hand, "甲 胡") == "priority R7.6"
    play(hand, "乙 胡")
    assert not hand.over
    assert legal(hand) == ["丙 胡"]
    assert refusal(hand, "醒 一") == "must-act R7.6"
    assert play(hand, "丙 胡").over


def test_a_dealer_with_nothing_to_discard():
    """R4.4: the dealer at the start included; declined wins at the deal."""
    hand = at("start", event=1, 甲=WUKAN[:15] + "一一一二二二", wall="九")
    assert [str(e) for e in hand.legal()] == ["甲 胡", "乙 摸 九"]
    assert refusal(hand, "甲 打 一") == "out-of-turn R4"
    assert refusal(hand, "丙 摸 九") == "out-of-turn R4"
    play(hand, "乙 摸 九")
    assert hand.giver == 1


def test_events_of_the_start():
    hand = start("一二", "一", "一")
    assert hand.can(event(hand, "甲 打 一"))
    assert refusal(hand, "甲 过") == "out-of-turn R5.7"
    assert refusal(hand, "乙 摸 九") == "must-act R4.2"
