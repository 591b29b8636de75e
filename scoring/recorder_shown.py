"""What the recorder's page shows of a draft: the places of the deal, the table, what may come."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engine import cards
from engine.claims import forced
from engine.events import SEATS, Event, Verb
from engine.legal import possible
from engine.play import Hand
from engine.state import Phase
from engine.words import compulsory
from scoring.explained import arithmetic
from scoring.recorder import SHOWN, WALL, Draft

RECENT = 6
"""Events that the page shows without being asked."""

Names = Sequence[str]


def _in_language(zh: str, en: str) -> str:
    return zh if (get_language() or "zh").startswith("zh") else en


def _called(names: Names) -> Callable[[str], str]:
    def label(place: str) -> str:
        if place == SHOWN:
            return _("亮张")
        return _("墩") if place == WALL else f"{place} {names[SEATS.index(place)]}"

    return label


def dealing(draft: Draft, names: Names, place: str) -> dict[str, Any]:
    """The deal as far as it goes, with `place` open to be tapped (the first that wants cards)."""
    label = _called(names)
    place = place if place in draft.places else draft.open_place
    rows = []
    for one in draft.places:
        held, wanted = draft.held(one), draft.wanted(one)
        rows.append(
            {
                "place": one,
                "label": label(one),
                "cards": cards.text(held),
                "sorted": cards.text(held if one == WALL else sorted(held)),
                "have": len(held),
                "wanted": wanted,
                "is_full": len(held) >= wanted,
                "is_optional": one == WALL,
                "is_open": one == place,
                "deals": one in (SEATS[draft.dealer], SHOWN),
            }
        )
    left = draft.left
    full = len(draft.held(place)) >= draft.wanted(place)
    return {
        "places": rows,
        "place": place,
        "label": label(place),
        "tiles": [
            {"card": cards.NAMES[c], "left": left[c], "off": full or left[c] < 1}
            for c in range(cards.KINDS)
        ],
        "can_start": draft.open_place == WALL,
    }


def table(draft: Draft, names: Names) -> dict[str, Any]:
    """The table as it lies."""
    hand = draft.played.hand
    open_ = hand.open
    acting = hand.discarder()
    if acting is None:
        acting = hand.flipper()
    return {
        "seats": [_seat(hand, seat, names, acting) for seat in hand.playing],
        "wall": hand.wall_left,
        "open": None
        if open_ is None
        else {
            "card": cards.NAMES[open_.card],
            "who": f"{SEATS[open_.seat]} {names[open_.seat]}",
            "was_flip": open_.was_flip,
        },
        "turned": cards.text(hand.turned),
        "number": hand.number,
    }


def _seat(hand: Hand, seat: int, names: Names, acting: int | None) -> dict[str, Any]:
    over = hand.phase in (Phase.WON, Phase.DRAWN)
    return {
        "seat": SEATS[seat],
        "name": names[seat],
        "deals": seat == hand.dealer,
        "is_due": seat == acting and not over,
        "won": seat in hand.winners,
        "hand": cards.text(cards.unpack(hand.hands[seat])),
        "count": cards.size(hand.hands[seat]),
        "melds": [
            {"kind": str(meld.kind), "cards": cards.text(meld.cards), "hu": meld.hu}
            for meld in hand.tables[seat]
        ],
        "pile": cards.text(hand.piles[seat]),
        "shown": cards.NAMES[hand.shown]
        if seat == hand.dealer and not hand.events and hand.phase is Phase.START
        else "",
    }


def offers(draft: Draft, names: Names) -> dict[str, Any]:
    """Every legal event as buttons, in groups; what is compulsory first, with its rule.

    `must` is the one claim that has to come unless somebody wins instead, `claims` 胡, 碰 and 吃,
    `plays` the discards, `keep` 留, `flips` and `xings` the card that the wall turns (one where
    it is known), `draw` 荒, `passes` 过.
    """
    played = draft.played
    hand = played.hand
    found: dict[str, Any] = {
        "must": None,
        "claims": [],
        "plays": [],
        "keep": None,
        "flips": [],
        "xings": [],
        "draw": None,
        "passes": [],
        "who": "",
        "is_known": hand.next_known() is not None,
    }
    if played.error is not None:
        return found
    must = forced(hand) if hand.phase is Phase.OPEN else None
    for event in hand.legal():
        button = _button(hand, event, names)
        verb = event.verb
        if verb is Verb.PLAY:
            found["plays"].append(button)
            found["who"] = button["who"]
        elif verb is Verb.FLIP:
            found["flips"].append(button)
            found["who"] = button["who"]
        elif verb is Verb.XING:
            found["xings"].append(button)
        elif verb is Verb.DRAW:
            found["draw"] = button
        elif verb is Verb.KEEP:
            found["keep"] = button
        elif verb is Verb.PASS:
            found["passes"].append(button)
        elif must is not None and (verb, event.seat) == (must.verb, must.seat):
            rule, zh, en = compulsory(hand, must)
            found["must"] = {**button, "rule": rule, "why": _in_language(zh, en)}
        else:
            found["claims"].append(button)
    found["tiles"] = _tiles(hand, found["flips"] or found["xings"])
    return found


def _button(hand: Hand, event: Event, names: Names) -> dict[str, Any]:
    seat, card = event.seat, event.card
    laid: list[tuple[int, ...]] = []
    if card is not None and event.pair:
        laid = [tuple(sorted((card, *event.pair))), *event.bi]
    return {
        "line": str(event),
        "verb": str(event.verb),
        "who": "" if seat is None else f"{SEATS[seat]} {names[seat]}",
        "card": "" if card is None else cards.NAMES[card],
        "groups": [cards.text(group) for group in laid],
    }


def _tiles(hand: Hand, buttons: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The 20 cards as keys where the wall's next card is not known."""
    if hand.next_known() is not None or not buttons:
        return []
    by_card = {button["card"]: button["line"] for button in buttons}
    left = {c: cards.count(hand.rest, c) for c in possible(hand)}
    return [
        {"card": cards.NAMES[c], "left": left.get(c, 0), "line": by_card.get(cards.NAMES[c], "")}
        for c in range(cards.KINDS)
    ]


def log(draft: Draft) -> dict[str, Any]:
    """The events so far: the newest with their numbers, what followed by itself and why."""
    played = draft.played
    events = [str(event) for event in played.hand.events]
    first = max(0, len(events) - RECENT)
    followed = [
        {"line": one.line, "rule": one.rule, "why": _in_language(one.zh, one.en)}
        for one in played.followed
    ]
    return {
        "recent": [{"number": i, "line": line} for i, line in enumerate(events[first:], first + 1)],
        "followed": followed,
        "stray": played.stray,
        "error": "" if played.error is None else _in_language(played.error.zh, played.error.en),
        "text": draft.text(),
    }


def ended(draft: Draft, names: Names) -> dict[str, Any] | None:
    """The result of a hand that is over, as `partials/explained.html` wants it."""
    hand = draft.played.hand
    if not hand.over or hand.result is None or draft.played.error is not None:
        return None
    computed = hand.result.as_json()
    won = [f"{SEATS[s]} {names[s]}" for s in hand.winners]
    drawn = not won
    melds = [] if drawn else computed["melds"]
    return {
        "anchor": "result",
        "title": _("结果"),
        "outcome": _("荒庄") if drawn else _("%(who)s 胡") % {"who": _("、").join(won)},
        "melds": melds,
        "card": "" if drawn else computed["card"] or "",
        "xing_cards": cards.text(hand.turned),
        "sum": arithmetic(computed, draft.rules),
        "deltas": [
            {"name": names[s], "delta": hand.result.deltas[s]} for s in range(draft.rules.seats)
        ],
    }
