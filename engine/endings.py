"""How a hand in play ends: 醒, what the win is worth, and who pays (R8, R9)."""

from __future__ import annotations

from engine.deal import deal_wins
from engine.evaluate import Grouping, best
from engine.events import Special
from engine.legal import winning_cards, xing_due
from engine.melds import Source
from engine.result import Result
from engine.settle import award, count_xing, last_card_xing, next_dealer, pay
from engine.state import State


def settle(state: State) -> None:
    """Settles a won hand, unless a 醒 is still due."""
    if not xing_due(state):
        state.result = _result(state)


def _result(state: State) -> Result:
    winner = state.winners[0]
    source, special, grouping = _win(state, winner)
    own_flip = source is Source.OWN_FLIP
    card = state.bare if state.card < 0 else state.card
    xing = _xing(state, card) if len(state.winners) == 1 and state.rules.unit == "duo" else 0
    worth = award(grouping.hu, xing, own_flip=own_flip, special=special, rules=state.rules)
    payer = state.giver if source is Source.DISCARD else None
    deltas = pay(
        worth.total, seats=state.seats, playing=state.playing, winners=state.winners, payer=payer
    )
    return Result(
        winners=state.winners,
        source=source,
        payer=payer,
        special=special,
        card=card,
        hu=grouping.hu,
        melds=grouping.melds,
        base=worth.base,
        xing_cards=state.turned,
        xing=xing,
        bonus=worth.bonus,
        times=worth.times,
        total=worth.total,
        deltas=deltas,
        next_dealer=next_dealer(state.dealer, state.winners, seats=state.seats, rules=state.rules),
    )


def _win(state: State, seat: int) -> tuple[Source, Special | None, Grouping]:
    """How the seat has won, and with what."""
    hand, table, rules = state.hands[seat], state.tables[seat], state.rules
    if state.card >= 0:
        flipped = Source.OWN_FLIP if seat == state.giver else Source.FLIP
        source = flipped if state.was_flip else Source.DISCARD
        grouping = best(hand, table, state.card, source, rules)
        assert grouping is not None
        first = source is Source.DISCARD and state.opened_at == 1
        return source, Special.DIHU if first else None, grouping
    if state.bare is not None:
        grouping = best(hand, table, None, Source.OWN_FLIP, rules)
        assert grouping is not None
        return Source.OWN_FLIP, None, grouping
    win = next(win for win in deal_wins(state) if win.seat == seat)
    return Source.DEAL, win.special, win.grouping


def _xing(state: State, card: int | None) -> int:
    """The 醒 of the one winner (R8.2), those of a win on the last card included (R8.4)."""
    held = winning_cards(state)
    if state.turned:
        return count_xing(state.turned, held, state.rules)
    return last_card_xing(card, held, state.rules)
