"""Taps that the hands really played cost on a phone, by the controls of the entry page (C6.1).

A plain count of what the page asks: one tap a key, digit, card, change of mode and 保存; 吃 is two,
its card and the group. `tests/e2e/test_competition.py` enters a hand by the same taps.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.play import Hand
from scoring.demo_hands import played, read_records, result_line, slip

FOLDER = Path(os.environ.get("ZIPAI_RECORDS", Path(__file__).parents[3] / "shared" / "records"))
MOST_LINE, MOST_SLIP = 8, 25
SAVE = 1


@pytest.fixture(scope="module")
def hands() -> list[Hand]:
    if not FOLDER.is_dir():
        pytest.skip(f"no real records at {FOLDER}: set ZIPAI_RECORDS to their folder")
    found = [played(record) for record in read_records(FOLDER)]
    assert len(found) == 62
    return found


def who_taps(payload: dict[str, object]) -> int:
    """How it was won, by whom, and who discarded; 荒庄 is one key."""
    return sum(payload.get(name) is not None for name in ("source", "winner", "payer"))


def more_taps(payload: dict[str, object], *names: str) -> int:
    """What stands under 局数、庄家、海底…: opened by one tap, then one each."""
    asked = sum(bool(payload.get(name)) for name in names)
    return asked + bool(asked)


def line_taps(payload: dict[str, object]) -> int:
    """Two digits of 胡 move on to the 醒, which has one; 特殊胡 is a key of its own."""
    if payload["source"] == "draw":
        return who_taps(payload) + SAVE
    digits = len(f"{payload['hu']:02}") + len(str(payload["xing_count"]))
    special = bool(payload["special"])
    return who_taps(payload) + digits + special + more_taps(payload, "last_card") + SAVE


def slip_taps(payload: dict[str, object]) -> int:
    """Cards of the hand in the mode that stands at first, then each kind of meld in one go; the
    winning card moves on to the turned ones."""
    if payload["source"] == "draw":
        return who_taps(payload) + SAVE
    table = payload["table"]
    assert isinstance(table, list)
    kinds = [meld.split()[0] for meld in table]
    taps = len(str(payload["hand"]))
    taps += len(set(kinds)) + len(kinds) + kinds.count("吃")
    card, xing = str(payload["card"] or ""), str(payload["xing"] or "")
    taps += len(card) + bool(card) + len(xing) + bool(xing and not card)
    return who_taps(payload) + taps + more_taps(payload, "special", "last_card") + SAVE


def test_result_line_takes_eight_taps_at_most(hands: list[Hand]) -> None:
    taps = [line_taps(result_line(hand)) for hand in hands]
    assert max(taps) <= MOST_LINE, sorted(taps)


def test_slip_takes_25_taps_at_most_for_nine_of_ten(hands: list[Hand]) -> None:
    taps = sorted(slip_taps(slip(hand)) for hand in hands)
    assert sum(count <= MOST_SLIP for count in taps) * 10 >= len(taps) * 9, taps
