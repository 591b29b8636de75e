"""What a seat sees of a hand: its own cards and what lies openly, and nothing that tells more."""

import random
from dataclasses import fields, replace

import pytest

from engine.cards import parse, size, text, unpack
from engine.play import Hand
from engine.players import random_player
from engine.rules import PRESETS
from engine.simulate import play_hand
from engine.views import View
from tests.engine.positions import at, play


def named(written):
    return tuple(map(parse, written))


def options(hand, seat):
    return [str(event) for event in hand.view("甲乙丙丁".index(seat)).options]


def test_what_is_seen():
    hand = at(
        open="八甲摸@8",
        event=9,
        甲="七九一|扫三三三|五六|八@3|九@4|拾@5,玖@6|留",
        乙="二二|吃四五六,开舵壹壹壹壹|||肆@2|伍@1|",
        丙="捌捌|扫穿贰贰贰贰",
        wall="叁",
        shown="一",
    )
    view = hand.view(0)
    assert view.hand == named("一七九")
    assert view.sizes == (3, 2, 2)
    assert [[str(m) for m in table] for table in view.tables] == [
        ["扫 三三三"],
        ["吃 四五六", "开舵 壹壹壹壹"],
        ["扫穿 贰贰贰贰"],
    ]
    assert view.piles == (named("五六"), (), ())
    assert view.thrown == (named("玖拾"), named("伍"), ())
    assert (view.passed_chi, view.passed_peng) == (named("八"), named("九"))
    assert view.may_keep
    assert view.wall_left == 80 - 3 - 3 - 2 - 2 - 7 - 2 - 4 - 1
    assert view.open == (parse("八"), 0, True)
    assert (view.dealer, view.shown, view.turn) == (0, 0, 0)
    other = hand.view(1)
    assert (other.passed_chi, other.passed_peng) == ((), named("肆"))
    assert not other.may_keep


def test_a_view_is_frozen():
    view = at(open="八甲打@8").view(0)
    with pytest.raises(AttributeError):
        view.hand = ()
    assert hash(view) == hash(at(open="八甲打@8").view(0))


def test_anothers_compulsory_claim_is_not_seen():
    """丙 must open and may win; 乙 sees only his own 吃."""
    hand = at(open="八甲打@8", 乙="七九一", 丙="八八八一")
    plain = at(open="八甲打@8", 乙="七九一", 丙="二二三一")
    assert [str(e) for e in hand.legal()] == ["丙 开舵 八"]
    assert options(hand, "乙") == ["乙 吃 八 七九", "乙 过", "乙 摸"]
    assert hand.view(1) == plain.view(1)
    assert options(hand, "丙") == ["丙 开舵 八"]
    assert options(hand, "甲") == []


def test_anothers_letting_pass_is_not_seen():
    """R5.7: what another has let pass tells what he holds; so does his 过."""
    rich = play(at(open="八甲打@8", 乙="七九一", 丙="二二三"), "乙 过", "乙 摸 玖", "丙 摸 五")
    poor = play(at(open="八甲打@8", 乙="一二三", 丙="二二三"), "乙 摸 玖", "丙 摸 五")
    assert rich.passed_chi[1]
    for seat in (0, 2):
        assert rich.view(seat) == poor.view(seat)
    assert rich.view(1) != poor.view(1)
    assert [str(e) for e in rich.view(1).events] == ["乙 过", "乙 摸 玖", "丙 摸 五"]


def test_the_next_card_is_not_seen():
    known = at(open="八甲打@8", 乙="一二三", wall="玖拾")
    assert options(known, "乙") == ["乙 摸"]
    assert known.view(1) == at(open="八甲打@8", 乙="一二三").view(1)


def test_anothers_win_at_the_deal_is_not_seen():
    """R7.6: 乙 may think he can win, though 甲's 天胡 goes before."""
    kans = "捌捌捌玖玖玖拾拾拾柒柒柒陆陆陆一三五七九"
    tianhu = "一二三壹贰叁二七十四五六肆伍陆七八九捌玖拾"
    hand = at("start", event=1, 甲=tianhu, 乙=kans, 丙="一")
    assert options(hand, "乙") == ["乙 胡"]
    assert options(hand, "丙") == []
    assert options(hand, "甲")[:2] == ["甲 胡", "甲 打 一"]
    always = at("start", event=1, rules="guangxi-app", 甲=tianhu, 乙=kans, 丙="一")
    assert options(always, "甲") == ["甲 胡"]
    assert options(always, "乙") == ["乙 胡"]


def test_an_equal_win_at_the_deal_is_known_once_the_first_is_declared():
    """R7.6 `largest-hu`: no other seat sees that one is missing."""
    kans = "捌捌捌玖玖玖拾拾拾柒柒柒陆陆陆一三五七九"
    same = "叁叁叁肆肆肆伍伍伍壹壹壹贰贰贰二四六八十"
    for rules in ("laok", "laok;must_win=always", "competition;deal_ties=largest-hu"):
        hand = at("start", rules=rules, event=1, 甲="一", 乙=kans, 丙=same)
        alone = at("start", rules=rules, event=1, 甲="一", 乙=kans, 丙=same[:-6] + "一二四六八十")
        play(hand, "乙 胡")
        play(alone, "乙 胡")
        assert options(hand, "丙") == ["丙 胡"]
        assert options(alone, "丙") == []
        assert options(hand, "乙") == []
        assert hand.view(0) == alone.view(0)
    nearest = play(at("start", event=1, 甲="一", 乙=kans, 丙=same), "乙 胡")
    assert options(nearest, "丙") == []
    turned = play(at("start", rules=rules, event=1, 甲="一", 乙=kans, 丙=same), "乙 胡", "醒 一")
    assert options(turned, "丙") == []


def test_own_options_on_an_open_card():
    twelve = "七九一二三|碰贰贰贰,碰叁叁叁,碰肆肆肆,吃伍陆柒,吃伍陆柒"
    never = at(rules="competition;must_win=never", open="八甲打@8", 乙=twelve, 丙="八八一")
    assert options(never, "乙") == ["乙 胡 八", "乙 吃 八 七九", "乙 过", "乙 摸"]
    assert options(never, "丙") == ["丙 碰 八", "丙 过"]
    play(never, "乙 过", "丙 过")
    assert options(never, "乙") == ["乙 摸"]
    assert options(never, "丙") == []
    must = at(open="八甲打@8", 乙=twelve)
    assert options(must, "乙") == ["乙 胡 八"]
    flipped = at(rules="guangxi-app", open="八甲摸@8", 乙=twelve)
    assert options(flipped, "乙") == ["乙 胡 八"]
    sao = at(open="八甲摸@8", 甲="八八一")
    assert options(sao, "甲") == ["甲 扫 八"]


def test_own_options_between_cards():
    bare = "八八一二三|碰贰贰贰,碰叁叁叁,碰肆肆肆,吃伍陆柒,吃伍陆柒"
    hand = play(at(open="八乙摸@8", 乙=bare), "乙 扫 八")
    assert options(hand, "乙") == ["乙 胡", "乙 打 一", "乙 打 二", "乙 打 三"]
    assert options(hand, "丙") == []
    two = "八八八玖玖|开舵柒柒柒柒,碰贰贰贰,碰叁叁叁,吃四五六,吃四五六"
    second = play(at(open="八乙摸@8", 乙=two), "乙 扫穿 八")
    assert options(second, "乙") == ["乙 胡"]
    assert options(second, "丙") == ["丙 摸"]
    assert options(play(second, "乙 胡"), "丙") == []


def test_the_last_flip():
    """R4.6: with no wall left it is 荒."""
    pile = "".join(c * 4 for c in "一二三四五六七九十壹贰叁肆伍陆柒捌玖拾") + "八八八"
    assert options(at(open="八甲打@8", 甲=f"||{pile}"), "乙") == ["荒"]


def test_who_sits_out_sees_no_hand_and_has_no_options():
    """R2.2."""
    hand = at(rules="competition;seats=4", open="八甲打@8", 乙="八八一")
    view = hand.view(2)
    assert (view.hand, view.options) == ((), ())


def dealt_anew(hand, seat):
    """The same hand with every card that `seat` cannot see exchanged, and with nothing known of
    what the others let pass or may keep."""
    others = [s for s in hand.playing if s != seat]
    pool = [c for s in others for c in unpack(hand.hands[s])] + list(hand.wall[hand.drawn :])
    random.Random(len(hand.events)).shuffle(pool)
    words = dict(word.split("=", 1) for word in hand.position().split()[1:])
    for s in others:
        count = size(hand.hands[s])
        _, table, pile, _, _, thrown, _ = words["甲乙丙丁"[s]].split("|")
        words["甲乙丙丁"[s]] = f"{text(sorted(pool[:count]))}|{table}|{pile}|||{thrown}|"
        del pool[:count]
    words["wall"] = text(pool)
    return Hand.from_position("zp1 " + " ".join(f"{k}={v}" for k, v in words.items() if v))


@pytest.mark.parametrize("name", PRESETS)
def test_a_view_is_the_same_whatever_the_hidden_cards_are(name):
    """In every state of random hands, with all hidden cards dealt anew, a seat sees the same."""
    rules = PRESETS[name]
    for seed in range(2):
        whole = play_hand(rules, random.Random(seed), random_player)
        deal = {seat: whole.deal[seat] for seat in whole.playing}
        hand = Hand(rules, whole.dealer, deal, whole.wall)
        for event in whole.events:
            if hand.winners:
                break
            for seat in hand.playing:
                seen = hand.view(seat)
                other = dealt_anew(hand, seat)
                assert replace(other.view(seat), events=seen.events) == seen
            hand.do(event)


def test_every_field_of_a_view_is_known_to_these_tests():
    """A new field must be thought about."""
    assert len(fields(View)) == 22
