"""R8 and R9: hands settled on paper. The arithmetic stands in each row."""

import pytest

from engine.events import Special
from engine.rules import Rules, preset
from engine.settle import (
    Award,
    award,
    base_points,
    count_xing,
    counting_cards,
    next_dealer,
    pay,
    playing_seats,
    turns_again,
)
from tests.engine.hands import card, hand

TIANHU, DIHU, SANLONG, WUKAN = Special


def rules(**options) -> Rules:
    return preset("competition").with_options(options)


@pytest.mark.parametrize(
    ("options", "hu", "xing", "own_flip", "special", "worked"),
    [
        # competition: min 10, step 5, own flip +1, special +1
        ({}, 10, 0, False, None, Award(1, 0, 1, 1)),  # 10: 1 舵
        ({}, 14, 0, False, None, Award(1, 0, 1, 1)),  # 10–14: 1
        ({}, 15, 0, False, None, Award(2, 0, 1, 2)),  # 15–19: 2
        ({}, 24, 2, True, None, Award(3, 1, 1, 6)),  # 3 + 2 醒 + 1 自摸
        ({}, 16, 1, False, DIHU, Award(2, 1, 1, 4)),  # 2 + 1 + 1 地胡
        ({}, 20, 1, False, TIANHU, Award(3, 1, 1, 5)),  # 3 + 1 + 1 天胡, no own-flip bonus
        ({"duo_step": 3}, 15, 0, False, None, Award(2, 0, 1, 2)),  # 10–12 1, 13–15 2
        ({"duo_step": 3}, 16, 3, True, None, Award(3, 1, 1, 7)),  # 3 + 3 + 1
        ({"min_hu": 15}, 19, 0, True, None, Award(1, 1, 1, 2)),  # 15–19: 1, + 1
        ({"min_hu": 20}, 31, 0, False, None, Award(3, 0, 1, 3)),  # 20–24 1, 25–29 2, 30–34 3
        ({"min_hu": 25}, 30, 0, False, None, Award(2, 0, 1, 2)),
        ({"min_hu": 30}, 27, 0, False, SANLONG, Award(1, 1, 1, 2)),  # below the minimum: 1, + 1
        ({"own_flip_bonus": "none"}, 17, 4, True, None, Award(2, 0, 1, 6)),  # 2 + 4
        ({"own_flip_bonus": "x2"}, 17, 1, True, None, Award(2, 0, 2, 6)),  # (2 + 1) × 2
        ({"own_flip_bonus": "x2"}, 17, 1, False, None, Award(2, 0, 1, 3)),  # not by own flip
        ({"special_bonus": "none"}, 17, 1, True, WUKAN, Award(2, 0, 1, 3)),  # no own-flip bonus
        ({"special_bonus": "x2"}, 17, 1, True, WUKAN, Award(2, 0, 2, 6)),  # (2 + 1) × 2
        ({"unit": "hu"}, 27, 0, True, SANLONG, Award(27, 0, 1, 27)),  # 27 胡, no bonus
        ({"unit": "hu", "own_flip_bonus": "x2"}, 12, 0, True, None, Award(12, 0, 1, 12)),
    ],
)
def test_award_by_every_option(options, hu, xing, own_flip, special, worked):
    """R9.1, R9.2."""
    assert award(hu, xing, own_flip=own_flip, special=special, rules=rules(**options)) == worked


def test_base_is_at_least_one_duo():
    """R9.1: 五坎 of 15 where 30 is the minimum."""
    assert base_points(15, rules(min_hu=30)) == 1


@pytest.mark.parametrize(
    ("options", "turned", "counting"),
    [
        ({}, "七", "六八"),
        ({"xing": "shang"}, "七", "六"),
        ({"xing": "xia"}, "柒", "捌"),
        ({"xing": "zhong"}, "七", "七"),
        ({"xing": "shang, zhong, xia"}, "七", "六七八"),
        ({"xing": ""}, "七", ""),
        ({}, "一", "十二"),
        ({}, "拾", "玖壹"),
        ({"xing_wrap": False}, "一", "二"),
        ({"xing_wrap": False}, "拾", "玖"),
    ],
)
def test_counting_cards_by_option(options, turned, counting):
    """R8.1."""
    found = counting_cards(card(turned), rules(**options))
    assert found == tuple(card(c) for c in counting)


def test_every_card_of_the_winner_that_counts_is_one_xing():
    """R8.2: 六六六 and 八."""
    assert count_xing([card("七")], hand("六六六八柒陆捌一"), rules()) == 4


def test_xing_turns_again_only_for_four_of_a_neighbour():
    """R8.3."""
    on = rules(xing_repeat="on", xing="shang, zhong, xia")
    assert turns_again(card("七"), hand("八八八八"), on)
    assert turns_again(card("七"), hand("六六六六"), on)
    assert not turns_again(card("七"), hand("六六六八八八七七七"), on)
    assert not turns_again(card("七"), hand("八八八八"), rules())
    assert not turns_again(card("七"), hand("八八八八"), rules(xing_repeat="on", xing="shang"))


def test_repeated_xing_add_up():
    """R8.3: 七 counts 八八八八, then 一 counts 二."""
    assert count_xing([card("七"), card("一")], hand("八八八八二"), rules()) == 5


@pytest.mark.parametrize(
    ("playing", "winners", "payer", "deltas"),
    [
        ((0, 1, 2), (0,), None, (6, -3, -3)),  # a flip or the deal: everybody pays
        ((0, 1, 2), (0,), 1, (6, -6, 0)),  # 点炮: alone for both
        ((0, 1), (1,), None, (-3, 3)),
        ((0, 1), (1,), 0, (-3, 3)),
        ((0, 2, 3), (3,), None, (-3, 0, -3, 6)),  # 乙 sits out
        ((0, 2, 3), (3,), 2, (0, 0, -6, 6)),
        ((0, 1, 2), (1, 2), None, (-6, 3, 3)),  # shared: the loser pays each
        ((0, 1, 2), (0, 1, 2), None, (0, 0, 0)),  # all three share
        ((0, 1, 2), (), None, (0, 0, 0)),  # 荒庄
    ],
)
def test_losers_pay_and_deltas_sum_to_zero(playing, winners, payer, deltas):
    """R9.3, R9.4; three 舵 each."""
    seats = len(deltas)
    assert pay(3, seats=seats, playing=playing, winners=winners, payer=payer) == deltas
    assert sum(deltas) == 0


def test_winner_deals_next():
    """R9.5; shared: the first winner in playing order."""
    assert next_dealer(0, (2,), seats=3, rules=rules()) == 2
    assert next_dealer(1, (2, 0), seats=3, rules=rules()) == 2


def test_after_a_draw_the_option_says_who_deals():
    """R9.5, `draw_dealer`: also a seat that sat out."""
    assert next_dealer(2, (), seats=3, rules=rules(draw_dealer="same")) == 2
    assert next_dealer(2, (), seats=3, rules=rules(draw_dealer="next")) == 0
    assert next_dealer(1, (), seats=4, rules=rules(draw_dealer="next")) == 2


def test_of_four_the_seat_opposite_the_dealer_sits_out():
    """R2.2."""
    assert [playing_seats(4, dealer) for dealer in range(4)] == [
        *((0, 1, 3), (0, 1, 2), (1, 2, 3), (0, 2, 3)),
    ]
    assert playing_seats(3, 1) == (0, 1, 2)
    assert playing_seats(2, 1) == (0, 1)
