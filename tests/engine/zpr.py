"""Records for tests: a deal by hand in which many rules can be broken soon, and short readers."""

from engine.replay import Replay, replay_all

DEAL = {
    "甲": "一一一二二四六六八十十壹壹叁肆伍柒玖玖拾拾",
    "乙": "三三四四五五七七九九十壹贰贰叁肆陆柒捌捌",
    "丙": "二三三五五六六九叁叁肆伍伍伍陆陆柒捌玖拾",
}
"""甲 deals. 甲 holds 坎 一, 丙 坎 伍 (whose fourth 甲 holds); 乙 can eat 八 and 肆."""

ALMOST = {
    "甲": "八二三四五六七九十壹贰叁肆伍陆柒捌玖拾拾一",
    "乙": "二三四四五五六七九贰贰叁肆肆伍伍陆柒捌玖",
    "丙": "一一七七九九十十壹壹叁叁陆陆柒柒捌捌玖拾",
}
"""乙 is complete with 八, and it counts nothing."""


def record(*events, rules="local", header=(), deal=DEAL, wall=None, dealer="甲"):
    """A record's text: the deal above unless told, and these lines."""
    lines = ["字牌谱 1", f"规则: {rules}", *header, f"庄: {dealer}", ""]
    lines += [f"发 {seat} {cards}" for seat, cards in deal.items()]
    lines += [] if wall is None else [f"墩 {wall}"]
    return "\n".join([*lines, *events, ""])


def only(text) -> Replay:
    """The replay of a text of one hand."""
    (found,) = replay_all(text)
    return found


def fault(text):
    """The one fault of a text of one hand: nothing else is wrong with it."""
    found = only(text)
    assert found.error is not None, found
    assert found.more == ()
    return found.error


def place(found):
    """Code, line, column, event number and rule of a fault."""
    return found.code, found.line, found.column, found.event, found.rule
