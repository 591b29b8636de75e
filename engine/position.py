"""A hand in play as one line, for bug reports and tests, and back.

`zp1` and words of the form key=value, without blanks inside:

    zp1 rules=local;seats=3 dealer=甲 shown=捌 event=4 phase=open turn=乙 open=七摸@3 declined=丙
    bare=… winners=… turned=… wall=五壹 甲=一二三|碰八八八,吃三四五|九|玖@2|||留 乙=… 丙=…

`event` is the number of the next event, `wall` what is known of the wall from here on. A seat has
its hand, table, pile, what R5.7 bars of 吃 and of 碰, what R5.8 bars (each card with the event
at which it happened), and 留 where it may still keep a discard. Words that would be empty are
left out. The events before are not in it.
"""

from __future__ import annotations

from typing import Final

from engine import cards, endings
from engine.deal import check_deck, longs
from engine.errors import ZipaiError
from engine.events import SEATS
from engine.melds import (
    CHI,
    GUOSAO,
    KAIDUO,
    PENG,
    QUADS,
    SAO,
    SAOCHUAN,
    Kind,
    Meld,
)
from engine.options import OPTIONS
from engine.result import Result
from engine.rules import PRESETS, Rules, preset
from engine.settle import playing_seats
from engine.state import FULL, Marks, Phase, State, seating, unlocked

MAGIC: Final = "zp1"
_SAME: Final = {
    Kind.SAO: SAO,
    Kind.GUOSAO: GUOSAO,
    Kind.SAOCHUAN: SAOCHUAN,
    Kind.KAIDUO: KAIDUO,
}
_TRIPLES: Final = (Kind.PENG, Kind.SAO, Kind.GUOSAO)
_OPENED: Final = {True: "摸", False: "打"}


def write(state: State) -> str:
    """The position line of a hand in play."""
    words = {
        "rules": _write_rules(state.rules),
        "dealer": SEATS[state.dealer],
        "shown": cards.NAMES[state.shown],
        "event": str(state.number),
        "phase": str(state.phase),
        "turn": SEATS[state.turn],
    }
    if state.open is not None:
        card, seat, was_flip = state.open
        words["open"] = f"{cards.NAMES[card]}{SEATS[seat]}{_OPENED[was_flip]}@{state.opened_at}"
    words["declined"] = _seats(state.declined)
    words["bare"] = "" if state.bare is None else cards.NAMES[state.bare]
    words["winners"] = _seats(state.winners)
    words["turned"] = cards.text(state.turned)
    words["wall"] = cards.text(state.wall[state.drawn :])
    for seat in state.playing:
        words[SEATS[seat]] = "|".join(
            (
                cards.text(cards.unpack(state.hands[seat])),
                ",".join(f"{kind}{cards.text(of)}" for kind, of, _ in state.tables[seat]),
                cards.text(state.piles[seat]),
                _marks(state.passed_chi[seat]),
                _marks(state.passed_peng[seat]),
                _marks(state.thrown[seat]),
                "留" if state.may_keep[seat] else "",
            )
        )
    return " ".join([MAGIC, *(f"{key}={value}" for key, value in words.items() if value)])


def _write_rules(rules: Rules) -> str:
    """The nearest preset and what differs from it, `seats` included."""
    nearest = min(PRESETS, key=lambda name: len(rules.differences(PRESETS[name])))
    differing = rules.differences(PRESETS[nearest])
    options = [f"{k}={OPTIONS[k].write(v).replace(' ', '')}" for k, v in differing.items()]
    return ";".join([nearest, *options])


def _seats(seats: tuple[int, ...]) -> str:
    return "".join(SEATS[seat] for seat in seats)


def _marks(marks: Marks) -> str:
    return ",".join(f"{cards.NAMES[card]}@{marks[card]}" for card in sorted(marks))


def read(state: State, text: str) -> None:
    """Makes `state` the hand of a position line.

    Raises `syntax` for a line that is none, `unknown-card`, `unknown-rules` or `bad-option` for
    its words, `deck` for more than four of a card.
    """
    try:
        magic, *words = text.split()
        if magic != MAGIC:
            raise ValueError(magic)
        _read(state, dict(word.split("=", 1) for word in words))
    except (ValueError, KeyError, IndexError, AssertionError, StopIteration) as error:
        raise ZipaiError(
            "syntax", "notation", f"这一行不是牌局状态：{text}", f"this is no position line: {text}"
        ) from error


def _read(state: State, words: dict[str, str]) -> None:
    rules = _read_rules(words["rules"])
    state.rules, state.seats = rules, rules.seats
    state.dealer = SEATS.index(words["dealer"])
    state.playing = playing_seats(rules.seats, state.dealer)
    state.following, state.order = seating(rules.seats, state.playing)
    state.deal = ()
    state.shown = cards.parse(words["shown"])
    state.events = []
    state.before = int(words["event"]) - 1
    _read_seats(state, words)
    _read_open(state, words.get("open", ""))
    state.phase = Phase(words["phase"])
    state.turn = SEATS.index(words["turn"])
    state.declined = tuple(SEATS.index(seat) for seat in words.get("declined", ""))
    state.bare = cards.parse(words["bare"]) if "bare" in words else None
    state.winners = tuple(SEATS.index(seat) for seat in words.get("winners", ""))
    state.turned = _cards(words.get("turned", ""))
    state.wall, state.drawn = _cards(words.get("wall", "")), 0
    _count_cards(state)
    state.result = None
    state._waits = [None] * state.seats
    state._legal = ()
    state._deal_wins = None
    if state.phase is Phase.WON:
        endings.settle(state)
    elif state.phase is Phase.DRAWN:
        state.result = Result.drawn(state.dealer, state.rules)
    elif (state.phase is Phase.OPEN) != (state.card >= 0):
        raise ValueError(state.phase)


def _count_cards(state: State) -> None:
    """What is left in the wall, and of which cards nothing is known."""
    located = [c for hand in state.hands for c in cards.unpack(hand)]
    located += [c for table in state.tables for meld in table for c in meld.cards]
    located += [c for pile in state.piles for c in pile]
    located += [*state.turned, *([] if state.card < 0 else [state.card])]
    check_deck([*located, *state.wall])
    state.wall_left = cards.DECK - len(located)
    state.rest = FULL - cards.pack(located) - cards.pack(state.wall)


def _read_rules(text: str) -> Rules:
    name, *options = text.split(";")
    return preset(name).with_options(dict(option.split("=", 1) for option in options))


def _read_open(state: State, text: str) -> None:
    state.close()
    if text:
        what, at = text.split("@")
        card, seat, how = tuple(what)
        state.show(cards.parse(card), SEATS.index(seat), how == _OPENED[True], int(at))


def _read_seats(state: State, words: dict[str, str]) -> None:
    hands, tables, piles, keep = [], [], [], []
    marks: tuple[list[Marks], list[Marks], list[Marks]] = [], [], []
    for seat in range(state.seats):
        fields = words[SEATS[seat]] if seat in state.playing else "||||||"
        held, table, pile, *barred, kept = fields.split("|")
        hands.append(cards.pack(_cards(held)))
        tables.append(tuple(_meld(state.rules, word) for word in table.split(",") if word))
        piles.append(_cards(pile))
        for found, text in zip(marks, barred, strict=True):
            found.append(_read_marks(text))
        keep.append(bool(kept))
    state.hands, state.tables, state.piles = hands, tables, piles
    state.free = [unlocked(hand) for hand in hands]
    state.passed_chi, state.passed_peng, state.thrown = marks
    state.may_keep = keep
    state.quads = [
        longs(hand) + sum(meld.kind in QUADS for meld in table)
        for hand, table in zip(hands, tables, strict=True)
    ]
    state.triples = {
        meld.cards[0]: (seat, meld.kind)
        for seat, table in enumerate(tables)
        for meld in table
        if meld.kind in _TRIPLES
    }


def _cards(text: str) -> tuple[int, ...]:
    return tuple(cards.parse(char) for char in text)


def _meld(rules: Rules, word: str) -> Meld:
    for kind in (Kind.GUOSAO, Kind.SAOCHUAN, Kind.KAIDUO, Kind.CHI, Kind.PENG, Kind.SAO):
        if word.startswith(kind):
            break
    of = _cards(word[len(kind) :])
    if kind is Kind.CHI:
        return CHI[of]
    meld = (PENG[rules.peng_points] if kind is Kind.PENG else _SAME[kind])[of[0]]
    if meld.cards != of:
        raise ValueError(word)
    return meld


def _read_marks(text: str) -> Marks:
    pairs = [word.split("@") for word in text.split(",") if word]
    return {cards.parse(card): int(at) for card, at in pairs}
