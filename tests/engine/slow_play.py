"""The oracle of play: which events a hand allows, from rules.md and notation.md alone.

Slow and plain on purpose, and without `engine.play`. A `State` is a deal and the events since;
hands, tables, 臭牌 and whose turn it is are read off that history anew in every state.
`legal_events(state)` tries every event that could be written and keeps those that `allowed`
lets through, so that nothing is legal merely because it was generated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations_with_replacement

from engine.events import Event, Verb
from engine.rules import Rules
from tests.engine.slow_evaluate import QUADS, RUNS, Group, group_hu, slow_best, slow_listening

SAO_VERBS = (Verb.SAO, Verb.GUOSAO, Verb.SAOCHUAN)
EDIBLE = [
    *(tuple(first + r - 1 for r in run) for first in (0, 10) for run in RUNS),
    *((r, r, r + 10) for r in range(10)),
    *((r, r + 10, r + 10) for r in range(10)),
]
"""R5.1: every group that can be eaten or laid as 比, its cards ascending."""


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
        self.playing = [
            s for s in range(rules.seats) if rules.seats < 4 or s != (dealer + 2) % 4
        ]

    def after(self, event: Event) -> State:
        """The state once this event has happened (whether it is allowed is not asked)."""
        return State(
            self.rules, self.dealer, self.deal, self.wall, (*self.events, event), self
        )

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

    def unlocked(self, seat: int) -> Counter[int]:
        """R2.3: the hand without 坎 and 龙."""
        return Counter({c: n for c, n in self.hand(seat).items() if n < 3})

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
    def gave_up(self) -> set[int]:
        """Who has written 过 for the open card."""
        seats = set()
        for event in reversed(self.events):
            if event.verb != Verb.PASS:
                break
            seats.add(event.seat)
        return seats

    @property
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

    @cached_property
    def passed(self) -> set[tuple[int, str, int]]:
        """R5.7: who has let pass what (吃 or 碰) of which card."""
        if self.before is None:
            return set()
        old, event, passed = self.before, self.events[-1], set(self.before.passed)
        card = old.open_card
        if card is None or event.verb not in (Verb.CHI, Verb.FLIP):
            return passed
        for s in self.playing:
            if could_peng(old, s) and not (event.verb == Verb.CHI and s == event.seat):
                passed.add((s, "碰", card))
            flipped_it = old.last.verb == Verb.FLIP and old.last.seat == s
            if could_chi(old, s):
                if event.verb == Verb.FLIP or (s != event.seat and flipped_it):
                    passed.add((s, "吃", card))
        return passed

    def stale(self, seat: int, claim: str, card: int) -> bool:
        """R5.7: whether this 吃 or 碰 is barred by one let pass."""
        claims = ("吃", "碰") if self.rules.passed == "shared" else (claim,)
        return any((seat, c, card) in self.passed for c in claims)


def legal_events(state: State) -> set[str]:
    """The canonical lines of all events that the rules allow in this state."""
    return {str(event) for event in legal(state)}


def legal(state: State) -> list[Event]:
    """The events that the rules allow in this state."""
    return [event for event in candidates(state) if allowed(state, event)]


def candidates(state: State) -> Iterator[Event]:
    """Every event that can be written, claims of a card that is not open left out."""
    yield Event(Verb.DRAW)
    for card in range(20):
        yield Event(Verb.XING, None, card)
    open_card = state.open_card
    for seat in range(state.rules.seats):
        for verb in (Verb.KEEP, Verb.PASS, Verb.HU):
            yield Event(verb, seat)
        for card in range(20):
            yield Event(Verb.PLAY, seat, card)
            yield Event(Verb.FLIP, seat, card)
        if open_card is not None:
            for verb in (Verb.PENG, *SAO_VERBS, Verb.KAIDUO, Verb.HU):
                yield Event(verb, seat, open_card)
            yield from chi_candidates(seat, open_card)


def chi_candidates(seat: int, card: int) -> Iterator[Event]:
    """Every 吃 of the card that can be written, with up to two 比."""
    groups = [group for group in EDIBLE if card in group]
    for group in groups:
        pair = list(group)
        pair.remove(card)
        for size in range(3):
            for bi in combinations_with_replacement(sorted(groups), size):
                yield Event(Verb.CHI, seat, card, tuple(pair), bi)


def allowed(state: State, event: Event) -> bool:
    """Whether the rules let this event happen now."""
    if event.seat is not None and event.seat not in state.playing:
        return False
    verbs = [e.verb for e in state.events]
    if Verb.DRAW in verbs:
        return False
    if Verb.HU in verbs:
        return allowed_after_win(state, event)
    if state.open_card is not None:
        return allowed_on_open_card(state, event, state.open_card)
    return allowed_on_turn(state, event)


# An open card


def allowed_on_open_card(state: State, event: Event, card: int) -> bool:
    """R6: in the order of claims."""
    verb, seat = event.verb, event.seat
    giver = state.last.seat
    flipped = state.last.verb == Verb.FLIP
    sweep = forced_sweep(state)
    if sweep is not None:
        return event == sweep

    first = giver if flipped else state.next_seat(giver)
    winners = [s for s in state.order_from(first) if can_win(state, s) and s not in state.gave_up]
    must_win = state.rules.must_win
    if winners and (must_win == "always" or (must_win == "discard" and not flipped)):
        return event == Event(Verb.HU, winners[0], card)
    if verb == Verb.HU:
        return event.card == card and seat in winners

    openers = [s for s in state.playing if can_open(state, s)]
    if openers:
        if verb == Verb.PASS:
            return seat in winners and seat not in openers
        return verb == Verb.KAIDUO and event.card == card and seat in openers

    if verb == Verb.FLIP:
        return seat == state.next_seat(giver) and state.may_turn(event.card)
    if verb == Verb.DRAW:
        return state.wall_left() == 0
    if seat in state.gave_up:
        return False
    if verb == Verb.PASS:
        return seat in winners or could_peng(state, seat) or could_chi(state, seat)
    if verb == Verb.PENG:
        return event.card == card and could_peng(state, seat)
    if verb == Verb.CHI:
        return event.card == card and may_chi(state, event)
    return False


def forced_sweep(state: State) -> Event | None:
    """R5.4, R5.5: the 扫, 过扫 or 扫穿 that the flipper owes."""
    verb, seat, card = state.last[:3]
    if verb != Verb.FLIP:
        return None
    if state.hand(seat)[card] == 2:
        if (seat, "碰", card) in state.passed:
            return Event(Verb.GUOSAO, seat, card)
        return Event(Verb.SAO, seat, card)
    if state.hand(seat)[card] == 3 or swept(state, seat, card):
        return Event(Verb.SAOCHUAN, seat, card)
    return None


def swept(state: State, seat: int, card: int) -> bool:
    """Whether a 扫 or 过扫 of the card lies on the seat's table."""
    return any((kind, (card,) * 3) in state.table(seat) for kind in ("扫", "过扫"))


def can_win(state: State, seat: int) -> bool:
    """R7: whether the open card wins for this seat, `min_hu` included."""
    if state.last.verb == Verb.PLAY:
        if seat == state.last.seat:
            return False
        source = "discard"
    else:
        source = "own-flip" if seat == state.last.seat else "flip"
    hu = slow_best(state.cards(seat), state.table(seat), state.open_card, source, state.rules)
    return hu is not None and hu >= state.rules.min_hu


def can_open(state: State, seat: int) -> bool:
    """R5.6: whether the open card opens something of this seat's."""
    card, flipped, own = state.open_card, state.last.verb == Verb.FLIP, seat == state.last.seat
    others_flip = flipped and not own
    others_discard = not flipped and not own
    if state.hand(seat)[card] == 3:
        return others_flip or others_discard
    if swept(state, seat, card):
        return others_flip or (
            others_discard and state.rules.sao_opens_on == "flip-or-discard"
        )
    if ("碰", (card,) * 3) in state.table(seat):
        return flipped and (own or state.rules.peng_opens_on == "any-flip")
    return False


def could_peng(state: State, seat: int) -> bool:
    """R5.3, R5.7, R4.4: whether the seat can 碰 the open card, had nobody a higher claim."""
    card = state.open_card
    return (
        seat != state.last.seat
        and state.hand(seat)[card] == 2
        and not state.stale(seat, "碰", card)
        and any(c != card for c in state.unlocked(seat))
    )


def could_chi(state: State, seat: int) -> bool:
    """R5.1: whether the seat can 吃 the open card in any way, had nobody a higher claim."""
    return any(may_chi(state, event) for event in chi_candidates(seat, state.open_card))


def may_chi(state: State, event: Event) -> bool:
    """R5.1, R5.2, R5.7, R5.8, R4.4: whether this 吃 is one, with all the 比 it owes."""
    seat, card, giver = event.seat, event.card, state.last.seat
    eaters = [state.next_seat(giver)]
    if state.last.verb == Verb.FLIP:
        eaters.append(giver)
    if seat not in eaters:
        return False
    if state.stale(seat, "吃", card) or Event(Verb.PLAY, seat, card) in state.events:
        return False
    if tuple(sorted((card, *event.pair))) not in EDIBLE:
        return False
    left = state.unlocked(seat)
    left.subtract(event.pair)
    for group in event.bi:
        if left[card] <= 0 or group not in EDIBLE or card not in group:
            return False
        left.subtract(group)
    if min(left.values()) < 0 or left[card] > 0:
        return False
    return any(left.values())


# No open card


def allowed_on_turn(state: State, event: Event) -> bool:
    """R4, R7.5, R7.6, R2.4: the start, and after a card was taken or kept."""
    verb, seat, last = event.verb, event.seat, state.last
    wins: list[Event] = []
    if last is None:
        wins = [Event(Verb.HU, s) for s in deal_winners(state)]
    elif last.verb in SAO_VERBS:
        hu = slow_best(
            state.cards(last.seat), state.table(last.seat), None, "own-flip", state.rules
        )
        if hu is not None and hu >= state.rules.min_hu:
            wins = [Event(Verb.HU, last.seat)]
    if event in wins:
        return True
    if wins and state.rules.must_win == "always":
        return False

    actor = state.dealer if last is None else last.seat
    if owes_discard(state, actor):
        if verb == Verb.PLAY:
            return seat == actor and state.unlocked(actor)[event.card] > 0
        return verb == Verb.KEEP and seat == actor and may_keep(state, actor)
    if verb == Verb.FLIP:
        return seat == state.next_seat(actor) and state.may_turn(event.card)
    return verb == Verb.DRAW and state.wall_left() == 0


def owes_discard(state: State, actor: int) -> bool:
    """R4.2–R4.4: whether the one who acted last (the dealer at the start) must discard."""
    verb = Verb.PLAY if state.last is None else state.last.verb
    if verb == Verb.KEEP:
        return False
    if verb in (Verb.SAOCHUAN, Verb.KAIDUO) and state.quads(actor) >= 2:
        return False
    return bool(state.unlocked(actor))


def may_keep(state: State, seat: int) -> bool:
    """R2.4: whether the discard owed may be kept."""
    two_long = sum(n == 4 for n in Counter(state.deal[seat]).values()) == 2
    return (
        state.rules.two_long == "skip-discard"
        and two_long
        and Event(Verb.KEEP, seat) not in state.events
        and slow_listening(state.cards(seat), state.table(seat), state.rules)
    )


def deal_winners(state: State) -> list[int]:
    """R7.6: who can win on the cards dealt, in playing order from the dealer."""
    worth: dict[int, int] = {}
    for s in state.order_from(state.dealer):
        dealt = Counter(state.deal[s])
        kan: list[Group] = [("坎", (c,) * 3) for c, n in dealt.items() if n == 3]
        long: list[Group] = [("龙", (c,) * 4) for c, n in dealt.items() if n == 4]
        if len(long) >= 3 or len(kan) >= 5:
            worth[s] = sum(group_hu(group, state.rules) for group in kan + long)
        if s == state.dealer:
            hu = slow_best(sorted(state.deal[s]), [], None, "deal", state.rules)
            if hu is not None and hu >= state.rules.min_hu:
                worth[s] = max(hu, worth.get(s, 0))
    if state.rules.deal_ties == "nearest":
        return list(worth)[:1]
    return [s for s, hu in worth.items() if hu == max(worth.values())]


# After a win


def allowed_after_win(state: State, event: Event) -> bool:
    """R7.6, R8: the other winners at the deal, then the 醒 that are due."""
    start = State(state.rules, state.dealer, state.deal)
    wins = [e for e in state.events if e.verb == Verb.HU]
    xing = [e.card for e in state.events if e.verb == Verb.XING]
    at_deal = state.events[0].verb == Verb.HU
    others = [Event(Verb.HU, s) for s in deal_winners(start)] if at_deal and not xing else []
    others = [e for e in others if e not in wins]
    if event in others:
        return True
    if others and state.rules.must_win == "always":
        return False
    return (
        event.verb == Verb.XING
        and len(wins) == 1
        and state.rules.unit == "duo"
        and (not xing or turns_again(state, wins[0], xing[-1]))
        and state.wall_left() > 0
        and state.may_turn(event.card)
    )


def turns_again(state: State, win: Event, turned: int) -> bool:
    """R8.3: whether the winner holds all four of an enabled neighbour of the turned card."""
    held = Counter(state.hand(win.seat))
    for _, cards in state.table(win.seat):
        held.update(cards)
    if win.card is not None:
        held[win.card] += 1
    rank = turned % 10
    for name, step in (("shang", -1), ("xia", 1)):
        inside = 0 <= rank + step <= 9
        if name in state.rules.xing and (inside or state.rules.xing_wrap):
            if held[turned - rank + (rank + step) % 10] == 4:
                return state.rules.xing_repeat == "on"
    return False
