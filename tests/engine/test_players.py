"""Players: one who does anything legal, one who plays with some sense."""

import random
from collections import Counter

import pytest

from engine.cards import pack, parse
from engine.play import Hand
from engine.players import links, random_player, sensible_player
from engine.rules import PRESETS
from engine.simulate import play_hand
from engine.stray import stray
from tests.engine.positions import at, legal, play


def chosen(hand, seed=1):
    return str(sensible_player(hand, hand.legal(), random.Random(seed)))


def test_the_random_player_takes_every_legal_event_alike():
    hand = at("discard", turn="乙", 乙="一二三四")
    rng = random.Random(7)
    counts = Counter(str(random_player(hand, hand.legal(), rng)) for _ in range(4000))
    assert set(counts) == set(legal(hand))
    assert min(counts.values()) > 900


def test_the_sensible_player_wins_opens_and_keeps():
    twelve = "七九一二三|碰贰贰贰,碰叁叁叁,碰肆肆肆,吃伍陆柒,吃伍陆柒"
    assert chosen(at(open="八甲摸@8", 乙=twelve)) == "乙 胡 八"
    assert chosen(at(open="八甲摸@8", 丙="八八八一")) == "丙 开舵 八"
    waiting = "四四四四五五五五七九一二三六六|吃贰叁肆,吃贰叁肆|||||留"
    assert chosen(at("discard", turn="乙", 乙=waiting)) == "乙 留"


def test_the_sensible_player_discards_what_lets_most_winning_cards_come():
    """Without 九 the rest waits for 五 and 八; without 六 or 七 it waits for one card."""
    ready = "六七九一二三|碰贰贰贰,碰叁叁叁,碰肆肆肆,吃伍陆柒,吃伍陆柒"
    assert chosen(at("discard", turn="乙", 乙=ready)) == "乙 打 九"
    stray_one = at("discard", turn="乙", 乙="一二三伍陆柒九捌玖拾|碰四四四,碰叁叁叁,碰肆肆肆")
    assert chosen(stray_one) == "乙 打 九"


def test_the_sensible_player_claims_what_helps():
    helps = at(open="八甲打@8", 乙="七九一二三壹|碰贰贰贰,碰叁叁叁,碰肆肆肆,吃伍陆柒")
    assert chosen(helps) == "乙 吃 八 七九"
    table = "碰贰贰贰,碰叁叁叁,碰肆肆肆,吃伍陆柒"
    idle = at(open="七甲打@8", 乙="一二三四五六捌玖|" + table, wall="拾")
    assert chosen(idle) == "乙 摸 拾"
    pair = at(open="八甲打@8", 丙="八八一二三壹|碰贰贰贰,碰叁叁叁,碰肆肆肆,吃伍陆柒")
    assert chosen(pair) == "丙 碰 八"
    both = at(open="八甲打@8", 乙="七九一二三壹", 丙="八八一二三壹")
    assert chosen(both) == "丙 碰 八"
    passing = at(open="八甲打@8", 乙="七九一二三壹", 丙="八八七七六六九九四", wall="拾")
    assert chosen(passing) in ("乙 吃 八 七九", "丙 碰 八")


def test_the_sensible_player_flips_and_turns():
    assert chosen(at(open="八甲打@8", wall="拾")) == "乙 摸 拾"
    twelve = "七九一二三|碰贰贰贰,碰叁叁叁,碰肆肆肆,吃伍陆柒,吃伍陆柒"
    won = play(at(open="八甲打@8", 乙=twelve), "乙 胡 八")
    assert chosen(won).startswith("醒 ")


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        ("一二三", 0),
        ("二七十", 0),
        ("贰柒拾", 0),
        ("一一壹", 0),
        ("壹壹一", 0),
        ("一一", 2),
        ("九十一", 3),
        ("九十壹贰", 4),
        ("一二叁", 3),
        ("一二三五五伍陆", 1),
    ],
)
def test_stray_cards_lie_in_no_group(held, expected):
    assert stray(pack(map(parse, held))) == expected


@pytest.mark.parametrize(("held", "expected"), [("一三", 0), ("一二", 1), ("一壹", 1), ("一一", 2)])
def test_links_are_half_made_groups(held, expected):
    assert links(pack(map(parse, held))) == expected


@pytest.mark.parametrize("name", PRESETS)
def test_the_sensible_player_wins_more_often_than_the_random_one(name):
    rules = PRESETS[name]

    def won(player):
        hands = [play_hand(rules, random.Random(seed), player) for seed in range(25)]
        return sum(bool(hand.result.winners) for hand in hands)

    assert won(sensible_player) >= 15 > won(random_player)


def test_the_sensible_player_uses_nothing_hidden():
    """The same choice whatever the others hold and the wall is."""
    hand = at("discard", turn="乙", 乙="一二三伍陆柒九捌玖拾", 甲="七八", 丙="八八", wall="八")
    other = at("discard", turn="乙", 乙="一二三伍陆柒九捌玖拾", 甲="壹壹", 丙="拾拾", wall="九")
    assert chosen(hand) == chosen(other)
    assert isinstance(hand, Hand)
