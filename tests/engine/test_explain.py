"""All groupings for appeals, and the one that comes closest."""

from engine.explain import groupings, nearest
from engine.melds import Source
from engine.waits import waits
from tests.engine.hands import COMPETITION, LOCAL, card, hand, shown, table

OWN, FLIP, DISCARD, DEAL = Source


def test_groupings_list_every_way_best_first():
    """R7.3, R7.4: 碰 二 or 二七十 with 一二三."""
    found = groupings(hand("二二七七十十一三四五六壹贰叁肆伍陆柒捌玖"), (), card("二"), FLIP, LOCAL)
    assert [way.hu for way in found] == [15]
    both = groupings(hand("二二二三四一三四五六壹贰叁肆伍陆柒捌玖"), (), None, DEAL, LOCAL)
    assert both == []


def test_groupings_of_a_pair_and_its_third_differ_by_source():
    """R7.3: 碰 and loose by another's card, 扫 alone by one's own."""
    held = hand("一三三四五五壹壹叁叁肆肆伍伍")
    lying = table("吃 伍陆柒", "吃 贰叁肆", rules=LOCAL)
    by_another = groupings(held, lying, card("肆"), FLIP, LOCAL)
    assert [(way.hu, shown(way.melds)[2]) for way in by_another] == [
        (3, "碰 肆肆肆 3"),
        (0, "搭 一壹壹 0"),
    ]
    assert shown(by_another[1].melds)[4:] == ["搭 四肆肆 0", "搭 五五伍 0", "顺 叁肆伍 0"]
    by_own_flip = groupings(held, lying, card("肆"), OWN, LOCAL)
    assert [(way.hu, shown(way.melds)[2]) for way in by_own_flip] == [(6, "扫 肆肆肆 6")]


def test_groupings_include_the_kan_opened_and_kept():
    """R7.3: 开舵 needs a 将, which is there; the run leaves the 坎."""
    held = hand("四四四一二三五六七壹贰叁肆伍陆八八柒捌玖")
    found = groupings(held, (), card("四"), FLIP, LOCAL)
    assert [shown(way.melds)[0] for way in found] == ["开舵 四四四四 6"]
    kept = hand("四四四一二三五六七壹贰叁五六九十八柒捌玖")
    assert [way.hu for way in groupings(kept, (), card("四"), FLIP, LOCAL)] == [12]


def test_groupings_with_a_pair_try_every_pair():
    found = groupings(
        hand("一一二二三三四四四五五六六"),
        table("扫穿 拾", "吃 七八九"),
        card("六"),
        DISCARD,
        LOCAL,
    )
    assert len({way.melds for way in found}) == len(found)
    assert all(sum(meld.kind == "将" for meld in way.melds) == 1 for way in found)


def test_nearest_names_the_cards_left_over():
    close = nearest(
        hand("一二三四五六七八九壹贰叁肆伍陆柒捌玖贰玖"), (), card("拾"), FLIP, COMPETITION
    )
    assert close.hu == 3 + 6 + 6, "一二三, 壹贰叁, 贰柒拾"
    assert close.left == (card("四"), card("五"), card("捌"))


def test_nearest_of_a_complete_hand_is_complete():
    close = nearest(
        hand("一二三四五六七八九壹贰叁肆伍陆柒捌玖贰柒"), (), card("拾"), FLIP, COMPETITION
    )
    assert (close.hu, close.left) == (15, ())


def test_nearest_takes_the_placement_that_leaves_least():
    """The fourth 四 opens the 坎 and leaves nothing over."""
    held = hand("四四四一二三五六七壹贰叁肆伍陆八八柒捌玖")
    close = nearest(held, (), card("四"), FLIP, LOCAL)
    assert close.left == ()
    assert close.hu == 15


def test_nearest_prefers_a_pair_where_a_quad_is_held():
    close = nearest(hand("五五一二"), table("扫穿 拾"), None, OWN, LOCAL)
    assert shown(close.melds) == ["扫穿 拾拾拾拾 12", "将 五五 0"]
    assert len(close.left) == 2


def test_groupings_never_leave_out_the_pair_of_a_quad():
    """R7.2: a hand complete as it stood (the win was declined) wins by opening its 坎 only."""
    held, lying = hand("二二三四五贰贰贰"), table("扫穿 玖", "吃 叁肆伍", "吃 三四五", "吃 六陆陆")
    found = groupings(held, lying, card("贰"), FLIP, LOCAL)
    assert [shown(way.melds)[4:] for way in found] == [
        ["开舵 贰贰贰贰 9", "顺 三四五 0", "将 二二 0"],
    ]
    assert waits(held, lying, LOCAL) == {card("贰"): (24, 21, 21)}
