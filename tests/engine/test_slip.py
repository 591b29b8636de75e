"""`score`: slips and result lines, checked and settled (R2, R7–R9, C6.1, cli.md)."""

import json
import random
from dataclasses import replace

import pytest

from engine import cards
from engine.errors import CODES, ZipaiError
from engine.melds import Source
from engine.slip import SlipError, score, short_of_win
from engine.slip_json import read_slip, read_waiting
from tests.engine.hands import COMPETITION, hand, table

EXAMPLE = {
    "rules": "competition",
    "options": {},
    "hand": "四四四捌捌八伍陆一二三",
    "table": ["碰 九", "吃 二七十", "扫 壹"],
    "card": "柒",
    "source": "discard",
    "special": None,
    "xing": "七",
    "last_card": False,
    "seats": ["甲", "乙", "丙"],
    "winner": "甲",
    "payer": "乙",
}
LINE = {"rules": "competition", "hu": 16, "xing_count": 1, "source": "own-flip"}
DEALT = "一二三四五六七八九壹贰叁肆伍陆柒捌玖贰柒拾"


def scored(**changes):
    return score(read_slip({**EXAMPLE, **changes}))


def fault(**changes):
    with pytest.raises(ZipaiError) as caught:
        scored(**changes)
    return caught.value


def line(**changes):
    return score(read_slip({**LINE, **changes}))


def line_fault(**changes):
    with pytest.raises(ZipaiError) as caught:
        line(**changes)
    return caught.value.code, caught.value.rule


def test_example_of_cli_md_scores_as_it_says():
    """胡 16, base 2, 醒 1 (下醒 八), total 3, 甲 +6, 乙 −6, 丙 0."""
    found = scored()
    assert (found.hu, found.base, found.xing, found.total) == (16, 2, 1, 3)
    assert found.deltas == (6, -6, 0)
    assert found.as_json() == {
        "status": "win",
        "hu": 16,
        "melds": [
            {"kind": "碰", "cards": "九九九", "hu": 1},
            {"kind": "吃", "cards": "二七十", "hu": 3},
            {"kind": "扫", "cards": "壹壹壹", "hu": 6},
            {"kind": "坎", "cards": "四四四", "hu": 3},
            {"kind": "搭", "cards": "八捌捌", "hu": 0},
            {"kind": "顺", "cards": "一二三", "hu": 3},
            {"kind": "顺", "cards": "伍陆柒", "hu": 0},
        ],
        "base": 2,
        "xing_cards": "七",
        "xing": 1,
        "bonus": 0,
        "times": 1,
        "total": 3,
        "deltas": [6, -6, 0],
    }


def test_result_line_example_settles_without_cards():
    found = line(seats=["甲", "乙", "丙"], winner="丙")
    assert found.as_json() == {
        **{"status": "win", "hu": 16, "base": 2, "xing": 1, "bonus": 1, "times": 1, "total": 4},
        **{"deltas": [-4, -4, 8], "cards": False},
    }


def test_seats_are_optional():
    found = scored(seats=None, winner=None, payer=None)
    assert found.deltas is None
    assert "deltas" not in found.as_json()


def test_hand_that_is_incomplete_names_what_is_left_over():
    """R7.1."""
    error = fault(card="拾")
    assert (error.code, error.rule) == ("no-win", "R7.1")
    assert error.zh == "配不成七方门子，多出 伍陆拾"
    assert isinstance(error, SlipError)
    assert error.nearest.hu == 16


def test_hand_below_the_minimum_gives_both_numbers():
    """R7.4."""
    error = fault(options={"min_hu": 20})
    assert (error.code, error.rule) == ("hu-too-low", "R7.4")
    assert error.zh == "16 胡，起胡 20"
    assert error.nearest.hu == 16
    assert error.nearest.left == ()


def test_quad_without_a_pair_is_no_win():
    """R7.2."""
    error = fault(
        hand="一二三四五六七八九壹贰叁肆伍陆柒捌", table=["扫穿 拾"], card="玖", xing="七"
    )
    assert error.code == "deal-count"
    error = fault(hand="一二三四五六七八九壹贰叁", table=["扫穿 拾", "碰 十", "扫 柒"], card="四")
    assert error.code == "deal-count"
    error = fault(hand="一二三四五六七八九壹贰叁玖", table=["扫穿 拾", "碰 十"], card="四")
    assert (error.code, error.rule) == ("no-win", "R7.1")


def test_complete_groups_that_are_too_few_or_lack_a_pair_say_so():
    """R7.1, R7.2: no card is left over, and still it is no win."""
    few = short_of_win(hand("一二三"), (), None, Source.DEAL, COMPETITION)
    assert (few.code, few.rule, few.zh) == ("no-win", "R7.1", "只有 1 方门子，要七方")
    quad = short_of_win(hand("一二三"), table("扫穿 拾"), None, Source.OWN_FLIP, COMPETITION)
    assert (quad.code, quad.rule) == ("no-win", "R7.2")
    assert quad.zh == "只有 2 方门子，有四张的还要一对将"


@pytest.mark.parametrize(
    ("changes", "code", "rule"),
    [
        ({"hand": "四四四捌捌八伍陆一二三三"}, "deal-count", "R2.1"),
        ({"hand": "四四四捌捌八伍陆一二"}, "deal-count", "R2.1"),
        ({"table": ["碰 九", "扫 壹", "扫 四"]}, "deck", "R1"),
        ({"xing": "九九"}, "deck", "R1"),
        ({"hand": "四四四捌捌八伍陆九二三"}, "locked", "R2.3"),
        ({"table": ["碰 九", "吃 三四五", "扫 壹"]}, "locked", "R2.3"),
        ({"xing": ""}, "must-act", "R8.1"),
        ({"xing": "七一"}, "out-of-turn", "R8.1"),
        ({"last_card": True}, "out-of-turn", "R8.4"),
        ({"options": {"unit": "hu"}}, "out-of-turn", "R8.5"),
        ({"payer": None}, "syntax", "R9.3"),
        ({"source": "flip"}, "syntax", "R9.3"),
        ({"payer": "甲"}, "syntax", "R9.3"),
        ({"payer": "丁"}, "unknown-seat", "R2.2"),
        ({"winner": "东"}, "unknown-seat", "R2.2"),
        ({"winner": 3}, "unknown-seat", "R2.2"),
        ({"sitting": "丙"}, "syntax", "R2.2"),
        ({"seats": ["甲", "乙", "丙", "丁"]}, "syntax", "R2.2"),
        ({"special": "地胡"}, "no-win", "R7.6"),
        ({"special": "地胡", "source": "flip", "payer": None}, "no-win", "R7.6"),
        ({"special": "天胡"}, "no-win", "R7.6"),
        ({"special": "地胡", "last_card": True}, "wall-left", "R8.4"),
        ({"source": "deal", "card": None, "payer": None}, "syntax", "R7.6"),
        ({"rules": "chess"}, "unknown-rules", "Presets"),
        ({"options": {"min_hu": 7}}, "bad-option", "R7.4"),
        ({"hand": "四四四捌捌八伍陆一二王"}, "unknown-card", "R1"),
        ({"table": ["杠 九"]}, "unknown-verb", "R3"),
        ({"table": ["吃 九十一"]}, "not-a-meld", "R3"),
        ({"table": ["碰 八九"]}, "not-a-meld", "R3"),
        ({"colour": "red"}, "unknown-key", "cli"),
    ],
)
def test_faulty_slip_names_code_and_rule(changes, code, rule):
    error = fault(**changes)
    assert (error.code, error.rule) == (code, rule)
    assert error.zh
    assert error.en


@pytest.mark.parametrize(
    "changes",
    [
        {"rules": None},
        {"options": []},
        {"hand": None},
        {"hand": 3},
        {"table": "碰 九"},
        {"table": [3]},
        {"table": ["碰"]},
        {"card": None},
        {"card": "柒柒"},
        {"card": 7},
        {"source": "theft"},
        {"source": None},
        {"source": "deal", "special": "天胡"},
        {"special": "大胡"},
        {"special": 5},
        {"last_card": "no"},
        {"xing": ["七"]},
        {"seats": "甲乙丙"},
        {"seats": ["甲"]},
        {"seats": ["甲", "甲", "丙"]},
        {"seats": None},
        {"winner": None},
    ],
)
def test_slip_of_the_wrong_form_is_a_syntax_fault(changes):
    assert fault(**changes).code == "syntax"


@pytest.mark.parametrize("value", [None, 3, "slip", [EXAMPLE]])
def test_anything_but_an_object_is_a_syntax_fault(value):
    for read in (read_slip, read_waiting):
        with pytest.raises(ZipaiError, match="syntax"):
            read(value)


def test_waiting_slip_has_no_card():
    with pytest.raises(ZipaiError, match="leave card out"):
        read_waiting(EXAMPLE)
    with pytest.raises(ZipaiError, match="unknown-key"):
        read_waiting({"rules": "local", "hand": "一", "hu": 3})
    assert read_waiting({"rules": "local", "hand": "一"}).card is None
    assert read_waiting({"rules": "local", "hand": "一", "source": "own-flip"}).table == ()


def test_melds_are_read_by_their_names_and_aliases():
    found = scored(table=["peng s9", "chi s2+s7+s10", "sao b1"], card="b7", xing="s7")
    assert found == scored()


def test_four_seats_leave_out_who_sits():
    """R2.2, R9.3."""
    seats = ["甲", "乙", "丙", "丁"]
    assert scored(seats=seats, sitting="丙").deltas == (6, -6, 0, 0)
    assert scored(seats=seats, sitting="丙", source="own-flip", payer=None).deltas == (
        *(8, -4, 0, -4),
    )
    assert fault(seats=seats, sitting="甲").code == "unknown-seat"
    assert fault(seats=seats, sitting="乙").code == "unknown-seat"


def test_seats_may_stand_in_any_order_and_as_letters():
    assert scored(seats=["丙", "A", "乙"], winner="A", payer="B").deltas == (6, -6, 0)


def test_own_flip_that_makes_sao_is_given_as_before_it():
    """cli.md; R7.5, R9.2: an own-flip win."""
    found = scored(
        hand="四四四捌捌八柒柒一二三", source="own-flip", payer=None, options={"xing": "shang"}
    )
    assert found.hu == 3 + 3 + 1 + 3 + 6 + 6
    assert found.melds[found.completed] == (("扫"), (16, 16, 16), 6)
    assert (found.base, found.xing, found.bonus, found.total) == (3, 0, 1, 4)


def test_xing_is_turned_again_while_four_of_a_neighbour_are_held():
    """R8.3."""
    quad = {
        **{"hand": "一二三四五六七八九玖", "table": ["扫穿 拾", "碰 十", "扫 壹"], "card": "玖"},
        **{"options": {"xing_repeat": "on"}, "xing": "玖"},
    }
    error = fault(**quad)
    assert (error.code, error.rule) == ("must-act", "R8.3")
    found = scored(**{**quad, "xing": "玖五"})
    assert found.xing == 4 + 2
    error = fault(**{**quad, "xing": "玖五六"})
    assert (error.code, error.rule) == ("out-of-turn", "R8.3")


@pytest.mark.parametrize(
    ("option", "xing"),
    [("none", 0), ("flat-2", 2), ("win-card", 3)],
)
def test_last_card_counts_xing_by_option(option, xing):
    """R8.4: 柒 wins, 上醒 陆 is held once, 下醒 捌 twice."""
    found = scored(last_card=True, xing="", options={"last_card": option})
    assert found.xing == xing
    assert found.xing_cards == ()


def test_no_xing_where_the_unit_is_hu():
    """R8.5, last_card included."""
    hu = {"unit": "hu", "last_card": "flat-2"}
    assert scored(xing="", options=hu).total == 16
    assert scored(xing="", options=hu, last_card=True).xing == 0


def test_tianhu_is_the_dealers_hand_as_dealt():
    """R7.6, R9.3."""
    deal = {"source": "deal", "card": None, "payer": None, "special": "天胡", "table": []}
    found = scored(**deal, hand=DEALT, xing="四")
    assert found.hu == 3 + 6 + 6
    assert (found.base, found.xing, found.bonus, found.total) == (2, 2, 1, 5)
    assert found.completed is None
    assert found.deltas == (10, -5, -5)
    assert fault(**deal, hand=DEALT.replace("拾", "十"), xing="四").code == "no-win"
    assert fault(**{**deal, "table": ["碰 十"]}, hand=DEALT, xing="四").code == "deal-count"


def test_tianhu_goes_before_wukan_of_the_same_cards():
    """R7.6: five 坎 and two runs are the dealer's 天胡; below the minimum they are 五坎."""
    deal = {
        **{"source": "deal", "card": None, "payer": None, "table": [], "xing": "玖"},
        "hand": "一一一二二二三三三四四四五五五六七八七八九",
    }
    error = fault(**deal, special="五坎")
    assert (error.code, error.rule) == ("no-win", "R7.6")
    assert error.zh == "这手牌是天胡（15 胡），先于五坎"
    assert scored(**deal, special="天胡").hu == 15
    assert scored(**deal, special="五坎", options={"min_hu": 20}).hu == 15


def test_dihu_comes_before_anything_is_kept():
    """R7.6, R2.4: who wins on the first discard cannot have kept one of his own."""
    two = {"hand": "一一一一二二二二三四五六七八壹贰叁肆伍陆拾", "table": [], "card": "拾"}
    assert scored(**two).hu == 9 + 9 + 6
    error = fault(**two, special="地胡")
    assert (error.code, error.rule) == ("no-win", "R7.6")
    assert scored(**two, special="地胡", options={"two_long": "extra-card"}).hu == 24


def test_sanlong_and_wukan_need_no_shape_and_no_minimum():
    """R7.6: the 龙 and 坎 held: 9 + 9 + 12 + 3 and 3 + 3 + 3 + 6 + 6."""
    deal = {
        **{"source": "deal", "card": None, "payer": None, "table": [], "xing": "七"},
        **{"options": {"min_hu": 30}},
    }
    longs = scored(**deal, special="三笼", hand="一一一一三三三三拾拾拾拾五五五二四六壹叁")
    assert (longs.hu, longs.base) == (33, 1)
    assert [str(meld) for meld in longs.melds] == [
        *("龙 一一一一", "龙 三三三三", "龙 拾拾拾拾", "坎 五五五"),
    ]
    kans = scored(**deal, special="五坎", hand="一一一三三三五五五拾拾拾捌捌捌二四六壹叁")
    assert (kans.hu, kans.base, kans.bonus) == (21, 1, 1)
    error = fault(**deal, special="五坎", hand="一一一三三三五五五拾拾拾捌捌二四六壹叁肆")
    assert error.zh == "五坎要有 5 个坎，手里只有 4 个"
    error = fault(**deal, special="三笼", hand="一一一一三三三三拾拾拾五五五二四六壹叁柒")
    assert error.en == "三笼 needs 3 龙, the hand has 2"


def test_two_long_deals_hold_one_card_more_by_option():
    """R2.4: 留 once, or the extra card."""
    two = {"hand": "四四四四捌捌捌捌一二三壹贰叁伍", "table": ["碰 九", "吃 二七十"]}
    two |= {"card": "伍", "xing": "一"}
    assert scored(**two).hu == 9 + 12 + 3 + 6 + 1 + 3
    kept_nothing = fault(**{**two, "hand": "四四四四捌捌捌捌一二三壹贰叁"})
    assert (kept_nothing.code, kept_nothing.rule) == ("no-win", "R7.1")
    extra = {**two, "options": {"two_long": "extra-card"}}
    assert scored(**extra).hu == 34
    assert fault(**{**extra, "hand": "四四四四捌捌捌捌一二三壹贰叁"}).code == "deal-count"
    three = {"source": "deal", "card": None, "payer": None, "special": "三笼", "table": []}
    held = "四四四四捌捌捌捌拾拾拾拾一二三伍陆七八"
    assert scored(**three, hand=held + "壹叁", xing="二").hu == 33
    dealer = {**three, "options": {"two_long": "extra-card"}, "xing": "二"}
    assert scored(**dealer, hand=held + "壹叁柒").hu == 33
    assert fault(**{**three, "xing": "二"}, hand=held + "壹叁柒").code == "deal-count"


def test_dihu_is_a_win_on_the_first_discard_with_nothing_on_the_table():
    """R7.6, R9.3: the dealer pays for all."""
    found = scored(special="地胡", hand=DEALT.replace("拾", ""), table=[], card="拾", xing="四")
    assert (found.hu, found.base, found.xing, found.bonus, found.total) == (15, 2, 2, 1, 5)
    assert found.deltas == (10, -10, 0)


@pytest.mark.parametrize(
    ("changes", "code", "rule"),
    [
        ({"hu": 9}, "hu-too-low", "R7.4"),
        ({"hu": 14, "special": "五坎", "source": "deal"}, "hu-too-low", "R7.6"),
        ({"hu": 26, "special": "三笼", "source": "deal"}, "hu-too-low", "R7.6"),
        ({"xing_count": 9}, "out-of-turn", "R8.2"),
        ({"xing_count": 1, "last_card": True}, "out-of-turn", "R8.4"),
        (
            {"xing_count": 1, "last_card": True, "options": {"last_card": "flat-2"}},
            "must-act",
            "R8.4",
        ),
        ({"xing_count": 1, "options": {"unit": "hu"}}, "out-of-turn", "R8.5"),
        ({"xing_count": -1}, "syntax", "cli"),
        ({"xing_count": None}, "syntax", "cli"),
        ({"hu": True}, "syntax", "cli"),
        ({"hu": 10**30}, "syntax", "cli"),
        ({"hu": 1.5}, "syntax", "cli"),
        ({"xing": "七"}, "unknown-key", "cli"),
        ({"special": "天胡"}, "no-win", "R7.6"),
    ],
)
def test_faulty_result_line_names_code_and_rule(changes, code, rule):
    """C6.1."""
    assert line_fault(**changes) == (code, rule)


@pytest.mark.parametrize(
    ("changes", "most"),
    [
        ({}, 8),
        ({"options": {"xing": "shang"}}, 4),
        ({"options": {"xing": "zhong"}}, 3),
        ({"options": {"xing": "shang, zhong, xia"}}, 11),
        ({"options": {"xing": ""}}, 0),
        ({"options": {"xing": "zhong", "last_card": "win-card"}, "last_card": True}, 4),
        ({"options": {"xing_repeat": "on"}}, 8 * 19),
        ({"options": {"xing_repeat": "on", "seats": 2}}, 8 * 39),
    ],
)
def test_result_line_may_have_as_many_xing_as_can_be(changes, most):
    """R8.1–R8.4."""
    assert line(**changes, xing_count=most).xing == most
    assert line_fault(**changes, xing_count=most + 1)[0] == "out-of-turn"


def test_specials_on_a_result_line_reach_their_own_least():
    """R7.6: no minimum but what the cards are worth."""
    deal = {"source": "deal", "options": {"min_hu": 30}}
    assert line(**deal, special="三笼", hu=27).base == 1
    assert line(**deal, special="五坎", hu=15).base == 1
    assert line_fault(**deal, special="天胡", hu=29)[0] == "hu-too-low"


def test_fuzzed_slips_raise_nothing_but_zipai_errors():
    """Every field replaced, dropped or garbled, alone and together."""
    seed = 71
    print(f"seed {seed}")  # noqa: T201
    rng = random.Random(seed)
    values = [
        *(None, True, 0, -3, 10**40, 1.5, "", "甲", "七七七七七", "一" * 100, "碰 九", "吃 二七十"),
        *([], ["甲"], ["碰 九"], [None], {}, {"min_hu": 15}, {"xing": [[]]}, "deal", "own-flip"),
        *("天胡", "三笼", "五坎", "地胡", "\ud800", "local", [["甲"]], float("nan"), "s11", "b0"),
        *("flip", "discard", ["吃 一二三"] * 7, ["开舵 拾", "开舵 玖"], "四四四捌捌八伍陆一二三"),
    ]
    codes = set()
    wins = 0
    for _ in range(20_000):
        slip = dict(EXAMPLE if rng.random() < 0.8 else LINE)
        for _ in range(rng.randrange(1, 4)):
            key = rng.choice([*EXAMPLE, "hu", "xing_count", "sitting"])
            if rng.random() < 0.2:
                slip.pop(key, None)
            else:
                slip[key] = rng.choice(values)
        try:
            score(read_slip(slip))
            wins += 1
        except ZipaiError as error:
            codes.add(error.code)
    assert codes <= set(CODES)
    assert wins > 100
    assert len(codes) >= 12


def test_random_cards_never_raise_anything_else():
    seed = 72
    print(f"seed {seed}")  # noqa: T201
    rng = random.Random(seed)
    codes = set()
    for _ in range(3_000):
        dealt = cards.text(rng.choices(range(20), k=rng.randrange(23)))
        slip = {**EXAMPLE, "hand": dealt, "table": [], "seats": None, "winner": None, "payer": None}
        slip["source"] = rng.choice(["own-flip", "flip", "discard"])
        try:
            score(read_slip(json.loads(json.dumps(slip))))
        except ZipaiError as error:
            codes.add(error.code)
    assert codes <= set(CODES)


def test_result_line_may_name_the_cards_it_has_not():
    """cli.md: without `hand`, `table` and `card`, or with null for them."""
    found = line(hand=None, table=None, card=None, xing=None)
    assert (found.hu, found.xing, found.cards) == (16, 1, False)


def test_slip_values_can_be_varied():
    """Frozen values: a page changes one field and asks again."""
    slip = read_slip(EXAMPLE)
    assert score(replace(slip, xing=(0,))).xing == 1 + 2, "十 of 二七十, 二 of it and of 一二三"
