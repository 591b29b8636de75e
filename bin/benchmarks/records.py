"""The engine's second half: records replayed and hands simulated, beside `chess` and `pokerkit`."""

from __future__ import annotations

import io
import os
import random
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import chess.pgn
import pokerkit

from benchmarks.measure import REPEATS, ROOT, Figure, distinct, per_second
from engine.players import random_player, sensible_player
from engine.record import export
from engine.replay import VALID, record_of, replay_all
from engine.rules import PRESETS
from engine.simulate import play_hands

RULES_ID = "local"
RULES = PRESETS[RULES_ID]
RECORDS = 100 * REPEATS
GAMES = 60 * REPEATS
POKER = 20 * REPEATS
SIMULATED = 60 * REPEATS
PLIES = 30
"""Half moves of a chess game: as many as a record has events."""
SHARED = Path(os.environ.get("ZIPAI_RECORDS", ROOT.parent / "shared" / "records"))


def replay(texts: Sequence[bytes]) -> int:
    """Parses and strictly replays records; all are valid. Returns how many events they have."""
    events = 0
    for text in texts:
        (found,) = replay_all(text)
        if found.status != VALID:
            raise AssertionError("a record is not valid")
        events += found.events
    return events


def replay_chess(games: Sequence[str]) -> None:
    """Reads PGN games, every move checked."""
    for game in games:
        read = chess.pgn.read_game(io.StringIO(game))
        if read is None or read.errors:
            raise AssertionError("a generated game is not legal")


def replay_poker(hands: Sequence[str]) -> None:
    """Reads hand histories and plays them to the end, every action checked."""
    with warnings.catch_warnings():
        # Its burnt cards are drawn anew and may be cards that the history deals later.
        warnings.simplefilter("ignore", UserWarning)
        for hand in hands:
            *_, last = pokerkit.HandHistory.loads(hand)
            if last.status:
                raise AssertionError("a generated hand does not end")


def records(rng: random.Random) -> Iterator[bytes]:
    """Endless records of hands played by the sensible player."""
    while True:
        for hand in play_hands(RULES, 100, rng, sensible_player):
            yield export(record_of(hand, RULES_ID)).encode()


def chess_games(rng: random.Random) -> Iterator[str]:
    """Endless PGN games of `PLIES` random legal half moves."""
    while True:
        board = chess.Board()
        while len(board.move_stack) < PLIES and not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        yield str(chess.pgn.Game.from_board(board))


def poker_hands(rng: random.Random) -> Iterator[str]:
    """Endless histories of no-limit hold'em hands of three, checked, called or raised at random."""
    automations = (
        pokerkit.Automation.ANTE_POSTING,
        pokerkit.Automation.BET_COLLECTION,
        pokerkit.Automation.BLIND_OR_STRADDLE_POSTING,
        pokerkit.Automation.CARD_BURNING,
        pokerkit.Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
        pokerkit.Automation.HAND_KILLING,
        pokerkit.Automation.CHIPS_PUSHING,
        pokerkit.Automation.CHIPS_PULLING,
    )
    game = pokerkit.NoLimitTexasHoldem(automations, True, 0, (1, 2), 2)
    while True:
        state = game((200, 200, 200), 3)
        while state.status:
            deck = sorted(map(repr, state.get_dealable_cards()))
            if state.can_deal_hole():
                state.deal_hole("".join(rng.sample(deck, 2)))
            elif state.can_deal_board():
                number = 1 if any(state.get_board_cards(0)) else 3
                state.deal_board("".join(rng.sample(deck, number)))
            elif state.can_complete_bet_or_raise_to() and rng.random() < 0.15:
                state.complete_bet_or_raise_to()
            else:
                state.check_or_call()
        yield pokerkit.HandHistory.from_game_state(game, state).dumps()


def simulate(seeds: Sequence[int]) -> int:
    """Plays one hand a seed with the random player, who is given every legal event."""
    played = 0
    for seed in seeds:
        for hand in play_hands(RULES, 1, random.Random(seed), random_player):
            played += len(hand.events)
    return played


def run() -> Iterator[Figure]:
    """The figures of record, replay and simulation, with the peers measured in the same run."""
    if SHARED.is_dir():
        shared = [file.read_bytes() for file in sorted(SHARED.glob("*.zpr"))]
        yield "events a shared record", replay(shared) / len(shared), ""
        ours = per_second(replay, shared * 2 * REPEATS)
        yield "shared records parsed and strictly replayed (must be 1,500, aim 3,000)", ours, "/s"
    made = distinct(records(random.Random(1)), RECORDS)
    yield "events a simulated record", replay(made) / len(made), ""
    ours = per_second(replay, made)
    yield "distinct simulated records parsed and strictly replayed", ours, "/s"
    peer = per_second(replay_chess, distinct(chess_games(random.Random(2)), GAMES))
    yield f"  chess: PGN games of {PLIES} half moves read and checked", peer, "/s"
    yield "  ratio (must be 1.5)", ours / peer, "×"
    peer = per_second(replay_poker, distinct(poker_hands(random.Random(3)), POKER))
    yield "  pokerkit: hand histories read and played", peer, "/s"
    yield "  ratio", ours / peer, "×"
    hands = per_second(simulate, range(SIMULATED))
    yield "hands simulated, random player, full legal lists (must be 1,000, aim 2,500)", hands, "/s"
