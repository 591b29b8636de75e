"""A recorded hand to be watched, step by step, from above or from one seat, as plain values.

From a seat only what it can know is there (`engine.views.view`): the others' cards are a number,
and their 过, their waits and their choices are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from engine import cards
from engine.events import SEATS, Event, Verb
from engine.melds import Meld
from engine.result import meld_json
from engine.views import View
from scoring.asked import choices, grouped_cards, must_shown, seat_name
from scoring.replayed import CHANCE, CLAIMS, Passed, Replayed, Step

PLACES: Final = {2: ("me", "top"), 3: ("me", "right", "left"), 4: ("me", "right", "top", "left")}
"""Where who plays next, and next, sits around the table, by how many seats it has."""


@dataclass(frozen=True)
class Viewer:
    """A replay with who watches it: `seat` 0 … 3, None from above.

    `names` are by the record's seats.
    """

    replayed: Replayed
    names: Sequence[str]
    seat: int | None = None

    def numbers(self) -> list[int]:
        """The steps that can be seen, in order: another's 过 cannot."""
        return [0, *(number for number, event in self.replayed.events() if self._sees(event))]

    def nearest(self, asked: int) -> int:
        """The step asked for, or the last one before it that there is."""
        return max(number for number in self.numbers() if number <= max(asked, 0))

    def moves(self) -> list[dict[str, Any]]:
        """Every step with its words, claims marked, compulsory acts with their rule."""
        rows = [{"number": 0, "event": _("发完牌"), "is_claim": False, "rule": ""}]
        for number, event in self.replayed.events():
            if not self._sees(event):
                continue
            must = self.replayed.must(number - 1)
            is_done = must is not None and (must.verb, must.seat) == (event.verb, event.seat)
            rows.append(
                {
                    "number": number,
                    "event": str(event),
                    "is_claim": event.verb in CLAIMS,
                    "rule": must.rule if must is not None and is_done else "",
                }
            )
        return rows

    def around(self) -> list[dict[str, Any]]:
        """The places around the table with room for all that comes to lie there: from who watches
        on in playing order, seen from above from 甲 on."""
        last = self.replayed.step(len(self.replayed))
        count = len(last.seats)
        first = self.seat or 0
        places = []
        for place, area in enumerate(PLACES[count]):
            seat = (first + place) % count
            lying = last.seats[seat]
            places.append(
                {
                    "place": place,
                    "area": area,
                    "name": self._name(seat),
                    "melds": [range(len(meld.cards)) for meld in lying.table],
                    "pile": range(len(lying.pile)),
                    "is_out": not (lying.hand or lying.table),
                }
            )
        return places

    def step(self, number: int) -> dict[str, Any]:
        """All that is shown of one step that can be seen."""
        step = self.replayed.step(number)
        numbers = self.numbers()
        seen = None if self.seat is None else self.replayed.view(number, self.seat)
        waits = self._waits(step)
        count = len(step.seats)
        first = self.seat or 0
        return {
            "number": number,
            "last": len(self.replayed),
            "is_last": number == numbers[-1],
            "caption": self.caption(step.event),
            "seats": [
                self._lying(step, (first + place) % count, seen, waits) for place in range(count)
            ],
            "open": None
            if step.open is None
            else {
                "card": cards.NAMES[step.open.card],
                "who": self._name(step.open.seat),
                "was_flip": step.open.was_flip,
            },
            "wall_left": step.wall_left,
            "turned": cards.text(step.turned),
            "said": self._said(step),
            "waits": waits,
        }

    def caption(self, event: Event | None) -> str:
        """What happened, in a few words: “乙 王二 碰 五”."""
        if event is None:
            return _("发完牌")
        words = str(event)
        return words if event.seat is None else f"{self._name(event.seat)}{words[1:]}"

    def _name(self, seat: int) -> str:
        return seat_name(seat, self.names)

    def _sees(self, event: Event) -> bool:
        return self.seat is None or event.verb is not Verb.PASS or event.seat == self.seat

    def _waits(self, step: Step) -> list[dict[str, Any]]:
        """Who waits for what after the step, of the seats into whose cards he sees."""
        if self.replayed.due(step.number) is None:
            return []
        rows = []
        for seat, lying in enumerate(step.seats):
            if not lying.hand or self.seat not in (None, seat):
                continue
            found = self.replayed.waits(step.number, seat)
            if found:
                rows.append(
                    {
                        "seat": seat,
                        "name": self._name(seat),
                        "cards": grouped_cards(found),
                        "left": sum(one.left for one in found),
                    }
                )
        return rows

    def _lying(
        self, step: Step, seat: int, seen: View | None, waits: list[dict[str, Any]]
    ) -> dict[str, Any]:
        lying = step.seats[seat]
        dealer = self.replayed.record.dealer
        shown = self.replayed.shown if seat == dealer and not step.number else None
        if seen is None or seat == self.seat:
            hand, hidden = lying.hand if seen is None else seen.hand, 0
        else:
            hand = () if shown is None else (shown,)
            hidden = seen.sizes[seat] - len(hand)
        return {
            "name": self._name(seat),
            "is_dealer": seat == dealer,
            "is_due": self.replayed.due(step.number) == seat,
            "acts": step.actor == seat,
            "won": seat in self.replayed.winners(step.number),
            "count": len(lying.hand),
            "hand": cards.text(hand),
            "hidden": hidden,
            "shown": "" if shown is None or hidden else cards.NAMES[shown],
            "melds": _melds(lying.table, step.melds if step.actor == seat else ()),
            "pile": cards.text(lying.pile),
            "waits": next((one["left"] for one in waits if one["seat"] == seat), None),
            "is_out": not (lying.hand or lying.table),
        }

    def _said(self, step: Step) -> dict[str, Any]:
        """The rule that was in force, what else could have been, and what was let pass."""
        if step.event is None:
            return {"passed": []}
        must = must_shown(step)
        passed = [
            self._passed(one)
            for one in self.replayed.passed(step.number)
            if self.seat in (None, one.seat)
        ]
        could: Sequence[Event] = step.could
        others: Sequence[Event] = step.others
        actor = step.actor
        if self.seat is not None:
            could, others, actor = self._own(step)
            if step.must is not None and must and not must["is_done"]:
                must = must if step.must.seat == self.seat else None
        return {
            "must": must,
            "is_done": bool(must and must["is_done"]),
            "could": choices(could),
            "others": choices(others),
            "may_leave": step.may_leave and actor is not None,
            "actor": "" if actor is None else self._name(actor),
            "passed": passed,
        }

    def _own(self, step: Step) -> tuple[Sequence[Event], Sequence[Event], int | None]:
        """What the seat itself could have done: as who acted, or as one who did not."""
        assert self.seat is not None
        assert step.event is not None
        options = [
            one
            for one in self.replayed.view(step.number - 1, self.seat).options
            if one.verb not in CHANCE and one.verb is not Verb.PASS and one != step.event
        ]
        is_own = step.event.seat == self.seat
        return (options, (), self.seat) if is_own else ((), options, None)

    def _passed(self, one: Passed) -> dict[str, str]:
        card = cards.NAMES[one.card]
        is_shared = self.replayed.rules.passed == "shared"
        pattern = {
            Verb.HU: _("%(who)s 可以胡 %(card)s，没有胡：以后照样能胡"),
            Verb.PENG: _("%(who)s 可以碰 %(card)s，没有碰：以后不能再碰，自己摸到就是过扫"),
            Verb.CHI: _("%(who)s 可以吃 %(card)s，没有吃：以后不能再吃"),
        }[one.verb]
        if is_shared and one.verb is not Verb.HU:
            pattern = _("%(who)s 可以%(verb)s %(card)s，没有%(verb)s：以后吃、碰都不能了")
        words = {"who": self._name(one.seat), "card": card, "verb": str(one.verb)}
        return {"text": pattern % words, "rule": "R5.7"}


def seat_of(letter: str, seats: int) -> int | None:
    """甲 … 丁 as a seat of a table of so many; anything else watches from above."""
    found = SEATS.find(letter) if len(letter) == 1 else -1
    return found if 0 <= found < seats else None


def _melds(table: Sequence[Meld], laid: Sequence[Meld]) -> list[dict[str, Any]]:
    """The melds of a seat, those that the step has laid marked."""
    fresh = list(laid)
    rows = []
    for meld in reversed(table):
        is_fresh = meld in fresh
        if is_fresh:
            fresh.remove(meld)
        rows.append(meld_json(meld) | {"is_fresh": is_fresh})
    return rows[::-1]
