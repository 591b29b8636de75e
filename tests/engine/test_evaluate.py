"""R7.1–R7.4: the grouping that counts, and what the winning card makes."""

import pytest

from engine.evaluate import Grouping, best, opening
from engine.melds import Source
from engine.rules import preset
from tests.engine.hands import COMPETITION, LOCAL, card, hand, shown, table

OWN, FLIP, DISCARD, DEAL = Source


def count(cards_in_hand, on_table, winning, source, rules=COMPETITION):
    return best(
        hand(cards_in_hand),
        table(*on_table, rules=rules),
        None if winning is None else card(winning),
        source,
        rules,
    )


def test_best_lists_table_then_locked_then_the_rest():
    """The example of cli.md: 坎 3, 一二三 3, 二七十 3, 碰 1, 扫 6."""
    found = count("四四四捌捌八伍陆一二三", ["碰 九", "吃 二七十", "扫 壹"], "柒", DISCARD)
    assert found.hu == 16
    assert shown(found.melds) == [
        *("碰 九九九 1", "吃 二七十 3", "扫 壹壹壹 6", "坎 四四四 3"),
        *("搭 八捌捌 0", "顺 一二三 3", "顺 伍陆柒 0"),
    ]


def test_hand_without_quad_has_seven_groups_of_three_and_no_pair():
    """R7.2."""
    assert count("一二三四五六七八九壹贰叁肆伍陆柒捌玖贰柒", [], "拾", FLIP).hu == 15
    assert count("一二三四五六七八九壹贰叁肆伍陆柒捌玖拾", [], "拾", FLIP) is None


def test_hand_with_quad_needs_exactly_one_pair():
    """R7.2: six groups and 将."""
    with_pair = count("一二三四五六七八九壹贰叁肆伍陆十", ["扫穿 拾"], "十", DISCARD)
    assert with_pair.hu == 3 + 6 + 12
    assert shown(with_pair.melds)[-1] == "将 十十 0"
    assert count("一二三四五六七八九壹贰叁肆伍陆十", ["扫穿 拾"], "拾", DISCARD) is None


def test_hand_with_quad_cannot_be_complete_without_a_pair():
    """R7.2: 一一二二三三 as two runs would leave no 将."""
    found = count("四五六七八九壹贰叁肆伍陆二三", ["扫穿 拾", "碰 十"], "一", FLIP)
    assert found is None


def test_six_or_eight_groups_are_no_win():
    """R7.1."""
    assert count("一二三四五六七八九壹贰叁肆伍陆柒捌", [], "玖", FLIP) is None
    assert count("一二三四五六七八九壹贰叁肆伍陆柒捌玖贰柒拾一二", [], "三", FLIP) is None


def test_kan_and_long_are_never_split():
    """R2.3: 三三三 stays a 坎 though 一二三 would count more."""
    found = count("三三三一二四五六七八九壹贰叁肆伍陆柒捌玖", [], "三", OWN)
    assert found is None, "the own flip is forced into 扫穿 (R5.5)"
    assert count("三三三一二四五六七八九壹贰叁肆伍陆柒捌玖", [], "三", FLIP).hu == 3 + 3 + 6


@pytest.mark.parametrize(
    ("rules", "source", "made"),
    [
        (COMPETITION, DISCARD, "碰 二二二 3"),
        (LOCAL, DISCARD, "碰 二二二 1"),
        (COMPETITION, FLIP, "碰 二二二 3"),
        (COMPETITION, OWN, "扫 二二二 3"),
    ],
)
def test_third_of_a_pair_is_peng_by_anothers_card_and_sao_by_own_flip(rules, source, made):
    """R7.3."""
    found = count("二二四五六七八九壹贰叁肆伍陆柒捌玖贰柒拾", [], "二", source, rules)
    assert made in shown(found.melds)
    assert found.completed_by(card("二"), ()) == found.melds.index(
        next(meld for meld in found.melds if f"{meld} {meld.hu}" == made)
    )


def test_pair_and_winning_card_may_go_apart_where_that_counts_more():
    """R7.3, R7.4: 二七十 twice and 一二三 beat 碰 二."""
    written = "二二七七十十一三四五六壹贰叁肆伍陆柒捌玖"
    assert count(written, [], "二", FLIP, LOCAL).hu == 3 + 3 + 3 + 6
    assert count(written, [], "二", OWN, LOCAL) is None, "R5.4 comes first: 扫 二, rest incomplete"


def test_fourth_to_a_kan_opens_by_anothers_card():
    """R7.3, R5.6 (a): 开舵 6 and a 将."""
    found = count("四四四一二三五六七壹贰叁肆伍陆拾拾柒捌玖", [], "四", DISCARD)
    assert found.hu == 6 + 3 + 6
    assert "开舵 四四四四 6" in shown(found.melds)


def test_fourth_to_a_kan_may_go_into_a_run_and_leave_the_kan_its_value():
    """R7.3: the 坎 stays 6."""
    found = count("肆肆肆一二三五六七壹贰叁伍陆八九十柒捌玖", [], "肆", DISCARD)
    assert found.hu == 6 + 3 + 6
    assert "坎 肆肆肆 6" in shown(found.melds)
    assert shown(found.melds)[found.completed_by(card("肆"), ())] == "顺 肆伍陆 0"


def test_fourth_to_a_kan_by_own_flip_is_forced_into_saochuan():
    """R7.3, R5.5."""
    found = count("四四四一二三五六七壹贰叁肆伍陆拾拾柒捌玖", [], "四", OWN)
    assert found.hu == 9 + 3 + 6
    assert "扫穿 四四四四 9" in shown(found.melds)


@pytest.mark.parametrize(
    ("lying", "source", "rules", "made"),
    [
        ("扫 拾", OWN, COMPETITION, "扫穿"),
        ("过扫 拾", OWN, COMPETITION, "扫穿"),
        ("扫 拾", FLIP, COMPETITION, "开舵"),
        ("过扫 拾", DISCARD, COMPETITION, None),
        ("扫 拾", DISCARD, LOCAL, "开舵"),
        ("碰 拾", OWN, COMPETITION, "开舵"),
        ("碰 拾", FLIP, COMPETITION, None),
        ("碰 拾", FLIP, LOCAL, "开舵"),
        ("碰 拾", DISCARD, LOCAL, None),
        ("碰 玖", FLIP, LOCAL, None),
        ("吃 捌玖拾", OWN, LOCAL, None),
    ],
)
def test_fourth_to_a_meld_on_the_table_opens_as_the_options_say(lying, source, rules, made):
    """R5.5, R5.6 (b), (c) with `sao_opens_on` and `peng_opens_on`."""
    change = opening(0, table(lying, rules=rules), card("拾"), source, rules)
    assert (change and str(change[1].kind)) == made


def test_win_on_the_fourth_to_a_table_meld_counts_as_the_quad():
    """R7.3."""
    found = count("一二三四五六七八九壹贰叁肆肆柒捌玖", ["碰 拾"], "拾", OWN)
    assert found.hu == 9 + 3 + 6
    assert shown(found.melds)[0] == "开舵 拾拾拾拾 9"
    assert found.completed_by(card("拾"), table("碰 拾")) == 0


def test_fourth_to_a_table_meld_may_go_into_a_run_where_nothing_is_forced():
    """R7.3: 碰 stays, the fourth 拾 makes 贰柒拾."""
    found = count("一二三四五六七八九壹贰叁肆伍陆贰柒", ["碰 拾"], "拾", FLIP)
    assert found.hu == 3 + 6 + 6 + 6
    assert found.completed_by(card("拾"), table("碰 拾")) == 6


def test_hand_complete_as_it_stands_needs_no_card():
    """R7.5, R7.6: after 扫 and at the deal."""
    dealt = "一二三四五六七八九壹贰叁肆伍陆柒捌玖贰柒拾"
    assert count(dealt, [], None, DEAL).hu == 15
    after_sao = count("一二三四五六七八九壹贰叁肆伍陆柒捌玖", ["扫 拾"], None, OWN)
    assert after_sao.hu == 15


def test_most_hu_counts_of_all_groupings():
    """R7.4: 一二三 and 四五六, not 二三四 …"""
    found = count("一二三四五六壹贰叁肆伍陆柒捌玖", ["吃 七八九", "吃 二二贰"], None, OWN)
    assert found.hu == 3 + 6
    assert found == Grouping(found.hu, found.melds)


def test_two_quads_hold_one_card_more():
    """R7.2, R4.3: 22 cards, one pair all the same."""
    found = count("一二三四五六七八九壹贰叁十", ["扫穿 拾", "开舵 玖"], "十", FLIP)
    assert found.hu == 12 + 9 + 3 + 6


def test_pair_may_be_small_or_big_whichever_leaves_more():
    """R7.4: 将 is 捌捌, so that 一二三 stands twice."""
    found = count("一一二二三三四五六七八九捌捌", ["扫穿 拾", "吃 陆柒捌"], None, OWN)
    assert found.hu == 12 + 3 + 3
    assert shown(found.melds)[-1] == "将 捌捌 0"


def test_completed_by_refuses_a_card_that_completed_nothing():
    found = count("一二三四五六七八九壹贰叁肆伍陆柒捌玖贰柒", [], "拾", FLIP)
    with pytest.raises(ValueError, match="completes none"):
        found.completed_by(card("十"), ())


def test_evaluation_is_the_same_for_the_same_cards():
    """Equal groupings break ties always the same way."""
    arguments = ("二二三三四四五五六六七七八八九九壹贰叁陆", [], "陆", FLIP, preset("laok"))
    assert len({count(*arguments) for _ in range(5)}) == 1
