"""Every code of notation.md that an event can earn, by the rule that decides: place, sentence,
legal events. (What cannot be read is in test_notation_faults.)"""

import random

import pytest

from engine.record import export
from engine.replay import record_of
from engine.rules import preset
from engine.simulate import play_hands
from tests.engine.zpr import ALMOST, DEAL, fault, only, place, record

LOCKED = {
    "甲": "八二三四五六七九十壹贰叁肆伍陆柒捌玖拾拾一",
    "乙": "一一一二二二三三三四四四五五五六六六八八",
    "丙": "七七七九九九十十十壹壹壹贰贰贰叁叁肆肆伍",
}
"""乙 holds six 坎 and 八八."""


def illegal(*events, **given):
    return fault(record(*events, **given))


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (["乙 打 三"], ("out-of-turn", 8, 1, 1, "R4.2")),
        (["甲 留"], ("out-of-turn", 8, 1, 1, "R2.4")),
        (["甲 过"], ("out-of-turn", 8, 1, 1, "R5.7")),
        (["醒 七"], ("out-of-turn", 8, 1, 1, "R8.1")),
        (["甲 打 八", "丙 过"], ("out-of-turn", 9, 1, 2, "R5.7")),
        (["甲 打 八", "丙 摸 八"], ("out-of-turn", 9, 1, 2, "R4")),
        (["甲 打 三"], ("not-in-hand", 8, 5, 1, "R4.2")),
        (["甲 打 八", "乙 吃 八 六七"], ("not-in-hand", 9, 7, 2, "R5.1")),
        (["甲 打 八", "乙 吃 八 七十"], ("not-a-meld", 9, 7, 2, "R5.1")),
        (["甲 打 肆", "乙 吃 肆 贰叁 三四肆"], ("not-a-meld", 9, 10, 2, "R5.2")),
        (["甲 打 肆", "乙 吃 肆 贰叁"], ("bi-missing", 9, 5, 2, "R5.2")),
        (["甲 打 一"], ("locked", 8, 5, 1, "R2.3")),
        (["乙 摸 八"], ("must-act", 8, 1, 1, "R4.2")),
        (["甲 打 八", "乙 摸 捌", "丙 摸 玖"], ("must-act", 10, 1, 3, "R5.4")),
        (["甲 打 八", "乙 摸 玖", "丙 摸 一", "甲 摸 八"], ("must-act", 11, 1, 4, "R5.6")),
        (["甲 打 伍", "乙 摸 八"], ("must-act", 9, 1, 2, "R5.6")),
        (["甲 打 伍", "乙 吃 伍 肆陆"], ("priority", 9, 1, 2, "R5.6")),
        (["甲 打 八", "乙 胡 八"], ("no-win", 9, 3, 2, "R7.1")),
        (["甲 打 八", "荒"], ("wall-left", 9, 1, 2, "R4.6")),
        (["甲 打 八", "乙 胡"], ("syntax", 9, 1, 2, "notation")),
        (["甲 胡 八"], ("syntax", 8, 5, 1, "notation")),
    ],
)
def test_event_against_the_rules(events, expected):
    assert place(illegal(*events)) == expected


def test_sao_written_for_guosao_is_must_act():
    """`must-act` (R5.4): 乙 let 九 pass, so his own flip of it is a 过扫."""
    start = ["甲 打 伍", "丙 开舵 伍", "丙 打 九", "甲 摸 七", "乙 摸 九"]
    assert place(illegal(*start, "乙 扫 九")) == ("must-act", 13, 1, 6, "R5.4")
    assert only(record(*start, "乙 过扫 九")).status == "unfinished"


def test_passed_card_is_stale():
    """`stale` (R5.7): the sentence says at which event it was let pass."""
    found = illegal("甲 打 八", "乙 摸 八", "乙 吃 八 七九")
    assert place(found) == ("stale", 10, 5, 3, "R5.7")
    assert found.zh == "乙 不能吃 八：第 1 手已放过 (R5.7)"
    assert found.en == "乙 cannot eat (吃) 八: let pass at event 1 (R5.7)"


def test_nothing_left_to_discard():
    """`no-discard-left` (R4.4)."""
    found = illegal("甲 打 八", "乙 碰 八", deal=LOCKED)
    assert place(found) == ("no-discard-left", 9, 3, 2, "R4.4")


def test_win_below_the_minimum_names_both_numbers():
    """`hu-too-low` (R7.4)."""
    found = illegal("甲 打 八", "乙 胡 八", deal=ALMOST)
    assert place(found) == ("hu-too-low", 9, 3, 2, "R7.4")
    assert "0" in found.zh
    assert "10" in found.zh


def drawn_hand():
    """The lines of a simulated hand that nobody won, up to its 荒; seed 5."""
    for hand in play_hands(preset("competition"), 200, random.Random(5)):
        if hand.result.source is None:
            return export(record_of(hand, "competition")).split("\n")[:-2]
    raise AssertionError


def test_flip_with_no_wall_left_and_event_after_the_end():
    """`wall-empty` (R4.6) in place of 荒; `after-end` behind it."""
    *lines, draw = drawn_hand()
    assert draw == "荒"
    events = sum(line[:2] in ("甲 ", "乙 ", "丙 ") for line in lines)

    seat = "乙丙甲"["甲乙丙".index(lines[-1][0])]
    found = only("\n".join([*lines, f"{seat} 摸 八"]))
    assert place(found.error) == ("wall-empty", len(lines) + 1, 3, events + 1, "R4.6")
    assert [str(event) for event in found.error.legal][-1:] == ["荒"]
    found = fault("\n".join([*lines, draw, f"{seat} 打 八"]))
    assert place(found)[:4] == ("after-end", len(lines) + 2, 1, events + 2)
    assert found.legal == ()


def test_flip_that_is_not_the_walls_next_card():
    """`wall-mismatch`: with the other size as a hint."""
    found = illegal("甲 打 八", "乙 摸 捌", wall="八玖")
    assert place(found) == ("wall-mismatch", 10, 5, 2, "notation")
    assert found.zh.endswith("；是不是大小弄错了？“乙 摸 八”是合法的")
    assert found.en.endswith("; the wrong size? “乙 摸 八” would be legal")


def test_fifth_card_is_faulted_at_the_event_that_turns_it():
    """`deck` (R1)."""
    events = ["甲 打 八", "乙 摸 八", "丙 摸 八", "甲 摸 八", "乙 摸 八"]
    assert place(illegal(*events)) == ("deck", 12, 5, 5, "R1")


def test_fifth_card_of_the_deal_is_pointed_at():
    """`deck` (R1): in 发 and in 墩, each card at its fifth copy."""
    deal = {**DEAL, "丙": "一一三五五六六九九叁叁肆伍伍伍陆陆柒捌玖"}
    assert place(illegal(deal=deal)) == ("deck", 7, 6, None, "R1")
    found = only(record(wall="伍陆陆伍"))
    assert [place(f) for f in (found.error, *found.more)] == [
        ("deck", 8, 3, None, "R1"),
        ("deck", 8, 5, None, "R1"),
    ]


def test_every_seat_with_a_wrong_number_of_cards_is_named():
    """`deal-count` (R2.1)."""
    found = only(record(deal={"甲": DEAL["甲"][1:], "乙": DEAL["乙"] + "八"}, rules="competition"))
    assert [place(f) for f in (found.error, *found.more)] == [
        ("deal-count", 1, 1, None, "R2.1"),
        ("deal-count", 5, 5, None, "R2.1"),
        ("deal-count", 6, 5, None, "R2.1"),
    ]
    assert found.error.zh == "缺 丙 的发牌 (R2.1)"


def test_cards_for_the_seat_that_sits_out():
    """`deal-count` (R2.2)."""
    deal = {"甲": DEAL["甲"], "乙": DEAL["乙"], "丙": "四", "丁": DEAL["丙"]}
    found = fault(record(header=["选项.seats: 4"], deal=deal))
    assert place(found) == ("deal-count", 8, 5, None, "R2.2")
    del deal["丙"]
    assert only(record(header=["选项.seats: 4"], deal=deal)).status == "unfinished"
    deal["乙"] = deal["乙"][1:]
    found = fault(record(header=["选项.seats: 4"], deal=deal))
    assert place(found) == ("deal-count", 7, 5, None, "R2.1")


def test_two_long_without_the_extra_card():
    """`deal-count` (R2.4): exactly two 龙 and `extra-card` want one card more."""
    long = {
        "甲": "一一一二二四六六八十十壹壹叁肆伍柒玖玖拾拾",
        "乙": "七七七七贰贰贰贰三三四四五五九九十壹叁肆",
        "丙": DEAL["丙"],
    }
    found = fault(record(deal=long))
    assert place(found) == ("deal-count", 6, 5, None, "R2.4")


def test_other_size_is_tried_and_the_hand_quoted():
    """A card not held whose other size is (R1): the message says so."""
    found = illegal("甲 打 捌")
    assert found.code == "not-in-hand"
    assert "甲 手里是 一一一二二四六六八十十壹壹叁肆伍柒玖玖拾拾" in found.zh
    assert found.zh.endswith("；是不是大小弄错了？“甲 打 八”是合法的")


@pytest.mark.parametrize(
    ("event", "meant"),
    [("乙 吃 八 柒九", "乙 吃 八 七九"), ("乙 吃 捌 七九", "乙 吃 八 七九")],
)
def test_other_size_is_tried_for_every_card_of_a_chi(event, meant):
    assert f"“{meant}”是合法的" in illegal("甲 打 八", event).zh


def test_other_size_is_tried_in_bi():
    found = illegal("甲 打 肆", "乙 吃 肆 贰叁 四肆肆")
    assert "“乙 吃 肆 贰叁 四四肆”是合法的" in found.zh


def test_chi_of_locked_cards_points_at_the_card():
    """`locked` (R2.3)."""
    found = illegal("甲 打 八", "乙 摸 肆", "丙 吃 肆 叁伍")
    assert place(found) == ("locked", 10, 8, 3, "R2.3")


def test_columns_count_in_the_line_as_written():
    found = illegal("  1.  A  play  s8", " 2. B chi s8 s6+s7")
    assert place(found) == ("not-in-hand", 9, 14, 2, "R5.1")
    assert found.text == "2. B chi s8 s6+s7"


def test_legal_events_are_listed_where_replay_stopped():
    found = illegal("甲 打 伍", "乙 吃 伍 肆陆")
    assert [str(event) for event in found.legal] == ["丙 开舵 伍"]
    assert found.as_json()["legal"] == ["丙 开舵 伍"]


def test_unreadable_event_stops_replay_and_lists_what_was_legal():
    found = illegal("甲 打 伍", "乙 吃 伍 肆某")
    assert place(found) == ("unknown-card", 9, 8, 2, "R1")
    assert [str(event) for event in found.legal] == ["丙 开舵 伍"]


def test_after_the_first_fault_typing_errors_and_the_deck_are_still_checked():
    events = [
        *("甲 打 三", "乙 出 八", "胡说八道", "乙 打 五", "! 更正 太 多", "戊 打 八"),
        *("乙 摸 柒", "丙 摸 柒"),
    ]
    found = only(record(*events))
    assert found.status == "invalid"
    assert [place(f)[:4] for f in (found.error, *found.more)] == [
        ("not-in-hand", 8, 5, 1),
        ("unknown-verb", 9, 3, 2),
        ("syntax", 10, 1, 3),
        ("syntax", 12, 6, None),
        ("unknown-seat", 13, 1, 5),
        ("deck", 15, 5, 7),
    ]
    assert all(f.legal == () for f in found.more)


def test_deck_is_checked_where_the_header_cannot_be_read():
    deal = {**DEAL, "丙": "一一三五五六六九九叁叁肆伍伍伍陆陆柒捌玖"}
    events = ["甲 打 八", "乙 摸 七", "丙 摸 七", "甲 摸 七"]
    found = only(record(*events, rules="民间", deal=deal))
    assert [place(f)[:4] for f in (found.error, *found.more)] == [
        ("unknown-rules", 2, 5, None),
        ("deck", 7, 6, None),
        ("deck", 11, 5, 4),
    ]


def test_ruling_that_cannot_be_read_does_not_stop_replay():
    found = only(record("甲 打 八", "!", "乙 打 三", "= 某"))
    assert [place(f)[:4] for f in (found.error, *found.more)] == [
        ("syntax", 9, 1, None),
        ("out-of-turn", 10, 1, 2),
        ("syntax", 11, 3, None),
    ]
    assert found.error.legal == ()
    assert only(record("甲 打 八", "!")).status == "invalid"
    assert place(fault(record("!", "甲 打 八"))) == ("syntax", 8, 1, None, "notation")


def test_rulings_are_no_events():
    """They are kept and shown, never interpreted, and not counted."""
    found = only(record("! 开始", "甲 打 八", '! 乙 超时 "警告"', "乙 打 三"))
    assert place(found.error)[:4] == ("out-of-turn", 11, 1, 2)
    assert only(record("甲 打 八", "! 乙 超时", "乙 摸 八")).events == 2


def test_deal_line_after_the_events_stops_replay():
    found = only(record("甲 打 八", "墩 八", "乙 打 三"))
    assert place(found.error) == ("syntax", 9, 1, None, "notation")
    assert (found.error.legal, found.more, found.events) == ((), (), 1)
