"""A file read in portions says what the whole file says."""

from __future__ import annotations

import random
from functools import cache

import pytest

from engine import jsonl
from engine.files import parse, read
from engine.portions import Portion, portions
from engine.record import export
from engine.replay import Replay, record_of, replay
from engine.rules import preset
from engine.simulate import play_hands


@cache
def hands(count: int) -> list[str]:
    """So many records."""
    played = play_hands(preset("competition"), count, random.Random(3))
    return [export(record_of(hand, "competition")) for hand in played]


def found(text: str, hands_before: int = 0, lines_before: int = 0) -> list[object]:
    """What replay says of each hand of a text, its numbers as in the whole file."""
    return [_said(replay(one), hands_before, lines_before) for one in read(text)]


def _said(one: Replay, hands_before: int, lines_before: int) -> object:
    faults = [fault.as_json() for fault in (one.error, *one.more) if fault]
    for fault in faults:
        fault["line"] += lines_before
    result = one.result.as_json() if one.result else None
    return (one.hand + hands_before, one.status, one.rules, one.events, result, faults)


def apart(text: str, most: int) -> tuple[list[Portion], list[object]]:
    """The portions, and what their hands say."""
    cut = portions(text, most)
    said = [line for one in cut for line in found(text[one.start : one.stop], one.hands, one.lines)]
    assert [one.size for one in cut] == [len(list(read(text[one.start : one.stop]))) for one in cut]
    return cut, said


def damaged(rng: random.Random) -> str:
    """A file of some hands, of which some lines are missing, twice or nonsense."""
    lines = "\n".join(hands(9)).splitlines()
    for _fault in range(rng.randrange(6)):
        at = rng.randrange(len(lines))
        lines[at : at + 1] = rng.choice([[], [lines[at]] * 2, ["乱"], [""], ["# 字牌谱 1"]])
    return rng.choice(["\n", "\r\n", "\r"]).join(lines)


@pytest.mark.parametrize("seed", range(40))
def test_portions_of_a_damaged_file_say_what_the_whole_says(seed: int) -> None:
    text = damaged(random.Random(seed))
    for most in (1, 2, 4):
        assert apart(text, most)[1] == found(text)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_nine_hands_are_three_portions_of_four_at_most(end: str) -> None:
    text = end.join("\n".join(hands(9)).splitlines()) + end
    cut, said = apart(text, 4)
    assert [(one.hands, one.size) for one in cut] == [(0, 4), (4, 4), (8, 1)]
    assert said == found(text)
    assert (cut[0].start, cut[-1].stop) == (0, len(text))


def test_what_stands_before_the_first_head_is_a_hand_of_the_first_portion() -> None:
    text = "这一行什么也不是\n" + "\n".join(hands(3))
    cut, said = apart(text, 2)
    assert [one.size for one in cut] == [2, 2]
    assert said == found(text)


@pytest.mark.parametrize("text", ["", "你好", "[]", "{", "[1, 2]", "{}\n3\n{}"])
def test_what_cannot_be_divided_is_one_portion(text: str) -> None:
    (one,) = portions(text, 1)
    assert (one.start, one.stop, one.hands, one.lines) == (0, len(text), 0, 0)


def test_json_a_line_is_cut_between_lines() -> None:
    text = jsonl.export(*(parse(hand) for hand in hands(5)))
    cut, said = apart(text, 2)
    assert [(one.hands, one.lines, one.size) for one in cut] == [(0, 0, 2), (2, 2, 2), (4, 4, 1)]
    assert said == found(text)


def test_json_in_an_array_over_many_lines_keeps_the_places_of_its_faults() -> None:
    lines = jsonl.export(*(parse(hand) for hand in hands(5))).splitlines()
    lines[3] = lines[3].replace('"甲 打', '"甲 摸', 1)
    text = "[\n" + ",\n".join(lines) + "\n]"
    cut, said = apart(text, 2)
    assert [one.size for one in cut] == [2, 2, 1]
    assert said == found(text)
    assert said[3][-1][0]["line"] == 5  # type: ignore[index]


def test_json_on_one_line_is_not_cut() -> None:
    lines = jsonl.export(*(parse(hand) for hand in hands(3))).splitlines()
    cut, said = apart(f"[{','.join(lines)}]", 1)
    assert [one.size for one in cut] == [3]
    assert len(said) == 3
