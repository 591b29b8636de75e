"""Sentences about a hand in play, in Chinese and English, for whoever has to mend the record."""

from __future__ import annotations

from typing import Final

from engine import cards
from engine.errors import ZipaiError
from engine.events import SEATS, Event, Verb
from engine.state import Forced, State

ENGLISH: Final = {
    Verb.PLAY: "discard",
    Verb.FLIP: "flip",
    Verb.CHI: "eat (吃)",
    Verb.PENG: "碰",
    Verb.SAO: "扫",
    Verb.GUOSAO: "过扫",
    Verb.SAOCHUAN: "扫穿",
    Verb.KAIDUO: "open (开舵)",
    Verb.KEEP: "keep the discard (留)",
    Verb.HU: "win (胡)",
    Verb.DRAW: "call the hand drawn (荒)",
    Verb.XING: "turn a 醒",
    Verb.PASS: "pass (过)",
}
"""What each verb is in an English sentence."""

NOTATION: Final = "notation"
"""Stands for a rule where the notation decides."""

RULES: Final = {
    Verb.SAO: "R5.4",
    Verb.GUOSAO: "R5.4",
    Verb.SAOCHUAN: "R5.5",
    Verb.KAIDUO: "R5.6",
    Verb.HU: "R6",
}
"""The rule that makes a claim compulsory."""


def fault(code: str, rule: str, zh: str, en: str) -> ZipaiError:
    """The error whose sentences end with the number of the rule, where a rule decides."""
    end = f" ({rule})" if rule != NOTATION else ""
    return ZipaiError(code, rule, zh + end, en + end)


def names(of: tuple[int, ...]) -> str:
    """Cards run together."""
    return cards.text(of)


def name(card: int) -> str:
    """One card."""
    return cards.NAMES[card]


def holding(state: State, seat: int) -> tuple[str, str]:
    """What the seat holds in hand, as the end of a sentence."""
    held = names(tuple(cards.unpack(state.hands[seat]))) or "—"
    return f"；{SEATS[seat]} 手里是 {held}", f"; {SEATS[seat]} holds {held}"


def compulsory(state: State, must: Forced) -> tuple[str, str, str]:
    """Rule and half sentences that say what must be done first."""
    who, what = SEATS[must.seat], name(state.card)
    why_zh = why_en = ""
    if must.verb is Verb.GUOSAO:
        at = state.passed_peng[must.seat][state.card]
        why_zh, why_en = f"（第 {at} 手放过碰）", f" (a 碰 of it was let pass at event {at})"
    return (
        RULES[must.verb],
        f"{who} 必须先{must.verb} {what}{why_zh}",
        f"{who} must first {ENGLISH[must.verb]} {what}{why_en}",
    )


def cannot(event: Event) -> tuple[str, str]:
    """“丙 不能吃 玖” and the same in English."""
    what = "" if event.card is None else f" {name(event.card)}"
    who = "" if event.seat is None else f"{SEATS[event.seat]} "
    return f"{who}不能{event.verb}{what}", f"{who}cannot {ENGLISH[event.verb]}{what}"


def due(state: State) -> tuple[str, str]:
    """What the hand waits for, as a half sentence."""
    owing = state.discarder()
    if owing is not None:
        return f"该 {SEATS[owing]} 打牌", f"{SEATS[owing]} owes a discard"
    flipper = state.flipper()
    assert flipper is not None
    if state.card < 0:
        return f"该 {SEATS[flipper]} 摸牌", f"{SEATS[flipper]} flips next"
    card, giver = state.card, state.giver
    how_zh, how_en = ("摸出", "flipped") if state.was_flip else ("打出", "discarded")
    return (
        f"亮着 {SEATS[giver]} {how_zh}的 {name(card)}，没人要就轮到 {SEATS[flipper]} 摸",
        f"the {name(card)} that {SEATS[giver]} {how_en} is open; "
        f"if nobody takes it, {SEATS[flipper]} flips",
    )


def out_of_turn(state: State, event: Event, rule: str = "R4") -> ZipaiError:
    """The event has no place here."""
    if event.verb is Verb.PASS:
        return nothing_to_pass(event)
    no_zh, no_en = cannot(event)
    due_zh, due_en = due(state)
    return fault("out-of-turn", rule, f"{no_zh}：{due_zh}", f"{no_en}: {due_en}")


def nothing_to_pass(event: Event) -> ZipaiError:
    """过 without a claim."""
    assert event.seat is not None
    who = SEATS[event.seat]
    return fault("out-of-turn", "R5.7", f"{who} 没有可过的牌", f"{who} has nothing to pass here")
