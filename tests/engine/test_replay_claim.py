"""`claim-mismatch`: the `=` line is checked part by part where the hand is over, never trusted."""

import random

import pytest

from engine.record import export
from engine.replay import record_of
from engine.rules import preset
from engine.simulate import play_hands
from tests.engine.zpr import only, place


def text_of(drawn):
    """The lines of a simulated hand without claim, and its result."""
    for hand in play_hands(preset("competition"), 200, random.Random(9)):
        if (hand.result.source is None) == drawn:
            lines = export(record_of(hand, "competition")).rstrip("\n").split("\n")
            return lines[:-1], lines[-1], hand.result
    raise AssertionError


WON, CLAIM, RESULT = text_of(drawn=False)
DRAWN, DRAW_CLAIM, _ = text_of(drawn=True)
WINNER = "甲乙丙"[RESULT.winners[0]]
LOSER = "乙" if WINNER == "甲" else "甲"
LOST = f"{RESULT.deltas['甲乙丙'.index(LOSER)]:+d}"


def claimed(lines, claim):
    return only("\n".join([*lines, claim, ""]))


@pytest.mark.parametrize(
    "claim",
    [
        *(CLAIM, "=", f"= {WINNER}", f"= 胡{RESULT.hu}", f"= 计{RESULT.total}", f"= {LOSER}{LOST}"),
        f"= {LOSER}{LOST} 计{RESULT.total} {WINNER}",
        CLAIM + " {核对过}",
    ],
)
def test_claim_that_agrees_in_the_parts_it_has(claim):
    found = claimed(WON, claim)
    assert (found.status, found.result, found.error) == ("valid", RESULT, None)


@pytest.mark.parametrize(
    ("claim", "column", "rule", "zh", "en"),
    [
        ("= 荒", 3, "R6", f"写的是荒，算得{WINNER}", f"claimed 荒, computed {WINNER}"),
        (
            f"= {LOSER}",
            3,
            "R6",
            f"写的是{LOSER}，算得{WINNER}",
            f"claimed {LOSER}, computed {WINNER}",
        ),
        (
            f"= {WINNER} hu 999",
            *(
                5,
                "R7.4",
                f"写的是胡999，算得胡{RESULT.hu}",
                f"claimed 胡999, computed 胡{RESULT.hu}",
            ),
        ),
        (
            "= 计0",
            *(
                3,
                "R9.2",
                f"写的是计0，算得计{RESULT.total}",
                f"claimed 计0, computed 计{RESULT.total}",
            ),
        ),
        (
            f"= {WINNER}  {LOSER}+1",
            *(6, "R9.3", f"写的是{LOSER}+1，算得{LOSER}{LOST}"),
            f"claimed {LOSER}+1, computed {LOSER}{LOST}",
        ),
    ],
)
def test_part_that_differs_is_pointed_at_and_both_values_given(claim, column, rule, zh, en):
    """R6, R7.4, R9.2, R9.3."""
    found = claimed(WON, claim)
    assert (found.status, found.result, found.more) == ("invalid", RESULT, ())
    assert place(found.error) == ("claim-mismatch", len(WON) + 1, column, None, rule)
    assert (found.error.zh, found.error.en) == (zh, en)
    assert found.error.text == claim


def test_every_part_that_differs_is_told():
    found = claimed(WON, f"= {LOSER} 胡999 计0 {LOSER}+1")
    assert found.error.zh.count("写的是") == 4
    assert found.error.column == 3


def test_drawn_hand_claims():
    """R4.6: 荒."""
    for claim in (DRAW_CLAIM, "= 荒 甲+0", "= 胡0 计0"):
        assert claimed(DRAWN, claim).status == "valid"
    found = claimed(DRAWN, "= 甲")
    assert place(found.error)[:3] == ("claim-mismatch", len(DRAWN) + 1, 3)
    assert found.error.zh == "写的是甲，算得荒"


def test_claim_above_the_events_is_read_as_well():
    lines = [line for line in WON if line]
    at = lines.index("庄: 甲") + 1
    moved = [*lines[:at], "", CLAIM, *lines[at:]]
    assert only("\n".join([*moved, ""])).status == "valid"


SHARED = """字牌谱 1
规则: laok
庄: 甲

发 甲 一一一三三三五五五七七七九九九二四六八十壹
发 乙 二二二四四四六六六八八八十十十壹贰叁肆伍
发 丙 壹壹贰贰叁叁肆肆伍伍陆陆柒柒捌捌玖玖拾拾
甲 胡
乙 胡
"""


def test_shared_win_at_the_deal_needs_every_winner_that_is_named():
    """R7.6: five 坎 each, 15 胡; the claim may name the winners in any order."""
    lines = SHARED.rstrip("\n").split("\n")
    for claim in ("= 甲 乙 胡15 丙-30", "= 乙 甲"):
        found = claimed(lines, claim)
        assert (found.status, found.error) == ("valid", None), claim
    found = claimed(lines, "= 甲 胡15")
    assert place(found.error) == ("claim-mismatch", 10, 1, None, "R6")
    assert found.error.zh == "写的是甲，算得甲 乙"
