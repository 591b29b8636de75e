"""The oracle's view of a hand: everything read off the deal and the history, nothing kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache

from engine.events import Event, Verb
from engine.rules import Rules
from tests.engine.slow_evaluate import QUADS, Group

asked_often = lru_cache(maxsize=1 << 12)
"""For questions about a state that every candidate asks again; a `State` never changes."""


class State:
    """A deal and what has happened since; never changed, `after` makes the next."""

    def __init__(
        self,
        rules: Rules,
        dealer: int,
        deal: Mapping[int, Sequence[int]],
        wall: Sequence[int] = (),
        events: tuple[Event, ...] = (),
        before: State | None = None,
    ) -> None:
        self.rules = rules
        self.dealer = dealer
        self.deal = deal
        self.wall = wall
        self.events = events
        self.before = before
        self.playing = [s for s in range(rules.seats) if rules.seats < 4 or s != (dealer + 2) % 4]

    def after(self, event: Event) -> State:
        """The state once this event has happened (whether it is allowed is not asked)."""
        return State(self.rules, self.dealer, self.deal, self.wall, (*self.events, event), self)

    def next_seat(self, seat: int) -> int:
        """The next playing seat."""
        seat = (seat + 1) % self.rules.seats
        return seat if seat in self.playing else self.next_seat(seat)

    def order_from(self, seat: int) -> list[int]:
        """The playing seats in playing order, `seat` first."""
        seats = [seat]
        while len(seats) < len(self.playing):
            seats.append(self.next_seat(seats[-1]))
        return seats

    @cached_property
    def holdings(self) -> dict[int, tuple[Counter[int], list[Group]]]:
        """Each seat's hand and table, from the whole history."""
        hands = {s: Counter(self.deal[s]) for s in self.playing}
        tables: dict[int, list[Group]] = {s: [] for s in self.playing}
        for verb, seat, card, pair, bi in self.events:
            if seat is None or card is None or verb in (Verb.FLIP, Verb.HU):
                continue
            hand, table = hands[seat], tables[seat]
            if verb == Verb.PLAY:
                hand[card] -= 1
            elif verb == Verb.CHI:
                hand.subtract(pair)
                table.append(("吃", tuple(sorted((card, *pair)))))
                for group in bi:
                    hand.subtract(group)
                    table.append(("吃", group))
            elif verb in (Verb.PENG, Verb.SAO, Verb.GUOSAO):
                hand[card] -= 2
                table.append((str(verb), (card,) * 3))
            else:
                if hand[card] == 3:
                    hand[card] = 0
                else:
                    threes = [g for g in table if g[1] == (card,) * 3]
                    table.remove(threes[0])
                table.append((str(verb), (card,) * 4))
        return {s: (+hands[s], tables[s]) for s in self.playing}

    def hand(self, seat: int) -> Counter[int]:
        """The seat's hand."""
        return self.holdings[seat][0]

    def table(self, seat: int) -> list[Group]:
        """The seat's melds on the table."""
        return self.holdings[seat][1]

    def cards(self, seat: int) -> list[int]:
        """The seat's hand as a list."""
        return sorted(self.hand(seat).elements())

    @cached_property
    def unlocked_cards(self) -> dict[int, Counter[int]]:
        """R2.3: each hand without 坎 and 龙."""
        return {s: Counter({c: n for c, n in self.hand(s).items() if n < 3}) for s in self.playing}

    def unlocked(self, seat: int) -> Counter[int]:
        """R2.3: the hand without 坎 and 龙."""
        return self.unlocked_cards[seat]

    def quads(self, seat: int) -> int:
        """R4.3: how many 扫穿, 开舵 and 龙 the seat has."""
        on_table = sum(kind in QUADS for kind, _ in self.table(seat))
        return on_table + sum(n == 4 for n in self.hand(seat).values())

    @cached_property
    def last(self) -> Event | None:
        """The last event that was not 过."""
        rest = [e for e in self.events if e.verb != Verb.PASS]
        return rest[-1] if rest else None

    @cached_property
    def ended_by(self) -> Verb | None:
        """胡 or 荒 once there was one."""
        ends = [e.verb for e in self.events if e.verb in (Verb.HU, Verb.DRAW)]
        return ends[0] if ends else None

    @cached_property
    def gave_up(self) -> set[int]:
        """Who has written 过 for the open card."""
        seats = set()
        for event in reversed(self.events):
            if event.verb != Verb.PASS:
                break
            seats.add(event.seat)
        return seats

    @cached_property
    def open_card(self) -> int | None:
        """The card just discarded or flipped, None once it is taken."""
        if self.last is not None and self.last.verb in (Verb.PLAY, Verb.FLIP):
            return self.last.card
        return None

    def turned(self) -> list[int]:
        """The wall's cards turned so far, those for 醒 included."""
        return [e.card for e in self.events if e.verb in (Verb.FLIP, Verb.XING)]

    def wall_left(self) -> int:
        """How many cards the wall still has, counted from 80."""
        return 80 - sum(len(self.deal[s]) for s in self.playing) - len(self.turned())

    def may_turn(self, card: int) -> bool:
        """Whether the wall's next card can be this one."""
        turned = self.turned()
        if len(turned) < len(self.wall):
            return self.wall[len(turned)] == card
        seen = Counter(turned)
        for s in self.playing:
            seen.update(self.deal[s])
        return self.wall_left() > 0 and seen[card] < 4
