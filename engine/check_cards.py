"""Whether the cards allow an act: discards, claims on the open card, bare wins.

Called by `checks`, which has settled before that nothing compulsory stands against it. Each
function returns if the act is legal and raises the `ZipaiError` that says why not.
"""

from __future__ import annotations

from engine import cards
from engine.cards import UNIT
from engine.claims import (
    SHAPES,
    bare_hu,
    chi_barred,
    chi_ways,
    eaters,
    peng_barred,
    the_way,
    win_hu,
)
from engine.deal import special, still_to_declare
from engine.errors import ZipaiError
from engine.evaluate import best
from engine.events import SEATS, Event, Verb
from engine.legal import may_keep
from engine.melds import CHI, Kind, Source
from engine.state import Phase, State
from engine.words import cannot, due, fault, holding, name, names, nothing_to_pass, out_of_turn


def check_discard(state: State, event: Event, owing: int) -> None:
    """`owing` owes a discard (R4.2): 打, or 留 where R2.4 lets him."""
    verb, seat, card = event[0], event[1], event[2]
    if verb is Verb.PLAY:
        assert card is not None
        if seat != owing:
            raise out_of_turn(state, event, "R4.2")
        if not state.free[seat] >> 4 * card & 15:
            raise _not_free(state, event, seat, card, 1)
    elif verb is Verb.KEEP:
        _check_keep(state, event, owing)
    elif verb is Verb.PASS:
        raise nothing_to_pass(event)
    else:
        due_zh, due_en = due(state)
        raise fault(
            "must-act",
            "R4.2",
            f"{due_zh}，这里不能“{event}”",
            f"{due_en}: “{event}” cannot come here",
        )


def _check_keep(state: State, event: Event, owing: int) -> None:
    if event.seat != owing:
        raise out_of_turn(state, event, "R2.4")
    if may_keep(state):
        return
    who = SEATS[owing]
    if state.may_keep[owing]:
        zh, en = "还没有听牌", "the hand is not 听牌"
    elif state.rules.two_long != "skip-discard":
        zh, en = "这套规则没有留", "these rules have no 留"
    else:
        zh = "只有起手正好两条龙的能留，只能留一次"
        en = "only who was dealt exactly two 龙 may, and once"
    raise fault(
        "out-of-turn", "R2.4", f"{who} 不能留：{zh}", f"{who} cannot keep the discard: {en}"
    )


def _not_free(
    state: State, event: Event, seat: int, card: int, needed: int, rule: str = "R4.2"
) -> ZipaiError:
    """`needed` copies of the card are used that the hand does not hold, or only locked."""
    no_zh, no_en = cannot(event)
    held = cards.count(state.hands[seat], card)
    if held >= 3:
        what = "坎" if held == 3 else "龙"
        return fault(
            "locked",
            "R2.3",
            f"{no_zh}：{name(card)}是{what}，不能拆",
            f"{no_en}: the {name(card)} are a {what} and stay together",
        )
    hold_zh, hold_en = holding(state, seat)
    few_zh = f"手里只有一张{name(card)}" if held else f"手里没有{name(card)}"
    few_en = f"there is only one {name(card)} in hand" if held else f"no {name(card)} is in hand"
    other = cards.other_size(card)
    if cards.count(state.free[seat], other) >= needed:
        few_zh += f"，有 {name(other)}"
        few_en += f", but {name(other)} is"
    return fault("not-in-hand", rule, f"{no_zh}：{few_zh}{hold_zh}", f"{no_en}: {few_en}{hold_en}")


def check_chi(state: State, event: Event) -> None:
    """吃 and its 比 (R5.1, R5.2, R5.7, R5.8, R4.4)."""
    seat, card = event.seat, event.card
    assert seat is not None
    assert card is not None
    if seat not in eaters(state):
        no_zh, no_en = cannot(event)
        who = [SEATS[s] for s in eaters(state)]
        raise fault(
            "out-of-turn",
            "R5.1",
            f"{no_zh}：只有 {'、'.join(who)} 能吃",
            f"{no_en}: only {' or '.join(who)} may",
        )
    way = the_way(state.free[seat], event)
    if way is None:
        raise _bad_chi(state, event)
    if chi_barred(state, seat, card):
        raise _stale_chi(state, event)
    if way.taken == state.free[seat]:
        raise _nothing_left(event)


def _stale_chi(state: State, event: Event) -> ZipaiError:
    _, seat, card, *_ = event
    assert seat is not None
    assert card is not None
    no_zh, no_en = cannot(event)
    thrown = state.thrown[seat].get(card)
    if thrown is not None:
        return fault(
            "stale",
            "R5.8",
            f"{no_zh}：第 {thrown} 手自己打过",
            f"{no_en}: discarded one himself at event {thrown}",
        )
    return _stale(state, event, (state.passed_chi, state.passed_peng))


def _stale(
    state: State, event: Event, marks: tuple[list[dict[int, int]], list[dict[int, int]]]
) -> ZipaiError:
    _, seat, card, *_ = event
    assert seat is not None
    assert card is not None
    no_zh, no_en = cannot(event)
    at = marks[0][seat].get(card) or marks[1][seat][card]
    return fault("stale", "R5.7", f"{no_zh}：第 {at} 手已放过", f"{no_en}: let pass at event {at}")


def _nothing_left(event: Event) -> ZipaiError:
    no_zh, no_en = cannot(event)
    return fault(
        "no-discard-left",
        "R4.4",
        f"{no_zh}：之后没有可打的牌",
        f"{no_en}: nothing would be left to discard",
    )


def _bad_chi(state: State, event: Event) -> ZipaiError:
    """What is wrong with the cards of a 吃 that is none of the ways there are."""
    _, seat, card, pair, bi = event
    assert seat is not None
    assert card is not None
    used = [*pair, *(c for group in bi for c in group)]
    for c in sorted(set(used)):
        if used.count(c) > cards.count(state.free[seat], c):
            return _not_free(state, event, seat, c, used.count(c), "R5.1")
    no_zh, no_en = cannot(event)
    if tuple(sorted((card, *pair))) not in CHI:
        group = names((card, *pair))
        return fault(
            "not-a-meld",
            "R5.1",
            f"{no_zh}：{group} 不成一句",
            f"{no_en}: {group} is no run, 二七十 or 搭子",
        )
    for laid in bi:
        if laid not in SHAPES[card]:
            return fault(
                "not-a-meld",
                "R5.2",
                f"{no_zh}：{names(laid)} 不是有{name(card)}的一比",
                f"{no_en}: {names(laid)} is no group with a {name(card)} to lay as 比",
            )
    if chi_barred(state, seat, card):
        return _stale_chi(state, event)
    ways = [way for way in chi_ways(state.free[seat], card) if way.pair == pair]
    if ways:
        shown = "；".join(str(way.events[seat]) for way in ways)
        return fault(
            "bi-missing",
            "R5.2",
            f"{no_zh}：手里的{name(card)}要一起下比，应写“{shown}”",
            f"{no_en}: each {name(card)} in hand must be laid as 比: “{shown}”",
        )
    return fault(
        "bi-missing",
        "R5.2",
        f"{no_zh}：手里剩下的{name(card)}下不了比",
        f"{no_en}: the {name(card)} left in hand cannot be laid as 比",
    )


def check_peng(state: State, event: Event) -> None:
    """碰 (R5.3, R5.7, R4.4); a 坎 would have to open, so at most two are held."""
    _, seat, card, *_ = event
    assert seat is not None
    assert card is not None
    if seat == state.giver:
        no_zh, no_en = cannot(event)
        raise fault(
            "out-of-turn",
            "R5.3",
            f"{no_zh}：碰的是别家的牌",
            f"{no_en}: 碰 takes another player's card",
        )
    if cards.count(state.free[seat], card) != 2:
        raise _not_free(state, event, seat, card, 2, "R5.3")
    if peng_barred(state, seat, card):
        raise _stale(state, event, (state.passed_peng, state.passed_chi))
    if state.free[seat] == 2 * UNIT[card]:
        raise _nothing_left(event)


def check_take(state: State, event: Event) -> None:
    """扫, 过扫 and 扫穿 where the flipper has none to make: always wrong."""
    verb, seat, card, *_ = event
    assert seat is not None
    assert card is not None
    rule = "R5.5" if verb is Verb.SAOCHUAN else "R5.4"
    no_zh, no_en = cannot(event)
    if seat != state.giver or not state.was_flip:
        raise fault(
            "out-of-turn", rule, f"{no_zh}：不是自己摸的", f"{no_en}: it is not his own flip"
        )
    if verb is Verb.SAOCHUAN:
        hold_zh, hold_en = holding(state, seat)
        raise fault(
            "not-in-hand",
            rule,
            f"{no_zh}：没有{name(card)}的坎、扫或过扫{hold_zh}",
            f"{no_en}: there is no 坎, 扫 or 过扫 of {name(card)}{hold_en}",
        )
    raise _not_free(state, event, seat, card, 2, rule)


def check_kaiduo(state: State, event: Event) -> None:
    """开舵 where nobody must open: always wrong (R5.6)."""
    _, seat, card, *_ = event
    assert seat is not None
    assert card is not None
    no_zh, no_en = cannot(event)
    laid, kind = state.triples.get(card, (-1, Kind.PENG))
    if laid == seat:
        what = "碰" if kind is Kind.PENG else "扫"
        raise fault(
            "out-of-turn",
            "R5.6",
            f"{no_zh}：这样的牌开不了{what}",
            f"{no_en}: such a card does not open a {what}",
        )
    hold_zh, hold_en = holding(state, seat)
    raise fault(
        "not-in-hand",
        "R5.6",
        f"{no_zh}：没有{name(card)}的坎、扫、过扫或碰{hold_zh}",
        f"{no_en}: there is no 坎, 扫, 过扫 or 碰 of {name(card)}{hold_en}",
    )


def check_hu(state: State, event: Event) -> None:
    """胡 on the open card (R7)."""
    seat = event.seat
    assert seat is not None
    if seat == state.giver and not state.was_flip:
        no_zh, no_en = cannot(event)
        raise fault("out-of-turn", "R6", f"{no_zh}：是自己打的", f"{no_en}: it is his own discard")
    hu = win_hu(state, seat)
    if hu < state.rules.min_hu:
        raise _too_poor(state, event, hu)


def _too_poor(state: State, event: Event, hu: int) -> ZipaiError:
    """`no-win` where `hu` is −1, else `hu-too-low` (R7.4)."""
    assert event.seat is not None
    no_zh, no_en = cannot(event)
    if hu < 0:
        hold_zh, hold_en = holding(state, event.seat)
        return fault(
            "no-win",
            "R7.1",
            f"{no_zh}：凑不成七方门子{hold_zh}",
            f"{no_en}: the cards do not form seven groups{hold_en}",
        )
    least = state.rules.min_hu
    return fault(
        "hu-too-low",
        "R7.4",
        f"{no_zh}：只有 {hu} 胡，起胡要 {least} 胡",
        f"{no_en}: {hu} 胡, and the minimum is {least}",
    )


def check_bare_hu(state: State, event: Event) -> bool:
    """A 胡 without a card. False where no bare 胡 can come, whatever the cards."""
    seat = event.seat
    assert seat is not None
    if state.phase is Phase.START:
        if not any(win.seat == seat for win in still_to_declare(state)):
            raise _no_deal_win(state, event, seat)
        return True
    if state.bare is None or seat != state.turn:
        return False
    hu = bare_hu(state)
    if hu < state.rules.min_hu:
        raise _too_poor(state, event, hu)
    return True


def _no_deal_win(state: State, event: Event, seat: int) -> ZipaiError:
    no_zh, no_en = cannot(event)
    if special(state, seat) is not None:
        who = "、".join(SEATS[win.seat] for win in still_to_declare(state))
        return fault(
            "out-of-turn",
            "R7.6",
            f"{no_zh}：起手胡归 {who}",
            f"{no_en}: the win at the deal is for {who}",
        )
    if seat == state.dealer:
        whole = best(state.hands[seat], (), None, Source.DEAL, state.rules)
        if whole is not None:
            return _too_poor(state, event, whole.hu)
    hold_zh, hold_en = holding(state, seat)
    return fault(
        "no-win",
        "R7.6",
        f"{no_zh}：不是天胡、三笼或五坎{hold_zh}",
        f"{no_en}: neither 天胡 nor 三笼 nor 五坎{hold_en}",
    )
