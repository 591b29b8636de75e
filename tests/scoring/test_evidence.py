"""What each level of evidence is counted as (C6.1), and what is refused with which words."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rules import preset
from scoring.evidence import Claimed, EntryError, Terms, count

COMPETITION = preset("competition")
AT_DEALER = Terms(COMPETITION, dealer=0)
FOUR = Terms(COMPETITION.with_options({"seats": 4}), dealer=1)
LINE: dict[str, Any] = {
    "source": "discard", "winner": "甲", "payer": "乙", "hu": 16, "xing_count": 1,
}  # fmt: skip
SLIP: dict[str, Any] = {
    "source": "discard", "winner": "甲", "payer": "乙", "hand": "四四四捌捌八伍陆一二三",
    "table": ["碰 九", "吃 二七十", "扫 壹"], "card": "柒", "xing": "七",
}  # fmt: skip


def refuse(evidence: str, payload: dict[str, Any], terms: Terms = AT_DEALER) -> EntryError:
    with pytest.raises(EntryError) as caught:
        count(evidence, payload, terms)
    return caught.value


def test_result_line_is_settled_by_the_engine() -> None:
    """C6.1, R9: 16 胡 are 2 舵, one 醒 makes 3; the discarder pays for both."""
    counted = count("result", LINE, AT_DEALER)
    assert counted.deltas == (6, -6, 0)
    assert (counted.hu, counted.xing, counted.total) == (16, 1, 3)
    assert (counted.winners, counted.payer, counted.dealer) == ((0,), 1, 0)
    assert counted.source == "discard"
    assert counted.computed is not None
    assert counted.computed["base"] == 2
    assert counted.computed["next_dealer"] == "甲"
    assert counted.claimed is None


def test_drawn_hand_needs_nothing_else() -> None:
    """R4.6: nobody pays; hidden keys that are sent all the same are dropped."""
    counted = count("result", {**LINE, "source": "draw"}, AT_DEALER)
    assert counted.deltas == (0, 0, 0)
    assert counted.winners == ()
    assert counted.payload == {"dealer": "甲", "source": "draw"}


def test_own_flip_win_makes_everybody_pay() -> None:
    """R9.2, R9.3 with the bonus of `competition`."""
    counted = count("result", {**LINE, "source": "own-flip", "winner": "丙"}, AT_DEALER)
    assert counted.deltas == (-4, -4, 8)
    assert counted.payer is None


def test_seat_that_sits_out_of_four_gets_nothing_and_cannot_win() -> None:
    """R2.2: the seat two after the dealer."""
    counted = count("result", {**LINE, "source": "flip", "winner": "乙"}, FOUR)
    assert counted.deltas == (-3, 6, -3, 0)
    wrong = refuse("result", {**LINE, "winner": "丁"}, FOUR)
    assert (wrong.field, wrong.rule, wrong.zh) == ("winner", "R2.2", "丁这一局坐醒，不在局中")


@pytest.mark.parametrize(
    ("changes", "field", "zh"),
    [
        ({"source": None}, "source", "请选这一局是怎样胡的"),
        ({"winner": ""}, "winner", "请选座位：甲、乙、丙"),
        ({"winner": "丁"}, "winner", "请选座位：甲、乙、丙"),
        ({"payer": None}, "payer", "请选座位：甲、乙、丙"),
        ({"payer": "甲"}, "payer", "甲不能给自己点炮，请选打出那张牌的人"),
        ({"hu": None}, "hu", "写明多少胡，0 到 999"),
        ({"hu": 9}, "hu", "9 胡，起胡至少 10"),
        ({"xing_count": 9}, "xing_count", "醒 9 个，这样胡最少 0 个、最多 8 个"),
        ({"special": "八宝"}, "special", "特殊胡只有 天胡、地胡、三笼、五坎"),
        (
            {"source": "deal", "special": "天胡", "winner": "乙"},
            "special",
            "天胡只有庄家能胡，这一局的庄家是甲",
        ),
        (
            {"special": "地胡"},
            "special",
            "地胡是胡庄家打出的第一张牌，庄家甲不能地胡",
        ),
        ({"special": "地胡", "winner": "乙", "payer": "丙"}, "payer", "地胡由庄家甲点炮"),
        (
            {"special": "地胡", "winner": "乙", "source": "flip"},
            "special",
            "地胡是胡庄家打出的第一张牌，来源应为打出",
        ),
        (
            {"source": "deal"},
            "special",
            "起手胡要写明是天胡、三笼还是五坎；别的胡法不能写这三种",
        ),
        (
            {"source": "deal", "special": "三笼", "last_card": True, "hu": 30},
            "last_card",
            "三笼时墩还没有动，不会是海底",
        ),
        ({"dealer": "戊"}, "dealer", "请选座位：甲、乙、丙"),
        ({"claim": {"total": -1}}, "claim_total", "应是 0 到 999 的整数"),
    ],
)
def test_result_line_that_cannot_be_names_its_field(
    changes: dict[str, Any], field: str, zh: str
) -> None:
    """C6.1, R7.6: a clear sentence beside the field it is about."""
    wrong = refuse("result", {**LINE, **changes})
    assert (wrong.field, wrong.zh) == (field, zh)
    assert wrong.en


def test_dihu_is_paid_by_the_dealer() -> None:
    """R7.6, R9.3: 地胡 is a win on the dealer's first discard."""
    line = {**LINE, "special": "地胡", "winner": "丙", "payer": "甲"}
    counted = count("result", line, AT_DEALER)
    assert counted.deltas == (-8, 0, 8)
    assert counted.special == "地胡"


def test_tianhu_of_the_dealer_is_paid_by_all() -> None:
    line = {"source": "deal", "special": "天胡", "winner": "甲", "hu": 20, "xing_count": 0}
    assert count("result", line, AT_DEALER).deltas == (8, -4, -4)


def test_claim_of_the_table_is_kept_where_it_differs() -> None:
    """C6.3."""
    counted = count("result", {**LINE, "claim": {"total": 4}}, AT_DEALER)
    assert counted.claimed == Claimed(hu=None, total=4)
    assert counted.payload["claim"] == {"total": 4}
    assert count("result", {**LINE, "claim": {"total": 3}}, AT_DEALER).claimed is None


def test_slip_is_counted_card_by_card() -> None:
    """cli.md's worked slip: 16 胡, 2 舵, 下醒 八 1."""
    counted = count("slip", SLIP, AT_DEALER)
    assert counted.deltas == (6, -6, 0)
    assert (counted.hu, counted.total) == (16, 3)
    assert counted.payload["hand"] == "一二三四四四八伍陆捌捌"
    assert counted.computed is not None
    assert counted.computed["card"] == "柒"
    assert [meld["kind"] for meld in counted.computed["melds"]] == [
        "碰", "吃", "扫", "坎", "搭", "顺", "顺",
    ]  # fmt: skip


def test_slip_claim_of_hu_that_differs() -> None:
    """C6.3."""
    counted = count("slip", {**SLIP, "claim": {"hu": 15, "total": 3}}, AT_DEALER)
    assert counted.claimed == Claimed(hu=15, total=3)


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"hand": "四四四捌捌八伍陆一二X"}, "hand", "unknown-card"),
        ({"table": ["碰 九", "吃 二七七"]}, "table", "not-a-meld"),
        ({"card": ""}, "card", "syntax"),
        ({"card": "柒八"}, "card", "syntax"),
        ({"source": "deal", "special": "天胡"}, "card", "syntax"),
        ({"xing": ""}, "xing", "must-act"),
        ({"xing": "七八"}, "xing", "out-of-turn"),
        ({"hand": "四四四捌捌八伍陆一二"}, "hand", "deal-count"),
        ({"card": "九"}, "hand", "no-win"),
        ({"hand": "四四四捌捌八伍陆一二三", "card": "九"}, "hand", "no-win"),
    ],
)
def test_slip_that_cannot_be_names_its_field(
    changes: dict[str, Any], field: str, code: str
) -> None:
    wrong = refuse("slip", {**SLIP, **changes})
    assert (wrong.field, wrong.code) == (field, code)


def test_slip_that_does_not_win_shows_what_is_left_over() -> None:
    wrong = refuse("slip", {**SLIP, "card": "九"})
    assert wrong.left
    assert wrong.melds


def test_totals_sum_to_zero() -> None:
    """R9.4, C6.2."""
    counted = count("totals", {"deltas": [6, -2, -4], "hands": 5}, AT_DEALER)
    assert counted.deltas == (6, -2, -4)
    assert counted.hands == 5
    assert counted.winners is None
    assert counted.computed is None


@pytest.mark.parametrize(
    ("payload", "field", "zh"),
    [
        ({"deltas": [6, -2, -3]}, "deltas", "各家相加应为 0，现在是 +1"),
        ({"deltas": [6, -6]}, "deltas", "每个座位写一个整数，共 3 个，没有输赢写 0"),
        ({"deltas": [6, "x", -6]}, "deltas", "每个座位写一个整数，共 3 个，没有输赢写 0"),
        ({"deltas": [True, -1, 0]}, "deltas", "每个座位写一个整数，共 3 个，没有输赢写 0"),
        ({"deltas": [0, 0, 0], "hands": 0}, "hands", "写明共几局，至少 1"),
    ],
)
def test_totals_that_cannot_be(payload: dict[str, Any], field: str, zh: str) -> None:
    wrong = refuse("totals", payload)
    assert (wrong.field, wrong.zh) == (field, zh)
