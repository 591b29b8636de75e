"""R3: what each meld is worth."""

import pytest

from engine import cards, melds
from engine.melds import Kind


@pytest.mark.parametrize(
    ("worth", "small", "big"),
    [
        (melds.KAN, 3, 6),
        (melds.SAO, 3, 6),
        (melds.GUOSAO, 3, 6),
        (melds.LONG, 9, 12),
        (melds.SAOCHUAN, 9, 12),
        (melds.KAIDUO, 6, 9),
        (melds.PENG["plain"], 1, 3),
        (melds.JIANG, 0, 0),
    ],
    ids=["坎", "扫", "过扫", "龙", "扫穿", "开舵", "碰 plain", "将"],
)
def test_equal_cards_are_worth_by_size(worth, small, big):
    """R3."""
    assert [meld.hu for meld in worth] == [small] * 10 + [big] * 10


def test_peng_by_colour_counts_red_cards_more():
    """R3, `peng_points` `colour`: black 1 / 3, red 3 / 6."""
    assert [m.hu for m in melds.PENG["colour"]] == [
        *(1, 3, 1, 1, 1, 1, 3, 1, 1, 3),
        *(3, 6, 3, 3, 3, 3, 6, 3, 3, 6),
    ]


def test_only_one_two_three_and_two_seven_ten_count_among_runs():
    """R3, R5.1: 8 runs and 二七十 of each size, 2 搭子 a rank."""
    counting = {cards.text(of): meld.hu for of, meld in melds.CHI.items() if meld.hu}
    assert counting == {"一二三": 3, "二七十": 3, "壹贰叁": 6, "贰柒拾": 6}
    assert len(melds.CHI) == 2 * 9 + 2 * 10
    assert (0, 8, 9) not in melds.CHI, "九十一 is no run"


def test_grouped_cards_are_shun_or_da_and_eaten_ones_chi():
    assert {meld.kind for meld in melds.CHI.values()} == {Kind.CHI}
    assert melds.GROUPED[0, 1, 2] == (Kind.SHUN, (0, 1, 2), 3)
    assert melds.GROUPED[4, 14, 14] == (Kind.DA, (4, 14, 14), 0)
    assert str(melds.GROUPED[4, 4, 14]) == "搭 五五伍"
