"""The deal (R2) and the wins at it (R7.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final

from engine import cards
from engine.cards import ONES
from engine.errors import ZipaiError
from engine.evaluate import Grouping, best
from engine.events import SEATS, Special
from engine.melds import KAN, LONG, Source
from engine.rules import Rules
from engine.settle import playing_seats
from engine.state import FULL, DealWin, Phase, State, seating, unlocked

DEALT: Final = 20
"""Cards of a seat; the dealer gets one more (R2.1)."""
TWO_LONG: Final = 2
SANLONG: Final = 3
WUKAN: Final = 5


def longs(hand: int) -> int:
    """The number of 龙 in a packed hand."""
    return (hand >> 2 & ONES).bit_count()


def kans(hand: int) -> int:
    """The number of 坎 in a packed hand; a 龙 is no 坎."""
    return (hand & hand >> 1 & ONES).bit_count()


def start(
    state: State,
    rules: Rules,
    dealer: int,
    deal: Mapping[int, Sequence[int]],
    wall: Sequence[int],
) -> None:
    """Makes `state` the hand after this deal, before the dealer's first act.

    `deal` maps each playing seat to its cards, the dealer's 亮张 last; `wall` is the known
    beginning of the wall in turning order. Raises `unknown-seat` for a dealer who is not at the
    table, `deal-count` for a wrong number of cards or a missing seat (R2.1, R2.4), `deck` for
    more than four of a card.
    """
    if not 0 <= dealer < rules.seats:
        raise ZipaiError(
            "unknown-seat",
            "R2.2",
            f"庄家不在这张 {rules.seats} 人桌上",
            f"the dealer is not at this table of {rules.seats}",
        )
    playing = playing_seats(rules.seats, dealer)
    state.rules, state.dealer, state.seats, state.playing = rules, dealer, rules.seats, playing
    state.deal = tuple(tuple(deal.get(seat, ())) for seat in range(rules.seats))
    state.following, state.order = seating(rules.seats, playing)
    for seat in sorted({*playing, *(s for s, held in deal.items() if held)}):
        check_count(rules, seat, seat == dealer, seat in playing, deal.get(seat, ()))
    check_deck([*chain(*state.deal), *wall])
    hands = [cards.pack(held) for held in state.deal]
    state.shown = state.deal[dealer][-1]
    state.hands = hands
    state.free = [unlocked(hand) for hand in hands]
    state.tables = [()] * rules.seats
    state.triples = {}
    state.quads = [longs(hand) for hand in hands]
    state.passed_chi = [{} for _ in range(rules.seats)]
    state.passed_peng = [{} for _ in range(rules.seats)]
    state.thrown = [{} for _ in range(rules.seats)]
    keeping = rules.two_long == "skip-discard"
    state.may_keep = [keeping and quads == TWO_LONG for quads in state.quads]
    state.piles = [()] * rules.seats
    state.wall = tuple(wall)
    state.wall_left = cards.DECK - sum(len(held) for held in state.deal)
    state.drawn = 0
    state.rest = FULL - sum(hands) - cards.pack(wall)
    state.phase = Phase.START
    state.turn = dealer
    state.close()
    state.bare = None
    state.before = 0
    state.events = []
    state.winners = ()
    state.turned = ()
    state.result = None
    state._waits = [None] * rules.seats
    state._legal = ()
    state._deal_wins = None


def check_count(rules: Rules, seat: int, deals: bool, plays: bool, held: Sequence[int]) -> None:
    """Raises `deal-count` unless `held` is a deal of the right size for this seat (R2.1, R2.4).

    With `extra-card`, one card more is held by, and only by, a seat that was dealt exactly two
    龙: with that card it shows two of them, or three.
    """
    name = SEATS[seat] if 0 <= seat < len(SEATS) else str(seat)
    if not plays:
        raise ZipaiError(
            "deal-count",
            "R2.2",
            f"{name} 这一局不上场，不该有牌 (R2.2)",
            f"{name} does not play this hand and gets no cards (R2.2)",
        )
    due = DEALT + deals
    have = len(held)
    two = longs(cards.pack(held)) if rules.two_long == "extra-card" else 0
    if have == due + 1 and two in (TWO_LONG, TWO_LONG + 1):
        return
    if have == due and two != TWO_LONG:
        return
    if have in (due, due + 1) and rules.two_long == "extra-card":
        zh = "起手两条龙要多抓一张" if have == due else "起手正好两条龙的才多抓一张"
        en = (
            "dealt two 龙 a seat draws an extra card"
            if have == due
            else "only who is dealt exactly two 龙 draws an extra card"
        )
        wanted = 2 * due + 1 - have
        raise ZipaiError(
            "deal-count",
            "R2.4",
            f"{name} 有 {have} 张牌，应为 {wanted} 张：{zh} (R2.4)",
            f"{name} has {have} cards and should have {wanted}: {en} (R2.4)",
        )
    raise ZipaiError(
        "deal-count",
        "R2.1",
        f"{name} 有 {have} 张牌，应为 {due} 张 (R2.1)" if have else f"缺 {name} 的发牌 (R2.1)",
        f"{name} has {have} cards and should have {due} (R2.1)"
        if have
        else f"the deal of {name} is missing (R2.1)",
    )


def check_deck(known: Sequence[int]) -> None:
    """Raises `deck` where deal and known wall hold more than four of a card (R1)."""
    packed = [0] * cards.KINDS
    for c in known:
        packed[c] += 1
    for c, copies in enumerate(packed):
        if copies > cards.COPIES:
            name = cards.NAMES[c]
            raise ZipaiError(
                "deck",
                "R1",
                f"发牌和墩里一共有 {copies} 张{name}，一副牌里只有四张 (R1)",
                f"deal and wall hold {copies} copies of {name}; the deck has four (R1)",
            )


def special(state: State, seat: int) -> DealWin | None:
    """The win at the deal that the cards of `seat` are, whoever else has one (R7.6), or None.

    天胡 goes before 三笼 and 五坎; its 胡 is never the smaller, since a complete hand counts its
    龙 and 坎 in full.
    """
    hand = state.hands[seat]
    if seat == state.dealer:
        grouping = best(hand, (), None, Source.DEAL, state.rules)
        if grouping is not None and grouping.hu >= state.rules.min_hu:
            return DealWin(seat, Special.TIANHU, grouping)
    if longs(hand) >= SANLONG:
        name = Special.SANLONG
    elif kans(hand) >= WUKAN:
        name = Special.WUKAN
    else:
        return None
    held = [(c, cards.count(hand, c)) for c in range(cards.KINDS)]
    melds = tuple((KAN, LONG)[n - 3][c] for c, n in held if n >= 3)
    return DealWin(seat, name, Grouping(sum(meld.hu for meld in melds), melds))


def deal_wins(state: State) -> tuple[DealWin, ...]:
    """Who may win at the deal, in playing order from the dealer (R7.6, `deal_ties`)."""
    known = state._deal_wins
    if known is None:
        found = [special(state, seat) for seat in state.order[state.dealer]]
        wins = [win for win in found if win is not None]
        if state.rules.deal_ties == "nearest":
            wins = wins[:1]
        elif wins:
            most = max(win.grouping.hu for win in wins)
            wins = [win for win in wins if win.grouping.hu == most]
        state._deal_wins = known = tuple(wins)
    return known


def still_to_declare(state: State) -> tuple[DealWin, ...]:
    """Who may still declare a win at the deal.

    Before the dealer's first act all of `deal_wins`; after a first 胡 at the deal the equal
    others, until a 醒 is turned: who has written none by then has declined.
    """
    if state.phase is Phase.START:
        return deal_wins(state)
    if state.phase is Phase.WON and state.card < 0 and state.bare is None and not state.turned:
        return tuple(win for win in deal_wins(state) if win.seat not in state.winners)
    return ()
