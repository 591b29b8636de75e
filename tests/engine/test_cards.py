"""R1: the cards, packed hands, and how people write them."""

import pytest

from engine import cards
from engine.errors import CODES, ZipaiError


def test_deck_has_eighty_cards_four_of_each_of_twenty():
    assert (cards.KINDS, cards.COPIES, cards.DECK) == (20, 4, 80)
    assert cards.NAMES == "一二三四五六七八九十壹贰叁肆伍陆柒捌玖拾"


def test_red_cards_are_two_seven_ten_of_both_sizes():
    assert cards.text(sorted(cards.RED)) == "二七十贰柒拾"


def test_rank_and_size_of_a_card():
    assert [cards.rank(c) for c in (0, 9, 10, 19)] == [1, 10, 1, 10]
    assert [cards.is_big(c) for c in (9, 10)] == [False, True]
    assert [cards.other_size(c) for c in (0, 9, 10, 19)] == [10, 19, 0, 9]


def test_packed_hand_counts_and_unpacks_in_order():
    packed = cards.pack([19, 0, 0, 9, 0, 0])
    assert cards.text(cards.unpack(packed)) == "一一一一十拾"
    assert [cards.count(packed, c) for c in (0, 1, 9, 19)] == [4, 0, 1, 1]
    assert cards.size(packed) == 6
    assert packed % 3 == 6 % 3


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("二七十", "二七十"),
        ("s2+s7+s10", "二七十"),
        ("b1 + B2+b3", "壹贰叁"),
        ("s1 b10", "一拾"),
        ("ｓ７＋ｂ７", "七柒"),
        (" 貳弐參叄陸壱 ", "贰贰叁叁陆壹"),
        ("四四s10b1s2", "四四十壹二"),
        ("", ""),
    ],
)
def test_cards_are_read_in_every_spelling(written, read):
    assert cards.text(cards.parse_many(written)) == read


@pytest.mark.parametrize(
    ("sign", "meant"),
    [("—", "一"), ("ー", "一"), ("ニ", "二"), ("ハ", "八"), ("〇", "十"), ("+", "十")],
)
def test_look_alike_is_an_error_with_a_hint(sign, meant):
    with pytest.raises(ZipaiError) as caught:
        cards.parse(sign)
    assert (caught.value.code, caught.value.rule) == ("unknown-card", "R1")
    assert caught.value.zh == f"“{sign}”不是字牌，是不是“{meant}”？"
    assert caught.value.en == f"“{sign}” is no card; did you mean {meant}?"


@pytest.mark.parametrize("written", ["⼀", "㈠", "s11", "四s", "四0"])
def test_signs_that_only_look_or_sound_like_a_card_are_none(written):
    with pytest.raises(ZipaiError) as caught:
        cards.parse_many(written)
    assert caught.value.code == "unknown-card"


def test_any_other_sign_is_an_error_without_a_hint():
    with pytest.raises(ZipaiError) as caught:
        cards.parse("王")
    assert caught.value.zh == "“王”不是字牌"
    assert caught.value.en == "“王” is no card"


def test_an_error_survives_pickling_between_processes():
    import pickle

    error = pickle.loads(pickle.dumps(ZipaiError("deck", "R1", "牌", "cards")))
    assert (error.code, error.rule, error.zh, error.en) == ("deck", "R1", "牌", "cards")
    assert str(error) == "deck (R1): cards"
    assert len(set(CODES)) == len(CODES) == 25
