"""R4–R8: how many ways a hand can go on, to a depth, from a few fixed deals (perft).

Golden numbers that the slow generator and the engine confirm, each on its own. The slow one
counts as deep as a default run affords, and all of it with `DUOZHU_FULL=1`.
"""

from __future__ import annotations

import os

import pytest

from engine.play import Hand
from tests.engine.slow_play import legal
from tests.engine.slow_records import read_record
from tests.engine.slow_state import State

FULL = os.environ.get("DUOZHU_FULL") == "1"
AFFORDABLE = 700
"""Sequences that the slow generator looks at in a default run."""

COMPETITION_KNOWN_WALL = """字牌谱 1
规则: competition
庄: 乙

发 甲 三陆四叁柒六七玖壹三陆柒五贰拾伍八伍二陆
发 乙 九柒八二拾叁三九二六七贰拾贰捌四十八拾四六
发 丙 玖陆伍叁一叁一壹八壹捌玖七肆一玖捌壹五捌
墩 三十十七肆肆贰九十五四九伍肆五二柒六一
"""
GUANGXI_APP_FOR_TWO = """字牌谱 1
规则: guangxi-app
选项.seats: 2
庄: 乙

发 甲 伍十八贰九五陆九六肆七陆陆捌七七捌一叁叁
发 乙 捌六一四捌七一柒四壹六贰伍拾八肆拾三肆柒四
墩 三壹十五三五二肆一九拾玖贰壹壹伍八玖十伍二八四叁拾玖叁二十二贰柒九五玖三陆六
"""
LOCAL_FOR_FOUR_UNKNOWN_WALL = """字牌谱 1
规则: local
选项.seats: 4
庄: 丁

发 甲 八壹十壹八捌陆陆壹捌二捌十二一陆捌陆壹十
发 丙 六九五八十叁贰贰一玖玖九三伍贰贰拾八七七
发 丁 叁肆柒玖四二二四四五拾柒叁伍伍一六九肆三肆
"""
TWO_LONG_MAY_KEEP = """字牌谱 1
规则: competition
庄: 乙

发 甲 壹三九四肆肆叁叁玖陆伍一一柒贰十叁壹捌三
发 乙 拾八拾七四八六拾二六三叁七八拾八二肆四三六
发 丙 五七陆捌九柒一六玖九捌玖肆二陆陆五玖一四
墩 壹五壹伍柒捌十伍贰五柒贰伍二九七十十贰
"""
THREE_TIED_AT_THE_DEAL = """字牌谱 1
规则: laok
选项.unit: duo
选项.two_long: skip-discard
庄: 乙

发 甲 一一一一二二二二三三三三叁玖叁壹陆伍十伍
发 乙 四四四四五五五五六六六六肆贰叁壹玖叁肆捌十
发 丙 七七七七八八八八九九九九拾陆拾贰十壹玖陆
墩 伍捌
"""
TWO_CARDS_LEFT = """字牌谱 1
规则: local
庄: 丙

发 甲 柒贰柒三贰一九壹十陆四六四叁伍一捌五五捌
发 乙 捌七壹玖八二二六十壹五叁贰柒柒十二玖二七
发 丙 六肆九三一伍六三陆玖八肆伍八拾捌拾三九肆陆
丙 打 一
甲 碰 一
甲 打 九
丙 碰 九
丙 打 玖
甲 吃 玖 柒捌
甲 打 十
乙 碰 十
乙 打 五
甲 碰 五
甲 打 三
丙 开舵 三
丙 打 捌
甲 摸 四
甲 扫 四
甲 打 六
丙 过
乙 摸 玖
乙 过扫 玖
乙 打 捌
丙 摸 五
甲 开舵 五
甲 打 壹
乙 碰 壹
乙 打 贰
甲 碰 贰
甲 打 叁
乙 摸 叁
丙 摸 贰
甲 开舵 贰
乙 摸 拾
丙 碰 拾
丙 打 八
甲 摸 拾
丙 开舵 拾
甲 摸 肆
丙 开舵 肆
甲 摸 壹
乙 开舵 壹
丙 摸 陆
丙 扫 陆
丙 打 八
甲 摸 四
甲 扫穿 四
乙 摸 叁
丙 摸 一
甲 开舵 一
乙 摸 七
乙 扫 七
乙 打 六
丙 摸 十
乙 开舵 十
丙 摸 九
丙 开舵 九
甲 摸 伍
"""
GOLDEN = {
    "competition-known-wall": (COMPETITION_KNOWN_WALL, (12, 29, 178, 1176, 6340, 31715)),
    "guangxi-app-for-two": (GUANGXI_APP_FOR_TWO, (12, 27, 127, 445, 1949, 5384, 17314)),
    "local-for-four-unknown-wall": (LOCAL_FOR_FOUR_UNKNOWN_WALL, (12, 164, 2108, 21094)),
    "two-long-may-keep": (TWO_LONG_MAY_KEEP, (7, 21, 133, 553, 2428, 9757, 38728)),
    "three-tied-at-the-deal": (THREE_TIED_AT_THE_DEAL, (10, 24, 54, 162, 1002, 8222)),
    "two-cards-left": (TWO_CARDS_LEFT, (7, 16, 18, 15, 12, 8, 2, 0)),
}


def position(record: str) -> State:
    """The oracle's state after all events of the record."""
    _, state, events = read_record(record)
    for event in events:
        state = state.after(event)
    return state


def slow_perft(state: State, depth: int) -> int:
    """Sequences of `depth` events, by the slow generator."""
    events = legal(state)
    if depth == 1:
        return len(events)
    return sum(slow_perft(state.after(event), depth - 1) for event in events)


def engine_perft(hand: Hand, depth: int) -> int:
    """Sequences of `depth` events, by the engine."""
    events = hand.legal()
    if depth == 1:
        return len(events)
    total = 0
    for event in events:
        after = hand.copy()
        after.do(event)
        total += engine_perft(after, depth - 1)
    return total


@pytest.mark.parametrize("name", GOLDEN)
def test_perft_of_engine(name: str) -> None:
    """Every depth of the golden list."""
    record, golden = GOLDEN[name]
    state = position(record)
    hand = Hand(state.rules, state.dealer, state.deal, state.wall)
    for event in state.events:
        hand.do(event)
    counted = tuple(engine_perft(hand, depth) for depth in range(1, len(golden) + 1))
    assert counted == golden


@pytest.mark.parametrize("name", GOLDEN)
def test_perft_of_slow_generator(name: str) -> None:
    """The same numbers."""
    record, golden = GOLDEN[name]
    state = position(record)
    for depth, expected in enumerate(golden, 1):
        if depth == 1 or FULL or golden[depth - 2] <= AFFORDABLE:
            assert slow_perft(state, depth) == expected
