"""Whether an event is legal, and if not, why: one `ZipaiError` with the code of notation.md.

Of several faults the first of this order is named: `after-end`; the form of the event
(`syntax`); a 醒 that is due (`must-act`); `wall-empty` and `wall-left`; a compulsory claim or a
discard that is due (`priority` where another seat claims what ranks after it, else `must-act`);
`out-of-turn`; then what is wrong with the cards, in the order of notation.md's table.

Choices where notation.md leaves one: a discard by the wrong seat is `out-of-turn`, so is a claim
on a card that is not the open one; anything else in place of a due discard is `must-act`.
A 比 that does not hold the eaten card is `not-a-meld`; R5.8 is `stale`.
"""

from __future__ import annotations

from typing import Final

from engine.check_cards import (
    check_bare_hu,
    check_chi,
    check_discard,
    check_hu,
    check_kaiduo,
    check_peng,
    check_take,
)
from engine.claims import bare_hu, forced, has_choice, winning
from engine.deal import still_to_declare
from engine.errors import ZipaiError
from engine.events import SEATS, Event, Verb
from engine.legal import xing_wanted
from engine.state import Forced, Phase, State
from engine.words import NOTATION, cannot, compulsory, fault, name, nothing_to_pass, out_of_turn

NO_SEAT: Final = frozenset((Verb.DRAW, Verb.XING))
NO_CARD: Final = frozenset((Verb.DRAW, Verb.KEEP, Verb.PASS))
CLAIMS: Final = frozenset(
    (Verb.CHI, Verb.PENG, Verb.SAO, Verb.GUOSAO, Verb.SAOCHUAN, Verb.KAIDUO, Verb.HU)
)


def over(state: State) -> bool:
    """Whether the hand has ended.

    It has when nothing is due any more: after 荒, after a 胡 and the last 醒 that it turns. After
    a 胡 at the deal for which no 醒 is due (a shared win, or the unit 胡) equal others may still
    write theirs, but only where `must_win` is `always` does the hand wait for them.
    """
    if state.phase is Phase.DRAWN:
        return True
    if state.result is None:
        return False
    return state.rules.must_win != "always" or not still_to_declare(state)


def check(state: State, event: Event) -> None:
    """Returns if the event is legal here; else raises what notation.md calls it."""
    verb, seat, card, _, _ = event
    phase = state.phase
    if phase is Phase.WON or phase is Phase.DRAWN:
        _check_ended(state, event)
        return
    if _plainly_legal(state, event):
        return
    _check_form(state, event)
    if verb is Verb.FLIP or verb is Verb.DRAW:
        _check_wall(state, verb)
    elif verb is Verb.XING:
        raise fault("out-of-turn", "R8.1", "还没有人胡，不翻醒", "nobody has won: no 醒 is due")
    if phase is Phase.OPEN:
        _check_open(state, event)
        return
    assert seat is not None or verb is Verb.DRAW
    _check_declared(state, event)
    if verb is Verb.HU and check_bare_hu(state, event):
        return
    owing = state.discarder()
    if owing is not None:
        check_discard(state, event, owing)
    elif verb is Verb.FLIP and seat == state.following[state.turn]:
        _check_card(state, card)
    elif verb is not Verb.DRAW:
        raise out_of_turn(state, event)


def _plainly_legal(state: State, event: Event) -> bool:
    """The commonest events by the shortest way: a 打 that is due, a 摸 with nothing compulsory."""
    verb, seat, card, _, _ = event
    if card is None:
        return False
    if verb is Verb.PLAY:
        return (
            state.phase is Phase.DISCARD
            and state.bare is None
            and seat == state.turn
            and state.free[seat] >> 4 * card & 15 != 0
        )
    return (
        verb is Verb.FLIP
        and state.phase is Phase.OPEN
        and seat == state.following[state.giver]
        and state.wall_left > 0
        and state.drawn < len(state.wall)
        and state.wall[state.drawn] == card
        and forced(state) is None
    )


def _check_form(state: State, event: Event) -> None:
    verb, seat, card = event[0], event[1], event[2]
    if (seat is None) != (verb in NO_SEAT):
        raise _syntax(event, "缺了座位" if seat is None else "前面不写座位", "seat")
    if seat is not None and not 0 <= seat < state.seats:
        who = SEATS[seat] if 0 <= seat < len(SEATS) else str(seat)
        raise fault(
            "unknown-seat",
            "R2.2",
            f"这张 {state.seats} 人桌上没有 {who}",
            f"there is no {who} at this table of {state.seats}",
        )
    if verb is Verb.HU:
        if (card is None) != (state.card < 0):
            raise (
                _syntax(event, f"要写明胡哪张牌（亮着 {name(state.card)}）", "card")
                if card is None
                else _syntax(event, "没有亮着的牌，“胡”后面不写牌", "card")
            )
    elif (card is None) != (verb in NO_CARD):
        raise _syntax(event, "缺了牌" if card is None else "后面不写牌", "card")
    if seat is not None and seat not in state.playing:
        raise fault(
            "out-of-turn",
            "R2.2",
            f"{SEATS[seat]} 这一局坐醒，不上场",
            f"{SEATS[seat]} sits out this hand",
        )


def _syntax(event: Event, zh: str, what: str) -> ZipaiError:
    missing = (event.seat if what == "seat" else event.card) is None
    en = f"a {what} is missing" if missing else f"there is no {what} to name here"
    return fault("syntax", NOTATION, f"“{event}”：{zh}", f"“{event}”: {en}")


def _check_wall(state: State, verb: Verb) -> None:
    if verb is Verb.FLIP and not state.wall_left:
        raise fault(
            "wall-empty",
            "R4.6",
            "墩已经摸完，没人要就是荒庄",
            "the wall is empty: if nobody takes the card, the hand is drawn (荒)",
        )
    if verb is Verb.DRAW and state.wall_left:
        left = state.wall_left
        raise fault(
            "wall-left", "R4.6", f"墩里还有 {left} 张，不能荒", f"{left} cards are left in the wall"
        )


def _check_card(state: State, card: int | None) -> None:
    """Whether the turned card can be the wall's next."""
    assert card is not None
    known = state.next_known()
    if known is not None:
        if card != known:
            raise fault(
                "wall-mismatch",
                NOTATION,
                f"墩里下一张是 {name(known)}，不是 {name(card)}",
                f"the wall's next card is {name(known)}, not {name(card)}",
            )
    elif not state.rest >> 4 * card & 15:
        raise fault(
            "deck",
            "R1",
            f"四张{name(card)}都已经出现过，这是第五张",
            f"all four {name(card)} are accounted for: this is a fifth",
        )


def _check_open(state: State, event: Event) -> None:
    verb, seat, card = event[0], event[1], event[2]
    must = forced(state)
    if must is not None and _settled_by(state, event, must):
        return
    is_open = state.card
    if verb is Verb.FLIP:
        if seat != state.following[state.giver]:
            raise out_of_turn(state, event)
        _check_card(state, card)
        return
    if verb is Verb.DRAW:
        return
    if verb is Verb.PASS:
        if not has_choice(state, event.seat or 0):
            raise nothing_to_pass(event)
        return
    if verb not in CLAIMS:
        raise out_of_turn(state, event)
    if seat in state.declined:
        no_zh, no_en = cannot(event)
        raise fault(
            "out-of-turn",
            "R5.7",
            f"{no_zh}：已经写了过",
            f"{no_en}: this seat has passed the card (过)",
        )
    if card != is_open:
        no_zh, no_en = cannot(event)
        raise fault(
            "out-of-turn",
            "R5",
            f"{no_zh}：亮着的是 {name(is_open)}",
            f"{no_en}: the open card is {name(is_open)}",
        )
    _CHECKS[verb](state, event)


_CHECKS: Final = {
    Verb.CHI: check_chi,
    Verb.PENG: check_peng,
    Verb.SAO: check_take,
    Verb.GUOSAO: check_take,
    Verb.SAOCHUAN: check_take,
    Verb.KAIDUO: check_kaiduo,
    Verb.HU: check_hu,
}


def _settled_by(state: State, event: Event, must: Forced) -> bool:
    """Whether the event is the compulsory claim.

    False where it may stand beside it: where that is a 开舵, a 胡 or the 过 of one.
    """
    card = state.card
    verb, seat = event[0], event[1]
    if verb is must.verb and seat == must.seat and event[2] == card:
        return True
    if not must.alone:
        if verb is Verb.HU:
            return False
        if verb is Verb.PASS and _may_leave(state, event, must):
            return False
    rule, zh, en = compulsory(state, must)
    if verb in CLAIMS and seat != must.seat:
        raise fault("priority", rule, f"{zh}，排在“{event}”前面", f"{en}, before “{event}”")
    raise fault("must-act", rule, f"{zh}，这里不能“{event}”", f"{en}: “{event}” cannot come here")


def _must_declare(state: State) -> list[int]:
    """The seats that must declare a bare 胡 here (`must_win` is `always`; R7.5, R7.6)."""
    if state.rules.must_win != "always":
        return []
    if state.bare is not None:
        due = state.phase is not Phase.WON and bare_hu(state) >= state.rules.min_hu
        return [state.turn] if due else []
    return [win.seat for win in still_to_declare(state)]


def _check_declared(state: State, event: Event) -> None:
    """No card is open: raises unless a compulsory bare 胡 is written, where one is due."""
    seats = _must_declare(state)
    if not seats or (event.verb is Verb.HU and event.seat in seats):
        return
    rule = "R7.6" if state.bare is None else "R7.5"
    who = "、".join(SEATS[seat] for seat in seats)
    if event.verb is Verb.HU:
        raise fault("priority", rule, f"{who} 必须先胡", f"{who} must win first")
    raise fault(
        "must-act",
        rule,
        f"{who} 能胡必须胡，这里不能“{event}”",
        f"{who} can win and must: “{event}” cannot come here",
    )


def _check_ended(state: State, event: Event) -> None:
    verb, seat, card = event[0], event[1], event[2]
    if verb is Verb.HU and card is None and any(seat == w.seat for w in still_to_declare(state)):
        return
    if verb is Verb.XING and not state.wall_left and xing_wanted(state):
        raise fault(
            "wall-empty",
            "R8.4",
            "墩已经摸完，没有醒可翻",
            "the wall is empty: there is no 醒 to turn",
        )
    if over(state):
        raise fault("after-end", "R8.1", "这一局已经结束", "the hand is over")
    _check_declared(state, event)
    if verb is not Verb.XING:
        raise fault(
            "must-act",
            "R8.1",
            f"已经胡了，该翻醒，这里不能“{event}”",
            f"somebody has won and a 醒 is due: “{event}” cannot come here",
        )
    if card is None:
        raise _syntax(event, "缺了牌", "card")
    _check_card(state, card)


def _may_leave(state: State, event: Event, must: Forced) -> bool:
    """Whether the 过 leaves a 胡 that ranks before the compulsory 开舵."""
    seat = event.seat
    assert seat is not None
    return seat != must.seat and seat not in state.declined and seat in winning(state)
